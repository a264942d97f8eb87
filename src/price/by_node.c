/* by_node.c -- an exchange by node */
#include "price/by_node.h"

#include "core/context.h"

#include <string.h>

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

/* Offsets are counted two places on and filled one place on, so that in the end each stands where its list begins. */
static void add_up(int64_t *first, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        first[i + 2] += first[i + 1];
}

/* Routes inside nodes. */
static ns_status make_stays(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const int32_t *node_of = x->site->node_of;
    NS_TRY(ZEROED(b->sent, x->parts));
    NS_TRY(ZEROED(b->received, x->parts + INT64_C(2)));
    NS_TRY(ZEROED(b->first_stay, x->nodes + INT64_C(2)));
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        NS_TRY(ns_context_turn(i, err));
        b->received[route->to + 1]++;
        b->first_stay[node_of[route->to] + 2] += node_of[route->from] == node_of[route->to];
    }
    for (int32_t p = 0; p < x->parts; p++)
        b->received[p + 1] += b->received[p];
    add_up(b->first_stay, x->nodes);
    NS_TRY(TAKE(b->stay, b->first_stay[x->nodes + 1]));
    for (int64_t i = 0; i < x->routes && b->first_stay[x->nodes + 1] > 0; i++) {
        const ns_route *route = &x->route[i];
        const int32_t node = node_of[route->to];
        NS_TRY(ns_context_turn(i, err));
        if (node_of[route->from] != node)
            continue;
        b->stay[b->first_stay[node + 1]++] = *route;
        b->sent[route->from] += route->entries;
    }
    return NS_OK;
}

/* By receiving node, as the exchange has its pairs: what each owning part has for it.  Counted by sending node on the
 * way. */
static ns_status make_in(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    int64_t strands = 0;
    int32_t node = 0;
    NS_TRY(TAKE(b->first_pair[NS_IN], x->nodes + INT64_C(1)));
    NS_TRY(TAKE(b->first_strand[NS_IN], x->nodes + INT64_C(1)));
    NS_TRY(ZEROED(b->first_pair[NS_OUT], x->nodes + INT64_C(2)));
    NS_TRY(ZEROED(b->first_strand[NS_OUT], x->nodes + INT64_C(2)));
    NS_TRY(TAKE(b->entries[NS_IN], x->pairs));
    NS_TRY(TAKE(b->other[NS_IN], x->pairs));
    NS_TRY(TAKE(b->strand[NS_IN], x->runs));
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        const int64_t before = strands;
        NS_TRY(ns_context_tick(pair->runs, err));
        for (; node <= pair->to; node++) {
            b->first_pair[NS_IN][node] = i;
            b->first_strand[NS_IN][node] = strands;
        }
        b->entries[NS_IN][i] = pair->entries;
        b->other[NS_IN][i] = pair->from;
        for (const ns_run *run = &x->run[pair->run]; run < &x->run[pair->run + pair->runs]; run++) {
            if (strands == before || b->strand[NS_IN][strands - 1].owner != run->origin)
                b->strand[NS_IN][strands++] = (ns_strand){0, run->origin, pair->from};
            b->strand[NS_IN][strands - 1].entries += run->entries;
            b->sent[run->origin] += run->entries;
        }
        b->first_pair[NS_OUT][pair->from + 2]++;
        b->first_strand[NS_OUT][pair->from + 2] += strands - before;
    }
    for (; node <= x->nodes; node++) {
        b->first_pair[NS_IN][node] = x->pairs;
        b->first_strand[NS_IN][node] = strands;
    }
    return NS_OK;
}

/* The same by sending node, and there by receiving node. */
static ns_status make_out(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const int32_t *local_of = x->site->local_of;
    add_up(b->first_pair[NS_OUT], x->nodes);
    add_up(b->first_strand[NS_OUT], x->nodes);
    NS_TRY(TAKE(b->entries[NS_OUT], x->pairs));
    NS_TRY(TAKE(b->other[NS_OUT], x->pairs));
    NS_TRY(TAKE(b->strand[NS_OUT], x->runs));
    const ns_strand *strand = b->strand[NS_IN];
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        const int64_t at = b->first_pair[NS_OUT][pair->from + 1]++;
        NS_TRY(ns_context_tick(pair->runs, err));
        b->entries[NS_OUT][at] = pair->entries;
        b->other[NS_OUT][at] = pair->to;
        for (int64_t entries = 0; entries < pair->entries; entries += strand++->entries)
            b->strand[NS_OUT][b->first_strand[NS_OUT][pair->from + 1]++] =
                (ns_strand){strand->entries, local_of[strand->owner], pair->to};
    }
    return NS_OK;
}

static ns_status make_pairs(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    NS_TRY(make_in(b, arena, err));
    return make_out(b, arena, err);
}

static ns_status make_order(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    int64_t most = 0;
    uint64_t *key;
    for (int side = 0; side < NS_SIDES; side++)
        for (int32_t node = 0; node < x->nodes; node++) {
            const int64_t count = b->first_pair[side][node + 1] - b->first_pair[side][node];
            most = count > most ? count : most;
        }
    NS_TRY(TAKE(key, 2 * most));
    for (int side = 0; side < NS_SIDES; side++) {
        NS_TRY(TAKE(b->order[side], x->pairs));
        for (int32_t node = 0; node < x->nodes; node++) {
            const int64_t first = b->first_pair[side][node], count = b->first_pair[side][node + 1] - first;
            NS_TRY(ns_context_tick(count, err));
            ns_order_by_size(b->entries[side] + first, count, key, b->order[side] + first);
        }
    }
    return NS_OK;
}

static ns_status make_runs(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const int32_t *local_of = x->site->local_of;
    NS_TRY(ZEROED(b->first_run, x->nodes + INT64_C(2)));
    NS_TRY(TAKE(b->run_out, x->runs));
    for (int64_t i = 0; i < x->pairs; i++)
        b->first_run[x->pair[i].from + 2] += x->pair[i].runs;
    add_up(b->first_run, x->nodes);
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        ns_strand *to = &b->run_out[b->first_run[pair->from + 1]];
        NS_TRY(ns_context_tick(pair->runs, err));
        b->first_run[pair->from + 1] += pair->runs;
        for (const ns_run *run = &x->run[pair->run]; run < &x->run[pair->run + pair->runs]; run++)
            *to++ = (ns_strand){run->entries, local_of[run->origin], pair->to};
    }
    return NS_OK;
}

/* Parts that receive are gone through by node. */
static ns_status make_routes(ns_by_node *b, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const ns_site *site = x->site;
    NS_TRY(ZEROED(b->routed, x->parts));
    NS_TRY(ZEROED(b->first_route, x->nodes + INT64_C(2)));
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        NS_TRY(ns_context_turn(i, err));
        b->routed[route->from] += route->entries;
        b->first_route[site->node_of[route->from] + 2] += site->node_of[route->from] != site->node_of[route->to];
    }
    add_up(b->first_route, x->nodes);
    NS_TRY(TAKE(b->route, b->first_route[x->nodes + 1]));
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t p = site->part[i], node = site->node_of[p];
        NS_TRY(ns_context_tick(b->received[p + 1] - b->received[p], err));
        for (const ns_route *route = &x->route[b->received[p]]; route < &x->route[b->received[p + 1]]; route++) {
            const int32_t from = site->node_of[route->from];
            if (from != node)
                b->route[b->first_route[from + 1]++] = (ns_strand){route->entries, site->local_of[route->from], node};
        }
    }
    return NS_OK;
}

ns_status ns_by_node_make(ns_by_node *b, ns_wanted wanted, ns_arena *arena, ns_error *err)
{
    if (b->sent == NULL)
        NS_TRY(make_stays(b, arena, err));
    if (wanted.routes && !b->made.routes)
        NS_TRY(make_routes(b, arena, err));
    if (wanted.pairs && !b->made.pairs)
        NS_TRY(make_pairs(b, arena, err));
    if (wanted.order && !b->made.order)
        NS_TRY(make_order(b, arena, err));
    if (wanted.runs && !b->made.runs)
        NS_TRY(make_runs(b, arena, err));
    b->made = (ns_wanted){wanted.routes || b->made.routes, wanted.pairs || b->made.pairs, wanted.order || b->made.order,
                          wanted.runs || b->made.runs};
    return NS_OK;
}

ns_node ns_by_node_at(const ns_by_node *b, int32_t node, bool by_run)
{
    ns_node n = {.node = node, .stay = b->stay + b->first_stay[node], .stays = b->first_stay[node + 1]};
    n.stays -= b->first_stay[node];
    if (b->made.routes) {
        n.route = b->route + b->first_route[node];
        n.routes = b->first_route[node + 1] - b->first_route[node];
    }
    for (int side = 0; side < NS_SIDES && b->made.pairs; side++) {
        const int64_t first = b->first_pair[side][node], strand = b->first_strand[side][node];
        n.pairs[side] = b->first_pair[side][node + 1] - first;
        n.other[side] = b->other[side] + first;
        n.entries[side] = b->entries[side] + first;
        n.order[side] = b->made.order ? b->order[side] + first : NULL;
        n.strand[side] = b->strand[side] + strand;
        n.strands[side] = b->first_strand[side][node + 1] - strand;
    }
    if (by_run) {
        const ns_exchange *x = b->exchange;
        n.strand[NS_OUT] = b->run_out + b->first_run[node];
        n.strands[NS_OUT] = b->first_run[node + 1] - b->first_run[node];
        if (n.pairs[NS_IN] > 0) { /* pairs of a node follow each other */
            const ns_pair *pair = &x->pair[b->first_pair[NS_IN][node]], *last = pair + n.pairs[NS_IN] - 1;
            n.run = &x->run[pair->run];
            n.runs = last->run + last->runs - pair->run;
        }
    }
    return n;
}
