/* groups.c -- an exchange by groups of parts within nodes, as if each group were a node
 *
 * The columns that a node needs from a part are split by the groups of their needers.  Every group is within one node,
 * so that runs keep their order: they serve as the fragments of a graph (graph.h), from which the exchange on any site
 * can be built.
 */
#include "core/memory.h"
#include "pattern/exchange.h"
#include "pattern/graph.h"

#include <string.h>

/* A site whose nodes are groups: of consecutive local indices, or by sockets. */
static ns_status site_of_groups(const ns_site *stands, int32_t group, ns_site **site, ns_error *err)
{
    int32_t groups = 0, *group_of = ns_malloc(ns_size_mul((size_t)stands->parts, sizeof *group_of));
    if (group_of == NULL)
        return ns_no_memory(err);
    for (int32_t node = 0; node < stands->nodes; node++) {
        const int32_t size = stands->first[node + 1] - stands->first[node];
        for (int32_t i = 0; i < size; i++) {
            const int32_t part = stands->part[stands->first[node] + i];
            group_of[part] = groups + (group > 0 ? i / group : stands->socket_of[part]);
        }
        groups += group > 0 ? size / group + (size % group > 0) : stands->sockets;
    }
    const ns_status status =
        ns_site_from_map(stands->parts, groups, group_of, stands->sockets, stands->socket_of, site, err);
    ns_free(group_of);
    return status;
}

/* Count a fragment of its part, shifted by two, or add it, shifted by one. */
static void file(ns_graph *g, bool counting, ns_fragment f)
{
    if (counting)
        g->first_fragment[f.origin + 2]++;
    else
        g->fragment[g->first_fragment[f.origin + 1]++] = f;
}

static void pass(const ns_exchange *x, ns_graph *g, bool counting)
{
    for (int64_t i = 0; i < x->runs; i++) {
        const ns_run *r = &x->run[i];
        file(g, counting, (ns_fragment){r->entries, r->needer, r->origin, r->needers});
    }
    for (int64_t i = 0; i < x->insides; i++) {
        const ns_run *r = &x->inside[i];
        file(g, counting, (ns_fragment){r->entries, x->needers + r->needer, r->origin, r->needers});
    }
    for (int64_t i = 0; i < x->routes && x->planned; i++)
        if (x->site->node_of[x->route[i].from] == x->site->node_of[x->route[i].to])
            file(g, counting, (ns_fragment){x->route[i].entries, x->needers + i, x->route[i].from, 1});
}

static ns_status make_graph(const ns_exchange *x, ns_graph *g, ns_error *err)
{
    const size_t parts = (size_t)x->parts + 2;
    g->parts = x->parts;
    g->width = x->width;
    g->routes = x->routes;
    g->route = x->route; /* borrowed */
    g->fragments = x->runs + (x->planned ? x->routes : x->insides);
    g->needers = x->needers + (x->planned ? x->routes : x->inside_needers);
    g->fragment = ns_malloc(ns_size_mul((size_t)g->fragments + 1, sizeof *g->fragment));
    g->needer = ns_malloc(ns_size_mul((size_t)g->needers + 1, sizeof *g->needer));
    g->first_fragment = ns_calloc(parts, sizeof *g->first_fragment);
    g->first_route = ns_calloc(parts, sizeof *g->first_route);
    if (g->fragment == NULL || g->needer == NULL || g->first_fragment == NULL || g->first_route == NULL)
        return ns_no_memory(err);
    if (x->needers > 0)
        memcpy(g->needer, x->needer, (size_t)x->needers * sizeof *g->needer);
    if (x->inside_needers > 0)
        memcpy(g->needer + x->needers, x->inside_needer, (size_t)x->inside_needers * sizeof *g->needer);
    for (int64_t i = 0; i < x->routes; i++) {
        g->first_route[x->route[i].to + 1]++;
        if (x->planned)
            g->needer[x->needers + i] = x->route[i].to;
    }
    for (int32_t p = 0; p < x->parts; p++)
        g->first_route[p + 1] += g->first_route[p];
    pass(x, g, true);
    for (int32_t p = 0; p < x->parts; p++)
        g->first_fragment[p + 2] += g->first_fragment[p + 1];
    pass(x, g, false);
    return NS_OK;
}

ns_status ns_exchange_in_groups(const ns_exchange *exchange, const ns_site *stands, int32_t group,
                                ns_exchange **grouped, ns_error *err)
{
    ns_site *site = NULL;
    ns_exchange *made = NULL;
    ns_graph g = {.size = sizeof g};
    if (!exchange->planned && !exchange->with_inside)
        return ns_fail(err, NS_ERR_DATA,
                       "the exchange does not keep what parts of a node have in common; wanted one that was made with "
                       "the option groups");
    ns_status status = site_of_groups(stands, group, &site, err);
    if (status == NS_OK)
        status = make_graph(exchange, &g, err);
    if (status == NS_OK)
        status = ns_graph_exchange(&g, site, &made, err);
    if (status == NS_OK)
        status = ns_site_with_sockets(stands, stands->sockets, &made->stands, err);
    ns_free(g.fragment);
    ns_free(g.needer);
    ns_free(g.first_fragment);
    ns_free(g.first_route);
    ns_site_free(site);
    if (status == NS_OK)
        *grouped = made;
    else
        ns_exchange_free(made);
    return status;
}
