/* scan.h -- data gathered by a scan of a matrix, for callers that need more than the exchanges */
#ifndef NS_PATTERN_SCAN_H
#define NS_PATTERN_SCAN_H

#include "pattern/graph.h"
#include "pattern/view.h"

typedef struct ns_scan {
    ns_blocks blocks;
    ns_needset set;
    ns_budget budget;
    int64_t nonzeros;
    size_t by_turns;       /* 1 if an entry's mirror image follows it directly, else 0 */
    int threads;           /* for the view's rows, 0: one per processor */
    bool with_rows;        /* the set and the view's rows are needed afterwards */
    const ns_matrix *told; /* the matrix, if it computes the columns of a part's rows and is not read; else NULL */
    ns_view_scan *view;    /* with its rows, if options->view requests the view; else NULL */
    bool groups;           /* exchanges keep the needs inside nodes */
    ns_graph **graph;      /* built instead of exchanges; or NULL */
} ns_scan;

/* Scan, with the rows of the view, and build the exchanges.  *scan must not move (parts of it point to each other); it
 * borrows matrix, layout and options->part.  Free it with ns_scan_free, also after a failure. */
ns_status ns_scan_run(ns_scan *scan, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *options, int threads, ns_exchange **exchange, ns_error *err);
void ns_scan_free(ns_scan *scan);

#endif
