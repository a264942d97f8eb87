/* alltoall.c -- one alltoall of so many bytes a pair: alltoall BYTES */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int bytes = argc > 1 ? atoi(argv[1]) : 0;
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t all = (size_t)bytes * (size_t)ranks;
    unsigned char *sent = calloc(all + 1, 1), *got = calloc(all + 1, 1);
    for (size_t i = 0; i < all; i++)
        sent[i] = (unsigned char)(rank + 3 * (int)(i / (size_t)bytes));
    MPI_Alltoall(sent, bytes, MPI_BYTE, got, bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (size_t i = 0; i < all; i++)
        wrong |= got[i] != (unsigned char)((int)(i / (size_t)bytes) + 3 * rank);
    free(sent);
    free(got);
    MPI_Finalize();
    return wrong;
}
