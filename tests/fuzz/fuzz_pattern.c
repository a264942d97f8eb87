/* fuzz_pattern.c -- matrices of any dimensions with few entries, cut into any number of parts: what fits the limits on
 * work and memory has counts that agree with each other, what does not is refused and sets nothing
 *
 * Input: options | two layouts | a matrix (take.h).  In memory.
 */
#include "take.h"

static void pattern_check(const ns_exchange *exchange, int64_t entries, ns_layout layout)
{
    const ns_pattern *p = &exchange->pattern;
    int64_t bytes = 0, needed = 0;
    REQUIRE(exchange->parts == layout.parts && exchange->routes <= entries);
    for (int64_t i = 0; i < exchange->routes; i++) {
        const ns_route *route = &exchange->route[i];
        REQUIRE(route->entries > 0 && route->from != route->to);
        REQUIRE(route->from >= 0 && route->from < layout.parts && route->to >= 0 && route->to < layout.parts);
        bytes += route->entries * exchange->width;
    }
    for (int32_t i = 0; i < exchange->parts; i++)
        needed += exchange->need[i];
    REQUIRE(p->messages_total == exchange->routes && p->bytes_total == bytes);
    REQUIRE(needed <= entries && needed * exchange->width == bytes);
    REQUIRE(0 <= p->messages_off_node && p->messages_off_node <= p->messages_total);
    REQUIRE(p->unique_bytes_off_node <= p->bytes_off_node && p->bytes_off_node <= p->bytes_total);
    REQUIRE(p->s_proc <= p->s_node && p->s_node <= p->bytes_off_node && p->s_node_node <= p->s_node);
    REQUIRE(p->m_proc <= p->messages_off_node && p->m_proc_node <= p->m_proc && p->s_recv <= p->bytes_total);
    REQUIRE(p->duplicate_fraction >= 0 && p->duplicate_fraction < 1);
}

static void pattern_view(const ns_netsparse_view *view, int64_t entries)
{
    REQUIRE(view->nonzeros == entries && view->requests >= 0 && view->requests <= entries);
    REQUIRE(view->unique >= 0 && view->unique <= view->requests && view->unique_max <= view->unique);
    REQUIRE(isfinite(view->su_transfers) && view->su_transfers >= 0 && isfinite(view->unique_mean));
    REQUIRE(!isnan(view->su_redundant_per_useful) && !isnan(view->sa_redundant_per_useful));
    REQUIRE(!isnan(view->destinations_per_window) && view->destinations_per_window <= 64);
    REQUIRE(view->rack_shared_fraction <= 1);
}

FUZZ(pattern)
{
    static fuzz_given m;
    fuzz_bytes in = {data, data + size};
    const unsigned flags = fuzz_take(&in);
    const bool wants_view = flags & 1;
    ns_netsparse_view view = {.size = sizeof view};
    ns_layout layout[2];
    for (int i = 0; i < 2; i++) {
        layout[i].parts = (int32_t)(fuzz_count(&in) & INT32_MAX);
        layout[i].per_node = (int32_t)(fuzz_count(&in) & INT32_MAX);
    }
    const ns_exchange_options options = {.width = flags >> 1 & 15,
                                         .max_memory = FUZZ_MEMORY >> (flags >> 5),
                                         .view = wants_view ? &view : NULL,
                                         .rack = wants_view ? layout[1].per_node : 0};
    ns_exchange *exchange[2] = {(ns_exchange *)&view, (ns_exchange *)&view};
    int64_t nonzeros = -1;
    ns_error err = {0};
    fuzz_given_take(&in, &m);
    const size_t layouts = wants_view ? 1 : 2;
    ns_status status = ns_exchange_from_matrix(&m.matrix, layout, layouts, &options, exchange, &nonzeros, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK) {
        REQUIRE(exchange[0] == (ns_exchange *)&view && exchange[1] == (ns_exchange *)&view && nonzeros == -1);
        return;
    }
    REQUIRE(nonzeros == (int64_t)m.entries);
    if (wants_view)
        pattern_view(&view, nonzeros);
    for (size_t i = 0; i < layouts; i++) {
        pattern_check(exchange[i], nonzeros, layout[i]);
        ns_exchange_free(exchange[i]);
    }
}
