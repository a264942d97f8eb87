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

static ns_status fill_strands(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    NS_TRY(open_offsets(x, arena, &e->first[NS_OUT], err));
    NS_TRY(open_offsets(x, arena, &e->first[NS_IN], err));
    NS_TRY(open_offsets(x, arena, &e->first_strand, err));
    NS_TRY(TAKE(arena, e->strand, x->runs, err));
    int64_t *strand = e->first_strand;
    for (int64_t i = 0; i < x->pairs; i++) {
        e->first[NS_OUT][x->pair[i].from + 1]++;
        e->first[NS_IN][x->pair[i].to + 1]++;
        strand[x->pair[i].from + 2] += x->pair[i].runs;
    }
    add_offsets(strand, x->nodes);
    for (int side = 0; side < NS_SIDES; side++)
        for (int32_t node = 0; node < x->nodes; node++)
            e->first[side][node + 1] += e->first[side][node];
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        ns_strand *to = &e->strand[strand[pair->from + 1]];
        strand[pair->from + 1] += pair->runs;
        for (int64_t r = 0; r < pair->runs; r++) {
            const ns_run *run = &x->run[pair->run + r];
            to[r] = (ns_strand){run->entries, run->origin, pair->to};
            e->sent[run->origin] += run->entries;
        }
    }
    return NS_OK;
}

ns_status ns_ends_open(const ns_exchange *exchange, ns_arena *arena, ns_ends *ends, ns_error *err)
{
    void *room;
    *ends = (ns_ends){.exchange = exchange};
    NS_TRY(ns_arena_zeroed(arena, (size_t)exchange->parts, sizeof *ends->sent, &room, err));
    ends->sent = room;
    NS_TRY(fill_stay(ends, arena, err));
    return fill_strands(ends, arena, err);
}

static int64_t most_of(const int64_t *first, int32_t nodes)
{
    int64_t most = 0;
    for (int32_t node = 0; node < nodes; node++)
        most = first[node + 1] - first[node] > most ? first[node + 1] - first[node] : most;
    return most;
}

/* What a node has for each other; returns how many it has any for. */
static int64_t list_out(const ns_ends *e, int32_t node, int64_t *entries)
{
    int64_t count = 0;
    for (int64_t i = e->first_strand[node]; i < e->first_strand[node + 1]; i++) {
        const ns_strand *strand = &e->strand[i];
        if (i == e->first_strand[node] || strand->to != strand[-1].to)
            entries[count++] = 0;
        entries[count - 1] += strand->entries;
    }
    return count;
}

static int64_t list_in(const ns_ends *e, int32_t node, int64_t *entries)
{
    const int64_t first = e->first[NS_IN][node], count = e->first[NS_IN][node + 1] - first;
    for (int64_t i = 0; i < count; i++)
        entries[i] = e->exchange->pair[first + i].entries;
    return count;
}

ns_status ns_ends_sort(ns_ends *e, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    int64_t *entries;
    uint64_t *key;
    if (e->order[NS_OUT] != NULL)
        return NS_OK;
    const int64_t out = most_of(e->first[NS_OUT], x->nodes), in = most_of(e->first[NS_IN], x->nodes);
    NS_TRY(TAKE(arena, entries, out > in ? out : in, err));
    NS_TRY(TAKE(arena, key, 2 * (out > in ? out : in), err));
    NS_TRY(TAKE(arena, e->order[NS_IN], x->pairs, err));
    NS_TRY(TAKE(arena, e->order[NS_OUT], x->pairs, err));
    for (int side = 0; side < NS_SIDES; side++)
        for (int32_t node = 0; node < x->nodes; node++) {
            const int64_t count = side == NS_OUT ? list_out(e, node, entries) : list_in(e, node, entries);
            NS_TRY(ns_context_tick(count, err));
            ns_order_by_size(entries, count, key, e->order[side] + e->first[side][node]);
        }
    return NS_OK;
}
