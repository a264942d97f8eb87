/* curve.h -- condense repeated measurements into one curve: a statistic per size, and the scatter of the repeats */
#ifndef NS_NUM_CURVE_H
#define NS_NUM_CURVE_H

#include <stddef.h>

#include "num/line_fit.h"

typedef enum ns_statistic { NS_STATISTIC_MEDIAN, NS_STATISTIC_MIN, NS_STATISTIC_ALL } ns_statistic;
extern const char *const ns_statistic_words[]; /* closed by NULL */

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

#endif
