/* placer.h -- what an exchange costs on one placement after another
 *
 * A placement maps each part to a node.  A placer holds the graph of the parts and prices any placement of
 * it; the prices are those of ns_quote for the exchange of the same site (ns_site_from_map without sockets), bit for
 * bit.
 *
 * Cost.  Strategies that state a rule and do not split what nodes send each other (standard, two-step, three-step) are
 * priced by difference: only the nodes that parts leave or join, and those that exchange with these parts, are visited
 * again; of the others only their slowest process is read, O(nodes + parts).  If any other strategy is selected as well
 * (split, or one that names its messages), all are quoted anew each time, O(routes).  A cost model with contention is
 * priced anew on all nodes, since each message changes the busiest link.  All nodes are visited, too, when the size of
 * the largest node changes and nodes have sockets.
 */
#ifndef NSMODEL_PLACER_H
#define NSMODEL_PLACER_H

#include <nsmodel/choice.h>
#include <nsmodel/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_placer ns_placer;

/* Open a placer of a graph on so many nodes, with the parts in blocks (ns_place_blocks).  It borrows graph and machine;
 * the selection (NULL: all that the machine runs) is copied.  limits (or NULL): max_memory.  One thread at a time.
 * O(needers + parts steps) memory. */
NS_API ns_status ns_placer_open(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                                const ns_selection *selection, const ns_limits *limits, ns_placer **placer,
                                ns_error *err);
NS_API void ns_placer_free(ns_placer *placer);

/* What is priced, by strategy, then transport, as ns_quote does. */
typedef struct ns_placed {
    size_t size; /* of this struct, B: more may be added at its end */
    const ns_strategy *strategy;
    ns_transport transport;
    bool by_difference; /* or quoted anew */
} ns_placed;
NS_API int ns_placer_choices(const ns_placer *placer);
/* Choice i; NULL where there is none. */
NS_API const ns_placed *ns_placer_choice(const ns_placer *placer, int i);

/* Price many placements: part p of placement i is on node node_of[i parts + p], 0 to nodes - 1; its price by choice c
 * is seconds[i choices + c].  The last placement remains set.  If one fails, those before it have been priced. */
NS_API ns_status ns_placer_batch(ns_placer *placer, const int32_t *node_of, size_t placements, double *seconds,
                                 ns_error *err);

/* Set another placement; only parts that change their node are processed. */
NS_API ns_status ns_placer_put(ns_placer *placer, const int32_t *node_of, ns_error *err);
/* Move a part to another node; swap the nodes of two parts.  Nothing is priced yet. */
NS_API ns_status ns_placer_move(ns_placer *placer, int32_t part, int32_t node, ns_error *err);
NS_API ns_status ns_placer_swap(ns_placer *placer, int32_t a, int32_t b, ns_error *err);
/* The node of each part, [parts]; valid until the next change. */
NS_API const int32_t *ns_placer_node_of(const ns_placer *placer);
/* How many parts a node has. */
NS_API int32_t ns_placer_size(const ns_placer *placer, int32_t node);

/* The price of the current placement, by choice: seconds[choices]. */
NS_API ns_status ns_placer_price(ns_placer *placer, double *seconds, ns_error *err);

/* ---- placements -------------------------------------------------------------------------------------------------- */

/* Parts in blocks, as even as possible: the first (parts mod nodes) nodes have one more.  And parts dealt to the nodes
 * in turn.  node_of[parts]. */
NS_API void ns_place_blocks(int32_t parts, int32_t nodes, int32_t *node_of);
NS_API void ns_place_cyclic(int32_t parts, int32_t nodes, int32_t *node_of);

#ifdef __cplusplus
}
#endif
#endif
