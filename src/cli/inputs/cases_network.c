/* cases_network.c -- the cases of predict on other network hardware: --network */
#include "cli/front/progress.h"
#include "cli/inputs/cases.h"
#include "core/memory.h"

#include <string.h>

/* ---- what is wanted ---------------------------------------------------------------------------------------------- */

/* Strategies stay in order; what is no strategy of messages is left out of them. */
static void split_selection(ns_cases *p)
{
    const unsigned every = (1u << NS_TRANSPORTS) - 1, nic = 1u << NS_VIA_NIC;
    size_t kept = 0;
    bool gather = p->selection.strategies == 0;
    for (size_t i = 0; i < p->selection.strategies; i++)
        if (p->wanted[i] == &ns_strategy_in_network_gather)
            gather = true;
        else
            p->wanted[kept++] = p->wanted[i];
    p->messages = p->selection;
    p->messages.strategies = kept;
    p->messages.transports &= every;
    p->wants_messages = (kept > 0 || p->selection.strategies == 0) &&
                        (p->selection.transports == 0 || (p->selection.transports & every) != 0);
    p->wants_gather = gather && (p->selection.transports == 0 || (p->selection.transports & nic) != 0);
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* --set of a number that the network's file has changes it there. */
static ns_status open_hardware(const ns_cases *p, ns_machine **hardware, bool *own_link, ns_error *err)
{
    static const char rate[] = "models.rig-batch.rate=";
    const char *assignment;
    NS_TRY(ns_machine_load(p->network->hardware, hardware, err));
    *own_link = false;
    for (int i = 0; (assignment = ns_args_at(p->args, "set", i)) != NULL; i++) {
        ns_machine *changed;
        if (!ns_machine_has(*hardware, assignment))
            continue;
        NS_TRY(ns_machine_with(*hardware, assignment, &changed, err));
        ns_machine_free(*hardware);
        *hardware = changed;
        *own_link = *own_link || strncmp(assignment, rate, sizeof rate - 1) == 0;
    }
    return NS_OK;
}

static ns_status put_under(ns_cases *p, const ns_machine *hardware, bool own_link, ns_error *err)
{
    const size_t each = p->count / p->machines;
    for (size_t i = 0; i < p->machines; i++) {
        NS_TRY(
            ns_fabric_open(p->network, hardware, own_link, p->machine[i], p->selection.price.form, &p->fabric[i], err));
        for (size_t k = i * each; k < (i + 1) * each; k++)
            p->of[k].machine = p->fabric[i]->machine;
    }
    return NS_OK;
}

ns_status ns_cases_network(ns_cases *p, ns_error *err)
{
    ns_machine *hardware = NULL;
    bool own_link;
    split_selection(p);
    p->fabric = ns_calloc(p->machines, sizeof *p->fabric);
    if (p->fabric == NULL)
        return ns_no_memory(err);
    ns_status status = open_hardware(p, &hardware, &own_link, err);
    if (status == NS_OK)
        status = put_under(p, hardware, own_link, err);
    ns_machine_free(hardware);
    return status;
}

ns_status ns_case_on_network(ns_cases *p, size_t i, ns_error *err)
{
    ns_progress_job job = {.progress = p->args->progress, .what = "gathering", .unit = " nodes"};
    ns_selection selection = p->messages;
    const ns_network_request request = {.exchange = p->of[i].exchange,
                                        .matrix = p->inputs.matrix,
                                        .part = p->inputs.part,
                                        .max_memory = p->inputs.limits.max_memory,
                                        .messages = p->wants_messages,
                                        .gathers = p->wants_gather,
                                        .watch = ns_progress_tell,
                                        .watcher = &job};
    const ns_status status = ns_network_compare(p->fabric[i / (p->count / p->machines)], &request, &selection,
                                                p->workspace, &p->comparison[i], &p->of[i].network, err);
    ns_progress_clear(p->args->progress);
    return status;
}
