/* needset.h -- the set of (row group, column) pairs found by the scan
 *
 * It is stored as 64-column words: a bitmap of groups x columns, or a hash of the words that are not zero, whichever is
 * smaller.
 */
#ifndef NS_PATTERN_NEEDSET_H
#define NS_PATTERN_NEEDSET_H

#include "core/memory.h"

typedef struct ns_column_word {
    uint64_t key; /* group * words + column / 64 + 1; 0 marks a free slot */
    uint64_t bits;
} ns_column_word;

typedef struct ns_needset {
    int64_t groups, words; /* words per group = ceil(columns / 64) */
    uint64_t *bitmap;      /* [groups * words], or NULL while hashed */
    ns_column_word *slot;  /* hash, then (ns_needset_close) sorted by key */
    int64_t slots, used;   /* slots is a power of two */
    int64_t *start;        /* [groups + 1] after close, when hashed: range of a group in slot */
    ns_budget *budget;
} ns_needset;

ns_status ns_needset_open(ns_needset *set, int64_t groups, int64_t columns, ns_budget *budget, ns_error *err);
void ns_needset_free(ns_needset *set);

/* Insert into the hash (the bitmap's case is inline below). */
ns_status ns_needset_hash(ns_needset *set, uint64_t key, uint64_t bits, ns_error *err);

static inline ns_status ns_needset_add(ns_needset *set, int64_t group, int64_t column, ns_error *err)
{
    uint64_t word = (uint64_t)(group * set->words + (column >> 6)), bit = UINT64_C(1) << (column & 63);
    if (set->bitmap != NULL) {
        set->bitmap[word] |= bit;
        return NS_OK;
    }
    return ns_needset_hash(set, word + 1, bit, err);
}

/* Add columns [column, column + count). */
ns_status ns_needset_add_range(ns_needset *set, int64_t group, int64_t column, int64_t count, ns_error *err);

/* End of insertions; the set can be read after this. */
ns_status ns_needset_close(ns_needset *set, ns_error *err);

/* The union of groups [first, first + groups) as words by rising column: key is then column / 64.  It is valid until
 * the next call with the same scratch. */
typedef struct ns_needset_scratch {
    ns_column_word *word;
    int64_t count, capacity;
} ns_needset_scratch;
ns_status ns_needset_union(const ns_needset *set, int64_t first, int64_t groups, ns_needset_scratch *scratch,
                           ns_error *err);
void ns_needset_scratch_free(ns_needset_scratch *scratch, ns_budget *budget);

#endif
