/* allreduce.c -- one allreduce of so many bytes: allreduce BYTES */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int bytes = argc > 1 ? atoi(argv[1]) : 0;
    unsigned char *mine = calloc((size_t)bytes + 1, 1), *all = calloc((size_t)bytes + 1, 1);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < bytes; i++)
        mine[i] = (unsigned char)(1 << (rank + i) % 8);
    MPI_Allreduce(mine, all, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    for (int i = 0; i < bytes; i++) {
        unsigned char wanted = 0;
        for (int r = 0; r < ranks; r++)
            wanted |= (unsigned char)(1 << (r + i) % 8);
        wrong |= all[i] != wanted;
    }
    free(mine);
    free(all);
    MPI_Finalize();
    return wrong;
}
