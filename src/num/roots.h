/* roots.h -- where curves cross: brackets by sampling, roots by Brent's method (GSL) */
#ifndef NS_NUM_ROOTS_H
#define NS_NUM_ROOTS_H

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

/* The x of the smallest |f| in (lo, hi), to a relative 1e-8, where f has one sign; middle, between them, has a smaller
 * |f| than both ends.  Ends early with the first x at which the sign differs (*crossed). */
ns_status ns_root_dip(ns_root_fn *f, const void *context, double lo, double middle, double hi, double *x, bool *crossed,
                      ns_error *err);

/* How two curves meet at a crossing. */
typedef enum ns_meeting {
    NS_MEET_CROSS, /* they pass each other */
    NS_MEET_JUMP,  /* one leaps over the other */
    NS_MEET_JOIN,  /* equal from here on */
    NS_MEET_PART   /* equal until here */
} ns_meeting;
extern const char *const ns_meeting_words[]; /* closed by NULL */

typedef struct ns_crossing {
    double x, value; /* of curve a at x */
    int a, b;        /* a < b */
    int below;       /* the smaller one after x, or -1 when they are equal there */
    ns_meeting meeting;
} ns_crossing;

enum { NS_CROSSINGS = 1024 };

/* The value of a curve at x. */
typedef ns_status ns_curve_fn(const void *context, int curve, double x, double *value, ns_error *err);

/* Every crossing of every pair of curves in [lo, hi], by x.  Sampled at 513 points (equal ratios where lo > 0); a pair
 * that crosses twice between two samples is found where its distance dips there.  Values within a relative 1e-12 are
 * equal. */
ns_status ns_crossings_find(ns_curve_fn *value, const void *context, int curves, double lo, double hi,
                            ns_crossing *crossing, int *crossings, ns_error *err);

#endif
