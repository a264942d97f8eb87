/* barrier.c -- all processes wait for each other: in the switches, and by the hosts
 *
 *     switches  T00 + d t_lvl, an aggregation without data;   hosts  ceil(log2 P) t(0), dissemination      [SH] 2, 3.1
 *
 * The processes of a node synchronise first and are released last, by trees over its sockets.  The paper prints no
 * time of a barrier.
 */
#include "model/parts/sharp_tree.h"
#include "model/parts/allreduce.h"

struct in {
    ns_sharp sharp;
    double processes, sockets;
};
struct out {
    double on_node, switches, hosts_network, by_hosts, gain, time;
};

static const ns_field inputs[] = {
    NS_SHARP_ROWS,
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(on_node, "us", "meeting and being released on the node"),
    NS_TERM(switches, "us", "an aggregation without data"),
    NS_OUT(hosts_network, "us", "the same between the nodes by the hosts"),
    NS_OUT(by_hosts, "us", "barrier by the hosts"),
    NS_OUT(gain, "1", "barrier by the hosts over the one in the switches"),
    NS_OUT(time, "us", "barrier in the switches"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_collective job = {.machine = machine, .memory = NS_HOST, .nodes = in->sharp.hosts};
    ns_sharp_tree tree;
    double node;
    NS_TRY(ns_sharp_grow(&in->sharp, 1, &tree, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, 1, &node, err));
    NS_TRY(ns_barrier_time(&job, &out->hosts_network, err));
    out->on_node = 2 * node;
    out->switches = ns_sharp_operation(&in->sharp, &tree, 0).total;
    out->by_hosts = out->on_node + out->hosts_network;
    out->time = out->on_node + out->switches;
    out->gain = out->time > 0 ? out->by_hosts / out->time : 1;
    return NS_OK;
}

const ns_model ns_model_barrier = {
    .name = "barrier",
    .title = "barrier in the switches (SHARP) and by the hosts",
    .source = "[SH] Sections 2, 3.1; dissemination: [33] of [SH]",
    .notes = "The paper prints no barrier times: the parts are those fitted to its allreduce.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
