/* crossings.c -- who wins where among curves along one input: reigns, and every place where two curves meet */
#include "core/memory.h"
#include "model/cross.h"
#include "study/curves.h"
#include "study/meetings.h"
#include "study/roots.h"

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

/* One guess more; false when nothing is left to gain. */
static bool advance(bracket *s, caller *f)
{
    /* The other end is where the sign differs, and b the better of the two. */
    if (same_sign(s->fb, s->fc)) {
        s->c = s->a, s->fc = s->fa;
        s->step = s->before = s->b - s->a;
    }
    if (fabs(s->fc) < fabs(s->fb)) {
        s->a = s->b, s->fa = s->fb;
        s->b = s->c, s->fb = s->fc;
        s->c = s->a, s->fc = s->fa;
    }
    const double least = 0.5 * DBL_EPSILON * fabs(s->b), half = 0.5 * (s->c - s->b);
    if (s->fb == 0 || fabs(half) <= least)
        return false;
    if (fabs(s->before) < least || fabs(s->fa) <= fabs(s->fb))
        s->step = s->before = half;
    else {
        /* Step from b by interpolation as p/q, where that is sound; else half way to c. */
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

/* The x of the smallest |f| in (lo, hi), to a relative 1e-8, where f has one sign; middle, between them, has a smaller
 * |f| than both ends.  Ends early with the first x at which the sign differs (*crossed). */
static ns_status ns_root_dip(ns_root_fn *f, const void *context, double lo, double middle, double hi, double *x,
                             bool *crossed, ns_error *err)
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

/* ---- every place where two curves pass, join or part
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
    int before;    /* last sign that was not 0 */
    double joined; /* where the present stretch of equal values began */
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
    *c = (ns_crossing){.size = sizeof *c,
                       .x = x,
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

/* Where in [lo, hi] the curves begin, or end, to be equal. */
static ns_status find_border(const pair *p, double lo, double hi, bool equal_at_lo, double *x, ns_error *err)
{
    for (int i = 0; i < HALVINGS && hi - lo > EQUAL * fabs(hi); i++) {
        double value;
        const double middle = lo + (hi - lo) / 2;
        NS_TRY(difference(p, middle, &value, err));
        if ((value == 0) == equal_at_lo)
            lo = middle;
        else
            hi = middle;
    }
    *x = equal_at_lo ? lo : hi;
    return NS_OK;
}

static ns_status step(pair *p, double lo, int was, double hi, int now, ns_error *err)
{
    double x;
    if (was == now)
        return NS_OK;
    if (was != 0 && now != 0)
        return add_root(p, lo, hi, now, err);
    NS_TRY(find_border(p, lo, hi, was == 0, &x, err));
    if (now != 0) {
        /* An equal stretch from p->joined to x ends: a crossing when it is a point only, else its two borders. */
        const bool point = p->joined > p->lo && x - p->joined <= 8 * EQUAL * fabs(x);
        if (point)
            return p->before != 0 && p->before != now ? add(p, x, now, NS_MEET_CROSS, err) : NS_OK;
        if (p->joined > p->lo)
            NS_TRY(add(p, p->joined, 0, NS_MEET_JOIN, err));
        return add(p, x, now, NS_MEET_PART, err);
    }
    p->joined = x;
    return NS_OK;
}

static ns_status search_dip(pair *p, const double x[3], const double f[3], ns_error *err)
{
    double at;
    bool crossed;
    if (sign(f[0]) != sign(f[1]) || sign(f[1]) != sign(f[2]) || f[1] == 0 || fabs(f[1]) >= fabs(f[0]) ||
        fabs(f[1]) >= fabs(f[2]))
        return NS_OK;
    NS_TRY(ns_root_dip(difference, p, x[0], x[1], x[2], &at, &crossed, err));
    if (!crossed)
        return NS_OK;
    NS_TRY(add_root(p, x[0], at, -sign(f[1]), err));
    return add_root(p, at, x[2], sign(f[1]), err);
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
                if (i > 1)
                    NS_TRY(search_dip(&p, x, f, err));
                if (f[2] != 0)
                    p.before = sign(f[2]);
            }
            NS_TRY(f[2] == 0 && p.joined > p.lo && p.joined < p.hi ? add(&p, p.joined, 0, NS_MEET_JOIN, err) : NS_OK);
        }
    if (*crossings > 1)
        qsort(crossing, (size_t)*crossings, sizeof *crossing, by_place);
    return NS_OK;
}

typedef struct store {
    ns_crossings seen; /* first: what callers have */
    const char *over;
    ns_reign found[NS_REIGNS];
    ns_reign_info reign[NS_REIGNS];
    ns_crossing crossing[NS_MEETINGS];
} store;

static ns_status value_at(const void *context, int curve, double x, double *value, ns_error *err)
{
    const store *s = context;
    const ns_setting setting = {.name = s->over, .number = x};
    return ns_curves_value(s->seen.curves, curve, &setting, 1, value, err);
}

static bool is_border(const store *s, const ns_crossing *x)
{
    for (int i = 1; i < s->seen.reigns; i++) {
        const int old = s->reign[i - 1].winner, new = s->reign[i].winner;
        if (fabs(s->reign[i].from - x->x) <= 1e-9 * fabs(x->x) && (x->a == old || x->b == old) &&
            (x->a == new || x->b == new))
            return true;
    }
    return false;
}

static ns_status find(store *s, ns_error *err)
{
    const int curves = s->seen.curves->count;
    const double lo = s->seen.lo, hi = s->seen.hi;
    NS_TRY(ns_cross_values(value_at, s, curves, lo, hi, s->found, &s->seen.reigns, err));
    NS_TRY(ns_meetings_find(value_at, s, curves, lo, hi, s->crossing, &s->seen.crossings, err));
    /* Equal to what just ended, to the left of a border: from the side of the reign that ends there. */
    for (int i = 0; i < s->seen.reigns; i++) {
        const ns_reign *r = &s->found[i];
        ns_reign_info *own = &s->reign[i];
        const double before = i + 1 < s->seen.reigns ? r->to - 2e-12 * fabs(r->to) : r->to;
        *own = (ns_reign_info){
            .size = sizeof *own, .from = r->from, .to = r->to, .winner = r->winner, .at_from = r->value};
        NS_TRY(value_at(s, r->winner, before > r->from ? before : r->from, &own->at_to, err));
    }
    for (int i = 0; i < s->seen.crossings; i++)
        s->crossing[i].changes_winner = is_border(s, &s->crossing[i]);
    return NS_OK;
}

ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi, ns_crossings **crossings,
                            ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_curves_check(curves, 0, err));
    store *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->seen = (ns_crossings){.size = sizeof s->seen, .curves = curves, .lo = lo, .hi = hi};
    s->over = over;
    ns_status status = find(s, err);
    if (status == NS_OK)
        *crossings = &s->seen;
    else
        ns_crossings_free(&s->seen);
    return status;
}

void ns_crossings_free(ns_crossings *crossings)
{
    ns_free(crossings);
}

const ns_reign_info *ns_crossings_reign(const ns_crossings *crossings, int index)
{
    const store *s = (const store *)(const void *)crossings;
    return index >= 0 && index < crossings->reigns ? &s->reign[index] : NULL;
}

const ns_crossing *ns_crossings_at(const ns_crossings *crossings, int index)
{
    const store *s = (const store *)(const void *)crossings;
    return index >= 0 && index < crossings->crossings ? &s->crossing[index] : NULL;
}
