/* quote.c -- every strategy's price from one pass over what it sends */

#include "price/quote.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "price/cost.h"
#include "price/nodes.h"

#include <stddef.h>
#include <string.h>

struct ns_workspace {
    ns_tally tally;
    ns_arena arena; /* of tasks */
    ns_arena kept;  /* of what is kept over all strategies of a call */
    ns_ends ends;   /* of its exchange; its exchange is NULL until they are asked for */
    ns_visit visit[NS_VISITS];
    int visits;
    ns_form_values values[NS_MEMORIES];
    bool taken[NS_MEMORIES]; /* values of this call */
    int threads;             /* 0: as many as pay */
    int quotes;
    ns_quoted quote[NS_CHOICES]; /* last */
};

typedef struct quoting {
    const ns_exchange *exchange;
    const ns_machine *machine;
    const ns_price_options *options;
    const ns_form *form;
    ns_workspace *workspace;
    int quotes;
} quoting;

ns_status ns_workspace_open(ns_workspace **workspace, ns_error *err)
{
    ns_workspace *w = ns_malloc(sizeof *w);
    if (w == NULL)
        return ns_no_memory(err);
    memset(w, 0, offsetof(struct ns_workspace, quote)); /* quotes are set before they are told of */
    *workspace = w;
    return NS_OK;
}

void ns_workspace_free(ns_workspace *workspace)
{
    if (workspace == NULL)
        return;
    ns_tally_free(&workspace->tally);
    ns_arena_free(&workspace->arena);
    ns_arena_free(&workspace->kept);
    ns_free(workspace);
}

void ns_workspace_set_threads(ns_workspace *workspace, int threads)
{
    workspace->threads = threads;
}

const ns_quoted *ns_quote_at(const ns_workspace *workspace, int i)
{
    return i >= 0 && i < workspace->quotes ? &workspace->quote[i] : NULL;
}

static ns_memory memory_of(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

static const ns_form_values *values_of(const quoting *q, ns_memory memory)
{
    ns_workspace *w = q->workspace;
    if (!w->taken[memory])
        ns_form_take(q->form, q->machine, memory, q->options->without, &w->values[memory]);
    w->taken[memory] = true;
    return &w->values[memory];
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static bool is_selected(const ns_selection *selection, ns_transport transport)
{
    return selection == NULL || selection->transports == 0 || (selection->transports >> transport & 1) != 0;
}

static bool runs_by(const ns_machine *machine, ns_transport transport)
{
    for (const ns_strategy *const *one = ns_strategies(); *one != NULL; one++)
        if (ns_strategy_runs(*one, transport, machine))
            return true;
    return false;
}

static bool runs_any(const ns_machine *machine)
{
    bool any = false;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        any = any || runs_by(machine, (ns_transport)t);
    return any;
}

bool ns_transport_crosses(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_transport transport)
{
    bool has[NS_TRANSPORTS], any = false;
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        has[t] = ns_machine_line(machine, memory_of((ns_transport)t), NS_OFF_NODE, 0, NULL) != NULL;
        any = any || (has[t] && is_selected(selection, (ns_transport)t) && runs_by(machine, (ns_transport)t));
    }
    return exchange->nodes < 2 || has[transport] || !any;
}

static unsigned transports_of(const quoting *q, const ns_selection *selection, const ns_strategy *strategy)
{
    unsigned bits = 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (is_selected(selection, (ns_transport)t) && ns_strategy_runs(strategy, (ns_transport)t, q->machine) &&
            ns_transport_crosses(q->exchange, q->machine, selection, (ns_transport)t))
            bits |= 1u << t;
    return bits;
}

/* ---- message by message ------------------------------------------------------------------------------------------ */

/* The next quote of the list. */
static ns_status next_quote(quoting *q, const ns_strategy *strategy, ns_transport transport,
                            int64_t messages_off_node_max, ns_quoted **quoted, ns_error *err)
{
    if (q->quotes == NS_CHOICES)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_CHOICES);
    ns_quoted *next = &q->workspace->quote[q->quotes++];
    next->size = sizeof *next;
    next->strategy = strategy;
    next->transport = transport;
    next->messages_off_node_max = messages_off_node_max;
    *quoted = next;
    return NS_OK;
}

static ns_status price(quoting *q, const ns_strategy *strategy, ns_transport transport, int64_t messages_off_node_max,
                       ns_error *err)
{
    const ns_memory memory = memory_of(transport);
    const ns_tally_source loads = ns_tally_loads(&q->workspace->tally, q->machine, q->form, memory);
    ns_quoted *quoted = NULL;
    NS_TRY(next_quote(q, strategy, transport, messages_off_node_max, &quoted, err));
    return ns_price_source(&loads.source, values_of(q, memory), q->options->confidence, &quoted->price, err);
}

static ns_transport first_transport(unsigned transports)
{
    return (ns_transport)__builtin_ctz(transports);
}

static unsigned memories_of(unsigned transports)
{
    unsigned memories = 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        memories |= (transports >> t & 1) << memory_of((ns_transport)t);
    return memories;
}

/* The transports of some bits by one pass. */
static ns_status quote_pass(quoting *q, const ns_strategy *strategy, unsigned transports, ns_error *err)
{
    ns_workspace *w = q->workspace;
    ns_task task = {0};
    ns_sizes sizes;
    ns_arena_reset(&w->arena);
    NS_TRY(ns_task_open(strategy, first_transport(transports), q->exchange, q->machine, &w->arena, &task, err));
    ns_sizes_of(q->machine, q->form, memories_of(transports), &sizes);
    NS_TRY(ns_tally_run(&w->tally, strategy, &task, &sizes, q->form->needs_hops, err));
    const int64_t messages = ns_tally_messages_off_node_max(&w->tally);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if ((transports >> t & 1) != 0)
            NS_TRY(price(q, strategy, (ns_transport)t, messages, err));
    return NS_OK;
}

static ns_status quote_strategy(quoting *q, const ns_strategy *strategy, unsigned transports, ns_error *err)
{
    if (strategy->same_messages)
        return transports != 0 ? quote_pass(q, strategy, transports, err) : NS_OK;
    for (unsigned t = 0; t < NS_TRANSPORTS; t++)
        if ((transports >> t & 1) != 0)
            NS_TRY(quote_pass(q, strategy, 1u << t, err));
    return NS_OK;
}

/* ---- node by node ------------------------------------------------------------------------------------------------ */

/* May a strategy be added up with one of the same rule? */
static bool goes_with(const ns_strategy *strategy, const ns_strategy *other)
{
    return other->rule == strategy->rule && other->shape == strategy->shape &&
           other->all_processes == strategy->all_processes && other->node_aware == strategy->node_aware &&
           other->same_messages == strategy->same_messages && other->emit == strategy->emit;
}

static ns_status open_variant(quoting *q, ns_visit *v, const ns_strategy *strategy, unsigned transports, bool *may,
                              ns_error *err)
{
    ns_variant *variant = &v->variant[v->variants];
    if (v->variants == 0)
        NS_TRY(ns_task_open(strategy, first_transport(transports), q->exchange, q->machine, &q->workspace->kept,
                            &variant->task, err));
    else
        variant->task = v->variant[0].task; /* on the same processes */
    variant->task.holders = ns_task_holders(strategy, &variant->task);
    variant->strategy = strategy;
    *may = ns_nodes_may(strategy, &variant->task);
    v->variants += *may;
    return NS_OK;
}

/* Those at the head of the list that go together. */
static ns_status open_variants(quoting *q, ns_visit *v, const ns_strategy *const *list, size_t count,
                               const ns_selection *selection, unsigned transports, ns_error *err)
{
    bool may = true;
    v->variants = 0;
    for (size_t i = 0; i < count && i < NS_VARIANTS && may; i++)
        if (i == 0 || (may = goes_with(list[0], list[i]) && transports_of(q, selection, list[i]) == transports &&
                             transports != 0))
            NS_TRY(open_variant(q, v, list[i], transports, &may, err));
    return NS_OK;
}

static ns_status open_ends(quoting *q, const ns_rule *rule, ns_error *err)
{
    ns_workspace *w = q->workspace;
    if (w->ends.exchange == NULL)
        NS_TRY(ns_ends_open(q->exchange, &w->kept, &w->ends, err));
    if (rule == NULL)
        return ns_ends_route(&w->ends, &w->kept, err);
    return rule->deal != NULL ? ns_ends_sort(&w->ends, &w->kept, err) : NS_OK;
}

/* As many strategies of the list as go together by rule get a visit; *done: how many, 0 where it cannot be done so. */
static ns_status open_visit(quoting *q, const ns_strategy *const *list, size_t count, const ns_selection *selection,
                            unsigned transports, size_t *done, ns_error *err)
{
    ns_workspace *w = q->workspace;
    ns_visit *v = &w->visit[w->visits];
    *done = 0;
    if (w->visits == NS_VISITS)
        return NS_OK;
    NS_TRY(open_variants(q, v, list, count, selection, transports, err));
    if (v->variants == 0)
        return NS_OK;
    NS_TRY(open_ends(q, list[0]->rule, err));
    ns_sizes_of(q->machine, q->form, memories_of(transports), &v->sizes);
    v->ends = &w->ends;
    v->rule = list[0]->rule;
    v->machine = q->machine;
    v->form = q->form;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        v->values[t] = (transports >> t & 1) != 0 ? values_of(q, memory_of((ns_transport)t)) : NULL;
    *done = (size_t)v->variants;
    w->visits++;
    return NS_OK;
}

static ns_status price_variant(quoting *q, const ns_visit *v, const ns_variant *variant, ns_error *err)
{
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        ns_quoted *quoted = NULL;
        if (v->values[t] == NULL)
            continue;
        NS_TRY(next_quote(q, variant->strategy, (ns_transport)t, v->messages_off_node_max, &quoted, err));
        NS_TRY(ns_nodes_price(v, variant, (ns_transport)t, q->options->confidence, &quoted->price, err));
    }
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* Strategies that are priced together. */
typedef struct group {
    const ns_strategy *const *strategy;
    size_t count;
    unsigned transports;
    const ns_visit *visit; /* NULL: message by message */
} group;

static ns_status open_group(quoting *q, const ns_strategy *const *list, size_t count, const ns_selection *selection,
                            group *of, ns_error *err)
{
    ns_workspace *w = q->workspace;
    *of = (group){.strategy = list, .transports = transports_of(q, selection, list[0])};
    if (of->transports != 0)
        NS_TRY(open_visit(q, list, count, selection, of->transports, &of->count, err));
    if (of->count > 0)
        of->visit = &w->visit[w->visits - 1];
    else
        of->count = 1;
    return NS_OK;
}

static ns_status price_group(quoting *q, const group *of, ns_error *err)
{
    for (size_t i = 0; i < of->count; i++)
        NS_TRY(of->visit != NULL && of->visit->priced ? price_variant(q, of->visit, &of->visit->variant[i], err)
                                                      : quote_strategy(q, of->strategy[i], of->transports, err));
    return NS_OK;
}

static ns_status quote_list(quoting *q, const ns_strategy *const *list, size_t count, const ns_selection *selection,
                            ns_error *err)
{
    ns_workspace *w = q->workspace;
    group groups[NS_CHOICES];
    size_t n = 0;
    w->visits = 0;
    for (size_t i = 0; i < count; i += groups[n++].count)
        NS_TRY(open_group(q, &list[i], count - i, selection, &groups[n], err));
    if (w->visits > 0)
        NS_TRY(ns_nodes_run(w->visit, w->visits, w->threads, &w->kept, err));
    for (size_t i = 0; i < n; i++)
        NS_TRY(price_group(q, &groups[i], err));
    return NS_OK;
}

static ns_status quote_all(quoting *q, const ns_selection *selection, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    NS_TRY(quote_list(q, list, count, selection, err));
    if (q->quotes > 0)
        return NS_OK;
    return runs_any(q->machine)
               ? ns_fail(err, NS_ERR_DATA, "machine %s runs none of the strategies and transports asked for",
                         q->machine->name)
               : ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(q->machine),
                             "machine %s has no table of messages, host or device, that a strategy could be priced "
                             "with",
                             q->machine->name);
}

ns_status ns_quote(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                   ns_workspace *workspace, int *quotes, ns_error *err)
{
    ns_price_options options;
    NS_TRY(ns_price_options_take(selection != NULL ? &selection->price : NULL, &options, err));
    quoting q = {exchange, machine, &options, ns_form_of(machine, options.form), workspace, 0};
    workspace->quotes = 0;
    workspace->ends.exchange = NULL;
    ns_arena_reset(&workspace->kept);
    for (int m = 0; m < NS_MEMORIES; m++)
        workspace->taken[m] = false;
    NS_TRY(quote_all(&q, selection, err));
    workspace->quotes = q.quotes;
    *quotes = q.quotes;
    return NS_OK;
}
