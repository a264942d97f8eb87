/* sharp_streaming.c -- allreduce of large messages in the switches: consecutive segments, or a stream
 *
 *     stream     T = T00 + d t_lvl + c s1 sum k_l + (s - s1)/(share link),   s1 = min(s, 256 B)
 *     segments   T = ... + (n - 1) g, as sharp
 *
 * A switch with streaming trees aggregates the data of its children, each on its own port, as it arrives, so the rest
 * follows the first segment at the rate of a port.  SwitchIB-2, to which the tree's constants are fitted, has segments
 * only; streaming was introduced with HDR switches, and `share` was measured on these.
 */
#include "model/parts/allreduce.h"
#include "model/parts/sharp_tree.h"

#include <math.h>

struct in {
    ns_sharp sharp;
    double s, processes, sockets, share;
};
struct out {
    double base, levels, children, stream, on_node, in_segments, faster, bandwidth, time;
};

static const ns_field inputs[] = {
    NS_SHARP_ROWS,
    NS_IN(s, "B", "message length"),
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_INPUT(share, "%", "of a link's bandwidth that a stream reaches", .most = 1, .open = true,
             .from = "models.sharp-streaming.share"),
    NS_END};
static const ns_field outputs[] = {NS_TERM(base, "us", "apart from tree and data, T00"),
                                   NS_TERM(levels, "us", "levels of the tree, d t_lvl"),
                                   NS_TERM(children, "us", "first segment of all children, c s1 sum k"),
                                   NS_TERM(stream, "us", "the rest, at the rate of a port"),
                                   NS_TERM(on_node, "us", "reducing and returning the result on the node"),
                                   NS_OUT(in_segments, "us", "the same by segments in a row, as sharp"),
                                   NS_OUT(faster, "1", "over segments"),
                                   NS_OUT(bandwidth, "GB/s", "bytes per second of this message"),
                                   NS_OUT(time, "us", "time of the allreduce"),
                                   NS_END};

NS_EVAL(machine, in, out, err)
{
    const ns_collective job = {.machine = machine, .memory = NS_HOST, .nodes = in->sharp.hosts, .s = in->s};
    ns_sharp_tree tree;
    double on_node;
    NS_TRY(ns_sharp_grow(&in->sharp, 1, &tree, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, 1, &on_node, err));
    const ns_sharp_time t = ns_sharp_operation(&in->sharp, &tree, in->s);
    out->base = in->sharp.T00;
    out->levels = t.levels;
    out->children = t.children;
    out->stream = fmax(0, in->s - in->sharp.segment) / (in->share * in->sharp.link);
    out->on_node = 2 * on_node;
    out->time = out->base + out->levels + out->children + out->stream + out->on_node;
    out->in_segments = t.total + out->on_node;
    out->faster = out->time > 0 ? out->in_segments / out->time : 1;
    out->bandwidth = out->time > 0 ? in->s / out->time : 0;
    return NS_OK;
}

const ns_model ns_model_sharp_streaming = {
    .name = "sharp-streaming",
    .title = "SHARP: allreduce of large messages by a streaming tree",
    .source = "[SH] Section 2, Tables 1, 2 (tree); Graham et al., ISC 2020 (share); form ours",
    .notes = "[SH] ends at 4096 B and has no streaming tree.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
