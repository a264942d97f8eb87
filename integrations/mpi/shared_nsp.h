/* shared_nsp.h -- the structure of a matrix that all processes share, as one .nsp file */
#ifndef NS_MPI_SHARED_NSP_H
#define NS_MPI_SHARED_NSP_H

#include "mpi/shared_matrix.h"

/* Collective.  Each process packs its rows into a temporary file of its own; rank 0 puts them together. */
ns_status ns_shared_nsp_save(ns_shared_matrix *shared, const char *path, int64_t max_memory, ns_error *err);

#endif
