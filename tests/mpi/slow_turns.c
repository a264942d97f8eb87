/* slow_turns.c -- preloaded: what processes of nsmodel-mpi run hear of each other's repetitions
 *
 * Their latest start and their slowest time are reduced together, two numbers.  Here every start was on time, and one
 * repetition in eight took a thousand times as long as the others.
 */
#include <mpi.h>

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    static int turns;
    const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
    if (count == 2 && type == MPI_DOUBLE && op == MPI_MAX) {
        double *late_and_slowest = receive;
        late_and_slowest[0] = 0;
        late_and_slowest[1] = turns++ % 8 == 7 ? 1 : 1e-3 + 1e-6 * (turns % 3);
    }
    return code;
}
