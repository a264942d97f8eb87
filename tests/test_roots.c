/* test_roots.c -- roots, dips and crossings of functions whose crossings are known; failures of the function come
 * through */
#include "core/memory.h"
#include "study/study.h"
#include "support/test.h"

typedef double plain(double x);

static ns_status call(const void *context, double x, double *value, ns_error *err)
{
    (void)err;
    *value = (*(plain *const *)context)(x);
    return NS_OK;
}

static double cubic(double x)
{
    return x * x * x - 2;
}
static double far(double x)
{
    return log(x) - 20;
}
static double step_up(double x)
{
    return x < 3.7 ? -1 : 2;
}
static double flat(double x)
{
    return pow(x - 1, 9);
}
static double zero_at_end(double x)
{
    return x - 1;
}

static const struct {
    plain *f;
    double lo, hi, root;
    bool jump;
} roots[] = {
    {cubic, 0, 5, 1.2599210498948732, false},
    {far, 1, 1e12, 485165195.40979028, false},
    {step_up, 0, 10, 3.7, true},
    {zero_at_end, 1, 4, 1, false},
};

TEST_EACH(test_root, sizeof roots / sizeof *roots)
{
    ns_root root;
    ns_error err = {0};
    ck_assert_msg(ns_root_find(call, &roots[_i].f, roots[_i].lo, roots[_i].hi, &root, &err) == NS_OK, "%s", err.text);
    ck_assert_double_eq_tol(root.x, roots[_i].root, 1e-12 * roots[_i].root);
    ck_assert_int_eq(root.jump, roots[_i].jump);
}

/* So flat that only the bracket tells: no hang. */
TEST(test_flat)
{
    ns_root root;
    plain *f = flat;
    ck_assert_int_eq(ns_root_find(call, &f, 0, 3, &root, NULL), NS_OK);
    ck_assert_double_eq_tol(root.x, 1, 1e-2);
}

TEST(test_same_sign)
{
    ns_root root;
    plain *f = cubic;
    ns_error err = {0};
    ck_assert_int_ne(ns_root_find(call, &f, 2, 5, &root, &err), NS_OK);
    ck_assert_ptr_nonnull(strstr(err.text, "the root finder gave up"));
}

static ns_status fails_late(const void *context, double x, double *value, ns_error *err)
{
    int *left = *(int *const *)context;
    *value = x - 2;
    return (*left)-- > 0 ? NS_OK : ns_fail(err, NS_ERR_RANGE, "no more");
}

/* Wherever the function fails, its own words come back: at either end, at the root, on either side of it. */
TEST_EACH(test_failure, 5)
{
    ns_root root;
    ns_error err = {0};
    int left = _i, *context = &left;
    ns_status status = ns_root_find(fails_late, &context, 0, 5, &root, &err);
    ck_assert_int_eq(status, NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "no more");
}

/* ---- crossings -------------------------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846
enum { CURVES = 3 };
typedef struct family {
    plain *curve[CURVES];
    int curves;
} family;

static ns_status curve_at(const void *context, int curve, double x, double *value, ns_error *err)
{
    (void)err;
    *value = ((const family *)context)->curve[curve](x);
    return NS_OK;
}

static double zero(double x)
{
    return 0 * x;
}
static double wave(double x)
{
    return sin(x);
}
static double narrow(double x)
{
    return (x - 5.0003) * (x - 5.0007);
} /* both between two samples of [1, 10] */
static double touch(double x)
{
    return (x - 5) * (x - 5);
}
static double stair(double x)
{
    return x < 4.25 ? -1 : 1;
}
static double ramp(double x)
{
    return x < 3 ? 0 : x - 3;
}
static double basin(double x)
{
    return x < 2 ? 2 - x : x > 6 ? x - 6 : 0;
}
static double noise(double x)
{
    return 1e-14 * sin(1e4 * x);
}
static double line(double x)
{
    return x;
}
static double twice(double x)
{
    return 2 * x - 3;
}
static double constant(double x)
{
    return 4.5 + 0 * x;
}
static double one(double x)
{
    return 1 + 0 * x;
}
static double about_one(double x)
{
    return 1 + noise(x);
}

static const struct {
    family family;
    double lo, hi;
    int count;
    struct {
        double x;
        ns_meeting meeting;
        int below;
    } at[6];
} families[] = {
    {{{wave, zero}, 2}, 1, 10, 3, {{PI, NS_MEET_CROSS, 0}, {2 * PI, NS_MEET_CROSS, 1}, {3 * PI, NS_MEET_CROSS, 0}}},
    {{{narrow, zero}, 2}, 1, 10, 2, {{5.0003, NS_MEET_CROSS, 0}, {5.0007, NS_MEET_CROSS, 1}}},
    {{{touch, zero}, 2}, 1, 10, 0, {{0, NS_MEET_CROSS, 0}}},
    {{{stair, zero}, 2}, 1, 10, 1, {{4.25, NS_MEET_JUMP, 1}}},
    {{{ramp, zero}, 2}, 1, 10, 1, {{3, NS_MEET_PART, 1}}},
    {{{basin, zero}, 2}, 1, 10, 2, {{2, NS_MEET_JOIN, -1}, {6, NS_MEET_PART, 1}}},
    {{{about_one, one}, 2}, 1, 10, 0, {{0, NS_MEET_CROSS, 0}}},
    {{{line, twice, constant}, 3},
     0,
     10,
     3,
     {{3, NS_MEET_CROSS, 0}, {3.75, NS_MEET_CROSS, 2}, {4.5, NS_MEET_CROSS, 2}}},
};

TEST_EACH(test_crossings, sizeof families / sizeof *families)
{
    ns_crossing *found = ns_malloc(NS_MEETINGS * sizeof *found);
    int count;
    ns_error err = {0};
    ck_assert_msg(ns_meetings_find(curve_at, &families[_i].family, families[_i].family.curves, families[_i].lo,
                                   families[_i].hi, found, &count, &err) == NS_OK,
                  "%s", err.text);
    ck_assert_msg(count == families[_i].count, "family %d: %d crossings, the first at %.15g", _i, count,
                  count > 0 ? found[0].x : 0.0);
    for (int k = 0; k < count; k++) {
        ck_assert_double_eq_tol(found[k].x, families[_i].at[k].x, 1e-9 * found[k].x);
        ck_assert_msg(found[k].meeting == families[_i].at[k].meeting, "family %d: %s at %g", _i,
                      ns_meeting_words[found[k].meeting], found[k].x);
        ck_assert_int_eq(found[k].below, families[_i].at[k].below);
    }
    ns_free(found);
}

static double wild(double x)
{
    return sin(3000 * log(x));
}

/* More crossings than there is room for are an error, not a shorter list; a range that does not rise is refused. */
TEST(test_limits)
{
    const family many = {{wild, zero, wave}, 3};
    ns_crossing *found = ns_malloc(NS_MEETINGS * sizeof *found);
    int count;
    ns_error err = {0};
    ns_status status = ns_meetings_find(curve_at, &many, 3, 1, 1e6, found, &count, &err);
    ck_assert_msg(status == NS_OK || status == NS_ERR_LIMIT, "%s", err.text);
    ck_assert_int_ne(ns_meetings_find(curve_at, &many, 2, 5, 5, found, &count, NULL), NS_OK);
    ck_assert_int_ne(ns_meetings_find(curve_at, &many, 2, 5, INFINITY, found, &count, NULL), NS_OK);
    ns_free(found);
}

/* ---- elasticity ------------------------------------------------------------------------------------------------- */

static double power(double x)
{
    return 5 * pow(x, 1.75);
}
static double kinked(double x)
{
    return x < 1 ? 1 + 0.25 * (x - 1) : 1 + 0.75 * (x - 1);
}
static double leaping(double x)
{
    return x < 1 ? 7 : 1 + 0.5 * (x - 1);
}
static double still(double x)
{
    return 3 + 0 * x;
}

TEST_EACH(test_elasticity, 4)
{
    static const struct {
        plain *f;
        double slope;
        bool kink, jump;
    } rows[] = {
        {power, 1.75, false, false}, {kinked, 0.5, true, false}, {leaping, 0.5, false, true}, {still, 0, false, false}};
    ns_move e = {.name = NULL};
    ck_assert_int_eq(ns_elasticity_find(call, &rows[_i].f, 0.1, rows[_i].f(1), &e, NULL), NS_OK);
    ck_assert_double_eq_tol(e.slope, rows[_i].slope, 1e-6);
    ck_assert_int_eq(e.kink, rows[_i].kink);
    ck_assert_int_eq(e.jump, rows[_i].jump);
    ck_assert(e.has_low && e.has_high && e.sloped);
    ck_assert_double_eq(e.low, rows[_i].f(0.9));
    ck_assert_double_eq(e.high, rows[_i].f(1.1));
}
