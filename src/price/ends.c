/* ends.c -- an exchange by node */
#include "price/ends.h"
#include "schedule/route.h"

#include <string.h>

#define TAKE(arena, array, count, err) take((arena), (void **)&(array), (count), sizeof *(array), (err))

static ns_status take(ns_arena *arena, void **array, int64_t count, size_t size, ns_error *err)
{
    return ns_arena_take(arena, (size_t)count, size, array, err);
}

/* Offsets of nodes: while they are filled, each stands one further on. */
static ns_status open_offsets(const ns_exchange *x, ns_arena *arena, int64_t **first, ns_error *err)
{
    void *room;
    NS_TRY(ns_arena_zeroed(arena, (size_t)x->nodes + 2, sizeof **first, &room, err));
    *first = room;
    return NS_OK;
}

static void add_offsets(int64_t *first, int32_t nodes)
{
    for (int32_t node = 0; node < nodes; node++)
        first[node + 2] += first[node + 1];
}

static ns_status fill_stay(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    const int32_t *node_of = x->site->node_of;
    NS_TRY(open_offsets(x, arena, &e->first_stay, err));
    for (int64_t i = 0; i < x->routes; i++) {
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        const int32_t node = node_of[x->route[i].to];
        e->first_stay[node + 2] += node_of[x->route[i].from] == node;
    }
    add_offsets(e->first_stay, x->nodes);
    NS_TRY(TAKE(arena, e->stay, e->first_stay[x->nodes + 1], err));
    for (int64_t i = 0; i < x->routes && e->first_stay[x->nodes + 1] > 0; i++) {
        const int32_t node = node_of[x->route[i].to];
        if (node_of[x->route[i].from] != node)
            continue;
        e->stay[e->first_stay[node + 1]++] = x->route[i];
        e->sent[x->route[i].from] += x->route[i].entries;
    }
    return NS_OK;
}

static ns_status open_pairs(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    NS_TRY(open_offsets(x, arena, &e->runs.first, err));
    NS_TRY(TAKE(arena, e->runs.strand, x->runs, err));
    for (int side = 0; side < NS_SIDES; side++) {
        NS_TRY(TAKE(arena, e->first[side], x->nodes + INT64_C(1), err));
        NS_TRY(TAKE(arena, e->entries[side], x->pairs, err));
        NS_TRY(TAKE(arena, e->other[side], x->pairs, err));
    }
    for (int64_t i = 0; i < x->pairs; i++)
        e->runs.first[x->pair[i].from + 2] += x->pair[i].runs;
    add_offsets(e->runs.first, x->nodes);
    return NS_OK;
}

/* Pairs as the exchange has them, and their runs by sending node. */
static ns_status fill_in(ns_ends *e, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    const int32_t *local_of = x->site->local_of;
    int32_t node = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        while (node <= pair->to)
            e->first[NS_IN][node++] = i;
        e->entries[NS_IN][i] = pair->entries;
        e->other[NS_IN][i] = pair->from;
        ns_strand *to = &e->runs.strand[e->runs.first[pair->from + 1]];
        e->runs.first[pair->from + 1] += pair->runs;
        for (int64_t r = 0; r < pair->runs; r++) {
            const ns_run *run = &x->run[pair->run + r];
            to[r] = (ns_strand){run->entries, local_of[run->origin], pair->to};
            e->sent[run->origin] += run->entries;
        }
    }
    while (node <= x->nodes)
        e->first[NS_IN][node++] = x->pairs;
    return NS_OK;
}

/* Pairs by sending node: runs that lie together. */
static ns_status fill_out(ns_ends *e, ns_error *err)
{
    const int32_t nodes = e->exchange->nodes;
    int64_t pairs = 0;
    for (int32_t node = 0; node < nodes; node++) {
        const int64_t first = e->runs.first[node], end = e->runs.first[node + 1];
        NS_TRY(ns_context_tick(end - first, err));
        e->first[NS_OUT][node] = pairs;
        for (int64_t i = first; i < end; i++) {
            const ns_strand *strand = &e->runs.strand[i];
            if (i == first || strand->to != strand[-1].to) {
                e->other[NS_OUT][pairs] = strand->to;
                e->entries[NS_OUT][pairs++] = 0;
            }
            e->entries[NS_OUT][pairs - 1] += strand->entries;
        }
    }
    e->first[NS_OUT][nodes] = pairs;
    return NS_OK;
}

static ns_status open_sums(const ns_exchange *x, ns_arena *arena, int64_t **sums, ns_error *err)
{
    void *room;
    NS_TRY(ns_arena_zeroed(arena, (size_t)x->parts + 1, sizeof **sums, &room, err));
    *sums = room;
    return NS_OK;
}

ns_status ns_ends_open(const ns_exchange *exchange, ns_arena *arena, ns_ends *ends, ns_error *err)
{
    *ends = (ns_ends){.exchange = exchange};
    NS_TRY(open_sums(exchange, arena, &ends->sent, err));
    NS_TRY(fill_stay(ends, arena, err));
    NS_TRY(open_pairs(ends, arena, err));
    NS_TRY(fill_in(ends, err));
    return fill_out(ends, err);
}

static int64_t most_of(const int64_t *first, int32_t nodes)
{
    int64_t most = 0;
    for (int32_t node = 0; node < nodes; node++)
        most = first[node + 1] - first[node] > most ? first[node + 1] - first[node] : most;
    return most;
}

ns_status ns_ends_sort(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    uint64_t *key;
    if (e->order[NS_OUT] != NULL)
        return NS_OK;
    const int64_t out = most_of(e->first[NS_OUT], x->nodes), in = most_of(e->first[NS_IN], x->nodes);
    NS_TRY(TAKE(arena, key, 2 * (out > in ? out : in), err));
    NS_TRY(TAKE(arena, e->order[NS_IN], x->pairs, err));
    NS_TRY(TAKE(arena, e->order[NS_OUT], x->pairs, err));
    for (int side = 0; side < NS_SIDES; side++)
        for (int32_t node = 0; node < x->nodes; node++) {
            const int64_t first = e->first[side][node], count = e->first[side][node + 1] - first;
            NS_TRY(ns_context_tick(count, err));
            ns_order_by_size(e->entries[side] + first, count, key, e->order[side] + first);
        }
    return NS_OK;
}

/* ---- routes ------------------------------------------------------------------------------------------------------ */

static ns_status open_routes(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    const int32_t *node_of = x->site->node_of;
    NS_TRY(open_sums(x, arena, &e->first_route, err));
    NS_TRY(open_sums(x, arena, &e->routed, err));
    NS_TRY(open_offsets(x, arena, &e->routes.first, err));
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        e->first_route[route->to + 1]++;
        e->routed[route->from] += route->entries;
        e->routes.first[node_of[route->from] + 2] += node_of[route->from] != node_of[route->to];
    }
    for (int32_t p = 0; p < x->parts; p++)
        e->first_route[p + 1] += e->first_route[p];
    add_offsets(e->routes.first, x->nodes);
    return TAKE(arena, e->routes.strand, e->routes.first[x->nodes + 1], err);
}

ns_status ns_ends_route(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    const ns_site *site = x->site;
    if (e->first_route != NULL)
        return NS_OK;
    NS_TRY(open_routes(e, arena, err));
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t p = site->part[i], node = site->node_of[p];
        NS_TRY(ns_context_tick(e->first_route[p + 1] - e->first_route[p], err));
        for (int64_t r = e->first_route[p]; r < e->first_route[p + 1]; r++) {
            const ns_route *route = &x->route[r];
            const int32_t from = site->node_of[route->from];
            if (from != node)
                e->routes.strand[e->routes.first[from + 1]++] =
                    (ns_strand){route->entries, site->local_of[route->from], node};
        }
    }
    return NS_OK;
}
