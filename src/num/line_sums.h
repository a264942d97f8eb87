/* line_sums.h -- least-squares line with alpha, beta >= 0 from six sums
 *
 * A row (a, b, t) is the equation a alpha + b beta = t.  With relative weights a = 1/y, b = x/y, t = 1.  The problem
 * is convex in two unknowns, so the constrained minimum is the free one, or lies on alpha = 0, or on beta = 0.  Prefix
 * sums can be subtracted, so any run's line is available in constant time.
 */
#ifndef NS_NUM_LINE_SUMS_H
#define NS_NUM_LINE_SUMS_H

#include <stdbool.h>

typedef struct ns_line_sums {
    long double aa, ab, bb, at, bt, tt;
} ns_line_sums;

void ns_line_sums_add(ns_line_sums *sums, double weight, double a, double b, double t);
ns_line_sums ns_line_sums_minus(const ns_line_sums *whole, const ns_line_sums *part);

/* Returns the weighted sum of squared residuals.  *alpha_zero, *beta_zero: on that bound. */
double ns_line_sums_solve(const ns_line_sums *sums, double *alpha, double *beta, bool *alpha_zero, bool *beta_zero);

/* The same without the bounds; returns false, and sets nothing, when the rows do not determine both alpha and beta. */
bool ns_line_sums_solve_free(const ns_line_sums *sums, double *alpha, double *beta);

/* Leverage of the row (a, b), 0 to 1, in a solution on these bounds. */
double ns_line_sums_leverage(const ns_line_sums *sums, bool alpha_zero, bool beta_zero, double a, double b);

/* Diagonal of the inverse of the normal matrix; false when it is singular. */
bool ns_line_sums_inverse(const ns_line_sums *sums, double *alpha, double *beta);

#endif
