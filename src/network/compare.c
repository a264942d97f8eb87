/* compare.c -- every way of an exchange on a network, side by side
 *
 * Between ways of different hardware nothing of the error is shared: with the errors e of both, in log2, each way's
 * scale is 1/kappa = (sqrt 6 / pi) ln 2 sqrt((e_messages^2 + e_network^2) / 2).  Where the machine's own kappa claims
 * more than that, this stands.
 */
#include "core/memory.h"
#include "network/fabric.h"
#include "price/choice.h"

#include <math.h>

static void keep_to_errors(const ns_comparison *c, const ns_networked *n, ns_belief *belief)
{
    const double pi = 3.14159265358979323846, network = c->choice[n->gather].price.log2_error;
    double messages = 0;
    for (int i = 0; i < c->choices; i++)
        if (i != n->gather)
            messages = fmax(messages, c->choice[i].price.log2_error);
    const double each = log(2) * sqrt((messages * messages + network * network) / 2);
    if (!(each > 0) || !(pi / sqrt(6) / each < belief->kappa))
        return;
    *belief = (ns_belief){.kappa = pi / sqrt(6) / each,
                          .lambda = belief->lambda,
                          .doubt = belief->doubt,
                          .source = n->gathering.error_source};
}

static ns_status price_ways(const ns_network_request *request, const ns_selection *selection, ns_workspace *workspace,
                            ns_comparison *comparison, ns_networked *n, ns_error *err)
{
    const ns_fabric *fabric = n->fabric;
    ns_selection strategies = *selection;
    strategies.incumbents = 0; /* what is in use may be the network's way */
    comparison->choices = 0;
    comparison->best = 0;
    if (request->messages)
        NS_TRY(ns_compare_again(request->exchange, fabric->machine, &strategies, workspace, comparison, err));
    if (request->messages && fabric->kind->effect == NS_NETWORK_CARRIES)
        NS_TRY(ns_fabric_stripe(fabric, request->exchange, selection, workspace, comparison, n, err));
    if (request->gathers && fabric->kind->effect == NS_NETWORK_GATHERS)
        NS_TRY(ns_fabric_gather(fabric, request, selection, workspace, comparison, n, err));
    if (comparison->choices == 0)
        return ns_fail(err, NS_ERR_DATA, "%s has no way of its own: the strategies' messages go over it",
                       fabric->kind->name);
    ns_belief belief = ns_belief_of(fabric->machine, comparison->choice[comparison->best].price.form);
    if (n->gather >= 0)
        keep_to_errors(comparison, n, &belief);
    return ns_comparison_choose(fabric->machine, &belief, selection, &selection->price, comparison, err);
}

ns_status ns_network_compare(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                             ns_workspace *workspace, ns_comparison *comparison, ns_networked **networked,
                             ns_error *err)
{
    ns_networked *n = ns_calloc(1, sizeof *n);
    ns_comparison *made = ns_calloc(1, sizeof *made);
    ns_status status = n != NULL && made != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        n->size = sizeof *n;
        n->fabric = fabric;
        n->gather = -1;
        n->gathering.size = sizeof n->gathering;
        status = price_ways(request, selection, workspace, made, n, err);
    }
    if (status == NS_OK) {
        *comparison = *made;
        *networked = n;
    } else {
        ns_networked_free(n);
    }
    ns_free(made);
    return status;
}

void ns_networked_free(ns_networked *n)
{
    if (n == NULL)
        return;
    for (int i = 0; i < NS_CHOICES; i++)
        ns_machine_free(n->striped[i]);
    ns_netsparse_free(n->gathering.result);
    ns_free(n);
}

const ns_machine *ns_networked_machine(const ns_networked *n, int choice)
{
    return choice >= 0 && choice < NS_CHOICES && n->striped[choice] != NULL ? n->striped[choice] : n->fabric->machine;
}
