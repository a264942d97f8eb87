/* choice.c -- strategies side by side: from prices to a choice, how sure it is, and whether to leave the way in use
 *
 *     switch    P(best faster than in use) >= sure    and    1 - 1/q50(in use / best) > worth
 *     keep      E loss of what is in use < worth
 *     measure   else
 */
#include "price/change.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/own.h"
#include "price/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

NS_FREED_BY(ns_workspace_free, ns_workspace)

const char *const ns_verdict_words[] = {"clear", "tie", "extrapolated", NULL};
const char *const ns_action_words[] = {"switch", "keep", "measure", NULL};

/* ---- how far a machine's choices can be trusted ------------------------------------------------------------------ */

/* A number that a machine has learnt about its choices; 0: it has learnt nothing. */
static double number_of(const ns_machine *machine, int memory, const char *what, const char **source)
{
    char path[60];
    snprintf(path, sizeof path, "%s.choice.%s", ns_memory_words[memory], what);
    const ns_parameter *from = ns_machine_parameter(machine, path);
    if (from != NULL && source != NULL)
        *source = from->source;
    return from != NULL ? from->value : 0;
}

/* Of the two memories, the belief of the one that is trusted less; a memory that was not measured does not count. */
ns_belief ns_belief_of(const ns_machine *machine, const ns_form *form)
{
    ns_belief belief = {
        .kappa = NS_KAPPA_RIGHT, .lambda = NS_LAMBDA_DEFAULT, .doubt = NS_DOUBT_DEFAULT, .source = "default"};
    for (int m = 0; m < NS_MEMORIES && form->error != NULL; m++) {
        const char *source = NULL;
        const double kappa = number_of(machine, m, "kappa", &source), lambda = number_of(machine, m, "lambda", NULL);
        if (kappa <= 0 || (belief.cases > 0 && kappa >= belief.kappa))
            continue;
        belief = (ns_belief){.kappa = kappa, /* what its own exchanges leave */
                             .lambda = lambda > 0 && lambda <= 1 ? lambda : NS_LAMBDA_DEFAULT,
                             .doubt = 0,
                             .cases = number_of(machine, m, "cases", NULL),
                             .groups = number_of(machine, m, "groups", NULL),
                             .source = source};
    }
    return belief;
}

double ns_belief_doubt(const ns_belief *belief, const ns_machine *machine, const ns_way *ways, const ns_way_of *of,
                       size_t count)
{
    ns_decision right;
    double doubt = 0;
    if (ns_decide(ways, count, belief->kappa, belief->lambda, 0, &right, NULL) != NS_OK || right.best < 0)
        return belief->doubt;
    for (size_t i = 0; i < count; i++)
        doubt += right.p_best[i] * (ns_way_doubt(belief, machine, of[i]) - belief->doubt);
    return belief->doubt + doubt; /* exactly the machine's where all ways have it */
}

/* Of the two memories, the trust in the one whose advice loses more. */
bool ns_trust_of(const ns_machine *machine, const ns_form *form, ns_trust *trust)
{
    ns_trust made = {.cases = 0};
    for (int m = 0; m < NS_MEMORIES && form->error != NULL; m++) {
        const double cases = number_of(machine, m, "apart", NULL), loss = number_of(machine, m, "loss", NULL);
        if (cases > 0 && (made.cases == 0 || loss > made.loss))
            made = (ns_trust){machine->name,
                              cases,
                              number_of(machine, m, "right", NULL),
                              loss,
                              machine->rule[m],
                              number_of(machine, m, "rule_loss", NULL),
                              number_of(machine, m, "held_out", NULL) > 0};
    }
    *trust = made;
    return made.cases > 0;
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

const char *ns_strategy_nest(const ns_strategy *strategy)
{
    return strategy->nest != NULL ? strategy->nest : strategy->name;
}

size_t ns_comparison_ways(const ns_comparison *c, ns_way ways[NS_CHOICES])
{
    for (int i = 0; i < c->choices; i++) {
        int nest = 0;
        while (strcmp(ns_strategy_nest(c->choice[nest].strategy), ns_strategy_nest(c->choice[i].strategy)) != 0)
            nest++;
        ways[i] = (ns_way){c->choice[i].price.estimate_s, nest, c->choice[i].same};
    }
    return (size_t)c->choices;
}

ns_status ns_comparison_choose(const ns_machine *machine, const ns_belief *belief, const ns_selection *selection,
                               ns_comparison *c, ns_error *err)
{
    static const ns_selection all = {0};
    ns_way ways[NS_CHOICES];
    ns_way_of of[NS_CHOICES];
    const size_t count = ns_comparison_ways(c, ways);
    for (size_t i = 0; i < count; i++)
        of[i] = (ns_way_of){c->choice[i].strategy, c->choice[i].transport};
    selection = selection != NULL ? selection : &all;
    c->best = 0;
    for (int i = 1; i < c->choices; i++)
        if (c->choice[i].price.estimate_s < c->choice[c->best].price.estimate_s)
            c->best = i;
    c->belief = belief != NULL ? *belief : ns_belief_of(machine, c->choice[c->best].price.form);
    c->belief.doubt = ns_belief_doubt(&c->belief, machine, ways, of, count);
    NS_TRY(ns_decide(ways, count, c->belief.kappa, c->belief.lambda, c->belief.doubt, &c->decision, err));
    const ns_decision *d = &c->decision;
    const int second = d->shortlist[d->shortlist[0] == c->best && d->shortlisted > 1];
    const double sure = selection->price.confidence > 0 ? selection->price.confidence : NS_CONFIDENCE;
    c->verdict = d->best < 0                                                                     ? NS_UNDECIDED
                 : c->choice[c->best].price.extrapolated || c->choice[second].price.extrapolated ? NS_EXTRAPOLATED
                 : d->p_best[c->best] >= sure                                                    ? NS_CLEAR
                                                                                                 : NS_TIE;
    c->incumbent = -1;
    for (int i = 0; i < c->choices; i++)
        for (size_t k = 0; k < selection->incumbents; k++)
            if (c->choice[i].strategy == selection->incumbent[k] &&
                c->choice[i].transport == selection->incumbent_transport &&
                (c->incumbent < 0 || c->choice[i].price.estimate_s < c->choice[c->incumbent].price.estimate_s))
                c->incumbent = i;
    if (selection->incumbents > 0 && c->incumbent < 0)
        return ns_fail(err, NS_ERR_DATA, "%s by way of the %s, which is in use, is not among what is compared",
                       selection->incumbent[0]->name, ns_transport_words[selection->incumbent_transport]);
    return c->incumbent >= 0 && d->best >= 0 ? ns_decision_gain(d, ways, c->incumbent, &c->gain, err) : NS_OK;
}

/* ---- ways that are one ------------------------------------------------------------------------------------------- */

/* Strategies differ in how messages cross to other nodes; those of one nest differ in who copies for a GPU.  Where
 * nothing crosses, no process shares its node with another, or there is no GPU, they send the same messages; shared
 * copies still affect the price.  What was learnt about a way under its name is not part of what it sends. */
static double without_learnt(const ns_price *price)
{
    double t = price->copy_s;
    for (int k = 0; k < NS_FORM_TERMS; k++)
        t += price->term_s[k];
    return t;
}

static bool send_the_same(const ns_choice *a, const ns_choice *b, const ns_exchange *exchange,
                          const ns_machine *machine)
{
    const bool by_rule =
        (a->messages_off_node_max == 0 && b->messages_off_node_max == 0) ||
        (exchange->per_node == 1 && !a->strategy->all_processes && !b->strategy->all_processes) ||
        (machine->gpus == 0 && strcmp(ns_strategy_nest(a->strategy), ns_strategy_nest(b->strategy)) == 0);
    return by_rule && a->strategy->forms == NULL && b->strategy->forms == NULL && a->transport == b->transport &&
           a->messages_off_node_max == b->messages_off_node_max && a->price.copy_s == b->price.copy_s &&
           without_learnt(&a->price) == without_learnt(&b->price) && a->price.estimate_s > 0;
}

void ns_comparison_find_same(const ns_exchange *exchange, const ns_machine *machine, ns_comparison *c)
{
    for (int i = 0; i < c->choices; i++) {
        int k = 0;
        while (k < i && !send_the_same(&c->choice[k], &c->choice[i], exchange, machine))
            k++;
        c->choice[i].same = k == i ? 0 : c->choice[k].same > 0 ? c->choice[k].same : k + 1;
        if (k < i) /* what was learnt about one applies to the other */
            c->choice[i].price = c->choice[k].price;
    }
}

/* ---- strategies side by side ------------------------------------------------------------------------------------- */

ns_status ns_compare_again(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_error *err)
{
    NS_TRY(ns_quote(exchange, machine, selection, workspace, &comparison->choices, err));
    comparison->gain = (ns_gain){0};
    for (int i = 0; i < comparison->choices; i++) {
        ns_choice *choice = &comparison->choice[i];
        ns_error lacks = {0};
        *choice = *ns_quote_at(workspace, i);
        choice->published_s = choice->corrected_s = -1;
        ns_status status =
            ns_strategy_published(choice->strategy, choice->transport, exchange, machine, &choice->published_s, &lacks);
        if (status == NS_OK)
            status = ns_strategy_corrected(choice->strategy, choice->transport, exchange, machine, &choice->corrected_s,
                                           &lacks);
        if (ns_ends_call(status)) /* the machine may lack a parameter of the paper's form: no published price */
            return ns_end_call(&lacks, err);
    }
    ns_comparison_find_same(exchange, machine, comparison);
    return ns_comparison_choose(machine, NULL, selection, comparison, err);
}

ns_status ns_compare_into(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_comparison *comparison, ns_error *err)
{
    NS_OWN(ns_workspace_free) ns_workspace *workspace = NULL;
    NS_TRY(ns_workspace_open(&workspace, err));
    return ns_compare_again(exchange, machine, selection, workspace, comparison, err);
}

/* ---- is a change worthwhile? ------------------------------------------------------------------------------------- */

static const double ALIKE = 1.1; /* ratio of times up to which two ways are called equally fast */

ns_status ns_change_advise(const ns_comparison *c, const ns_thresholds *thresholds, ns_change *change, ns_error *err)
{
    const ns_decision *d = &c->decision;
    if (d->best < 0)
        return ns_fail(err, NS_ERR_DATA, "there is nothing to choose from");
    const double sure = thresholds != NULL && thresholds->sure > 0 ? thresholds->sure : 0.9,
                 worth = thresholds != NULL && thresholds->worth > 0 ? thresholds->worth : 0.05,
                 alike = ALIKE * c->choice[c->best].price.estimate_s;
    ns_change made = {.incumbent = c->incumbent, .second = -1, .gain = {0.5, 1, 1, 1}};
    ns_way ways[NS_CHOICES] = {{0}};
    (void)ns_comparison_ways(c, ways);
    /* Otherwise the incumbent is the way most programs exchange, or the first; host comes before device. */
    for (int i = 0; i < c->choices && made.incumbent < 0; i++)
        if (strcmp(c->choice[i].strategy->name, "standard") == 0)
            made.incumbent = i;
    if (made.incumbent < 0)
        made.incumbent = 0;
    for (int i = 0; i < c->choices; i++)
        if (i != c->best && c->choice[i].same == 0 && c->choice[i].price.estimate_s <= alike &&
            (made.second < 0 || c->choice[i].price.estimate_s < c->choice[made.second].price.estimate_s))
            made.second = i;
    const int kept = ways[made.incumbent].same > 0 ? ways[made.incumbent].same - 1 : made.incumbent;
    made.same = kept == d->best;
    if (!made.same)
        NS_TRY(ns_decision_gain(d, ways, made.incumbent, &made.gain, err));
    /* E ln(measured_i) = ln T_i + a constant, the same for all ways. */
    made.loss = expm1(d->expected_ln_loss);
    made.kept = expm1(d->expected_ln_loss + log(ways[kept].seconds) - log(ways[d->best].seconds));
    made.action = made.gain.p_better >= sure && 1 - 1 / made.gain.q50 > worth ? NS_DO_SWITCH
                  : made.kept < worth                                         ? NS_DO_KEEP
                                                                              : NS_DO_MEASURE;
    made.advised = made.action == NS_DO_KEEP ? made.incumbent : d->best;
    made.p_loss_10 = ns_decision_within(d, ways, made.action == NS_DO_KEEP ? kept : d->best, ALIKE);
    *change = made;
    return NS_OK;
}
