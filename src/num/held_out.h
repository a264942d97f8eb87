/* held_out.h -- how well a line predicts sizes that it has not seen */
#ifndef NS_NUM_HELD_OUT_H
#define NS_NUM_HELD_OUT_H

#include "num/curve.h"

typedef struct ns_held_out_errors {
    double *of_size;    /* of the sizes as they rise; caller's room for as many as there are */
    size_t count;       /* 0 when there are fewer than three sizes */
    double median, p95; /* NaN then */
} ns_held_out_errors;

/* k-fold over the sizes, every k-th one left out; relative errors of the mean time of each left-out size. */
ns_status ns_held_out(const ns_curve *curve, ns_weights weights, ns_held_out_errors *errors, ns_error *err);

#endif
