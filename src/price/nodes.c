/* nodes.c -- strategies that say their rule, or send their routes, priced node by node */
#include "price/nodes.h"

#include "core/context.h"
#include "price/cost.h"

#include <string.h>

/* ---- may it be done so? ------------------------------------------------------------------------------------------ */

static bool has_steps(const ns_strategy *strategy)
{
    const ns_rule *rule = strategy->rule;
    const int steps = ns_strategy_steps(strategy), exchange = rule->deal != NULL ? 1 : 0;
    return steps == exchange + 2 && (exchange == 0 || strategy->steps[0].joining == NS_JOINED) &&
           (strategy->steps[exchange].joining == NS_APART ||
            (strategy->steps[exchange].joining == NS_ONCE && rule->cap == NULL)) &&
           strategy->steps[exchange + 1].joining == NS_JOINED;
}

static int64_t slots_of(const ns_task *task)
{
    const int32_t parts = task->exchange->parts, per_node = task->exchange->per_node;
    return (int64_t)(per_node < parts ? per_node : parts) * task->holders;
}

static int32_t size_of(const ns_site *site)
{
    return site->per_node < site->parts ? site->per_node : site->parts;
}

/* A matrix of cells for one node at a time, which is not much larger than what is sent. */
static bool has_room(const ns_task *task)
{
    enum { SMALL = 1 << 14, TIMES = 4 };
    const int64_t most = SMALL + TIMES * (task->exchange->runs + task->exchange->routes);
    return slots_of(task) <= most / size_of(task->processes);
}

/* Each route is a message between the processes of its parts. */
static bool sends_routes(const ns_strategy *strategy, const ns_task *task)
{
    return strategy->rule == NULL && strategy->shape == NS_SHAPE_DIRECT && ns_strategy_steps(strategy) == 1 &&
           strategy->steps[0].joining == NS_ONCE && !strategy->all_processes && task->holders == 1;
}

static bool follows_rule(const ns_strategy *strategy, const ns_task *task)
{
    return strategy->rule != NULL && strategy->emit == ns_rule_emit && has_steps(strategy) &&
           (strategy->rule->deal != NULL || (task->holders == 1 && !strategy->all_processes)) &&
           task->exchange->runs < INT32_MAX && has_room(task);
}

bool ns_nodes_may(const ns_strategy *strategy, const ns_task *task)
{
    return strategy->same_messages && (follows_rule(strategy, task) || sends_routes(strategy, task));
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Of any content, and zeroed. */
#define TAKE(arena, array, count, err)        take((arena), (void **)&(array), (count), sizeof *(array), (err))
#define TAKE_ZEROED(arena, array, count, err) take_zeroed((arena), (void **)&(array), (count), sizeof *(array), (err))

static ns_status take(ns_arena *arena, void **array, int64_t count, size_t size, ns_error *err)
{
    return ns_arena_take(arena, (size_t)count, size, array, err);
}

static ns_status take_zeroed(ns_arena *arena, void **array, int64_t count, size_t size, ns_error *err)
{
    return ns_arena_zeroed(arena, (size_t)count, size, array, err);
}

static ns_status find_caps(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->ends->exchange;
    const int64_t *first = v->ends->first[NS_IN];
    v->cap = NULL;
    if (v->rule == NULL || v->rule->cap == NULL)
        return NS_OK;
    NS_TRY(TAKE(arena, v->cap, x->nodes, err));
    for (int32_t node = 0; node < x->nodes; node++)
        if (first[node + 1] > first[node])
            v->cap[node] = v->rule->cap(&v->variant[0].task, &x->pair[first[node]], first[node + 1] - first[node]);
    return NS_OK;
}

/* What a pair is cut into: of a rule that does not deal, as many as it has runs. */
static int64_t chunks_of(const ns_visit *v, int side, int32_t node, int64_t pair)
{
    const ns_ends *e = v->ends;
    if (v->rule->deal == NULL)
        return e->exchange->pair[pair].runs;
    const int64_t entries = e->entries[side][pair], cap = v->cap[side == NS_OUT ? e->other[side][pair] : node];
    return entries <= cap ? 1 : entries / cap + 1;
}

/* The most chunks at one end of a node. */
static int64_t most_chunks(const ns_visit *v, int side)
{
    const int64_t *first = v->ends->first[side];
    const bool whole = v->rule->deal != NULL && v->cap == NULL;
    int64_t most = 0;
    for (int32_t node = 0; node < v->ends->exchange->nodes; node++) {
        int64_t count = whole ? first[node + 1] - first[node] : 0;
        for (int64_t i = first[node]; i < first[node + 1] && !whole; i++)
            count += chunks_of(v, side, node, i);
        most = count > most ? count : most;
    }
    return most;
}

static ns_status open_end(ns_visit *v, int side, ns_arena *arena, ns_error *err)
{
    const int64_t chunks = v->most_chunks[side];
    NS_TRY(TAKE(arena, v->end[side].local, chunks, err));
    if (v->cap == NULL && v->rule->deal != NULL)
        return NS_OK; /* pairs as they stand */
    NS_TRY(TAKE(arena, v->room[side].entries, chunks, err));
    NS_TRY(TAKE(arena, v->room[side].other, chunks, err));
    NS_TRY(TAKE(arena, v->room[side].sorted, chunks, err));
    return TAKE(arena, v->room[side].key, 2 * chunks, err);
}

/* What gather and scatter want. */
static ns_status open_cells(ns_visit *v, int64_t size, ns_arena *arena, ns_error *err)
{
    int64_t slots = 1;
    for (int i = 0; i < v->variants; i++)
        slots = slots_of(&v->variant[i].task) > slots ? slots_of(&v->variant[i].task) : slots;
    v->slots = slots;
    for (int side = v->exchange_step > 0 ? NS_OUT : NS_IN; side < NS_SIDES; side++) /* else those sent are not listed */
        NS_TRY(open_end(v, side, arena, err));
    NS_TRY(TAKE(arena, v->hand, size, err));
    NS_TRY(TAKE(arena, v->slot, slots, err));
    NS_TRY(TAKE(arena, v->sent, slots, err));
    NS_TRY(TAKE(arena, v->received, slots, err));
    NS_TRY(TAKE_ZEROED(arena, v->cell, slots * size, err));
    return TAKE(arena, v->spot, slots * size + 1, err);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const int64_t size = size_of(v->variant[0].task.processes), stride = 1 + v->rows.classes;
    NS_TRY(v->rule != NULL ? open_cells(v, size, arena, err)
                           : TAKE_ZEROED(arena, v->met, v->ends->exchange->nodes, err));
    NS_TRY(TAKE(arena, v->socket, size, err));
    NS_TRY(TAKE_ZEROED(arena, v->row, NS_SIDES * size * stride, err));
    NS_TRY(TAKE_ZEROED(arena, v->meeting, NS_SIDES * size, err));
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(TAKE_ZEROED(arena, v->most[side], stride, err));
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_RACES * NS_TRANSPORTS * NS_RULE_STEPS * NS_SIDES; k++) {
            ns_slowest *s = &v->variant[i].slowest[0][0][0] + k / NS_SIDES;
            NS_TRY(TAKE(arena, s->row[k % NS_SIDES], stride, err));
        }
    return NS_OK;
}

/* What all nodes have in common. */
static ns_status set_out(ns_visit *v, ns_arena *arena, ns_error *err)
{
    NS_TRY(ns_context_ask(err));
    v->far = (ns_far){0, 0, 0};
    v->messages_off_node_max = 0;
    v->priced = true;
    ns_rows_of(&v->sizes, &v->rows);
    v->terms = ns_form_terms(v->form);
    v->steps = ns_strategy_steps(v->variant[0].strategy);
    v->exchange_step = v->rule != NULL && v->rule->deal != NULL ? 1 : 0;
    v->cube = v->form->needs_hops ? ns_cube_side(v->ends->exchange->nodes) : 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        v->bounded[t] = v->values[t] != NULL && ns_rows_bound(v->values[t]);
    NS_TRY(find_caps(v, arena, err));
    for (int side = v->exchange_step > 0 ? NS_OUT : NS_IN; side < NS_SIDES && v->rule != NULL; side++)
        v->most_chunks[side] = most_chunks(v, side);
    return ns_visit_open(v, arena, err);
}

/* A share of what each part sends, and of what it needs, is copied by each of its holders.  Shares
 * differ by one entry at most. */
static void add_copies(const ns_visit *v, ns_variant *variant)
{
    const ns_exchange *x = v->ends->exchange;
    const int32_t holders = variant->task.holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        const int64_t *entries = d != NS_D2H ? x->need : v->rule != NULL ? v->ends->sent : v->ends->routed;
        int64_t most = 0, copies = 0;
        for (int32_t p = 0; p < x->parts; p++) {
            copies += entries[p] < holders ? entries[p] : holders;
            most = entries[p] > most ? entries[p] : most;
        }
        variant->copies[d] = copies;
        variant->copy_bytes[d] = (most / holders + (most % holders > 0)) * x->width;
    }
}

ns_status ns_nodes_run(ns_visit *visit, int visits, int threads, ns_arena *arena, ns_error *err)
{
    for (int i = 0; i < visits; i++)
        NS_TRY(set_out(&visit[i], arena, err));
    NS_TRY(ns_visit_all(visit, visits, threads, arena, err));
    for (ns_visit *v = visit; v < visit + visits; v++)
        for (int i = 0; i < v->variants; i++) {
            for (int t = 0; t < NS_TRANSPORTS; t++)
                for (int r = 0; r < NS_RACES; r++)
                    v->variant[i].slowest[r][t][v->exchange_step] = v->variant[0].slowest[r][t][v->exchange_step];
            add_copies(v, &v->variant[i]);
        }
    return NS_OK;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_nodes_price(const ns_visit *v, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err)
{
    ns_load_source source = {.strategy = variant->strategy,
                             .machine = v->machine,
                             .form = v->form,
                             .memory = ns_node_memory(transport),
                             .site = variant->task.processes,
                             .steps = v->steps,
                             .holders = variant->task.holders,
                             .staged = transport == NS_VIA_HOST && v->machine->gpus > 0};
    const ns_form_values *values = v->values[transport];
    ns_step_price waiting[NS_RULE_STEPS] = {{.process = 0}};
    memset(price, 0, sizeof *price);
    price->steps = source.steps;
    memcpy(source.copies, variant->copies, sizeof source.copies);
    memcpy(source.copy_bytes, variant->copy_bytes, sizeof source.copy_bytes);
    for (int r = 0; r < ns_races_of(values); r++)
        for (int i = 0; i < source.steps; i++) {
            const ns_slowest *s = &variant->slowest[r][transport][i];
            ns_step_price *step = r == NS_BUT_BYTES ? &waiting[i] : &price->step[i];
            step->process = s->process;
            if (s->process < 0)
                continue;
            v->form->price(values, &s->load, true, step);
            step->leaves = s->leaves;
            ns_note_sizes(&s->load, step);
        }
    return ns_price_finish(&source, values, confidence, values->hides ? waiting : NULL, price, err);
}
