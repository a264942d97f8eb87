/* crossings.c -- who wins where among curves along one input: reigns, and every place where two curves meet */
#include "core/memory.h"
#include "model/cross.h"
#include "study/study.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one root in a bracket, and one minimum, by the methods of R. P. Brent, Algorithms for Minimization without
 * Derivatives (1973), chapters 4 and 5
 *
 * Root: b is the best guess, a the one before it, c the other end of the bracket, |f(b)| <= |f(c)|.  The next guess is
 * inverse quadratic through the three (a secant while a = c), kept while it stays within three quarters of the way from
 * b to c and is less than half of the step before last; else the middle.
 *
 * Minimum: x is the best point so far, w the second best, v the w before; the next one is that of the parabola through
 * them while its steps shrink, else a golden section of the larger side. */

enum { ITERATIONS = 400 };
static const double FINE = 1e-13, DIP_FINE = 1e-8;
static const double GOLDEN = 0.381966; /* (3 - sqrt 5) / 2, to the digits that Brent uses */

/* A function with a sign factor; its failure is kept. */
typedef struct caller {
    ns_root_fn *f;
    const void *context;
    double sign; /* the factor that f is multiplied by */
    bool crossed;
    double crossed_at;
    ns_status status;
    ns_error *err;
} caller;

/* Returns 0 after a failure, which ends every search. */
static double call(caller *c, double x)
{
    double value = 0;
    if (c->status == NS_OK)
        c->status = c->f(c->context, x, &value, c->err);
    value *= c->sign;
    if (value < 0 && !c->crossed) {
        c->crossed = true;
        c->crossed_at = x;
    }
    return c->status == NS_OK ? value : 0;
}

static bool same_sign(double x, double y)
{
    return (x > 0 && y > 0) || (x < 0 && y < 0);
}

ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err)
{
    caller s = {.f = f, .context = context, .sign = 1, .err = err};
    const double f_lo = call(&s, lo), f_hi = call(&s, hi);
    NS_TRY(s.status);
    if (same_sign(f_lo, f_hi))
        return ns_fail(err, NS_ERR_DATA, "the root finder gave up: no change of sign from %.10g to %.10g", lo, hi);
    double a = lo, b = hi, c = hi, fa = f_lo, fb = f_hi, fc = f_hi;
    double step = hi - lo, before = hi - lo; /* the last step and the one before it */
    for (int i = 0; i < ITERATIONS; i++) {
        /* Keep the root bracketed, with b the better of the two ends. */
        if (same_sign(fb, fc)) {
            c = a, fc = fa;
            step = before = b - a;
        }
        if (fabs(fc) < fabs(fb)) {
            a = b, fa = fb;
            b = c, fb = fc;
            c = a, fc = fa;
        }
        const double least = 0.5 * DBL_EPSILON * fabs(b), half = 0.5 * (c - b);
        if (fb == 0 || fabs(half) <= least)
            break;
        if (fabs(before) < least || fabs(fa) <= fabs(fb))
            step = before = half;
        else {
            /* Interpolate from b with the step p/q where that is safe; otherwise bisect. */
            const double ratio = fb / fa;
            double p, q;
            if (a == c) {
                p = 2 * half * ratio;
                q = 1 - ratio;
            } else {
                const double u = fa / fc, v = fb / fc;
                p = ratio * (2 * half * u * (u - v) - (b - a) * (v - 1));
                q = (u - 1) * (v - 1) * (ratio - 1);
            }
            if (p > 0)
                q = -q;
            else
                p = -p;
            if (2 * p < fmin(3 * half * q - fabs(least * q), fabs(before * q))) {
                before = step;
                step = p / q;
            } else
                step = before = half;
        }
        a = b, fa = fb;
        b += fabs(step) > least ? step : copysign(least, half);
        fb = call(&s, b);
        const double other = same_sign(fb, fc) ? a : c;
        if (fabs(b - other) <= FINE * fabs(fmax(b, other)))
            break;
    }
    NS_TRY(s.status);
    /* At a discontinuity |f| near b remains as large as at the ends of the bracket. */
    const double margin = 4 * FINE * fabs(b);
    const bool jump = b > lo && b < hi &&
                      fabs(call(&s, b - margin)) + fabs(call(&s, b + margin)) > 1e-6 * fmax(fabs(f_lo), fabs(f_hi));
    NS_TRY(s.status);
    *root = (ns_root){.x = b, .jump = jump};
    return NS_OK;
}

/* The x of the smallest |f| in (lo, hi), to a relative 1e-8, where f has one sign; middle, between them, has a smaller
 * |f| than both ends.  Ends early at the first x where the sign differs (*crossed). */
static ns_status root_dip(ns_root_fn *f, const void *context, double lo, double middle, double hi, double *at,
                          bool *crossed, ns_error *err)
{
    caller c = {.f = f, .context = context, .sign = 1, .err = err};
    if (call(&c, middle) < 0)
        c.sign = -1;
    c.crossed = false;
    const double width = DIP_FINE * fabs(hi);
    double x = middle, w = lo + GOLDEN * (hi - lo), v = w;
    double fx = call(&c, x), fw = call(&c, w), fv = fw;
    double step = 0, before = 0;
    for (int i = 0; i < ITERATIONS && !c.crossed && c.status == NS_OK && hi - lo > width; i++) {
        const double least = sqrt(DBL_EPSILON) * fabs(x), half = 0.5 * (lo + hi);
        double next = 0;
        if (fabs(before) > least) {
            /* Go to the vertex of the parabola through x, w and v if it lies inside and is less than half the step
             * before last. */
            const double r = (x - w) * (fx - fv), t = (x - v) * (fx - fw);
            double p = (x - v) * t - (x - w) * r, q = 2 * (t - r);
            if (q > 0)
                p = -p;
            else
                q = -q;
            if (fabs(p) < fabs(0.5 * q * before) && p > q * (lo - x) && p < q * (hi - x))
                next = p / q;
            before = step;
        }
        if (next == 0) {
            before = x < half ? hi - x : lo - x;
            next = GOLDEN * before;
        } else if (x + next - lo < 2 * least || hi - (x + next) < 2 * least)
            next = x < half ? least : -least;
        step = next;
        const double u = x + (fabs(step) >= least ? step : copysign(least, step)), fu = call(&c, u);
        if (fu <= fx) {
            *(u < x ? &hi : &lo) = x;
            v = w, fv = fw;
            w = x, fw = fx;
            x = u, fx = fu;
            continue;
        }
        *(u < x ? &lo : &hi) = u;
        if (fu <= fw || w == x) {
            v = w, fv = fw;
            w = u, fw = fu;
        } else if (fu <= fv || v == x || v == w)
            v = u, fv = fu;
    }
    NS_TRY(c.status);
    *crossed = c.crossed; /* a search that ends without a change of sign found no crossing */
    *at = c.crossed ? c.crossed_at : x;
    return NS_OK;
}

/* ---- every place where two curves cross, join or part
 *
 * The sign of the difference of a pair is followed over samples.  From -1 to 1 or back: a root in between.  From or to
 * 0 (equal within rounding): the border of the stretch, by bisection of the sign.  A dip of the distance between
 * samples of one sign is searched for a sign change: a pair that crosses twice there. */

enum { SAMPLES = 512, HALVINGS = 200 };
static const double EQUAL = 1e-12;

const char *const ns_meeting_words[] = {"cross", "jump", "join", "part", NULL};

typedef struct pair {
    ns_cross_fn *value;
    const void *context;
    int a, b;
    double lo, hi;
    ns_crossing *crossing;
    int *crossings;
    int before;    /* the last sign that was not 0 */
    double joined; /* where the current stretch of equal values began */
} pair;

/* a - b, or exactly 0 where they are equal within rounding */
static ns_status difference(const void *context, double x, double *value, ns_error *err)
{
    const pair *p = context;
    double a, b;
    NS_TRY(p->value(p->context, p->a, x, &a, err));
    NS_TRY(p->value(p->context, p->b, x, &b, err));
    *value = fabs(a - b) <= EQUAL * fmax(fabs(a), fabs(b)) ? 0 : a - b;
    return NS_OK;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

static ns_status add(pair *p, double x, int sign_after, ns_meeting meeting, ns_error *err)
{
    if (*p->crossings == NS_MEETINGS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d crossings", (int)NS_MEETINGS);
    ns_crossing *c = &p->crossing[(*p->crossings)++];
    *c = (ns_crossing){.x = x,
                       .a = p->a,
                       .b = p->b,
                       .below = sign_after < 0   ? p->a
                                : sign_after > 0 ? p->b
                                                 : -1,
                       .meeting = meeting};
    return p->value(p->context, p->a, x, &c->value, err);
}

static ns_status add_root(pair *p, double lo, double hi, int sign_after, ns_error *err)
{
    ns_root root;
    NS_TRY(ns_root_find(difference, p, lo, hi, &root, err));
    return add(p, root.x, sign_after, root.jump ? NS_MEET_JUMP : NS_MEET_CROSS, err);
}

/* One interval, whose samples at lo and hi have these signs. */
static ns_status step(pair *p, double lo, int was, double hi, int now, ns_error *err)
{
    if (was == now)
        return NS_OK;
    if (was != 0 && now != 0)
        return add_root(p, lo, hi, now, err);
    /* Bisect for the point where the curves begin, or cease, to be equal. */
    for (int i = 0; i < HALVINGS && hi - lo > EQUAL * fabs(hi); i++) {
        double value;
        const double middle = lo + (hi - lo) / 2;
        NS_TRY(difference(p, middle, &value, err));
        *((value == 0) == (was == 0) ? &lo : &hi) = middle;
    }
    const double x = was == 0 ? lo : hi;
    if (now == 0) {
        p->joined = x;
        return NS_OK;
    }
    /* An equal stretch from p->joined to x ends: it is a crossing when it is a single point, otherwise two borders. */
    if (p->joined > p->lo && x - p->joined <= 8 * EQUAL * fabs(x))
        return p->before != 0 && p->before != now ? add(p, x, now, NS_MEET_CROSS, err) : NS_OK;
    if (p->joined > p->lo)
        NS_TRY(add(p, p->joined, 0, NS_MEET_JOIN, err));
    return add(p, x, now, NS_MEET_PART, err);
}

static int by_place(const void *left, const void *right)
{
    const ns_crossing *l = left, *r = right;
    if (l->x != r->x)
        return l->x < r->x ? -1 : 1;
    return l->a != r->a ? l->a - r->a : l->b - r->b;
}

ns_status ns_meetings_find(ns_cross_fn *value, const void *context, int curves, double lo, double hi,
                           ns_crossing *crossing, int *crossings, ns_error *err)
{
    *crossings = 0;
    if (!(lo < hi) || !isfinite(lo) || !isfinite(hi))
        return ns_fail(err, NS_ERR_RANGE, "crossings want a range that rises");
    for (int a = 0; a < curves; a++)
        for (int b = a + 1; b < curves; b++) {
            pair p = {.value = value,
                      .context = context,
                      .a = a,
                      .b = b,
                      .lo = lo,
                      .hi = hi,
                      .crossing = crossing,
                      .crossings = crossings};
            double x[3] = {0, 0, p.lo}, f[3] = {0};
            NS_TRY(difference(&p, p.lo, &f[2], err));
            p.before = sign(f[2]);
            p.joined = p.lo;
            for (int i = 1; i <= SAMPLES; i++) {
                const double t = (double)i / SAMPLES;
                x[0] = x[1], x[1] = x[2],
                x[2] = i == SAMPLES ? p.hi
                       : p.lo > 0   ? p.lo * pow(p.hi / p.lo, t)
                                    : p.lo + (p.hi - p.lo) * t;
                f[0] = f[1], f[1] = f[2];
                NS_TRY(difference(&p, x[2], &f[2], err));
                NS_TRY(step(&p, x[1], sign(f[1]), x[2], sign(f[2]), err));
                /* Look for a pair that crosses twice between samples of one sign. */
                if (i > 1 && sign(f[0]) == sign(f[1]) && sign(f[1]) == sign(f[2]) && f[1] != 0 &&
                    fabs(f[1]) < fabs(f[0]) && fabs(f[1]) < fabs(f[2])) {
                    double at;
                    bool crossed;
                    NS_TRY(root_dip(difference, &p, x[0], x[1], x[2], &at, &crossed, err));
                    if (crossed) {
                        NS_TRY(add_root(&p, x[0], at, -sign(f[1]), err));
                        NS_TRY(add_root(&p, at, x[2], sign(f[1]), err));
                    }
                }
                if (f[2] != 0)
                    p.before = sign(f[2]);
            }
            NS_TRY(f[2] == 0 && p.joined > p.lo && p.joined < p.hi ? add(&p, p.joined, 0, NS_MEET_JOIN, err) : NS_OK);
        }
    if (*crossings > 1)
        qsort(crossing, (size_t)*crossings, sizeof *crossing, by_place);
    return NS_OK;
}

/* ---- reigns and crossings of a set of curves --------------------------------------------------------------------- */

static ns_status value_at(const void *context, int curve, double x, double *value, ns_error *err)
{
    const ns_crossings *s = context;
    const ns_setting setting = {.name = s->over, .number = x};
    return ns_curves_value(s->curves, curve, &setting, 1, value, err);
}

ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi, ns_crossings **crossings,
                            ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_curves_check(curves, 0, err));
    ns_crossings *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->curves = curves;
    s->over = over;
    s->lo = lo;
    s->hi = hi;
    ns_status status = ns_cross_values(value_at, s, curves->count, lo, hi, s->reign, &s->reigns, err);
    if (status == NS_OK)
        status = ns_meetings_find(value_at, s, curves->count, lo, hi, s->crossing, &s->crossings, err);
    for (int i = 0; i < s->reigns && status == NS_OK; i++) {
        /* Evaluate just to the left of a border, on the side of the reign that ends there. */
        const ns_reign *r = &s->reign[i];
        const double before = i + 1 < s->reigns ? r->to - 2e-12 * fabs(r->to) : r->to;
        status = value_at(s, r->winner, before > r->from ? before : r->from, &s->at_to[i], err);
    }
    if (status != NS_OK) {
        ns_free(s);
        return status;
    }
    for (int i = 0; i < s->crossings; i++) {
        /* It changes the winner where one reign ends and the next begins. */
        ns_crossing *x = &s->crossing[i];
        for (int k = 1; k < s->reigns && !x->changes_winner; k++) {
            const int old = s->reign[k - 1].winner, new = s->reign[k].winner;
            x->changes_winner = fabs(s->reign[k].from - x->x) <= 1e-9 * fabs(x->x) && (x->a == old || x->b == old) &&
                                (x->a == new || x->b == new);
        }
    }
    *crossings = s;
    return NS_OK;
}
