/* explain_network.c -- why a way on other hardware costs what it costs */
#include "study/explanation.h"

#include "network/network.h"

/* What no time of the node that ends last can be shorter than. */
static void add_bound(ns_explanation *to, const char *name, const char *formula, const char *model, double seconds)
{
    ns_term *term = ns_explanation_add(to, 2, "%s", name);
    ns_term_set_value(term, seconds, NS_SECOND, false);
    term->formula = formula;
    term->model = ns_model_find(model);
    term->source = term->model->source;
}

static void add_step(ns_explanation *to, const ns_step_result *step, ns_mechanism mechanism)
{
    ns_term *term = ns_explanation_add(to, 2, "whole exchange after %s", ns_mechanism_words[mechanism]);
    ns_term_set_value(term, step->time, NS_SECOND, false);
    term->formula = "mechanisms one after another";
    term->model = ns_model_find("netsparse-speedup");
    term->source = term->model->source;
}

static void add_network(ns_explanation *to, const ns_networked *n)
{
    const ns_gathering *g = &n->gathering;
    const ns_netsparse_result *r = g->result;
    ns_term *term = ns_explanation_add(to, 1, "between nodes%s%s", r != NULL ? ", limited by " : "",
                                       r != NULL ? ns_limit_words[r->step[NS_SWITCH].limit] : "");
    ns_term_set_value(term, g->network_s, NS_SECOND, true);
    term->source = n->fabric->kind->source;
    if (r == NULL)
        return;
    const ns_step_result *last = &r->step[NS_SWITCH];
    add_bound(to, "line", "busier direction / (B s)", "rig-batch", last->tail.line);
    add_bound(to, "RIG units", "Z/(Ua f) and commands", "rig-batch", last->tail.generate);
    add_bound(to, "pending tables", "Q RTT/(Ua E)", "rig-batch", last->tail.pending);
    add_bound(to, "last round of batches", "beyond the pace of all units", "rig-batch", last->tail.tail);
    add_bound(to, "links between switches", "bytes x hops/(links B)", "netsparse-hops", last->network);
    for (int i = 0; i < NS_MECHANISMS; i++)
        add_step(to, &r->step[i], (ns_mechanism)i);
}

ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err)
{
    const ns_machine *machine = ns_networked_machine(networked, choice);
    const ns_choice *of = &comparison->choice[choice];
    if (choice != networked->gather)
        return ns_explain_choice(explanation, machine, exchange, of, err);
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s with %s", of->strategy->name,
                                         ns_transport_words[of->transport], (int)exchange->parts, machine->name,
                                         networked->fabric->kind->name),
                      of->price.estimate_s, NS_SECOND, true);
    add_network(explanation, networked);
    ns_explain_steps(explanation, machine, of, networked->gathering.inside == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    return ns_explanation_check(explanation, err);
}
