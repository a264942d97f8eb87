/* owners.h -- owners of the columns of each row's remote entries, collected in a pass over entries in any order
 *
 * Where parts own blocks of columns, a row's columns ascend with their owners, so the number of its remote entries per
 * owner determines the order of the requests.  Memory: 16 bytes per row and owner, and 4 per row.
 */
#ifndef NS_PATTERN_OWNERS_H
#define NS_PATTERN_OWNERS_H

#include "pattern/blocks.h"

/* Entries of a row with columns of one owner; an owner can occur several times in a row's list. */
typedef struct ns_share {
    int64_t entries;
    int32_t owner;
    uint32_t next; /* or 0 */
} ns_share;

typedef struct ns_owners {
    const ns_blocks *blocks;
    ns_budget *budget;
    int64_t requests;
    uint32_t *head;  /* [rows] first share of each, or 0 */
    ns_share *share; /* [shares], from 1 */
    int64_t shares, room;
    ns_share *sorted; /* of one row */
    int64_t sorted_room;
    ns_owned last; /* range of the previous column */
    bool square;   /* rows and columns are cut alike, and a row group is a part */
} ns_owners;

/* For layout 0 of the blocks, which must not come from a partition. */
ns_status ns_owners_open(ns_owners *owners, const ns_blocks *blocks, ns_budget *budget, ns_error *err);
void ns_owners_free(ns_owners *owners);

/* Insert a new share at the front of the row's list. */
ns_status ns_owners_new_share(ns_owners *owners, int64_t row, int32_t owner, ns_error *err);

/* Count an entry of this row with a column of that owner. */
static inline ns_status ns_owners_add(ns_owners *o, int64_t row, int32_t owner, ns_error *err)
{
    const uint32_t first = o->head[row];
    o->requests++;
    if (first == 0 || o->share[first].owner != owner)
        return ns_owners_new_share(o, row, owner, err);
    o->share[first].entries++;
    return NS_OK;
}

/* Do the shares take more memory than storing each entry would? */
bool ns_owners_too_many(const ns_owners *owners);

/* Number of remote entries of a row. */
int64_t ns_owners_requests_of(const ns_owners *owners, int64_t row);

/* The shares of a row in the order of its columns, in owners->sorted; valid until the next call. */
ns_status ns_owners_sort_row(ns_owners *owners, int64_t row, int64_t *shares, ns_error *err);

#endif
