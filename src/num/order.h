/* order.h -- order statistics of plain arrays */
#ifndef NS_NUM_ORDER_H
#define NS_NUM_ORDER_H

#include <stddef.h>

/* Sort in place, rising. */
void ns_sort(double *value, size_t count);

/* The p-quantile (0 to 1) of a sorted array, linear between ranks; count is at least 1. */
double ns_order_quantile(const double *sorted, size_t count, double p);

/* The median; sorts value. */
double ns_median(double *value, size_t count);

#endif
