/* build.c -- routes, pairs and runs of an exchange, and its counts
 *
 * For each receiving node, the parts' sorted lists give the routes; merged, they give each column once with the set of
 * parts that need it, in the order of L(M,N), because owners ascend with their nodes.
 */
#include "pattern/build.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/sort.h"

#include <string.h>
#include <sys/param.h>

ns_status ns_layout_check(ns_layout layout, ns_error *err)
{
    if (layout.parts < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts has to be at least 1, got %d", (int)layout.parts);
    if (layout.per_node < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts per node has to be at least 1, got %d",
                       (int)layout.per_node);
    return NS_OK;
}

ns_status ns_builder_open(ns_builder *builder, ns_layout layout, const ns_site *site, int64_t width, ns_budget *budget,
                          ns_error *err)
{
    const int64_t site_bytes = 4 * (int64_t)sizeof(int32_t) * layout.parts; /* its four arrays */
    NS_TRY(ns_layout_check(layout, err));
    NS_TRY(ns_budget_check(budget, (double)site_bytes, err));
    ns_exchange *exchange = ns_calloc(1, sizeof *exchange);
    if (exchange == NULL)
        return ns_no_memory(err);
    ns_status status = site != NULL ? ns_site_with_sockets(site, site->sockets, &exchange->site, err)
                                    : ns_site_blocks(layout.parts, layout.per_node, 0, &exchange->site, err);
    if (status == NS_OK)
        status = ns_take(&exchange->need, layout.parts, sizeof *exchange->need, budget, err);
    if (status != NS_OK) {
        ns_exchange_free(exchange);
        return status;
    }
    budget->used += site_bytes;
    exchange->parts = exchange->site->parts;
    exchange->per_node = exchange->site->per_node;
    exchange->nodes = exchange->site->nodes;
    exchange->width = width;
    *builder = (ns_builder){.exchange = exchange, .budget = budget, .in_order = true};
    for (int32_t i = 0; i < exchange->parts; i++)
        builder->in_order = builder->in_order && exchange->site->part[i] == i;
    return NS_OK;
}

ns_status ns_builder_route(ns_builder *builder, int32_t from, int32_t to, int64_t entries, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    NS_TRY(ns_context_tick(1, err));
    if (builder->work != NULL) {
        builder->work->routes++;
        NS_TRY(ns_work_check(builder->work, err));
    }
    NS_TRY(ns_grow(&x->route, &builder->route_capacity, x->routes + 1, sizeof *x->route, builder->budget, err));
    x->route[x->routes++] = (ns_route){from, to, entries};
    x->need[to] += entries;
    return NS_OK;
}

ns_status ns_builder_entries(ns_builder *builder, int32_t origin, int64_t entries, int32_t node, const int32_t *who,
                             int32_t count, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    const int32_t from = x->site->node_of[origin], *part = x->site->part + x->site->first[node];
    NS_TRY(ns_context_tick(1, err));
    if (x->pairs == 0 || x->pair[x->pairs - 1].from != from || x->pair[x->pairs - 1].to != node) {
        NS_TRY(ns_grow(&x->pair, &builder->pair_capacity, x->pairs + 1, sizeof *x->pair, builder->budget, err));
        x->pair[x->pairs++] = (ns_pair){.from = from, .to = node, .run = x->runs};
    }
    ns_pair *pair = &x->pair[x->pairs - 1];

    const ns_run *last = pair->runs > 0 ? &x->run[x->runs - 1] : NULL;
    const bool alike = last != NULL && last->origin == origin && last->needers == count;
    int32_t same = 0; /* needers that the last run also has */
    while (alike && same < count && x->needer[last->needer + same] == part[who[same]])
        same++;
    if (!alike || same < count) {
        NS_TRY(ns_grow(&x->run, &builder->run_capacity, x->runs + 1, sizeof *x->run, builder->budget, err));
        NS_TRY(ns_grow(&x->needer, &builder->needer_capacity, ns_count_add(x->needers, count), sizeof *x->needer,
                       builder->budget, err));
        for (int32_t i = 0; i < count; i++)
            x->needer[x->needers + i] = part[who[i]];
        x->run[x->runs++] = (ns_run){.first = pair->entries, .origin = origin, .needers = count, .needer = x->needers};
        x->needers += count;
        pair->runs++;
    }
    x->run[x->runs - 1].entries += entries;
    pair->entries += entries;
    return NS_OK;
}

/* ---- one receiving node after the other -------------------------------------------------------------------------- */

typedef struct merging {
    ns_builder *builder;
    int32_t node;
} merging;

/* Receive the columns that parts of a node need: from other nodes and, if requested, from their own. */
static ns_status receive_columns(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    const merging *m = context;
    ns_builder *builder = m->builder;
    ns_exchange *x = builder->exchange;
    const int32_t owner = x->site->part[need->owner]; /* lists give owners as places */
    if (x->site->node_of[owner] != m->node)
        return ns_builder_entries(builder, owner, need->count, m->node, who, count, err);
    if (!x->with_inside)
        return NS_OK;
    const int32_t *part = x->site->part + x->site->first[m->node];
    ns_run *last = x->insides > 0 ? &x->inside[x->insides - 1] : NULL;
    const bool alike = last != NULL && last->origin == owner && last->needers == count;
    int32_t same = 0;
    NS_TRY(ns_context_tick(1, err));
    while (alike && same < count && x->inside_needer[last->needer + same] == part[who[same]])
        same++;
    if (alike && same == count) {
        last->entries += need->count;
        return NS_OK;
    }
    NS_TRY(ns_grow(&x->inside, &builder->inside_capacity, x->insides + 1, sizeof *x->inside, builder->budget, err));
    NS_TRY(ns_grow(&x->inside_needer, &builder->inside_needer_capacity, ns_count_add(x->inside_needers, count),
                   sizeof *x->inside_needer, builder->budget, err));
    x->inside[x->insides++] =
        (ns_run){.entries = need->count, .origin = owner, .needers = count, .needer = x->inside_needers};
    for (int32_t i = 0; i < count; i++)
        x->inside_needer[x->inside_needers++] = part[who[i]];
    return NS_OK;
}

static int by_numbers(const void *a, const void *b)
{
    const ns_route *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

ns_status ns_builder_finish(ns_builder *builder, ns_error *err)
{
    ns_exchange *x = builder->exchange;
    NS_TRY(ns_exchange_count(x, err)); /* needs the routes to a node to be contiguous */
    return builder->in_order ? NS_OK : ns_sort_items(x->route, x->routes, sizeof *x->route, by_numbers, err);
}

ns_status ns_exchange_build(ns_needsource *source, const ns_site *wanted, int64_t width, bool inside,
                            ns_exchange **exchange, ns_error *err)
{
    ns_builder builder;
    ns_budget *budget = source->budget;
    NS_TRY(ns_builder_open(&builder, source->blocks->layout[source->layout], wanted, width, budget, err));
    builder.work = source->work;
    builder.exchange->with_inside = inside;
    const ns_site *site = builder.exchange->site;
    const int32_t most = site->per_node < site->parts ? site->per_node : site->parts;
    int32_t *place = NULL;
    ns_needlist *lists = ns_calloc((size_t)most, sizeof *lists);
    ns_status status = lists != NULL ? NS_OK : ns_no_memory(err);
    /* Owners must ascend with their nodes.  If their numbers do not, their places are used instead. */
    if (status == NS_OK && !builder.in_order)
        status = ns_take(&place, site->parts, sizeof *place, budget, err);
    for (int32_t i = 0; place != NULL && i < site->parts; i++)
        place[site->part[i]] = i;
    source->place = place;
    for (int32_t node = 0; status == NS_OK && node < site->nodes; node++) {
        const int32_t *part = site->part + site->first[node], count = site->first[node + 1] - site->first[node];
        for (int32_t i = 0; status == NS_OK && i < count; i++) {
            const ns_needlist *list = &lists[i];
            status = ns_needlist_collect(source, part[i], &lists[i], err);
            for (int64_t k = 0, next; status == NS_OK && k < list->count; k = next) { /* the route of each owner */
                int64_t entries = 0;
                for (next = k; next < list->count && list->need[next].owner == list->need[k].owner; next++)
                    entries += list->need[next].count;
                status = ns_builder_route(&builder, site->part[list->need[k].owner], part[i], entries, err);
            }
        }
        merging context = {&builder, node};
        if (status == NS_OK)
            status = ns_needlist_merge(lists, count, receive_columns, &context, err);
    }
    source->place = NULL;
    ns_give_back(place, site->parts, sizeof *place, budget);
    for (int32_t i = 0; lists != NULL && i < most; i++)
        ns_needlist_free(&lists[i], budget);
    ns_free(lists);
    if (status == NS_OK)
        status = ns_builder_finish(&builder, err);
    if (status == NS_OK)
        *exchange = builder.exchange;
    else
        ns_exchange_free(builder.exchange);
    return status;
}

void ns_exchange_free(ns_exchange *exchange)
{
    if (exchange == NULL)
        return;
    ns_free(exchange->route);
    ns_free(exchange->pair);
    ns_free(exchange->run);
    ns_free(exchange->needer);
    ns_free(exchange->need);
    ns_free(exchange->inside);
    ns_free(exchange->inside_needer);
    ns_site_free(exchange->stands);
    ns_site_free(exchange->site);
    ns_free(exchange);
}

/* ---- the counts of design section 3, from routes and runs -------------------------------------------------------- */

static int64_t largest(const int64_t *values, int64_t count)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = MAX(most, values[i]);
    return most;
}

ns_status ns_counts_open(ns_counts *counts, int32_t parts, int32_t nodes, ns_error *err)
{
    const size_t p = (size_t)parts, n = (size_t)nodes, added = ns_size_add(ns_size_mul(4, p), ns_size_mul(3, n));
    int64_t *memory = ns_calloc(ns_size_add(added, ns_size_add(p, ns_size_mul(2, n))), sizeof *memory);
    if (memory == NULL)
        return ns_no_memory(err);
    *counts = (ns_counts){.parts = parts,
                          .nodes = nodes,
                          .sums = (int64_t)added,
                          .sum = memory,
                          .part_bytes = memory,
                          .part_messages = memory + p,
                          .part_nodes = memory + 2 * p,
                          .part_unique = memory + 3 * p,
                          .node_bytes = memory + 4 * p,
                          .node_unique = memory + 4 * p + n,
                          .node_targets = memory + 4 * p + 2 * n,
                          .part_last = memory + added,
                          .pair_bytes = memory + added + p,
                          .pair_messages = memory + added + p + n};
    // cppcheck-suppress memleak ; counts->sum keeps it
    return NS_OK;
}

ns_status ns_counts_add(ns_counts *t, const ns_exchange *x, ns_error *err)
{
    ns_pattern *n = &t->pattern;
    const int32_t *node_of = x->site->node_of;
    int64_t entries = 0; /* upper limit, in bytes, of all counts below */
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        entries = ns_count_add(entries, x->route[i].entries);
    }
    if (ns_count_mul(entries, x->width) == INT64_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "%lld entries of %lld B are more bytes than 63 bits count",
                       (long long)entries, (long long)x->width);

    /* routes are ordered by the receivers' places: all of one receiving node are contiguous, so that pair_* serve one
     * receiving node at a time */
    for (int64_t i = 0, begin = 0; i < x->routes; i++) {
        const ns_route *r = &x->route[i];
        NS_TRY(ns_context_turn(i, err));
        const int64_t bytes = r->entries * x->width;
        const int32_t from = node_of[r->from], to = node_of[r->to];
        n->messages_total++;
        n->bytes_total += bytes;
        if (from != to) {
            n->messages_off_node++;
            n->bytes_off_node += bytes;
            t->part_bytes[r->from] += bytes;
            t->part_messages[r->from]++;
            if (t->part_last[r->from] != to + 1)
                t->part_nodes[r->from]++;
            t->part_last[r->from] = to + 1;
            t->node_bytes[from] += bytes;
            t->pair_bytes[from] += bytes;
            t->pair_messages[from]++;
        }
        if (i + 1 < x->routes && node_of[x->route[i + 1].to] == to)
            continue;
        for (; begin <= i; begin++) {
            const int32_t node = node_of[x->route[begin].from];
            n->s_node_node = MAX(n->s_node_node, t->pair_bytes[node]);
            n->m_node_node = MAX(n->m_node_node, t->pair_messages[node]);
            t->pair_bytes[node] = t->pair_messages[node] = 0;
        }
    }
    n->s_recv = MAX(n->s_recv, largest(x->need, x->parts) * x->width);

    /* columns once per receiving node */
    int64_t sources = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        NS_TRY(ns_context_tick(1 + pair->runs, err));
        const int64_t bytes = pair->entries * x->width;
        n->unique_bytes_off_node += bytes;
        n->unique_s_node_node = MAX(n->unique_s_node_node, bytes);
        t->node_unique[pair->from] += bytes;
        t->node_targets[pair->from]++;
        sources = i > 0 && pair->to == x->pair[i - 1].to ? sources + 1 : 1;
        n->recv_nodes = MAX(n->recv_nodes, sources);
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++)
            t->part_unique[x->run[r].origin] += x->run[r].entries * x->width;
    }
    return NS_OK;
}

ns_pattern ns_counts_finish(const ns_counts *counts)
{
    ns_pattern n = counts->pattern;
    n.s_proc = largest(counts->part_bytes, counts->parts);
    n.m_proc = largest(counts->part_messages, counts->parts);
    n.m_proc_node = largest(counts->part_nodes, counts->parts);
    n.s_node = largest(counts->node_bytes, counts->nodes);
    n.unique_s_proc = largest(counts->part_unique, counts->parts);
    n.unique_s_node = largest(counts->node_unique, counts->nodes);
    n.send_nodes = largest(counts->node_targets, counts->nodes);
    n.duplicate_fraction = n.bytes_off_node > 0 ? 1 - (double)n.unique_bytes_off_node / (double)n.bytes_off_node : 0;
    return n;
}

ns_status ns_exchange_count(ns_exchange *exchange, ns_error *err)
{
    ns_counts counts;
    NS_TRY(ns_counts_open(&counts, exchange->parts, exchange->nodes, err));
    const ns_status status = ns_counts_add(&counts, exchange, err);
    if (status == NS_OK)
        exchange->pattern = ns_counts_finish(&counts);
    ns_free(counts.sum);
    return status;
}
