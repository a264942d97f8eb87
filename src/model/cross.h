/* cross.h -- where one model overtakes another: the ranges of one input in which each is the least */
#ifndef NS_MODEL_CROSS_H
#define NS_MODEL_CROSS_H

#include "model/binding.h"

/* From `from` on, curve `winner` is the smallest. */
typedef struct ns_reign {
    double from, to;
    int winner;
    double value; /* of the winner at `from` */
} ns_reign;

enum { NS_REIGNS = 256, NS_CURVES = 16 /* at most, side by side */ };

/* The value of a curve at x; the same answer whenever it is asked. */
typedef ns_status ns_cross_fn(const void *context, int curve, double x, double *value, ns_error *err);

/* Who is the smallest where: the reigns of [lo, hi] come in order; each border is refined to a relative 1e-12.  Reigns
 * narrower than 1/512 of the range (in ratio where lo > 0) may be missed, those of a relative 1e-9 (a point) are left
 * out.  Equal values: the first curve wins. */
ns_status ns_cross_values(ns_cross_fn *value, const void *context, int curves, double lo, double hi, ns_reign *reign,
                          int *reigns, ns_error *err);

#endif
