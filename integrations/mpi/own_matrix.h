/* own_matrix.h -- of a matrix that every process can open, the rows that one process has; nothing is sent */
#ifndef NS_MPI_OWN_MATRIX_H
#define NS_MPI_OWN_MATRIX_H

#include "matrix/source.h"
#include "mpi/deal.h"

typedef struct ns_own_matrix {
    ns_matrix matrix; /* hands over entries in rows of this process */
    ns_matrix *whole; /* borrowed */
    const ns_deal *deal;
    int rank;
    int64_t nonzeros; /* of the last scan, in rows that are this process' in the first layout: each row is once */
} ns_own_matrix;

void ns_own_matrix_open(ns_matrix *whole, const ns_deal *deal, int rank, ns_own_matrix *own);

#endif
