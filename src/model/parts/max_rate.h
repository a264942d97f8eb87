/* max_rate.h -- bytes of one process while its node shares the injection rate: the transfer term of [NA] (2.2), once
 * for the models and for the forms of the cost function */
#ifndef NS_MODEL_PARTS_MAX_RATE_H
#define NS_MODEL_PARTS_MAX_RATE_H

#include <math.h>

/* own: the bytes' time at the rate of the process; node: all of the node's bytes at the node's. */
static inline double ns_max_rate_transfer(double own, double node)
{
    return own >= node || isnan(node) ? own : node; /* fmax, without a call */
}

#endif
