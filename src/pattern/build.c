/* build.c -- routes, pairs and runs of an exchange
 *
 * Node by node of the receivers: the parts' sorted lists give the routes; merged, they give each column once with the
 * set of parts that need it, in the order of L(M,N), because owners ascend with the nodes they are on.
 */
#include "pattern/build.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

ns_status ns_layout_check(ns_layout layout, ns_error *err)
{
    if (layout.parts < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts has to be at least 1, got %d", (int)layout.parts);
    if (layout.per_node < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts per node has to be at least 1, got %d",
                       (int)layout.per_node);
    return NS_OK;
}

ns_status ns_builder_open(ns_builder *builder, ns_layout layout, int64_t width, ns_budget *budget, ns_error *err)
{
    NS_TRY(ns_layout_check(layout, err));
    ns_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL)
        return ns_no_memory(err);
    exchange->parts = layout.parts;
    exchange->per_node = layout.per_node;
    exchange->nodes = (int32_t)(((int64_t)layout.parts + layout.per_node - 1) / layout.per_node);
    exchange->width = width;
    void *need;
    ns_status status = ns_take(&need, layout.parts, sizeof *exchange->need, budget, err);
    if (status != NS_OK) {
        free(exchange);
        return status;
    }
    exchange->need = need;
    *builder = (ns_builder){.exchange = exchange, .budget = budget};
    return NS_OK;
}

ns_status ns_builder_route(ns_builder *builder, int32_t from, int32_t to, int64_t entries, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    if (builder->work != NULL) {
        builder->work->routes++;
        NS_TRY(ns_work_check(builder->work, err));
    }
    void *memory = x->route;
    NS_TRY(ns_grow(&memory, &builder->route_capacity, x->routes + 1, sizeof *x->route, builder->budget, err));
    x->route = memory;
    x->route[x->routes++] = (ns_route){from, to, entries};
    x->need[to] += entries;
    return NS_OK;
}

static ns_status open_pair(ns_builder *builder, int32_t from, int32_t to, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    if (x->pairs > 0 && x->pair[x->pairs - 1].from == from && x->pair[x->pairs - 1].to == to)
        return NS_OK;
    void *memory = x->pair;
    NS_TRY(ns_grow(&memory, &builder->pair_capacity, x->pairs + 1, sizeof *x->pair, builder->budget, err));
    x->pair = memory;
    x->pair[x->pairs++] = (ns_pair){.from = from, .to = to, .run = x->runs};
    return NS_OK;
}

static bool same_needers(const ns_exchange *x, const ns_run *run, int32_t base, const int32_t *who, int32_t count)
{
    if (run->needers != count)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (x->needer[run->needer + i] != base + who[i])
            return false;
    return true;
}

static ns_status open_run(ns_builder *builder, int32_t origin, int32_t base, const int32_t *who, int32_t count,
                          ns_error *err)
{
    ns_exchange *x = builder->exchange;
    ns_pair *pair = &x->pair[x->pairs - 1];
    const ns_run *last = pair->runs > 0 ? &x->run[x->runs - 1] : NULL;
    if (last != NULL && last->origin == origin && same_needers(x, last, base, who, count))
        return NS_OK;
    void *memory = x->run;
    NS_TRY(ns_grow(&memory, &builder->run_capacity, x->runs + 1, sizeof *x->run, builder->budget, err));
    x->run = memory;
    memory = x->needer;
    NS_TRY(ns_grow(&memory, &builder->needer_capacity, ns_count_add(x->needers, count), sizeof *x->needer,
                   builder->budget, err));
    x->needer = memory;
    for (int32_t i = 0; i < count; i++)
        x->needer[x->needers + i] = base + who[i];
    x->run[x->runs++] = (ns_run){.first = pair->entries, .origin = origin, .needers = count, .needer = x->needers};
    x->needers += count;
    pair->runs++;
    return NS_OK;
}

ns_status ns_builder_entries(ns_builder *builder, int32_t origin, int64_t entries, int32_t base, const int32_t *who,
                             int32_t count, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    NS_TRY(open_pair(builder, origin / x->per_node, (base + who[0]) / x->per_node, err));
    NS_TRY(open_run(builder, origin, base, who, count, err));
    x->run[x->runs - 1].entries += entries;
    x->pair[x->pairs - 1].entries += entries;
    return NS_OK;
}

/* ---- one node of receivers after the other --------------------------------------------------------------------------
 */

typedef struct merging {
    ns_builder *builder;
    int32_t node, first_part;
} merging;

static ns_status receive_column(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    merging *m = context;
    if (need->owner / m->builder->exchange->per_node == m->node)
        return NS_OK;
    return ns_builder_entries(m->builder, need->owner, 1, m->first_part, who, count, err);
}

static ns_status add_routes(ns_builder *builder, const ns_needlist *list, int32_t p, ns_error *err)
{
    for (int64_t i = 0, next; i < list->count; i = next) {
        for (next = i + 1; next < list->count && list->need[next].owner == list->need[i].owner; next++)
            ;
        NS_TRY(ns_builder_route(builder, list->need[i].owner, p, next - i, err));
    }
    return NS_OK;
}

static ns_status build_node(ns_builder *builder, ns_needsource *source, int32_t node, ns_needlist *lists, ns_error *err)
{
    const ns_exchange *x = builder->exchange;
    int32_t first = node * x->per_node, count = x->parts - first < x->per_node ? x->parts - first : x->per_node;
    for (int32_t i = 0; i < count; i++) {
        NS_TRY(ns_needlist_collect(source, first + i, &lists[i], err));
        NS_TRY(add_routes(builder, &lists[i], first + i, err));
    }
    merging context = {builder, node, first};
    return ns_needlist_merge(lists, count, receive_column, &context, err);
}

ns_status ns_exchange_build(ns_needsource *source, int64_t width, ns_exchange **exchange, ns_error *err)
{
    ns_builder builder;
    ns_layout layout = source->blocks->layout[source->layout];
    NS_TRY(ns_builder_open(&builder, layout, width, source->budget, err));
    builder.work = source->work;
    int32_t most = layout.per_node < layout.parts ? layout.per_node : layout.parts;
    ns_needlist *lists = calloc((size_t)most, sizeof *lists);
    ns_status status = lists != NULL ? NS_OK : ns_no_memory(err);
    for (int32_t node = 0; status == NS_OK && node < builder.exchange->nodes; node++)
        status = build_node(&builder, source, node, lists, err);
    for (int32_t i = 0; lists != NULL && i < most; i++)
        ns_needlist_free(&lists[i], source->budget);
    free(lists);
    if (status == NS_OK)
        status = ns_exchange_count(builder.exchange, err);
    if (status != NS_OK) {
        ns_exchange_free(builder.exchange);
        return status;
    }
    *exchange = builder.exchange;
    return NS_OK;
}

void ns_exchange_free(ns_exchange *exchange)
{
    if (exchange == NULL)
        return;
    free(exchange->route);
    free(exchange->pair);
    free(exchange->run);
    free(exchange->needer);
    free(exchange->need);
    free(exchange);
}
