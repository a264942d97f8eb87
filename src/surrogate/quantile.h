/* quantile.h -- lengths of rows drawn from a few points of their distribution, and their columns sorted */
#ifndef NS_MATRIX_QUANTILE_H
#define NS_MATRIX_QUANTILE_H

#include <stdint.h>

typedef struct ns_knot {
    double share; /* that share of all has at most so much; ascending, the last one 1 */
    int32_t value;
} ns_knot;

/* Share in [0, 1).  Up to the first knot its value; between two of them value + 1 is geometric in the share.  The same
 * on every machine: only operations that IEEE 754 rounds correctly. */
int32_t ns_quantile(const ns_knot *knot, int knots, double share);

/* Sort a short list, each item once: by insertion; returns how many are left. */
int ns_sort_unique(uint32_t *list, int count);

#endif
