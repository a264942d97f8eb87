/* scan.h -- what a scan of a matrix gathers, for callers that need more than the exchanges */
#ifndef NS_PATTERN_SCAN_H
#define NS_PATTERN_SCAN_H

#include "pattern/graph.h"
#include "pattern/view.h"

typedef struct ns_scan {
    ns_blocks blocks;
    ns_needset set;
    ns_budget budget;
    int64_t nonzeros;
    size_t by_turns;       /* 1 where an entry's mirror image comes next to it, else 0 */
    int threads;           /* for the view's rows, 0: one a processor */
    bool with_rows;        /* the set and the view's rows are wanted afterwards */
    const ns_matrix *told; /* the matrix, where it computes the columns of a part's rows and is not read; else NULL */
    ns_view_scan *view;    /* with its rows, when options->view asks for the view; else NULL */
    bool groups;           /* exchanges keep what is needed inside nodes */
    ns_graph **graph;      /* made in place of exchanges; or NULL */
} ns_scan;

/* Scan, with the rows of the view, and build the exchanges.  *scan stays where it is (parts of it point to each other)
 * and borrows matrix, layout and options->part; free it with ns_scan_free, also after a failure. */
ns_status ns_scan_run(ns_scan *scan, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *options, int threads, ns_exchange **exchange, ns_error *err);
void ns_scan_free(ns_scan *scan);

#endif
