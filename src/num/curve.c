/* curve.c -- condense repeated measurements into one curve
 *
 * The scatter is the pooled median absolute deviation of log(y / median of its size).  A median of r normal values has
 * variance close to (pi/2) / (r + 1/2) of one value's.
 */
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/own.h"

const char *const ns_statistic_words[] = {"median", "min", "all", NULL};

typedef struct point {
    double x, y;
} point;

static int by_size(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

ns_status ns_curve_make(const double *x, const double *y, size_t count, ns_statistic statistic, ns_curve *curve,
                        ns_error *err)
{
    ns_curve made = {0};
    NS_OWN(ns_free) point *p = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *p));
    NS_OWN(ns_free) double *scratch = ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add(count, 1)), sizeof *scratch));
    if (p == NULL || scratch == NULL)
        return ns_no_memory(err);
    made.x = ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add(count, 1)), sizeof *made.x));
    if (made.x == NULL)
        return ns_no_memory(err);
    size_t deviations = 0, repeated = 0, groups = 0; /* samples of sizes with at least three, and such sizes */
    double inverse_repeats = 0;                      /* sum of 1/r over these */
    double *deviation = scratch, *spread = scratch + count + 1;
    for (size_t i = 0; i < count; i++)
        p[i] = (point){x[i], y[i]};
    if (count > 1)
        qsort(p, count, sizeof *p, by_size);
    made.y = made.x + count + 1;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && p[to].x == p[from].x; to++)
            ;
        const size_t n = to - from;
        const double middle = 0.5 * (p[(from + to - 1) / 2].y + p[(from + to) / 2].y);
        for (size_t i = from; i < to && (statistic == NS_STATISTIC_ALL || i == from); i++) {
            made.x[made.count] = p[i].x;
            made.y[made.count++] = statistic == NS_STATISTIC_MEDIAN ? middle : p[i].y;
        }
        spread[made.sizes++] = (p[to - 1].y - p[from].y) / middle;
        if (n < 3)
            continue;
        groups++;
        repeated += n;
        inverse_repeats += 1 / ((double)n + 0.5);
        for (size_t i = from; i < to; i++)
            if (n % 2 == 0 || i != from + n / 2) /* the median's own deviation, 0, carries no information */
                deviation[deviations++] = fabs(log(p[i].y / middle));
    }
    made.spread = made.sizes > 0 ? ns_median(spread, made.sizes) : 0;
    const double sizes = (double)groups, repeats = (double)repeated / sizes;
    if (deviations >= 4)
        made.scatter = 1.4826 * ns_median(deviation, deviations) * sqrt(repeats / (repeats - 1));
    if (deviations >= 4 && statistic == NS_STATISTIC_MEDIAN && groups == made.sizes) {
        made.noise.relative = made.scatter * sqrt(1.5707963267948966 * inverse_repeats / sizes);
        made.noise.dof = 0.37 * ((double)repeated - sizes); /* the efficiency of a median absolute deviation */
    }
    *curve = made;
    return NS_OK;
}

void ns_curve_free(ns_curve *curve)
{
    ns_free(curve->x);
    memset(curve, 0, sizeof *curve);
}
