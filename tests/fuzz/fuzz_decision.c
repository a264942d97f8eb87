/* fuzz_decision.c -- any predicted times as a choice: probabilities sum to 1, nothing is NaN, losses are at least 1
 *
 * Input: flags | kappa | lambda | ways of three bytes, or with flag 1 of nine: any double.  In memory.
 */
#include "take.h"

#include "price/decision.h"

static double decision_error(fuzz_bytes *in, unsigned any, double usual)
{
    return any & 1 ? fuzz_double(in) : any & 2 ? ldexp(fuzz_take(in) + 1, -8) : usual;
}

static void decision_gain(const ns_decision *d, const ns_way *ways)
{
    for (int i = 0; i < d->ways; i++) {
        ns_gain gain;
        REQUIRE(ns_decision_gain(d, ways, i, &gain, NULL) == NS_OK);
        REQUIRE(gain.p_better >= 0 && gain.p_better <= 1 && gain.q10 >= 0 && gain.q10 <= gain.q50);
        REQUIRE(gain.q50 <= gain.q90 && (i != d->best || gain.p_better == 0));
    }
}

static void decision_check(const ns_decision *d, const ns_way *ways)
{
    double sum = 0, shortlist = 0;
    for (int i = 0; i < d->ways; i++) {
        REQUIRE(d->p_best[i] >= 0 && d->p_best[i] <= 1 && ways[d->best].seconds <= ways[i].seconds);
        sum += d->p_best[i];
    }
    REQUIRE(fabs(sum - 1) <= 1e-9);
    REQUIRE(d->loss_q50 >= 1 && d->loss_q50 <= d->loss_q90 && d->expected_ln_loss >= 0);
    REQUIRE(d->shortlisted >= 1 && d->shortlisted <= d->ways && !(d->ruled_out >> d->best & 1));
    for (int i = 0; i < d->shortlisted; i++) {
        REQUIRE(d->shortlist[i] >= 0 && d->shortlist[i] < d->ways);
        REQUIRE(i == 0 || d->p_best[d->shortlist[i]] <= d->p_best[d->shortlist[i - 1]]);
        shortlist += d->p_best[d->shortlist[i]];
    }
    REQUIRE(fabs(shortlist - d->shortlist_p) <= 1e-9 && (shortlist >= 0.9 - 1e-9 || d->shortlisted == d->ways));
    const uint64_t all = d->ways < 64 ? (UINT64_C(1) << d->ways) - 1 : UINT64_MAX;
    const double left = ns_decision_left(d, ways, 1), none = ns_decision_left(d, ways, all);
    REQUIRE(left >= 0 && left <= d->expected_ln_loss + 1e-9 && fabs(none) <= 1e-9);
    REQUIRE(ns_decision_loss(d, ways, 0.1) <= ns_decision_loss(d, ways, 0.95));
}

FUZZ(decision)
{
    ns_way ways[NS_WAYS + 2];
    fuzz_bytes in = {data, data + size};
    const unsigned flags = fuzz_take(&in);
    const double kappa = decision_error(&in, flags >> 1, NS_KAPPA_DEFAULT);
    const double lambda = decision_error(&in, flags >> 3, NS_LAMBDA_DEFAULT);
    const double doubt = flags & 32 ? NS_DOUBT_DEFAULT : flags & 64 ? fuzz_double(&in) : 0;
    size_t count = 0;
    for (; fuzz_left(&in) && count < NS_WAYS + 2; count++)
        ways[count] = (ns_way){flags & 1 ? fuzz_double(&in) : fuzz_positive(&in), (int)fuzz_take(&in) - 128,
                               flags & 2 ? (int)(fuzz_take(&in) % (count + 1)) : 0};
    ns_decision decision;
    ns_error err = {0};
    ns_status status = ns_decide(ways, count, kappa, lambda, doubt, &decision, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    REQUIRE(decision.best < decision.ways);
    if (decision.best < 0)
        return;
    decision_check(&decision, ways);
    decision_gain(&decision, ways);
}
