/* line_fit.c -- T = alpha + beta s: a bisquare regression to find outliers, then iterated weighted least squares with a
 * fixed scale, which keeps the efficiency of least squares where there are none.
 *
 * Relative rows divide by the fitted time, not by the measured one, whose scatter would pull the line down.
 *
 * GSL's default error handler ends the process, so it is turned off during each call.  All threads share it, so two
 * must not fit at the same time.
 */
#include "num/num.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

#include "core/memory.h"
#include "core/own.h"
#include "num/line_sums.h"

enum { ROBUST_FROM = 5, FIRST_ROUNDS = 100, ROUNDS = 8 };
static const double bisquare = 4.685; /* 95 % efficiency for normal errors */

typedef struct rows {
    const double *x, *y;
    double *scale;    /* residuals are divided by it */
    double *weight;   /* robust weight */
    double *factor;   /* residuals are multiplied by it before they are judged */
    double *residual; /* scratch */
    size_t count;
} rows;

static void sum_up(const rows *r, ns_line_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (size_t i = 0; i < r->count; i++)
        ns_line_sums_add(sums, r->weight[i], 1 / r->scale[i], r->x[i] / r->scale[i], r->y[i] / r->scale[i]);
}

static void solve(const rows *r, ns_line_sums *sums, ns_line_estimate *e)
{
    bool alpha_zero, beta_zero;
    sum_up(r, sums);
    (void)ns_line_sums_solve(sums, &e->alpha, &e->beta, &alpha_zero, &beta_zero);
    e->bound = alpha_zero || beta_zero;
}

static double residual(const rows *r, const ns_line_estimate *e, size_t i)
{
    return (r->y[i] - e->alpha - e->beta * r->x[i]) / r->scale[i];
}

/* Robust scale: median absolute residual, made consistent for the normal distribution and for two fitted numbers. */
static double spread(const rows *r, const ns_line_estimate *e)
{
    for (size_t i = 0; i < r->count; i++)
        r->residual[i] = fabs(residual(r, e, i));
    const double n = (double)r->count;
    return 1.4826 * ns_median(r->residual, r->count) * sqrt(n / fmax(n - 2, 1));
}

/* Set bisquare weights at a fixed scale; returns the number of points outside. */
static size_t reweigh(rows *r, const ns_line_estimate *e, double scale)
{
    size_t outside = 0;
    for (size_t i = 0; i < r->count; i++) {
        const double u = r->factor[i] * residual(r, e, i) / (bisquare * scale);
        const double inside = fabs(u) < 1 ? 1 - u * u : 0;
        r->weight[i] = inside * inside;
        outside += fabs(u) >= 1;
    }
    return outside;
}

/* DuMouchel and O'Brien (1989), without bounds until the end.  If it cannot continue, e stays unchanged. */
static void find_far_points(rows *r, const ns_line_sums *all, ns_line_estimate *e)
{
    ns_line_estimate now = {0};
    ns_line_sums sums = *all;
    if (!ns_line_sums_solve_free(&sums, &now.alpha, &now.beta))
        return;
    /* A point pulls the line towards itself: correct its residual by 1 / sqrt(1 - leverage). */
    for (size_t i = 0; i < r->count; i++) {
        const double h = ns_line_sums_leverage(&sums, false, false, 1 / r->scale[i], r->x[i] / r->scale[i]);
        r->factor[i] = 1 / sqrt(1 - fmin(h, 0.9999));
    }
    bool settled = false;
    for (int round = 0; round < FIRST_ROUNDS && !settled; round++) {
        const ns_line_estimate before = now;
        /* The median of the residuals without the smallest ones, made consistent for the normal distribution; at least
         * 1, the size of the fitted value, so that only points off by more than their own value lose weight here. */
        for (size_t i = 0; i < r->count; i++)
            r->residual[i] = fabs(residual(r, &before, i)) * r->factor[i];
        ns_sort(r->residual, r->count);
        reweigh(r, &before, fmax(ns_order_quantile(r->residual + 1, r->count - 1, 0.5) / 0.6745, 1));
        sum_up(r, &sums);
        if (!ns_line_sums_solve_free(&sums, &now.alpha, &now.beta))
            return;
        const double small = sqrt(DBL_EPSILON);
        settled = fabs(now.alpha - before.alpha) <= small * fmax(fabs(now.alpha), fabs(before.alpha)) &&
                  fabs(now.beta - before.beta) <= small * fmax(fabs(now.beta), fabs(before.beta));
    }
    e->alpha = fmax(now.alpha, 0);
    e->beta = fmax(now.beta, 0);
}

static void rescale(rows *r, const ns_line_estimate *e)
{
    for (size_t i = 0; i < r->count; i++)
        r->scale[i] = fmax(e->alpha + e->beta * r->x[i], 1e-3 * r->y[i]);
}

/* Variance of a residual.  Scatter known from repeats is pooled with that of the residuals, unless the latter is
 * clearly (1 %) larger: then the curve is not a line, and only the residuals show the deviation. */
static double variance(const rows *r, const ns_line_estimate *e, ns_noise noise, double *dof)
{
    double sum = 0, weight = 0, limit = 0;
    for (size_t i = 0; i < r->count; i++) {
        const double v = residual(r, e, i);
        sum += r->weight[i] * v * v;
        weight += r->weight[i];
    }
    *dof = weight - 2;
    if (*dof < 0.5) {
        *dof = noise.dof;
        return noise.relative * noise.relative;
    }
    if (noise.relative > 0) {
        gsl_error_handler_t *const before = gsl_set_error_handler_off();
        limit = gsl_cdf_fdist_Pinv(0.99, *dof, noise.dof);
        gsl_set_error_handler(before);
    }
    const double known = noise.relative * noise.relative;
    if (known <= 0 || sum / *dof > limit * known)
        return sum / *dof;
    const double own = *dof;
    *dof = own + noise.dof;
    return (sum + known * noise.dof) / *dof;
}

/* 95 % intervals of a few points are wider than 1.96 standard errors. */
static double student(double dof)
{
    gsl_error_handler_t *const before = gsl_set_error_handler_off();
    const double factor = gsl_cdf_tdist_Pinv(0.975, dof) / 1.959963984540054;
    gsl_set_error_handler(before);
    return factor;
}

ns_status ns_line_fit(const double *x, const double *y, size_t count, ns_weights weights, ns_noise noise,
                      ns_line_estimate *estimate, ns_error *err)
{
    ns_line_estimate e = {.points = count};
    bool different = false;
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] >= 0 && x[i] < 1e18 && y[i] > 0 && y[i] < 1e18))
            return ns_fail(err, NS_ERR_RANGE, "a point of %g B and %g s; sizes from 0 and times above 0 are wanted",
                           x[i], y[i]);
        different = different || x[i] != x[0];
    }
    NS_TRY(different
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA, "a line wants at least two sizes, there is %s", count > 0 ? "one" : "none"));
    NS_OWN(ns_free) double *scratch = ns_malloc(4 * count * sizeof *scratch);
    if (scratch == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    rows r = {.x = x,
              .y = y,
              .scale = scratch,
              .weight = scratch + count,
              .factor = scratch + 2 * count,
              .residual = scratch + 3 * count,
              .count = count};
    ns_line_sums sums;
    const bool relative = weights == NS_WEIGHTS_RELATIVE;
    for (size_t i = 0; i < count; i++) {
        r.weight[i] = r.factor[i] = 1;
        r.scale[i] = relative ? y[i] : 1;
    }
    solve(&r, &sums, &e);
    if (relative) {
        if (count >= ROBUST_FROM)
            find_far_points(&r, &sums, &e);
        for (size_t i = 0; i < count; i++)
            r.factor[i] = 1;
        rescale(&r, &e);
        const double scale = fmax(fmax(spread(&r, &e), noise.relative), 1e-6);
        for (int round = 0; round < ROUNDS; round++) {
            if (count >= ROBUST_FROM)
                e.outliers = reweigh(&r, &e, scale);
            solve(&r, &sums, &e);
            rescale(&r, &e);
        }
        solve(&r, &sums, &e);
    } else {
        const double scale = spread(&r, &e);
        for (size_t i = 0; i < count && scale > 0; i++)
            e.outliers += fabs(residual(&r, &e, i)) > bisquare * scale;
    }
    double va, vb;
    e.variance = variance(&r, &e, relative ? noise : (ns_noise){0}, &e.dof);
    if (e.variance > 0 && e.dof >= 0.5 && ns_line_sums_inverse(&sums, &va, &vb)) {
        const double factor = student(e.dof);
        e.alpha_se = factor * sqrt(e.variance * va);
        e.beta_se = factor * sqrt(e.variance * vb);
        e.covariance =
            -factor * factor * e.variance * (double)(sums.ab / (sums.aa * sums.bb - sums.ab * sums.ab));
    }
    if (!isfinite(e.alpha) || !isfinite(e.beta))
        return ns_fail(err, NS_ERR_DATA, "the times are too large or too small to fit");
    *estimate = e;
    return NS_OK;
}

void ns_line_widen(ns_line_estimate *e, double variance, double dof)
{
    if (!(e->variance > 0) || !(e->dof > 0) || !(variance > e->variance))
        return;
    const double wider = sqrt(variance / e->variance) * student(dof) / student(e->dof);
    if (wider <= 1)
        return;
    e->alpha_se *= wider;
    e->beta_se *= wider;
    e->covariance *= wider * wider;
}

ns_status ns_ray_fit(const double *x, const double *y, const double *scale, size_t count, double *rate, double *rate_se,
                     ns_error *err)
{
    double xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        const double s = scale != NULL ? scale[i] : 1;
        xx += x[i] / s * (x[i] / s);
        xy += x[i] / s * (y[i] / s);
    }
    if (!(xx > 0) || !isfinite(xx) || !isfinite(xy))
        return ns_fail(err, NS_ERR_DATA, "nothing to fit a rate to");
    for (size_t i = 0; i < count; i++) {
        const double v = (y[i] - xy / xx * x[i]) / (scale != NULL ? scale[i] : 1);
        rest += v * v;
    }
    *rate = xy / xx;
    *rate_se = count > 1 ? sqrt(rest / (double)(count - 1) / xx) : 0;
    return NS_OK;
}
