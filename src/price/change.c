/* change.c -- is it worth leaving what is in use?
 *
 *     switch    P(best faster than in use) >= sure    and    1 - 1/q50(in use / best) > worth
 *     keep      E loss of what is in use < worth
 *     measure   else
 */
#include "price/change.h"

#include "price/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ns_action_words[] = {"switch", "keep", "measure", NULL};

static const double ALIKE = 1.1; /* ratio of times up to which two ways are not told apart in words */

/* The way most programs exchange, else one of the same strategy, else the first. */
static int usual(const ns_comparison *c)
{
    for (int host = 1; host >= 0; host--)
        for (int i = 0; i < c->choices; i++)
            if (strcmp(c->choice[i].strategy->name, "standard") == 0 &&
                (host == 0 || c->choice[i].transport == NS_VIA_HOST))
                return i;
    return 0;
}

static int second_of(const ns_comparison *c)
{
    int second = -1;
    for (int i = 0; i < c->choices; i++)
        if (i != c->best && c->choice[i].same == 0 &&
            c->choice[i].price.estimate_s <= ALIKE * c->choice[c->best].price.estimate_s &&
            (second < 0 || c->choice[i].price.estimate_s < c->choice[second].price.estimate_s))
            second = i;
    return second;
}

ns_status ns_change_advise(const ns_comparison *c, const ns_thresholds *thresholds, ns_change *change, ns_error *err)
{
    const ns_decision *d = &c->decision;
    const double sure = thresholds != NULL && thresholds->sure > 0 ? thresholds->sure : 0.9;
    const double worth = thresholds != NULL && thresholds->worth > 0 ? thresholds->worth : 0.05;
    ns_way ways[NS_CHOICES];
    ns_change made = {.incumbent = c->incumbent >= 0 ? c->incumbent : usual(c), .second = second_of(c)};
    if (d->best < 0)
        return ns_fail(err, NS_ERR_DATA, "there is nothing to choose from");
    (void)ns_comparison_ways(c, ways);
    const int kept = ways[made.incumbent].same > 0 ? ways[made.incumbent].same - 1 : made.incumbent;
    made.same = kept == d->best;
    made.gain = (ns_gain){0.5, 1, 1, 1};
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

static double number_of(const ns_machine *machine, int memory, const char *what)
{
    char path[60];
    snprintf(path, sizeof path, "%s.choice.%s", ns_memory_words[memory], what);
    const ns_parameter *p = ns_machine_parameter(machine, path);
    return p != NULL ? p->value : 0;
}

/* Of both memories the one whose advice loses more. */
bool ns_trust_of(const ns_machine *machine, const ns_form *form, ns_trust *trust)
{
    ns_trust made = {.cases = 0};
    for (int m = 0; m < NS_MEMORIES && form->error != NULL; m++) {
        const double cases = number_of(machine, m, "apart"), loss = number_of(machine, m, "loss");
        if (cases > 0 && (made.cases == 0 || loss > made.loss))
            made = (ns_trust){machine->name,
                              cases,
                              number_of(machine, m, "right"),
                              loss,
                              machine->rule[m],
                              number_of(machine, m, "rule_loss"),
                              number_of(machine, m, "held_out") > 0};
    }
    *trust = made;
    return made.cases > 0;
}
