/* line_sums.c -- least-squares line with alpha, beta >= 0 from six sums */
#include "num/line_sums.h"

#include <math.h>

void ns_line_sums_add(ns_line_sums *sums, double weight, double a, double b, double t)
{
    const long double w = weight;
    sums->aa += w * a * a;
    sums->ab += w * a * b;
    sums->bb += w * b * b;
    sums->at += w * a * t;
    sums->bt += w * b * t;
    sums->tt += w * t * t;
}

ns_line_sums ns_line_sums_minus(const ns_line_sums *whole, const ns_line_sums *part)
{
    return (ns_line_sums){.aa = whole->aa - part->aa,
                          .ab = whole->ab - part->ab,
                          .bb = whole->bb - part->bb,
                          .at = whole->at - part->at,
                          .bt = whole->bt - part->bt,
                          .tt = whole->tt - part->tt};
}

/* 1 - correlation^2 below this is rounding: all rows have the same x. */
static const long double singular = 1e-15L;

static long double determinant(const ns_line_sums *s)
{
    const long double d = s->aa * s->bb - s->ab * s->ab;
    return d > singular * s->aa * s->bb ? d : 0;
}

/* The unconstrained minimum; false when the rows do not determine both alpha and beta. */
static bool unbounded(const ns_line_sums *s, long double *p, long double *q)
{
    const long double d = determinant(s);
    if (d <= 0)
        return false;
    *p = (s->at * s->bb - s->bt * s->ab) / d;
    *q = (s->bt * s->aa - s->at * s->ab) / d;
    return true;
}

bool ns_line_sums_solve_free(const ns_line_sums *s, double *alpha, double *beta)
{
    long double p, q;
    if (!unbounded(s, &p, &q))
        return false;
    *alpha = (double)p, *beta = (double)q;
    return true;
}

double ns_line_sums_solve(const ns_line_sums *s, double *alpha, double *beta, bool *alpha_zero, bool *beta_zero)
{
    long double p = -1, q = -1;
    (void)unbounded(s, &p, &q);
    *alpha_zero = *beta_zero = false;
    if (p < 0 || q < 0) {
        const long double only_p = s->aa > 0 ? s->at / s->aa : 0, only_q = s->bb > 0 ? s->bt / s->bb : 0;
        const bool flat = only_p * s->at >= only_q * s->bt; /* how much each reduces tt */
        p = flat ? only_p : 0;
        q = flat ? 0 : only_q;
        *alpha_zero = !flat, *beta_zero = flat;
    }
    *alpha = (double)p, *beta = (double)q;
    const long double rest = s->tt - 2 * (p * s->at + q * s->bt) + p * p * s->aa + 2 * p * q * s->ab + q * q * s->bb;
    return rest > 0 ? (double)rest : 0;
}

bool ns_line_sums_inverse(const ns_line_sums *s, double *alpha, double *beta)
{
    const long double d = determinant(s);
    if (d <= 0)
        return false;
    *alpha = (double)(s->bb / d);
    *beta = (double)(s->aa / d);
    return true;
}

double ns_line_sums_leverage(const ns_line_sums *s, bool alpha_zero, bool beta_zero, double a, double b)
{
    const long double p = a, q = b, d = determinant(s);
    if (alpha_zero)
        return (double)(q * q / s->bb);
    if (beta_zero)
        return (double)(p * p / s->aa);
    return d > 0 ? (double)((p * p * s->bb - 2 * p * q * s->ab + q * q * s->aa) / d) : 1;
}
