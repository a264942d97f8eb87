/* load.h -- work of one process in one step of an exchange */
#ifndef NS_MACHINE_LOAD_H
#define NS_MACHINE_LOAD_H

#include "machine/machine.h"

/* Messages of one class at one process: start-ups and bytes. */
typedef struct ns_class_load {
    double messages; /* a whole number, except for rows of statistics */
    double bytes;
} ns_class_load;

/* The work of one process in one step. */
typedef struct ns_load {
    ns_class_load out[NS_LOCALITIES][NS_PROTOCOLS], in[NS_LOCALITIES][NS_PROTOCOLS];
    double node_out, node_in;                    /* B, off-node bytes of its node */
    double node_on[NS_LOCALITIES][NS_PROTOCOLS]; /* B, moved inside its node by all of its processes */
    double out_squares, in_squares; /* squared numbers of messages sent, received; of statistics, summed over steps */
    double partners;                /* nodes that it sends to or receives from, whichever is more */
    double bundled, node_bundled;   /* B off node that are packed into messages and unpacked, by this process and by its
                                       node */
    bool alone;                     /* the only process on its node: nothing to gather, so nothing is packed */
    double link_bytes;              /* B across the busiest link, an estimate */
    double first, later;            /* number of steps that this represents: one that begins an exchange, and others */
    double handshakes;              /* of these, the steps with a rendezvous message */
    unsigned idle; /* bits NS_PROTOCOLS locality + protocol of classes known to be empty, out and in; 0: unknown */
    bool unlimited[NS_PROTOCOLS]; /* bytes off node of this protocol are not limited by the node's rate */
} ns_load;

/* Derive the rest of a process' load from its messages by class and its node's bytes, which must be filled.  Every
 * derived quantity is added here only.  packs: the strategy packs what it sends off node into messages. */
static inline void ns_load_complete(bool packs, ns_load *load)
{
    double off_node = 0, handshakes = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        handshakes += load->out[l][NS_RENDEZVOUS].messages + load->in[l][NS_RENDEZVOUS].messages;
    load->handshakes = handshakes > 0;
    if (!packs)
        return;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        off_node += load->out[NS_OFF_NODE][p].bytes + load->in[NS_OFF_NODE][p].bytes;
    load->bundled = load->alone ? 0 : off_node;
    load->node_bundled = load->alone ? 0 : load->node_out + load->node_in;
}

#endif
