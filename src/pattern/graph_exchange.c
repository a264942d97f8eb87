/* graph_exchange.c -- the exchange of a graph on a site
 *
 * L(M,N) lists what N needs by owning part, in the order of M's parts, then by column.  So: parts in the order of their
 * places, their fragments in turn, each filed under the nodes of its needers.
 */
#include "core/memory.h"
#include "pattern/build.h"
#include "pattern/graph.h"

#include <string.h>

/* Fragments by receiving node. */
typedef struct filed {
    int64_t *first; /* [nodes + 2]: while they are counted one further on, then node k has item[first[k]] on */
    int64_t *item;  /* indices of fragments */
    int64_t *stamp; /* [nodes] the last fragment that was filed under a node, plus 1 */
    int32_t *who;   /* [parts of a node] local indices of needers */
} filed;

/* Count, or file, every fragment once for each other node that needs it. */
static void pass(filed *of, const ns_graph *graph, const ns_site *site, bool counting)
{
    memset(of->stamp, 0, (size_t)site->nodes * sizeof *of->stamp);
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t q = site->part[i];
        for (int64_t f = graph->first_fragment[q]; f < graph->first_fragment[q + 1]; f++) {
            const ns_fragment *one = &graph->fragment[f];
            for (int32_t k = 0; k < one->needers; k++) {
                const int32_t node = site->node_of[graph->needer[one->needer + k]];
                if (node == site->node_of[q] || of->stamp[node] == f + 1)
                    continue;
                of->stamp[node] = f + 1;
                if (counting)
                    of->first[node + 2]++;
                else
                    of->item[of->first[node + 1]++] = f;
            }
        }
    }
}

static ns_status add_all(ns_builder *builder, const ns_graph *graph, const filed *of, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    const ns_site *site = x->site;
    for (int32_t i = 0; i < site->parts; i++)
        for (int64_t r = graph->first_route[site->part[i]]; r < graph->first_route[site->part[i] + 1]; r++)
            NS_TRY(ns_builder_route(builder, graph->route[r].from, graph->route[r].to, graph->route[r].entries, err));
    for (int32_t node = 0; node < site->nodes; node++)
        for (int64_t i = of->first[node]; i < of->first[node + 1]; i++) {
            const ns_fragment *one = &graph->fragment[of->item[i]];
            int32_t count = 0;
            for (int32_t k = 0; k < one->needers; k++) {
                const int32_t p = graph->needer[one->needer + k];
                if (site->node_of[p] == node)
                    of->who[count++] = site->local_of[p];
            }
            NS_TRY(ns_builder_entries(builder, one->origin, one->entries, node, of->who, count, err));
        }
    NS_TRY(ns_exchange_count(x, err));
    if (graph->routes > 0) /* by their parts' numbers */
        memcpy(x->route, graph->route, (size_t)graph->routes * sizeof *x->route);
    return NS_OK;
}

ns_status ns_graph_exchange(const ns_graph *graph, const ns_site *site, ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    ns_budget budget = {0};
    ns_builder builder;
    if (site->parts != graph->parts)
        return ns_fail(err, NS_ERR_RANGE, "a site of %d parts is not for a graph of %d", (int)site->parts,
                       (int)graph->parts);
    NS_TRY(ns_builder_open(&builder, (ns_layout){site->parts, site->per_node}, site, graph->width, &budget, err));
    const size_t nodes = (size_t)site->nodes;
    filed of = {.first = ns_calloc(nodes + 2, sizeof *of.first),
                .item = ns_malloc(ns_size_mul((size_t)graph->needers + 1, sizeof *of.item)),
                .stamp = ns_malloc(ns_size_mul(nodes, sizeof *of.stamp)),
                .who = ns_malloc(ns_size_mul((size_t)site->parts, sizeof *of.who))};
    ns_status status = NS_OK;
    if (of.first == NULL || of.item == NULL || of.stamp == NULL || of.who == NULL)
        status = ns_no_memory(err);
    if (status == NS_OK) {
        pass(&of, graph, site, true);
        for (int32_t k = 2; k < site->nodes + 2; k++)
            of.first[k] += of.first[k - 1];
        pass(&of, graph, site, false);
        status = add_all(&builder, graph, &of, err);
    }
    ns_free(of.first);
    ns_free(of.item);
    ns_free(of.stamp);
    ns_free(of.who);
    if (status == NS_OK)
        *exchange = builder.exchange;
    else
        ns_exchange_free(builder.exchange);
    return status;
}
