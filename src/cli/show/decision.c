/* decision.c -- a decision as values and as a sentence */
#include "cli/show/decision.h"
#include "report/columns.h"

#include <math.h>
#include <stdio.h>

static void add_way(const ns_comparison *c, int i, ns_value *object)
{
    ns_value_text(object, "strategy", c->choice[i].strategy->name);
    ns_value_text(object, "transport", ns_transport_words[c->choice[i].transport]);
}

static const ns_table_column of_belief[] = {{"kappa", NS_COL(ns_belief, kappa)},
                                            {"doubt", NS_COL(ns_belief, doubt)},
                                            {"lambda", NS_COL(ns_belief, lambda)},
                                            {"source", NS_COL(ns_belief, source)},
                                            {"cases", NS_COL(ns_belief, cases)},
                                            {"groups", NS_COL(ns_belief, groups)},
                                            {NULL}};
static const ns_table_column of_decision[] = {{"loss_q50", NS_COL(ns_decision, loss_q50)},
                                              {"loss_q90", NS_COL(ns_decision, loss_q90)},
                                              {"expected_ln_loss", NS_COL(ns_decision, expected_ln_loss)},
                                              {NULL}};
static const ns_table_column of_gain[] = {{"gain_q10", NS_COL(ns_change, gain.q10)},
                                          {"gain_q50", NS_COL(ns_change, gain.q50)},
                                          {"gain_q90", NS_COL(ns_change, gain.q90)},
                                          {"expected_loss", NS_COL(ns_change, kept)},
                                          {NULL}};
static const ns_table_column of_trust[] = {
    {"machine", NS_COL(ns_trust, machine)},   {"cases", NS_COL(ns_trust, cases)},
    {"right", NS_COL(ns_trust, right)},       {"loss", NS_COL(ns_trust, loss)},
    {"rule", NS_COL(ns_trust, rule)},         {"rule_loss", NS_COL(ns_trust, rule_loss)},
    {"held_out", NS_COL(ns_trust, held_out)}, {NULL}};

void ns_decision_value(const ns_decided *of, const char *next, ns_value *parent)
{
    const ns_comparison *c = of->comparison;
    const ns_decision *d = &c->decision;
    const ns_form *form = c->choice[c->best].price.form;
    ns_change change;
    ns_trust trust;
    ns_value *object = d->best >= 0 ? ns_put_object(parent, "decision", NS_IN_JSON) : NULL;
    if (d->best < 0)
        ns_put_text(parent, "decision", NS_IN_JSON, NULL);
    if (ns_change_advise(c, &of->thresholds, &change, NULL) != NS_OK)
        return;
    add_way(c, d->best, object);
    ns_value_text(object, "action", ns_action_words[change.action]);
    ns_value_count(object, "distinct", d->distinct);
    ns_value_count(object, "p_best", d->p_best[d->best]);
    ns_put_columns(object, of_decision, d);
    ns_value *list = ns_value_list(object, "shortlist");
    for (int i = 0; i < d->shortlisted; i++)
        add_way(c, d->shortlist[i], ns_value_object(list, NULL));
    ns_value_count(object, "shortlist_p", d->shortlist_p);
    list = ns_value_list(object, "ruled_out");
    for (int i = 0; i < d->ways; i++)
        if ((d->ruled_out >> i & 1) != 0)
            add_way(c, i, ns_value_object(list, NULL));
    ns_value *basis = ns_value_object(object, "basis");
    ns_value_text(basis, "form", form->name);
    ns_put_columns(basis, of_belief, &c->belief);
    ns_value *incumbent = ns_value_object(object, "incumbent");
    add_way(c, change.incumbent, incumbent);
    ns_value_bool(incumbent, "named", c->incumbent >= 0);
    ns_value_count(incumbent, "p_better", change.same ? 0 : change.gain.p_better);
    ns_put_columns(incumbent, of_gain, &change);
    ns_value_count(object, "p_loss_10", change.p_loss_10);
    if (of->foreign || !ns_trust_of(of->machine, form, &trust))
        ns_value_null(object, "trust");
    else {
        trust.rule_loss = trust.rule != NULL ? trust.rule_loss : (double)NAN;
        ns_put_columns(ns_value_object(object, "trust"), of_trust, &trust);
    }
    list = ns_value_list(object, "next");
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
