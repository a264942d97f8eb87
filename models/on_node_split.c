/* on_node_split.c -- spreading a node's data over the processes that send it off node
 *
 *     T_on-split(s, ppg) = (pps/ppg - 1) (alpha_on-socket + beta_on-socket s)
 *                        + (pps/ppg)     (alpha_on-node + beta_on-node s)                   [NA] (4.2), two sockets
 *
 * is the worst case with all processes in use: one GPU holds everything, its ppg host processes serve PPN/ppg - 1
 * others, the nearest first.  With u processes in use there are u/ppg - 1 messages.  Even data: each of G GPUs serves
 * its own share of the u processes, ceil(u/(G ppg)) - 1 messages, none of which leaves the socket.  s is the bytes of
 * ONE message: the paper calls it the volume "split across ppg" and inserts s_node, which charges the whole volume to
 * every message.
 */
#include "model/parts/node_aware.h"

struct in {
    int memory, protocol, data;
    double s, ppg, u, host_processes, sockets, per_node;
};
struct out {
    double on_socket, on_node, time;
};

enum { WORST, EVEN };
static const char *const data_words[] = {"worst", "even", NULL};

static const ns_field inputs[] = {
    NS_WORD(memory, ns_memory_words, "where the data lies"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by their size"),
    NS_WORD(data, data_words, "worst: one GPU holds everything; even: every GPU holds its share"),
    NS_IN(s, "B", "bytes of one message"),
    NS_INPUT(ppg, "1", "host processes per GPU that copy its data", .most = NS_MOST, .open = true, .has_default = true,
             .neutral = 1),
    NS_IN_POSITIVE_FROM(u, "1", "processes of the node that send off node", "topology.host_processes"),
    NS_IN_POSITIVE_FROM(host_processes, "1", "host processes per node, PPN", "topology.host_processes"),
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets per node, S", "topology.sockets"),
    NS_IN_FROM(per_node, "1", "GPUs (parts) per node, G; for even data", "topology.gpus"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(on_socket, "us", "messages to processes of the same socket"),
    NS_TERM(on_node, "us", "messages to processes of the other sockets"),
    NS_OUT(time, "us", "time of the step"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_tables tables = {machine, in->memory, in->protocol - 1};
    const ns_spread spread = {.processes = in->host_processes,
                              .sockets = in->sockets,
                              .used = in->u,
                              .parts = in->per_node,
                              .ppg = in->ppg,
                              .even = in->data == EVEN};
    ns_on_time on;
    NS_TRY(ns_node_aware_spread(&tables, &spread, in->s, &on, err));
    out->on_socket = on.on_socket;
    out->on_node = on.on_node;
    out->time = out->on_socket + out->on_node;
    return NS_OK;
}

const ns_model ns_model_on_node_split = {
    .name = "on-node-split",
    .title = "spreading a node's data over the processes that send it off node",
    .source = "[NA] equation (4.2), generalised to u sending processes",
    .notes = "Messages of one process, one after the other; data=worst with u = PPN is the printed equation.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
