/* cross.h -- crossovers of models: the ranges of one input in which each is the smallest */
#ifndef NS_MODEL_CROSS_H
#define NS_MODEL_CROSS_H

#include "model/binding.h"

/* Curve `winner` is the smallest for values not below `from`. */
typedef struct ns_reign {
    double from, to;
    int winner;
    double value; /* of the winner at `from` */
} ns_reign;

enum { NS_REIGNS = 256, NS_CURVES = 16 /* at most, side by side */ };

/* The value of a curve at x; must be deterministic. */
typedef ns_status ns_cross_fn(const void *context, int curve, double x, double *value, ns_error *err);

/* Find the smallest curve for each x: the reigns of [lo, hi] in order; each crossover is refined to a relative 1e-12.
 * Reigns narrower than 1/512 of the range (in ratio where lo > 0) may be missed, and those of a relative 1e-9 (a point)
 * are left out.  Of values that are equal within rounding the first curve wins. */
ns_status ns_cross_values(ns_cross_fn *value, const void *context, int curves, double lo, double hi, ns_reign *reign,
                          int *reigns, ns_error *err);

#endif
