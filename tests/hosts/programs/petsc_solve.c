/* petsc_solve.c -- a program as users of PETSc write them: conjugate gradients for a matrix in which the rows of the
 * last rank have nothing but a diagonal, so that it has no neighbours
 *
 * Every iteration prints the norm of the residual, to the last digit.
 */
#include <petscksp.h>

enum { WIDE = 61, HIGH = 59, ROWS = WIDE * HIGH };

static PetscErrorCode print_norm(KSP solver, PetscInt iteration, PetscReal norm, void *unused)
{
    (void)solver;
    (void)unused;
    return PetscPrintf(PETSC_COMM_WORLD, "%d %.17g\n", (int)iteration, (double)norm);
}

static PetscErrorCode fill(Mat A, PetscInt coupled)
{
    PetscInt first, last;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        const PetscInt at[] = {i % WIDE > 0 ? i - 1 : -1, i % WIDE < WIDE - 1 ? i + 1 : -1, i - WIDE, i + WIDE};
        PetscCall(MatSetValue(A, i, i, 4.1 + (double)(i % 5), INSERT_VALUES));
        for (int k = 0; k < 4 && i < coupled; k++)
            if (at[k] >= 0 && at[k] < coupled)
                PetscCall(MatSetValue(A, i, at[k], -1, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
}

int main(int argc, char **argv)
{
    Mat A;
    Vec x, b;
    KSP solver;
    PC jacobi;
    int rank, ranks;
    PetscInt first, coupled;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, ROWS, ROWS, 5, NULL, 4, NULL, &A));
    PetscCall(MatGetOwnershipRange(A, &first, NULL));
    coupled = first;
    MPI_Bcast(&coupled, 1, MPIU_INT, ranks - 1, PETSC_COMM_WORLD);
    PetscCall(fill(A, coupled));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, A, A));
    PetscCall(KSPSetType(solver, KSPCG));
    PetscCall(KSPGetPC(solver, &jacobi));
    PetscCall(PCSetType(jacobi, PCJACOBI));
    PetscCall(KSPSetTolerances(solver, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500));
    PetscCall(KSPMonitorSet(solver, print_norm, NULL, NULL));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "solved\n"));
    PetscCall(KSPDestroy(&solver));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    return PetscFinalize();
}
