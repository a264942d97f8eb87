/* judge.c -- scores of advice: the loss of following it and of simple rules, and the calibration of its
 * probabilities */
#include "records/judge.h"
#include "core/memory.h"
#include "price/choice.h"

#include <math.h>
#include <stdio.h>

int ns_way_number(const ns_strategy *strategy, ns_transport transport)
{
    int at = 0;
    while (ns_strategies()[at] != NULL && ns_strategies()[at] != strategy)
        at++;
    return NS_TRANSPORTS * at + (int)transport;
}

const char *ns_way_name(int way, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", ns_strategies()[way / NS_TRANSPORTS]->name, ns_transport_words[way % NS_TRANSPORTS]);
    return text;
}

ns_trial ns_trial_at(const ns_tried *tried, size_t count, size_t from)
{
    ns_trial c = {.tried = &tried[from], .second_s = INFINITY};
    while (from + c.ways < count && tried[from + c.ways].at == tried[from].at)
        c.ways++;
    for (size_t i = 1; i < c.ways; i++) {
        if (c.tried[i].measured_s < c.tried[c.fastest].measured_s)
            c.fastest = i;
        if (c.tried[i].predicted_s < c.tried[c.chosen].predicted_s)
            c.chosen = i;
    }
    for (size_t i = 0; i < c.ways; i++)
        if (i != c.fastest)
            c.second_s = fmin(c.second_s, c.tried[i].measured_s);
    return c;
}

ns_status ns_trial_decide(const ns_trial *trial, ns_decision *decision, ns_error *err)
{
    ns_way way[NS_WAYS];
    for (size_t i = 0; i < trial->ways && i < NS_WAYS; i++)
        way[i] = (ns_way){trial->tried[i].predicted_s, trial->tried[i].nest, 0};
    return ns_decide(way, trial->ways, trial->tried->kappa, trial->tried->lambda, trial->tried->doubt, decision, err);
}

/* Minimum ratio of the two fastest measured times for a choice to matter. */
static const double apart = 1.1;
static const double sure = 0.9;

static bool is_in(const ns_trial *c, ns_which which)
{
    return which == NS_WHICH_ALL || c->second_s > apart * c->tried[c->fastest].measured_s;
}

static double loss(const ns_trial *c, size_t i)
{
    return c->tried[i].measured_s / c->tried[c->fastest].measured_s - 1;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

ns_status ns_judge_rule(const ns_tried *tried, size_t count, ns_which which, int rule, ns_rule_score *score,
                        ns_error *err)
{
    ns_rule_score s = {.cases = 0};
    double *lost = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *lost));
    if (lost == NULL)
        return ns_no_memory(err);
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        size_t taken = c.chosen; /* the number of ways: the rule cannot be followed */
        if (rule != NS_RULE_ADVICE)
            for (taken = 0; taken < c.ways && c.tried[taken].way != rule;)
                taken++;
        from += c.ways;
        if (!is_in(&c, which) || taken == c.ways)
            continue;
        s.right += loss(&c, taken) <= 0;
        s.lost_mean += loss(&c, taken);
        s.advice_lost_mean += loss(&c, c.chosen);
        lost[s.cases++] = loss(&c, taken);
    }
    if (s.cases > 0) {
        ns_score_sort(lost, s.cases);
        s.right /= (double)s.cases;
        s.lost_mean /= (double)s.cases;
        s.advice_lost_mean /= (double)s.cases;
        s.lost_q90 = ns_score_quantile(lost, s.cases, 0.9);
        s.lost_worst = lost[s.cases - 1];
    }
    ns_free(lost);
    *score = s;
    return NS_OK;
}

/* ---- probabilities ----------------------------------------------------------------------------------------------- */

ns_status ns_judge_calibration(const ns_tried *tried, size_t count, ns_which which, ns_judged_calibration *calibration,
                               ns_error *err)
{
    ns_judged_calibration s = {.cases = 0};
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        ns_decision d;
        from += c.ways;
        if (!is_in(&c, which))
            continue;
        NS_TRY(ns_trial_decide(&c, &d, err));
        const double uniform = 1 / (double)c.ways;
        for (size_t i = 0; i < c.ways; i++) {
            const double was = i == c.fastest ? 1 : 0;
            s.brier += (d.p_best[i] - was) * (d.p_best[i] - was);
            s.brier_uniform += (uniform - was) * (uniform - was);
        }
        if (s.cases == 0 || c.tried->kappa < s.kappa) {
            s.kappa = c.tried->kappa;
            s.lambda = c.tried->lambda;
        }
        s.cases++;
        s.log_loss -= log(d.p_best[c.fastest]);
        s.log_loss_uniform -= log(uniform);
        s.q90_covers += 1 + loss(&c, c.chosen) <= d.loss_q90;
        s.q90_should += fmax(sure, d.p_best[c.chosen]);
        for (size_t i = 0; i < c.ways; i++)
            for (size_t k = 0; k < i; k++) {
                const ns_tried *a = &c.tried[i], *b = &c.tried[k];
                const double off = log(a->predicted_s / b->predicted_s) - log(a->measured_s / b->measured_s);
                s.ratios++;
                s.ratio_covers += fabs(off) <= ns_decision_ratio(&d, a->nest == b->nest, 0.95);
            }
    }
    double *const mean[] = {&s.brier, &s.brier_uniform, &s.log_loss, &s.log_loss_uniform, &s.q90_covers, &s.q90_should};
    for (size_t i = 0; i < sizeof mean / sizeof *mean && s.cases > 0; i++)
        *mean[i] /= (double)s.cases;
    s.ratio_covers /= s.ratios > 0 ? (double)s.ratios : 1;
    *calibration = s;
    return NS_OK;
}

ns_status ns_judge_reliability(const ns_tried *tried, size_t count, ns_which which,
                               ns_reliability bin[NS_RELIABILITY_BINS], ns_error *err)
{
    static const double edge[NS_RELIABILITY_BINS + 1] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
    for (int b = 0; b < NS_RELIABILITY_BINS; b++)
        bin[b] = (ns_reliability){.from = edge[b], .to = edge[b + 1]};
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        ns_decision d;
        from += c.ways;
        if (!is_in(&c, which))
            continue;
        NS_TRY(ns_trial_decide(&c, &d, err));
        for (size_t i = 0; i < c.ways; i++) {
            const double p = d.p_best[i], was = i == c.fastest ? 1 : 0;
            int b = 0;
            while (b < NS_RELIABILITY_BINS - 1 && p >= bin[b].to)
                b++;
            bin[b].ways++;
            bin[b].p_mean += p;
            bin[b].fastest += was;
            if (i == c.chosen) {
                bin[b].choices++;
                bin[b].choice_p_mean += p;
                bin[b].choice_fastest += was;
            }
        }
    }
    for (int b = 0; b < NS_RELIABILITY_BINS; b++) {
        const double ways = fmax(1, (double)bin[b].ways), choices = fmax(1, (double)bin[b].choices);
        bin[b].p_mean /= ways;
        bin[b].fastest /= ways;
        bin[b].choice_p_mean /= choices;
        bin[b].choice_fastest /= choices;
    }
    return NS_OK;
}

ns_status ns_judge_p_best(const ns_tried *tried, size_t count, double *p_best, ns_error *err)
{
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        ns_decision d;
        NS_TRY(ns_trial_decide(&c, &d, err));
        for (size_t i = 0; i < c.ways; i++)
            p_best[from + i] = d.p_best[i];
        from += c.ways;
    }
    return NS_OK;
}
