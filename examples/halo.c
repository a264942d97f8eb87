/* halo.c -- a halo exchange converted: MPI_Isend and MPI_Irecv before, an exchange that learns its way after
 *
 * A grid of N x N points for each process of a row of processes, smoothed again and again; columns go to both sides.
 *   mpicc halo.c -lnsmodel-mpi && mpirun -n 4 ./a.out           what libnsmodel-mpi decides: NSMODEL_LOG=stderr
 */
#include <nsmodel/mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, STEPS = 200 };

static double grid[N][N + 2], next[N][N + 2];

static void smooth(void)
{
    for (int i = 1; i + 1 < N; i++)
        for (int j = 1; j <= N; j++)
            next[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) / 4;
    memcpy(grid, next, sizeof grid);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double sum = 0, all;
    MPI_Datatype column;
    ns_error err = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < N; i++)
        for (int j = 1; j <= N; j++)
            grid[i][j] = next[i][j] = i == 0 ? 1 : 0;

    /* Was, in each step:
     *     MPI_Irecv(&grid[0][0], 1, column, left, 0, MPI_COMM_WORLD, &request[0]);
     *     MPI_Irecv(&grid[0][N + 1], 1, column, right, 0, MPI_COMM_WORLD, &request[1]);
     *     MPI_Isend(&grid[0][1], 1, column, left, 0, MPI_COMM_WORLD, &request[2]);
     *     MPI_Isend(&grid[0][N], 1, column, right, 0, MPI_COMM_WORLD, &request[3]);
     *     MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
     */
    const ns_mpi_message send[] = {{&grid[0][1], 1, column, left}, {&grid[0][N], 1, column, right}};
    const ns_mpi_message receive[] = {{&grid[0][0], 1, column, left}, {&grid[0][N + 1], 1, column, right}};
    const ns_mpi_options options = {.size = sizeof options, .calls = STEPS};
    ns_mpi_exchange *halo;
    if (ns_mpi_exchange_init(MPI_COMM_WORLD, send, 2, receive, 2, &options, &halo, &err) != NS_OK) {
        fprintf(stderr, "%s\n", err.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int step = 0; step < STEPS; step++) {
        ns_mpi_exchange_start(halo, NULL);
        ns_mpi_exchange_wait(halo, NULL);
        smooth();
    }
    ns_mpi_exchange_info info = {.size = sizeof info};
    ns_mpi_exchange_describe(halo, &info, NULL);
    ns_mpi_exchange_free(halo);

    for (int i = 0; i < N; i++)
        for (int j = 1; j <= N; j++)
            sum += grid[i][j];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps, sum %.6f, the last by %s, %d agreements\n", STEPS, all, info.way, (int)info.agreements);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
