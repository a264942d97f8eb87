/* curves.h -- what the studies share beyond the public calls: curves, and roots, slopes and meetings of functions */
#ifndef NS_STUDY_CURVES_H
#define NS_STUDY_CURVES_H

#include "model/cross.h"
#include "study/study.h"

#include <stdbool.h>

/* Is the set closed, and that one of its curves? */
ns_status ns_curves_check(const ns_curves *curves, int curve, ns_error *err);

/* Close the binding of a model's curve with some inputs set, and evaluate it. */
ns_status ns_curves_eval(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                         ns_binding *closed, ns_model_buffer *out, ns_error *err);

/* One number of a scenario set, checked. */
ns_status ns_scenario_set(ns_scenario *scenario, const char *name, double value, ns_error *err);

/* An error of a NAME=RANGE that says where in it; value: the part of the assignment that inner's column counts from. */
ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err);

/* ---- one root of a function that may fail, by Brent's method (crossings.c) --------------------------------------- */

/* f(x); the same answer whenever it is asked. */
typedef ns_status ns_root_fn(const void *context, double x, double *value, ns_error *err);

typedef struct ns_root {
    double x;
    bool jump; /* f changes its sign without passing zero: a discontinuity */
} ns_root;

/* The root in [lo, hi], at whose ends f differs in sign, to a relative 1e-13 of x. */
ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err);

/* ---- every place where two of some curves pass, join or part (crossings.c) --------------------------------------- */

/* Every crossing of every pair of curves in [lo, hi], by x.  Sampled at 513 points (equal ratios where lo > 0); a pair
 * that crosses twice between two samples is found where its distance dips there.  Values within a relative 1e-12 are
 * equal.  changes_winner is left false. */
ns_status ns_meetings_find(ns_cross_fn *value, const void *context, int curves, double lo, double hi,
                           ns_crossing *crossing, int *crossings, ns_error *err);

/* ---- how much an answer moves when one number does (sensitivity.c) ----------------------------------------------- */

/* f of a factor on one of its numbers; base: f(1).  A factor that f refuses (not for want of memory) leaves its side
 * out.  Fills slope, ends and swing of a move, which are 0 before. */
ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, double base, ns_move *move, ns_error *err);

#endif
