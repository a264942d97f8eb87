/* visit.c -- what the processes of one node send and receive by a rule
 *
 * Messages of a process come in the order of the other node, so that it meets each node once.  Inside a node slices go
 * from the holders of a part's data to processes, or the other way: those between the same two are entries of one cell,
 * and become one message.
 */
#include "price/visit.h"

#include "core/context.h"

#include <string.h>

bool ns_visit_may(const ns_strategy *strategy, const ns_task *task)
{
    enum { SMALL = 1 << 17, TIMES = 4 };
    const ns_rule *rule = strategy->rule;
    const int64_t cells = SMALL + TIMES * (task->exchange->runs + task->exchange->routes);
    return rule != NULL && strategy->group == 0 && strategy->same_messages && task->exchange->runs < INT32_MAX &&
           (rule->deal != NULL || (task->holders == 1 && !strategy->all_processes)) &&
           ns_task_slots(task) <= cells / ns_task_size(task);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

ns_status ns_visit_scratch(ns_visit *v, const int64_t chunks[NS_SIDES], ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int32_t size = ns_task_size(&v->variant[0].task);
    v->slots = 1;
    for (int i = 0; i < v->variants; i++) {
        const int64_t slots = ns_task_slots(&v->variant[i].task);
        v->slots = slots > v->slots ? slots : v->slots;
    }
    NS_TRY(ns_sums_scratch(&v->sums, x->nodes, size, arena, err));
    if (v->says.steps == 1)
        return NS_OK;
    NS_TRY(ns_statement_scratch(&v->says, chunks, v->slots, arena, err));
    NS_TRY(TAKE(v->taker, x->parts));
    NS_TRY(ZEROED(v->cell, v->slots * size));
    return TAKE(v->spot, v->slots * size + 1);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    NS_TRY(ns_context_ask(err));
    ns_sums_open(&v->sums);
    v->cube = v->sums.form->needs_hops ? ns_cube_side(v->says.by_node->exchange->nodes) : 0;
    v->hop_bytes = (ns_hop_bytes){0, 0, 0};
    v->messages_off_node_max = 0;
    v->says.task = &v->variant[0].task;
    v->by_run = v->says.rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        v->by_run = v->by_run || v->variant[i].task.holders > 1;
    return ns_statement_open(&v->says, arena, err);
}

/* ---- between nodes ----------------------------------------------------------------------------------------------- */

/* Messages in the order of the other node. */
NS_COMPILED void add_in_order(ns_between *b, int32_t local, int64_t bytes, int32_t other)
{
    int32_t *last = &b->partners[NS_SIDES * (int64_t)local].last;
    const bool first = *last != other + 1;
    *last = other + 1;
    ns_between_add(b, local, bytes, first);
}

/* Which process takes what each part of another node has for this one: of whole pairs that of the pair. */
static void find_takers(ns_visit *v)
{
    const ns_node *n = &v->says.of;
    const ns_strand *strand = n->strand[NS_IN], *end = strand + n->strands[NS_IN];
    int64_t pair = 0;
    if (v->says.rule->takes != NULL)
        for (; strand < end; strand++)
            v->taker[strand->owner] = v->says.rule->takes(v->says.task->processes, strand->owner, n->node);
    else
        for (; strand < end; strand++) {
            pair += n->other[NS_IN][pair] != strand->other;
            v->taker[strand->owner] = v->says.chunks[NS_IN].local[pair];
        }
}

/* ---- inside the node --------------------------------------------------------------------------------------------- */

/* Cells at hand. */
typedef struct cells {
    int64_t *cell, spots, slots;
    uint64_t *spot;
} cells;

static inline cells cells_of(const ns_visit *v)
{
    return (cells){v->cell, 0, v->slots, v->spot};
}

/* As a statement names them. */
static inline void add_cell(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice,
                            int64_t chunk)
{
    (void)slice, (void)chunk;
    cells *c = sink;
    int64_t *cell = &c->cell[process * c->slots + slot];
    const int64_t before = *cell;
    c->spot[c->spots] = (uint64_t)(uint32_t)slot << 32 | (uint32_t)process;
    c->spots += before == 0;
    *cell = before + entries;
}

/* Cells become messages; from a process to itself nothing goes. */
static void add_cells(ns_visit *v, const cells *c, bool from_holder)
{
    const ns_within w = ns_within_of(&v->sums);
    const int64_t width = v->says.by_node->exchange->width;
    for (const uint64_t *spot = c->spot; spot < c->spot + c->spots; spot++) {
        const int32_t slot = (int32_t)(*spot >> 32), holder = v->says.slot[slot], other = (int32_t)*spot;
        int64_t *cell = &c->cell[other * c->slots + slot];
        const int64_t bytes = *cell * width;
        *cell = 0;
        if (holder != other)
            ns_within_add(&w, from_holder ? holder : other, from_holder ? other : holder, bytes);
    }
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

void ns_visit_hops(ns_visit *v, const ns_node *n)
{
    const bool once = v->says.steps > 1; /* for each node */
    const ns_strand *strand = once ? n->strand[NS_OUT] : n->route,
                    *end = strand + (once ? n->strands[NS_OUT] : n->routes);
    for (; strand < end && v->cube > 0; strand++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, strand->other,
                         strand->entries * v->says.by_node->exchange->width);
}

void ns_visit_start(ns_visit *v)
{
    const double link_bytes = v->cube > 0 ? ns_link_bytes(&v->hop_bytes, v->says.by_node->exchange->nodes) : 0;
    for (int step = 0; step < NS_RULE_STEPS; step++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            v->at[step][t] = (ns_row_load){.load = {.first = step == 0,
                                                    .later = step > 0,
                                                    .link_bytes = step == v->says.exchange_step ? link_bytes : 0}};
    for (int i = 0; i < v->variants; i++)
        ns_slowest_forget(v->variant[i].slowest, NS_RULE_STEPS);
}

static void price_step(ns_visit *v, ns_variant *variant, int step)
{
    ns_sums_price(&v->sums, ns_strategy_packs(variant->strategy), v->at[step],
                  &variant->slowest[ns_slowest_at(step, 0, 0)]);
}

/* What is gathered and scattered inside the node; of a rule that does not deal nothing is gathered. */
static void gather_and_scatter(ns_visit *v, ns_variant *variant)
{
    const ns_by_node *by = v->says.by_node;
    const ns_site *site = by->exchange->site;
    const int32_t holders = variant->task.holders, node = v->says.of.node, *part = &site->part[site->first[node]];
    cells c = cells_of(v);
    ns_statement_hold(&v->says, &variant->task);
    if (v->says.rule->deal != NULL) {
        if (holders == 1)
            ns_name_gather(&v->says, 1, add_cell, &c);
        else
            ns_name_gather(&v->says, holders, add_cell, &c);
        add_cells(v, &c, true);
        price_step(v, variant, 0);
        if (!v->by_run)
            find_takers(v);
    }
    c = cells_of(v);
    if (v->by_run && holders == 1)
        ns_name_scatter(&v->says, true, 1, add_cell, &c);
    else if (v->by_run)
        ns_name_scatter(&v->says, true, holders, add_cell, &c);
    /* Of whole pairs, and parts with one holder, the order of entries tells nothing: their routes do. */
    for (int32_t i = 0; i < ns_site_node_size(site, node) && !v->by_run; i++) {
        const ns_route *end = &by->exchange->route[by->received[part[i] + 1]];
        for (const ns_route *route = &by->exchange->route[by->received[part[i]]]; route < end; route++)
            if (site->node_of[route->from] != node)
                add_cell(&c, i, v->taker[route->from], route->entries, NULL, -1);
    }
    add_cells(v, &c, false);
    price_step(v, variant, v->says.exchange_step + 1);
}

void ns_visit_node(ns_visit *v, const ns_node *n)
{
    const ns_task *task = v->says.task;
    const ns_rule *rule = v->says.rule;
    const ns_by_node *by = v->says.by_node;
    const ns_exchange *x = by->exchange;
    const int64_t width = x->width;
    ns_statement_at(&v->says, n);
    ns_sums_at(&v->sums, task->processes, n->node);
    if (rule->takes != NULL)
        find_takers(v);
    for (int side = 0; side < NS_SIDES; side++) {
        ns_between b = ns_between_of(&v->sums, side);
        if (rule->deal != NULL) {
            ns_statement_deal(&v->says, side);
            const ns_chunks c = v->says.chunks[side];
            for (int64_t i = 0; i < c.count; i++)
                add_in_order(&b, c.local[i], c.entries[i] * width, c.other[i]);
        } else if (rule->takes != NULL || side == NS_OUT) {
            /* A message for each strand, of its owner or, where it comes in, of the process that takes it. */
            const ns_strand *strand = rule->takes != NULL ? n->strand[side] : n->route,
                            *end = strand + (rule->takes != NULL ? n->strands[side] : n->routes);
            for (; strand < end; strand++)
                add_in_order(&b, side == NS_IN ? v->taker[strand->owner] : strand->owner, strand->entries * width,
                             strand->other);
        } else
            for (int32_t i = 0; i < v->says.size; i++) {
                const ns_route *route = &x->route[by->received[v->says.process[i]]],
                               *end = &x->route[by->received[v->says.process[i] + 1]];
                for (const int64_t stamp = ++v->sums.stamp; route < end; route++) {
                    const int32_t other = x->site->node_of[route->from];
                    const bool first = ns_sums_meet(&v->sums, stamp, other);
                    if (other != n->node)
                        ns_between_add(&b, i, route->entries * width, first);
                }
            }
        v->sums.node_bytes[side] = b.bytes;
    }
    const int64_t sent = ns_sums_note_between(&v->sums);
    v->messages_off_node_max = sent > v->messages_off_node_max ? sent : v->messages_off_node_max;
    if (rule->deal == NULL) { /* else what stays in the node is gathered with the rest */
        const int32_t *local_of = task->processes->local_of;
        const ns_within w = ns_within_of(&v->sums);
        for (const ns_route *route = n->stay; route < n->stay + n->stays; route++)
            ns_within_add(&w, local_of[task->home[route->from]], local_of[task->home[route->to]],
                          route->entries * width);
    }
    price_step(v, &v->variant[0], v->says.exchange_step);
    for (int i = 0; i < v->variants && v->says.steps > 1; i++)
        gather_and_scatter(v, &v->variant[i]);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* A share of what each part sends, and of what it needs, is copied by each of its holders.  Shares differ by one entry
 * at most. */
ns_copying ns_visit_copying(const ns_visit *v, const ns_variant *variant, ns_transport transport)
{
    const ns_by_node *b = v->says.by_node;
    const int32_t holders = variant->task.holders;
    ns_copying of = {.strategy = variant->strategy,
                     .machine = v->sums.machine,
                     .holders = holders,
                     .staged = transport == NS_VIA_HOST && v->sums.machine->gpus > 0};
    for (int d = 0; d < NS_DIRECTIONS && of.staged; d++) {
        const int64_t *entries = d != NS_D2H ? b->exchange->need : v->says.steps > 1 ? b->sent : b->routed;
        int64_t most = 0, least = INT64_MAX;
        for (int32_t p = 0; p < b->exchange->parts; p++) {
            const int64_t share = entries[p] < holders ? entries[p] > 0 : entries[p] / holders; /* the smallest */
            of.copies[d] += entries[p] < holders ? entries[p] : holders;
            most = entries[p] > most ? entries[p] : most;
            least = share > 0 && share < least ? share : least;
        }
        of.copy_bytes[d] = (most / holders + (most % holders > 0)) * b->exchange->width;
        of.copy_least[d] = most > 0 ? least * b->exchange->width : 0;
    }
    return of;
}

ns_status ns_visit_price(const ns_visit *v, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err)
{
    const ns_copying copying = ns_visit_copying(v, variant, transport);
    const ns_slowest *slowest[NS_RULE_STEPS];
    for (int i = 0; i < v->says.steps; i++) /* that of the exchange is the same for all */
        slowest[i] = &(i == v->says.exchange_step ? &v->variant[0] : variant)->slowest[ns_slowest_at(i, 0, 0)];
    return ns_sums_close(&v->sums, transport, v->says.steps, slowest, &copying, confidence, price, err);
}
