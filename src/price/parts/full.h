/* full.h -- parts and rows of the form "full" by number, and what stands for the numbers that a machine lacks */
#ifndef NS_PRICE_PARTS_FULL_H
#define NS_PRICE_PARTS_FULL_H

#include "machine/form.h"

enum {
    NS_FULL_QUEUE,
    NS_FULL_BOTH_ENDS,
    NS_FULL_BOTH_WAYS,
    NS_FULL_SHARED_RATE,
    NS_FULL_START_UP,
    NS_FULL_IN_FLIGHT,
    NS_FULL_STEPS,
    NS_FULL_MEMORY,
    NS_FULL_HANDSHAKES,
    NS_FULL_PACKED,
    NS_FULL_CROWDED,
    NS_FULL_FLOOR_PART
};
enum {
    NS_FULL_ALPHA,
    NS_FULL_BETA,
    NS_FULL_LIMIT,
    NS_FULL_OVERHEAD,
    NS_FULL_R,
    NS_FULL_R_N,
    NS_FULL_CROWDING,
    NS_FULL_GAMMA,
    NS_FULL_HANDSHAKE,
    NS_FULL_PACK,
    NS_FULL_NODE_PACK,
    NS_FULL_FLOOR,
    NS_FULL_FLOOR_STEP,
    NS_FULL_DIRECTIONS,
    NS_FULL_PAIRS
};

/* The slot of a class in a row with a number for each class. */
static inline int ns_class_slot(const ns_form_values *v, int row, int locality, int protocol)
{
    return v->first[row] + NS_PROTOCOLS * locality + protocol;
}

/* Fill what a machine lacks from what it has; the rules stand in missing.c. */
void ns_full_derive(ns_form_values *v);

#endif
