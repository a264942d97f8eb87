/* compare.c -- every strategy side by side */
#include "core/memory.h"
#include "core/refuse.h"
#include "price/cost.h"

#include <math.h>

static bool is_selected(const ns_selection *selection, ns_transport transport)
{
    return selection == NULL || selection->transports == 0 || (selection->transports & (1u << transport)) != 0;
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
    static const ns_memory memory[NS_TRANSPORTS] = {[NS_VIA_HOST] = NS_HOST, [NS_VIA_DEVICE] = NS_DEVICE};
    bool has[NS_TRANSPORTS], any = false;
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        has[t] = ns_machine_line(machine, memory[t], NS_OFF_NODE, 0, NULL) != NULL;
        any = any || (has[t] && is_selected(selection, (ns_transport)t) && runs_by(machine, (ns_transport)t));
    }
    return exchange->nodes < 2 || has[transport] || !any;
}

/* A machine may lack what the paper's form asks for: then nothing is published for it. */
static ns_status publish(const ns_exchange *exchange, const ns_machine *machine, ns_choice *choice, ns_error *err)
{
    ns_error lacks = {0};
    choice->published_s = choice->corrected_s = -1;
    ns_status status =
        ns_strategy_published(choice->strategy, choice->transport, exchange, machine, &choice->published_s, &lacks);
    if (status == NS_OK)
        status =
            ns_strategy_corrected(choice->strategy, choice->transport, exchange, machine, &choice->corrected_s, &lacks);
    return status == NS_ERR_MEMORY ? ns_no_memory(err) : NS_OK;
}

static ns_status evaluate(const ns_exchange *exchange, const ns_machine *machine, const ns_price_options *options,
                          ns_choice *choice, ns_error *err)
{
    ns_schedule *schedule;
    NS_TRY(ns_schedule_build(choice->strategy, choice->transport, exchange, machine, &schedule, err));
    ns_status status = ns_schedule_price_as(schedule, machine, options, &choice->price, err);
    choice->messages_off_node_max = ns_schedule_messages_off_node_max(schedule);
    ns_schedule_free(schedule);
    return status == NS_OK ? publish(exchange, machine, choice, err) : status;
}

static ns_status compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                         const ns_price_options *options, ns_comparison *comparison, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            if (!is_selected(selection, (ns_transport)t) || !ns_strategy_runs(list[i], (ns_transport)t, machine) ||
                !ns_transport_crosses(exchange, machine, selection, (ns_transport)t))
                continue;
            if (comparison->choices == NS_CHOICES)
                return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_CHOICES);
            ns_choice *choice = &comparison->choice[comparison->choices++];
            *choice = (ns_choice){.strategy = list[i], .transport = (ns_transport)t};
            NS_TRY(evaluate(exchange, machine, options, choice, err));
        }
    if (comparison->choices == 0)
        return runs_any(machine)
                   ? ns_fail(err, NS_ERR_DATA, "machine %s runs none of the strategies and transports asked for",
                             machine->name)
                   : ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(machine),
                                 "machine %s has no table of messages, host or device, that a strategy could be priced "
                                 "with",
                                 machine->name);
    return ns_comparison_choose(machine, selection, options, comparison, err);
}

ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                     ns_comparison *comparison, ns_error *err)
{
    const ns_price_options options = selection != NULL ? selection->price : (ns_price_options){NULL, NS_CONFIDENCE, 0};
    ns_comparison made = {.choices = 0};
    NS_TRY(ns_price_options_check(&options, err));
    NS_TRY(compare(exchange, machine, selection, &options, &made, err));
    *comparison = made;
    return NS_OK;
}
