/* held_out.h -- how well a line predicts sizes that were held out */
#ifndef NS_NUM_HELD_OUT_H
#define NS_NUM_HELD_OUT_H

#include "num/curve.h"

typedef struct ns_held_out_errors {
    double *of_size;    /* by rising size; the caller provides one element per size */
    size_t count;       /* 0 when there are fewer than three sizes */
    double median, p95; /* NaN if count is 0 */
} ns_held_out_errors;

/* k-fold cross-validation over the sizes, leaving out every k-th one; relative errors of the mean time of each such
 * size. */
ns_status ns_held_out(const ns_curve *curve, ns_weights weights, ns_held_out_errors *errors, ns_error *err);

#endif
