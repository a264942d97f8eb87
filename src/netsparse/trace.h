/* trace.h -- the content of a trace: every node's remote entries in the order in which its units take them
 *
 * Columns are identified by serial numbers of their node (by owner, then column), so that what a schedule keeps for
 * each of them is small and dense; tables map these numbers to the route of the column and to its number in the rack.
 */
#ifndef NS_NETSPARSE_TRACE_H
#define NS_NETSPARSE_TRACE_H

#include "netsparse/netsparse.h"
#include "pattern/needlist.h"
#include "pattern/scan.h"

/* Everything on which a schedule depends: times only decide after how many steps a property has arrived or a queue has
 * waited. */
typedef struct ns_schedule_key {
    int64_t clients, batch;
    int64_t filter, coalesce; /* 0 or 1 */
    int64_t arrived, waited, most[2];
} ns_schedule_key;

enum { NS_ROUTE_RUN = 64 };
#define NS_NO_ROUTE UINT32_MAX

/* The requests of one node.  Bits are in the order of its units. */
typedef struct ns_stream {
    int64_t requests;
    uint32_t *id;    /* [requests] in the rows of the scan, where these numbers replace the columns */
    int number_bits; /* of `id`: the column; those above them are the code of the request's age (order.c) */
    int64_t base;    /* of the codes; -1: there are no codes */
    int32_t clients; /* the order of `id`: that of units and batches; 1 unit: row by row */
    int64_t batch;
    bool split; /* the kept ones first, with both kinds in the above order */
    int64_t reach;
    int64_t unique;
    uint32_t *route;     /* [unique] route of a column, counted from the node's first route */
    uint32_t *run_route; /* [unique / NS_ROUTE_RUN + 1] the same for this many columns, where they have one owner; else
                          * NS_NO_ROUTE: they fit the processor's first cache */
    uint32_t *rack_col;  /* [unique] its number in the rack */
    uint64_t *kept;      /* bits, of a split stream: first of its unit for its column, and of an age up to `reach` */
    uint64_t *issued;    /* bits of the last schedule, made for `key`; valid once key.clients is not 0 */
    ns_schedule_key key;
    ns_gather_counts counts;
} ns_stream;

/* The columns that a rack's nodes need, by (owner, column). */
typedef struct ns_rack_columns {
    int64_t *col;
    int64_t count, capacity;
} ns_rack_columns;

/* Requests by one route, and its delay queue, once with the cap of requests and once with that of responses. */
typedef struct ns_gather_queue {
    int64_t sent;
    int64_t opened[2], held[2]; /* held 0: empty */
    int64_t seen;               /* serial number of the window that last saw this owner */
} ns_gather_queue;

/* A request that leaves the rack, and the cache's record of a column. */
typedef struct ns_cache_request {
    uint32_t step, route, col; /* route: from the node's first; col: of the rack */
} ns_cache_request;
typedef struct ns_cache_column {
    int64_t last; /* position of the last request, from 1; 0 for none */
    double fetch; /* when its property was last requested from its home */
} ns_cache_column;

/* Scratch of one thread, for the busiest node or rack. */
typedef struct ns_trace_scratch {
    uint32_t *order;        /* [most requests] */
    uint64_t *units;        /* [most unique] */
    uint32_t *first;        /* [most unique] step of a column's first request */
    ns_gather_queue *queue; /* [most routes] */
    int64_t positions;      /* caches: capacity in requests */
    ns_cache_request *request;
    uint64_t *marks; /* one bit per position */
    uint32_t *tree;  /* one sum per 64 of them */
    int64_t columns; /* caches: most columns of a rack, if memory for them is allocated */
    ns_cache_column *column;
    double *chance;        /* of a hit after this many other columns; negative: not computed yet */
    double entries, scale; /* the values for which `chance` was computed */
    int32_t ways;
} ns_trace_scratch;

typedef struct ns_trace_store {
    ns_layout layout;
    ns_scan scan;
    ns_exchange *exchange;
    int64_t *route_first;  /* [nodes + 1] routes to each node */
    ns_stream *stream;     /* [nodes] */
    ns_rack_columns *rack; /* [racks] */
    int64_t *sent;         /* [routes] requests of the last schedule */
    double *hits;          /* [routes] those found in the rack's cache */
    int threads;
    ns_trace_scratch *scratch; /* [threads] */
} ns_trace_store;

static inline int32_t ns_trace_first_of_rack(const ns_trace *trace, int32_t rack)
{
    return rack * trace->rack;
}

static inline int32_t ns_trace_nodes_of_rack(const ns_trace *trace, int32_t rack)
{
    const int32_t rest = trace->nodes - rack * trace->rack;
    return rest < trace->rack ? rest : trace->rack;
}

/* ---- order.c: steps of a schedule -------------------------------------------------------------------------------- */

/* Steps in each of which the same number of units take an index: their requests are in step order. */
typedef struct ns_stretch {
    int64_t at, step; /* its first request; its first step */
    int64_t steps;
    int32_t active; /* units 0, 1, ... */
} ns_stretch;

/* Batch k goes to unit k mod `clients`; in a step, every unit with indices left takes one.  Whole rounds of batches are
 * one stretch, the remaining round is two: while the unit with an incomplete batch has indices, and after that.  Each
 * may have no steps. */
enum { NS_STRETCHES = 3 };

/* Gives the steps of requests, which must be looked up in ascending order. */
typedef struct ns_clock {
    ns_stretch stretch[NS_STRETCHES];
    int now;
    int64_t end; /* of the stretch */
    double each; /* 1 / active */
} ns_clock;
ns_clock ns_clock_open(const ns_stream *stream);
void ns_clock_turn(ns_clock *clock);

/* floor(x/a) is floor((x + 1/2) (1/a)) in doubles too: (x + 1/2)/a is 1/2a or more away from a whole number. */
static inline uint32_t ns_clock_step(ns_clock *clock, int64_t at)
{
    while (at >= clock->end)
        ns_clock_turn(clock);
    const ns_stretch *s = &clock->stretch[clock->now];
    return (uint32_t)(s->step + (int64_t)(((double)(at - s->at) + 0.5) * clock->each));
}

/* The number of bits that are set: without the processor's own instruction the compiler would call a function. */
static inline int ns_bits_count(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    return (int)(((bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* Write `count` bits at bit `at`; all later bits must be 0. */
static inline void ns_bits_put(uint64_t *bits, int64_t at, int32_t count, uint64_t value)
{
    const int shift = (int)(at & 63);
    bits[at >> 6] |= value << shift;
    if (shift + count > 64)
        bits[(at >> 6) + 1] |= value >> (63 - shift) >> 1; /* by 64 - shift, which also works for a shift of 0 */
}

/* The column number of a request. */
static inline uint32_t ns_stream_number(const ns_stream *stream, uint32_t id)
{
    return id & ((UINT32_C(1) << stream->number_bits) - 1);
}

/* A mask of those of `count` requests, at most 64, that are less than the limit. */
static inline uint64_t ns_ids_below(const uint32_t *id, int64_t count, uint64_t limit)
{
    uint64_t below = 0;
#pragma GCC unroll 8
    for (int64_t i = count - 1; i >= 0; i--)
        below = 2 * below + (id[i] < limit);
    return below;
}

/* The route of a column, counted from the node's first. */
static inline uint32_t ns_stream_route(const ns_stream *stream, uint32_t id)
{
    const uint32_t route = stream->run_route[id / NS_ROUTE_RUN];
    return route != NS_NO_ROUTE ? route : stream->route[id];
}

/* Put a stream into the order of the given number of units and batches; for one unit that is the order of its rows. */
void ns_stream_order(ns_stream *stream, int32_t clients, int64_t batch, ns_trace_scratch *scratch);
/* Set its age codes so that they show what has arrived after this many steps; split it for such schedules, or not. */
void ns_stream_age(ns_stream *stream, int64_t arrived, bool split, ns_trace_scratch *scratch);
/* All requests of an age up to `arrived` are below this value, and no others. */
uint64_t ns_stream_limit(const ns_stream *stream, int64_t arrived);
/* Undo a split. */
void ns_stream_unite(ns_stream *stream, ns_trace_scratch *scratch);

/* ---- streams.c --------------------------------------------------------------------------------------------------- */

/* Build the streams of all nodes, the counts of their ranks and racks, and scratch for the given number of threads (0:
 * one per processor) from the scan, whose columns by row are overwritten. */
ns_status ns_streams_build(ns_trace *trace, int threads, ns_error *err);
void ns_streams_free(ns_trace *trace);

/* ---- schedule.c, cache.c -------------------------------------------------------------------------------- */

/* Update a node's counts, its `issued` bits and the `sent` of its routes to a rule. */
ns_status ns_trace_schedule(ns_trace *trace, int32_t node, const ns_gather_rule *rule, int worker, ns_error *err);

/* Allocate memory for the caches of `count` racks, whose nodes have their schedules, for as many threads as fit. */
ns_status ns_trace_cache_room(ns_trace *trace, int32_t first, int32_t count, int *threads, ns_error *err);
/* Count one rack, whose nodes have their schedules.  Sets the `hits` of their routes; by_node ([nodes of the rack]) as
 * in ns_trace_cache. */
ns_status ns_trace_cache_rack(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                              int worker, ns_cache_counts *counts, double *by_node, ns_error *err);

#endif
