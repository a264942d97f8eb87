/* compare.c -- every strategy side by side */
#include "core/context.h"
#include "core/memory.h"
#include "price/cost.h"
#include "price/quote.h"

#include <stddef.h>
#include <string.h>

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
    return ns_ends_call(status) ? ns_end_call(&lacks, err) : NS_OK;
}

static ns_status compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                         const ns_price_options *options, ns_workspace *workspace, ns_comparison *comparison,
                         ns_error *err)
{
    NS_TRY(ns_quote(exchange, machine, selection, workspace, &comparison->choices, err));
    for (int i = 0; i < comparison->choices; i++) {
        const ns_quoted *quoted = ns_quote_at(workspace, i);
        ns_choice *choice = &comparison->choice[i];
        choice->strategy = quoted->strategy;
        choice->transport = quoted->transport;
        choice->price = quoted->price;
        choice->messages_off_node_max = quoted->messages_off_node_max;
        NS_TRY(publish(exchange, machine, choice, err));
    }
    ns_comparison_find_same(exchange, machine, comparison);
    return ns_comparison_choose(machine, selection, options, comparison, err);
}

/* Only the choices that there are: a comparison has room for many, and most of it stays as it was. */
static void hand_over(const ns_comparison *made, ns_comparison *comparison)
{
    const size_t first = offsetof(ns_comparison, choice), rest = offsetof(ns_comparison, best);
    memcpy(comparison, made, first + (size_t)made->choices * sizeof made->choice[0]);
    memcpy((char *)comparison + rest, (const char *)made + rest, sizeof *made - rest);
}

ns_status ns_compare_again(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_error *err)
{
    const ns_price_options options =
        selection != NULL ? selection->price : (ns_price_options){.confidence = NS_CONFIDENCE};
    ns_comparison made; /* set up to its last choice, and after all of them */
    made.gain = (ns_gain){0};
    NS_TRY(compare(exchange, machine, selection, &options, workspace, &made, err));
    hand_over(&made, comparison);
    return NS_OK;
}

ns_status ns_compare_into(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_comparison *comparison, ns_error *err)
{
    ns_workspace *workspace;
    NS_TRY(ns_workspace_open(&workspace, err));
    const ns_status status = ns_compare_again(exchange, machine, selection, workspace, comparison, err);
    ns_workspace_free(workspace);
    return status;
}
