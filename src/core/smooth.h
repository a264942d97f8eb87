/* smooth.h -- a shrunken estimate from measurements near a point: a kernel average in logarithms
 *
 *     shift = c + sum of q (r - c) / (sum of q + prior),     c = sum of all q r / (sum of all q + prior of all)
 *     q = weight exp(-sum over x of ((x - x') / width)^2 / 2)
 *
 * r: ln(measured / predicted).  The first sums are over the measurements of one way, those of c over all ways nearby.
 */
#ifndef NS_CORE_SMOOTH_H
#define NS_CORE_SMOOTH_H

#include <math.h>
#include <stddef.h>

/* Sums over measured points: of q, and of q r. */
typedef struct ns_near {
    double weight, sum;
} ns_near;

/* exp(-sum of squares / 2) of distances in units of the widths. */
static inline double ns_nearness(const double *distance, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += distance[i] * distance[i];
    return exp(-sum / 2);
}

static inline void ns_near_add(ns_near *near, double q, double r)
{
    near->weight += q;
    near->sum += q * r;
}

/* The formula above.  all->weight + prior_of_all is greater than 0. */
static inline double ns_near_shift(const ns_near *one, double prior, const ns_near *all, double prior_of_all)
{
    const double common = all->sum / (all->weight + prior_of_all);
    return common + (one->sum - common * one->weight) / (one->weight + prior);
}

#endif
