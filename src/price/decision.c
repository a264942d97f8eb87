/* decision.c -- how sure the best choice is, and what a wrong choice costs: closed forms of a nested Gumbel error
 *
 *     a_i = (T_i / T_min)^(-kappa/lambda)     I_g = sum of a over nest g     W_g = I_g^lambda     V = sum of W
 *     P(i is fastest) = (a_i / I_g) (W_g / V)
 *     P(loss of c <= r) = x a_c (x a_c + b)^(lambda - 1) / ((x a_c + b)^lambda + D),
 *                         x = r^(kappa/lambda), b = I_g - a_c, D = V - W_g
 *     E ln loss of c  = -(ln(W_g / V) + lambda ln(a_c / I_g)) / kappa
 *
 * Sums of a nest are relative to its own fastest way, so that none of them is 0 however slow the nest is.
 *
 * Doubt tau mixes two such laws: with probability 1 - tau the law of (kappa, lambda), with probability tau the law of a
 * machine whose predictions are entirely wrong, (NS_KAPPA_WRONG, 1).  P, P(loss <= r), E ln loss and P(one way beats
 * another) are linear in the laws; quantiles are found by bisection.
 */

#include "price/decision.h"

#include <math.h>

enum { PERCENT_SHORTLIST = 90, LAWS = 2 };

/* A law of the error, and its probability. */
typedef struct law {
    double kappa, lambda, weight;
} law;

static law law_of(const ns_decision *d, int k)
{
    return k == 0 ? (law){d->kappa, d->lambda, 1 - d->doubt} : (law){NS_KAPPA_WRONG, 1, d->doubt};
}

/* A way's nest. */
typedef struct nest {
    double fastest;  /* s */
    double own, sum; /* a_i, (T_i / fastest)^(-kappa/lambda), and I_g, at least 1 */
    double weight;   /* W_g */
} nest;

/* The nest of way `of`, restricted to a set of ways: a bit mask, of which the bits past the last way are ignored. */
static nest nest_of(const ns_decision *d, const law *l, const ns_way *ways, int of, uint64_t among)
{
    nest n = {.fastest = INFINITY};
    for (int i = 0; i < d->ways; i++)
        if (ways[i].nest == ways[of].nest && (among >> i & 1) != 0)
            n.fastest = fmin(n.fastest, ways[i].seconds);
    for (int i = 0; i < d->ways; i++)
        if (ways[i].nest == ways[of].nest && (among >> i & 1) != 0)
            n.sum += pow(ways[i].seconds / n.fastest, -(l->kappa / l->lambda));
    n.own = pow(ways[of].seconds / n.fastest, -(l->kappa / l->lambda));
    n.weight = pow(n.fastest / ways[d->best].seconds, -l->kappa) * pow(n.sum, l->lambda);
    return n;
}

/* V over a set of ways. */
static double total(const ns_decision *d, const law *l, const ns_way *ways, uint64_t among)
{
    double sum = 0;
    for (int i = 0; i < d->ways; i++) { /* each nest is counted at its first way */
        bool first = (among >> i & 1) != 0;
        for (int k = 0; k < i && first; k++)
            first = ways[k].nest != ways[i].nest || (among >> k & 1) == 0;
        sum += first ? nest_of(d, l, ways, i, among).weight : 0;
    }
    return sum;
}

/* P(the logistic error of a ratio is below x): its scale is 1/kappa across nests, lambda/kappa inside one. */
static double ratio_below(const ns_decision *d, bool one_nest, double x)
{
    double p = 0;
    for (int k = 0; k < LAWS; k++) {
        const law l = law_of(d, k);
        const double scale = (one_nest ? l.lambda : 1) / l.kappa;
        p += l.weight * (x == 0 ? 0.5 : 1 / (1 + exp(-x / scale))); /* a scale may be too small for a double */
    }
    return p;
}

double ns_decision_ratio(const ns_decision *d, bool one_nest, double p)
{
    const double scale = (one_nest ? d->lambda : 1) / d->kappa, wrong = 1 / NS_KAPPA_WRONG, unit = log(p / (1 - p));
    double lo = unit * fmin(scale, wrong), hi = unit * fmax(scale, wrong);
    if (d->doubt == 0)
        return unit * scale;
    for (int i = 0; i < 100 && lo < hi; i++) {
        const double middle = lo + (hi - lo) / 2;
        *(ratio_below(d, one_nest, middle) < p ? &lo : &hi) = middle;
    }
    return hi;
}

/* What the loss of a way depends on under a law: a, b and D of the formulas above. */
typedef struct losses {
    law law;
    double a, b, rest;
} losses;

static losses losses_of(const ns_decision *d, const ns_way *ways, int i, int k)
{
    const law l = law_of(d, k);
    const nest n = nest_of(d, &l, ways, i, ~d->same);
    const double rest = fmax(0, total(d, &l, ways, ~d->same) - n.weight);
    return (losses){l, n.own, fmax(0, n.sum - n.own), rest * pow(n.fastest / ways[d->best].seconds, l.kappa)};
}

/* P(loss <= r), weighted; `grown` is r^(kappa/lambda). */
static double loss_within(const losses *of, double grown)
{
    const double x = of->a * grown;
    return of->law.weight * (isfinite(x) ? x / (x + of->b) / (1 + of->rest * pow(x + of->b, -of->law.lambda)) : 1);
}

double ns_decision_within(const ns_decision *d, const ns_way *ways, int i, double loss)
{
    double p = 0;
    for (int k = 0; k < LAWS; k++) {
        const losses of = losses_of(d, ways, i, k);
        p += of.law.weight > 0 ? loss_within(&of, pow(loss, of.law.kappa / of.law.lambda)) : 0;
    }
    return p;
}

/* The probability for the chosen way under both laws, at a loss of e^x. */
static double chosen_within(const losses of[LAWS], double x)
{
    double p = 0;
    for (int k = 0; k < LAWS && of[k].law.weight > 0; k++)
        p += loss_within(&of[k], exp(x * of[k].law.kappa / of[k].law.lambda));
    return p;
}

double ns_decision_loss(const ns_decision *d, const ns_way *ways, double q)
{
    if (d->best < 0)
        return 1;
    const losses of[LAWS] = {losses_of(d, ways, d->best, 0), losses_of(d, ways, d->best, 1)};
    double lo = 0, hi = 1 / d->kappa;
    if (chosen_within(of, 0) >= q)
        return 1;
    while (chosen_within(of, hi) < q)
        lo = hi, hi *= 2;
    for (int i = 0; i < 100 && lo < hi; i++) {
        const double middle = lo + (hi - lo) / 2;
        *(chosen_within(of, middle) < q ? &lo : &hi) = middle;
    }
    return exp(hi);
}

double ns_decision_left(const ns_decision *d, const ns_way *ways, uint64_t measured)
{
    if (d->best < 0)
        return 0;
    uint64_t among = UINT64_C(1) << d->best;
    for (int i = 0; i < d->ways; i++)
        among |= (measured >> i & 1) << (ways[i].same > 0 ? ways[i].same - 1 : i);
    double left = 0;
    for (int k = 0; k < LAWS; k++) {
        const law l = law_of(d, k);
        if (l.weight > 0)
            left += l.weight * fmax(0, log(total(d, &l, ways, ~d->same) / total(d, &l, ways, among)) / l.kappa);
    }
    return left;
}

ns_status ns_decide(const ns_way *ways, size_t count, double kappa, double lambda, double doubt, ns_decision *d,
                    ns_error *err)
{
    if (count > NS_WAYS)
        return ns_fail(err, NS_ERR_RANGE, "a decision is among at most %d ways, not %zu", (int)NS_WAYS, count);
    if (!(kappa > 0) || !isfinite(kappa))
        return ns_fail(err, NS_ERR_RANGE, "kappa has to be finite and above 0, not %g", kappa);
    if (!(lambda > 0) || !(lambda <= 1))
        return ns_fail(err, NS_ERR_RANGE, "lambda has to be above 0 and at most 1, not %g", lambda);
    if (!(doubt >= 0) || !(doubt < 1))
        return ns_fail(err, NS_ERR_RANGE, "doubt has to be at least 0 and below 1, not %g", doubt);
    for (size_t i = 0; i < count; i++)
        if (!(ways[i].seconds >= 0) || !isfinite(ways[i].seconds))
            return ns_fail(err, NS_ERR_RANGE, "way %zu takes %g s; a time has to be finite and not negative", i,
                           ways[i].seconds);
    for (size_t i = 0; i < count; i++)
        if (ways[i].same < 0 || (size_t)ways[i].same > i || (ways[i].same > 0 && ways[ways[i].same - 1].same > 0))
            return ns_fail(err, NS_ERR_RANGE, "way %zu is the same as way %d, which is not the first of its kind", i,
                           ways[i].same - 1);
    *d = (ns_decision){
        .ways = (int)count, .kappa = kappa, .lambda = lambda, .doubt = doubt, .loss_q50 = 1, .loss_q90 = 1};
    for (int i = 0; i < d->ways; i++) {
        d->distinct += ways[i].same == 0;
        d->same |= (uint64_t)(ways[i].same > 0) << i;
        if (ways[i].same == 0 && ways[i].seconds < ways[d->best].seconds)
            d->best = i;
    }
    if (count < 2 || ways[d->best].seconds == 0) {
        d->best = -1;
        return NS_OK;
    }
    for (int k = 0; k < LAWS; k++) {
        const law l = law_of(d, k);
        const double v = total(d, &l, ways, ~d->same);
        for (int i = 0; i < d->ways && l.weight > 0; i++) {
            const nest n = nest_of(d, &l, ways, i, ~d->same);
            if (ways[i].same == 0)
                d->p_best[i] += l.weight * n.own / n.sum * n.weight / v;
        }
    }
    for (uint64_t taken = d->same; 100 * d->shortlist_p < PERCENT_SHORTLIST;) {
        int next = -1;
        for (int i = 0; i < d->ways; i++)
            if ((taken >> i & 1) == 0 && (next < 0 || d->p_best[i] > d->p_best[next]))
                next = i;
        if (next < 0)
            break;
        taken |= UINT64_C(1) << next;
        d->shortlist[d->shortlisted++] = next;
        d->shortlist_p += d->p_best[next];
    }
    d->loss_q50 = ns_decision_loss(d, ways, 0.5);
    d->loss_q90 = ns_decision_loss(d, ways, 0.9);
    d->expected_ln_loss = ns_decision_left(d, ways, 0);
    for (int i = 0; i < d->ways; i++)
        if (ways[i].same == 0 && log(ways[i].seconds / ways[d->best].seconds) >
                                     ns_decision_ratio(d, ways[i].nest == ways[d->best].nest, 0.95))
            d->ruled_out |= UINT64_C(1) << i;
    return NS_OK;
}

ns_status ns_decision_gain(const ns_decision *d, const ns_way *ways, int incumbent, ns_gain *gain, ns_error *err)
{
    if (d->best < 0 || incumbent < 0 || incumbent >= d->ways)
        return ns_fail(err, NS_ERR_RANGE, "no way %d among the %d of a decision", incumbent, d->ways);
    incumbent = ways[incumbent].same > 0 ? ways[incumbent].same - 1 : incumbent;
    if (incumbent == d->best) {
        *gain = (ns_gain){0, 1, 1, 1};
        return NS_OK;
    }
    const bool one_nest = ways[incumbent].nest == ways[d->best].nest;
    /* as logarithms, so that no ratio of finite times overflows */
    const double middle = log(ways[incumbent].seconds) - log(ways[d->best].seconds),
                 wide = ns_decision_ratio(d, one_nest, 0.9), better = ratio_below(d, one_nest, middle);
    *gain = (ns_gain){better, exp(middle - wide), exp(middle), exp(middle + wide)};
    return NS_OK;
}
