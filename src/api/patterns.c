/* patterns.c -- what sites, graphs and exchanges hold, one by one */
#include "core/sized.h"
#include "pattern/exchange.h"
#include "pattern/graph.h"

int32_t ns_site_parts(const ns_site *site)
{
    return site->parts;
}

int32_t ns_site_nodes(const ns_site *site)
{
    return site->nodes;
}

const int32_t *ns_site_node_of(const ns_site *site)
{
    return site->node_of;
}

int32_t ns_graph_parts(const ns_graph *graph)
{
    return graph->parts;
}

int32_t ns_exchange_parts(const ns_exchange *exchange)
{
    return exchange->parts;
}

int32_t ns_exchange_nodes(const ns_exchange *exchange)
{
    return exchange->nodes;
}

int64_t ns_exchange_width(const ns_exchange *exchange)
{
    return exchange->width;
}

const ns_site *ns_exchange_site(const ns_exchange *exchange)
{
    return exchange->site;
}

int64_t ns_exchange_routes(const ns_exchange *exchange, const ns_route **route)
{
    *route = exchange->route;
    return exchange->routes;
}

ns_status ns_exchange_counts(const ns_exchange *exchange, ns_pattern *counts, ns_error *err)
{
    ns_error_clear(err);
    return ns_sized_give(counts, &exchange->pattern, sizeof exchange->pattern, err);
}
