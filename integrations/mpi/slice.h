/* slice.h -- a process' slice of a Matrix Market text file: the lines that begin in its share of the bytes
 *
 * Of a packed file every process unpacks all, and has each of-th piece of whole lines.
 */
#ifndef NS_MPI_SLICE_H
#define NS_MPI_SLICE_H

#include <mpi.h>

#include "matrix/market/market.h"

typedef struct ns_file_slice {
    const char *path;
    MPI_File file;
    ns_market market;
    int64_t body;    /* where entries begin */
    int64_t at, end; /* the next line, and where other processes' lines begin */
    int64_t size;    /* of the file */
    int64_t piece;   /* B of a piece of lines, unless one line is longer */
    bool more;       /* is there a next line, as far as is known? */
    bool packed;     /* then at, counted in bytes of text, is where the last piece began; the rest as follows */
    int index, of;
    ns_lines lines; /* with a stream when open */
    bool open;
    int64_t pieces; /* that were unpacked */
} ns_file_slice;

/* Not collective.  Text with coordinates only, plain or packed.  Slice `index` of `of`; piece: at most NS_PIECE. */
ns_status ns_slice_open(const char *path, int index, int of, int64_t piece, ns_file_slice *slice, ns_error *err);
void ns_slice_close(ns_file_slice *slice);

/* From the first line again. */
ns_status ns_slice_rewind(ns_file_slice *slice, int index, int of, ns_error *err);

/* The next whole lines into text (NS_PIECE_ROOM bytes); *length 0: there are no more. */
ns_status ns_slice_next(ns_file_slice *slice, unsigned char *text, size_t *length, ns_error *err);

#endif
