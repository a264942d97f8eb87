/* off_node_device.c -- the step between nodes from device memory, without injection limit
 *
 *     T_off-DA(m, s) = alpha_off-node m + beta_off-node s                                     [NA] (4.4)
 *
 * The few GPUs of a node do not reach its injection rate.  The protocol is that of the mean message size, s/m.
 */
#include "model/parts/node_aware.h"

struct in {
    int protocol;
    double m, s;
};
struct out {
    double startup, transfer, time;
};

static const ns_field inputs[] = {
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by the mean size s/m"),
    NS_IN_DEFAULT(m, "1", "most messages sent off node by one GPU", 1),
    NS_IN(s, "B", "most bytes sent off node by one GPU, over its m messages"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "latency term, alpha m"),
    NS_TERM(transfer, "us", "bandwidth term, beta s"),
    NS_OUT(time, "us", "time of the step"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const double mean = in->m > 0 ? in->s / in->m : in->s;
    const ns_line *line;
    NS_TRY(ns_model_line(machine, NS_DEVICE, NS_OFF_NODE, in->protocol - 1, mean, &line, err));
    out->startup = line->alpha * in->m;
    out->transfer = line->beta * in->s;
    out->time = out->startup + out->transfer;
    return NS_OK;
}

const ns_model ns_model_off_node_device = {
    .name = "off-node-device",
    .title = "the step between nodes from device memory",
    .source = "[NA] equation (4.4)",
    .notes = "No injection limit: wrong where the GPUs of a node together exceed its network interfaces.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
