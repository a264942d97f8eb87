/* view.h -- NetSparse's view of a pattern: what needs the order of the entries, or the racks */
#ifndef NS_PATTERN_VIEW_H
#define NS_PATTERN_VIEW_H

#include "pattern/needlist.h"
#include "pattern/rows.h"

typedef struct ns_view_scan {
    const ns_blocks *blocks;
    ns_netsparse_view *view;
    ns_budget *budget;
    int32_t rack;
    ns_rows rows;
    int64_t *entries; /* [groups] all entries of a row group */
} ns_view_scan;

ns_status ns_view_open(ns_view_scan **view, ns_matrix *matrix, const ns_blocks *blocks,
                       const ns_exchange_options *options, ns_budget *budget, ns_error *err);
void ns_view_free(ns_view_scan *view);

/* First pass: an entry of this row has a remote column. */
static inline void ns_view_remote(ns_view_scan *view, int64_t row)
{
    ns_rows_remote(&view->rows, row);
}

/* Second pass and the counts; fills options->view. */
ns_status ns_view_finish(ns_view_scan *view, ns_needsource *source, const ns_exchange *exchange, int64_t nonzeros,
                         ns_error *err);

#endif
