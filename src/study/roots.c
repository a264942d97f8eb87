/* roots.c -- one root in a bracket, and one minimum, by the methods of R. P. Brent, Algorithms for Minimization without
 * Derivatives (1973), chapters 4 and 5
 *
 * Root: b is the best guess, a the one before it, c the other end of the bracket, |f(b)| <= |f(c)|.  The next guess is
 * inverse quadratic through the three (a secant while a = c), kept while it stays within three quarters of the way from
 * b to c and is less than half of the step before last; else the middle.
 *
 * Minimum: x is the best point so far, w the second best, v the w before; the next one is that of the parabola through
 * them while its steps shrink, else a golden section of the larger side.
 */
#include "study/roots.h"

#include <float.h>
#include <math.h>

enum { ITERATIONS = 400 };
static const double FINE = 1e-13, DIP_FINE = 1e-8;
static const double GOLDEN = 0.381966; /* (3 - sqrt 5) / 2, with the digits that Brent gives it */

/* A function with a sign, whose failure is kept. */
typedef struct caller {
    ns_root_fn *f;
    const void *context;
    double sign; /* what f is multiplied by */
    bool crossed;
    double crossed_at;
    ns_status status;
    ns_error *err;
} caller;

/* 0 after a failure, which ends every search. */
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

/* ---- a root ----------------------------------------------------------------------------------------------------- */

typedef struct bracket {
    double a, b, c, fa, fb, fc;
    double step, before; /* from a to b; the one before that */
} bracket;

static bool same_sign(double x, double y)
{
    return (x > 0 && y > 0) || (x < 0 && y < 0);
}

/* The other end is where the sign differs, and b the better of the two. */
static void order(bracket *s)
{
    if (same_sign(s->fb, s->fc)) {
        s->c = s->a, s->fc = s->fa;
        s->step = s->before = s->b - s->a;
    }
    if (fabs(s->fc) < fabs(s->fb)) {
        s->a = s->b, s->fa = s->fb;
        s->b = s->c, s->fb = s->fc;
        s->c = s->a, s->fc = s->fa;
    }
}

/* Step from b by interpolation as p/q, where that is sound; else half way to c. */
static void choose_step(bracket *s, double half, double least)
{
    const double ratio = s->fb / s->fa;
    double p, q;
    if (s->a == s->c) {
        p = 2 * half * ratio;
        q = 1 - ratio;
    } else {
        const double u = s->fa / s->fc, v = s->fb / s->fc;
        p = ratio * (2 * half * u * (u - v) - (s->b - s->a) * (v - 1));
        q = (u - 1) * (v - 1) * (ratio - 1);
    }
    if (p > 0)
        q = -q;
    else
        p = -p;
    if (2 * p < fmin(3 * half * q - fabs(least * q), fabs(s->before * q))) {
        s->before = s->step;
        s->step = p / q;
    } else
        s->step = s->before = half;
}

/* One guess more; false when nothing is left to gain. */
static bool advance(bracket *s, caller *f)
{
    order(s);
    const double least = 0.5 * DBL_EPSILON * fabs(s->b), half = 0.5 * (s->c - s->b);
    if (s->fb == 0 || fabs(half) <= least)
        return false;
    if (fabs(s->before) < least || fabs(s->fa) <= fabs(s->fb))
        s->step = s->before = half;
    else
        choose_step(s, half, least);
    s->a = s->b, s->fa = s->fb;
    s->b += fabs(s->step) > least ? s->step : copysign(least, half);
    s->fb = call(f, s->b);
    return true;
}

/* Width of what is left: from b to the end where the sign differs. */
static bool narrow(const bracket *s)
{
    const double other = same_sign(s->fb, s->fc) ? s->a : s->c;
    return fabs(s->b - other) <= FINE * fabs(fmax(s->b, other));
}

static ns_status solve(caller *f, double lo, double hi, double f_lo, double f_hi, double *x, ns_error *err)
{
    if (same_sign(f_lo, f_hi))
        return ns_fail(err, NS_ERR_DATA, "the root finder gave up: no change of sign from %.10g to %.10g", lo, hi);
    bracket s = {.a = lo, .b = hi, .c = hi, .fa = f_lo, .fb = f_hi, .fc = f_hi, .step = hi - lo, .before = hi - lo};
    for (int i = 0; i < ITERATIONS && advance(&s, f) && !narrow(&s); i++)
        ;
    *x = s.b;
    return f->status;
}

/* At a discontinuity |f| beside x stays of the size it has at the ends of the bracket. */
static bool leaps(caller *f, double x, double size)
{
    const double margin = 4 * FINE * fabs(x);
    return fabs(call(f, x - margin)) + fabs(call(f, x + margin)) > 1e-6 * size;
}

ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err)
{
    caller c = {.f = f, .context = context, .sign = 1, .err = err};
    double x = lo;
    const double f_lo = call(&c, lo), f_hi = call(&c, hi);
    NS_TRY(c.status);
    NS_TRY(solve(&c, lo, hi, f_lo, f_hi, &x, err));
    const bool jump = x > lo && x < hi && leaps(&c, x, fmax(fabs(f_lo), fabs(f_hi)));
    NS_TRY(c.status);
    *root = (ns_root){.x = x, .jump = jump};
    return NS_OK;
}

/* ---- a dip ------------------------------------------------------------------------------------------------------ */

typedef struct valley {
    double lo, hi;
    double x, w, v, fx, fw, fv;
    double step, before;
} valley;

/* Step to the bottom of the parabola through x, w and v, if it lies inside and is less than half the step before last;
 * else 0. */
static double parabola(const valley *s, double before)
{
    const double r = (s->x - s->w) * (s->fx - s->fv), t = (s->x - s->v) * (s->fx - s->fw);
    double p = (s->x - s->v) * t - (s->x - s->w) * r, q = 2 * (t - r);
    if (q > 0)
        p = -p;
    else
        q = -q;
    return fabs(p) < fabs(0.5 * q * before) && p > q * (s->lo - s->x) && p < q * (s->hi - s->x) ? p / q : 0;
}

static double next_point(valley *s)
{
    const double least = sqrt(DBL_EPSILON) * fabs(s->x), middle = 0.5 * (s->lo + s->hi), before = s->before;
    double step = 0;
    if (fabs(before) > least) {
        s->before = s->step;
        step = parabola(s, before);
    }
    if (step == 0) {
        s->before = s->x < middle ? s->hi - s->x : s->lo - s->x;
        step = GOLDEN * s->before;
    } else if (s->x + step - s->lo < 2 * least || s->hi - (s->x + step) < 2 * least)
        step = s->x < middle ? least : -least;
    s->step = step;
    return s->x + (fabs(step) >= least ? step : copysign(least, step));
}

static void take_point(valley *s, double u, double fu)
{
    if (fu <= s->fx) {
        *(u < s->x ? &s->hi : &s->lo) = s->x;
        s->v = s->w, s->fv = s->fw;
        s->w = s->x, s->fw = s->fx;
        s->x = u, s->fx = fu;
        return;
    }
    *(u < s->x ? &s->lo : &s->hi) = u;
    if (fu <= s->fw || s->w == s->x) {
        s->v = s->w, s->fv = s->fw;
        s->w = u, s->fw = fu;
    } else if (fu <= s->fv || s->v == s->x || s->v == s->w)
        s->v = u, s->fv = fu;
}

ns_status ns_root_dip(ns_root_fn *f, const void *context, double lo, double middle, double hi, double *x, bool *crossed,
                      ns_error *err)
{
    caller c = {.f = f, .context = context, .sign = 1, .err = err};
    if (call(&c, middle) < 0)
        c.sign = -1;
    c.crossed = false;
    valley s = {.lo = lo, .hi = hi, .x = middle, .w = lo + GOLDEN * (hi - lo)};
    s.v = s.w;
    s.fx = call(&c, s.x);
    s.fv = s.fw = call(&c, s.w);
    for (int i = 0; i < ITERATIONS && !c.crossed && c.status == NS_OK && s.hi - s.lo > DIP_FINE * fabs(hi); i++) {
        const double u = next_point(&s);
        take_point(&s, u, call(&c, u));
    }
    NS_TRY(c.status);
    *crossed = c.crossed; /* a search that ends without one is no crossing */
    *x = c.crossed ? c.crossed_at : s.x;
    return NS_OK;
}
