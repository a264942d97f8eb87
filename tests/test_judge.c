/* test_judge.c -- scores of advice on three cases whose numbers are known by hand */

#include "records/judge.h"
#include "support/test.h"

/* Two ways, predicted 1 : 2 throughout.  Case 0 comes out so, 1 the other way round, 2 is a draw within 5 %. */
static const ns_tried tried[] = {
    {0, 10, 0, 0, 1, 1, 1, 1, 0, 0}, {0, 11, 1, 0, 2, 1.5, 1, 1, 1, 0}, {1, 10, 0, 1, 1, 3, 1, 1, 2, 0},
    {1, 11, 1, 1, 2, 1, 1, 1, 3, 0}, {2, 10, 0, 2, 2, 1, 1, 1, 4, 0},   {2, 11, 1, 2, 1, 1.05, 1, 1, 5, 0},
};
enum { TRIES = sizeof tried / sizeof *tried };

static const struct {
    int rule;
    ns_which which;
    size_t cases;
    double right, mean, q90, worst, advice;
} rules[] = {
    {NS_RULE_ADVICE, NS_WHICH_APART, 2, 0.5, 1, 1.8, 2, 1},
    {NS_RULE_ADVICE, NS_WHICH_ALL, 3, 1.0 / 3, 2.05 / 3, 0.05 + 0.8 * 1.95, 2, 2.05 / 3},
    {10, NS_WHICH_APART, 2, 0.5, 1, 1.8, 2, 1},
    {10, NS_WHICH_ALL, 3, 2.0 / 3, 2.0 / 3, 1.6, 2, 2.05 / 3},
    {11, NS_WHICH_APART, 2, 0.5, 0.25, 0.45, 0.5, 1},
    {12, NS_WHICH_ALL, 0, 0, 0, 0, 0, 0}, /* was never done */
};

TEST_EACH(rule, sizeof rules / sizeof *rules)
{
    ns_rule_score s;
    ck_assert_int_eq(ns_judge_rule(tried, TRIES, rules[_i].which, rules[_i].rule, &s, NULL), NS_OK);
    ck_assert_uint_eq(s.cases, rules[_i].cases);
    ck_assert_double_eq_tol(s.right, rules[_i].right, 1e-12);
    ck_assert_double_eq_tol(s.lost_mean, rules[_i].mean, 1e-12);
    ck_assert_double_eq_tol(s.lost_q90, rules[_i].q90, 1e-12);
    ck_assert_double_eq_tol(s.lost_worst, rules[_i].worst, 1e-12);
    ck_assert_double_eq_tol(s.advice_lost_mean, rules[_i].advice, 1e-12);
}

/* kappa 1: P = 2/3, 1/3; the bound of the loss is 9 (1 - P) / P = 4.5.  kappa 3: 8/9, 1/9, (9/8)^(1/3) = 1.04, which
 * losses of 3 and 1.05 pass; ratios may be off by 19^(1/3) = 2.7: those of case 1 are by 6, of case 2 by 2.1. */
static const struct {
    double kappa;
    ns_which which;
    size_t cases;
    double brier, log_loss, q90_covers, ratio_covers;
} calibration[] = {
    {1, NS_WHICH_ALL, 3, (2.0 / 9 + 8.0 / 9 + 8.0 / 9) / 3, 0, 1, 1},
    {3, NS_WHICH_ALL, 3, (2.0 / 81 + 128.0 / 81 + 128.0 / 81) / 3, 0, 1.0 / 3, 2.0 / 3},
    {1, NS_WHICH_APART, 2, (2.0 / 9 + 8.0 / 9) / 2, 0, 1, 1},
    {3, NS_WHICH_APART, 2, (2.0 / 81 + 128.0 / 81) / 2, 0, 0.5, 0.5},
};

static void with_kappa(double kappa, ns_tried list[TRIES])
{
    memcpy(list, tried, sizeof tried);
    for (int i = 0; i < TRIES; i++)
        list[i].kappa = kappa;
}

TEST_EACH(sure, sizeof calibration / sizeof *calibration)
{
    const double kappa = calibration[_i].kappa, p = 1 / (1 + pow(2, -kappa));
    const double loss = -log(p) - (double)(calibration[_i].cases - 1) * log(1 - p);
    ns_tried list[TRIES];
    ns_judged_calibration s;
    with_kappa(kappa, list);
    ck_assert_int_eq(ns_judge_calibration(list, TRIES, calibration[_i].which, &s, NULL), NS_OK);
    ck_assert_uint_eq(s.cases, calibration[_i].cases);
    ck_assert_uint_eq(s.ratios, calibration[_i].cases);
    ck_assert_double_eq(s.kappa, kappa);
    ck_assert_double_eq_tol(s.brier, calibration[_i].brier, 1e-12);
    ck_assert_double_eq_tol(s.brier_uniform, 0.5, 1e-12);
    ck_assert_double_eq_tol(s.log_loss, loss / (double)s.cases, 1e-12);
    ck_assert_double_eq_tol(s.log_loss_uniform, log(2), 1e-12);
    ck_assert_double_eq_tol(s.q90_covers, calibration[_i].q90_covers, 1e-12);
    ck_assert_double_eq_tol(s.q90_should, 0.9, 1e-12);
    ck_assert_double_eq_tol(s.ratio_covers, calibration[_i].ratio_covers, 1e-12);
}

/* P of 8^-1 and above .9: the bound is 1, and covers P of the choice. */
TEST(sure_of_more_than_the_bound)
{
    ns_tried list[TRIES];
    ns_judged_calibration s;
    with_kappa(5, list);
    ck_assert_int_eq(ns_judge_calibration(list, TRIES, NS_WHICH_ALL, &s, NULL), NS_OK);
    ck_assert_double_eq_tol(s.q90_should, 32.0 / 33, 1e-12);
    ck_assert_double_eq_tol(s.q90_covers, 1.0 / 3, 1e-12);
}

TEST(reliable)
{
    ns_reliability bin[NS_RELIABILITY_BINS];
    ck_assert_int_eq(ns_judge_reliability(tried, TRIES, NS_WHICH_ALL, bin, NULL), NS_OK);
    size_t ways = 0;
    for (int b = 0; b < NS_RELIABILITY_BINS; b++)
        ways += bin[b].ways;
    ck_assert_uint_eq(ways, TRIES);
    ck_assert_double_eq(bin[2].from, 0.25);
    ck_assert_uint_eq(bin[2].ways, 3); /* the slower one of each */
    ck_assert_uint_eq(bin[2].choices, 0);
    ck_assert_double_eq_tol(bin[2].p_mean, 1.0 / 3, 1e-12);
    ck_assert_double_eq_tol(bin[2].fastest, 2.0 / 3, 1e-12);
    ck_assert_uint_eq(bin[3].choices, 3);
    ck_assert_double_eq_tol(bin[3].choice_p_mean, 2.0 / 3, 1e-12);
    ck_assert_double_eq_tol(bin[3].choice_fastest, 1.0 / 3, 1e-12);
}

TEST(probabilities)
{
    double p[TRIES];
    ck_assert_int_eq(ns_judge_p_best(tried, TRIES, p, NULL), NS_OK);
    for (int i = 0; i < TRIES; i++)
        ck_assert_double_eq_tol(p[i], tried[i].predicted_s < 2 ? 2.0 / 3 : 1.0 / 3, 1e-12);
}

/* ln of how far each case is off: 0 is by 4/3, 1 by 6, 2 by 2.1. */
static double kappa_of(double a, double b)
{
    const double pi = 3.14159265358979323846, squares = log(a) * log(a) + log(b) * log(b);
    return pi / sqrt(6) / sqrt(squares / 2 / (b > 1 ? 2 : 1));
}

TEST(scale)
{
    ns_choice_scale s;
    ns_choice_calibration(tried, TRIES, 2, true, &s);
    ck_assert_double_eq_tol(s.kappa, kappa_of(4.0 / 3, 6), 1e-12);
    ck_assert_double_eq(s.lambda, 1); /* no pair inside a nest */
    ck_assert_uint_eq(s.cases, 2);
    ck_assert_uint_eq(s.groups, 2);
    ns_choice_calibration(tried, 2, -1, true, &s);
    ck_assert_double_eq_tol(s.kappa, kappa_of(4.0 / 3, 1), 1e-12);
    ns_choice_calibration(tried, 2, 0, true, &s);
    ck_assert_double_eq(s.kappa, 0); /* nothing is left */
}

/* Two ways of one nest are off by 2 from each other, each by 8 and 4 from the third. */
TEST(scale_of_nests)
{
    const ns_tried list[] = {
        {0, 1, 0, 0, 8, 1, 1, 1, 0, 0}, {0, 2, 0, 0, 4, 1, 1, 1, 1, 0}, {0, 3, 1, 0, 1, 1, 1, 1, 2, 0}};
    const double unit = log(2), across = sqrt((9 + 4) * unit * unit / 4), inside = sqrt(unit * unit / 2);
    const double together = sqrt((9 + 4 + 1) * unit * unit / 6), pi = 3.14159265358979323846;
    ns_choice_scale s;
    ns_choice_calibration(list, 3, -1, true, &s);
    ck_assert_double_eq_tol(s.kappa, pi / sqrt(6) / across, 1e-12);
    ck_assert_double_eq_tol(s.lambda, inside / across, 1e-12);
    ns_choice_calibration(list, 3, -1, false, &s);
    ck_assert_double_eq_tol(s.kappa, pi / sqrt(6) / together, 1e-12);
    ck_assert_double_eq(s.lambda, 1);
}

TEST(left_out)
{
    ns_tried list[TRIES];
    memcpy(list, tried, sizeof tried);
    ck_assert_int_eq(ns_choice_leave_out(list, TRIES, NULL), NS_OK);
    ck_assert_double_eq_tol(list[0].kappa, kappa_of(6, 2.1), 1e-12);
    ck_assert_double_eq_tol(list[3].kappa, kappa_of(4.0 / 3, 2.1), 1e-12);
    ck_assert_double_eq_tol(list[4].kappa, kappa_of(4.0 / 3, 6), 1e-12);
    ns_error err = {0};
    ck_assert_int_eq(ns_choice_leave_out(list, 2, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "only one group of exchanges that were done in several ways");
}

/* Inside a nest the ways are always right to the digit, across it off by 2 either way: so lambda pays, and is kept. */
TEST(nests_are_kept_where_they_pay)
{
    ns_tried list[3 * 12];
    ns_judged_calibration s;
    for (size_t c = 0; c < 12; c++) {
        const double off = c % 2 == 0 ? 2 : 0.5;
        list[3 * c] = (ns_tried){c, 1, 0, (int)c, 1, off, 0, 0, 0, 0};
        list[3 * c + 1] = (ns_tried){c, 2, 0, (int)c, 1.2, 1.2 * off * 1.01, 0, 0, 0, 0};
        list[3 * c + 2] = (ns_tried){c, 3, 1, (int)c, 1.1, 1.1, 0, 0, 0, 0};
    }
    ck_assert_int_eq(ns_choice_leave_out(list, 36, NULL), NS_OK);
    ck_assert_int_eq(ns_judge_calibration(list, 36, NS_WHICH_ALL, &s, NULL), NS_OK);
    ck_assert_double_lt(s.lambda, 0.05);
    for (size_t i = 0; i < 36; i++)
        list[i].nest = (int)i % 3;
    ck_assert_int_eq(ns_choice_leave_out(list, 36, NULL), NS_OK);
    ck_assert_double_eq(list[0].lambda, 1);
}

TEST(names)
{
    const ns_strategy *strategy;
    char text[60];
    ck_assert_int_eq(ns_strategy_get("split-md", &strategy, NULL), NS_OK);
    ck_assert_str_eq(ns_way_name(ns_way_number(strategy, NS_VIA_HOST), text, sizeof text), "split-md/host");
    ck_assert_int_eq(ns_strategy_get("standard", &strategy, NULL), NS_OK);
    ck_assert_str_eq(ns_way_name(ns_way_number(strategy, NS_VIA_DEVICE), text, sizeof text), "standard/device");
}
