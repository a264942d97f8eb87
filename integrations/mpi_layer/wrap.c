/* wrap.c -- the calls of MPI that the layer intercepts */
#include "mpi_layer/layer.h"

#include <sched.h>
#include <stdint.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
/* MPI's own functions may be hidden in its headers; these are the ones that programs call. */
#define LAYER_API NS_MPI_API

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static int opened(int code)
{
    if (code == MPI_SUCCESS)
        layer_settings_read();
    if (layer_set.on)
        layer_open();
    return code;
}

LAYER_API int MPI_Init(int *argc, char ***argv)
{
    int provided;
    const int level = layer_thread_level(MPI_THREAD_SINGLE);
    return opened(level == MPI_THREAD_SINGLE ? PMPI_Init(argc, argv) : PMPI_Init_thread(argc, argv, level, &provided));
}

LAYER_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return opened(PMPI_Init_thread(argc, argv, layer_thread_level(required), provided));
}

LAYER_API int MPI_Finalize(void)
{
    if (layer_set.on) {
        const int64_t mine[] = {layer_counted.messages, layer_counted.messages_off_node, layer_counted.bytes_off_node};
        int64_t all[3] = {0, 0, 0};
        int rank;
        layer_exchanges_end();
        layer_wisdom_write();
        layer_close();
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        PMPI_Reduce(mine, all, 3, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            layer_log("in all: %lld exchanges of process 0, %lld messages, of these %lld between nodes with %lld B",
                      (long long)layer_counted.exchanges, (long long)all[0], (long long)all[1], (long long)all[2]);
        layer_set.on = false;
    }
    return PMPI_Finalize();
}

/* ---- communicators ----------------------------------------------------------------------------------------------- */

/* A call that makes a communicator with neighbours: its formal and actual arguments, and the last one. */
#define MAKES(NAME, FORMALS, ACTUALS, MADE)                                                                            \
    LAYER_API int MPI_##NAME FORMALS                                                                                   \
    {                                                                                                                  \
        const int code = PMPI_##NAME ACTUALS;                                                                          \
        if (code == MPI_SUCCESS)                                                                                       \
            layer_attach(*MADE);                                                                                       \
        return code;                                                                                                   \
    }

MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, const int targets[],
       const int out_weights[], MPI_Info info, int reorder, MPI_Comm *graph),
      (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, graph), graph)
MAKES(Dist_graph_create,
      (MPI_Comm comm, int count, const int sources[], const int degrees[], const int targets[], const int weights[],
       MPI_Info info, int reorder, MPI_Comm *graph),
      (comm, count, sources, degrees, targets, weights, info, reorder, graph), graph)
MAKES(Cart_create, (MPI_Comm comm, int dims, const int size[], const int periodic[], int reorder, MPI_Comm *grid),
      (comm, dims, size, periodic, reorder, grid), grid)
MAKES(Cart_sub, (MPI_Comm comm, const int kept[], MPI_Comm *grid), (comm, kept, grid), grid)

/* ---- what calls hand over ---------------------------------------------------------------------------------------- */

/* One side of a call: one count or an array of counts; offsets in elements or bytes for each edge, or consecutive
 * data. */
typedef struct side {
    const void *buffer;
    int64_t all, stride; /* elements */
    const int *count, *place;
    const MPI_Count *count_c;
    const MPI_Aint *place_c, *byte;
    MPI_Datatype type;
    const MPI_Datatype *types;
} side;

/* True: the arguments equal those of the previous call, with named types. */
static bool list_side(layer_edge *edge, int edges, const int *neighbour, side s)
{
    layer_type known = {.type = MPI_DATATYPE_NULL};
    bool same = true;
    for (int i = 0; i < edges; i++) {
        layer_edge e = {.type = s.types != NULL ? s.types[i] : s.type};
        if (e.type != known.type)
            layer_type_of(e.type, &known);
        e.count = s.count != NULL ? s.count[i] : s.count_c != NULL ? (int64_t)s.count_c[i] : s.all;
        const int64_t place = s.place != NULL ? s.place[i] : s.place_c != NULL ? (int64_t)s.place_c[i] : i * s.stride;
        e.at = (char *)(uintptr_t)s.buffer + (s.byte != NULL ? s.byte[i] : place * known.extent);
        if (neighbour[i] == MPI_PROC_NULL)
            e.count = 0;
        e.bytes = e.count * known.size;
        same = same && known.named && e.at == edge[i].at && e.bytes == edge[i].bytes && e.type == edge[i].type;
        edge[i] = e;
    }
    return same;
}

static layer_flight *flight_of(layer_exchange *x, layer_kind kind, side send, side receive)
{
    const layer_graph *g = x->graph;
    layer_flight *f = layer_flight_new(x, kind);
    f->same = list_side(f->call.send, g->out, g->target, send);
    f->same = list_side(f->call.receive, g->in, g->source, receive) && f->same;
    if (kind != LAYER_BLOCKING)
        layer_call_keep(&f->call, g->out + g->in);
    return f;
}

/* The four functions: formal and actual arguments, and their two sides.  COUNT and PLACE are int, or MPI_Count and
 * MPI_Aint. */
#define V_FORMALS(COUNT, PLACE)                                                                                        \
    const void *send, const COUNT send_count[], const PLACE send_place[], MPI_Datatype send_type, void *receive,       \
        const COUNT receive_count[], const PLACE receive_place[], MPI_Datatype receive_type
#define V_ACTUALS send, send_count, send_place, send_type, receive, receive_count, receive_place, receive_type
#define V_CALL(KIND, C)                                                                                                \
    flight_of(x, KIND, (side){.buffer = send, .count##C = send_count, .place##C = send_place, .type = send_type},      \
              (side){.buffer = receive, .count##C = receive_count, .place##C = receive_place, .type = receive_type})
#define W_FORMALS(COUNT, PLACE)                                                                                        \
    const void *send, const COUNT send_count[], const MPI_Aint send_place[], const MPI_Datatype send_type[],           \
        void *receive, const COUNT receive_count[], const MPI_Aint receive_place[], const MPI_Datatype receive_type[]
#define W_ACTUALS V_ACTUALS
#define W_CALL(KIND, C)                                                                                                \
    flight_of(x, KIND, (side){.buffer = send, .count##C = send_count, .byte = send_place, .types = send_type},         \
              (side){.buffer = receive, .count##C = receive_count, .byte = receive_place, .types = receive_type})
#define A_FORMALS(COUNT, PLACE)                                                                                        \
    const void *send, COUNT send_count, MPI_Datatype send_type, void *receive, COUNT receive_count,                    \
        MPI_Datatype receive_type
#define A_ACTUALS send, send_count, send_type, receive, receive_count, receive_type
#define A_CALL(KIND, C)                                                                                                \
    flight_of(x, KIND, (side){.buffer = send, .all = send_count, .stride = send_count, .type = send_type},             \
              (side){.buffer = receive, .all = receive_count, .stride = receive_count, .type = receive_type})
#define G_FORMALS(COUNT, PLACE)                                                                                        \
    const void *send, COUNT send_count, MPI_Datatype send_type, void *receive, const COUNT receive_count[],            \
        const PLACE receive_place[], MPI_Datatype receive_type
#define G_ACTUALS send, send_count, send_type, receive, receive_count, receive_place, receive_type
#define G_CALL(KIND, C)                                                                                                \
    flight_of(x, KIND, (side){.buffer = send, .all = send_count, .type = send_type},                                   \
              (side){.buffer = receive, .count##C = receive_count, .place##C = receive_place, .type = receive_type})

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

/* A call that begins now and ends later is advanced by a thread. */
#define EXCHANGE(NAME, SUFFIX, FORMALS, ACTUALS, CALL)                                                                 \
    LAYER_API int MPI_Neighbor_##NAME##SUFFIX(FORMALS, MPI_Comm comm)                                                  \
    {                                                                                                                  \
        layer_exchange *x = layer_exchange_of(comm);                                                                   \
        if (x == NULL)                                                                                                 \
            return PMPI_Neighbor_##NAME##SUFFIX(ACTUALS, comm);                                                        \
        if (layer_passes(x))                                                                                           \
            return PMPI_Neighbor_##NAME##SUFFIX(ACTUALS, x->comm);                                                     \
        layer_flight *f = CALL(LAYER_BLOCKING, SUFFIX);                                                                \
        if (layer_flight_wait(f))                                                                                      \
            return MPI_SUCCESS;                                                                                        \
        const int code = PMPI_Neighbor_##NAME##SUFFIX(ACTUALS, x->comm);                                               \
        layer_flight_done(f);                                                                                          \
        return code;                                                                                                   \
    }                                                                                                                  \
    LAYER_API int MPI_Ineighbor_##NAME##SUFFIX(FORMALS, MPI_Comm comm, MPI_Request *request)                           \
    {                                                                                                                  \
        layer_exchange *x = layer_exchange_of(comm);                                                                   \
        if (x == NULL)                                                                                                 \
            return PMPI_Ineighbor_##NAME##SUFFIX(ACTUALS, comm, request);                                              \
        if (!layer_set.threads || layer_passes(x))                                                                     \
            return PMPI_Ineighbor_##NAME##SUFFIX(ACTUALS, x->comm, request);                                           \
        layer_flight *f = CALL(LAYER_NONBLOCKING, SUFFIX);                                                             \
        const int code = layer_flight_request(f, request);                                                             \
        layer_flight_start(f);                                                                                         \
        return code;                                                                                                   \
    }

/* An exchange that has no more agreements and uses MPI's own collective needs nothing from the layer. */
#define PERSISTENT(NAME, SUFFIX, FORMALS, ACTUALS, CALL)                                                               \
    LAYER_API int INIT(NAME, SUFFIX)(FORMALS, MPI_Comm comm, MPI_Info info, MPI_Request * request)                     \
    {                                                                                                                  \
        layer_exchange *known = layer_exchange_of(comm);                                                               \
        if (known == NULL || !layer_set.threads)                                                                       \
            return PINIT(NAME, SUFFIX)(ACTUALS, known == NULL ? comm : known->comm, info, request);                    \
        layer_exchange *x = copy_of(known);                                                                            \
        if (x == NULL)                                                                                                 \
            return PINIT(NAME, SUFFIX)(ACTUALS, known->comm, info, request);                                           \
        layer_flight *f = CALL(LAYER_PERSISTENT, SUFFIX);                                                              \
        layer_flight_prepare(f);                                                                                       \
        const int code = PINIT(NAME, SUFFIX)(ACTUALS, x->comm, info, &f->own);                                         \
        if (code != MPI_SUCCESS || !(x->way == LAYER_OWN && x->left == layer_forever))                                 \
            return code != MPI_SUCCESS ? code : layer_flight_request(f, request);                                      \
        *request = f->own;                                                                                             \
        f->own = MPI_REQUEST_NULL;                                                                                     \
        return code;                                                                                                   \
    }

// cppcheck-suppress preprocessorErrorDirective ; the commas of a list come out of an argument
#define ALL_FOUR(DO, SUFFIX, COUNT, PLACE)                                                                             \
    DO(alltoallv, SUFFIX, V_FORMALS(COUNT, PLACE), V_ACTUALS, V_CALL)                                                  \
    DO(alltoallw, SUFFIX, W_FORMALS(COUNT, PLACE), W_ACTUALS, W_CALL)                                                  \
    DO(alltoall, SUFFIX, A_FORMALS(COUNT, PLACE), A_ACTUALS, A_CALL)                                                   \
    DO(allgatherv, SUFFIX, G_FORMALS(COUNT, PLACE), G_ACTUALS, G_CALL)

ALL_FOUR(EXCHANGE, , int, int)
#if MPI_VERSION >= 4
ALL_FOUR(EXCHANGE, _c, MPI_Count, MPI_Aint)
#endif

#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) || MPI_VERSION >= 4
/* A separate exchange on a separate communicator: persistent ones may be started in any order. */
static layer_exchange *copy_of(layer_exchange *known)
{
    MPI_Comm copy = layer_graph_copy(known->graph);
    return copy == MPI_COMM_NULL ? NULL : layer_exchange_new(known->graph, copy, true, &known->options);
}
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define INIT(NAME, SUFFIX)  MPIX_Neighbor_##NAME##_init##SUFFIX
#define PINIT(NAME, SUFFIX) PMPIX_Neighbor_##NAME##_init##SUFFIX
ALL_FOUR(PERSISTENT, , int, int)
#elif MPI_VERSION >= 4
#define INIT(NAME, SUFFIX)  MPI_Neighbor_##NAME##_init##SUFFIX
#define PINIT(NAME, SUFFIX) PMPI_Neighbor_##NAME##_init##SUFFIX
ALL_FOUR(PERSISTENT, , int, int)
ALL_FOUR(PERSISTENT, _c, MPI_Count, MPI_Aint)
#endif

/* ---- requests ---------------------------------------------------------------------------------------------------- */

LAYER_API int MPI_Start(MPI_Request *request)
{
    const int code = PMPI_Start(request);
    if (code == MPI_SUCCESS)
        layer_start(*request);
    return code;
}

LAYER_API int MPI_Startall(int count, MPI_Request request[])
{
    const int code = PMPI_Startall(count, request);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        layer_start(request[i]);
    return code;
}

LAYER_API int MPI_Request_free(MPI_Request *request)
{
    layer_forget(*request);
    return PMPI_Request_free(request);
}

enum { LOOKS = 16 }; /* before the processor is yielded */

/* A wait for an exchange of the layer advances it until it has ended.  Any other wait is MPI's own. */
static void finish(int count, const MPI_Request request[])
{
    for (int looks = 1; layer_push(count, request); looks++)
        if (looks % LOOKS == 0)
            sched_yield();
}

LAYER_API int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    finish(1, request);
    return PMPI_Wait(request, status);
}

LAYER_API int MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    finish(count, request);
    return PMPI_Waitall(count, request, status);
}

LAYER_API int MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    while (layer_push(count, request)) {
        int flag = 0;
        const int code = PMPI_Testany(count, request, index, &flag, status);
        if (code != MPI_SUCCESS || flag)
            return code;
        sched_yield();
    }
    return PMPI_Waitany(count, request, index, status);
}

LAYER_API int MPI_Waitsome(int count, MPI_Request request[], int *out, int index[], MPI_Status status[])
{
    while (layer_push(count, request)) {
        const int code = PMPI_Testsome(count, request, out, index, status);
        if (code != MPI_SUCCESS || *out != 0)
            return code;
        sched_yield();
    }
    return PMPI_Waitsome(count, request, out, index, status);
}

/* A test advances the exchange first. */
#define TESTS(NAME, COUNT, FORMALS, ACTUALS)                                                                           \
    LAYER_API int MPI_##NAME FORMALS                                                                                   \
    {                                                                                                                  \
        layer_push(COUNT, request);                                                                                    \
        return PMPI_##NAME ACTUALS;                                                                                    \
    }

TESTS(Test, 1, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
TESTS(Testall, count, (int count, MPI_Request request[], int *flag, MPI_Status status[]),
      (count, request, flag, status))
TESTS(Testany, count, (int count, MPI_Request request[], int *index, int *flag, MPI_Status *status),
      (count, request, index, flag, status))
TESTS(Testsome, count, (int count, MPI_Request request[], int *out, int index[], MPI_Status status[]),
      (count, request, out, index, status))
