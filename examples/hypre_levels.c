/* hypre_levels.c -- the table of nsmodel_hypre.h for a matrix: BoomerAMG is set up, nothing is solved
 *
 *     mpirun -n 64 ./hypre_levels MACHINE MATRIX     a matrix that HYPRE_IJMatrixPrint wrote, a file a process
 *     mpirun -n 64 ./hypre_levels MACHINE 100        the Laplacian of a cube of 100 points a side
 *
 * MACHINE is a name (nsmodel machines) or a file (nsmodel fit).
 */
#include "nsmodel_hypre.h"

#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>

static HYPRE_IJVector make_vector(HYPRE_ParCSRMatrix matrix)
{
    HYPRE_IJVector vector;
    HYPRE_BigInt first, last, columns[2];
    HYPRE_ParCSRMatrixGetLocalRange(matrix, &first, &last, &columns[0], &columns[1]);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HYPRE_IJVectorAssemble(vector);
    return vector;
}

/* Processes in slabs along the third axis. */
static HYPRE_ParCSRMatrix laplacian(int points, int rank, int ranks)
{
    double value[4] = {6, -1, -1, -1};
    return GenerateLaplacian(MPI_COMM_WORLD, points, points, points, 1, 1, ranks, 0, 0, rank, value);
}

static int advise(HYPRE_ParCSRMatrix matrix, const char *machine)
{
    HYPRE_IJVector vector = make_vector(matrix);
    HYPRE_Solver solver;
    void *x;
    HYPRE_IJVectorGetObject(vector, &x);
    HYPRE_BoomerAMGCreate(&solver);
    HYPRE_BoomerAMGSetup(solver, matrix, (HYPRE_ParVector)x, (HYPRE_ParVector)x);
    const int failed = nsmodel_hypre_levels(solver, MPI_COMM_WORLD, machine, stdout);
    HYPRE_BoomerAMGDestroy(solver);
    HYPRE_IJVectorDestroy(vector);
    return failed;
}

int main(int argc, char **argv)
{
    int rank, ranks, failed = 1;
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int points = argc == 3 ? atoi(argv[2]) : 0;
    if (argc != 3) {
        if (rank == 0)
            fprintf(stderr, "usage: hypre_levels MACHINE MATRIX|POINTS\n");
    } else if (points >= ranks) {
        HYPRE_ParCSRMatrix matrix = laplacian(points, rank, ranks);
        failed = advise(matrix, argv[1]);
        HYPRE_ParCSRMatrixDestroy(matrix);
    } else {
        HYPRE_IJMatrix matrix = NULL;
        void *object;
        if (HYPRE_IJMatrixRead(argv[2], MPI_COMM_WORLD, HYPRE_PARCSR, &matrix) == 0) {
            HYPRE_IJMatrixGetObject(matrix, &object);
            failed = advise((HYPRE_ParCSRMatrix)object, argv[1]);
            HYPRE_IJMatrixDestroy(matrix);
        } else if (rank == 0)
            fprintf(stderr, "%s.%05d cannot be read as a part of a matrix of hypre\n", argv[2], rank);
    }
    HYPRE_Finalize();
    MPI_Finalize();
    return failed;
}
