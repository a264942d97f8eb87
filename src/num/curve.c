/* curve.c -- repeated measurements become one curve
 *
 * The scatter is the pooled median absolute deviation of log(y / median of its size).  A median of r normal values has
 * variance close to (pi/2) / (r + 1/2) of one value's.
 */
#include "num/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "num/order.h"

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

typedef struct pooled {
    double *deviation, *spread;
    size_t deviations, spreads, repeated; /* repeated: samples of sizes with at least three */
    double inverse_repeats;               /* sum of 1/r over sizes with repeats */
    size_t groups;
} pooled;

/* values rise; one size. */
static void pool_size(pooled *pool, const point *p, size_t count)
{
    const double middle = 0.5 * (p[(count - 1) / 2].y + p[count / 2].y);
    pool->spread[pool->spreads++] = (p[count - 1].y - p[0].y) / middle;
    if (count < 3)
        return;
    pool->groups++;
    pool->repeated += count;
    pool->inverse_repeats += 1 / ((double)count + 0.5);
    for (size_t i = 0; i < count; i++)
        if (count % 2 == 0 || i != count / 2) /* the median's own deviation, 0, says nothing */
            pool->deviation[pool->deviations++] = fabs(log(p[i].y / middle));
}

static void add_points(ns_curve *curve, const point *p, size_t count, ns_statistic statistic)
{
    curve->sizes++;
    if (statistic != NS_STATISTIC_ALL) {
        curve->x[curve->count] = p[0].x;
        curve->y[curve->count++] =
            statistic == NS_STATISTIC_MIN ? p[0].y : 0.5 * (p[(count - 1) / 2].y + p[count / 2].y);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        curve->x[curve->count] = p[i].x;
        curve->y[curve->count++] = p[i].y;
    }
}

static void fill(ns_curve *curve, const point *p, size_t count, ns_statistic statistic, pooled *pool)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && p[to].x == p[from].x; to++)
            ;
        add_points(curve, p + from, to - from, statistic);
        pool_size(pool, p + from, to - from);
    }
    curve->spread = pool->spreads > 0 ? ns_median(pool->spread, pool->spreads) : 0;
    if (pool->deviations < 4)
        return;
    const double groups = (double)pool->groups, repeats = (double)pool->repeated / groups;
    curve->scatter = 1.4826 * ns_median(pool->deviation, pool->deviations) * sqrt(repeats / (repeats - 1));
    if (statistic != NS_STATISTIC_MEDIAN || pool->groups < curve->sizes)
        return;
    curve->noise.relative = curve->scatter * sqrt(1.5707963267948966 * pool->inverse_repeats / groups);
    curve->noise.dof = 0.37 * ((double)pool->repeated - groups); /* the efficiency of a median absolute deviation */
}

ns_status ns_curve_make(const double *x, const double *y, size_t count, ns_statistic statistic, ns_curve *curve,
                        ns_error *err)
{
    ns_curve made = {0};
    point *p = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *p));
    double *scratch = ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add(count, 1)), sizeof *scratch));
    made.x = ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add(count, 1)), sizeof *made.x));
    ns_status status = p != NULL && scratch != NULL && made.x != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        for (size_t i = 0; i < count; i++)
            p[i] = (point){x[i], y[i]};
        if (count > 1)
            qsort(p, count, sizeof *p, by_size);
        made.y = made.x + count + 1;
        fill(&made, p, count, statistic, &(pooled){.deviation = scratch, .spread = scratch + count + 1});
        *curve = made;
    } else
        ns_free(made.x);
    ns_free(p);
    ns_free(scratch);
    return status;
}

void ns_curve_free(ns_curve *curve)
{
    ns_free(curve->x);
    memset(curve, 0, sizeof *curve);
}
