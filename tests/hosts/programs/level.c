/* level.c -- a program that asks for no threads: its thread level, after a nonblocking exchange between two ranks */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Comm graph;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&level);
    const int other = 1 - rank, count = 1, displ = 0;
    const double send = 9 + rank;
    double receive = 0;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    MPI_Ineighbor_alltoallv(&send, &count, &displ, MPI_DOUBLE, &receive, &count, &displ, MPI_DOUBLE, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (receive != 9 + other)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Comm_free(&graph);
    if (rank == 0)
        printf("%s\n", level == MPI_THREAD_SINGLE ? "single" : level == MPI_THREAD_MULTIPLE ? "multiple" : "another");
    MPI_Finalize();
    return 0;
}
