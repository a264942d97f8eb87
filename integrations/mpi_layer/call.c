/* call.c -- the arguments of a call: edges, and which of them are plain bytes in host memory */
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#include "mpi_layer/layer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* The number of libraries that have ever been loaded. */
static int count_loaded(struct dl_phdr_info *info, size_t size, void *loaded)
{
    (void)size;
    *(unsigned long long *)loaded = info->dlpi_adds;
    return 1; /* the first object has the number */
}

/* CUDA's driver reports which pointers are a device's.  Other runtimes have queries that differ from release to
 * release: where one is loaded, any memory may be a device's.  Names are looked up again only when a library was
 * loaded. */
typedef int ask_fn(void *value, int what, unsigned long long pointer);
static _Thread_local unsigned long long looked_up;
static _Thread_local bool others;
static _Thread_local union {
    void *object;
    ask_fn *function;
} ask;

void layer_look_for_devices(void)
{
    unsigned long long loaded = 0;
    dl_iterate_phdr(count_loaded, &loaded);
    if (loaded != looked_up || loaded == 0) {
        looked_up = loaded;
        ask.object = dlsym(RTLD_DEFAULT, "cuPointerGetAttribute");
        others = dlsym(RTLD_DEFAULT, "hipMalloc") != NULL || dlsym(RTLD_DEFAULT, "zeMemAllocDevice") != NULL;
    }
}

bool layer_on_device(const void *buffer)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2 };
    unsigned kind = 0;
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

/* The result for the named type of the last query is cached. */
static _Thread_local layer_type known = {.type = MPI_DATATYPE_NULL};
static _Thread_local bool known_plain;

/* Named types without gaps, duplicates of them, and contiguous types of them. */
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

bool layer_is_plain(MPI_Datatype type)
{
    return type == known.type ? known_plain : is_plain(type, 0);
}

void layer_type_of(MPI_Datatype type, layer_type *of)
{
    MPI_Aint low;
    if (type == known.type) {
        *of = known;
        return;
    }
    *of = (layer_type){.type = type, .named = is_named(type)};
    PMPI_Type_size_x(type, &of->size);
    PMPI_Type_get_extent(type, &low, &of->extent);
    if (of->named) {
        known_plain = is_plain(type, 0);
        known = *of;
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

void layer_call_keep(layer_call *call, int edges)
{
    for (int i = 0; i < edges; i++)
        if (!is_named(call->send[i].type))
            PMPI_Type_dup(call->send[i].type, &call->send[i].type);
}

void layer_call_release(layer_call *call, int edges)
{
    for (int i = 0; i < edges; i++)
        if (!is_named(call->send[i].type))
            PMPI_Type_free(&call->send[i].type);
}
