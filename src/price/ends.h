/* ends.h -- an exchange by node: what each has for others, and what stays on it
 *
 * An exchange has its pairs and routes by receiving node.  Here they stand by sending node too, in the order of the
 * receiving one, so that all that a node sends lies together.  Made once for all strategies.
 */
#ifndef NS_PRICE_ENDS_H
#define NS_PRICE_ENDS_H

#include "price/rows.h"
#include "schedule/rule.h"

/* A run of entries, or a route, that leaves a node; those to one node lie together. */
typedef struct ns_strand {
    int64_t entries;
    int32_t local, to; /* local index of the part that owns them; node */
} ns_strand;

/* Strands by sending node. */
typedef struct ns_strands {
    int64_t *first; /* [nodes + 1] */
    ns_strand *strand;
} ns_strands;

typedef struct ns_ends {
    const ns_exchange *exchange;
    int64_t *first[NS_SIDES];   /* [nodes + 1] of pairs at a node, by the other */
    int64_t *entries[NS_SIDES]; /* of each pair */
    int32_t *other[NS_SIDES];   /* node */
    ns_strands runs;
    int64_t *first_stay;      /* [nodes + 1] */
    ns_route *stay;           /* routes inside nodes, by receiver, then sender */
    int64_t *sent;            /* [parts] entries that leave a part, each once for a node */
    int32_t *order[NS_SIDES]; /* of pairs at a node by size, the largest first; NULL: not asked for yet */
    ns_strands routes;        /* between nodes; NULL: not asked for yet */
    int64_t *first_route;     /* [parts + 1] of the exchange's routes to a part */
    int64_t *routed;          /* [parts] entries that leave a part by routes */
} ns_ends;

ns_status ns_ends_open(const ns_exchange *exchange, ns_arena *arena, ns_ends *ends, ns_error *err);

/* Fill the orders. */
ns_status ns_ends_sort(ns_ends *ends, ns_arena *arena, ns_error *err);

/* Fill what is known of routes. */
ns_status ns_ends_route(ns_ends *ends, ns_arena *arena, ns_error *err);

#endif
