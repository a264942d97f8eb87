/* host_allreduce.c -- allreduce by the hosts: four algorithms on a machine's tables, and the best of them
 *
 *     recursive doubling  log2 P (t(s) + gamma s);   Rabenseifner  2 sum_i t(s/2^i) + gamma s (1 - 1/P)
 *     ring  2 (P - 1) t(s/P) + gamma s (P - 1)/P;    reduce + broadcast  ceil(log2 P) (2 t(s) + gamma s)
 *
 * P = nodes; several processes on a node reduce to one process and get the result back by the on-node tables, with
 * binomial trees over its sockets and between them.  There is no contention between the messages of a round.  Bytes
 * of a message beyond the size where the tables end (`measured`) are sent at the rate of the port.
 */
#include "model/parts/allreduce.h"

struct in {
    int algorithm, memory;
    double s, nodes, processes, sockets, gamma;
    ns_beyond beyond;
};
struct out {
    double on_node, network, recursive_doubling, rabenseifner, ring, reduce_broadcast, chosen, time;
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
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(on_node, "us", "reducing and returning the result on the node"),
    NS_TERM(network, "us", "between the nodes"),
    NS_OUT(recursive_doubling, "us", "between the nodes by recursive doubling"),
    NS_OUT(rabenseifner, "us", "by Rabenseifner's algorithm"),
    NS_OUT(ring, "us", "by a ring"),
    NS_OUT(reduce_broadcast, "us", "by reduce and broadcast"),
    NS_OUT(chosen, "1", "the algorithm taken: 1 recursive doubling, 2 Rabenseifner, 3 ring, 4 reduce and broadcast"),
    NS_OUT(time, "us", "time of the allreduce"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_collective job = {
        .machine = machine, .memory = in->memory, .nodes = in->nodes, .s = in->s, .gamma = in->gamma,
        .beyond = in->beyond};
    double time[NS_ALLREDUCES], tree;
    int chosen;
    NS_TRY(ns_allreduce_times(&job, time, &chosen, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, 1, &tree, err));
    out->on_node = 2 * tree;
    out->network = time[in->algorithm];
    out->recursive_doubling = time[NS_RECURSIVE_DOUBLING];
    out->rabenseifner = time[NS_RABENSEIFNER];
    out->ring = time[NS_RING];
    out->reduce_broadcast = time[NS_REDUCE_BROADCAST];
    out->chosen = ns_allreduce_run(&job, in->algorithm, chosen);
    out->time = out->on_node + out->network;
    return NS_OK;
}

const ns_model ns_model_host_allreduce = {
    .name = "host-allreduce",
    .title = "allreduce by the hosts: recursive doubling, Rabenseifner, ring, reduce and broadcast",
    .source = "[NA] (2.1) for messages; algorithms: Thakur, Rabenseifner, Gropp, [31] of [SH]",
    .notes = "No contention between the messages of a round; one process a node uses the network.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
