/* placer.c -- opening a placer: what it prices, and its memory */
#include "place/placer.h"

#include "core/memory.h"
#include "core/sized.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is priced ---------------------------------------------------------------------------------------------- */

/* Quotes of an exchange without messages on as many nodes say which choices there are. */
static ns_status find_choices(ns_placer *p, const ns_selection *selection, ns_error *err)
{
    const int32_t nowhere = 0;
    ns_site *site;
    ns_exchange *x;
    NS_TRY(ns_site_from_map(1, p->nodes, &nowhere, 0, NULL, &site, err));
    ns_status status = ns_exchange_from_messages_on(NULL, 0, site, &x, err);
    ns_site_free(site);
    NS_TRY(status);
    status = ns_quote(x, p->machine, selection, p->workspace, &p->choices, err);
    ns_exchange_free(x);
    NS_TRY(status);
    for (int i = 0; i < p->choices; i++) {
        const ns_quoted *quoted = ns_quote_at(p->workspace, i);
        p->choice[i] = (ns_placed){.size = sizeof p->choice[i],
                                   .strategy = quoted->strategy,
                                   .transport = quoted->transport,
                                   .by_difference = quoted->strategy->shape != NS_SHAPE_OTHER};
    }
    return NS_OK;
}

/* Choices come by strategy. */
static void sort_choices(ns_placer *p)
{
    for (int i = 0; i < p->choices; i++) {
        const ns_strategy *strategy = p->choice[i].strategy;
        const bool new = i == 0 || p->choice[i - 1].strategy != strategy;
        if (!p->choice[i].by_difference && new)
            p->quote[p->quoted++] = strategy;
        if (!p->choice[i].by_difference)
            continue;
        if (new)
            p->pass[p->passes++] =
                (ns_pass){.strategy = strategy, .choice = {-1, -1}, .steps = ns_strategy_steps(strategy)};
        p->pass[p->passes - 1].choice[p->choice[i].transport] = i;
        p->bundling = p->bundling || strategy->shape != NS_SHAPE_DIRECT;
    }
    p->selection.strategy = p->quote;
    p->selection.strategies = p->quoted;
}

static ns_status check_steps(const ns_placer *p, ns_error *err)
{
    static const int steps[] = {[NS_SHAPE_DIRECT] = 1, [NS_SHAPE_PAIRED] = 2, [NS_SHAPE_DEALT] = 3};
    for (int i = 0; i < p->passes; i++)
        if (p->pass[i].steps != steps[p->pass[i].strategy->shape])
            return ns_fail(err, NS_ERR_DATA, "%s has %d steps; its shape has %d", p->pass[i].strategy->name,
                           p->pass[i].steps, steps[p->pass[i].strategy->shape]);
    return NS_OK;
}

/* ---- sizes and parameters ---------------------------------------------------------------------------------------- */

static void take_machine(ns_placer *p)
{
    unsigned memories = 0;
    for (int i = 0; i < p->choices; i++)
        memories |= 1u << (p->choice[i].transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    ns_sizes_of(p->machine, p->form, memories, &p->sizes);
    ns_rows_of(&p->sizes, &p->rows);
    for (int m = 0; m < NS_MEMORIES; m++) {
        ns_form_take(p->form, p->machine, (ns_memory)m, p->selection.price.without, &p->values[m]);
        p->bounded[m] = ns_rows_bound(&p->values[m]);
    }
    p->terms = ns_form_terms(p->form);
    p->sockets = p->machine->sockets > 0 ? p->machine->sockets : 1;
    p->side = p->form->needs_hops ? ns_cube_side(p->nodes) : 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#define TAKE(p, array, count, err) take((p), (void **)&(array), (count), sizeof *(array), (err))

static ns_status take(ns_placer *p, void **array, int64_t count, size_t size, ns_error *err)
{
    return ns_take(array, count, size, &p->budget, err);
}

static ns_status take_seats(ns_placer *p, ns_error *err)
{
    const int64_t parts = p->parts, nodes = p->nodes;
    NS_TRY(TAKE(p, p->node_of, parts, err));
    NS_TRY(TAKE(p, p->local_of, parts, err));
    NS_TRY(TAKE(p, p->socket_of, parts, err));
    NS_TRY(TAKE(p, p->first, nodes + 1, err));
    NS_TRY(TAKE(p, p->part, parts, err));
    NS_TRY(TAKE(p, p->sized, parts + 1, err));
    NS_TRY(TAKE(p, p->touched, nodes, err));
    return TAKE(p, p->touch, nodes, err);
}

static ns_status take_scratch(ns_placer *p, ns_error *err)
{
    const int64_t parts = p->parts, nodes = p->nodes;
    NS_TRY(TAKE(p, p->node_seen, nodes, err));
    NS_TRY(TAKE(p, p->part_seen, parts, err));
    NS_TRY(TAKE(p, p->node_at, nodes, err));
    NS_TRY(TAKE(p, p->met, parts, err));
    NS_TRY(TAKE(p, p->met_has, parts, err));
    NS_TRY(TAKE(p, p->taker, parts, err));
    NS_TRY(TAKE(p, p->bundled, nodes, err));
    NS_TRY(TAKE(p, p->dealt, nodes, err));
    NS_TRY(TAKE(p, p->hand, parts, err));
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(TAKE(p, p->most[side], 1 + p->rows.classes, err));
    return NS_OK;
}

static ns_status take_race(ns_placer *p, ns_race *race, ns_error *err)
{
    NS_TRY(TAKE(p, race->runner, p->nodes, err));
    NS_TRY(TAKE(p, race->winner, 2 * (int64_t)p->leaves, err));
    for (int32_t i = 0; i < p->leaves; i++)
        race->winner[p->leaves + i] = i < p->nodes ? i : -1;
    return NS_OK;
}

static ns_status take_sums(ns_placer *p, ns_sums *sums, ns_error *err)
{
    NS_TRY(TAKE(p, sums->sum, NS_SIDES * ns_count_mul(p->parts, 1 + p->rows.classes), err));
    NS_TRY(TAKE(p, sums->partners, NS_SIDES * (int64_t)p->parts, err));
    NS_TRY(TAKE(p, sums->node, NS_SIDES * (int64_t)p->nodes, err));
    if (p->form->whole)
        NS_TRY(TAKE(p, sums->inside, NS_OFF_NODE * NS_SIZES * (int64_t)p->nodes, err));
    return p->form->needs_hops ? TAKE(p, sums->far, p->nodes, err) : NS_OK;
}

static ns_status take_pass(ns_placer *p, ns_pass *pass, ns_error *err)
{
    for (int i = 0; i < pass->steps; i++) {
        NS_TRY(take_sums(p, &pass->step[i], err));
        for (int t = 0; t < NS_TRANSPORTS; t++)
            for (int r = 0; pass->choice[t] >= 0 && r < ns_races_of(&p->values[t == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST]); r++)
                NS_TRY(take_race(p, &pass->race[r][t][i], err));
    }
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        NS_TRY(TAKE(p, pass->copied[d], p->nodes, err));
        NS_TRY(TAKE(p, pass->copies[d], p->nodes, err));
    }
    return NS_OK;
}

static void free_pass(ns_pass *pass)
{
    for (int i = 0; i < NS_STEPS; i++) {
        ns_sums *sums = &pass->step[i];
        ns_free(sums->sum);
        ns_free(sums->partners);
        ns_free(sums->node);
        ns_free(sums->inside);
        ns_free(sums->far);
        for (int k = 0; k < NS_RACES * NS_TRANSPORTS; k++) {
            ns_race *race = &pass->race[k / NS_TRANSPORTS][k % NS_TRANSPORTS][i];
            ns_free(race->runner);
            ns_free(race->winner);
        }
    }
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        ns_free(pass->copied[d]);
        ns_free(pass->copies[d]);
    }
}

void ns_placer_free(ns_placer *p)
{
    if (p == NULL)
        return;
    void *const memory[] = {p->in,    p->out,     p->first_out, p->sent,      p->node_of,   p->local_of, p->socket_of,
                            p->first, p->part,    p->sized,     p->touched,   p->touch,     p->bundle,   p->bundles,
                            p->met,   p->met_has, p->taker,     p->node_seen, p->part_seen, p->node_at,  p->bundled,
                            p->dealt, p->hand,    p->cell,      p->most[0],   p->most[1],   p->lot,      p->first_lot};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        ns_free(memory[i]);
    for (int i = 0; i < p->passes; i++)
        free_pass(&p->pass[i]);
    ns_workspace_free(p->workspace);
    ns_free(p);
}

/* ---- the graph by part ------------------------------------------------------------------------------------------- */

static ns_edge edge_of(const ns_placer *p, const ns_route *route, int32_t other)
{
    ns_edge edge = {.entries = route->entries, .bytes = route->entries * p->graph->width, .other = other};
    for (int l = 0; l < NS_LOCALITIES; l++)
        edge.class[l] = (uint8_t)ns_size_class(&p->sizes, (ns_locality)l, edge.bytes);
    return edge;
}

static ns_status take_edges(ns_placer *p, ns_error *err)
{
    const ns_graph *graph = p->graph;
    NS_TRY(TAKE(p, p->in, graph->routes, err));
    NS_TRY(TAKE(p, p->out, graph->routes, err));
    NS_TRY(TAKE(p, p->bundle, graph->routes, err));
    NS_TRY(TAKE(p, p->bundles, p->parts, err));
    NS_TRY(TAKE(p, p->first_out, (int64_t)p->parts + 2, err)); /* while it is filled one further on */
    NS_TRY(TAKE(p, p->sent, p->parts, err));
    for (int64_t i = 0; i < graph->routes; i++)
        p->first_out[graph->route[i].from + 2]++;
    for (int32_t q = 0; q < p->parts; q++)
        p->first_out[q + 2] += p->first_out[q + 1];
    for (int64_t i = 0; i < graph->routes; i++) {
        const ns_route *route = &graph->route[i];
        p->in[i] = edge_of(p, route, route->from);
        p->out[p->first_out[route->from + 1]++] = edge_of(p, route, route->to);
        p->sent[route->from] += p->in[i].bytes;
    }
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static ns_status open_placer(ns_placer *p, const ns_selection *selection, ns_error *err)
{
    NS_TRY(ns_workspace_open(&p->workspace, err));
    NS_TRY(find_choices(p, selection, err));
    sort_choices(p);
    NS_TRY(check_steps(p, err));
    take_machine(p);
    NS_TRY(take_edges(p, err));
    if (p->bundling)
        NS_TRY(ns_lots_make(p, err));
    NS_TRY(take_seats(p, err));
    NS_TRY(take_scratch(p, err));
    for (p->leaves = 2; p->leaves < p->nodes;)
        p->leaves *= 2;
    for (int i = 0; i < p->passes; i++)
        NS_TRY(take_pass(p, &p->pass[i], err));
    ns_place_blocks(p->parts, p->nodes, p->node_of);
    ns_seats_file(p);
    ns_seats_touch_all(p);
    return NS_OK;
}

ns_status ns_placer_open(const ns_graph *graph, int32_t nodes, const ns_machine *machine, const ns_selection *selection,
                         const ns_limits *limits, ns_placer **placer, ns_error *err)
{
    if (nodes < 1 || nodes > 1 << 30)
        return ns_fail(err, NS_ERR_RANGE, "the number of nodes has to be 1 to 2^30, got %d", (int)nodes);
    ns_limits given;
    NS_TRY(ns_limits_take(limits, &given, err));
    ns_placer *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->graph = graph;
    p->machine = machine;
    p->parts = graph->parts;
    p->nodes = nodes;
    p->selection = selection != NULL ? *selection : (ns_selection){.price = {.confidence = NS_CONFIDENCE}};
    p->form = ns_form_of(machine, p->selection.price.form);
    p->budget.limit = given.max_memory;
    const ns_status status = open_placer(p, selection, err);
    if (status == NS_OK)
        *placer = p;
    else
        ns_placer_free(p);
    return status;
}

int ns_placer_choices(const ns_placer *p)
{
    return p->choices;
}

const ns_placed *ns_placer_choice(const ns_placer *p, int i)
{
    return i >= 0 && i < p->choices ? &p->choice[i] : NULL;
}

const int32_t *ns_placer_node_of(const ns_placer *p)
{
    return p->node_of;
}

int32_t ns_placer_size(const ns_placer *p, int32_t node)
{
    return node >= 0 && node < p->nodes ? ns_seats_size(p, node) : 0;
}

void ns_place_blocks(int32_t parts, int32_t nodes, int32_t *node_of)
{
    const int32_t each = parts / nodes, more = parts % nodes; /* the first `more` nodes have each + 1 */
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = p < more * (each + 1) ? p / (each + 1) : more + (p - more * (each + 1)) / each;
}

void ns_place_cyclic(int32_t parts, int32_t nodes, int32_t *node_of)
{
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = p % nodes;
}
