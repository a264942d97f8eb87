/* entries.h -- which entries an exchange moves, by their global index
 *
 * A program (nsmodel/program.h) speaks of D(q, p), the entries of q that p needs, by rising column.  Here are these
 * lists themselves.  The index of a matrix' entry is its column; of planned messages, whose bytes nobody shares, the
 * position among all bytes by receiver, then sender.
 */
#ifndef NS_MPI_ENTRIES_H
#define NS_MPI_ENTRIES_H

#include "cli/inputs/inputs.h"

typedef struct ns_entries {
    const ns_exchange *exchange;
    int64_t *direct, *direct_first; /* D of route r: direct[direct_first[r] .. direct_first[r + 1]) */
    int64_t cols;                   /* of a matrix; 0: planned messages */
    const int32_t *part;            /* owners by column, or NULL for equal blocks */
} ns_entries;

ns_status ns_entries_make(const ns_inputs *inputs, const ns_exchange *exchange, ns_entries *entries, ns_error *err);
void ns_entries_free(ns_entries *entries);

#endif
