/* decision.c -- a decision as values and as a sentence */
#include "cli/show/decision.h"
#include "report/columns.h"

#include <stdio.h>

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

static void add_incumbent(const ns_comparison *c, const ns_change *change, ns_value *object)
{
    ns_value *incumbent = ns_value_object(object, "incumbent");
    add_way(c, change->incumbent, incumbent);
    ns_value_bool(incumbent, "named", c->incumbent >= 0);
    ns_value_count(incumbent, "p_better", change->same ? 0 : change->gain.p_better);
    ns_value_count(incumbent, "gain_q10", change->gain.q10);
    ns_value_count(incumbent, "gain_q50", change->gain.q50);
    ns_value_count(incumbent, "gain_q90", change->gain.q90);
    ns_value_count(incumbent, "expected_loss", change->kept);
}

static void add_trust(const ns_decided *of, ns_value *object)
{
    ns_trust trust;
    const ns_comparison *c = of->comparison;
    if (of->foreign || !ns_trust_of(of->machine, c->choice[c->best].price.form, &trust)) {
        ns_value_null(object, "trust");
        return;
    }
    ns_value *value = ns_value_object(object, "trust");
    ns_value_text(value, "machine", trust.machine);
    ns_value_count(value, "cases", trust.cases);
    ns_value_count(value, "right", trust.right);
    ns_value_count(value, "loss", trust.loss);
    if (trust.rule != NULL) {
        ns_value_text(value, "rule", trust.rule);
        ns_value_count(value, "rule_loss", trust.rule_loss);
    } else {
        ns_value_null(value, "rule");
        ns_value_null(value, "rule_loss");
    }
    ns_value_bool(value, "held_out", trust.held_out);
}

void ns_decision_value(const ns_decided *of, const char *next, ns_value *parent)
{
    const ns_comparison *c = of->comparison;
    ns_change change;
    const ns_decision *d = &c->decision;
    ns_value *object = d->best >= 0 ? ns_put_object(parent, "decision", NS_IN_JSON) : NULL;
    if (d->best < 0)
        ns_put_text(parent, "decision", NS_IN_JSON, NULL);
    if (ns_change_advise(c, &of->thresholds, &change, NULL) != NS_OK)
        return;
    add_way(c, d->best, object);
    ns_value_text(object, "action", ns_action_words[change.action]);
    ns_value_count(object, "distinct", d->distinct);
    ns_value_count(object, "p_best", d->p_best[d->best]);
    ns_value_count(object, "loss_q50", d->loss_q50);
    ns_value_count(object, "loss_q90", d->loss_q90);
    ns_value_count(object, "expected_ln_loss", d->expected_ln_loss);
    add_lists(c, object);
    add_basis(c, object);
    add_incumbent(c, &change, object);
    ns_value_count(object, "p_loss_10", change.p_loss_10);
    add_trust(of, object);
    ns_value *list = ns_value_list(object, "next");
    if (next != NULL)
        ns_value_text(list, NULL, next);
}

void ns_decision_sentence(const ns_decided *decided, ns_value *of_case)
{
    char text[NS_ANSWER_LINE];
    ns_answer_sentence(decided, text);
    if (decided->comparison->decision.best >= 0)
        ns_put_text(of_case, "sentence", NS_IN_JSON, text);
    snprintf(text, sizeof text, "%d %s%s%.60s", (int)decided->parts,
             decided->machine->gpus > 0 ? decided->parts == 1 ? "GPU" : "GPUs"
             : decided->parts == 1      ? "process"
                                        : "processes",
             decided->one_of_many ? " on " : "", decided->one_of_many ? decided->machine->name : "");
    ns_put_text(of_case, "heading", NS_IN_NARROW | NS_HEADING, text);
}
