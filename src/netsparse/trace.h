/* trace.h -- what a trace keeps: the remote entries of every node in order, and scratch of one element a column */
#ifndef NS_NETSPARSE_TRACE_H
#define NS_NETSPARSE_TRACE_H

#include "pattern/scan.h"

#include <nsmodel/netsparse.h>

typedef struct ns_trace_store {
    ns_layout layout;
    ns_scan scan;
    ns_exchange *exchange;
    int64_t *route_first; /* [nodes + 1] routes to each node */
    uint32_t *first;      /* [cols] step of a column's first issue, plus 1; 0 for none.  All 0 between calls */
    uint64_t *units;      /* [cols] units that issued it; valid where first is not 0 */
    int64_t *last;        /* [cols] caches: position of the last request, from 1; 0 for none */
    double *fetch;        /* [cols] caches: when its property was last asked of its home */
    int64_t positions;    /* caches: positions used so far, so that older ones need no clearing */
} ns_trace_store;

static inline const ns_rows *ns_trace_rows(const ns_trace *trace)
{
    return &trace->store->scan.view->rows;
}

static inline int32_t ns_trace_owner(const ns_trace *trace, int64_t col)
{
    return ns_blocks_owner(&trace->store->scan.blocks, 0, col);
}

/* Index e of a node's stream that unit u takes at its step s, of `clients` units with batches of b; the stream has
 * Z. */
static inline int64_t ns_schedule_index(int64_t s, int32_t u, int32_t clients, int64_t b)
{
    return (s / b * clients + u) * b + s % b;
}

/* Steps that the busiest unit takes. */
int64_t ns_schedule_steps(int64_t Z, int32_t clients, int64_t b);

/* ns_trace_gather that also marks the issued indices in `issued`, one bit each, when it is not NULL. */
ns_status ns_trace_schedule(ns_trace *trace, int32_t node, const ns_gather_rule *rule, ns_gather_counts *counts,
                            int64_t *from, uint64_t *issued, ns_error *err);

#endif
