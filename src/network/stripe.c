/* stripe.c -- long messages over all cards of a node ([RS] Sections 2.2.1.2 and 2.2.2, Figure 7)
 *
 * A message beyond the threshold is cut into fragments, which the cards share: a byte of it takes transfer/s of the
 * model multirail.  A strategy's long messages are those of the process that decides its price, at their mean length.
 */
#include "machine_file/change.h"
#include "netsparse/parameters.h"
#include "network/fabric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "10 GB/s,10 GB/s", as the model is told of its cards. */
static void list_cards(double rails, double rate, char *text, size_t size)
{
    char one[48];
    size_t used = 0;
    ns_double_format(rate, one, sizeof one);
    for (int i = 0; i < (int)rails && used + sizeof one < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s B/s", i > 0 ? "," : "B=", one);
}

/* Seconds for each byte of a message of s bytes, striped. */
static ns_status striped_beta(const ns_fabric *fabric, double s, double *beta, ns_error *err)
{
    char cards[NS_LIST_MAX * 56];
    double rails, rate;
    ns_evaluated striped;
    ns_binding binding;
    NS_TRY(ns_fabric_rails(fabric->hardware, &rails, &rate, err));
    NS_TRY(ns_model_get("multirail", &striped.model, err));
    list_cards(rails, rate, cards, sizeof cards);
    ns_bind_open(&binding, striped.model, fabric->hardware);
    NS_TRY(ns_bind_text(&binding, cards, err));
    NS_TRY(ns_bind_number(&binding, "s", s, err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &striped.out, err));
    *beta = ns_netsparse_output(&striped, "transfer") / s;
    return NS_OK;
}

/* Mean length of the rendezvous messages off node, of the step with the longest. */
static double longest(const ns_choice *choice)
{
    double most = 0;
    for (int i = 0; i < choice->price.steps; i++) {
        const ns_class_load *load = &choice->price.step[i].load[NS_OFF_NODE][NS_RENDEZVOUS];
        if (load->messages > 0)
            most = fmax(most, load->bytes / load->messages);
    }
    return most;
}

/* The machine for messages of that length. */
static ns_status stripe_machine(const ns_fabric *fabric, ns_memory memory, double s, ns_machine **striped,
                                ns_error *err)
{
    static const char *const kinds[] = {"", "exchange."};
    char path[2][80];
    ns_change change[2];
    size_t changes = 0;
    double beta;
    NS_TRY(striped_beta(fabric, s, &beta, err));
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s.%soff-node.rendezvous.beta", ns_memory_words[memory], kinds[i]);
        const ns_parameter *own = ns_machine_parameter(fabric->machine, path[i]);
        if (own != NULL && own->value > beta)
            change[changes++] = (ns_change){path[i], beta, own->source};
    }
    return changes > 0 ? ns_machine_change(fabric->machine, change, changes, "long messages striped", striped, err)
                       : NS_OK;
}

static ns_status reprice(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                         ns_workspace *workspace, ns_choice *choice, bool *faster, ns_error *err)
{
    int quotes;
    const ns_selection one = {.strategy = &choice->strategy,
                              .strategies = 1,
                              .transports = 1u << choice->transport,
                              .price = selection->price};
    NS_TRY(ns_quote(exchange, machine, &one, workspace, &quotes, err));
    const ns_price *price = &ns_quote_at(workspace, 0)->price;
    *faster = price->estimate_s < choice->price.estimate_s;
    if (*faster)
        choice->price = *price;
    return NS_OK;
}

ns_status ns_fabric_stripe(const ns_fabric *fabric, const ns_exchange *exchange, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err)
{
    double threshold;
    if (!ns_machine_number(fabric->hardware, "models.multirail.threshold", &threshold, NULL, NULL))
        return NS_OK;
    for (int i = 0; i < comparison->choices; i++) {
        ns_choice *choice = &comparison->choice[i];
        const double s = longest(choice);
        bool faster = false;
        if (!(s > threshold))
            continue;
        NS_TRY(stripe_machine(fabric, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, s,
                              &networked->striped[i], err));
        if (networked->striped[i] != NULL)
            NS_TRY(reprice(exchange, networked->striped[i], selection, workspace, choice, &faster, err));
        if (!faster) {
            ns_machine_free(networked->striped[i]);
            networked->striped[i] = NULL;
        }
    }
    return NS_OK;
}
