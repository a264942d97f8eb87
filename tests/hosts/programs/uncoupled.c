/* uncoupled.c -- ranks without neighbours: uncoupled [call].  Without `call` those do not call, as in PETSc
 *
 * Ranks 0 and 1 exchange a number by a blocking, a nonblocking and, where there are such, a persistent call.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOALLV_INIT MPIX_Neighbor_alltoallv_init
#elif MPI_VERSION >= 4
#define ALLTOALLV_INIT MPI_Neighbor_alltoallv_init
#endif

static int rank, wrong;

static void check(const char *what, double received)
{
    if (rank < 2 && received != 10 - rank)
        fprintf(stderr, "rank %d has %g of %s\n", rank, received, what), wrong = 1;
}

int main(int argc, char **argv)
{
    int provided, all_wrong;
    MPI_Comm graph;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int other = 1 - rank, degree = rank < 2, count = 1, displ = 0;
    const int calls = degree > 0 || (argc > 1 && strcmp(argv[1], "call") == 0);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, &other, MPI_UNWEIGHTED, degree, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    for (int turn = 0; calls && turn < 3; turn++) {
        double send = 9 + rank, receive = 0;
        MPI_Neighbor_alltoallv(&send, &count, &displ, MPI_DOUBLE, &receive, &count, &displ, MPI_DOUBLE, graph);
        check("a blocking exchange", receive);
        receive = 0;
        MPI_Ineighbor_alltoallv(&send, &count, &displ, MPI_DOUBLE, &receive, &count, &displ, MPI_DOUBLE, graph,
                                &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check("a nonblocking exchange", receive);
#ifdef ALLTOALLV_INIT
        receive = 0;
        ALLTOALLV_INIT(&send, &count, &displ, MPI_DOUBLE, &receive, &count, &displ, MPI_DOUBLE, graph, MPI_INFO_NULL,
                       &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        check("a persistent exchange", receive);
#endif
    }
    /* Other calls on the communicator are MPI's, of all its ranks. */
    MPI_Iallreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&graph);
    if (rank == 0)
        printf("%s\n", all_wrong ? "wrong" : "right");
    MPI_Finalize();
    return 0;
}
