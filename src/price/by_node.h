/* by_node.h -- an exchange by node: what each has for others and others for it, and what stays on it
 *
 * An exchange has its pairs and routes by receiving node.  Here they stand by sending node too, so that all that a node
 * sends lies together.  Made once for all strategies; who prices one placement after another makes the lists of a node
 * when it is visited.
 */
#ifndef NS_PRICE_BY_NODE_H
#define NS_PRICE_BY_NODE_H

#include "price/sums.h"
#include "schedule/rule.h"

/* Entries that one part has for another node, as either node sees them. */
typedef struct ns_strand {
    int64_t entries;
    int32_t owner; /* the part: on the node that sends its local index, on the node that receives its number */
    int32_t other; /* the other node */
} ns_strand;

/* One node. */
typedef struct ns_node {
    int32_t node;
    /* Other nodes that it sends to, or receives from, rising; the entries of each pair, columns once; and the pairs by
     * size, the largest first: NULL where no rule deals. */
    int64_t pairs[NS_SIDES];
    const int32_t *other[NS_SIDES];
    const int64_t *entries[NS_SIDES];
    const int32_t *order[NS_SIDES];
    /* The same by owning part, by pair; out: parts of the node, in: those of other nodes.  Where a part's data is held
     * by several processes, or pairs are cut, the order inside a pair counts: then by run, and each run once. */
    const ns_strand *strand[NS_SIDES];
    int64_t strands[NS_SIDES];
    const ns_run *run; /* that come in; NULL unless asked for */
    int64_t runs;
    const ns_strand *route; /* that leave the node; those of a part to one node lie together */
    int64_t routes;
    const ns_route *stay; /* routes inside the node, by receiver, then sender */
    int64_t stays;
} ns_node;

/* What is wanted of each node. */
typedef struct ns_wanted {
    bool routes, pairs, order, runs;
} ns_wanted;

typedef struct ns_by_node {
    const ns_exchange *exchange;
    ns_wanted made;
    int64_t *first_pair[NS_SIDES], *first_strand[NS_SIDES], *first_run, *first_route, *first_stay; /* [nodes + 1] */
    int64_t *entries[NS_SIDES];
    int32_t *other[NS_SIDES], *order[NS_SIDES];
    ns_strand *strand[NS_SIDES], *run_out, *route;
    ns_route *stay;
    int64_t *received; /* [parts + 1] of the exchange's routes to a part */
    int64_t *sent;     /* [parts] entries that leave a part, each once for a node */
    int64_t *routed;   /* [parts] entries that leave a part by routes */
} ns_by_node;

/* Make what is wanted and was not made yet.  *by_node is {.exchange = ...} at first. */
ns_status ns_by_node_make(ns_by_node *by_node, ns_wanted wanted, ns_arena *arena, ns_error *err);

/* One node of it. */
ns_node ns_by_node_at(const ns_by_node *by_node, int32_t node, bool by_run);

#endif
