/* three_step.c -- gather on the node, one message per pair of nodes, redistribute
 *
 *     T = T_off(k, k s_node->node) + 2 T_on(s_node->node) + T_copy(s_proc, s_recv),  k = ceil(n_dest/G)   corrected
 *     T = T_off(1, s_node->node) + 2 T_on(s_node->node) + T_copy(s_proc, s_node->node)                    [NA] Table 6
 *
 * Device-aware has no copies.  The printed form assigns one destination node to each process, which is a bound only
 * for n_dest <= G; with more, a process serves k of them.  The received bytes of T_copy are those of one GPU, not
 * those that one node sends to another.
 */
#include "model/parts/node_aware.h"

#include <math.h>

struct in {
    int transport, form, protocol;
    double s_proc, s_node, s_node_node, s_recv, send_nodes, per_node, sockets;
};
struct out {
    double off_node, on_node, copy, time;
};

static const ns_field inputs[] = {
    NS_WORD(transport, ns_memory_words, "host: staged through the host; device: device-aware"),
    NS_WORD(form, ns_form_words, "corrected: a process serves ceil(n_dest/G) nodes; printed: one"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by their size"),
    NS_IN(s_proc, "B", "most off-node bytes of one GPU"),
    NS_IN(s_node, "B", "most bytes that one node injects"),
    NS_IN(s_node_node, "B", "most bytes between two nodes"),
    NS_IN_FROM(s_recv, "B", "most bytes that one GPU receives; s_proc where not given", "=s_proc"),
    NS_IN(send_nodes, "1", "most nodes that one node sends to, n_dest"),
    NS_IN_POSITIVE_FROM(per_node, "1", "GPUs (parts) per node, G", "topology.gpus"),
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets per node", "topology.sockets"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(off_node, "us", "messages between nodes"),
    NS_TERM(on_node, "us", "gathering and redistributing within the nodes"),
    NS_TERM(copy, "us", "copies between device and host"),
    NS_OUT(time, "us", "time of the exchange"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const bool printed = in->form == NS_FORM_PRINTED;
    const ns_tables tables = {machine, in->transport, in->protocol - 1};
    const double k = printed ? 1 : ceil(in->send_nodes / in->per_node);
    const double received = printed ? in->s_node_node : in->s_recv;
    ns_off_time off;
    ns_on_time on;
    NS_TRY(ns_node_aware_off(&tables, k, k * in->s_node_node, in->s_node, &off, err));
    NS_TRY(ns_node_aware_on(&tables, in->per_node, in->sockets, in->s_node_node, &on, err));
    out->off_node = off.startup + off.transfer;
    out->on_node = 2 * (on.on_socket + on.on_node);
    out->copy = 0;
    if (in->transport == NS_HOST)
        NS_TRY(ns_node_aware_staging(machine, 1, in->s_proc, received, printed, &out->copy, err));
    out->time = out->off_node + out->on_node + out->copy;
    return NS_OK;
}

const ns_model ns_model_three_step = {
    .name = "three-step",
    .title = "3-Step node-aware communication, staged or device-aware",
    .source = "[NA] Table 6, equations (4.1), (4.3) to (4.5)",
    .notes = "Worst case on the node: all data of a pair of nodes starts, and ends, on one GPU.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
