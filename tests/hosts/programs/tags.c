/* tags.c -- 40,000 nonblocking exchanges while a persistent one is under way on another communicator
 *
 * Two ranks.  Rank 1 starts the persistent exchange after all others, so on rank 0 it cannot have ended before.
 */
#include "graph.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOALLV_INIT MPIX_Neighbor_alltoallv_init
#elif MPI_VERSION >= 4
#define ALLTOALLV_INIT MPI_Neighbor_alltoallv_init
#endif

enum { TIMES = 40000 };

int main(int argc, char **argv)
{
    int provided, flag = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef ALLTOALLV_INIT
    graph held, other;
    MPI_Request persistent, request;
    graph_open(&held, MPI_COMM_WORLD, 1, 8);
    graph_open(&other, MPI_COMM_WORLD, 2, 8);
    ALLTOALLV_INIT(held.send, held.send_count, held.send_displ, MPI_DOUBLE, held.receive, held.receive_count,
                   held.receive_displ, MPI_DOUBLE, held.comm, MPI_INFO_NULL, &persistent);
    fill(&held, 7);
    if (rank == 0)
        MPI_Start(&persistent);
    for (int turn = 0; turn < TIMES; turn++) {
        fill(&other, turn % 100);
        begin(&other, &request);
        end(&request, WAIT);
        check(&other, "an exchange beside a persistent one", turn % 100);
        if (rank == 0 && turn % 100 == 99)
            MPI_Test(&persistent, &flag, MPI_STATUS_IGNORE);
        if (flag)
            fail("the end of a persistent exchange that rank 1 has not begun", turn);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    check(&held, "the persistent exchange", 7);
    MPI_Request_free(&persistent);
    graph_close(&other);
    graph_close(&held);
#endif
    if (rank == 0)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
