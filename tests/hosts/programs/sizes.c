/* sizes.c -- exchanges of nsmodel/mpi.h of several sizes, for wisdom: sizes CALLS BYTES...
 *
 * For each size every rank sends so many bytes to each other rank, CALLS times.  MPI_Wtime is ours, and what a call
 * takes on it is known: so much for each way's steps, and 2 ns for each byte.
 */
#include <nsmodel/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static ns_mpi_exchange *exchange;
static int64_t made; /* before the call under way */
static double now_s, bytes_s;

double MPI_Wtime(void)
{
    ns_mpi_exchange_info info = {.size = sizeof info};
    if (exchange == NULL)
        return now_s += 1e-6; /* agreements are timed */
    if (ns_mpi_exchange_describe(exchange, &info, NULL) != NS_OK || info.made == made)
        return now_s;
    const double steps = strcmp(info.way, "MPI") == 0 || strcmp(info.way, "standard") == 0 ? 1
                         : strcmp(info.way, "two-step") == 0                               ? 1.5
                                                                                           : 2;
    return now_s + steps * (30e-6 + bytes_s);
}

int main(int argc, char **argv)
{
    static ns_mpi_message out[MOST], in[MOST];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int size = 2; size < argc; size++) {
        const int bytes = atoi(argv[size]);
        char *sent = calloc((size_t)ranks, (size_t)bytes), *received = calloc((size_t)ranks, (size_t)bytes);
        ns_mpi_exchange *x;
        ns_error err = {NS_OK};
        int others = 0;
        for (int r = 0; r < ranks; r++)
            if (r != rank) {
                out[others] = (ns_mpi_message){sent + (size_t)r * (size_t)bytes, bytes, MPI_BYTE, r};
                in[others++] = (ns_mpi_message){received + (size_t)r * (size_t)bytes, bytes, MPI_BYTE, r};
            }
        if (ns_mpi_exchange_init(MPI_COMM_WORLD, out, others, in, others, NULL, &x, &err) != NS_OK) {
            fprintf(stderr, "rank %d: %s\n", rank, err.text);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        exchange = x;
        bytes_s = 2e-9 * bytes * others;
        for (int call = 0; call < atoi(argv[1]); call++) {
            made = call;
            if (ns_mpi_exchange_start(x, &err) != NS_OK || ns_mpi_exchange_wait(x, &err) != NS_OK)
                MPI_Abort(MPI_COMM_WORLD, 3);
        }
        exchange = NULL;
        ns_mpi_exchange_free(x);
        free(sent);
        free(received);
    }
    MPI_Finalize();
    return 0;
}
