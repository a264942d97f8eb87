/* max_rate.h -- transfer time of one process while its node shares the injection rate: the transfer term of [NA] (2.2),
 * shared by the models and the forms of the cost function */
#ifndef NS_MODEL_PARTS_MAX_RATE_H
#define NS_MODEL_PARTS_MAX_RATE_H

#include <math.h>

/* own: time of the process' bytes at its own rate; node: time of all of the node's bytes at the node's rate. */
static inline double ns_max_rate_transfer(double own, double node)
{
    return own >= node || isnan(node) ? own : node; /* fmax, inlined */
}

#endif
