/* trace.h -- what a trace keeps: every node's remote entries in the order in which its units take them
 *
 * Columns go by serial numbers of their node (by owner, then column), so that what a schedule keeps for each of them
 * is small and dense; tables lead from there to the route that the column comes by and to its number in the rack.
 */
#ifndef NS_NETSPARSE_TRACE_H
#define NS_NETSPARSE_TRACE_H

#include "netsparse/netsparse.h"
#include "pattern/needlist.h"
#include "pattern/scan.h"

/* All that a schedule depends on: times only decide after how many steps a property has arrived, a queue has waited. */
enum {
    NS_KEY_CLIENTS,
    NS_KEY_BATCH,
    NS_KEY_FILTER,
    NS_KEY_COALESCE,
    NS_KEY_ARRIVED,
    NS_KEY_WAITED,
    NS_KEY_REQUEST,
    NS_KEY_RESPONSE,
    NS_KEYS
};

enum { NS_ROUTE_RUN = 64 };
#define NS_NO_ROUTE UINT32_MAX

/* The requests of one node.  Bits stand in the order of its units. */
typedef struct ns_stream {
    int64_t requests;
    uint32_t *id;    /* [requests] inside the rows of the scan, whose columns these numbers replace */
    int32_t clients; /* the order of `id`: that of units and batches; 1 unit: row by row */
    int64_t batch;
    bool split; /* the fresh ones first, both kinds in that order */
    int64_t unique;
    uint32_t *route;     /* [unique] of a column, from the node's first route */
    uint32_t *run_route; /* [unique / NS_ROUTE_RUN + 1] of so many columns, where they are of one owner; else
                            NS_NO_ROUTE: they fit the processor's first cache */
    uint32_t *rack_col;  /* [unique] its number in the rack */
    uint64_t *fresh;     /* bits: the first request of its unit for its column; of a split stream */
    uint64_t *issued;    /* bits of the last schedule, made for `key`; valid once key[NS_KEY_CLIENTS] is not 0 */
    int64_t key[NS_KEYS];
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

/* A request that leaves the rack, and what a cache remembers of a column. */
typedef struct ns_cache_request {
    uint32_t step, route, col; /* route: from the node's first; col: of the rack */
} ns_cache_request;
typedef struct ns_cache_column {
    int64_t last; /* position of the last request, from 1; 0 for none */
    double fetch; /* when its property was last asked of its home */
} ns_cache_column;

/* Scratch of one thread, for the busiest node or rack. */
typedef struct ns_trace_scratch {
    uint32_t *order;        /* [most requests] */
    uint64_t *units;        /* [most unique] */
    uint32_t *first;        /* [most unique] step of a column's first issue, plus 1; 0 for none */
    ns_gather_queue *queue; /* [most routes] */
    int64_t positions;      /* caches: requests that there is room for */
    ns_cache_request *request;
    uint64_t *marks; /* one bit a position */
    uint32_t *tree;  /* one sum for 64 of them */
    int64_t columns; /* caches: most columns of a rack, if there is room for them */
    ns_cache_column *column;
    double *chance;        /* of a hit by columns in between; less than 0: not known */
    double entries, scale; /* what `chance` was worked out for */
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
    double *hits;          /* [routes] of them, found in the rack's cache */
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

/* ---- steps of a schedule ----------------------------------------------------------------------------------------- */

/* Batch k goes to unit k mod `clients`; in a step, every unit with indices left takes one. */
typedef struct ns_walk {
    int64_t clients, batch, requests;
    int64_t step;         /* the present one; from 0 */
    int64_t at;           /* its first request */
    int32_t active;       /* units that take one: 0, 1, ... */
    int64_t place, steps; /* in the present round of batches; steps of the round */
    int32_t whole;        /* units with a full batch in it; the next has */
    int64_t part;         /* so many indices */
} ns_walk;

/* Before the first step. */
ns_walk ns_walk_open(const ns_stream *stream);
/* At the first step of a round, which gives every unit a batch. */
ns_walk ns_walk_round(ns_walk walk);

/* Move to the next step; false after the last.  A walk never leaves the registers of the loop that it is for. */
static inline bool ns_walk_next(ns_walk *walk)
{
    walk->step++;
    walk->place++;
    walk->at += walk->active;
    if (walk->place >= walk->steps) {
        if (walk->at >= walk->requests)
            return false;
        *walk = ns_walk_round(*walk);
    }
    walk->active = walk->whole + (walk->place < walk->part);
    return true;
}

/* `count` bits (at most 64) from bit `at` on. */
static inline uint64_t ns_bits_get(const uint64_t *bits, int64_t at, int32_t count)
{
    const unsigned shift = (unsigned)(at & 63);
    uint64_t found = bits[at >> 6] >> shift;
    if (shift + (unsigned)count > 64)
        found |= bits[(at >> 6) + 1] << (64 - shift);
    return count < 64 ? found & ((UINT64_C(1) << count) - 1) : found;
}

/* How many bits are set: without the processor's own instruction the compiler would call a function. */
static inline int ns_bits_count(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    return (int)(((bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* Put `count` bits at bit `at`, all further bits having to be 0. */
static inline void ns_bits_put(uint64_t *bits, int64_t at, int32_t count, uint64_t value)
{
    const int shift = (int)(at & 63);
    bits[at >> 6] |= value << shift;
    if (shift + count > 64)
        bits[(at >> 6) + 1] |= value >> (64 - shift);
}

/* Bits of the units whose requests of this step stand next in `id`: of a split stream, the fresh ones. */
static inline uint64_t ns_stream_taken(const ns_stream *stream, const ns_walk *walk)
{
    if (stream->split)
        return ns_bits_get(stream->fresh, walk->at, walk->active);
    return walk->active < 64 ? (UINT64_C(1) << walk->active) - 1 : UINT64_MAX;
}

/* The route of a column, from the node's first. */
static inline uint32_t ns_stream_route(const ns_stream *stream, uint32_t id)
{
    const uint32_t route = stream->run_route[id / NS_ROUTE_RUN];
    return route != NS_NO_ROUTE ? route : stream->route[id];
}

/* Where a request stands after those of units before it that are taken in its step. */
static inline int ns_stream_place(const ns_stream *stream, uint64_t taken, uint64_t bit)
{
    return stream->split ? ns_bits_count(taken & (bit - 1)) : __builtin_ctzll(bit);
}

/* How many are taken in a step. */
static inline int ns_stream_advance(const ns_stream *stream, const ns_walk *walk, uint64_t taken)
{
    return stream->split ? ns_bits_count(taken) : walk->active;
}

/* ---- streams.c --------------------------------------------------------------------------------------------------- */

/* The streams of all nodes, their ranks' and racks' counts, and scratch for so many threads (0: one a processor), out
 * of the scan; its columns by row are then gone. */
ns_status ns_streams_build(ns_trace *trace, int threads, ns_error *err);
/* Bring a stream into the order of so many units with such batches, split or not. */
void ns_stream_order(ns_stream *stream, int32_t clients, int64_t batch, bool split, ns_trace_scratch *scratch);
void ns_streams_free(ns_trace *trace);

/* ---- schedule.c, room.c, cache.c -------------------------------------------------------------------------------- */

/* Bring a node's counts, its `issued` bits and the `sent` of its routes up to date with a rule. */
ns_status ns_trace_schedule(ns_trace *trace, int32_t node, const ns_gather_rule *rule, int worker, ns_error *err);

/* Room for the caches of `count` racks, whose nodes have their schedules, on as many threads as it is enough for. */
ns_status ns_trace_cache_room(ns_trace *trace, int32_t first, int32_t count, int *threads, ns_error *err);
/* One rack; its nodes have their schedules.  Sets the `hits` of their routes; by_node ([nodes of the rack]) as in
 * ns_trace_cache. */
ns_status ns_trace_cache_rack(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                              int worker, ns_cache_counts *counts, double *by_node, ns_error *err);

#endif
