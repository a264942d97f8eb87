/* on_node.c -- gathering or redistributing within a node, worst case, for 3-Step and 2-Step
 *
 *     T_on(s) = (gps - 1)   (alpha_on-socket + beta_on-socket s)
 *             + (S - 1) gps (alpha_on-node + beta_on-node s)                                  [NA] (4.1), S = 2
 *
 * gps = GPUs per socket, S = sockets (one drops the second term).  Worst case: one GPU exchanges s bytes with each
 * other GPU of its node, one message after the other.  If S does not divide the number of GPUs, the sockets are filled
 * one after the other.
 */
#include "model/parts/node_aware.h"

struct in {
    int memory, protocol;
    double s, per_node, sockets;
};
struct out {
    double on_socket, on_node, time;
};

static const ns_field inputs[] = {
    NS_WORD(memory, ns_memory_words, "where the data lies"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by their size"),
    NS_IN(s, "B", "bytes of one message: the most that one GPU contributes, or receives from off node"),
    NS_IN_POSITIVE_FROM(per_node, "1", "GPUs (parts) per node, G", "topology.gpus"),
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets per node, S", "topology.sockets"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(on_socket, "us", "messages to GPUs of the same socket"),
    NS_TERM(on_node, "us", "messages to GPUs of the other sockets"),
    NS_OUT(time, "us", "time of the step"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_tables tables = {machine, in->memory, in->protocol - 1};
    ns_on_time on;
    NS_TRY(ns_node_aware_on(&tables, in->per_node, in->sockets, in->s, &on, err));
    out->on_socket = on.on_socket;
    out->on_node = on.on_node;
    out->time = out->on_socket + out->on_node;
    return NS_OK;
}

const ns_model ns_model_on_node = {
    .name = "on-node",
    .title = "gathering or redistributing within a node, worst case",
    .source = "[NA] equation (4.1)",
    .notes = "An upper bound: one GPU holds, or needs, everything, and its messages do not overlap.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
