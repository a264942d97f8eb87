/* test_decision.c -- the closed forms of decisions against draws of the error that they are derived from */

#include "price/decision.h"
#include "support/events.h"
#include "support/test.h"

enum { DRAWS = 400000 };

/* A positive stable variable of index a, Laplace transform exp(-t^a): Kanter 1975. */
static double stable(double a, uint64_t *state)
{
    const double pi = 3.14159265358979323846, u = pi * random_uniform(state), w = -log(random_uniform(state));
    return a == 1 ? 1 : sin(a * u) / pow(sin(u), 1 / a) * pow(sin((1 - a) * u) / w, (1 - a) / a);
}

typedef struct drawn {
    double first[8], ln_loss, within_50, within_90, better[8], left;
} drawn;

/* Measured times of every way: E^(1/kappa) T with E exponential; ways of a nest share a stable factor S:
 * (E / S)^(lambda/kappa) T is of the same law, with correlation 1 - lambda^2.  All ways are of the one law, or of the
 * other. */
static drawn draw(const ns_way *way, int ways, const ns_decision *d, uint64_t measured)
{
    drawn sum = {{0}, 0, 0, 0, {0}, 0};
    uint64_t state = 12345;
    for (int n = 0; n < DRAWS; n++) {
        double shared[8], time[8] = {0};
        const bool wrong = d->doubt > 0 && random_uniform(&state) < d->doubt; /* the whole machine is */
        const double kappa = wrong ? NS_KAPPA_WRONG : d->kappa, lambda = wrong ? 1 : d->lambda;
        int first = 0, known = d->best;
        for (int g = 0; g < 8; g++)
            shared[g] = stable(lambda, &state);
        for (int i = 0; i < ways; i++) {
            time[i] = way[i].seconds * pow(-log(random_uniform(&state)) / shared[way[i].nest], lambda / kappa);
            first = time[i] < time[first] ? i : first;
        }
        for (int i = 0; i < ways; i++) {
            sum.better[i] += time[d->best] < time[i];
            known = (measured >> i & 1) != 0 && time[i] < time[known] ? i : known;
        }
        sum.first[first]++;
        sum.ln_loss += log(time[d->best] / time[first]);
        sum.left += log(time[known] / time[first]);
        sum.within_50 += time[d->best] / time[first] <= d->loss_q50;
        sum.within_90 += time[d->best] / time[first] <= d->loss_q90;
    }
    return sum;
}

static const struct {
    double kappa, lambda, doubt;
    int ways;
    ns_way way[6];
} rows[] = {
    {1.5, 1, 0, 4, {{1e-4, 0, 0}, {1.2e-4, 1, 0}, {1.5e-4, 2, 0}, {3e-4, 3, 0}}},
    {5, 1, 0, 4, {{1.2e-4, 0, 0}, {1e-4, 1, 0}, {1.5e-4, 2, 0}, {3e-4, 3, 0}}},
    {5, 0.3, 0, 6, {{1e-4, 0, 0}, {1.1e-4, 0, 0}, {1.2e-4, 1, 0}, {1.25e-4, 1, 0}, {1.5e-4, 2, 0}, {1.6e-4, 2, 0}}},
    {1.5, 0.6, 0, 5, {{2e-4, 2, 0}, {1e-4, 0, 0}, {1.02e-4, 0, 0}, {1.5e-4, 1, 0}, {9e-4, 2, 0}}},
    {3, 0.8, 0, 2, {{1e-4, 0, 0}, {1.3e-4, 0, 0}}},
    {3, 1, 0.5, 4, {{1e-4, 0, 0}, {1.2e-4, 1, 0}, {1.5e-4, 2, 0}, {3e-4, 3, 0}}},
    {5, 0.3, 0.25, 6, {{1e-4, 0, 0}, {1.1e-4, 0, 0}, {1.2e-4, 1, 0}, {1.25e-4, 1, 0}, {1.5e-4, 2, 0}, {9e-4, 2, 0}}},
};

TEST_EACH(closed_forms_are_what_draws_give, (int)(sizeof rows / sizeof *rows))
{
    const ns_way *way = rows[_i].way;
    const int ways = rows[_i].ways;
    ns_decision d;
    ck_assert_int_eq(ns_decide(way, (size_t)ways, rows[_i].kappa, rows[_i].lambda, rows[_i].doubt, &d, NULL), NS_OK);
    const uint64_t measured = 1u << d.shortlist[0] | 1u << d.shortlist[1];
    const drawn seen = draw(way, ways, &d, measured);
    double sum = 0;
    for (int i = 0; i < ways; i++) {
        ns_gain gain;
        sum += d.p_best[i];
        ck_assert_double_eq_tol(d.p_best[i], seen.first[i] / DRAWS, 0.004);
        ck_assert_int_eq(ns_decision_gain(&d, way, i, &gain, NULL), NS_OK);
        ck_assert_double_eq_tol(gain.p_better, seen.better[i] / DRAWS, 0.004);
        ck_assert_int_eq((int)(d.ruled_out >> i & 1), 1 - gain.p_better < 0.05 && i != d.best);
    }
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    ck_assert_double_eq_tol(d.expected_ln_loss, seen.ln_loss / DRAWS, 0.01 * d.expected_ln_loss + 0.001);
    ck_assert_double_eq_tol(ns_decision_left(&d, way, measured), seen.left / DRAWS, 0.01 * d.expected_ln_loss + 0.001);
    ck_assert_double_eq_tol(seen.within_50 / DRAWS, fmax(0.5, d.p_best[d.best]), 0.004);
    ck_assert_double_eq_tol(seen.within_90 / DRAWS, fmax(0.9, d.p_best[d.best]), 0.004);
}

/* lambda = 1: the quantile has a closed form of its own. */
TEST(independent_ways_have_a_quantile_in_closed_form)
{
    const ns_way way[] = {{2e-5, 7, 0}, {1.7e-5, 3, 0}, {2.9e-5, 4, 0}};
    ns_decision d;
    ck_assert_int_eq(ns_decide(way, 3, 2.3, 1, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(d.best, 1);
    const double p = d.p_best[1];
    ck_assert_double_eq_tol(d.loss_q90, pow(0.9 / 0.1 * (1 - p) / p, 1 / 2.3), 1e-12);
    ck_assert_double_eq_tol(p, pow(1.7, -2.3) / (pow(2, -2.3) + pow(1.7, -2.3) + pow(2.9, -2.3)), 1e-12);
}

/* However far apart two predictions are, doubt bounds nothing away: a machine may be wrong altogether. */
TEST(doubt_widens_all_that_is_said)
{
    const ns_way way[] = {{1e-4, 0, 0}, {3e-4, 1, 0}};
    ns_decision sure, doubting;
    ns_gain gain, wide;
    ck_assert_int_eq(ns_decide(way, 2, 3, 1, 0, &sure, NULL), NS_OK);
    ck_assert_int_eq(ns_decide(way, 2, 3, 1, 0.4, &doubting, NULL), NS_OK);
    ck_assert_double_eq_tol(doubting.p_best[0], 0.6 * sure.p_best[0] + 0.4 / (1 + pow(3, -NS_KAPPA_WRONG)), 1e-12);
    ck_assert_double_gt(doubting.loss_q90, sure.loss_q90);
    ck_assert_int_eq(ns_decision_gain(&sure, way, 1, &gain, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&doubting, way, 1, &wide, NULL), NS_OK);
    ck_assert_double_eq_tol(wide.p_better, doubting.p_best[0], 1e-12);
    ck_assert(wide.q10 < gain.q10 && wide.q50 == gain.q50 && wide.q90 > gain.q90);
    const double w = ns_decision_ratio(&doubting, false, 0.95);
    ck_assert_double_eq_tol(0.6 / (1 + exp(-3 * w)) + 0.4 / (1 + exp(-NS_KAPPA_WRONG * w)), 0.95, 1e-12);
}

/* A copy of a way in its own nest, lambda near 0, does not split its chance with others away. */
TEST(a_near_duplicate_takes_nothing_from_the_others)
{
    const ns_way way[] = {{1e-4, 0, 0}, {1e-4, 0, 0}, {1e-4, 1, 0}};
    ns_decision d;
    ck_assert_int_eq(ns_decide(way, 3, 2, 0.01, 0, &d, NULL), NS_OK);
    ck_assert_double_eq_tol(d.p_best[2], 0.5, 0.01);
}

/* One way by three names is one way: all that is decided is as among those that differ. */
TEST(a_way_by_other_names_is_no_other_way)
{
    const ns_way way[] = {{1.3e-4, 0, 0}, {1e-4, 1, 0}, {1.3e-4, 2, 1}, {1e-4, 3, 2}, {1.3e-4, 4, 1}, {9e-4, 5, 0}};
    const ns_way differ[] = {{1.3e-4, 0, 0}, {1e-4, 1, 0}, {9e-4, 5, 0}};
    ns_decision d, e;
    ns_gain gain, other;
    ck_assert_int_eq(ns_decide(way, 6, 2.5, 1, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(ns_decide(differ, 3, 2.5, 1, 0, &e, NULL), NS_OK);
    ck_assert(d.ways == 6 && d.distinct == 3 && d.same == 0x1c && e.distinct == 3 && e.same == 0);
    ck_assert(d.best == 1 && d.shortlisted == e.shortlisted && d.shortlist[0] == 1);
    ck_assert(d.p_best[0] == e.p_best[0] && d.p_best[1] == e.p_best[1] && d.p_best[5] == e.p_best[2]);
    ck_assert(d.p_best[2] == 0 && d.p_best[3] == 0 && d.p_best[4] == 0);
    ck_assert(d.loss_q50 == e.loss_q50 && d.loss_q90 == e.loss_q90 && d.expected_ln_loss == e.expected_ln_loss);
    ck_assert(d.ruled_out == 0x20 && e.ruled_out == 4);
    ck_assert_double_eq(ns_decision_left(&d, way, 1 << 4), ns_decision_left(&e, differ, 1));
    ck_assert_int_eq(ns_decision_gain(&d, way, 4, &gain, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&e, differ, 0, &other, NULL), NS_OK);
    ck_assert(gain.p_better == other.p_better && gain.q10 == other.q10);
    ck_assert_int_eq(ns_decision_gain(&d, way, 3, &gain, NULL), NS_OK);
    ck_assert(gain.p_better == 0 && gain.q90 == 1);
}

TEST(one_way_by_two_names_is_certain)
{
    const ns_way way[] = {{1e-4, 0, 0}, {1e-4, 1, 1}}, wrong[] = {{1e-4, 0, 0}, {1e-4, 0, 3}},
                 chain[] = {{1e-4, 0, 0}, {1e-4, 0, 1}, {1e-4, 0, 2}};
    ns_decision d;
    ck_assert_int_eq(ns_decide(way, 2, 1.5, 1, 0, &d, NULL), NS_OK);
    ck_assert(d.best == 0 && d.p_best[0] == 1 && d.loss_q90 == 1 && d.expected_ln_loss == 0 && d.shortlisted == 1);
    ck_assert_int_eq(ns_decide(wrong, 2, 1.5, 1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(chain, 3, 1.5, 1, 0, &d, NULL), NS_ERR_RANGE);
}

/* As many ways as there may be, each as fast as the others: a chance of one in 64 for each. */
TEST(as_many_as_there_may_be)
{
    ns_way way[NS_WAYS];
    ns_decision d;
    for (int i = 0; i < NS_WAYS; i++)
        way[i] = (ns_way){3e-5, i, 0};
    ck_assert_int_eq(ns_decide(way, NS_WAYS, 2, 1, 0, &d, NULL), NS_OK);
    for (int i = 0; i < NS_WAYS; i++)
        ck_assert_double_eq_tol(d.p_best[i], 1.0 / NS_WAYS, 1e-12);
    ck_assert_int_eq(d.shortlisted, 58); /* 57 / 64 < 0.9 <= 58 / 64 */
    ck_assert_double_eq_tol(ns_decision_left(&d, way, 1), log(NS_WAYS) / 2, 1e-12);
}

/* Far slower ways: nothing is 0 / 0, and they are ruled out. */
TEST(the_hopeless_have_a_probability_of_0)
{
    const ns_way way[] = {{1e-9, 0, 0}, {1e9, 1, 0}, {2e9, 1, 0}};
    ns_decision d;
    ck_assert_int_eq(ns_decide(way, 3, 50, 0.1, 0, &d, NULL), NS_OK);
    ck_assert_double_eq(d.p_best[0], 1);
    ck_assert(d.p_best[1] == 0 && d.p_best[2] == 0);
    ck_assert_uint_eq(d.ruled_out, 6);
    ck_assert_double_eq(d.loss_q90, 1);
}

TEST(without_a_choice_there_is_no_decision)
{
    ns_decision d;
    const ns_way one[] = {{1e-4, 0, 0}}, free_of_charge[] = {{0, 0, 0}, {1, 1, 0}};
    ck_assert_int_eq(ns_decide(one, 1, 1.5, 1, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(d.best, -1);
    ck_assert_int_eq(ns_decide(free_of_charge, 2, 1.5, 1, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(d.best, -1);
}

TEST(what_cannot_be_is_refused)
{
    const ns_way two[] = {{1e-4, 0, 0}, {2e-4, 1, 0}}, negative[] = {{1e-4, 0, 0}, {-1, 1, 0}},
                 nan_[] = {{NAN, 0, 0}, {1, 1, 0}};
    ns_decision d = {.ways = -7};
    ck_assert_int_eq(ns_decide(two, 2, 0, 1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(two, 2, NAN, 1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(two, 2, 1.5, 0, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(two, 2, 1.5, 1.1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(negative, 2, 1.5, 1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(nan_, 2, 1.5, 1, 0, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(two, 2, 1.5, 1, 1, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(two, 2, 1.5, 1, NAN, &d, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(d.ways, -7);
}

/* Of errors that a double cannot hold apart, a tie stays a tie, and nothing is NaN. */
TEST(no_scale_and_no_ratio_is_too_extreme)
{
    static const ns_way ways[] = {{2e-5, 1, 0}, {2e-5, 1, 0}, {5e-324, 2, 0}, {1e308, 2, 0}};
    ns_decision decision;
    ns_gain gain;
    ck_assert_int_eq(ns_decide(ways, 2, 1e300, 1e-300, 0, &decision, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&decision, ways, 1, &gain, NULL), NS_OK);
    ck_assert_double_eq(gain.p_better, 0.5);
    ck_assert_double_eq(gain.q50, 1);
    ck_assert_int_eq(ns_decide(ways + 2, 2, 1e-3, 1, 0, &decision, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&decision, ways + 2, 1, &gain, NULL), NS_OK);
    ck_assert(gain.p_better > 0.5 && gain.p_better <= 1);
    ck_assert(gain.q10 >= 0 && gain.q10 < gain.q50 && gain.q50 <= gain.q90);
}

TEST_TIMEOUT(120)
