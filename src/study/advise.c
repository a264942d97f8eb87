/* advise.c -- the value of knowing a number better: the expected value of partial perfect information
 *
 * A parameter's error moves every strategy's time by the part of that time that it is a factor of: amount x value,
 * summed over steps.  ln z is normal; f(z) = ln T_c(z) - min_i ln T_i(z) is 0 at z = 1 and does not fall on either side
 * of it, since every ratio of two lines is monotone: so a larger error never removes less.
 *
 * One number: Gauss-Hermite with 7 points, whose nodes are the roots of He_7(x) = x (y^3 - 21 y^2 + 105 y - 105),
 * y = x^2.  With y = 7 + t: t^3 - 42 t - 56 = 0, three real roots, t = 2 sqrt(14) cos((arccos(2 / sqrt 14) - 2 pi
 * k)/3). Weights 7!/(49 He_6(x)^2), He_6 = y^3 - 15 y^2 + 45 y - 15.
 *
 * Several at once: POINTS points of an additive recurrence (Roberts 2018), whose steps are powers of 1/g, g the root of
 * g^(d+1) = g + 1, which become normal ones.
 */
#include "core/memory.h"
#include "price/choice.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 7, POINTS = 2048 };
static const double PUBLISHED = 0.25; /* relative error of a number published without one */

const char *const ns_basis_words[] = {"stated", "published", "assumed", NULL};

/* ---- integrals --------------------------------------------------------------------------------------------------- */

/* ln T_best - min ln T with the shares changed: f above, for any number of parameters. */
static double lost(const double *seconds, const double *change, int ways, int best)
{
    double least = INFINITY;
    for (int i = 0; i < ways; i++)
        least = fmin(least, seconds[i] + change[i]);
    return least > 0 ? log((seconds[best] + change[best]) / least) : 0;
}

double ns_loss_removed(const double *seconds, const double *share, int ways, int best, double sigma)
{
    double node[NODES], weight[NODES], change[NS_WAYS], sum = 0;
    if (ways > NS_WAYS)
        return 0;
    const double third = 2 * acos(-1.0) / 3, angle = acos(2 / sqrt(14)) / 3;
    node[0] = 0;
    for (int k = 0; k < 3; k++) {
        node[2 * k + 1] = sqrt(7 + 2 * sqrt(14) * cos(angle - third * k));
        node[2 * k + 2] = -node[2 * k + 1];
    }
    for (int i = 0; i < NODES; i++) {
        const double y = node[i] * node[i], below = ((y - 15) * y + 45) * y - 15;
        weight[i] = 5040 / (49 * below * below);
    }
    for (int k = 0; k < NODES; k++) {
        const double z = exp(sigma * node[k]);
        for (int i = 0; i < ways; i++)
            change[i] = share[i] * (z - 1);
        sum += weight[k] * lost(seconds, change, ways, best);
    }
    return sum;
}

static double removed_together(const double *seconds, const ns_measurement *m, int ways, int best)
{
    /* The root of g^(d+1) = g + 1 above 1; g <- (g + 1)^(1/(d+1)) contracts. */
    double g = 1.5;
    for (int i = 0; i < 60; i++)
        g = pow(g + 1, 1.0 / (double)(m->unknowns + 1));
    double sum = 0;
    for (int n = 0; n < POINTS; n++) {
        double change[NS_CHOICES] = {0}, step = 1, unused;
        for (size_t k = 0; k < m->unknowns; k++) {
            step /= g;
            const double u = modf(0.5 + (n + 1) * step, &unused);
            const double z = exp(m->unknown[k]->sigma * copysign(ns_normal_width(fabs(2 * u - 1)), u - 0.5));
            for (int i = 0; i < ways; i++)
                change[i] += m->unknown[k]->share[i] * (z - 1);
        }
        sum += lost(seconds, change, ways, best) / POINTS;
    }
    return sum;
}

/* ---- uncertain numbers ------------------------------------------------------------------------------------------- */

/* Add the seconds of each choice that a number is a factor of; p NULL: the number is assumed. */
static ns_status add(ns_measure_plan *s, const char *path, const ns_parameter *p, int choice, double seconds,
                     ns_error *err)
{
    size_t k = 0;
    if (seconds == 0)
        return NS_OK;
    while (k < s->unknowns && strcmp(s->unknown[k].parameter, path) != 0)
        k++;
    if (k == NS_UNKNOWNS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d parameters", (int)NS_UNKNOWNS);
    ns_unknown *one = &s->unknown[k];
    if (k == s->unknowns) {
        s->unknowns++;
        snprintf(one->parameter, sizeof one->parameter, "%s", path);
        const bool count = p != NULL && ns_parameter_is_count(p);
        const bool assumed = p == NULL || (ns_parameter_assumed(p) && !count);
        const double relative = assumed ? 0 : p->se > 0 ? p->se / fabs(p->value) : PUBLISHED;
        one->basis = assumed ? NS_BASIS_ASSUMED : p->se > 0 ? NS_BASIS_STATED : NS_BASIS_PUBLISHED;
        one->sigma = assumed ? log(2) : count ? 0 : sqrt(log1p(relative * relative));
    }
    one->share[choice] += seconds;
    return NS_OK;
}

/* ---- benchmarks -------------------------------------------------------------------------------------------------- */

static int most_first(const void *a, const void *b)
{
    const ns_unknown *x = *(ns_unknown *const *)a, *y = *(ns_unknown *const *)b;
    return x->loss_removed != y->loss_removed ? (x->loss_removed > y->loss_removed ? -1 : 1)
                                              : strcmp(x->parameter, y->parameter);
}

static int best_first(const void *a, const void *b)
{
    const ns_measurement *x = a, *y = b;
    return x->loss_removed != y->loss_removed ? (x->loss_removed > y->loss_removed ? -1 : 1)
                                              : x->benchmark - y->benchmark;
}

static ns_status fill(ns_measure_plan *s, const ns_comparison *c, const ns_machine *machine,
                      const ns_networked *network, unsigned without, ns_error *err)
{
    for (int i = 0; i < c->choices; i++) {
        const ns_machine *of = network != NULL ? ns_networked_machine(network, i) : machine;
        const bool gathers = network != NULL && i == network->gather;
        ns_transport transport = gathers ? network->gathering.inside : c->choice[i].transport;
        ns_form_values v;
        ns_form_take(c->choice[i].price.form, of, ns_transport_memory(transport), without, &v);
        for (int slot = 0; slot < v.slots; slot++) {
            double amount = 0;
            bool derived;
            char path[sizeof s->unknown->parameter];
            for (int k = 0; k < c->choice[i].price.steps; k++)
                amount += c->choice[i].price.step[k].amount[slot];
            ns_form_slot_path(&v, slot, &derived, path, sizeof path);
            NS_TRY(add(s, path, derived ? NULL : v.from[slot], i, amount * v.value[slot], err));
        }
        const ns_price *price = &c->choice[i].price;
        const ns_copy_line *line = price->copy_processes > 0 ? ns_machine_copy(of, price->copy_processes) : NULL;
        for (int d = 0; line != NULL && d < NS_DIRECTIONS; d++)
            for (int w = 0; w < 3 && price->copy_bytes[d] > 0; w++) {
                const struct {
                    const char *word;
                    bool paid;
                    double seconds;
                } part[] = {{"alpha", !price->copy_waits[d], line->alpha[d]},
                            {"beta", !price->copy_waits[d], line->beta[d] * price->copy_bytes[d]},
                            {"wait", price->copy_waits[d], line->wait[d]}};
                char path[sizeof s->unknown->parameter];
                snprintf(path, sizeof path, "copy.%d.%s.%s", line->processes, ns_direction_words[d], part[w].word);
                if (part[w].paid)
                    NS_TRY(add(s, path, ns_machine_parameter(of, path), i, part[w].seconds, err));
            }
    }
    if (network != NULL && network->gather >= 0) {
        /* The gathering time of a network's interfaces errs by the error of their model. */
        const ns_gathering *g = &network->gathering;
        char path[sizeof s->unknown->parameter];
        snprintf(path, sizeof path, "network.%s.time", network->fabric->kind->name);
        const size_t k = s->unknowns;
        NS_TRY(add(s, path, NULL, network->gather, g->network_s, err));
        if (s->unknowns > k) {
            s->unknown[k].basis = NS_BASIS_STATED;
            s->unknown[k].sigma = log(2) * g->error;
        }
    }
    static const double NOTHING = 1e-9; /* in ln units */
    double seconds[NS_CHOICES];
    const int best = c->decision.best;
    for (int i = 0; i < c->choices; i++)
        seconds[i] = c->choice[i].price.estimate_s;
    for (size_t k = 0; k < s->unknowns; k++) {
        ns_unknown *one = &s->unknown[k];
        const int benchmark = ns_benchmark_of(one->parameter);
        one->loss_removed = ns_loss_removed(seconds, one->share, c->choices, best, one->sigma);
        if (ns_benchmark_is_elsewhere(benchmark)) /* its error accounts for most of the expected loss */
            one->loss_removed = fmin(one->loss_removed, c->decision.expected_ln_loss);
        if (one->loss_removed <= NOTHING)
            continue;
        size_t of = 0;
        while (of < s->measurements && s->measurement[of].benchmark != benchmark)
            of++;
        ns_measurement *m = &s->measurement[of];
        m->benchmark = benchmark;
        m->unknown[m->unknowns++] = one;
        s->measurements += of == s->measurements;
    }
    for (size_t k = 0; k < s->measurements; k++) {
        /* The joint value, but never less than the largest single one: the two differ only by their quadratures. */
        ns_measurement *m = &s->measurement[k];
        qsort(m->unknown, m->unknowns, sizeof *m->unknown, most_first);
        m->loss_removed = m->unknown[0]->loss_removed;
        if (m->unknowns > 1)
            m->loss_removed = fmax(m->loss_removed, removed_together(seconds, m, c->choices, best));
        m->tool = ns_benchmark_write(m->benchmark, machine, m->command, sizeof m->command);
    }
    if (s->measurements > 1)
        qsort(s->measurement, s->measurements, sizeof *s->measurement, best_first);
    /* What measuring the shortlisted ways themselves would remove. */
    ns_way ways[NS_CHOICES];
    uint64_t measured = 0;
    (void)ns_comparison_ways(c, ways);
    for (int i = 0; i < c->decision.shortlisted; i++)
        measured |= UINT64_C(1) << c->decision.shortlist[i];
    s->left = c->decision.expected_ln_loss;
    s->shortlist_removed = fmax(0, s->left - ns_decision_left(&c->decision, ways, measured));
    (void)ns_benchmark_write(ns_benchmark_of("host.choice.kappa"), machine, s->shortlist_command,
                             sizeof s->shortlist_command);
    const size_t used = strlen(s->shortlist_command);
    for (int i = 0; i < c->decision.shortlisted; i++)
        if (c->choice[c->decision.shortlist[i]].transport == NS_VIA_NIC)
            snprintf(s->shortlist_command + used, sizeof s->shortlist_command - used,
                     "; what interfaces do by themselves: %s", ns_benchmark_elsewhere);
    return NS_OK;
}

ns_status ns_measure_plan_make(const ns_comparison *comparison, const ns_machine *machine,
                               const ns_networked *networked, const ns_selection *selection, ns_measure_plan **plan,
                               ns_error *err)
{
    ns_error_clear(err);
    if (comparison->decision.best < 0)
        return ns_fail(err, NS_ERR_DATA, "nothing to decide among %d strategies: advice wants two that take time",
                       comparison->choices);
    ns_measure_plan *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    const unsigned without = selection != NULL ? selection->price.without : 0;
    const ns_status status = fill(s, comparison, machine, networked, without, err);
    if (status == NS_OK)
        *plan = s;
    else
        ns_free(s);
    return status;
}
