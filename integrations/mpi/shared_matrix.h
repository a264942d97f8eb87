/* shared_matrix.h -- a matrix of which each process has the rows of its nodes, read by all processes together
 *
 * A scan of it is collective: all read their slices of the file, and send each entry to the process that has its row.
 */
#ifndef NS_MPI_SHARED_MATRIX_H
#define NS_MPI_SHARED_MATRIX_H

#include "matrix/source.h"
#include "mpi/deal.h"
#include "mpi/slice.h"
#include "mpi/world.h"
#include "pattern/exchange.h"

typedef struct ns_shared_matrix {
    ns_matrix matrix; /* its scan hands over the entries of this process' rows, with rows counted from row_from */
    const ns_world *world;
    ns_file_slice slice;
    const ns_deal *deal; /* borrowed */
    int64_t row_from;    /* 0, or the first of this process' rows */
    bool triangle;       /* entries with column > row are left out */
    unsigned char *text;
    ns_entry *entry, *sorted, *received;
    int64_t sorted_room, room; /* entries of sorted[] and received[] */
    int *owner;                /* [layouts] of one entry */
    int64_t nonzeros;          /* of the last scan, in rows that are this process' in the first layout */
    int *count, *place, *from_count, *from_place;
} ns_shared_matrix;

/* Collective: the header is read. */
ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_shared_matrix *shared, ns_error *err);
/* Whose each row is; before the first scan. */
ns_status ns_shared_matrix_deal(ns_shared_matrix *shared, const ns_deal *deal, ns_error *err);
void ns_shared_matrix_close(ns_shared_matrix *shared);

/* Collective: join the scans of others until nobody wants one. */
ns_status ns_shared_matrix_serve(ns_shared_matrix *shared, ns_error *err);

#endif
