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

/* After the routes, pairs by either node: what each owning part has for the other node and, where wanted, by run too.
 * There are no more strands than runs, so that the strands of a node begin at the index of its runs. */
ns_status ns_by_node_make(ns_by_node *b, ns_wanted wanted, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = b->exchange;
    const int32_t *local_of = x->site->local_of;
    const bool same = x->planned; /* each route between nodes is a run */
    const bool pairs = wanted.pairs && !b->made.pairs, runs = (wanted.runs || (wanted.routes && same)) && !b->made.runs;
    if (b->sent == NULL) /* the first time */
        NS_TRY(make_routes(b, wanted.routes && !same, arena, err));
    b->made = (ns_wanted){wanted.routes || b->made.routes, pairs || b->made.pairs, runs || b->made.runs};
    if (!pairs && !runs)
        return NS_OK;
    if (runs)
        NS_TRY(TAKE(b->run_out, x->runs));
    if (pairs)
        NS_TRY(TAKE(b->pair_out, x->pairs));
    for (int side = 0; side < NS_SIDES; side++) {
        NS_TRY(ZEROED(b->first_run[side], x->nodes + INT64_C(2)));
        if (!pairs)
            continue;
        NS_TRY(ZEROED(b->first_pair[side], x->nodes + INT64_C(2)));
        NS_TRY(TAKE(b->last_strand[side], x->nodes));
        NS_TRY(TAKE(b->entries[side], x->pairs));
        NS_TRY(TAKE(b->other[side], x->pairs));
        NS_TRY(TAKE(b->strand[side], x->runs));
    }
    for (const ns_pair *pair = x->pair; pair < x->pair + x->pairs; pair++) {
        b->first_run[NS_OUT][pair->from + 2] += pair->runs;
        b->first_run[NS_IN][pair->to + 2] += pair->runs;
        if (pairs) {
            b->first_pair[NS_OUT][pair->from + 2]++;
            b->first_pair[NS_IN][pair->to + 2]++;
        }
    }
    for (int side = 0; side < NS_SIDES; side++) {
        add_up(b->first_run[side], x->nodes);
        if (!pairs)
            continue;
        add_up(b->first_pair[side], x->nodes);
        memcpy(b->last_strand[side], b->first_run[side] + 1, (size_t)x->nodes * sizeof *b->last_strand[side]);
    }
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        const ns_run *run = &x->run[pair->run], *end = run + pair->runs;
        NS_TRY(ns_context_tick(pair->runs, err));
        if (runs) {
            ns_strand *out = &b->run_out[b->first_run[NS_OUT][pair->from + 1]];
            for (const ns_run *one = run; one < end; one++)
                *out++ = (ns_strand){one->entries, local_of[one->origin], pair->to};
        }
        b->first_run[NS_OUT][pair->from + 1] += pair->runs;
        b->first_run[NS_IN][pair->to + 1] += pair->runs;
        if (!pairs)
            continue;
        ns_strand *out = &b->strand[NS_OUT][b->last_strand[NS_OUT][pair->from]],
                  *in = &b->strand[NS_IN][b->last_strand[NS_IN][pair->to]];
        while (run < end) { /* runs of a part are consecutive */
            const int32_t owner = run->origin;
            int64_t entries = 0;
            for (; run < end && run->origin == owner; run++)
                entries += run->entries;
            *out++ = (ns_strand){entries, local_of[owner], pair->to};
            *in++ = (ns_strand){entries, owner, pair->from};
            b->sent[owner] += entries;
        }
        b->last_strand[NS_OUT][pair->from] = out - b->strand[NS_OUT];
        b->last_strand[NS_IN][pair->to] = in - b->strand[NS_IN];
        const int64_t at = b->first_pair[NS_OUT][pair->from + 1]++; /* they are in order by receiving node */
        b->first_pair[NS_IN][pair->to + 1]++;
        b->pair_out[at] = i;
        b->entries[NS_OUT][at] = pair->entries;
        b->entries[NS_IN][i] = pair->entries;
        b->other[NS_OUT][at] = pair->to;
        b->other[NS_IN][i] = pair->from;
    }
    if (same) {
        b->route = b->run_out;
        b->first_route = b->first_run[NS_OUT];
    }
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
        const int64_t first = b->first_pair[side][node], strand = b->first_run[side][node];
        n.pairs[side] = b->first_pair[side][node + 1] - first;
        n.other[side] = b->other[side] + first;
        n.entries[side] = b->entries[side] + first;
        n.strand[side] = b->strand[side] + strand;
        n.strands[side] = b->last_strand[side][node] - strand;
    }
    if (b->made.pairs)
        n.pair = b->pair_out + b->first_pair[NS_OUT][node];
    if (n.pairs[NS_IN] > 0) { /* pairs of a node are consecutive, and so are their runs */
        n.run = b->exchange->run + b->first_run[NS_IN][node];
        n.runs = b->first_run[NS_IN][node + 1] - b->first_run[NS_IN][node];
    }
    if (by_run) {
        n.strand[NS_OUT] = b->run_out + b->first_run[NS_OUT][node];
        n.strands[NS_OUT] = b->first_run[NS_OUT][node + 1] - b->first_run[NS_OUT][node];
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
    const int64_t *first = s->by_node->first_pair[NS_IN];
    int64_t *sent; /* [nodes] chunks */
    s->exchange_step = s->rule->deal != NULL ? 1 : 0;
    s->steps = s->rule->deal != NULL || s->rule->takes != NULL ? s->exchange_step + 2 : 1;
    s->cap = NULL;
    s->chunks_all = 0;
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
        NS_TRY(TAKE(c->local, s->most[side]));
        NS_TRY(TAKE(c->order, s->most[side]));
        NS_TRY(TAKE(c->key, 2 * s->most[side]));
        if (s->cap == NULL)
            continue; /* pairs are not cut */
        NS_TRY(TAKE(c->cut_entries, s->most[side]));
        NS_TRY(TAKE(c->cut_other, s->most[side]));
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
        c->count = n->pairs[side];
        c->entries = n->entries[side];
        c->other = n->other[side];
        if (s->cap != NULL) { /* cut what exceeds the receiving node's cap */
            c->count = 0;
            for (int64_t i = 0; i < n->pairs[side]; i++) {
                const int64_t cap = s->cap[side == NS_OUT ? n->other[side][i] : n->node];
                for (int64_t rest = n->entries[side][i]; rest > 0; rest -= c->cut_entries[c->count++]) {
                    c->cut_entries[c->count] = rest < cap ? rest : cap;
                    c->cut_other[c->count] = n->other[side][i];
                }
            }
            c->entries = c->cut_entries;
            c->other = c->cut_other;
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
