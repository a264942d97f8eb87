/* entries.h -- which entries an exchange moves, by their global index
 *
 * A schedule speaks of positions in D(q, p), the entries of q that p needs, and in L(M, N), those of node M's parts
 * that node N needs, each once (sink.h).  Here are the lists themselves.  The index of a matrix' entry is its column;
 * of planned messages, whose bytes nobody shares, the position among all bytes by receiver, then sender.
 */
#ifndef NS_MPI_ENTRIES_H
#define NS_MPI_ENTRIES_H

#include "cli/inputs/inputs.h"

typedef struct ns_entries {
    const ns_exchange *exchange;
    int64_t *direct, *direct_first; /* D of route r: direct[direct_first[r] .. direct_first[r + 1]) */
    int64_t *paired, *paired_first; /* L of pair i */
    int64_t *need_first;            /* [parts + 1]: need(p) is direct[need_first[p] .. need_first[p + 1]) */
    int64_t cols;                   /* of a matrix; 0: planned messages */
    const int32_t *part;            /* owners by column, or NULL for equal blocks */
} ns_entries;

ns_status ns_entries_make(const ns_inputs *inputs, const ns_exchange *exchange, ns_entries *entries, ns_error *err);
void ns_entries_free(ns_entries *entries);

/* The part that owns an entry; whether a part needs it. */
int32_t ns_entries_owner(const ns_entries *entries, int64_t index);
bool ns_entries_needed(const ns_entries *entries, int32_t part, int64_t index);

/* The indices that a slice carries, at most slice->entries, into list; how many.  -1: the slice is out of bounds. */
int64_t ns_entries_of(const ns_entries *entries, const ns_slice *slice, int64_t *list);

#endif
