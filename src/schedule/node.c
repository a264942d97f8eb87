/* node.c -- an exchange by node, and the chunks of a rule at one node */
#include "schedule/node.h"

#include "core/context.h"

#include <string.h>

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

/* Lists are counted at first[i + 2] and filled from first[i + 1] on, so that at the end list i begins at first[i]. */
static void add_up(int64_t *first, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        first[i + 2] += first[i + 1];
}

/* Routes by node: those inside, by receiving part; and, where wanted, those that leave, by receiving node. */
static ns_status make_routes(ns_by_node *b, bool leaving, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const ns_site *site = x->site;
    NS_TRY(ZEROED(b->sent, x->parts));
    NS_TRY(ZEROED(b->routed, x->parts));
    NS_TRY(ZEROED(b->received, x->parts + INT64_C(2)));
    NS_TRY(ZEROED(b->first_stay, x->nodes + INT64_C(2)));
    NS_TRY(ZEROED(b->first_route, x->nodes + INT64_C(2)));
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        const int32_t from = site->node_of[route->from];
        const bool stays = from == site->node_of[route->to];
        NS_TRY(ns_context_turn(i, err));
        b->received[route->to + 1]++;
        b->routed[route->from] += route->entries;
        b->sent[route->from] += stays ? route->entries : 0;
        b->first_stay[from + 2] += stays;
        b->first_route[from + 2] += leaving && !stays;
    }
    for (int32_t p = 0; p < x->parts; p++)
        b->received[p + 1] += b->received[p];
    add_up(b->first_stay, x->nodes);
    add_up(b->first_route, x->nodes);
    NS_TRY(TAKE(b->stay, b->first_stay[x->nodes + 1]));
    NS_TRY(TAKE(b->route, b->first_route[x->nodes + 1]));
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t p = site->part[i], node = site->node_of[p];
        NS_TRY(ns_context_tick(b->received[p + 1] - b->received[p], err));
        for (const ns_route *route = &x->route[b->received[p]]; route < &x->route[b->received[p + 1]]; route++) {
            const int32_t from = site->node_of[route->from];
            if (from == node)
                b->stay[b->first_stay[node + 1]++] = *route;
            else if (leaving)
                b->route[b->first_route[from + 1]++] = (ns_strand){route->entries, site->local_of[route->from], node};
        }
    }
    return NS_OK;
}

/* After the routes, runs by sending node.  Pairs to a node are consecutive, and so are their runs. */
ns_status ns_by_node_make(ns_by_node *b, bool routes, bool pairs, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const bool same = x->planned; /* each route between nodes is a run */
    if (b->sent == NULL)          /* the first time */
        NS_TRY(make_routes(b, routes && !same, arena, err));
    if (b->first_pair != NULL || !(pairs || (routes && same)))
        return NS_OK;
    NS_TRY(TAKE(b->run[NS_OUT], x->runs));
    NS_TRY(TAKE(b->run[NS_IN], x->runs));
    NS_TRY(ZEROED(b->first_run, x->nodes + INT64_C(2)));
    NS_TRY(ZEROED(b->first_pair, x->nodes + INT64_C(1)));
    for (const ns_pair *pair = x->pair; pair < x->pair + x->pairs; pair++) {
        b->first_run[pair->from + 2] += pair->runs;
        b->first_pair[pair->to + 1]++;
    }
    for (int32_t node = 0; node < x->nodes; node++)
        b->first_pair[node + 1] += b->first_pair[node];
    add_up(b->first_run, x->nodes);
    for (const ns_pair *pair = x->pair; pair < x->pair + x->pairs; pair++) {
        ns_strand *out = &b->run[NS_OUT][b->first_run[pair->from + 1]], *in = &b->run[NS_IN][pair->run];
        NS_TRY(ns_context_tick(pair->runs, err));
        for (const ns_run *run = &x->run[pair->run], *end = run + pair->runs; run < end; run++) {
            *out++ = (ns_strand){run->entries, x->site->local_of[run->origin], pair->to};
            *in++ = (ns_strand){run->entries, run->origin, pair->from};
            b->sent[run->origin] += run->entries;
        }
        b->first_run[pair->from + 1] += pair->runs;
    }
    if (same) {
        b->route = b->run[NS_OUT];
        b->first_route = b->first_run;
    }
    return NS_OK;
}

ns_node ns_by_node_at(const ns_by_node *b, int32_t node)
{
    const ns_exchange *x = b->exchange;
    ns_node n = {.node = node,
                 .route = b->route + b->first_route[node],
                 .routes = b->first_route[node + 1] - b->first_route[node],
                 .stay = b->stay + b->first_stay[node],
                 .stays = b->first_stay[node + 1] - b->first_stay[node]};
    if (b->first_pair == NULL)
        return n;
    n.run[NS_OUT] = b->run[NS_OUT] + b->first_run[node];
    n.runs[NS_OUT] = b->first_run[node + 1] - b->first_run[node];
    const ns_pair *pair = &x->pair[b->first_pair[node]], *end = &x->pair[b->first_pair[node + 1]];
    if (pair < end) {
        n.run[NS_IN] = b->run[NS_IN] + pair->run;
        n.runs[NS_IN] = end[-1].run + end[-1].runs - pair->run;
    }
    return n;
}

/* ---- chunks by node and size ------------------------------------------------------------------------------------- */

/* Takes time linear in the number of chunks.  Chunks are sorted by pair and first entry, and pairs by receiving and
 * then sending node, so that those of a node come in the order of the other node and the first entry; a stable sort by
 * descending size keeps this order among ties.  A key is the difference of the largest chunk and this one and, below
 * that, in `low` bits, its index. */
void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order)
{
    enum { FEW = 24, DIGIT = 6, VALUES = 1 << DIGIT };
    int64_t least = INT64_MAX, most = 0;
    int low = 0;
    for (int64_t i = 0; i < count; i++) {
        least = entries[i] < least ? entries[i] : least;
        most = entries[i] > most ? entries[i] : most;
    }
    while (count >> low > 0)
        low++;
    if (count <= FEW || most - least > INT64_MAX >> low) { /* by insertion */
        for (int64_t i = 0; i < count; i++) {
            int64_t at = i;
            for (; at > 0 && entries[order[at - 1]] < entries[i]; at--)
                order[at] = order[at - 1];
            order[at] = (int32_t)i;
        }
        return;
    }
    uint64_t *key = room, *other = room + count;
    for (int64_t i = 0; i < count; i++)
        key[i] = (uint64_t)(most - entries[i]) << low | (uint64_t)i;
    for (int shift = low; shift < 64 && (most - least) >> (shift - low) > 0; shift += DIGIT) { /* stable, by a digit */
        uint64_t *const from = key;
        uint32_t at[VALUES + 1] = {0};
        for (int64_t i = 0; i < count; i++)
            at[1 + (from[i] >> shift & (VALUES - 1))]++;
        for (int v = 1; v < VALUES; v++)
            at[v] += at[v - 1];
        for (int64_t i = 0; i < count; i++)
            other[at[from[i] >> shift & (VALUES - 1)]++] = from[i];
        key = other;
        other = from;
    }
    for (int64_t i = 0; i < count; i++)
        order[i] = (int32_t)(key[i] & ((UINT64_C(1) << low) - 1));
}

/* ---- a rule at one node ------------------------------------------------------------------------------------------ */

ns_status ns_statement_open(ns_statement *s, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = s->by_node->exchange;
    const int64_t *first = s->by_node->first_pair;
    int64_t *sent; /* [nodes] chunks */
    s->exchange_step = s->rule->deal != NULL ? 1 : 0;
    s->steps = s->rule->deal != NULL || s->rule->takes != NULL ? s->exchange_step + 2 : 1;
    s->cap = NULL;
    s->chunks_all = 0;
    memset(s->chunks, 0, sizeof s->chunks);
    s->most[NS_OUT] = s->most[NS_IN] = first == NULL ? x->nodes : 0; /* lists that are made when a node is visited */
    if (s->rule->deal == NULL || first == NULL)
        return NS_OK;
    if (s->rule->cap != NULL)
        NS_TRY(TAKE(s->cap, x->nodes));
    NS_TRY(ZEROED(sent, x->nodes));
    for (int32_t node = 0; node < x->nodes; node++) {
        const ns_pair *pair = &x->pair[first[node]], *end = &x->pair[first[node + 1]];
        int64_t received = 0;
        if (s->cap != NULL)
            s->cap[node] = pair < end ? s->rule->cap(s->task, pair, end - pair) : 0;
        for (; pair < end; pair++) {
            const int64_t chunks = s->cap != NULL ? (pair->entries - 1) / s->cap[node] + 1 : 1;
            received += chunks;
            sent[pair->from] += chunks;
        }
        s->chunks_all += received;
        s->most[NS_IN] = received > s->most[NS_IN] ? received : s->most[NS_IN];
    }
    for (int32_t node = 0; node < x->nodes; node++)
        s->most[NS_OUT] = sent[node] > s->most[NS_OUT] ? sent[node] : s->most[NS_OUT];
    return NS_OK;
}

ns_status ns_statement_scratch(ns_statement *s, int64_t slots, ns_arena *arena, ns_error *err)
{
    for (int side = 0; side < NS_SIDES; side++) {
        ns_chunks *c = &s->chunks[side];
        NS_TRY(TAKE(c->entries, s->most[side]));
        NS_TRY(TAKE(c->other, s->most[side]));
        NS_TRY(TAKE(c->local, s->most[side]));
        NS_TRY(TAKE(c->order, s->most[side]));
        NS_TRY(TAKE(c->key, 2 * s->most[side]));
    }
    NS_TRY(TAKE(s->hand, ns_site_node_most(s->task->processes)));
    NS_TRY(TAKE(s->slot, slots));
    NS_TRY(TAKE(s->sent, slots));
    return TAKE(s->received, slots);
}

void ns_statement_at(ns_statement *s, const ns_node *n)
{
    const ns_site *processes = s->task->processes;
    s->of = *n;
    s->size = ns_site_node_size(processes, n->node);
    s->process = &processes->part[processes->first[n->node]];
    for (int side = 0; side < NS_SIDES && s->rule->deal != NULL; side++) {
        ns_chunks *c = &s->chunks[side];
        c->count = 0;
        for (const ns_strand *run = n->run[side], *end = run + n->runs[side]; run < end;) {
            const ns_strand pair = ns_next_runs(&run, end, true); /* is cut where it exceeds the receiving node's cap */
            const int64_t cap = s->cap != NULL ? s->cap[side == NS_OUT ? pair.other : n->node] : pair.entries;
            for (int64_t rest = pair.entries; rest > 0; rest -= c->entries[c->count++]) {
                c->entries[c->count] = rest < cap ? rest : cap;
                c->other[c->count] = pair.other;
            }
        }
        ns_order_by_size(c->entries, c->count, c->key, c->order);
        const ns_chunk_list list = {c->count, c->entries, c->order, s->size, side == NS_IN};
        s->rule->deal(&list, s->hand, c->local);
    }
}

void ns_statement_hold(ns_statement *s, const ns_task *task)
{
    const ns_by_node *b = s->by_node;
    const ns_site *site = b->exchange->site;
    const int32_t parts = ns_site_node_size(site, s->of.node), *part = &site->part[site->first[s->of.node]],
                  holders = task->holders;
    for (int32_t i = 0, first = 0; i < parts; i++, first += holders) {
        const int64_t sent = b->sent[part[i]], need = b->exchange->need[part[i]];
        for (int32_t h = 0; h < holders; h++)
            s->slot[first + h] = task->processes->local_of[task->home[part[i]]] + h;
        if (holders == 1)
            continue;
        s->sent[i] = (ns_share_left){sent, ns_share(sent, holders, 0), first, first};
        s->received[i] = (ns_share_left){need, ns_share(need, holders, 0), first, first};
    }
}
