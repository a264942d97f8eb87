/* split.c -- a node's off-node data in capped chunks over all its processes, Split+MD and Split+DD
 *
 * Corrected (default), what Algorithm 1 of [NA] does; x = s_node->node, V = bytes the node receives, n = recv_nodes:
 *     cap' = cap if x < cap (one chunk per node), else max(cap, V/PPN)
 *     C    = min(n ceil(x/cap'), ceil(V/cap') + n - 1) chunks,  u = min(C, PPN) processes,  m = ceil(C/PPN) messages
 *     T    = T_off(m, s_node/u) + T_on-split(s_node/u) + T_on-split(V/u) + T_copy(s_proc, s_recv)
 * The first bound on C is exact for equal nodes, the second for one large node among small ones.  V/PPN is not rounded
 * up to a whole byte.
 *
 * Printed, [NA] Table 6:
 *     T    = T_off(m_proc->node, s_node/PPN) + 2 T_on-split(s_node, ppg) + T_copy(s_proc, s_node->node)
 * Shares: the printed count, with messages of s_node/PPN.  Split+MD wins with neither of these two, though it does
 * in Figure 4.3.  MD: ppg = 1; DD: ppg = 4 copying processes per GPU.
 */
#include "model/parts/node_aware.h"

#include <math.h>

struct in {
    int variant, form, data, protocol;
    double s_proc, s_node, s_node_node, s_node_recv, s_recv, recv_nodes, m_proc_node;
    double cap, host_processes, per_node, sockets;
};
struct out {
    double off_node, on_node, copy, time, chunks, used;
};

enum { MD, DD };
enum { CORRECTED, PRINTED, SHARES };
enum { EVEN, WORST };
static const char *const variant_words[] = {"md", "dd", NULL};
static const char *const form_words[] = {"corrected", "printed", "shares", NULL};
static const char *const data_words[] = {"even", "worst", NULL};

static const ns_field inputs[] = {
    NS_WORD(variant, variant_words, "md: one process copies and distributes; dd: four share each GPU's pointer"),
    NS_WORD(form, form_words, "corrected: chunks of Algorithm 1; printed: Table 6; shares: messages of s_node/PPN"),
    NS_WORD(data, data_words, "corrected form: even: every GPU holds its share; worst: one GPU holds everything"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by their size"),
    NS_IN(s_proc, "B", "most off-node bytes of one GPU"),
    NS_IN(s_node, "B", "most bytes that one node injects"),
    NS_IN(s_node_node, "B", "most bytes between two nodes"),
    NS_IN_FROM(s_node_recv, "B", "most bytes that one node receives, V; s_node where not given", "=s_node"),
    NS_IN_FROM(s_recv, "B", "most bytes that one GPU receives; s_proc where not given", "=s_proc"),
    NS_IN(recv_nodes, "1", "most nodes that one node receives from, n"),
    NS_IN_DEFAULT(m_proc_node, "1", "nodes that one process sends to; printed form and shares", 1),
    NS_IN_DEFAULT(cap, "B", "message cap; 0 for the machine's, models.split.cap or its first rendezvous size", 0),
    NS_IN_POSITIVE_FROM(host_processes, "1", "host processes per node, PPN", "topology.host_processes"),
    NS_IN_POSITIVE_FROM(per_node, "1", "GPUs (parts) per node, G", "topology.gpus"),
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets per node", "topology.sockets"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(chunks, "1", "messages that one node sends off node, C"),
    NS_OUT(used, "1", "processes that send off node, u"),
    NS_TERM(off_node, "us", "messages between nodes"),
    NS_TERM(on_node, "us", "distributing and redistributing within the nodes"),
    NS_TERM(copy, "us", "copies between device and host"),
    NS_OUT(time, "us", "time of the exchange"),
    NS_END
};

/* Number of chunks that a node receives.  x/cap' = min(x/cap, x PPN/V), so that rounding of cap' cannot add a
 * chunk. */
static double chunks(const struct in *in, double cap)
{
    const double x = in->s_node_node, V = in->s_node_recv, n = ceil(in->recv_nodes);
    if (x <= 0 || V <= 0 || n <= 0)
        return 0;
    if (x < cap)
        return n;
    const double per_pair = ceil(fmin(x / cap, x * in->host_processes / V));
    const double together = ceil(fmin(V / cap, in->host_processes)) + n - 1;
    return fmin(n * per_pair, together);
}

NS_EVAL(machine, in, out, err)
{
    const bool corrected = in->form == CORRECTED, printed = in->form == PRINTED;
    const ns_tables tables = {machine, NS_HOST, in->protocol - 1};
    const double PPN = in->host_processes, cap = in->cap > 0 ? in->cap : ns_machine_message_cap(machine);
    const double ppg = in->variant == DD ? 4 : 1, copied = printed ? in->s_node_node : in->s_recv;
    *out = (struct out){.chunks = corrected ? chunks(in, cap) : PPN * in->m_proc_node};
    out->used = fmin(out->chunks, PPN);
    if (out->used > 0) {
        const double sent = printed ? in->s_node : in->s_node / out->used;
        const double received = corrected ? in->s_node_recv / out->used : sent;
        const ns_spread spread = {.processes = PPN,
                                  .sockets = in->sockets,
                                  .used = out->used,
                                  .parts = in->per_node,
                                  .ppg = ppg,
                                  .even = corrected && in->data == EVEN};
        ns_off_time off;
        ns_on_time first, last;
        NS_TRY(ns_node_aware_off(&tables, ceil(out->chunks / PPN), in->s_node / out->used, in->s_node, &off, err));
        NS_TRY(ns_node_aware_spread(&tables, &spread, sent, &first, err));
        NS_TRY(ns_node_aware_spread(&tables, &spread, received, &last, err));
        out->off_node = off.startup + off.transfer;
        out->on_node = first.on_socket + first.on_node + (last.on_socket + last.on_node);
    }
    NS_TRY(ns_node_aware_staging(machine, ppg, in->s_proc, copied, printed, &out->copy, err));
    out->time = out->off_node + out->on_node + out->copy;
    return NS_OK;
}

const ns_model ns_model_split = {
    .name = "split",
    .title = "Split communication over all host processes, Split+MD and Split+DD",
    .source = "[NA] Table 6, Algorithm 1, equations (4.2), (4.3), (4.5)",
    .notes = "Receiving nodes are taken as equal or as one large among small ones; the processes send equal shares.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
