/* score.h -- order statistics of scores */
#ifndef NS_EXCHANGE_SCORE_H
#define NS_EXCHANGE_SCORE_H

#include <stddef.h>

/* Sort in place, rising. */
void ns_score_sort(double *value, size_t count);

/* The p-quantile of a sorted array, linear between ranks; count is at least 1. */
double ns_score_quantile(const double *sorted, size_t count, double p);

#endif
