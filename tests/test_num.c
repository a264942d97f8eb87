/* test_num.c -- lines, curves, switch points and held-out errors on numbers that can be checked by hand */

#include "num/num.h"
#include "num/line_sums.h"
#include "support/test.h"

#include "support/values.h"

static const ns_noise no_noise = {0, 0};

static ns_line_estimate fitted(const double *x, const double *y, size_t count, ns_weights weights, ns_noise noise)
{
    ns_line_estimate e;
    ns_error err = {0};
    ck_assert_msg(ns_line_fit(x, y, count, weights, noise, &e, &err) == NS_OK, "%s", err.text);
    return e;
}

TEST(test_exact_line)
{
    double x[12], y[12];
    for (int i = 0; i < 12; i++) {
        x[i] = (double)(1 << (2 * i));
        y[i] = 2.385e-6 + 0.317e-9 * x[i];
    }
    for (int w = 0; w < 2; w++) {
        const ns_line_estimate e = fitted(x, y, 12, w == 0 ? NS_WEIGHTS_RELATIVE : NS_WEIGHTS_NONE, no_noise);
        NEAR(e.alpha, 2.385e-6, 1e-9);
        NEAR(e.beta, 0.317e-9, 1e-12);
        ck_assert(!e.bound && e.outliers == 0 && e.points == 12);
    }
}

/* y = 1, 2, 2, 3 at x = 1, 2, 3, 4: beta = 0.6, alpha = 0.5, residuals -0.1, 0.3, -0.3, 0.1, s^2 = 0.2 / 2; the inverse
 * of the normal matrix (4, 10; 10, 30) is (1.5, -0.5; -0.5, 0.2); t(0.975, 2) = 4.302653 for the errors of two degrees
 * of freedom. */
TEST(test_plain_errors)
{
    const double x[] = {1, 2, 3, 4}, y[] = {1, 2, 2, 3}, factor = 4.302652729911275 / 1.959963984540054;
    const ns_line_estimate e = fitted(x, y, 4, NS_WEIGHTS_NONE, no_noise);
    NEAR(e.alpha, 0.5, 1e-12);
    NEAR(e.beta, 0.6, 1e-12);
    NEAR(e.alpha_se, factor * sqrt(0.1 * 1.5), 1e-9);
    NEAR(e.beta_se, factor * sqrt(0.1 * 0.2), 1e-9);
    NEAR(e.covariance, factor * factor * 0.1 * -0.5, 1e-9);
}

/* Data that would have alpha negative are fitted through the origin, data that fall by a constant. */
TEST(test_bounds)
{
    const double x[] = {1, 2, 3, 4}, rising[] = {0.1, 1, 2.2, 3}, falling[] = {4, 3, 2.5, 1};
    ns_line_estimate e = fitted(x, rising, 4, NS_WEIGHTS_NONE, no_noise);
    ck_assert(e.bound && e.alpha == 0);
    NEAR(e.beta, (0.1 + 2 + 6.6 + 12) / 30, 1e-12);
    e = fitted(x, falling, 4, NS_WEIGHTS_NONE, no_noise);
    ck_assert(e.bound && e.beta == 0);
    NEAR(e.alpha, 10.5 / 4, 1e-12);
}

/* One size of ten takes ten times as long: it is counted and moves nothing. */
TEST(test_outlier)
{
    double x[10], y[10];
    for (int i = 0; i < 10; i++) {
        x[i] = 1000.0 * (i + 1);
        y[i] = (3e-6 + 1e-9 * x[i]) * (i % 2 == 0 ? 1.002 : 0.998);
    }
    y[4] *= 10;
    const ns_line_estimate e = fitted(x, y, 10, NS_WEIGHTS_RELATIVE, no_noise);
    NEAR(e.alpha, 3e-6, 0.01);
    NEAR(e.beta, 1e-9, 0.01);
    ck_assert_uint_eq(e.outliers, 1);
    ck_assert(fitted(x, y, 10, NS_WEIGHTS_NONE, no_noise).outliers == 1);
}

TEST(test_refusals)
{
    const double x[] = {1, 1, 1}, y[] = {1, 2, 3}, negative[] = {1, -2, 3}, several[] = {1, 2, 3}, odd[] = {1, NAN, 3};
    double rate, se;
    ns_line_estimate e;
    ns_error err = {0};
    ck_assert_int_eq(ns_line_fit(x, y, 3, NS_WEIGHTS_RELATIVE, no_noise, &e, &err), NS_ERR_DATA);
    ck_assert_int_eq(ns_line_fit(x, y, 0, NS_WEIGHTS_RELATIVE, no_noise, &e, NULL), NS_ERR_DATA);
    ck_assert_int_eq(ns_line_fit(several, negative, 3, NS_WEIGHTS_RELATIVE, no_noise, &e, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_line_fit(several, odd, 3, NS_WEIGHTS_RELATIVE, no_noise, &e, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_ray_fit((const double[]){0, 0}, y, NULL, 2, &rate, &se, NULL), NS_ERR_DATA);
}

/* (1 x 2 + 2 x 3) / (1 + 4) = 1.6, residuals 0.4 and -0.2. */
TEST(test_ray)
{
    const double x[] = {1, 2}, y[] = {2, 3}, scale[] = {2, 4};
    double rate, se;
    ck_assert_int_eq(ns_ray_fit(x, y, NULL, 2, &rate, &se, NULL), NS_OK);
    NEAR(rate, 1.6, 1e-14);
    NEAR(se, sqrt(0.2 / 5), 1e-12);
    ck_assert_int_eq(ns_ray_fit(x, y, scale, 2, &rate, &se, NULL), NS_OK);
    NEAR(rate, (0.5 + 0.375) / 0.5, 1e-12);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

TEST(test_curve)
{
    const double x[] = {8, 4, 4, 8, 4, 8}, y[] = {5, 3, 1, 9, 2, 7};
    const struct {
        ns_statistic statistic;
        size_t count;
        double first, second;
    } rows[] = {{NS_STATISTIC_MEDIAN, 2, 2, 7}, {NS_STATISTIC_MIN, 2, 1, 5}, {NS_STATISTIC_ALL, 6, 1, 2}};
    for (size_t i = 0; i < 3; i++) {
        ns_curve c;
        ck_assert_int_eq(ns_curve_make(x, y, 6, rows[i].statistic, &c, NULL), NS_OK);
        ck_assert(c.count == rows[i].count && c.sizes == 2 && c.x[0] == 4 && c.x[c.count - 1] == 8);
        ck_assert(c.y[0] == rows[i].first && c.y[1] == rows[i].second);
        NEAR(c.spread, 0.5 * (1.0 + 4.0 / 7), 1e-12); /* (3 - 1) / 2 and (9 - 5) / 7 */
        ns_curve_free(&c);
    }
}

/* ---- switch points ----------------------------------------------------------------------------------------------- */

enum { MOST = 32 };

/* Sizes 1, 2, 4...; a class per row of alpha, beta, first index. */
typedef struct piece {
    double alpha, beta;
    int first;
} piece;

static ns_switches switches_of(const piece *p, int pieces, int sizes, int at, double factor)
{
    double x[MOST], y[MOST];
    ns_switches found;
    for (int i = 0, k = 0; i < sizes; i++) {
        k += k + 1 < pieces && i == p[k + 1].first;
        x[i] = (double)(1 << i);
        y[i] = (p[k].alpha + p[k].beta * x[i]) * (i == at ? factor : 1) * (1 + 0.002 * ((i * 7) % 5 - 2));
    }
    const ns_curve curve = {.x = x, .y = y, .count = (size_t)sizes, .sizes = (size_t)sizes};
    ck_assert_int_eq(ns_switch_points(&curve, &found, NULL), NS_OK);
    return found;
}

static const piece three[] = {{1e-6, 1e-9, 0}, {2e-6, 0.3e-9, 8}, {7e-6, 0.1e-9, 15}};

TEST(test_pieces)
{
    ns_switches s = switches_of(three, 3, 22, -1, 1);
    ck_assert(s.segments == 3 && s.first[1] == 256 && s.first[2] == 32768 && isinf(s.end));
    s = switches_of(three, 2, 15, -1, 1);
    ck_assert(s.segments == 2 && s.first[1] == 256);
    s = switches_of(three, 1, 22, -1, 1);
    ck_assert(s.segments == 1 && s.first[0] == 1);
}

/* A disturbed size moves no switch, and goes to the protocol whose times are nearer. */
TEST(test_spike)
{
    static const piece jump[] = {{1e-6, 1e-9, 0}, {2e-6, 0.05e-9, 8}, {9e-6, 0.04e-9, 15}};
    ns_switches s = switches_of(three, 3, 22, 11, 4);
    ck_assert(s.segments == 3 && s.first[1] == 256 && s.first[2] == 32768);
    s = switches_of(jump, 3, 22, 15, 1.6);
    ck_assert(s.segments == 3 && s.first[2] == 32768);
    s = switches_of(three, 3, 22, 0, 5);
    ck_assert(s.segments == 3 && s.first[1] == 256);
}

/* A last size that is alone on no line has no segment. */
TEST(test_lone_end)
{
    const ns_switches s = switches_of(three, 3, 22, 21, 2.5);
    ck_assert(s.segments == 3 && s.first[2] == 32768 && s.end == 2097152);
    ck_assert(isinf(switches_of(three, 3, 22, 21, 1.2).end));
}

/* Leverages sum to the number of fitted values: two, or one on a bound. */
TEST(test_leverage)
{
    const double a[] = {1, 0.5, 0.25, 0.125}, b[] = {1, 1.5, 2.5, 9};
    ns_line_sums sums = {0};
    double both = 0, flat = 0, steep = 0;
    for (int i = 0; i < 4; i++)
        ns_line_sums_add(&sums, 1, a[i], b[i], 1);
    for (int i = 0; i < 4; i++) {
        both += ns_line_sums_leverage(&sums, false, false, a[i], b[i]);
        flat += ns_line_sums_leverage(&sums, false, true, a[i], b[i]);
        steep += ns_line_sums_leverage(&sums, true, false, a[i], b[i]);
    }
    NEAR(both, 2, 1e-12);
    NEAR(flat, 1, 1e-12);
    NEAR(steep, 1, 1e-12);
}

/* ---- held out ---------------------------------------------------------------------------------------------------- */

/* Three sizes: each is predicted by the line through the other two. */
TEST(test_held_out)
{
    double x[] = {1, 2, 4}, y[] = {1.0, 2.5, 4.0}, error[3];
    const ns_curve curve = {.x = x, .y = y, .count = 3, .sizes = 3};
    ns_held_out_errors e = {.of_size = error};
    ck_assert_int_eq(ns_held_out(&curve, NS_WEIGHTS_NONE, &e, NULL), NS_OK);
    ck_assert_uint_eq(e.count, 3);
    NEAR(error[0], 0.75, 1e-9);      /* 1.75 for 1 */
    NEAR(error[1], 0.5 / 2.5, 1e-9); /* 2 for 2.5 */
    NEAR(error[2], 0.8 / 4, 1e-9);   /* alpha is held at 0, beta = (1 + 5) / 5 = 1.2 gives 4.8 */
}

TEST(test_held_out_none)
{
    double x[] = {1, 2}, y[] = {1, 2}, error[2];
    const ns_curve curve = {.x = x, .y = y, .count = 2, .sizes = 2};
    ns_held_out_errors e = {.of_size = error};
    ck_assert_int_eq(ns_held_out(&curve, NS_WEIGHTS_NONE, &e, NULL), NS_OK);
    ck_assert(e.count == 0 && isnan(e.median) && isnan(e.p95));
}

TEST(test_quantiles)
{
    double value[] = {4, 1, 3, 2};
    ck_assert_double_eq(ns_median(value, 4), 2.5);
    ck_assert_double_eq(ns_order_quantile(value, 4, 0), 1);
    ck_assert_double_eq(ns_order_quantile(value, 4, 1), 4);
    NEAR(ns_order_quantile(value, 4, 0.95), 3.85, 1e-14);
}
