/* owners.c -- owners of the columns of each row's remote entries */
#include "pattern/owners.h"

#include <stdlib.h>

enum { SOME = 1 << 20 }; /* bytes: too few for a second pass to pay off */

ns_status ns_owners_open(ns_owners *owners, const ns_blocks *blocks, ns_budget *budget, ns_error *err)
{
    uint32_t *head;
    NS_TRY(ns_take(&head, blocks->rows, sizeof *head, budget, err));
    *owners = (ns_owners){.blocks = blocks,
                          .budget = budget,
                          .head = head,
                          .shares = 1,
                          .square = blocks->rows == blocks->cols && blocks->layout[0].parts <= blocks->rows};
    return NS_OK;
}

void ns_owners_free(ns_owners *owners)
{
    if (owners->head == NULL)
        return;
    ns_give_back(owners->head, owners->blocks->rows, sizeof *owners->head, owners->budget);
    ns_give_back(owners->sorted, owners->sorted_room, sizeof *owners->sorted, owners->budget);
    ns_give_back(owners->share, owners->room, sizeof *owners->share, owners->budget);
    *owners = (ns_owners){0};
}

ns_status ns_owners_new_share(ns_owners *owners, int64_t row, int32_t owner, ns_error *err)
{
    if (owners->shares == UINT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "more than 2^32 rows and owners of their columns");
    NS_TRY(ns_grow(&owners->share, &owners->room, owners->shares + 1, sizeof *owners->share, owners->budget, err));
    owners->share[owners->shares] = (ns_share){1, owner, owners->head[row]};
    owners->head[row] = (uint32_t)owners->shares++;
    return NS_OK;
}

/* A second pass (rows.h) takes 16 bytes per row and 4 per entry, of which 4 per row are already used here. */
bool ns_owners_too_many(const ns_owners *owners)
{
    const double filed = 12.0 * (double)owners->blocks->rows + 4.0 * (double)owners->requests;
    return (double)owners->room * sizeof *owners->share > filed + SOME || owners->shares == UINT32_MAX;
}

int64_t ns_owners_requests_of(const ns_owners *owners, int64_t row)
{
    int64_t requests = 0;
    for (uint32_t at = owners->head[row]; at != 0; at = owners->share[at].next)
        requests += owners->share[at].entries;
    return requests;
}

static int by_owner(const void *a, const void *b)
{
    const ns_share *x = a, *y = b;
    return (x->owner > y->owner) - (x->owner < y->owner);
}

ns_status ns_owners_sort_row(ns_owners *owners, int64_t row, int64_t *shares, ns_error *err)
{
    int64_t count = 0;
    for (uint32_t at = owners->head[row]; at != 0; at = owners->share[at].next)
        count++;
    NS_TRY(ns_grow(&owners->sorted, &owners->sorted_room, count, sizeof *owners->sorted, owners->budget, err));
    int64_t left = count;
    bool ascending = true;
    for (uint32_t at = owners->head[row]; at != 0; at = owners->share[at].next) { /* the last one came first */
        owners->sorted[--left] = owners->share[at];
        ascending = ascending && (left + 1 == count || owners->sorted[left].owner <= owners->sorted[left + 1].owner);
    }
    if (!ascending)
        qsort(owners->sorted, (size_t)count, sizeof *owners->sorted, by_owner);
    *shares = count;
    return NS_OK;
}
