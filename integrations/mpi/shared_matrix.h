/* shared_matrix.h -- a matrix of which each process has the rows of its nodes, read by all processes together
 *
 * For a text file a scan is collective: all processes read their slices, and send each entry to the process that has
 * its row.  For any other matrix each process reads all entries and keeps its own.
 */
#ifndef NS_MPI_SHARED_MATRIX_H
#define NS_MPI_SHARED_MATRIX_H

#include "matrix/market/market.h"
#include "matrix/source.h"
#include "mpi/world.h"
#include "pattern/exchange.h"

/* A process' slice of a Matrix Market text file: the lines that begin in its share of the bytes.  A packed file is
 * unpacked completely by every process, which keeps every of-th piece of whole lines. */
typedef struct ns_file_slice {
    const char *path;
    int handle;
    ns_market market;
    int64_t body;    /* where entries begin */
    int64_t at, end; /* the next line, and the first line of the next process */
    int64_t size;    /* of the file */
    int64_t piece;   /* B per piece of lines, to which the end of its last line is added */
    bool more;       /* is there a next line, as far as is known? */
    int index, of;
    bool packed;    /* then `at`, in bytes of text, is where the last piece began; the members below are used */
    ns_lines lines; /* with a stream when open */
    bool open;
    int64_t pieces; /* number of pieces unpacked so far */
} ns_file_slice;

/* The rows and nodes of each process, in each of several layouts.  Nodes are dealt out in blocks.  A process has the
 * rows of its nodes, so that it alone knows what these receive. */
typedef struct ns_deal {
    int ranks;
    size_t layouts;
    const int32_t *part; /* of each row, borrowed; NULL for equal blocks of rows */
    int64_t *node;       /* [layouts * (ranks + 1)] the first node of each process */
    int64_t *first;      /* same size: its first row, or with part[] its first part */
} ns_deal;

ns_status ns_deal_open(int ranks, const ns_layout *layout, size_t layouts, int64_t rows, const int32_t *part,
                       ns_deal *deal, ns_error *err);
void ns_deal_close(ns_deal *deal);

/* The quantity that first[] counts, for a row. */
static inline int64_t ns_deal_place(const ns_deal *deal, int64_t row)
{
    return deal->part != NULL ? deal->part[row] : row;
}

/* The process that has a place in one layout. */
int ns_deal_owner(const ns_deal *deal, size_t layout, int64_t place);
/* Does a process have the place in any layout? */
bool ns_deal_has(const ns_deal *deal, int rank, int64_t place);

typedef struct ns_shared_matrix {
    ns_matrix matrix; /* its scan delivers the entries of this process' rows, with rows relative to row_from */
    const ns_world *world;
    ns_matrix *whole; /* borrowed, or NULL: the members below are for slices */
    ns_file_slice slice;
    const ns_deal *deal; /* borrowed */
    int64_t row_from;    /* 0, or the first of this process' rows */
    bool triangle;       /* entries with column > row are omitted */
    unsigned char *text;
    ns_entry *entry, *sorted, *received;
    int64_t sorted_room, room; /* capacities of sorted[] and received[], in entries */
    int *owner;                /* [layouts] owners of one entry */
    int64_t nonzeros;          /* in the last scan, in rows that this process has in the first layout */
    int *count, *place, *from_count, *from_place;
} ns_shared_matrix;

/* Collective: open the file and read its header. */
ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_shared_matrix *shared, ns_error *err);
/* Not collective: use a matrix that every process can open. */
void ns_shared_matrix_of(const ns_world *world, ns_matrix *whole, ns_shared_matrix *shared);
/* Set the owners of rows, before the first scan. */
ns_status ns_shared_matrix_deal(ns_shared_matrix *shared, const ns_deal *deal, ns_error *err);
void ns_shared_matrix_close(ns_shared_matrix *shared);

/* Collective: take part in the scans of other processes until none needs another. */
ns_status ns_shared_matrix_serve(ns_shared_matrix *shared, ns_error *err);

#endif
