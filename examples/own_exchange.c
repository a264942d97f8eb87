/* own_exchange.c -- an exchange that learns which way to take: each rank sends its number to the next, in a ring
 *
 *   mpicc own_exchange.c $(pkg-config --cflags --libs nsmodel-mpi) -o own_exchange && mpirun -n 4 ./own_exchange
 */
#include <nsmodel/mpi.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    ns_error err = {.code = NS_OK};
    ns_mpi_exchange *ring = NULL;
    int rank, ranks, mine, theirs = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = rank;
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    const ns_mpi_message send = {&mine, 1, MPI_INT, next}, receive = {&theirs, 1, MPI_INT, before};
    ns_status status = ns_mpi_exchange_init(MPI_COMM_WORLD, &send, 1, &receive, 1, NULL, &ring, &err);
    for (int step = 0; step < 10 && status == NS_OK; step++) {
        status = ns_mpi_exchange_start(ring, &err);
        if (status == NS_OK)
            status = ns_mpi_exchange_wait(ring, &err);
    }
    ns_mpi_exchange_free(ring);
    if (status != NS_OK || theirs != before)
        fprintf(stderr, "rank %d: %s\n", rank, status != NS_OK ? err.text : "another number came");
    else if (rank == 0)
        puts("ten times the exchange arrived");
    MPI_Finalize();
    return status != NS_OK || theirs != before;
}
