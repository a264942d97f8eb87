/* off_node.c -- the step between nodes by max-rate, with a machine's tables
 *
 *     T_off(m, s) = alpha_off-node m + max(s_node / R_N, beta_off-node s)                     [NA] (4.3)
 *
 * The protocol is that of the mean message size, s/m.  A memory without an injection limit on the machine has none
 * here.
 */
#include "model/parts/node_aware.h"

struct in {
    int memory, protocol;
    double m, s, s_node;
};
struct out {
    double startup, transfer, time;
};

static const ns_field inputs[] = {
    NS_WORD(memory, ns_memory_words, "where the data lies"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by the mean size s/m"),
    NS_IN_DEFAULT(m, "1", "most messages sent off node by one process", 1),
    NS_IN(s, "B", "most bytes sent off node by one process, over its m messages"),
    NS_IN_FROM(s_node, "B", "most bytes that one node injects; s where one process sends", "=s"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "latency term, alpha m"),
    NS_TERM(transfer, "us", "bandwidth term, the larger of s_node / R_N and beta s"),
    NS_OUT(time, "us", "time of the step"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_tables tables = {machine, in->memory, in->protocol - 1};
    ns_off_time off;
    NS_TRY(ns_node_aware_off(&tables, in->m, in->s, in->s_node, &off, err));
    out->startup = off.startup;
    out->transfer = off.transfer;
    out->time = out->startup + out->transfer;
    return NS_OK;
}

const ns_model ns_model_off_node = {
    .name = "off-node",
    .title = "the step between nodes under the node's injection limit",
    .source = "[NA] equation (4.3)",
    .notes = "No queue search and no contention inside the network.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
