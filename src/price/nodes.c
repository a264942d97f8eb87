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

#define TAKE(arena, array, count, err) take((arena), (void **)&(array), (count), sizeof *(array), (err))

static ns_status take(ns_arena *arena, void **array, int64_t count, size_t size, ns_error *err)
{
    return ns_arena_zeroed(arena, (size_t)count, size, array, err);
}

static ns_status find_caps(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->ends->exchange;
    const int64_t *first = v->ends->first[NS_IN];
    if (v->rule->cap == NULL)
        return NS_OK;
    NS_TRY(TAKE(arena, v->cap, x->nodes, err));
    for (int32_t node = 0; node < x->nodes; node++)
        if (first[node + 1] > first[node])
            v->cap[node] = v->rule->cap(&v->variant[0].task, &x->pair[first[node]], first[node + 1] - first[node]);
    return NS_OK;
}

/* The most chunks at one end of a node: of one that is not dealt, of each run one; else of each pair, and more where
 * these are cut. */
static int64_t most_chunks(const ns_visit *v, int side)
{
    const ns_ends *e = v->ends;
    int64_t most = 0;
    for (int32_t node = 0; node < e->exchange->nodes; node++) {
        int64_t count = 0;
        for (int64_t i = e->first[side][node]; i < e->first[side][node + 1]; i++) {
            const int64_t cap = ns_node_cap(v, side == NS_OUT ? e->other[side][i] : node);
            count += v->rule->deal == NULL        ? e->exchange->pair[i].runs
                     : e->entries[side][i] <= cap ? 1
                                                  : e->entries[side][i] / cap + 1;
        }
        most = count > most ? count : most;
    }
    return most;
}

static ns_status open_end(ns_visit *v, int side, ns_arena *arena, ns_error *err)
{
    const int64_t chunks = most_chunks(v, side);
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
    NS_TRY(find_caps(v, arena, err));
    for (int side = v->rule->deal != NULL ? NS_OUT : NS_IN; side < NS_SIDES; side++)
        NS_TRY(open_end(v, side, arena, err));
    NS_TRY(TAKE(arena, v->hand, size, err));
    NS_TRY(TAKE(arena, v->slot, slots, err));
    NS_TRY(TAKE(arena, v->sent, slots, err));
    NS_TRY(TAKE(arena, v->received, slots, err));
    NS_TRY(TAKE(arena, v->cell, slots * size, err));
    return ns_arena_take(arena, (size_t)(slots * size + 1), sizeof *v->spot, (void **)&v->spot, err);
}

static ns_status open_visit(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const int64_t size = size_of(v->variant[0].task.processes), stride = 1 + v->rows.classes;
    NS_TRY(v->rule != NULL ? open_cells(v, size, arena, err) : TAKE(arena, v->met, v->ends->exchange->nodes, err));
    NS_TRY(TAKE(arena, v->socket, size, err));
    NS_TRY(TAKE(arena, v->row, NS_SIDES * size * stride, err));
    NS_TRY(TAKE(arena, v->meeting, NS_SIDES * size, err));
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(TAKE(arena, v->most[side], stride, err));
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_TRANSPORTS * NS_RULE_STEPS * NS_SIDES; k++) {
            ns_slowest *s = &v->variant[i].slowest[0][0] + k / NS_SIDES;
            NS_TRY(TAKE(arena, s->row[k % NS_SIDES], stride, err));
        }
    return NS_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void enter(ns_visit *v, int32_t node)
{
    const ns_site *processes = v->variant[0].task.processes;
    v->node = node;
    v->size = ns_site_node_size(processes, node);
    v->process = &processes->part[processes->first[node]];
    for (int32_t i = 0; i < v->size; i++)
        v->socket[i] = processes->socket_of[v->process[i]];
}

static bool price_sums(ns_visit *v, ns_variant *variant, int step)
{
    const bool priced = ns_node_race(v, variant, step);
    ns_node_clean(v);
    return priced;
}

static bool price_node(ns_visit *v)
{
    bool priced;
    ns_node_exchange(v);
    priced = price_sums(v, &v->variant[0], v->exchange_step);
    for (int i = 0; i < v->variants && v->steps > 1; i++) {
        ns_variant *variant = &v->variant[i];
        ns_node_hold(v, variant);
        if (v->exchange_step > 0) {
            ns_node_gather(v, variant);
            priced = priced && price_sums(v, variant, 0);
        }
        ns_node_scatter(v, variant);
        priced = priced && price_sums(v, variant, v->exchange_step + 1);
    }
    return priced;
}

/* Hops are a step's, over all of its messages, and so known before it is priced. */
static void add_links(ns_visit *v)
{
    for (int32_t node = 0; node < v->ends->exchange->nodes; node++) {
        enter(v, node);
        ns_node_far(v);
    }
}

static void start(ns_visit *v)
{
    const double link_bytes = v->cube > 0 ? ns_far_link_bytes(&v->far, v->ends->exchange->nodes) : 0;
    for (int i = 0; i < v->variants; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            for (int step = 0; step < NS_RULE_STEPS; step++) {
                ns_slowest *s = &v->variant[i].slowest[t][step];
                s->at = (ns_row_load){.load = {.first = step == 0, .later = step > 0}};
                s->at.load.link_bytes = step == v->exchange_step ? link_bytes : 0;
                s->process = -1;
                s->seconds = -1;
                s->leaves = false;
            }
}

/* About as many as the node's slices. */
static int64_t slices_about(const ns_visit *v)
{
    const ns_ends *e = v->ends;
    if (v->rule == NULL)
        return 2 * (e->routes.first[v->node + 1] - e->routes.first[v->node]);
    return 2 * v->variants * (e->runs.first[v->node + 1] - e->runs.first[v->node]) + v->end[NS_OUT].count +
           2 * v->end[NS_IN].count;
}

ns_status ns_nodes_run(ns_visit *v, ns_arena *arena, bool *priced, ns_error *err)
{
    const ns_exchange *x = v->ends->exchange;
    NS_TRY(ns_context_ask(err));
    v->cap = NULL;
    v->far = (ns_far){0, 0, 0};
    v->messages_off_node_max = 0;
    ns_rows_of(v->sizes, &v->rows);
    v->terms = ns_form_terms(v->form);
    v->steps = ns_strategy_steps(v->variant[0].strategy);
    v->exchange_step = v->rule != NULL && v->rule->deal != NULL ? 1 : 0;
    v->cube = v->form->needs_hops ? ns_cube_side(x->nodes) : 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        v->bounded[t] = v->values[t] != NULL && ns_rows_bound(v->values[t]);
    NS_TRY(open_visit(v, arena, err));
    if (v->cube > 0)
        add_links(v);
    start(v);
    *priced = true;
    for (int32_t node = 0; node < x->nodes && *priced; node++) {
        enter(v, node);
        ns_node_deal(v);
        NS_TRY(ns_context_tick(slices_about(v), err));
        *priced = price_node(v);
    }
    for (int i = 1; i < v->variants; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            v->variant[i].slowest[t][v->exchange_step] = v->variant[0].slowest[t][v->exchange_step];
    return NS_OK;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* A share of what each part sends, and of what it needs, is copied by each of its holders. */
static void add_copies(const ns_visit *v, const ns_task *task, ns_load_source *source)
{
    const ns_exchange *x = v->ends->exchange;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        const int64_t *entries = d != NS_D2H ? x->need : v->rule != NULL ? v->ends->sent : v->ends->routed;
        for (int32_t p = 0; p < x->parts; p++)
            for (int32_t h = 0; h < task->holders; h++) {
                const int64_t bytes = ns_share(entries[p], task->holders, h) * x->width;
                source->copies[d] += bytes > 0;
                source->copy_bytes[d] = bytes > source->copy_bytes[d] ? bytes : source->copy_bytes[d];
            }
    }
}

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
    ns_price sum = {.steps = source.steps};
    add_copies(v, &variant->task, &source);
    for (int i = 0; i < source.steps; i++) {
        const ns_slowest *s = &variant->slowest[transport][i];
        ns_step_price *step = &sum.step[i];
        step->process = s->process;
        if (s->process < 0)
            continue;
        v->form->price(v->values[transport], &s->load, true, step);
        step->leaves = s->leaves;
        ns_note_sizes(&s->load, step);
    }
    NS_TRY(ns_price_finish(&source, v->values[transport], confidence, &sum, err));
    *price = sum;
    return NS_OK;
}
