/* grid.c -- alltoallv, alltoallw, alltoall and allgatherv on a grid with an open and a closed dimension, and on the
 * graph of a ring: blocking, nonblocking, persistent, and with large counts where MPI has them
 */
#include <mpi.h>
#include <stdio.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define INIT(NAME) MPIX_Neighbor_##NAME##_init
#elif MPI_VERSION >= 4
#define INIT(NAME) MPI_Neighbor_##NAME##_init
#endif

enum { EACH = 3, MOST = 4, TURNS = 12 };

static int rank, in, out, source[MOST], target[MOST];
static double sent[MOST * EACH], received[MOST * (EACH + 1)];

static void fill(int turn)
{
    for (int i = 0; i < MOST * EACH; i++)
        sent[i] = 100 * rank + turn + 1e-3 * i;
    for (int i = 0; i < MOST * (EACH + 1); i++)
        received[i] = -1;
}

/* The value at `place` of what neighbour i sends; edges of a grid lead back at the other side. */
static void check(const char *what, int stride, int each, int turn)
{
    for (int i = 0; i < in; i++)
        for (int k = 0; k < EACH; k++) {
            const int edge = out == 2 ? 0 : i ^ 1;
            const double wanted = 100 * source[i] + turn + 1e-3 * (each ? EACH * edge + k : k);
            const double got = received[stride * i + k];
            if (source[i] == MPI_PROC_NULL ? got != -1 : got != wanted) {
                fprintf(stderr, "rank %d, %s, turn %d: %g of neighbour %d, not %g\n", rank, what, turn, got, i, wanted);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
        }
}

static void all(MPI_Comm comm)
{
    int count[MOST], send_place[MOST], place[MOST];
    MPI_Aint send_byte[MOST], byte[MOST];
    MPI_Datatype type[MOST];
    MPI_Request request;
    for (int i = 0; i < MOST; i++) {
        count[i] = EACH;
        send_place[i] = out == 2 ? 0 : EACH * i; /* in a ring both neighbours get the same */
        place[i] = (EACH + 1) * i;
        send_byte[i] = (MPI_Aint)(send_place[i] * sizeof(double));
        byte[i] = (MPI_Aint)(place[i] * sizeof(double));
        type[i] = MPI_DOUBLE;
    }
#define V sent, count, send_place, MPI_DOUBLE, received, count, place, MPI_DOUBLE, comm
#define W sent, count, send_byte, type, received, count, byte, type, comm
#define A sent, EACH, MPI_DOUBLE, received, EACH, MPI_DOUBLE, comm
#define G sent, EACH, MPI_DOUBLE, received, count, place, MPI_DOUBLE, comm
#define TRY(NAME, ARGUMENTS, STRIDE, APART)                                                                            \
    for (int turn = 0; turn < TURNS; turn++) {                                                                         \
        fill(turn);                                                                                                    \
        MPI_Neighbor_##NAME(ARGUMENTS);                                                                                \
        check(#NAME, STRIDE, APART, turn);                                                                             \
        fill(turn + 50);                                                                                               \
        MPI_Ineighbor_##NAME(ARGUMENTS, &request);                                                                     \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
        check("I" #NAME, STRIDE, APART, turn + 50);                                                                    \
    }
    const int grid = out != 2;
    TRY(alltoallv, V, EACH + 1, grid)
    TRY(alltoallw, W, EACH + 1, grid)
    if (grid)
        TRY(alltoall, A, EACH, 1)
    TRY(allgatherv, G, EACH + 1, 0)
#ifdef INIT
#define AGAIN(NAME, ARGUMENTS, STRIDE, APART)                                                                          \
    INIT(NAME)(ARGUMENTS, MPI_INFO_NULL, &request);                                                                    \
    for (int turn = 0; turn < TURNS; turn++) {                                                                         \
        fill(turn);                                                                                                    \
        MPI_Start(&request);                                                                                           \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
        check("persistent " #NAME, STRIDE, APART, turn);                                                               \
    }                                                                                                                  \
    MPI_Request_free(&request);
    AGAIN(alltoallv, V, EACH + 1, grid)
    AGAIN(alltoallw, W, EACH + 1, grid)
    AGAIN(allgatherv, G, EACH + 1, 0)
    if (grid) {
        AGAIN(alltoall, A, EACH, 1)
    }
#endif
#if MPI_VERSION >= 4
#define LARGE(NAME, ARGUMENTS, APART)                                                                                  \
    for (int turn = 0; turn < TURNS; turn++) {                                                                         \
        fill(turn);                                                                                                    \
        MPI_Neighbor_##NAME##_c(ARGUMENTS);                                                                            \
        check(#NAME "_c", EACH + 1, APART, turn);                                                                      \
    }
    MPI_Count large[MOST];
    MPI_Aint send_far[MOST], far[MOST];
    for (int i = 0; i < MOST; i++) {
        large[i] = EACH;
        send_far[i] = send_place[i];
        far[i] = place[i];
    }
#define V_C sent, large, send_far, MPI_DOUBLE, received, large, far, MPI_DOUBLE, comm
#define W_C sent, large, send_byte, type, received, large, byte, type, comm
#define G_C sent, EACH, MPI_DOUBLE, received, large, far, MPI_DOUBLE, comm
    LARGE(alltoallv, V_C, grid)
    LARGE(alltoallw, W_C, grid)
    LARGE(allgatherv, G_C, 0)
#endif
}

int main(int argc, char **argv)
{
    int provided, ranks;
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in = out = 4;
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, ranks / 2}, (int[]){0, 1}, 0, &comm);
    for (int i = 0; i < 2; i++)
        MPI_Cart_shift(comm, i, 1, &source[2 * i], &source[2 * i + 1]);
    all(comm);
    MPI_Comm_free(&comm);
    in = out = 2;
    source[0] = target[0] = (rank + 1) % ranks;
    source[1] = target[1] = (rank + ranks - 1) % ranks;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, source, MPI_UNWEIGHTED, out, target, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    all(comm);
    MPI_Comm_free(&comm);
    if (rank == 0)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
