/* triggered_allreduce.c -- allreduce by the network interfaces alone: Portals triggered operations
 *
 *     host-driven  t(s) = alpha + M(s), M = beta s;   triggered  t(s) = rho alpha + M + (n - 1) max(0, g - M/n)
 *     T = arm messages + rounds of the algorithm with the triggered t(s);   n = ceil(s / limit)
 *
 * An arriving message increments a counter; at its threshold the interface sends the next one, an atomic that the
 * target combines into its memory.  No host is involved between two rounds.  The schedule is that of host-allreduce,
 * armed by the host beforehand (arm = 0) or each time.  The paper plans this and gives no time for it.  rho is its
 * ratio of an accumulate by the interface to a two-sided one: that still has a host at the origin, unlike a triggered
 * operation, so the time is an upper bound.  An atomic carries at most `limit`; a longer message is sent in pieces.
 */
#include "model/parts/allreduce.h"

#include <math.h>

struct in {
    int algorithm, memory;
    double s, nodes, processes, sockets, gamma, rho, limit, g, arm;
    ns_beyond beyond;
};
struct out {
    double on_node, arming, network, by_hosts, speedup, messages, chosen, time;
};

static const ns_field inputs[] = {
    NS_WORD(algorithm, ns_allreduce_words, "which algorithm between the nodes"),
    NS_WORD(memory, ns_memory_words, "where the data lies"),
    NS_IN(s, "B", "message length"),
    NS_IN_COLLECTIVE_NODES,
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_IN_DEFAULT(gamma, "ns/B", "time per byte of combining two operands", 0),
    NS_IN_BEYOND_ROWS,
    NS_INPUT(rho, "1", "share of a message's start-up that is left without the hosts",
             .from = "models.triggered-allreduce.rho", .most = 1),
    NS_IN_POSITIVE_FROM(limit, "B", "most bytes of one atomic operation", "models.triggered-allreduce.limit"),
    NS_IN_FROM(g, "ns", "least time between two messages of an interface", "models.triggered-allreduce.g"),
    NS_IN_DEFAULT(arm, "us", "host's time to arm a message; 0: armed before, and used again", 0),
    NS_END};
static const ns_field outputs[] = {
    NS_TERM(on_node, "us", "reducing and returning the result on the node, by the host"),
    NS_TERM(arming, "us", "the host arms the operations of the schedule"),
    NS_TERM(network, "us", "between the nodes, without the hosts"),
    NS_OUT(by_hosts, "us", "the same driven by the hosts, by their best algorithm"),
    NS_OUT(speedup, "1", "over the hosts"),
    NS_OUT(messages, "1", "messages that a node sends"),
    NS_OUT(chosen, "1", "the algorithm taken: 1 recursive doubling, 2 Rabenseifner, 3 ring, 4 reduce and broadcast"),
    NS_OUT(time, "us", "time of the allreduce"),
    NS_END};

/* Pieces follow each other, each by the table's line for a piece: it takes the longer of the time of its bytes and the
 * gap. */
static ns_status triggered(const ns_collective *job, double bytes, double *time, ns_error *err)
{
    const struct in *in = job->by;
    const double pieces = fmax(1, ceil(bytes / in->limit));
    double start_up, moving;
    NS_TRY(ns_host_message(job, fmin(bytes, in->limit), bytes, &start_up, &moving, err));
    *time = in->rho * start_up + moving + (pieces - 1) * fmax(0, in->g - moving / pieces);
    return NS_OK;
}

NS_EVAL(machine, in, out, err)
{
    const ns_collective hosts = {
        .machine = machine, .memory = in->memory, .nodes = in->nodes, .s = in->s, .gamma = in->gamma,
        .beyond = in->beyond};
    ns_collective interfaces = hosts;
    double time[NS_ALLREDUCES], by_hosts[NS_ALLREDUCES], tree;
    int chosen;
    interfaces.driven = triggered;
    interfaces.by = in;
    NS_TRY(ns_allreduce_times(&hosts, by_hosts, NULL, err));
    NS_TRY(ns_allreduce_times(&interfaces, time, &chosen, err));
    NS_TRY(ns_on_node_tree(&hosts, in->processes, in->sockets, 1, &tree, err));
    chosen = ns_allreduce_run(&hosts, in->algorithm, chosen);
    out->on_node = 2 * tree;
    out->messages = in->nodes > 1 ? ns_allreduce_messages(in->nodes, chosen) : 0;
    out->arming = in->arm * out->messages;
    out->network = time[chosen];
    out->chosen = chosen;
    out->time = out->on_node + out->arming + out->network;
    out->by_hosts = out->on_node + by_hosts[NS_ALLREDUCE_BEST];
    out->speedup = out->time > 0 ? out->by_hosts / out->time : 1;
    return NS_OK;
}

const ns_model ns_model_triggered_allreduce = {
    .name = "triggered-allreduce",
    .title = "allreduce by the network interfaces themselves: Portals triggered operations",
    .source = "[RS] Sections 2.6 (planned, no time printed) and 3.2 (ratio, limit); form ours",
    .notes = "An upper bound: rho still has the origin's host. No contention between the messages of a round.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
