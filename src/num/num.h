/* num.h -- the numerics of fits: order statistics, lines, curves, switch points, planes */
#ifndef NS_NUM_H
#define NS_NUM_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

/* ---- order statistics of plain arrays ---------------------------------------------------------------------------- */

/* Sort in place, rising. */
void ns_sort(double *value, size_t count);

/* The p-quantile (0 to 1) of a sorted array, linear between ranks; count is at least 1. */
double ns_order_quantile(const double *sorted, size_t count, double p);

/* The median; sorts value. */
double ns_median(double *value, size_t count);

/* ---- T = alpha + beta s through measured points, alpha and beta >= 0, with standard errors ----------------------- */

/* Relative weights: a point counts by its relative residual, the fit is robust (bisquare).  No weights: ordinary least
 * squares, as in the papers' scripts.  Standard errors are expanded by Student's factor t(0.975, dof) / 1.96, so that
 * +- 1.96 of them is a 95 % interval for few points, too. */

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

/* ---- condense repeated measurements into one curve: a statistic per size, and the scatter of the repeats --------- */

typedef enum ns_statistic { NS_STATISTIC_MEDIAN, NS_STATISTIC_MIN, NS_STATISTIC_ALL } ns_statistic;
extern const char *const ns_statistic_words[]; /* terminated by NULL */

typedef struct ns_curve {
    double *x, *y;   /* B, s; x rises, strictly unless every sample is kept */
    size_t count;
    size_t sizes;    /* number of different x */
    double spread;   /* median over sizes of (largest - smallest) / median of the repeats */
    double scatter;  /* relative scatter of one sample; 0 unknown */
    ns_noise noise;  /* for one point of the curve */
} ns_curve;

/* x and y are only read.  Free the curve with ns_curve_free. */
ns_status ns_curve_make(const double *x, const double *y, size_t count, ns_statistic statistic, ns_curve *curve,
                        ns_error *err);
void ns_curve_free(ns_curve *curve);

/* ---- how well a line predicts sizes that were held out ----------------------------------------------------------- */

typedef struct ns_held_out_errors {
    double *of_size;    /* by rising size; the caller provides one element per size */
    size_t count;       /* 0 when there are fewer than three sizes */
    double median, p95; /* NaN if count is 0 */
} ns_held_out_errors;

/* k-fold cross-validation over the sizes, leaving out every k-th one; relative errors of the mean time of each such
 * size. */
ns_status ns_held_out(const ns_curve *curve, ns_weights weights, ns_held_out_errors *errors, ns_error *err);

/* ---- where a curve of times switches from one line to the next: the first sizes of the protocols ----------------- */

enum { NS_SEGMENTS_MAX = 3, NS_SEGMENT_SIZES = 3 /* a segment has at least this many sizes */ };

typedef struct ns_switches {
    int segments;                  /* 1 to 3 */
    double first[NS_SEGMENTS_MAX]; /* B: smallest measured size of each segment */
    double end;                    /* B: a last size that belongs to no segment; infinite without one */
} ns_switches;

/* The curve has one point per size (statistic median or min). */
ns_status ns_switch_points(const ns_curve *curve, ns_switches *switches, ns_error *err);

/* ---- y = sum of rates x columns, relative least squares ---------------------------------------------------------- */

/* Every point is weighted by its relative residual.  The fit is not robust, because the populations differ by design.
 * x[column * count + i], y[i] > 0; more points than columns, independent columns (else NS_ERR_DATA).  rate and se:
 * [columns]. */
ns_status ns_plane_fit(const double *x, const double *y, size_t count, size_t columns, double *rate, double *se,
                       ns_error *err);

#endif
