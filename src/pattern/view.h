/* view.h -- NetSparse's view of a pattern: results that need the order of the entries, or the racks */
#ifndef NS_PATTERN_VIEW_H
#define NS_PATTERN_VIEW_H

#include "pattern/needlist.h"
#include "pattern/owners.h"
#include "pattern/rows.h"

/* The order in which parts process their remote entries is collected as owners if that is sufficient and takes no more
 * memory, else as rows, in a second pass. */
typedef struct ns_view_scan {
    ns_matrix *matrix;
    const ns_blocks *blocks;
    ns_netsparse_view *view;
    ns_budget *budget;
    int32_t rack;
    int threads;
    bool by_owners;
    ns_owners owners;
    ns_rows rows;
    int64_t *entries; /* [groups] number of all entries of a row group; with rows only */
} ns_view_scan;

/* with_rows: the rows are needed for more than the view.  threads: number used for counting rows, 0: one per
 * processor. */
ns_status ns_view_open(ns_view_scan **view, ns_matrix *matrix, const ns_blocks *blocks,
                       const ns_exchange_options *options, bool with_rows, int threads, ns_budget *budget,
                       ns_error *err);
void ns_view_free(ns_view_scan *view);

/* Switch from owners to rows. */
ns_status ns_view_change_over(ns_view_scan *view, ns_error *err);

/* First pass: record an entry of this row with a remote column. */
static inline ns_status ns_view_remote(ns_view_scan *view, int64_t row, int64_t col, ns_error *err)
{
    ns_owners *o = &view->owners;
    if (view->by_owners)
        return ns_owners_add(o, row, ns_blocks_owner(o->blocks, 0, col, &o->last), err);
    ns_rows_remote(&view->rows, row, col);
    return NS_OK;
}

/* Run the second pass, if any, and the counts; fills options->view. */
ns_status ns_view_finish(ns_view_scan *view, ns_needsource *source, const ns_exchange *exchange, int64_t nonzeros,
                         ns_error *err);

#endif
