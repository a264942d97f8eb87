/* line_fit.h -- T = alpha + beta s through measured points, alpha and beta >= 0, with standard errors
 *
 * Relative weights: a point counts by its relative residual, the fit is robust (bisquare).  No weights: ordinary least
 * squares, as in the papers' scripts.  Standard errors are expanded by Student's factor t(0.975, dof) / 1.96, so that
 * +- 1.96 of them is a 95 % interval for few points, too.
 */
#ifndef NS_NUM_LINE_FIT_H
#define NS_NUM_LINE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

typedef enum ns_weights { NS_WEIGHTS_RELATIVE, NS_WEIGHTS_NONE } ns_weights;

/* Scatter of the points, known from repeats: relative, of one point. */
typedef struct ns_noise {
    double relative; /* 0: unknown */
    double dof;
} ns_noise;

typedef struct ns_line_estimate {
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* 0: unknown, no degree of freedom left */
    double covariance;        /* of alpha and beta, s^2/B */
    double variance, dof;     /* of a residual: relative with weights, else s^2 */
    size_t points, outliers;  /* outliers stay in the data with less weight */
    bool bound;               /* alpha or beta is clamped at 0 */
} ns_line_estimate;

/* x in B, y in s, y > 0, at least two different x (else NS_ERR_DATA). */
ns_status ns_line_fit(const double *x, const double *y, size_t count, ns_weights weights, ns_noise noise,
                      ns_line_estimate *estimate, ns_error *err);

/* A few points that happen to lie close to a line do not make it better known than other lines of its kind, whose
 * residuals have this variance: widen its errors to that, never narrow them. */
void ns_line_widen(ns_line_estimate *estimate, double variance, double dof);

/* The same through the origin: y = rate x, for any sign of y; scale[i] > 0 is the size of a residual that counts as 1
 * (NULL: 1). */
ns_status ns_ray_fit(const double *x, const double *y, const double *scale, size_t count, double *rate, double *rate_se,
                     ns_error *err);

#endif
