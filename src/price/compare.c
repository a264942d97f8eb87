/* compare.c -- every strategy side by side */
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
    return status == NS_ERR_MEMORY ? ns_no_memory(err) : NS_OK;
}

/* Strategies differ in how messages cross to other nodes, those of one nest in who copies for a GPU.  Where nothing
 * crosses, or there is no GPU, they send the same; shared copies still show in the price. */
static bool send_the_same(const ns_choice *a, const ns_choice *b, const ns_machine *machine)
{
    const bool by_rule =
        (a->messages_off_node_max == 0 && b->messages_off_node_max == 0) ||
        (machine->gpus == 0 && strcmp(ns_strategy_nest(a->strategy), ns_strategy_nest(b->strategy)) == 0);
    return by_rule && a->transport == b->transport && a->messages_off_node_max == b->messages_off_node_max &&
           a->price.copy_s == b->price.copy_s && a->price.estimate_s == b->price.estimate_s && a->price.estimate_s > 0;
}

static int same_as(const ns_comparison *c, int i, const ns_machine *machine)
{
    for (int k = 0; k < i; k++)
        if (send_the_same(&c->choice[k], &c->choice[i], machine))
            return c->choice[k].same > 0 ? c->choice[k].same : k + 1;
    return 0;
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
        choice->same = same_as(comparison, i, machine);
        NS_TRY(publish(exchange, machine, choice, err));
    }
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
