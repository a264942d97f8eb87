/* quote.c -- every strategy's price from one pass over what it sends */

#include "price/quote.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "price/visit.h"

#include <stddef.h>
#include <string.h>

enum { GROUPINGS = 8 };

struct ns_workspace {
    ns_arena arena; /* of one call */
    ns_by_node by_node;
    ns_visit visit[NS_VISITS];
    int visits;
    ns_form_values values[NS_MEMORIES];
    bool taken[NS_MEMORIES]; /* values of this call */
    int threads;             /* 0: as many as pay */
    ns_watcher watcher;      /* of visits of several strategies */
    int groupings;           /* the exchange by groups of some sizes, of this call: strategies share them */
    struct grouping {
        int32_t group;
        ns_exchange *exchange;
    } grouping[GROUPINGS];
    int quotes;
    ns_quoted quote[NS_CHOICES]; /* last */
};

typedef struct quoting {
    const ns_exchange *exchange;
    const ns_machine *machine;
    const ns_price_options *options;
    const ns_form *form;
    unsigned without; /* bits of its parts */
    ns_workspace *workspace;
    int quotes;
} quoting;

ns_status ns_workspace_open(ns_workspace **workspace, ns_error *err)
{
    ns_error_clear(err);
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
    ns_arena_free(&workspace->arena);
    ns_free(workspace);
}

void ns_workspace_set_threads(ns_workspace *workspace, int threads)
{
    workspace->threads = threads;
}

void ns_workspace_watch(ns_workspace *workspace, const ns_watcher *watcher)
{
    workspace->watcher = *watcher;
}

const ns_quoted *ns_quote_at(const ns_workspace *workspace, int i)
{
    return i >= 0 && i < workspace->quotes ? &workspace->quote[i] : NULL;
}

static const ns_form_values *values_of(const quoting *q, ns_memory memory)
{
    ns_workspace *w = q->workspace;
    if (!w->taken[memory])
        ns_form_take(q->form, q->machine, memory, q->without, &w->values[memory]);
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
        has[t] = ns_machine_line(machine, ns_transport_memory((ns_transport)t), NS_OFF_NODE, 0, NULL) != NULL;
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

/* ---- prices ------------------------------------------------------------------------------------------------------ */

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

static void forget_groupings(ns_workspace *w)
{
    while (w->groupings > 0)
        ns_exchange_free(w->grouping[--w->groupings].exchange);
}

/* The exchange that a strategy's slices name. */
static ns_status find_named(quoting *q, const ns_strategy *strategy, const ns_exchange **named, ns_error *err)
{
    ns_workspace *w = q->workspace;
    int i = 0;
    while (i < w->groupings && w->grouping[i].group != strategy->group)
        i++;
    if (strategy->group != 0 && i == w->groupings) {
        if (w->groupings == GROUPINGS)
            forget_groupings(w);
        i = w->groupings;
        NS_TRY(ns_strategy_groups(strategy, q->exchange, q->machine, &w->grouping[i].exchange, err));
        w->grouping[i].group = strategy->group;
        w->groupings++;
    }
    *named = strategy->group != 0 ? w->grouping[i].exchange : q->exchange;
    return NS_OK;
}

/* ---- which form -------------------------------------------------------------------------------------------------- */

bool ns_exchange_is_dense(const ns_exchange *exchange)
{
    const double others = (double)exchange->parts - 1;
    return exchange->nodes > 1 && exchange->per_node > 1 && 2 * (double)exchange->routes >= others * (others + 1);
}

/* Where the eager messages of the most pairs do not take twice the time of one pair's, start-ups and bytes of a dense
 * exchange hide behind each other, unless exchanges of the machine's own say how long they take. */
const ns_form *ns_form_of_dense(const ns_machine *machine)
{
    static const double slowed = 2;
    const ns_parameter *eager = ns_machine_parameter(machine, "host.injection.eager.slowdown");
    const ns_form *direct = NULL;
    if (machine->gpus == 0 && eager != NULL && eager->value < slowed &&
        ns_machine_parameter(machine, "host.exchange.model_error.time") == NULL)
        (void)ns_form_get("direct", &direct, NULL);
    return direct != NULL ? direct : ns_form_of(machine, NULL);
}

static const ns_form *form_for(const ns_exchange *exchange, const ns_machine *machine, const ns_form *asked)
{
    return asked == NULL && ns_exchange_is_dense(exchange) ? ns_form_of_dense(machine) : ns_form_of(machine, asked);
}

/* What no visit takes is priced message by message. */
static ns_status price_schedule(quoting *q, const ns_strategy *strategy, ns_transport transport, ns_error *err)
{
    const ns_exchange *named;
    ns_schedule *schedule;
    ns_quoted *quoted = NULL;
    ns_price_options options = *q->options;
    options.form = q->form;
    options.without = q->without;
    NS_TRY(find_named(q, strategy, &named, err));
    NS_TRY(ns_schedule_build_named(strategy, transport, named, q->machine, &schedule, err));
    ns_status status = next_quote(q, strategy, transport, ns_schedule_messages_off_node_max(schedule), &quoted, err);
    if (status == NS_OK)
        status = ns_schedule_price_as(schedule, q->machine, &options, &quoted->price, err);
    ns_schedule_free(schedule);
    return status;
}

static ns_status price(quoting *q, const ns_visit *v, int variant, ns_transport transport, ns_error *err)
{
    const ns_variant *of = &v->variant[variant];
    ns_quoted *quoted = NULL;
    NS_TRY(next_quote(q, of->strategy, transport, v->messages_off_node_max, &quoted, err));
    return ns_visit_price(v, of, transport, q->options->confidence, &quoted->price, err);
}

/* ---- visits ------------------------------------------------------------------------------------------------------ */

/* May a strategy be added up with one of the same rule? */
static bool goes_with(const ns_strategy *strategy, const ns_strategy *other)
{
    return other->rule == strategy->rule && other->all_processes == strategy->all_processes &&
           other->node_aware == strategy->node_aware && other->same_messages == strategy->same_messages;
}

/* Strategies that are priced together, by one visit. */
typedef struct group {
    const ns_strategy *const *strategy;
    size_t count;
    unsigned transports;
    const ns_visit *visit; /* NULL: message by message */
} group;

/* As many strategies at the head of the list as go together by rule get a visit. */
static ns_status open_group(quoting *q, const ns_strategy *const *list, size_t count, const ns_selection *selection,
                            group *of, ns_error *err)
{
    ns_workspace *w = q->workspace;
    ns_visit *v = &w->visit[w->visits];
    const unsigned transports = transports_of(q, selection, list[0]);
    *of = (group){.strategy = list, .count = 1, .transports = transports};
    if (transports == 0 || w->visits == NS_VISITS || list[0]->rule == NULL)
        return NS_OK;
    ns_task task;
    NS_TRY(
        ns_task_open(list[0], (ns_transport)__builtin_ctz(transports), q->exchange, q->machine, &w->arena, &task, err));
    v->variants = 0;
    for (size_t i = 0; i < count && v->variants < NS_VARIANTS; i++) {
        task.holders = ns_task_holders(list[i], &task);
        if ((i > 0 && (!goes_with(list[0], list[i]) || transports_of(q, selection, list[i]) != transports)) ||
            !ns_visit_may(list[i], &task))
            break;
        v->variant[v->variants].strategy = list[i];
        v->variant[v->variants++].task = task; /* on the same processes */
    }
    if (v->variants == 0)
        return NS_OK;
    v->by_node = &w->by_node;
    v->rule = list[0]->rule;
    v->machine = q->machine;
    v->form = q->form;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        v->values[t] = (transports >> t & 1) != 0 ? values_of(q, ns_transport_memory((ns_transport)t)) : NULL;
    of->count = (size_t)v->variants;
    of->visit = v;
    w->visits++;
    const bool routes = v->rule->deal == NULL && v->rule->takes == NULL;
    bool runs = v->rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        runs = runs || v->variant[i].task.holders > 1;
    return ns_by_node_make(&w->by_node, (ns_wanted){routes, !routes, v->rule->deal != NULL, runs}, &w->arena, err);
}

static ns_status price_group(quoting *q, const group *of, ns_error *err)
{
    for (size_t i = 0; i < of->count; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if ((of->transports >> t & 1) != 0)
                NS_TRY(of->visit != NULL && of->visit->priced
                           ? price(q, of->visit, (int)i, (ns_transport)t, err)
                           : price_schedule(q, of->strategy[i], (ns_transport)t, err));
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
        NS_TRY(ns_visit_all(w->visit, w->visits, w->threads, &w->watcher, &w->arena, err));
    for (size_t i = 0; i < n; i++)
        NS_TRY(price_group(q, &groups[i], err));
    return NS_OK;
}

/* ---- ways priced in forms of their own --------------------------------------------------------------------------- */

static void take_form(quoting *q, const ns_form *form, unsigned without)
{
    q->form = form;
    q->without = without;
    for (int m = 0; m < NS_MEMORIES; m++)
        q->workspace->taken[m] = false;
}

/* A way with few messages on their way does not stall.  Where start-ups get in each other's way, as the exchange's own
 * form says, it says of one partner at a time, too, what is known. */
static ns_status take_form_of(quoting *q, const char *name, const ns_form *own, unsigned without, ns_error *err)
{
    const ns_form *form = own;
    if (*name != '\0' && (strcmp(name, "pairwise") != 0 || strcmp(own->name, "direct") == 0))
        NS_TRY(ns_form_get(name, &form, err));
    for (int part = 0; form->parts != NULL && form->parts[part].name != NULL; part++)
        if (strcmp(form->parts[part].name, "stall") == 0)
            without |= 1u << part;
    take_form(q, form, without);
    return NS_OK;
}

/* In a dense exchange of eight processes and more, messages that are short on the mean are sent by a form alone; up to
 * FEW processes messages of twice the size, as the libraries of three machines do. */
static bool sends_alone(const quoting *q, const ns_price *price)
{
    enum { LEAST = 8, FEW = 1024 };
    const ns_form *form = q->form;
    double messages = 0, bytes = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            messages += price->step[0].load[l][c].messages;
            bytes += price->step[0].load[l][c].bytes;
        }
    const double most = form->alone_to * (messages < FEW ? 2 : 1);
    return ns_exchange_is_dense(q->exchange) && messages >= LEAST - 1 && bytes <= most * messages;
}

/* By each transport the fastest of its forms; where one was asked for, in that. */
static ns_status quote_in_forms(quoting *q, const ns_strategy *way, const ns_selection *selection, ns_error *err)
{
    const ns_form *own = q->form;
    const unsigned without = q->without;
    const int first = q->quotes;
    for (int f = 0; way->forms[f] != NULL && (f == 0 || q->options->form == NULL); f++) {
        const int from = q->quotes;
        NS_TRY(take_form_of(q, q->options->form == NULL ? way->forms[f] : "", own, without, err));
        NS_TRY(quote_list(q, &way, 1, selection, err));
        for (int i = from; i < q->quotes && f > 0; i++) {
            ns_quoted *kept = &q->workspace->quote[first + i - from];
            if (q->workspace->quote[i].price.estimate_s < kept->price.estimate_s ||
                (q->form->alone_to > 0 && sends_alone(q, &kept->price)))
                *kept = q->workspace->quote[i];
        }
        q->quotes = f > 0 ? from : q->quotes;
    }
    take_form(q, own, without);
    return NS_OK;
}

static ns_status quote_all(quoting *q, const ns_selection *selection, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0, end; i < count; i = end) { /* those in forms of their own one by one */
        for (end = i; end < count && list[end]->forms == NULL;)
            end++;
        if (end > i)
            NS_TRY(quote_list(q, &list[i], end - i, selection, err));
        else
            NS_TRY(quote_in_forms(q, list[end++], selection, err));
    }
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
    ns_error_clear(err);
    ns_price_options options;
    NS_TRY(ns_price_options_take(selection != NULL ? &selection->price : NULL, &options, err));
    quoting q = {exchange, machine, &options, form_for(exchange, machine, options.form), options.without, workspace, 0};
    workspace->quotes = 0;
    workspace->by_node = (ns_by_node){.exchange = exchange};
    ns_arena_reset(&workspace->arena);
    for (int m = 0; m < NS_MEMORIES; m++)
        workspace->taken[m] = false;
    const ns_status status = quote_all(&q, selection, err);
    forget_groupings(workspace);
    NS_TRY(status);
    workspace->quotes = q.quotes;
    *quotes = q.quotes;
    return NS_OK;
}
