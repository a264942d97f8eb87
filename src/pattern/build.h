/* build.h -- construction of an ns_exchange */
#ifndef NS_PATTERN_BUILD_H
#define NS_PATTERN_BUILD_H

#include "pattern/exchange.h"
#include "pattern/needlist.h"

/* An exchange under construction, with the capacities of its growing arrays. */
typedef struct ns_builder {
    ns_exchange *exchange;
    int64_t route_capacity, pair_capacity, run_capacity, needer_capacity, inside_capacity, inside_needer_capacity;
    ns_budget *budget;
    ns_work *work; /* or NULL */
    bool in_order; /* parts are numbered node by node */
} ns_builder;

/* site: NULL for the layout's blocks; it is copied. */
ns_status ns_builder_open(ns_builder *builder, ns_layout layout, const ns_site *site, int64_t width, ns_budget *budget,
                          ns_error *err);

/* Append.  Routes must be ordered by the places of receiver then sender, pairs by receiving then sending node, with
 * their runs.  A part's place is its number when parts are numbered node by node. */
ns_status ns_builder_route(ns_builder *builder, int32_t from, int32_t to, int64_t entries, ns_error *err);
/* Add `entries` of `origin` needed by the parts with local indices who[0..count) on a node to the pair of both nodes,
 * which must be the last pair or a new one; they are merged with the last run if origin and needers agree. */
ns_status ns_builder_entries(ns_builder *builder, int32_t origin, int64_t entries, int32_t node, const int32_t *who,
                             int32_t count, ns_error *err);
/* Finish: count the exchange, and put the routes in the order of their parts' numbers. */
ns_status ns_builder_finish(ns_builder *builder, ns_error *err);

/* Fill exchange->pattern. */
ns_status ns_exchange_count(ns_exchange *exchange, ns_error *err);

/* The same in steps, for exchanges each of which has what some nodes receive.  To combine several, their pattern's
 * fields are sums and maxima so far, and sum[] must be added up. */
typedef struct ns_counts {
    int32_t parts, nodes;
    ns_pattern pattern; /* all but the maxima of sent data: sums are messages_*, bytes_* and unique_bytes_off_node */
    int64_t sums;
    int64_t *sum; /* [sums] sent off node, per part and per node: the seven arrays below; ns_free frees all */
    int64_t *part_bytes, *part_messages, *part_nodes, *part_unique, *node_bytes, *node_unique, *node_targets;
    int64_t *part_last;                  /* last node sent to, plus 1 */
    int64_t *pair_bytes, *pair_messages; /* by sending node, for one receiving node */
} ns_counts;
ns_status ns_counts_open(ns_counts *counts, int32_t parts, int32_t nodes, ns_error *err);
ns_status ns_counts_add(ns_counts *counts, const ns_exchange *exchange, ns_error *err);
ns_pattern ns_counts_finish(const ns_counts *counts);

/* Build the exchange of one layout from the set of needs. */
ns_status ns_exchange_build(ns_needsource *source, const ns_site *site, int64_t width, bool inside,
                            ns_exchange **exchange, ns_error *err);

/* Refuse meaningless layouts and sizes. */
ns_status ns_layout_check(ns_layout layout, ns_error *err);

#endif
