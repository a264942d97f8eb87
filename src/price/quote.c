/* quote.c -- every strategy's price from one pass over what it sends */

#include "price/quote.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "price/cost.h"
#include "price/tally.h"

#include <stddef.h>
#include <string.h>

struct ns_workspace {
    ns_tally tally;
    ns_arena arena; /* of tasks */
    ns_form_values values[NS_MEMORIES];
    bool taken[NS_MEMORIES]; /* values of this call */
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
    ns_free(workspace);
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

static ns_status price(quoting *q, const ns_strategy *strategy, ns_transport transport, int64_t messages_off_node_max,
                       ns_error *err)
{
    ns_tally *tally = &q->workspace->tally;
    const ns_memory memory = memory_of(transport);
    if (q->quotes == NS_CHOICES)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_CHOICES);
    ns_quoted *quoted = &q->workspace->quote[q->quotes++];
    const ns_tally_source loads = ns_tally_loads(tally, q->machine, q->form, memory);
    quoted->size = sizeof *quoted;
    quoted->strategy = strategy;
    quoted->transport = transport;
    quoted->messages_off_node_max = messages_off_node_max;
    return ns_price_source(&loads.source, values_of(q, memory), q->options->confidence, &quoted->price, err);
}

/* The transports of some bits by one pass. */
static ns_status quote_pass(quoting *q, const ns_strategy *strategy, unsigned transports, ns_error *err)
{
    ns_workspace *w = q->workspace;
    ns_task task = {0};
    ns_sizes sizes;
    unsigned memories = 0;
    for (int t = NS_TRANSPORTS - 1; t >= 0; t--)
        if ((transports >> t & 1) != 0) {
            memories |= 1u << memory_of((ns_transport)t);
            task.transport = (ns_transport)t;
        }
    ns_arena_reset(&w->arena);
    NS_TRY(ns_task_open(strategy, task.transport, q->exchange, q->machine, &w->arena, &task, err));
    ns_sizes_of(q->machine, q->form, memories, &sizes);
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

static ns_status quote_all(quoting *q, const ns_selection *selection, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++)
        NS_TRY(quote_strategy(q, list[i], transports_of(q, selection, list[i]), err));
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
    for (int m = 0; m < NS_MEMORIES; m++)
        workspace->taken[m] = false;
    NS_TRY(quote_all(&q, selection, err));
    workspace->quotes = q.quotes;
    *quotes = q.quotes;
    return NS_OK;
}
