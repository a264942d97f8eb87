/* graph.c -- fragments of a pattern, the routes derived from them, and the exchange of a graph on a site */
#include "pattern/graph.h"

#include "core/memory.h"
#include "core/sized.h"
#include "pattern/build.h"

#include <string.h>

/* A graph under construction, with the capacities of its growing arrays. */
typedef struct growing {
    ns_graph *graph;
    int64_t fragment_capacity, needer_capacity;
    ns_budget *budget;
} growing;

static ns_status open_graph(growing *g, int32_t parts, int64_t width, ns_budget *budget, ns_error *err)
{
    const int64_t count = (int64_t)parts + 1;
    ns_graph *graph = ns_calloc(1, sizeof *graph);
    *g = (growing){.graph = graph, .budget = budget};
    if (graph == NULL)
        return ns_no_memory(err);
    graph->size = sizeof *graph;
    graph->parts = parts;
    graph->width = width;
    NS_TRY(ns_take(&graph->need, count, sizeof *graph->need, budget, err));
    NS_TRY(ns_take(&graph->first_fragment, count, sizeof *graph->first_fragment, budget, err));
    return ns_take(&graph->first_route, count, sizeof *graph->first_route, budget, err);
}

/* Origins must be ascending, and within each its columns. */
static ns_status add_fragment(growing *g, int32_t origin, int64_t entries, const int32_t *who, int32_t count,
                              ns_error *err)
{
    ns_graph *graph = g->graph;
    ns_fragment *last = graph->fragments > 0 ? &graph->fragment[graph->fragments - 1] : NULL;
    if (last != NULL && last->origin == origin && last->needers == count &&
        memcmp(graph->needer + last->needer, who, (size_t)count * sizeof *who) == 0) {
        last->entries = ns_count_add(last->entries, entries);
        return NS_OK;
    }
    NS_TRY(ns_grow(&graph->fragment, &g->fragment_capacity, graph->fragments + 1, sizeof *graph->fragment, g->budget,
                   err));
    NS_TRY(ns_grow(&graph->needer, &g->needer_capacity, ns_count_add(graph->needers, count), sizeof *graph->needer,
                   g->budget, err));
    memcpy(graph->needer + graph->needers, who, (size_t)count * sizeof *who);
    graph->fragment[graph->fragments++] =
        (ns_fragment){.entries = entries, .needer = graph->needers, .origin = origin, .needers = count};
    graph->first_fragment[origin + 1] = graph->fragments;
    graph->needers += count;
    return NS_OK;
}

/* Derive the routes from the fragments. */
static ns_status close_graph(growing *g, ns_work *work, ns_error *err)
{
    ns_graph *graph = g->graph;
    int64_t *end;
    NS_TRY(ns_take(&graph->route, graph->needers, sizeof *graph->route, g->budget, err));
    for (int32_t p = 0; p < graph->parts; p++)
        if (graph->first_fragment[p + 1] < graph->first_fragment[p])
            graph->first_fragment[p + 1] = graph->first_fragment[p];
    for (int64_t i = 0; i < graph->needers; i++)
        graph->first_route[graph->needer[i] + 1]++;
    for (int32_t p = 0; p < graph->parts; p++)
        graph->first_route[p + 1] += graph->first_route[p];
    NS_TRY(ns_take(&end, (int64_t)graph->parts + 1, sizeof *end, g->budget, err));
    memcpy(end, graph->first_route, ((size_t)graph->parts + 1) * sizeof *end);
    /* fragments are ordered by origin, so that the routes to a part are filled by rising sender */
    for (int64_t f = 0; f < graph->fragments; f++) {
        const ns_fragment *of = &graph->fragment[f];
        for (int32_t i = 0; i < of->needers; i++) {
            const int32_t to = graph->needer[of->needer + i];
            ns_route *last = end[to] > graph->first_route[to] ? &graph->route[end[to] - 1] : NULL;
            graph->need[to] = ns_count_add(graph->need[to], of->entries);
            if (last != NULL && last->from == of->origin)
                last->entries += of->entries;
            else
                graph->route[end[to]++] = (ns_route){of->origin, to, of->entries};
        }
    }
    /* compact them, since every part had space for all fragments that it needs */
    int64_t kept = 0, entries = 0;
    for (int32_t p = 0; p < graph->parts; p++) {
        const int64_t count = end[p] - graph->first_route[p];
        if (count > 0)
            memmove(&graph->route[kept], &graph->route[graph->first_route[p]], (size_t)count * sizeof *graph->route);
        graph->first_route[p] = kept;
        kept += count;
        entries = ns_count_add(entries, graph->need[p]);
    }
    graph->first_route[graph->parts] = graph->routes = kept;
    ns_give_back(end, (int64_t)graph->parts + 1, sizeof *end, g->budget);
    work->routes += (double)graph->routes;
    NS_TRY(ns_work_check(work, err));
    return ns_count_mul(entries, graph->width) < INT64_MAX
               ? NS_OK
               : ns_fail(err, NS_ERR_LIMIT, "%lld entries of %lld B are more bytes than 63 bits count",
                         (long long)entries, (long long)graph->width);
}

/* ---- from a matrix ----------------------------------------------------------------------------------------------- */

static ns_status receive_columns(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    return add_fragment(context, need->owner, need->count, who, count, err);
}

/* All parts' lists are merged at once: the lists that contain a column are its needers. */
ns_status ns_graph_build(ns_needsource *source, int64_t width, ns_graph **graph, ns_error *err)
{
    const int32_t parts = source->blocks->layout[source->layout].parts;
    growing g;
    ns_needlist *lists = NULL;
    ns_status status = open_graph(&g, parts, width, source->budget, err);
    if (status == NS_OK)
        status = ns_take(&lists, parts, sizeof *lists, source->budget, err);
    for (int32_t p = 0; status == NS_OK && p < parts; p++)
        status = ns_needlist_collect(source, p, &lists[p], err);
    if (status == NS_OK)
        status = ns_needlist_merge(lists, parts, receive_columns, &g, err);
    for (int32_t p = 0; lists != NULL && p < parts; p++)
        ns_needlist_free(&lists[p], source->budget);
    ns_give_back(lists, parts, sizeof *lists, source->budget);
    if (status == NS_OK)
        status = close_graph(&g, source->work, err);
    if (status == NS_OK)
        *graph = g.graph;
    else
        ns_graph_free(g.graph);
    return status;
}

/* ---- from planned messages --------------------------------------------------------------------------------------- */

/* Each fragment is needed by its receiver alone.  The routes are ordered by receiver, so that counting by sender keeps
 * that order. */
static ns_status add_routes(growing *g, const ns_exchange *x, ns_error *err)
{
    int64_t *at, *by_sender;
    NS_TRY(ns_take(&at, (int64_t)x->parts + 1, sizeof *at, g->budget, err));
    ns_status status = ns_take(&by_sender, x->routes, sizeof *by_sender, g->budget, err);
    if (status == NS_OK) {
        for (int64_t i = 0; i < x->routes; i++)
            at[x->route[i].from + 1]++;
        for (int32_t p = 0; p < x->parts; p++)
            at[p + 1] += at[p];
        for (int64_t i = 0; i < x->routes; i++)
            by_sender[at[x->route[i].from]++] = i;
        for (int64_t i = 0; status == NS_OK && i < x->routes; i++) {
            const ns_route *route = &x->route[by_sender[i]];
            status = add_fragment(g, route->from, route->entries, &route->to, 1, err);
        }
        ns_give_back(by_sender, x->routes, sizeof(int64_t), g->budget);
    }
    ns_give_back(at, (int64_t)x->parts + 1, sizeof(int64_t), g->budget);
    return status;
}

ns_status ns_graph_from_messages(const ns_planned *message, size_t messages, int32_t parts, const ns_limits *limits,
                                 ns_graph **graph, ns_error *err)
{
    ns_error_clear(err);
    ns_limits given;
    ns_exchange *x;
    growing g;
    NS_TRY(ns_limits_take(limits, &given, err));
    ns_budget budget = {.limit = given.max_memory};
    ns_work work = {.limit = given.max_work};
    NS_TRY(ns_exchange_from_messages_within(message, messages, (ns_layout){parts, 1}, NULL, &given, &x, err));
    ns_status status = open_graph(&g, parts, x->width, &budget, err);
    if (status == NS_OK)
        status = add_routes(&g, x, err);
    if (status == NS_OK)
        status = close_graph(&g, &work, err);
    ns_exchange_free(x);
    if (status == NS_OK)
        *graph = g.graph;
    else
        ns_graph_free(g.graph);
    return status;
}

void ns_graph_free(ns_graph *graph)
{
    if (graph == NULL)
        return;
    ns_free(graph->fragment);
    ns_free(graph->first_fragment);
    ns_free(graph->needer);
    ns_free(graph->route);
    ns_free(graph->first_route);
    ns_free(graph->need);
    ns_free(graph);
}

/* ---- the exchange of a graph on a site --------------------------------------------------------------------------
 *
 * L(M,N) lists what N needs by owning part, in the order of M's parts, then by column.  So: parts in the order of their
 * places, their fragments in turn, each filed under the nodes of its needers.
 */

/* Fragments by receiving node. */
typedef struct filed {
    int64_t *first; /* [nodes + 2]: while counting shifted by one; then node k has item[first[k]] onwards */
    int64_t *item;  /* indices of fragments */
    int64_t *stamp; /* [nodes] the last fragment that was added to a node, plus 1 */
    int32_t *who;   /* [parts of a node] local indices of needers */
} filed;

/* Count, or add, every fragment once for each other node that needs it. */
static void file_fragments(filed *of, const ns_graph *graph, const ns_site *site, bool counting)
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
    if (graph->routes > 0) /* order them by their parts' numbers */
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
        file_fragments(&of, graph, site, true);
        for (int32_t k = 2; k < site->nodes + 2; k++)
            of.first[k] += of.first[k - 1];
        file_fragments(&of, graph, site, false);
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
