/* shared_matrix.h -- a matrix of which each process has the rows of its nodes, read by all processes together
 *
 * Of a text file a scan is collective: all read their slices, and send each entry to the process that has its row.  Of
 * any other matrix each process passes all entries and keeps its own.
 */
#ifndef NS_MPI_SHARED_MATRIX_H
#define NS_MPI_SHARED_MATRIX_H

#include "matrix/market/market.h"
#include "matrix/source.h"
#include "mpi/world.h"
#include "pattern/exchange.h"

/* A process' slice of a Matrix Market text file: the lines that begin in its share of the bytes.  Of a packed file
 * every process unpacks all, and has each of-th piece of whole lines. */
typedef struct ns_file_slice {
    const char *path;
    int handle;
    ns_market market;
    int64_t body;    /* where entries begin */
    int64_t at, end; /* the next line, and where those of the next process begin */
    int64_t size;    /* of the file */
    int64_t piece;   /* B of a piece of lines, to which the end of the last one is added */
    bool more;       /* is there a next line, as far as is known? */
    int index, of;
    bool packed;    /* then at, counted in bytes of text, is where the last piece began; the rest as follows */
    ns_lines lines; /* with a stream when open */
    bool open;
    int64_t pieces; /* that were unpacked */
} ns_file_slice;

/* Which process has which rows and nodes, in each of several layouts.  Nodes are dealt out in blocks.  A process has
 * the rows of its nodes, so what these receive is known to it alone. */
typedef struct ns_deal {
    int ranks;
    size_t layouts;
    const int32_t *part; /* of each row, borrowed; NULL for equal blocks of rows */
    int64_t *node;       /* [layouts * (ranks + 1)] the first node of each process */
    int64_t *first;      /* the same: its first row, or with part[] its first part */
} ns_deal;

ns_status ns_deal_open(int ranks, const ns_layout *layout, size_t layouts, int64_t rows, const int32_t *part,
                       ns_deal *deal, ns_error *err);
void ns_deal_close(ns_deal *deal);

/* What first[] counts, of a row. */
static inline int64_t ns_deal_place(const ns_deal *deal, int64_t row)
{
    return deal->part != NULL ? deal->part[row] : row;
}

/* Who has a place in one layout. */
int ns_deal_owner(const ns_deal *deal, size_t layout, int64_t place);
/* Has a process it in any layout? */
bool ns_deal_has(const ns_deal *deal, int rank, int64_t place);

typedef struct ns_shared_matrix {
    ns_matrix matrix; /* its scan hands over the entries of this process' rows, with rows counted from row_from */
    const ns_world *world;
    ns_matrix *whole; /* borrowed, or NULL: the rest is of slices */
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
/* Not collective: of a matrix that every process can open. */
void ns_shared_matrix_of(const ns_world *world, ns_matrix *whole, ns_shared_matrix *shared);
/* Set the owners of rows, before the first scan. */
ns_status ns_shared_matrix_deal(ns_shared_matrix *shared, const ns_deal *deal, ns_error *err);
void ns_shared_matrix_close(ns_shared_matrix *shared);

/* Collective: take part in the scans of other processes until none wants another. */
ns_status ns_shared_matrix_serve(ns_shared_matrix *shared, ns_error *err);

#endif
