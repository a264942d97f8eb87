/* load.h -- what one process has to do in one step of an exchange */
#ifndef NS_MACHINE_LOAD_H
#define NS_MACHINE_LOAD_H

#include "machine/machine.h"

/* Messages of one class at one process: start-ups and bytes. */
typedef struct ns_class_load {
    double messages; /* a whole number, but for rows of statistics */
    double bytes;
} ns_class_load;

/* What one process has to do in one step. */
typedef struct ns_load {
    ns_class_load out[NS_LOCALITIES][NS_PROTOCOLS], in[NS_LOCALITIES][NS_PROTOCOLS];
    double node_out, node_in;                    /* B, off-node bytes of its node */
    double node_on[NS_LOCALITIES][NS_PROTOCOLS]; /* B, that move inside its node, over all of its processes */
    double out_squares, in_squares; /* messages sent, received, squared; of statistics, summed over its steps */
    double partners;                /* nodes that it sends to or receives from, the more */
    double bundled, node_bundled;   /* B off node that are gathered into messages and taken out of them, by this
                                       process and by its node */
    bool alone;                     /* on its node, with nobody to gather from: nothing is bundled */
    double link_bytes;              /* B that cross the busiest link, as an estimate */
    double first, later;            /* how many steps this stands for: one that begins an exchange, and others */
    double handshakes;              /* of these, those with a rendezvous message */
    unsigned idle; /* bits NS_PROTOCOLS locality + protocol of classes known to have nothing, out or in; 0: none is */
    bool unlimited[NS_PROTOCOLS]; /* bytes off node of this protocol are not compared with the node's rate */
} ns_load;

/* What of a process' load follows from its messages by class and its node's bytes, which are filled: a quantity that
 * does so is added here, and nowhere else.  packs: the strategy gathers what it sends off node into messages. */
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
