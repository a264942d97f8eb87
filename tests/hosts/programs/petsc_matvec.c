/* petsc_matvec.c -- a program as users of PETSc write them: y = A x, a hundred times, on rows that no number of ranks
 * divides
 *
 * A is a five-point stencil on a grid with, in every row, one entry far away.  Printed are the norm after each
 * multiplication and, of the last vector, a sum over the bits of every element.
 */
#include <petscmat.h>
#include <stdint.h>
#include <string.h>

enum { WIDE = 101, HIGH = 97, ROWS = WIDE * HIGH, TIMES = 100 };

static PetscErrorCode fill(Mat A)
{
    PetscInt first, last;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        const PetscInt far = (PetscInt)((uint64_t)i * UINT64_C(2654435761) % ROWS); /* anywhere */
        const PetscInt at[] = {i, i % WIDE > 0 ? i - 1 : -1, i % WIDE < WIDE - 1 ? i + 1 : -1, i - WIDE,
                               i + WIDE < ROWS ? i + WIDE : -1};
        for (int k = 0; k < 5; k++)
            if (at[k] >= 0)
                PetscCall(MatSetValue(A, i, at[k], k == 0 ? 0.5 : 0.1 + 0.001 * (double)(i % 7), ADD_VALUES));
        PetscCall(MatSetValue(A, i, far, 0.037, ADD_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
}

static PetscErrorCode multiply(Mat A, Vec x, Vec y)
{
    PetscReal norm;
    for (int i = 0; i < TIMES; i++) {
        PetscCall(MatMult(A, x, y));
        PetscCall(VecNorm(y, NORM_2, &norm));
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d %.17g\n", i, (double)norm));
        PetscCall(VecCopy(y, x));
        PetscCall(VecScale(x, 1 / norm));
    }
    return 0;
}

static PetscErrorCode print_bits(Vec x)
{
    const PetscScalar *value;
    PetscInt first, last;
    unsigned long long mine = 0, all = 0;
    PetscCall(VecGetOwnershipRange(x, &first, &last));
    PetscCall(VecGetArrayRead(x, &value));
    for (PetscInt i = first; i < last; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i - first], sizeof bits);
        mine += bits * (2 * (uint64_t)i + 1);
    }
    PetscCall(VecRestoreArrayRead(x, &value));
    MPI_Reduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, PETSC_COMM_WORLD);
    return PetscPrintf(PETSC_COMM_WORLD, "bits %llx\n", all);
}

int main(int argc, char **argv)
{
    Mat A;
    Vec x, y;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, ROWS, ROWS, 6, NULL, 6, NULL, &A));
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(fill(A));
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(VecSet(x, 1));
    PetscCall(multiply(A, x, y));
    PetscCall(print_bits(x));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    return PetscFinalize();
}
