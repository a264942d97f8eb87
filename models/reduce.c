/* reduce.c -- reduce to one process: in the switches, and by the hosts
 *
 *     switches  between T1/2 + (n - 1) g and T1 + (n - 1) g;   hosts  ceil(log2 P) (t(s) + gamma s), binomial tree
 *                                                                                                                [SH] 2
 *
 * The way up takes at least half of the time of the allreduce's first aggregation; the result then goes to one host.
 */
#include "model/parts/sharp_tree.h"
#include "model/parts/allreduce.h"

struct in {
    ns_sharp sharp;
    double s, processes, sockets, gamma;
    ns_beyond beyond;
};
struct out {
    double on_node, switches, least, by_hosts, gain, time;
};

static const ns_field inputs[] = {
    NS_SHARP_ROWS,
    NS_IN(s, "B", "message length"),
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_IN_DEFAULT(gamma, "ns/B", "time per byte of combining two operands on a host", 0),
    NS_IN_BEYOND_ROWS,
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(on_node, "us", "reducing on the node"),
    NS_TERM(switches, "us", "in the switches, upper bound"),
    NS_OUT(least, "us", "reduce in the switches, lower bound"),
    NS_OUT(by_hosts, "us", "reduce by the hosts"),
    NS_OUT(gain, "1", "reduce by the hosts over the upper bound of the one in the switches"),
    NS_OUT(time, "us", "reduce in the switches, upper bound"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_collective job = {
        .machine = machine, .memory = NS_HOST, .nodes = in->sharp.hosts, .s = in->s, .gamma = in->gamma,
        .beyond = in->beyond};
    ns_sharp_tree tree;
    double hosts;
    NS_TRY(ns_sharp_grow(&in->sharp, 1, &tree, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, 1, &out->on_node, err));
    NS_TRY(ns_reduce_time(&job, &hosts, err));
    const ns_sharp_time t = ns_sharp_operation(&in->sharp, &tree, in->s);
    out->switches = t.total;
    out->least = out->on_node + t.first / 2 + t.pipeline;
    out->by_hosts = out->on_node + hosts;
    out->time = out->on_node + out->switches;
    out->gain = out->time > 0 ? out->by_hosts / out->time : 1;
    return NS_OK;
}

const ns_model ns_model_reduce = {
    .name = "reduce",
    .title = "reduce in the switches (SHARP) and by the hosts",
    .source = "[SH] Section 2",
    .notes = "The paper prints no times of a reduce: bounds from its allreduce.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
