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

static void opened(void)
{
    layer_settings_read();
    if (layer_set.on)
        layer_open();
}

/* Exchanges that are begun and waited for later want a thread of the layer's own. */
LAYER_API int MPI_Init(int *argc, char ***argv)
{
    int provided;
    const int code =
        layer_is_off() ? PMPI_Init(argc, argv) : PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (code == MPI_SUCCESS)
        opened();
    return code;
}

LAYER_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int code = PMPI_Init_thread(argc, argv, layer_is_off() ? required : MPI_THREAD_MULTIPLE, provided);
    if (code == MPI_SUCCESS)
        opened();
    return code;
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

/* NULL: MPI's own, on the program's communicator, in every process. */
static layer_flight *flight_of(MPI_Comm comm, bool blocking, const void *send, const int *send_count,
                               const int *send_displ, MPI_Datatype send_type, void *receive, const int *receive_count,
                               const int *receive_displ, MPI_Datatype receive_type)
{
    layer_call call;
    layer_graph *graph = layer_graph_of(comm);
    if (graph == NULL || (!blocking && !layer_set.threads))
        return NULL;
    const bool there = layer_call_open(&call, graph, send, send_count, send_displ, send_type, receive, receive_count,
                                       receive_displ, receive_type);
    layer_flight *flight = there ? layer_flight_new(graph, &call, blocking) : NULL;
    if (flight == NULL) /* the others count on this process */
        PMPI_Abort(comm, 1);
    return flight;
}

LAYER_API int MPI_Neighbor_alltoallv(const void *send, const int send_count[], const int send_displ[],
                                     MPI_Datatype send_type, void *receive, const int receive_count[],
                                     const int receive_displ[], MPI_Datatype receive_type, MPI_Comm comm)
{
    layer_flight *flight = flight_of(comm, true, send, send_count, send_displ, send_type, receive, receive_count,
                                     receive_displ, receive_type);
    return flight != NULL ? layer_flight_wait(flight)
                          : PMPI_Neighbor_alltoallv(send, send_count, send_displ, send_type, receive, receive_count,
                                                    receive_displ, receive_type, comm);
}

LAYER_API int MPI_Ineighbor_alltoallv(const void *send, const int send_count[], const int send_displ[],
                                      MPI_Datatype send_type, void *receive, const int receive_count[],
                                      const int receive_displ[], MPI_Datatype receive_type, MPI_Comm comm,
                                      MPI_Request *request)
{
    layer_flight *flight = flight_of(comm, false, send, send_count, send_displ, send_type, receive, receive_count,
                                     receive_displ, receive_type);
    if (flight == NULL)
        return PMPI_Ineighbor_alltoallv(send, send_count, send_displ, send_type, receive, receive_count, receive_displ,
                                        receive_type, comm, request);
    const int code = layer_flight_request(flight, false, request);
    layer_flight_start(flight);
    return code;
}

#ifdef LAYER_INIT
LAYER_API int LAYER_INIT(const void *send, const int send_count[], const int send_displ[], MPI_Datatype send_type,
                         void *receive, const int receive_count[], const int receive_displ[], MPI_Datatype receive_type,
                         MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    layer_flight *flight = flight_of(comm, false, send, send_count, send_displ, send_type, receive, receive_count,
                                     receive_displ, receive_type);
    return flight != NULL ? layer_flight_request(flight, true, request)
                          : LAYER_INIT_OWN(send, send_count, send_displ, send_type, receive, receive_count,
                                           receive_displ, receive_type, comm, info, request);
}
#endif

/* ---- requests ---------------------------------------------------------------------------------------------------- */

LAYER_API int MPI_Start(MPI_Request *request)
{
    layer_flight *flight = layer_persistent(*request);
    const int code = PMPI_Start(request);
    if (flight != NULL && code == MPI_SUCCESS)
        layer_flight_start(flight);
    return code;
}

LAYER_API int MPI_Startall(int count, MPI_Request request[])
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        code = MPI_Start(&request[i]);
    return code;
}

LAYER_API int MPI_Request_free(MPI_Request *request)
{
    const MPI_Request known = *request;
    const int code = PMPI_Request_free(request);
    if (code == MPI_SUCCESS)
        layer_persistent_forget(known);
    return code;
}

static void push(void)
{
    layer_lock();
    layer_progress();
    layer_unlock();
}

/* Who waits, pushes: until nothing of the layer is under way, or `done` says what was waited for is there. */
#define WAIT(test, done, wait)                                                                                         \
    do {                                                                                                               \
        while (layer_busy()) {                                                                                         \
            push();                                                                                                    \
            const int layer_code_ = (test);                                                                            \
            if (layer_code_ != MPI_SUCCESS || (done))                                                                  \
                return layer_code_;                                                                                    \
            sched_yield();                                                                                             \
        }                                                                                                              \
        return (wait);                                                                                                 \
    } while (0)

LAYER_API int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int flag = 0;
    WAIT(PMPI_Test(request, &flag, status), flag, PMPI_Wait(request, status));
}

LAYER_API int MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    int flag = 0;
    WAIT(PMPI_Testall(count, request, &flag, status), flag, PMPI_Waitall(count, request, status));
}

LAYER_API int MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    int flag = 0;
    WAIT(PMPI_Testany(count, request, index, &flag, status), flag, PMPI_Waitany(count, request, index, status));
}

LAYER_API int MPI_Waitsome(int count, MPI_Request request[], int *out, int index[], MPI_Status status[])
{
    WAIT(PMPI_Testsome(count, request, out, index, status), *out != 0,
         PMPI_Waitsome(count, request, out, index, status));
}

LAYER_API int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    if (layer_busy())
        push();
    return PMPI_Test(request, flag, status);
}

LAYER_API int MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    if (layer_busy())
        push();
    return PMPI_Testall(count, request, flag, status);
}

LAYER_API int MPI_Testany(int count, MPI_Request request[], int *index, int *flag, MPI_Status *status)
{
    if (layer_busy())
        push();
    return PMPI_Testany(count, request, index, flag, status);
}

LAYER_API int MPI_Testsome(int count, MPI_Request request[], int *out, int index[], MPI_Status status[])
{
    if (layer_busy())
        push();
    return PMPI_Testsome(count, request, out, index, status);
}
