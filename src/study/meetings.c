/* meetings.c -- every place where two curves pass, join or part
 *
 * The sign of the difference of a pair is followed over samples.  From -1 to 1 or back: a root in between.  From or to
 * 0 (equal within rounding): the border of the stretch, by bisection of the sign.  A dip of the distance between
 * samples of one sign is searched for a sign change: a pair that crosses twice there.
 */
#include "study/meetings.h"
#include "study/roots.h"

#include <math.h>
#include <stdlib.h>

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

/* An equal stretch from p->joined to x ends: a crossing when it is a point only, else its two borders. */
static ns_status close_stretch(pair *p, double x, int now, ns_error *err)
{
    const bool point = p->joined > p->lo && x - p->joined <= 8 * EQUAL * fabs(x);
    if (point)
        return p->before != 0 && p->before != now ? add(p, x, now, NS_MEET_CROSS, err) : NS_OK;
    if (p->joined > p->lo)
        NS_TRY(add(p, p->joined, 0, NS_MEET_JOIN, err));
    return add(p, x, now, NS_MEET_PART, err);
}

static ns_status step(pair *p, double lo, int was, double hi, int now, ns_error *err)
{
    double x;
    if (was == now)
        return NS_OK;
    if (was != 0 && now != 0)
        return add_root(p, lo, hi, now, err);
    NS_TRY(find_border(p, lo, hi, was == 0, &x, err));
    if (now != 0)
        return close_stretch(p, x, now, err);
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

static double sample(const pair *p, int i)
{
    const double t = (double)i / SAMPLES;
    return i == SAMPLES ? p->hi : p->lo > 0 ? p->lo * pow(p->hi / p->lo, t) : p->lo + (p->hi - p->lo) * t;
}

static ns_status follow(pair *p, ns_error *err)
{
    double x[3] = {0, 0, p->lo}, f[3] = {0};
    NS_TRY(difference(p, p->lo, &f[2], err));
    p->before = sign(f[2]);
    p->joined = p->lo;
    for (int i = 1; i <= SAMPLES; i++) {
        x[0] = x[1], x[1] = x[2], x[2] = sample(p, i);
        f[0] = f[1], f[1] = f[2];
        NS_TRY(difference(p, x[2], &f[2], err));
        NS_TRY(step(p, x[1], sign(f[1]), x[2], sign(f[2]), err));
        if (i > 1)
            NS_TRY(search_dip(p, x, f, err));
        if (f[2] != 0)
            p->before = sign(f[2]);
    }
    return f[2] == 0 && p->joined > p->lo && p->joined < p->hi ? add(p, p->joined, 0, NS_MEET_JOIN, err) : NS_OK;
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
            NS_TRY(follow(&p, err));
        }
    if (*crossings > 1)
        qsort(crossing, (size_t)*crossings, sizeof *crossing, by_place);
    return NS_OK;
}
