/* roots.h -- one root, or one dip, of a function that may fail, by Brent's methods */
#ifndef NS_STUDY_ROOTS_H
#define NS_STUDY_ROOTS_H

#include <stdbool.h>

#include <nsmodel/status.h>

/* f(x); the same answer whenever it is asked. */
typedef ns_status ns_root_fn(const void *context, double x, double *value, ns_error *err);

typedef struct ns_root {
    double x;
    bool jump; /* f changes its sign without passing zero: a discontinuity */
} ns_root;

/* The root in [lo, hi], at whose ends f differs in sign, to a relative 1e-13 of x. */
ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err);

#endif
