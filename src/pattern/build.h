/* build.h -- putting an ns_exchange together */
#ifndef NS_PATTERN_BUILD_H
#define NS_PATTERN_BUILD_H

#include "pattern/needlist.h"

#include <nsmodel/exchange.h>

/* An exchange under construction, with the capacities of its growing arrays. */
typedef struct ns_builder {
    ns_exchange *exchange;
    int64_t route_capacity, pair_capacity, run_capacity, needer_capacity;
    ns_budget *budget;
    ns_work *work; /* or NULL */
} ns_builder;

ns_status ns_builder_open(ns_builder *builder, ns_layout layout, int64_t width, ns_budget *budget, ns_error *err);

/* Append; routes come by receiver then sender, pairs by receiving then sending node, with their runs. */
ns_status ns_builder_route(ns_builder *builder, int32_t from, int32_t to, int64_t entries, ns_error *err);
/* Add `entries` of `origin` needed by parts base + who[0..count) to the pair of their nodes, which has to be the last
 * pair or a new one; joins the last run where origin and needers agree. */
ns_status ns_builder_entries(ns_builder *builder, int32_t origin, int64_t entries, int32_t base, const int32_t *who,
                             int32_t count, ns_error *err);

/* Fill exchange->pattern. */
ns_status ns_exchange_count(ns_exchange *exchange, ns_error *err);

/* The exchange of one layout out of the set of needs. */
ns_status ns_exchange_build(ns_needsource *source, int64_t width, ns_exchange **exchange, ns_error *err);

/* Refuse layouts and sizes that mean nothing. */
ns_status ns_layout_check(ns_layout layout, ns_error *err);

#endif
