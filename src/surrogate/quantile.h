/* quantile.h -- draw lengths of rows from a few points of their distribution, and sort their columns */
#ifndef NS_MATRIX_QUANTILE_H
#define NS_MATRIX_QUANTILE_H

#include <stdint.h>

typedef struct ns_knot {
    double share; /* this share of all rows has at most this value; ascending, the last one is 1 */
    int32_t value;
} ns_knot;

/* Value for a share in [0, 1): up to the first knot its value; between two knots value + 1 is geometric in the share.
 * The result is the same on every machine: only operations that IEEE 754 rounds correctly are used. */
int32_t ns_quantile(const ns_knot *knot, int knots, double share);

/* Sort a short list by insertion and remove duplicates; returns the number of items left. */
int ns_sort_unique(uint32_t *list, int count);

#endif
