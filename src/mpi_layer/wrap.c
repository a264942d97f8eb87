/* wrap.c -- the calls of MPI that the layer stands in front of */
#include "mpi_layer/layer.h"

#include <sched.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define LAYER_INIT     MPIX_Neighbor_alltoallv_init
#define LAYER_INIT_OWN PMPIX_Neighbor_alltoallv_init
#elif MPI_VERSION >= 4
#define LAYER_INIT     MPI_Neighbor_alltoallv_init
#define LAYER_INIT_OWN PMPI_Neighbor_alltoallv_init
#endif

/* MPI's own functions may be hidden in its headers; these are what programs call. */
#define LAYER_API __attribute__((visibility("default")))

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

LAYER_API int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                             const int source_weights[], int outdegree, const int targets[],
                                             const int target_weights[], MPI_Info info, int reorder, MPI_Comm *graph)
{
    const int code = PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree, targets,
                                                     target_weights, info, reorder, graph);
    if (code == MPI_SUCCESS)
        layer_graph_attach(*graph);
    return code;
}

LAYER_API int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[],
                                    const int targets[], const int weights[], MPI_Info info, int reorder,
                                    MPI_Comm *graph)
{
    const int code = PMPI_Dist_graph_create(comm, count, sources, degrees, targets, weights, info, reorder, graph);
    if (code == MPI_SUCCESS)
        layer_graph_attach(*graph);
    return code;
}

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

/* Is it MPI's own, on the graph's communicator, without a question?  Not behind exchanges that are in line. */
static bool is_left(const layer_graph *g, bool blocking)
{
    if (!blocking && !layer_set.threads)
        return true;
    return atomic_load(&g->left) && atomic_load(&g->flights) == 0;
}

LAYER_API int MPI_Neighbor_alltoallv(LAYER_FORMALS, MPI_Comm comm)
{
    layer_graph *g = layer_graph_of(comm);
    if (g == NULL)
        return PMPI_Neighbor_alltoallv(LAYER_ACTUALS, comm);
    if (!is_left(g, true) && layer_flight_wait(layer_flight_new(g, LAYER_BLOCKING, LAYER_ACTUALS)))
        return MPI_SUCCESS;
    return PMPI_Neighbor_alltoallv(LAYER_ACTUALS, g->comm);
}

LAYER_API int MPI_Ineighbor_alltoallv(LAYER_FORMALS, MPI_Comm comm, MPI_Request *request)
{
    layer_graph *g = layer_graph_of(comm);
    if (g == NULL || is_left(g, false))
        return PMPI_Ineighbor_alltoallv(LAYER_ACTUALS, g == NULL ? comm : g->comm, request);
    layer_flight *f = layer_flight_new(g, LAYER_NONBLOCKING, LAYER_ACTUALS);
    const int code = layer_flight_request(f, request);
    layer_flight_start(f);
    return code;
}

#ifdef LAYER_INIT
LAYER_API int LAYER_INIT(LAYER_FORMALS, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    layer_graph *g = layer_graph_of(comm);
    if (g == NULL)
        return LAYER_INIT_OWN(LAYER_ACTUALS, comm, info, request);
    if (!is_left(g, false)) {
        layer_flight *f = layer_flight_new(g, LAYER_PERSISTENT, LAYER_ACTUALS);
        if (layer_flight_wait(f))
            return layer_flight_request(f, request);
    }
    return LAYER_INIT_OWN(LAYER_ACTUALS, g->comm, info, request);
}
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

/* Who waits for an exchange of the layer pushes it on until it has ended.  Any other wait is MPI's own. */
static void finish(int count, const MPI_Request request[])
{
    while (layer_push(count, request))
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

LAYER_API int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    layer_push(1, request);
    return PMPI_Test(request, flag, status);
}

LAYER_API int MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    layer_push(count, request);
    return PMPI_Testall(count, request, flag, status);
}

LAYER_API int MPI_Testany(int count, MPI_Request request[], int *index, int *flag, MPI_Status *status)
{
    layer_push(count, request);
    return PMPI_Testany(count, request, index, flag, status);
}

LAYER_API int MPI_Testsome(int count, MPI_Request request[], int *out, int index[], MPI_Status status[])
{
    layer_push(count, request);
    return PMPI_Testsome(count, request, out, index, status);
}
