/* placer.c -- placements of the same parts, priced one after the other: strategies that state a rule by difference, the
 * rest quoted anew */
#include "place/placer.h"

#include "core/sized.h"

#include <stddef.h>
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
                                   .by_difference = ns_strategy_is_local(quoted->strategy)};
    }
    return NS_OK;
}

/* Choices come by strategy. */
static void sort_choices(ns_placer *p)
{
    const ns_strategy *last = NULL;
    for (int i = 0; i < p->choices; i++) {
        ns_placed *of = &p->choice[i];
        const bool new = of->strategy != last;
        if (new)
            p->every[p->all.strategies++] = of->strategy;
        last = of->strategy;
        of->by_difference = of->by_difference && (!new || p->passes < NS_VISITS);
        if (new && of->by_difference) {
            ns_pass *pass = &p->pass[p->passes++];
            pass->choice[NS_VIA_HOST] = pass->choice[NS_VIA_DEVICE] = -1;
            pass->visit = (ns_visit){.says = {.by_node = &p->by_node, .rule = last->rule},
                                     .machine = p->machine,
                                     .form = p->form,
                                     .variants = 1,
                                     .variant = {{.strategy = last}}};
            p->routes = p->routes || ns_strategy_steps(last) == 1;
            p->pairs = p->pairs || ns_strategy_steps(last) > 1;
        } else if (new) {
            p->quote[p->quoted++] = last;
        }
        if (of->by_difference) {
            ns_pass *pass = &p->pass[p->passes - 1];
            pass->choice[of->transport] = i;
            pass->visit.values[of->transport] = &p->values[ns_transport_memory(of->transport)];
        }
    }
    p->all.strategy = p->every;
    p->all.transports = p->selection.transports;
    p->all.price = p->selection.price;
    p->selection.strategy = p->quote;
    p->selection.strategies = p->quoted;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#define TAKE(array, count) ns_take((void **)&(array), (count), sizeof *(array), &p->budget, err)

static ns_status take_parts(ns_placer *p, ns_error *err)
{
    const int64_t parts = p->parts, nodes = p->nodes;
    NS_TRY(TAKE(p->node_of, parts));
    NS_TRY(TAKE(p->local_of, parts));
    NS_TRY(TAKE(p->socket_of, parts));
    NS_TRY(TAKE(p->first, nodes + 1));
    NS_TRY(TAKE(p->part, parts));
    NS_TRY(TAKE(p->sized, parts + 1));
    NS_TRY(TAKE(p->touched, nodes));
    NS_TRY(TAKE(p->touch, nodes));
    p->site = (ns_site){.size = sizeof p->site,
                        .parts = p->parts,
                        .nodes = p->nodes,
                        .sockets = p->machine->sockets > 0 ? p->machine->sockets : 1,
                        .node_of = p->node_of,
                        .local_of = p->local_of,
                        .socket_of = p->socket_of,
                        .first = p->first,
                        .part = p->part};
    return NS_OK;
}

static ns_status take_graph(ns_placer *p, ns_error *err)
{
    const ns_graph *graph = p->graph;
    NS_TRY(TAKE(p->out, graph->routes));
    NS_TRY(TAKE(p->bundle, graph->routes));
    NS_TRY(TAKE(p->bundles, p->parts));
    NS_TRY(TAKE(p->first_out, (int64_t)p->parts + 2)); /* while it is filled one further on */
    NS_TRY(TAKE(p->by_node.sent, p->parts));
    NS_TRY(TAKE(p->by_node.routed, p->parts));
    for (int64_t i = 0; i < graph->routes; i++)
        p->first_out[graph->route[i].from + 2]++;
    for (int32_t q = 0; q < p->parts; q++)
        p->first_out[q + 2] += p->first_out[q + 1];
    for (int64_t i = 0; i < graph->routes; i++) {
        const ns_route *route = &graph->route[i];
        p->out[p->first_out[route->from + 1]++] = *route;
        p->by_node.routed[route->from] += route->entries;
    }
    p->exchange = (ns_exchange){.parts = p->parts,
                                .nodes = p->nodes,
                                .site = &p->site,
                                .width = graph->width,
                                .routes = graph->routes,
                                .route = graph->route,
                                .need = graph->need};
    p->by_node.exchange = &p->exchange;
    p->by_node.received = graph->first_route;
    return p->pairs ? ns_lots_make(p, err) : NS_OK;
}

static ns_status take_scratch(ns_placer *p, ns_error *err)
{
    const int64_t nodes = p->nodes, routes = p->graph->routes;
    NS_TRY(TAKE(p->node_seen, nodes));
    NS_TRY(TAKE(p->part_seen, p->parts));
    NS_TRY(TAKE(p->node_at, nodes));
    NS_TRY(TAKE(p->begin, nodes + 1));
    NS_TRY(TAKE(p->key, 2 * nodes));
    NS_TRY(TAKE(p->loose, routes));
    NS_TRY(TAKE(p->route, routes));
    NS_TRY(TAKE(p->stay, routes));
    for (int side = 0; side < NS_SIDES; side++) {
        NS_TRY(TAKE(p->other[side], nodes));
        NS_TRY(TAKE(p->order[side], nodes));
        NS_TRY(TAKE(p->entries[side], nodes));
        NS_TRY(TAKE(p->strand[side], routes));
    }
    for (int i = 0; i < p->passes; i++)
        for (int k = 0; k < NS_TIMES; k++)
            if (p->pass[i].choice[k / NS_RULE_STEPS % NS_TRANSPORTS] >= 0) {
                NS_TRY(TAKE(p->pass[i].seconds[k], nodes));
                NS_TRY(TAKE(p->pass[i].slowest[k], nodes));
            }
    return NS_OK;
}

void ns_placer_free(ns_placer *p)
{
    if (p == NULL)
        return;
    void *const memory[] = {p->out,
                            p->bundle,
                            p->bundles,
                            p->first_out,
                            p->lot,
                            p->first_lot,
                            p->node_of,
                            p->local_of,
                            p->socket_of,
                            p->first,
                            p->part,
                            p->sized,
                            p->touched,
                            p->touch,
                            p->by_node.sent,
                            p->node_seen,
                            p->by_node.routed,
                            p->part_seen,
                            p->node_at,
                            p->begin,
                            p->key,
                            p->loose,
                            p->route,
                            p->stay,
                            p->other[NS_OUT],
                            p->other[NS_IN],
                            p->order[NS_OUT],
                            p->order[NS_IN],
                            p->entries[NS_OUT],
                            p->entries[NS_IN],
                            p->strand[NS_OUT],
                            p->strand[NS_IN]};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        ns_free(memory[i]);
    for (int i = 0; i < p->passes; i++)
        for (int k = 0; k < NS_TIMES; k++) {
            ns_free(p->pass[i].seconds[k]);
            ns_free(p->pass[i].slowest[k]);
        }
    ns_arena_free(&p->arena);
    ns_workspace_free(p->workspace);
    ns_free(p);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static ns_status open_placer(ns_placer *p, const ns_selection *selection, ns_error *err)
{
    NS_TRY(ns_workspace_open(&p->workspace, err));
    NS_TRY(find_choices(p, selection, err));
    sort_choices(p);
    for (int m = 0; m < NS_MEMORIES; m++)
        ns_form_take(p->form, p->machine, (ns_memory)m, p->selection.price.without, &p->values[m]);
    NS_TRY(take_parts(p, err));
    NS_TRY(take_graph(p, err));
    NS_TRY(take_scratch(p, err));
    ns_place_blocks(p->parts, p->nodes, p->node_of);
    ns_parts_list(p);
    ns_parts_touch_all(p);
    p->anew = true;
    return NS_OK;
}

ns_status ns_placer_open(const ns_graph *graph, int32_t nodes, const ns_machine *machine, const ns_selection *selection,
                         const ns_limits *limits, ns_placer **placer, ns_error *err)
{
    ns_error_clear(err);
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
    return node >= 0 && node < p->nodes ? ns_parts_size(p, node) : 0;
}

/* ---- by difference ----------------------------------------------------------------------------------------------- */

/* Visits have memory for nodes of so many parts. */
static ns_status open_visits(ns_placer *p, ns_error *err)
{
    const int64_t chunks[NS_SIDES] = {p->nodes, p->nodes};
    p->per_node = p->site.per_node;
    p->exchange.per_node = p->per_node;
    ns_arena_reset(&p->arena);
    for (int i = 0; i < p->passes; i++) {
        ns_visit *v = &p->pass[i].visit;
        const ns_transport transport = p->pass[i].choice[NS_VIA_HOST] >= 0 ? NS_VIA_HOST : NS_VIA_DEVICE;
        NS_TRY(ns_task_open(v->variant[0].strategy, transport, &p->exchange, p->machine, &p->arena, &v->variant[0].task,
                            err));
        NS_TRY(ns_visit_open(v, &p->arena, err));
        NS_TRY(ns_visit_scratch(v, chunks, &p->arena, err));
        ns_visit_start(v);
    }
    return NS_OK;
}

/* Each message changes the busiest link, and with it the price of every process. */
static void add_hops(ns_placer *p)
{
    for (int i = 0; i < p->passes; i++)
        p->pass[i].visit.hop_bytes = (ns_hop_bytes){0, 0, 0};
    for (int32_t node = 0; node < p->nodes; node++) {
        const ns_node n = ns_placer_node(p, node);
        for (int i = 0; i < p->passes; i++)
            ns_visit_hops(&p->pass[i].visit, &n);
    }
    for (int i = 0; i < p->passes; i++)
        ns_visit_start(&p->pass[i].visit);
}

/* What the parts of a node have for others, and what leaves them in all. */
static void bundle_node(ns_placer *p, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t q = p->part[i];
        int64_t sent = 0;
        ns_bundle_part(p, q);
        for (const ns_route *route = &p->out[p->first_out[q]]; route < &p->out[p->first_out[q + 1]]; route++)
            sent += p->node_of[route->to] == node ? route->entries : 0;
        for (const ns_strand *one = &p->bundle[p->first_out[q]], *end = one + p->bundles[q]; one < end; one++)
            sent += one->entries;
        p->by_node.sent[q] = sent;
    }
}

static ns_status quote_on(ns_placer *p, const ns_site *site, const ns_selection *selection, ns_error *err)
{
    ns_exchange *x;
    int quotes = 0;
    NS_TRY(ns_graph_exchange(p->graph, site, &x, err));
    const ns_status status = ns_quote(x, p->machine, selection, p->workspace, &quotes, err);
    for (int i = 0; status == NS_OK && i < quotes; i++) {
        const ns_quoted *quoted = ns_quote_at(p->workspace, i);
        for (int c = 0; c < p->choices; c++)
            if (p->choice[c].strategy == quoted->strategy && p->choice[c].transport == quoted->transport)
                p->seconds[c] = quoted->price.estimate_s;
    }
    ns_exchange_free(x);
    return status;
}

static ns_status quote(ns_placer *p, const ns_selection *selection, ns_error *err)
{
    ns_site *site;
    NS_TRY(ns_site_from_map(p->parts, p->nodes, p->node_of, 0, NULL, &site, err));
    const ns_status status = quote_on(p, site, selection, err);
    ns_site_free(site);
    return status;
}

/* A message without a table: a quote of the strategy says which. */
static ns_status refuse(ns_placer *p, const ns_strategy *strategy, ns_error *err)
{
    ns_selection selection = p->selection;
    selection.strategy = &strategy;
    selection.strategies = 1;
    NS_TRY(quote(p, &selection, err));
    return ns_fail(err, NS_ERR_DATA, "machine %s has no table for some message", p->machine->name);
}

/* The slowest process of a node in each step; where a bound shows that it is faster than that of a node whose time is
 * known, `enough`, the bound will do. */
static bool visit(ns_pass *pass, const ns_node *n, double *enough)
{
    ns_visit *v = &pass->visit;
    ns_visit_forget(v);
    for (int k = 0; k < NS_TIMES && enough != NULL; k++)
        v->variant[0].slowest[k].enough = enough[k];
    if (!ns_visit_node(v, n))
        return false;
    for (int k = 0; k < NS_TIMES; k++) {
        const ns_slowest *s = &v->variant[0].slowest[k];
        if (pass->seconds[k] == NULL)
            continue;
        ns_node_step *to = &pass->slowest[k][n->node];
        to->is_bound = s->process < 0 && s->bound >= 0;
        pass->seconds[k][n->node] = to->is_bound ? s->bound : s->seconds;
        to->process = s->process;
        to->leaves = s->leaves;
        to->bytes_s = s->bytes_s;
        to->waits_s = s->waits_s;
        memcpy(to->term, s->term, sizeof to->term);
        if (v->values[k / NS_RULE_STEPS % NS_TRANSPORTS]->residual != NULL && s->process >= 0)
            ns_load_sums(&s->load, &to->messages, &to->bytes);
        if (enough != NULL && s->seconds > enough[k])
            enough[k] = s->seconds;
    }
    return true;
}

/* The slowest of the nodes that were not touched, where it is no bound. */
static void find_enough(const ns_placer *p, const ns_pass *pass, double enough[NS_TIMES])
{
    for (int k = 0; k < NS_TIMES; k++) {
        const double *seconds = pass->seconds[k];
        double most = -1;
        for (int32_t node = 0; node < p->nodes && seconds != NULL; node++)
            if (p->touched[node] == 0 && seconds[node] > most && !pass->slowest[k][node].is_bound)
                most = seconds[node];
        enough[k] = most;
    }
}

/* The slowest node of a step, of equally slow ones the first; its slowest process is looked for where only a bound was
 * known. */
static ns_status find_worst(ns_placer *p, ns_pass *pass, const double *seconds, const ns_node_step *slowest,
                            int32_t *worst, ns_error *err)
{
    for (;;) {
        *worst = 0;
        for (int32_t node = 1; node < p->nodes; node++)
            *worst = seconds[node] > seconds[*worst] ? node : *worst;
        if (!slowest[*worst].is_bound)
            return NS_OK;
        const ns_node n = ns_placer_node(p, *worst);
        if (!visit(pass, &n, NULL))
            return refuse(p, pass->visit.variant[0].strategy, err);
    }
}

static ns_status add_up(ns_placer *p, ns_pass *pass, ns_transport transport, ns_error *err)
{
    const ns_visit *v = &pass->visit;
    const ns_form_values *values = v->values[transport];
    const ns_copying copying = ns_visit_copying(v, &v->variant[0], transport);
    memset(&p->price, 0, offsetof(ns_price, step));
    p->price.steps = v->says.steps;
    for (int k = 0; k < ns_maxima_of(values) * v->says.steps; k++) {
        const int m = k / v->says.steps, i = k % v->says.steps;
        const ns_node_step *slowest = pass->slowest[ns_time_at(m, (int)transport, i)];
        ns_step_price *step = m == NS_BY_WAITING ? &p->waiting[i] : &p->price.step[i];
        int32_t worst = 0;
        NS_TRY(find_worst(p, pass, pass->seconds[ns_time_at(m, (int)transport, i)], slowest, &worst, err));
        step->leaves = false;
        for (int32_t node = 0; node < p->nodes; node++)
            step->leaves = step->leaves || slowest[node].leaves;
        const bool any = slowest[worst].process >= 0;
        step->process = slowest[worst].process;
        step->bytes_s = any ? slowest[worst].bytes_s : 0;
        step->waits_s = any ? slowest[worst].waits_s : 0;
        step->messages = any ? slowest[worst].messages : 0;
        step->bytes = any ? slowest[worst].bytes : 0;
        memset(step->term, 0, sizeof step->term);
        if (any)
            memcpy(step->term, slowest[worst].term, sizeof step->term);
    }
    double variance;
    NS_TRY(ns_price_sum(values, &copying, values->hides ? p->waiting : NULL, &p->price, &variance, err));
    p->seconds[pass->choice[transport]] = p->price.estimate_s;
    return NS_OK;
}

static ns_status run_passes(ns_placer *p, ns_error *err)
{
    if (p->per_node < p->site.per_node)
        NS_TRY(open_visits(p, err));
    for (int32_t i = 0; i < p->touches && p->pairs; i++)
        if ((p->touched[p->touch[i]] & NS_NEAR) != 0)
            bundle_node(p, p->touch[i]);
    if (p->form->needs_hops) {
        ns_parts_touch_all(p);
        add_hops(p);
    }
    double enough[NS_VISITS][NS_TIMES] = {{0}};
    for (int i = 0; i < p->passes; i++)
        find_enough(p, &p->pass[i], enough[i]);
    for (int32_t i = 0; i < p->touches; i++) {
        const ns_node n = ns_placer_node(p, p->touch[i]);
        for (int k = 0; k < p->passes; k++)
            if (((p->touched[n.node] & NS_NEAR) != 0 || p->pass[k].visit.says.rule->takes != NULL) &&
                !visit(&p->pass[k], &n, enough[k]))
                return refuse(p, p->pass[k].visit.variant[0].strategy, err);
    }
    for (ns_pass *pass = p->pass; pass < p->pass + p->passes; pass++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (pass->choice[t] >= 0)
                NS_TRY(add_up(p, pass, (ns_transport)t, err));
    return NS_OK;
}

static ns_status price_touched(ns_placer *p, ns_error *err)
{
    if (p->stale)
        ns_parts_touch_all(p);
    p->stale = false;
    ns_parts_spread(p);
    if (p->passes > 0)
        NS_TRY(run_passes(p, err));
    return p->quoted > 0 ? quote(p, &p->selection, err) : NS_OK;
}

ns_status ns_placer_price(ns_placer *p, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    if (p->touches > 0) {
        const bool by_quotes = p->anew && p->quoted > 0;
        NS_TRY(by_quotes ? quote(p, &p->all, err) : price_touched(p, err));
        p->stale = by_quotes;
        p->anew = false;
        for (int32_t i = 0; i < p->touches; i++)
            p->touched[p->touch[i]] = 0;
        p->touches = 0;
    }
    memcpy(seconds, p->seconds, (size_t)p->choices * sizeof *seconds);
    return NS_OK;
}

ns_status ns_placer_batch(ns_placer *p, const int32_t *node_of, size_t placements, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    for (size_t i = 0; i < placements; i++) {
        NS_TRY(ns_placer_put(p, node_of + i * (size_t)p->parts, err));
        NS_TRY(ns_placer_price(p, seconds + i * (size_t)p->choices, err));
    }
    return NS_OK;
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
