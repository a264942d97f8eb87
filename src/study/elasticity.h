/* elasticity.h -- how much an answer moves when one number does */
#ifndef NS_STUDY_ELASTICITY_H
#define NS_STUDY_ELASTICITY_H

#include "study/roots.h"

typedef struct ns_elasticity {
    double base;      /* f(1) */
    double slope;     /* d log f / d log x: per cent more for one per cent more */
    bool sloped;      /* false where neither side can be evaluated */
    bool kink;        /* the slopes to the left and to the right differ */
    bool jump;        /* f leaps right here; the slope is that of the other side */
    double low, high; /* f(1 - by), f(1 + by) */
    bool has_low, has_high;
} ns_elasticity;

/* f of a factor on one of its numbers, 1 as it is.  A factor that f refuses (not for want of memory) leaves its side
 * out. */
ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, ns_elasticity *elasticity, ns_error *err);

#endif
