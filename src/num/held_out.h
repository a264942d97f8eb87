/* held_out.h -- how well a line predicts sizes that it has not seen */
#ifndef NS_NUM_HELD_OUT_H
#define NS_NUM_HELD_OUT_H

#include "num/curve.h"

/* k-fold over the sizes, every k-th one left out; relative errors of the mean time of each left-out size.  *median and *p95 are NaN
 * when there are fewer than three sizes. */
ns_status ns_held_out(const double *x, const double *y, size_t count, ns_weights weights, ns_noise noise, double *median,
                      double *p95, ns_error *err);

#endif
