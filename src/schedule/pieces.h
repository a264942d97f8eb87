/* pieces.h -- where the entries of an exchange's lists are in the buffers of one process
 *
 * An entry that crosses nodes is identified by its index in L of a pair of nodes, however a slice names it; one that
 * stays on a node by its index in D of its route.  A piece is a sequence of entries of one such list that is contiguous
 * in a buffer.
 */
#ifndef NS_SCHEDULE_PIECES_H
#define NS_SCHEDULE_PIECES_H

#include "pattern/exchange.h"
#include "schedule/schedule.h"

#include <nsmodel/program.h>

typedef struct ns_piece {
    int64_t key; /* L of pair `key`; negative: D of route -1 - key */
    int64_t first, entries;
    int64_t offset; /* in the buffer */
    ns_buffer buffer;
} ns_piece;

typedef struct ns_pieces {
    ns_piece *piece;
    int64_t count, capacity;
} ns_pieces;

/* Append a piece; one that continues the last piece is merged with it. */
ns_status ns_pieces_add(ns_pieces *pieces, ns_piece piece, ns_error *err);
/* Sort by key, then first entry; where two pieces overlap, the one that begins earlier keeps the common entries. */
void ns_pieces_sort(ns_pieces *pieces);
/* From sorted pieces: the rest, from `at` on and at most `most` entries, of the piece that contains entry `at` of a
 * list; if there is none, a piece of buffer -1 up to the next one. */
ns_piece ns_pieces_from(const ns_pieces *pieces, int64_t key, int64_t at, int64_t most);
void ns_pieces_free(ns_pieces *pieces);

/* What a part sends or receives, and where that is in its buffer. */
typedef struct ns_piece_offsets {
    int64_t *at;     /* [parts + 1] offset of the entries to or from each other part, and the end */
    ns_pieces lists; /* sorted: entries that cross nodes, each once */
} ns_piece_offsets;
ns_status ns_piece_offsets_open(const ns_exchange *exchange, int32_t part, bool sending, ns_piece_offsets *offsets,
                                ns_error *err);
void ns_piece_offsets_free(ns_piece_offsets *offsets);

/* Append the entries that a slice names, in its order; their offsets are undefined. */
ns_status ns_slice_pieces(const ns_exchange *exchange, const ns_slice *slice, ns_pieces *pieces, ns_error *err);

#endif
