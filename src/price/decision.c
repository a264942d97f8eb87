/* decision.c -- how sure is the best, and what does a wrong choice cost: closed forms of a nested Gumbel error
 *
 *     a_i = (T_i / T_min)^(-kappa/lambda)     I_g = sum of a over nest g     W_g = I_g^lambda     V = sum of W
 *     P(i is fastest) = (a_i / I_g) (W_g / V)
 *     P(loss of c <= r) = x a_c (x a_c + b)^(lambda - 1) / ((x a_c + b)^lambda + D),
 *                         x = r^(kappa/lambda), b = I_g - a_c, D = V - W_g
 *     E ln loss of c  = -(ln(W_g / V) + lambda ln(a_c / I_g)) / kappa
 *
 * Sums of a nest are taken relative to its own fastest way, so that none of them is 0 however slow the nest is.
 */

#include "price/decision.h"

#include <math.h>

/* 2.944: a logistic variable stays below it with 95 %. */
#define LN_19 2.94443897916644046

enum { PERCENT_SHORTLIST = 90 };

typedef struct nest {
    double fastest; /* s */
    double sum;     /* of (T / fastest)^(-kappa/lambda), at least 1 */
} nest;

static nest nest_of(const ns_way *ways, int count, int of, double exponent, uint64_t among)
{
    nest n = {INFINITY, 0};
    for (int i = 0; i < count; i++)
        if (ways[i].nest == ways[of].nest && (among >> i & 1) != 0)
            n.fastest = fmin(n.fastest, ways[i].seconds);
    for (int i = 0; i < count; i++)
        if (ways[i].nest == ways[of].nest && (among >> i & 1) != 0)
            n.sum += pow(ways[i].seconds / n.fastest, -exponent);
    return n;
}

static bool is_first_of_nest(const ns_way *ways, int i, uint64_t among)
{
    for (int k = 0; k < i; k++)
        if (ways[k].nest == ways[i].nest && (among >> k & 1) != 0)
            return false;
    return (among >> i & 1) != 0;
}

static double weight(const ns_decision *d, const nest *n, double least)
{
    return pow(n->fastest / least, -d->kappa) * pow(n->sum, d->lambda);
}

/* V over some of the ways. */
static double total(const ns_decision *d, const ns_way *ways, uint64_t among)
{
    double sum = 0;
    for (int i = 0; i < d->ways; i++) {
        if (!is_first_of_nest(ways, i, among))
            continue;
        const nest n = nest_of(ways, d->ways, i, d->kappa / d->lambda, among);
        sum += weight(d, &n, ways[d->best].seconds);
    }
    return sum;
}

/* The ways that differ. */
static uint64_t all_of(const ns_decision *d)
{
    return (d->ways == 64 ? UINT64_MAX : (UINT64_C(1) << d->ways) - 1) & ~d->same;
}

/* The first way that does what way i does. */
static int first_of(const ns_way *ways, int i)
{
    return ways[i].same > 0 ? ways[i].same - 1 : i;
}

static ns_status check(const ns_way *ways, size_t count, double kappa, double lambda, ns_error *err)
{
    if (count > NS_WAYS)
        return ns_fail(err, NS_ERR_RANGE, "a decision is among at most %d ways, not %zu", (int)NS_WAYS, count);
    if (!(kappa > 0) || !isfinite(kappa))
        return ns_fail(err, NS_ERR_RANGE, "kappa has to be finite and above 0, not %g", kappa);
    if (!(lambda > 0) || !(lambda <= 1))
        return ns_fail(err, NS_ERR_RANGE, "lambda has to be above 0 and at most 1, not %g", lambda);
    for (size_t i = 0; i < count; i++)
        if (!(ways[i].seconds >= 0) || !isfinite(ways[i].seconds))
            return ns_fail(err, NS_ERR_RANGE, "way %zu takes %g s; a time has to be finite and not negative", i,
                           ways[i].seconds);
    for (size_t i = 0; i < count; i++)
        if (ways[i].same < 0 || (size_t)ways[i].same > i || (ways[i].same > 0 && ways[ways[i].same - 1].same > 0))
            return ns_fail(err, NS_ERR_RANGE, "way %zu is the same as way %d, which is not the first of its kind", i,
                           ways[i].same - 1);
    return NS_OK;
}

static void fill_probabilities(const ns_way *ways, ns_decision *d)
{
    const double v = total(d, ways, all_of(d)), exponent = d->kappa / d->lambda;
    for (int i = 0; i < d->ways; i++) {
        if ((d->same >> i & 1) != 0)
            continue;
        const nest n = nest_of(ways, d->ways, i, exponent, all_of(d));
        d->p_best[i] = pow(ways[i].seconds / n.fastest, -exponent) / n.sum * weight(d, &n, ways[d->best].seconds) / v;
    }
}

static void fill_shortlist(ns_decision *d)
{
    uint64_t taken = d->same;
    while (d->shortlisted < d->distinct && 100 * d->shortlist_p < PERCENT_SHORTLIST) {
        int next = -1;
        for (int i = 0; i < d->ways; i++)
            if ((taken >> i & 1) == 0 && (next < 0 || d->p_best[i] > d->p_best[next]))
                next = i;
        if (next < 0)
            return;
        taken |= UINT64_C(1) << next;
        d->shortlist[d->shortlisted++] = next;
        d->shortlist_p += d->p_best[next];
    }
}

/* Scale of the logistic error of ln(T_i / T_c). */
static double ratio_scale(const ns_decision *d, const ns_way *ways, int i)
{
    return (ways[i].nest == ways[d->best].nest ? d->lambda : 1) / d->kappa;
}

/* P(loss of the chosen way <= e^l). */
static double loss_within(const ns_decision *d, double b, double rest, double l)
{
    const double x = exp(l * d->kappa / d->lambda); /* times a_c, which is 1 */
    if (!isfinite(x))
        return 1;
    return x / (x + b) / (1 + rest * pow(x + b, -d->lambda));
}

double ns_decision_loss(const ns_decision *d, const ns_way *ways, double q)
{
    if (d->best < 0)
        return 1;
    const nest n = nest_of(ways, d->ways, d->best, d->kappa / d->lambda, all_of(d));
    const double b = n.sum - 1;
    const double rest = fmax(0, total(d, ways, all_of(d)) - weight(d, &n, ways[d->best].seconds));
    double lo = 0, hi = 1 / d->kappa;
    if (loss_within(d, b, rest, 0) >= q)
        return 1;
    while (loss_within(d, b, rest, hi) < q)
        lo = hi, hi *= 2;
    for (int i = 0; i < 100 && lo < hi; i++) {
        const double middle = lo + (hi - lo) / 2;
        *(loss_within(d, b, rest, middle) < q ? &lo : &hi) = middle;
    }
    return exp(hi);
}

double ns_decision_within(const ns_decision *d, const ns_way *ways, int i, double loss)
{
    const double exponent = d->kappa / d->lambda, least = ways[d->best].seconds;
    const nest n = nest_of(ways, d->ways, i, exponent, all_of(d));
    const double a = pow(ways[i].seconds / n.fastest, -exponent), b = fmax(0, n.sum - a);
    const double rest = fmax(0, total(d, ways, all_of(d)) - weight(d, &n, least)) * pow(n.fastest / least, d->kappa);
    const double x = a * pow(loss, exponent);
    return isfinite(x) ? x / (x + b) / (1 + rest * pow(x + b, -d->lambda)) : 1;
}

double ns_decision_left(const ns_decision *d, const ns_way *ways, uint64_t measured)
{
    if (d->best < 0)
        return 0;
    uint64_t among = UINT64_C(1) << d->best;
    for (int i = 0; i < d->ways; i++)
        among |= (measured >> i & 1) << first_of(ways, i);
    return fmax(0, log(total(d, ways, all_of(d)) / total(d, ways, among)) / d->kappa);
}

ns_status ns_decide(const ns_way *ways, size_t count, double kappa, double lambda, ns_decision *decision, ns_error *err)
{
    NS_TRY(check(ways, count, kappa, lambda, err));
    ns_decision d = {.size = sizeof d, .ways = (int)count, .kappa = kappa, .lambda = lambda, .best = 0};
    d.loss_q50 = d.loss_q90 = 1;
    for (int i = 0; i < d.ways; i++) {
        d.distinct += ways[i].same == 0;
        d.same |= (uint64_t)(ways[i].same > 0) << i;
        if (ways[i].same == 0 && ways[i].seconds < ways[d.best].seconds)
            d.best = i;
    }
    if (count < 2 || ways[d.best].seconds == 0)
        d.best = -1;
    if (d.best >= 0) {
        fill_probabilities(ways, &d);
        fill_shortlist(&d);
        d.loss_q50 = ns_decision_loss(&d, ways, 0.5);
        d.loss_q90 = ns_decision_loss(&d, ways, 0.9);
        d.expected_ln_loss = ns_decision_left(&d, ways, 0);
        for (int i = 0; i < d.ways; i++)
            if ((d.same >> i & 1) == 0 &&
                log(ways[i].seconds / ways[d.best].seconds) > LN_19 * ratio_scale(&d, ways, i))
                d.ruled_out |= UINT64_C(1) << i;
    }
    *decision = d;
    return NS_OK;
}

ns_status ns_decision_gain(const ns_decision *d, const ns_way *ways, int incumbent, ns_gain *gain, ns_error *err)
{
    if (d->best < 0 || incumbent < 0 || incumbent >= d->ways)
        return ns_fail(err, NS_ERR_RANGE, "no way %d among the %d of a decision", incumbent, d->ways);
    incumbent = first_of(ways, incumbent);
    if (incumbent == d->best) {
        *gain = (ns_gain){0, 1, 1, 1};
        return NS_OK;
    }
    const double scale = ratio_scale(d, ways, incumbent);
    /* as logarithms, which no ratio of finite times overflows; ln 9 = ln(.9 / .1) of a logistic variable */
    const double middle = log(ways[incumbent].seconds) - log(ways[d->best].seconds), wide = log(9) * scale;
    /* a scale may be too small for a double */
    const double better = middle == 0 ? 0.5 : 1 / (1 + exp(-middle / scale));
    *gain = (ns_gain){better, exp(middle - wide), exp(middle), exp(middle + wide)};
    return NS_OK;
}
