/* decision.c -- a decision as values and as a sentence */
#include "cli/show/decision.h"

static void add_way(const ns_comparison *c, int i, ns_value *object)
{
    ns_value_text(object, "strategy", c->choice[i].strategy->name);
    ns_value_text(object, "transport", ns_transport_words[c->choice[i].transport]);
}

static void add_lists(const ns_comparison *c, ns_value *object)
{
    const ns_decision *d = &c->decision;
    ns_value *list = ns_value_list(object, "shortlist");
    for (int i = 0; i < d->shortlisted; i++)
        add_way(c, d->shortlist[i], ns_value_object(list, NULL));
    ns_value_count(object, "shortlist_p", d->shortlist_p);
    list = ns_value_list(object, "ruled_out");
    for (int i = 0; i < d->ways; i++)
        if ((d->ruled_out >> i & 1) != 0)
            add_way(c, i, ns_value_object(list, NULL));
}

static void add_basis(const ns_comparison *c, ns_value *object)
{
    ns_value *basis = ns_value_object(object, "basis");
    ns_value_text(basis, "form", c->choice[c->best].price.form->name);
    ns_value_count(basis, "kappa", c->belief.kappa);
    ns_value_count(basis, "doubt", c->belief.doubt);
    ns_value_count(basis, "lambda", c->belief.lambda);
    ns_value_text(basis, "source", c->belief.source);
    ns_value_count(basis, "cases", c->belief.cases);
    ns_value_count(basis, "groups", c->belief.groups);
}

static void add_incumbent(const ns_comparison *c, ns_value *object)
{
    if (c->incumbent < 0) {
        ns_value_null(object, "incumbent");
        return;
    }
    ns_value *incumbent = ns_value_object(object, "incumbent");
    add_way(c, c->incumbent, incumbent);
    ns_value_count(incumbent, "p_better", c->gain.p_better);
    ns_value_count(incumbent, "gain_q10", c->gain.q10);
    ns_value_count(incumbent, "gain_q50", c->gain.q50);
    ns_value_count(incumbent, "gain_q90", c->gain.q90);
}

void ns_decision_value(const ns_comparison *c, ns_value *parent)
{
    const ns_decision *d = &c->decision;
    ns_value *object = d->best >= 0 ? ns_value_object(parent, "decision") : ns_value_null(parent, "decision");
    ns_value_flag(object, NS_V_JSON_ONLY);
    if (d->best < 0)
        return;
    add_way(c, d->best, object);
    ns_value_count(object, "p_best", d->p_best[d->best]);
    ns_value_count(object, "loss_q50", d->loss_q50);
    ns_value_count(object, "loss_q90", d->loss_q90);
    ns_value_count(object, "expected_ln_loss", d->expected_ln_loss);
    add_lists(c, object);
    add_basis(c, object);
    add_incumbent(c, object);
}

void ns_decision_sentence(const ns_decided *decided, bool heading, ns_value *of_case, ns_value *result)
{
    char text[NS_SENTENCE_MAX];
    ns_decided_text(decided, text);
    if (heading)
        ns_value_flag(ns_value_text(of_case, "heading", text), NS_V_NARROW | NS_V_HEADING);
    const bool decides = decided->comparison->decision.best >= 0;
    if (decides)
        ns_value_flag(ns_value_text(of_case, "sentence", text), NS_V_JSON_ONLY);
    if (!decides && heading)
        return;
    ns_value_flag(ns_value_text(result, "decision_line", text),
                  NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV | (heading ? NS_V_WIDE : 0));
}
