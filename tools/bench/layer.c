/* layer.c -- what short exchanges take: microseconds of the fastest of many batches, a line each: what, us
 *
 * Every rank exchanges 8 B with every other.  bench.sh runs it with and without libnsmodel-mpi and makes ratios.  With
 * an argument it asks for MPI_THREAD_MULTIPLE.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOALLV_INIT MPIX_Neighbor_alltoallv_init
#elif MPI_VERSION >= 4
#define ALLTOALLV_INIT MPI_Neighbor_alltoallv_init
#endif

enum { ROOM = 64, BATCH = 100, BATCHES = 200 };

static int rank, ranks, degree, other[ROOM], one[ROOM], place[ROOM];
static double sent[ROOM], received[ROOM];
static MPI_Comm graph;
static MPI_Request request[2 * ROOM];

static void blocking(void)
{
    MPI_Neighbor_alltoallv(sent, one, place, MPI_DOUBLE, received, one, place, MPI_DOUBLE, graph);
}

static void nonblocking(void)
{
    MPI_Ineighbor_alltoallv(sent, one, place, MPI_DOUBLE, received, one, place, MPI_DOUBLE, graph, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Messages of the program's own. */
static void messages(void)
{
    for (int i = 0; i < degree; i++) {
        MPI_Irecv(&received[i], 1, MPI_DOUBLE, other[i], 1, MPI_COMM_WORLD, &request[i]);
        MPI_Isend(&sent[i], 1, MPI_DOUBLE, other[i], 1, MPI_COMM_WORLD, &request[degree + i]);
    }
    MPI_Waitall(2 * degree, request, MPI_STATUSES_IGNORE);
}

/* Where a message lies in a ring of shared memory changes what it takes by a fifth: how many have gone one way more
 * than
 * the other, odd or even, decides which end of a line of the cache each is at.  So both are measured, and their mean is
 * what counts. */
static void measure(const char *what, void (*exchange)(void))
{
    double least[2] = {1e9, 1e9};
    for (int i = 0; i < BATCH; i++)
        exchange();
    for (int batch = 0; batch < BATCHES; batch++) {
        if (rank == 0)
            MPI_Send(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < BATCH; i++)
            exchange();
        const double seconds = (MPI_Wtime() - begin) / BATCH;
        least[batch % 2] = seconds < least[batch % 2] ? seconds : least[batch % 2];
    }
    if (rank == 0)
        printf("%s\t%.4f\n", what, 1e6 * (least[0] + least[1]) / 2);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int r = 0; r < ranks && degree < ROOM; r++)
        if (r != rank) {
            one[degree] = 1;
            place[degree] = degree;
            other[degree++] = r;
        }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, other, one, degree, other, one, MPI_INFO_NULL, 0, &graph);
    measure("blocking", blocking);
    measure("nonblocking", nonblocking);
#ifdef ALLTOALLV_INIT
    ALLTOALLV_INIT(sent, one, place, MPI_DOUBLE, received, one, place, MPI_DOUBLE, graph, MPI_INFO_NULL, request);
    measure("persistent", persistent);
    MPI_Request_free(request);
#endif
    measure("Isend, Irecv and Waitall", messages);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
