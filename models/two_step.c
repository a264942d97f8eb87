/* two_step.c -- every GPU sends to its partner on each destination node, which redistributes
 *
 *     T = T_off(m, s_proc) + T_on(s_proc) + T_copy(s_proc, s_recv)                            [NA] Table 6
 *
 * Device-aware has no copies.  case=all ("2-Step All"): m = m_proc->node, every GPU has data for every destination
 * node.  case=one ("2-Step 1", the best case of Section 4.6): the data for a destination node is on one GPU, so the
 * nodes are distributed over the G GPUs and m = ceil(n_dest/G) messages carry the same s_proc.  Only the start-ups and
 * the protocol change; T_on stays, since every GPU of the node may need the received data.  form=printed copies
 * s_node->node to the receiving GPU, paired as in (4.5).
 */
#include "model/parts/node_aware.h"

#include <math.h>

struct in {
    int transport, form, which, protocol;
    double m_proc_node, s_proc, s_node, s_node_node, s_recv, send_nodes, per_node, sockets;
};
struct out {
    double off_node, on_node, copy, time;
};

enum { ALL, ONE };
static const char *const case_words[] = {"all", "one", NULL};

static const ns_field inputs[] = {
    NS_WORD(transport, ns_memory_words, "host: staged through the host; device: device-aware"),
    NS_WORD(form, ns_form_words, "corrected: T_copy(s_proc, s_recv), D2H first; printed: T_copy(s_proc, s_node_node)"),
    NS_INPUT_AT(which, "case", "",
                "all: every GPU sends to every destination node; one: one active GPU per destination node",
                .kind = NS_FIELD_WORD, .words = case_words, .has_default = true),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by the mean size"),
    NS_IN(m_proc_node, "1", "most nodes that one GPU sends to; for case=all"),
    NS_IN(s_proc, "B", "most off-node bytes of one GPU"),
    NS_IN(s_node, "B", "most bytes that one node injects"),
    NS_IN_FROM(s_node_node, "B", "most bytes between two nodes; for form=printed, s_recv where not given", "=s_recv"),
    NS_IN_FROM(s_recv, "B", "most bytes that one GPU receives; s_proc where not given", "=s_proc"),
    NS_IN_FROM(send_nodes, "1", "most nodes that one node sends to, n_dest; for case=one", "=m_proc_node"),
    NS_IN_POSITIVE_FROM(per_node, "1", "GPUs (parts) per node, G", "topology.gpus"),
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets per node", "topology.sockets"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(off_node, "us", "messages between nodes"),
    NS_TERM(on_node, "us", "redistributing within the receiving node"),
    NS_TERM(copy, "us", "copies between device and host"),
    NS_OUT(time, "us", "time of the exchange"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const bool printed = in->form == NS_FORM_PRINTED;
    const ns_tables tables = {machine, in->transport, in->protocol - 1};
    const double m = in->which == ONE ? ceil(in->send_nodes / in->per_node) : in->m_proc_node;
    const double received = printed ? in->s_node_node : in->s_recv;
    ns_off_time off;
    ns_on_time on;
    NS_TRY(ns_node_aware_off(&tables, m, in->s_proc, in->s_node, &off, err));
    NS_TRY(ns_node_aware_on(&tables, in->per_node, in->sockets, in->s_proc, &on, err));
    out->off_node = off.startup + off.transfer;
    out->on_node = on.on_socket + on.on_node;
    out->copy = 0;
    if (in->transport == NS_HOST)
        NS_TRY(ns_node_aware_staging(machine, 1, in->s_proc, received, printed, &out->copy, err));
    out->time = out->off_node + out->on_node + out->copy;
    return NS_OK;
}

const ns_model ns_model_two_step = {
    .name = "two-step",
    .title = "2-Step node-aware communication, staged or device-aware",
    .source = "[NA] Table 6, Section 4.6, equations (4.1), (4.3) to (4.5)",
    .notes = "Worst case on the node: one GPU redistributes all it received to each other GPU.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
