/* signature.c -- what a call hands over, in bytes, and whether the layer can move it */
#include "mpi_layer/layer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* CUDA's driver knows which pointers are a device's.  Other runtimes ask in ways that differ from release to release:
 * where one is loaded, nothing is moved. */
static bool on_device(const void *buffer)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2 };
    typedef int ask_fn(void *value, int what, unsigned long long pointer);
    static const char *const others[] = {"hipMalloc", "zeMemAllocDevice"};
    union {
        void *object;
        ask_fn *function;
    } ask = {dlsym(RTLD_DEFAULT, "cuPointerGetAttribute")};
    unsigned kind = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dlsym(RTLD_DEFAULT, others[i]) != NULL)
            return true;
    return buffer != NULL && ask.object != NULL &&
           ask.function(&kind, MEMORY_TYPE, (unsigned long long)(uintptr_t)buffer) == 0 && kind == DEVICE;
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

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static int *copy_of(const int *list, int count)
{
    int *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy == NULL)
        return NULL;
    for (int i = 0; i < count; i++)
        copy[i] = list[i];
    return copy;
}

static int64_t *bytes_of(const int *list, int count, int64_t size)
{
    int64_t *bytes = malloc(((size_t)count + 1) * sizeof *bytes);
    if (bytes == NULL)
        return NULL;
    for (int i = 0; i < count; i++)
        bytes[i] = list[i] * size;
    return bytes;
}

static MPI_Datatype keep(MPI_Datatype type)
{
    MPI_Datatype own = type;
    if (type != MPI_DATATYPE_NULL && !is_named(type))
        PMPI_Type_dup(type, &own);
    return own;
}

static bool is_sane(const layer_graph *graph, const layer_call *c)
{
    bool sane = true;
    for (int i = 0; i < graph->out; i++)
        sane = sane && c->send_count[i] >= 0;
    for (int i = 0; i < graph->in; i++)
        sane = sane && c->receive_count[i] >= 0;
    return sane;
}

bool layer_call_open(layer_call *call, const layer_graph *graph, const void *send, const int *send_count,
                     const int *send_displ, MPI_Datatype send_type, void *receive, const int *receive_count,
                     const int *receive_displ, MPI_Datatype receive_type)
{
    int sizes[2] = {1, 1};
    layer_call c = {.send = send, .receive = receive, .send_type = keep(send_type), .receive_type = keep(receive_type)};
    c.supported = is_plain(send_type, 0) && is_plain(receive_type, 0) && !on_device(send) && !on_device(receive);
    if (c.supported) {
        PMPI_Type_size(send_type, &sizes[0]);
        PMPI_Type_size(receive_type, &sizes[1]);
    }
    c.send_count = copy_of(send_count, graph->out);
    c.send_displ = copy_of(send_displ, graph->out);
    c.receive_count = copy_of(receive_count, graph->in);
    c.receive_displ = copy_of(receive_displ, graph->in);
    c.bytes.send_bytes = bytes_of(send_count, graph->out, sizes[0]);
    c.bytes.send_at = bytes_of(send_displ, graph->out, sizes[0]);
    c.bytes.receive_bytes = bytes_of(receive_count, graph->in, sizes[1]);
    c.receive_at = bytes_of(receive_displ, graph->in, sizes[1]);
    *call = c;
    if (c.send_count == NULL || c.send_displ == NULL || c.receive_count == NULL || c.receive_displ == NULL ||
        c.bytes.send_bytes == NULL || c.bytes.send_at == NULL || c.bytes.receive_bytes == NULL || c.receive_at == NULL)
        return false;
    call->supported = c.supported && is_sane(graph, &c);
    return true;
}

static void give_back(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL && !is_named(*type))
        PMPI_Type_free(type);
}

void layer_call_close(layer_call *call)
{
    give_back(&call->send_type);
    give_back(&call->receive_type);
    free(call->send_count);
    free(call->send_displ);
    free(call->receive_count);
    free(call->receive_displ);
    free(call->receive_at);
    layer_signature_free(&call->bytes);
}

/* ---- signatures -------------------------------------------------------------------------------------------------- */

static bool same(const int64_t *a, const int64_t *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool layer_signature_same(const layer_graph *graph, const layer_signature *a, const layer_signature *b)
{
    return same(a->send_bytes, b->send_bytes, graph->out) && same(a->send_at, b->send_at, graph->out) &&
           same(a->receive_bytes, b->receive_bytes, graph->in);
}

static int64_t *copy_words(const int64_t *list, int count)
{
    int64_t *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy == NULL)
        return NULL;
    for (int i = 0; i < count; i++)
        copy[i] = list[i];
    return copy;
}

bool layer_signature_copy(const layer_graph *graph, const layer_signature *from, layer_signature *to)
{
    to->send_bytes = copy_words(from->send_bytes, graph->out);
    to->send_at = copy_words(from->send_at, graph->out);
    to->receive_bytes = copy_words(from->receive_bytes, graph->in);
    return to->send_bytes != NULL && to->send_at != NULL && to->receive_bytes != NULL;
}

void layer_signature_free(layer_signature *signature)
{
    free(signature->send_bytes);
    free(signature->send_at);
    free(signature->receive_bytes);
    *signature = (layer_signature){0};
}
