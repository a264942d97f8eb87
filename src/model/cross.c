/* cross.c -- ranges of one input in which each curve is the smallest
 *
 * The range is sampled.  Wherever the winner changes between two samples, the crossover is bisected, which also finds
 * a third winner in between.
 */

#include "model/cross.h"

#include <math.h>

enum { SAMPLES = 512 };
static const double FINE = 1e-12, POINT = 1e-9;
static const double EQUAL = 0x1p-49; /* rounding of curves that are the same formula */

typedef struct search {
    ns_cross_fn *value;
    const void *context;
    int curves;
    double lo, hi;
    ns_reign *reign;
    int reigns;
} search;

static ns_status winner_at(const search *s, double x, int *winner, double *least, ns_error *err)
{
    for (int i = 0; i < s->curves; i++) {
        double value = 0;
        NS_TRY(s->value(s->context, i, x, &value, err));
        if (i == 0 || value < *least - EQUAL * fabs(*least)) {
            *least = value;
            *winner = i;
        }
    }
    return NS_OK;
}

static ns_status begin_reign(search *s, double x, int winner, double value, ns_error *err)
{
    /* Drop a reign of a single point (a size exactly on a threshold): the one before it continues. */
    if (s->reigns >= 2 && x - s->reign[s->reigns - 1].from <= POINT * fabs(x)) {
        s->reigns--;
        if (s->reign[s->reigns - 1].winner == winner) {
            s->reign[s->reigns - 1].to = s->hi;
            return NS_OK;
        }
    }
    if (s->reigns == NS_REIGNS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d changes of the winner", (int)NS_REIGNS);
    if (s->reigns > 0)
        s->reign[s->reigns - 1].to = x;
    s->reign[s->reigns++] = (ns_reign){.from = x, .to = s->hi, .winner = winner, .value = value};
    return NS_OK;
}

/* The winner differs between both ends of [a, b]: record every change in it. */
static ns_status refine(search *s, double a, int winner_a, double b, int winner_b, double value_b, ns_error *err)
{
    const double x = a > 0 ? sqrt(a) * sqrt(b) : a + (b - a) / 2;
    if (b - a <= FINE * fabs(b) || x <= a || x >= b)
        return begin_reign(s, b, winner_b, value_b, err);
    int winner = 0;
    double value = 0;
    NS_TRY(winner_at(s, x, &winner, &value, err));
    if (winner != winner_a)
        NS_TRY(refine(s, a, winner_a, x, winner, value, err));
    return winner != winner_b ? refine(s, x, winner, b, winner_b, value_b, err) : NS_OK;
}

static double sample(const search *s, int i)
{
    const double t = (double)i / SAMPLES;
    return i == SAMPLES ? s->hi : s->lo > 0 ? s->lo * pow(s->hi / s->lo, t) : s->lo + (s->hi - s->lo) * t;
}

ns_status ns_cross_values(ns_cross_fn *value, const void *context, int curves, double lo, double hi, ns_reign *reign,
                          int *reigns, ns_error *err)
{
    search s = {value, context, curves, lo, hi, reign, 0};
    int before = 0, now = 0;
    double least = 0;
    if (curves < 1 || curves > NS_CURVES || !(lo < hi))
        return ns_fail(err, NS_ERR_RANGE, "cross wants 1 to %d curves and a range that rises", (int)NS_CURVES);
    NS_TRY(winner_at(&s, lo, &before, &least, err));
    NS_TRY(begin_reign(&s, lo, before, least, err));
    for (int i = 1; i <= SAMPLES; i++) {
        NS_TRY(winner_at(&s, sample(&s, i), &now, &least, err));
        if (now != before)
            NS_TRY(refine(&s, sample(&s, i - 1), before, sample(&s, i), now, least, err));
        before = now;
    }
    *reigns = s.reigns;
    return NS_OK;
}
