/* order.c -- order statistics of plain arrays */
#include "num/num.h"

#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void ns_sort(double *value, size_t count)
{
    if (count > 1)
        qsort(value, count, sizeof *value, by_value);
}

double ns_order_quantile(const double *sorted, size_t count, double p)
{
    assert(count > 0 && p >= 0 && p <= 1);
    const double rank = p * (double)(count - 1);
    const size_t low = (size_t)rank;
    const size_t high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (rank - (double)low) * (sorted[high] - sorted[low]);
}

double ns_median(double *value, size_t count)
{
    ns_sort(value, count);
    return ns_order_quantile(value, count, 0.5);
}
