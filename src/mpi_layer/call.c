/* call.c -- what a call hands over, in bytes, and whether the layer can move it */
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#include "mpi_layer/layer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* How many libraries have ever been loaded. */
static int count_loaded(struct dl_phdr_info *info, size_t size, void *loaded)
{
    (void)size;
    *(unsigned long long *)loaded = info->dlpi_adds;
    return 1; /* the first object knows */
}

/* CUDA's driver knows which pointers are a device's.  Other runtimes ask in ways that differ from release to release:
 * where one is loaded, nothing is moved.  Names are looked up again only when a library was loaded. */
static bool on_device(const void *buffer)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2 };
    typedef int ask_fn(void *value, int what, unsigned long long pointer);
    static _Thread_local unsigned long long looked_up;
    static _Thread_local bool others;
    static _Thread_local union {
        void *object;
        ask_fn *function;
    } ask;
    unsigned long long loaded = 0;
    unsigned kind = 0;
    dl_iterate_phdr(count_loaded, &loaded);
    if (loaded != looked_up || loaded == 0) {
        looked_up = loaded;
        ask.object = dlsym(RTLD_DEFAULT, "cuPointerGetAttribute");
        others = dlsym(RTLD_DEFAULT, "hipMalloc") != NULL || dlsym(RTLD_DEFAULT, "zeMemAllocDevice") != NULL;
    }
    return others || (buffer != NULL && ask.object != NULL &&
                      ask.function(&kind, MEMORY_TYPE, (unsigned long long)(uintptr_t)buffer) == 0 && kind == DEVICE);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_named(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* Are n elements of it n * size bytes, in this order?  Named types without gaps, copies of them, and rows of them. */
static bool is_plain(MPI_Datatype type, int depth)
{
    enum { DEEPEST = 8 };
    int integers, addresses, types, combiner, size;
    MPI_Aint begin, extent;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &begin, &extent);
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (size < 1 || begin != 0 || extent != size || depth > DEEPEST)
        return false;
    if (combiner == MPI_COMBINER_NAMED)
        return true;
    if ((combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) || integers > 1 || addresses > 0 ||
        types != 1)
        return false;
    int count;
    MPI_Aint none;
    MPI_Datatype inner;
    PMPI_Type_get_contents(type, integers, addresses, types, &count, &none, &inner);
    const bool plain = is_plain(inner, depth + 1);
    if (!is_named(inner))
        PMPI_Type_free(&inner);
    return plain;
}

static MPI_Datatype keep(MPI_Datatype type)
{
    MPI_Datatype own = type;
    if (!is_named(type))
        PMPI_Type_dup(type, &own);
    return own;
}

static void give_back(MPI_Datatype *type)
{
    if (!is_named(*type))
        PMPI_Type_free(type);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Copies of counts and places, and bytes of them. */
static void read_edges(int edges, const int *counts, const int *displs, int64_t size, int *count, int *displ,
                       int64_t *bytes, int64_t *at, bool *supported)
{
    for (int i = 0; i < edges; i++) {
        count[i] = counts[i];
        displ[i] = displs[i];
        bytes[i] = counts[i] * size;
        at[i] = displs[i] * size;
        *supported = *supported && counts[i] >= 0;
    }
}

void layer_call_open(layer_call *call, const layer_graph *graph, LAYER_FORMALS)
{
    const size_t in = (size_t)graph->in, out = (size_t)graph->out;
    int sizes[2] = {1, 1};
    layer_call c = {.send = send, .receive = receive, .send_type = keep(send_type), .receive_type = keep(receive_type)};
    c.supported = is_plain(send_type, 0) && is_plain(receive_type, 0) && !on_device(send) && !on_device(receive);
    if (c.supported) {
        PMPI_Type_size(send_type, &sizes[0]);
        PMPI_Type_size(receive_type, &sizes[1]);
    }
    c.send_bytes = layer_memory(in + out, 2 * (sizeof(int64_t) + sizeof(int)));
    c.send_at = c.send_bytes + out;
    c.receive_bytes = c.send_at + out;
    c.receive_at = c.receive_bytes + in;
    c.send_count = (int *)(c.receive_at + in);
    c.send_displ = c.send_count + out;
    c.receive_count = c.send_displ + out;
    c.receive_displ = c.receive_count + in;
    read_edges(graph->out, send_count, send_displ, sizes[0], c.send_count, c.send_displ, c.send_bytes, c.send_at,
               &c.supported);
    read_edges(graph->in, receive_count, receive_displ, sizes[1], c.receive_count, c.receive_displ, c.receive_bytes,
               c.receive_at, &c.supported);
    *call = c;
}

void layer_call_close(layer_call *call)
{
    give_back(&call->send_type);
    give_back(&call->receive_type);
    free(call->send_bytes);
}

size_t layer_signature_words(const layer_graph *graph)
{
    return 2 * (size_t)graph->out + (size_t)graph->in;
}
