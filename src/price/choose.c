/* choose.c -- from prices to a choice: the best, how sure it is, what it gains over what is in use */
#include "price/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ns_verdict_words[] = {"clear", "tie", "extrapolated", NULL};

static double number_of(const ns_machine *machine, ns_memory memory, const char *what, const ns_parameter **from)
{
    char path[60];
    snprintf(path, sizeof path, "%s.choice.%s", ns_memory_words[memory], what);
    *from = ns_machine_parameter(machine, path);
    return *from != NULL ? (*from)->value : 0;
}

/* With GPUs most ways were scored on no machine but one, by exchanges of its own. */
#define NS_DOUBT_GPUS 0.8

/* Of both memories the one that is trusted less; one that was not measured says nothing. */
ns_belief ns_belief_of(const ns_machine *machine, const ns_form *form)
{
    ns_belief belief = {.kappa = NS_KAPPA_RIGHT,
                        .lambda = NS_LAMBDA_DEFAULT,
                        .doubt = machine->gpus > 0 ? NS_DOUBT_GPUS : NS_DOUBT_DEFAULT,
                        .source = "default"};
    if (form->error == NULL)
        return belief;
    for (int m = 0; m < NS_MEMORIES; m++) {
        const ns_parameter *from, *unused;
        const double kappa = number_of(machine, (ns_memory)m, "kappa", &from);
        const double lambda = number_of(machine, (ns_memory)m, "lambda", &unused);
        if (kappa <= 0 || (belief.cases > 0 && kappa >= belief.kappa))
            continue;
        belief.kappa = kappa;
        belief.doubt = 0; /* kappa is what its own exchanges leave */
        belief.lambda = lambda > 0 && lambda <= 1 ? lambda : NS_LAMBDA_DEFAULT;
        belief.cases = number_of(machine, (ns_memory)m, "cases", &unused);
        belief.groups = number_of(machine, (ns_memory)m, "groups", &unused);
        belief.source = from->source;
    }
    return belief;
}

static double doubt_of(const ns_belief *belief, const ns_strategy *way)
{
    const bool unknown = way->forms != NULL && way->forms[1] != NULL; /* one of several algorithms */
    const bool unscored = way->scored_on != NULL && way->scored_on[0] == NULL;
    return fmax(belief->doubt, unscored ? NS_DOUBT_UNSCORED : unknown ? NS_DOUBT_DEFAULT : 0);
}

double ns_belief_doubt(const ns_belief *belief, const ns_way *ways, const ns_strategy *const *of, size_t count)
{
    ns_decision right;
    double doubt = 0;
    if (ns_decide(ways, count, belief->kappa, belief->lambda, 0, &right, NULL) != NS_OK || right.best < 0)
        return belief->doubt;
    for (size_t i = 0; i < count; i++)
        doubt += right.p_best[i] * (doubt_of(belief, of[i]) - belief->doubt);
    return belief->doubt + doubt; /* exactly the machine's where no way has more */
}

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

static ns_verdict judge(const ns_comparison *c, double confidence)
{
    if (c->decision.best < 0)
        return NS_UNDECIDED;
    const int second = c->decision.shortlist[c->decision.shortlist[0] == c->best && c->decision.shortlisted > 1];
    if (c->choice[c->best].price.extrapolated || c->choice[second].price.extrapolated)
        return NS_EXTRAPOLATED;
    return c->decision.p_best[c->best] >= (confidence > 0 ? confidence : NS_CONFIDENCE) ? NS_CLEAR : NS_TIE;
}

static bool is_in_use(const ns_selection *selection, const ns_choice *choice)
{
    for (size_t i = 0; i < selection->incumbents; i++)
        if (choice->strategy == selection->incumbent[i] && choice->transport == selection->incumbent_transport)
            return true;
    return false;
}

static void find_incumbent(const ns_selection *selection, ns_comparison *c)
{
    c->incumbent = -1;
    for (int i = 0; selection != NULL && i < c->choices; i++)
        if (is_in_use(selection, &c->choice[i]) &&
            (c->incumbent < 0 || c->choice[i].price.estimate_s < c->choice[c->incumbent].price.estimate_s))
            c->incumbent = i;
}

static int fastest(const ns_comparison *c)
{
    int best = 0;
    for (int i = 1; i < c->choices; i++)
        if (c->choice[i].price.estimate_s < c->choice[best].price.estimate_s)
            best = i;
    return best;
}

/* ---- ways that are one ------------------------------------------------------------------------------------------- */

/* Strategies differ in how messages cross to other nodes, those of one nest in who copies for a GPU.  Where nothing
 * crosses, no process has another on its node, or there is no GPU, they send the same; shared copies still show in the
 * price. */
static bool send_the_same(const ns_choice *a, const ns_choice *b, const ns_exchange *exchange,
                          const ns_machine *machine)
{
    const bool by_rule =
        (a->messages_off_node_max == 0 && b->messages_off_node_max == 0) ||
        (exchange->per_node == 1 && !a->strategy->all_processes && !b->strategy->all_processes) ||
        (machine->gpus == 0 && strcmp(ns_strategy_nest(a->strategy), ns_strategy_nest(b->strategy)) == 0);
    return by_rule && a->strategy->forms == NULL && b->strategy->forms == NULL && a->transport == b->transport &&
           a->messages_off_node_max == b->messages_off_node_max && a->price.copy_s == b->price.copy_s &&
           a->price.estimate_s == b->price.estimate_s && a->price.estimate_s > 0;
}

static int first_same(const ns_comparison *c, int i, const ns_exchange *exchange, const ns_machine *machine)
{
    for (int k = 0; k < i; k++)
        if (send_the_same(&c->choice[k], &c->choice[i], exchange, machine))
            return c->choice[k].same > 0 ? c->choice[k].same : k + 1;
    return 0;
}

void ns_comparison_find_same(const ns_exchange *exchange, const ns_machine *machine, ns_comparison *c)
{
    for (int i = 0; i < c->choices; i++)
        c->choice[i].same = first_same(c, i, exchange, machine);
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

ns_status ns_comparison_choose(const ns_machine *machine, const ns_selection *selection,
                               const ns_price_options *options, ns_comparison *c, ns_error *err)
{
    const ns_belief belief = ns_belief_of(machine, c->choice[fastest(c)].price.form);
    return ns_comparison_choose_by(&belief, selection, options, c, err);
}

ns_status ns_comparison_choose_by(const ns_belief *belief, const ns_selection *selection,
                                  const ns_price_options *options, ns_comparison *c, ns_error *err)
{
    ns_way ways[NS_CHOICES];
    const ns_strategy *of[NS_CHOICES];
    const size_t count = ns_comparison_ways(c, ways);
    for (size_t i = 0; i < count; i++)
        of[i] = c->choice[i].strategy;
    c->best = fastest(c);
    c->belief = *belief;
    c->belief.doubt = ns_belief_doubt(belief, ways, of, count);
    NS_TRY(ns_decide(ways, count, c->belief.kappa, c->belief.lambda, c->belief.doubt, &c->decision, err));
    c->verdict = judge(c, options->confidence);
    find_incumbent(selection, c);
    if (selection != NULL && selection->incumbents > 0 && c->incumbent < 0)
        return ns_fail(err, NS_ERR_DATA, "%s by way of the %s, which is in use, is not among what is compared",
                       selection->incumbent[0]->name, ns_transport_words[selection->incumbent_transport]);
    return c->incumbent >= 0 && c->decision.best >= 0
               ? ns_decision_gain(&c->decision, ways, c->incumbent, &c->gain, err)
               : NS_OK;
}
