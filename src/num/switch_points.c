/* switch_points.c -- change points of a piecewise line by dynamic programming
 *
 * Cost of a run of sizes: the sum of e^2 / (1 - h) over its relative residuals e from its best line with alpha, beta >=
 * 0, h being a size's leverage.  That lies half way between fitting the data (e^2) and predicting a size from the
 * others (e^2 / (1 - h)^2): it penalises a line that a single end point determines.  For each number of segments K the
 * best division is found exactly.  K minimises
 *
 *     cost_K / sigma^2 + p log n          when repeats give sigma,
 *     n log(cost_K / n + floor^2) + p log n   otherwise,      p = 4 K - 2: two per line and two per switch point,
 *
 * the latter two being the cost of a free position.  Deviations of a percent do not indicate a protocol: sigma and
 * floor are at least that.  A size whose time is far above those of both neighbours is a disturbance and is excluded,
 * and so is a last size that lies on no line.  A line on which the time falls to less than a quarter from one size to
 * the next is noise, not a protocol.
 */
#include "num/num.h"

#include <math.h>

#include "core/memory.h"
#include "core/own.h"
#include "num/line_sums.h"

enum { CANDIDATES_MAX = 400 };
static const double spike = 1.3, lone = 1.5, floor_relative = 0.01, drop = 0.25, impossible = 1e300;

typedef struct run {
    double cost, alpha, beta;
} run;

typedef struct search {
    size_t count; /* sizes that are used */
    double *x, *y;
    ns_line_sums *sum;          /* [count + 1] prefix sums */
    size_t step;                /* segments begin at multiples of it: 1 unless there are very many sizes */
    run *best[NS_SEGMENTS_MAX]; /* [to]: least cost of the first `to` sizes in k + 1 segments, and the last segment's
                                   line */
    size_t *from[NS_SEGMENTS_MAX];
} search;

/* Fit one line to sizes from .. to - 1. */
static run run_of(const search *s, size_t from, size_t to)
{
    run r = {.cost = impossible};
    bool alpha_zero, beta_zero;
    if (to - from < NS_SEGMENT_SIZES)
        return r;
    const ns_line_sums sums = ns_line_sums_minus(&s->sum[to], &s->sum[from]);
    (void)ns_line_sums_solve(&sums, &r.alpha, &r.beta, &alpha_zero, &beta_zero);
    r.cost = 0;
    for (size_t i = from; i < to; i++) {
        const double y = s->y[i], rest = 1 - (r.alpha + r.beta * s->x[i]) / y;
        const double leverage = ns_line_sums_leverage(&sums, alpha_zero, beta_zero, 1 / y, s->x[i] / y);
        r.cost += rest * rest / fmax(1 - leverage, 0.02);
    }
    return r;
}

static void divide(search *s)
{
    for (size_t to = 0; to <= s->count; to++)
        s->best[0][to] = run_of(s, 0, to);
    for (int k = 1; k < NS_SEGMENTS_MAX; k++)
        for (size_t to = 0; to <= s->count; to++) {
            s->best[k][to] = (run){.cost = impossible};
            if (to % s->step != 0 && to != s->count)
                continue;
            for (size_t from = s->step; from < to; from += s->step) {
                /* The best division of the first `from` sizes into k segments, plus one line up to `to`. */
                const run *before = &s->best[k - 1][from];
                run last = before->cost < impossible ? run_of(s, from, to) : (run){.cost = impossible};
                if (!(last.alpha + last.beta * s->x[from] < drop * (before->alpha + before->beta * s->x[from]))) {
                    last.cost += before->cost;
                    if (last.cost < s->best[k][to].cost) {
                        s->best[k][to] = last;
                        s->from[k][to] = from;
                    }
                }
            }
        }
}

static double criterion(const search *s, int segments, double sigma)
{
    const double n = (double)s->count, cost = s->best[segments - 1][s->count].cost, p = 4.0 * segments - 2;
    if (cost >= impossible)
        return INFINITY;
    return (sigma > 0 ? cost / (sigma * sigma) : n * log(cost / n + floor_relative * floor_relative)) + p * log(n);
}

static double distance(const run *line, double x, double y)
{
    return fabs(log(y / (line->alpha + line->beta * x)));
}

ns_status ns_switch_points(const ns_curve *curve, ns_switches *switches, ns_error *err)
{
    const size_t n = curve->count + 1;
    search s = {.step = 1 + curve->count / CANDIDATES_MAX};
    if (curve->count == 0)
        return ns_fail(err, NS_ERR_DATA, "no sizes to find switch points in");
    NS_OWN(ns_free) double *sizes = ns_malloc(ns_size_mul(ns_size_mul(2, n), sizeof *sizes));
    NS_OWN(ns_free) ns_line_sums *sums = ns_malloc(ns_size_mul(n, sizeof *sums));
    NS_OWN(ns_free) run *best = ns_calloc(ns_size_mul(NS_SEGMENTS_MAX, n), sizeof *best);
    NS_OWN(ns_free) size_t *from = ns_calloc(ns_size_mul(NS_SEGMENTS_MAX, n), sizeof *from);
    if (sizes == NULL || sums == NULL || best == NULL || from == NULL)
        return ns_no_memory(err);
    for (size_t k = 0; k < NS_SEGMENTS_MAX; k++) {
        s.best[k] = best + k * n;
        s.from[k] = from + k * n;
    }
    s.sum = sums;
    s.x = sizes;
    s.y = sizes + n;
    /* the last size alone is far above the extrapolation of the two before it: a limit that no other size shows */
    const double *x = curve->x, *y = curve->y;
    const size_t last = curve->count - 1;
    bool lone_end = curve->count >= 2 * NS_SEGMENT_SIZES;
    if (lone_end) {
        const double slope = (y[last - 1] - y[last - 2]) / (x[last - 1] - x[last - 2]);
        lone_end = y[last] > lone * (y[last - 1] + fmax(slope, 0) * (x[last] - x[last - 1]));
    }
    switches->end = lone_end ? curve->x[curve->count - 1] : INFINITY;
    size_t count = curve->count - lone_end;
    ns_line_sums sum = {0};
    s.sum[0] = sum;
    for (size_t i = 0; i < count; i++) {
        const double before = i > 0 ? curve->y[i - 1] : 0,
                     after = i + 1 < curve->count ? curve->y[i + 1] : INFINITY;
        if (i + 1 < curve->count && curve->y[i] > spike * fmax(before, after))
            continue;
        ns_line_sums_add(&sum, 1, 1 / curve->y[i], curve->x[i] / curve->y[i], 1);
        s.x[s.count] = curve->x[i];
        s.y[s.count++] = curve->y[i];
        s.sum[s.count] = sum;
    }
    divide(&s);
    const double noise = curve->noise.relative, sigma = noise > 0 ? fmax(noise, floor_relative) : 0;
    int segments = 1;
    for (int k = 2; k <= NS_SEGMENTS_MAX; k++)
        if (criterion(&s, k, sigma) < criterion(&s, segments, sigma))
            segments = k;
    switches->segments = segments;
    switches->first[0] = s.x[0];
    for (size_t k = (size_t)segments - 1, to = s.count; k > 0; k--) {
        /* the first size of a segment; an excluded one between it and the preceding segment belongs to the nearer
         * line */
        const size_t begin = s.from[k][to];
        const run *before = &s.best[k - 1][begin], *segment = &s.best[k][to];
        size_t i = 0;
        while (x[i] <= s.x[begin - 1] ||
               (x[i] < s.x[begin] && distance(before, x[i], y[i]) < distance(segment, x[i], y[i])))
            i++;
        switches->first[k] = x[i];
        to = begin;
    }
    return NS_OK;
}
