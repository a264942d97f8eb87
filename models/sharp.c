/* sharp.c -- allreduce in the switches: tree, channels, distribution, unsupported operations
 *
 *     T = T00 + d t_lvl + c s1 sum k_l + (n - 1) g,   s1 = min(s, 256 B), n = ceil(s/256 B)    [SH] 2, 3.1, Tables 1, 2
 *     g = g0 + max k_l 256 B / link;   two channels a node: k_1 doubles, the step between the sockets goes
 *     RC alone: r1 sum (k_l - 1) + (n - 1) r2 k_1 more;  so does a lost UD packet, p = 1 - (1 - ber)^(bits x links)
 *
 * UD and RC ("both") is the default: the result is distributed by multicast, and the RC copy after it only guarantees
 * delivery.  The paper's 16 and 58 % of UD against RC can mean T_RC/T_UD - 1 or 1 - T_UD/T_RC: `reading` selects the
 * constants.  line_over_ud derives r2 instead: a copy of a segment with InfiniBand's headers at the rate of the link,
 * at least r1.  Product, and types other than 32 and 64 bit, use the host algorithm.  Constants are fitted to Tables
 * 1 and 2.
 */
#include "model/parts/sharp_tree.h"
#include "model/parts/allreduce.h"

#include <math.h>

static const char *const distribution_words[] = {"both", "rc", "ud", NULL};
static const char *const reading_words[] = {"ratio", "saving", NULL};
static const char *const operation_words[] = {"sum", "min", "max", "minloc",  "maxloc",
                                              "and", "or",  "xor", "product", NULL};
static const char *const type_words[] = {"float64", "float32", "int64", "int32", "uint64", "uint32", "other", NULL};
enum { BOTH, RC, UD };
enum { BITWISE = 5, PRODUCT = 8, INTEGERS = 2, OTHER = 6 };

struct in {
    int distribution, reading, operation, type, algorithm;
    ns_sharp sharp;
    double s, channels, processes, sockets, r1, r2, r1_saving, r2_saving, header, ber, message_rate;
    ns_beyond beyond;
};
struct out {
    double base, levels, children, pipeline, copies, lost, on_node, host;
    double in_switch, depth, segments, loss, rc_over_ud, ud_saves, line_over_ud, rate, time;
};

static const ns_field inputs[] = {
    NS_WORD(distribution, distribution_words, "result by UD multicast and RC, by RC alone, or by UD alone"),
    NS_WORD(reading, reading_words, "how the printed gain of UD over RC is read: T_RC/T_UD - 1, or 1 - T_UD/T_RC"),
    NS_WORD(operation, operation_words, "what is computed"),
    NS_WORD(type, type_words, "of what"),
    NS_WORD(algorithm, ns_allreduce_words, "host algorithm for what the switch cannot do"),
    NS_SHARP_ROWS,
    NS_INPUT(s, "B", "message length", .most = NS_MOST, .fitted = 4096),
    NS_INPUT(channels, "1", "connections of a node into the tree, one or one per socket", .least = 1, .most = 64,
             .has_default = true, .neutral = 1),
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_IN_FROM(r1, "ns", "time per copy of the first result, reading ratio", "models.sharp.r1"),
    NS_IN_FROM(r2, "ns", "time per copy of further results, reading ratio", "models.sharp.r2"),
    NS_IN_FROM(r1_saving, "ns", "r1 in reading saving", "models.sharp.r1_saving"),
    NS_IN_FROM(r2_saving, "ns", "r2 in reading saving", "models.sharp.r2_saving"),
    NS_IN_FROM(header, "B", "headers of a packet, for line_over_ud", "models.sharp.header"),
    NS_IN_FROM(ber, "1/bit", "bit error rate of a link", "models.sharp.ber"),
    NS_IN_POSITIVE_FROM(message_rate, "1/us", "messages per second of a port", "models.sharp.message_rate"),
    NS_IN_BEYOND_ROWS,
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(base, "us", "apart from tree and data, T00"),
    NS_TERM(levels, "us", "levels of the tree, d t_lvl"),
    NS_TERM(children, "us", "first aggregation's data of all children, c s1 sum k"),
    NS_TERM(pipeline, "us", "further aggregations, (n - 1) g"),
    NS_TERM(copies, "us", "copies of the result that leave one after another (RC alone)"),
    NS_TERM(lost, "us", "expected wait for RC when a UD packet is lost"),
    NS_TERM(on_node, "us", "reducing and returning the result on the node"),
    NS_TERM(host, "us", "host algorithm between the nodes, for what the switch cannot do"),
    NS_OUT(in_switch, "1", "1: the switch has the operation and type; 0: the hosts compute"),
    NS_OUT(depth, "1", "levels of the tree"),
    NS_OUT(segments, "1", "aggregations, n"),
    NS_OUT(loss, "1", "probability that a UD packet of the operation is lost; with UD alone it does not complete"),
    NS_OUT(rc_over_ud, "%", "RC alone over UD, T_RC/T_UD - 1, without the nodes' own time"),
    NS_OUT(ud_saves, "%", "1 - T_UD/T_RC"),
    NS_OUT(line_over_ud, "%", "rc_over_ud if further copies leave at the rate of the link"),
    NS_OUT(rate, "1/us", "most operations per second that the ports' message rate allows"),
    NS_OUT(time, "us", "time of the allreduce"),
    NS_END
};

static bool in_switch(const struct in *in)
{
    const bool bits = in->operation >= BITWISE && in->operation < PRODUCT;
    return in->operation != PRODUCT && in->type != OTHER && !(bits && in->type < INTEGERS);
}

NS_EVAL(machine, in, out, err)
{
    const ns_collective job = {.machine = machine, .memory = NS_HOST, .nodes = in->sharp.hosts, .s = in->s,
                               .beyond = in->beyond};
    ns_sharp_tree tree;
    double on_node, time[NS_ALLREDUCES];
    if (in->channels != floor(in->channels) || in->channels > fmin(in->sockets, in->processes))
        return ns_fail(err, NS_ERR_RANGE,
                       "%g channels: a node has %g sockets and %g processes, a channel serves one of each",
                       in->channels, in->sockets, in->processes);
    NS_TRY(ns_sharp_grow(&in->sharp, in->channels, &tree, err));
    *out = (struct out){.in_switch = in_switch(in)};
    if (!in_switch(in))
        NS_TRY(ns_allreduce_times(&job, time, NULL, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, in_switch(in) ? in->channels : 1, &on_node, err));
    out->on_node = 2 * on_node;
    if (!in_switch(in)) {
        out->host = time[in->algorithm];
        out->time = out->on_node + out->host;
        return NS_OK;
    }
    const ns_sharp_time t = ns_sharp_operation(&in->sharp, &tree, in->s);
    const double extra = in->reading == 0 ? ns_sharp_copies(&tree, t.segments, in->r1, in->r2)
                                          : ns_sharp_copies(&tree, t.segments, in->r1_saving, in->r2_saving);
    const double copy = fmax(in->r1, (in->sharp.segment + in->header) / in->sharp.link);
    const double bytes = fmax(in->s, 0) * in->sharp.hosts * in->channels;
    out->base = in->sharp.T00;
    out->levels = t.levels;
    out->children = t.children;
    out->pipeline = t.pipeline;
    out->depth = tree.depth;
    out->segments = t.segments;
    out->loss = in->distribution == RC ? 0 : -expm1(-bytes * in->ber);
    out->copies = in->distribution == RC ? extra : 0;
    out->lost = in->distribution == BOTH ? out->loss * extra : 0;
    out->rc_over_ud = t.total > 0 ? extra / t.total : 0;
    out->ud_saves = t.total + extra > 0 ? extra / (t.total + extra) : 0;
    out->line_over_ud = t.total > 0 ? ns_sharp_copies(&tree, t.segments, in->r1, copy) / t.total : 0;
    out->rate = in->message_rate / (t.segments * (in->distribution == BOTH ? 2 : 1));
    out->time = out->base + out->levels + out->children + out->pipeline + out->copies + out->lost + out->on_node;
    return NS_OK;
}

const ns_model ns_model_sharp = {
    .name = "sharp",
    .title = "SHARP: allreduce by aggregation in the switches",
    .source = "[SH] Sections 2, 3.1, Tables 1, 2",
    .notes = "Fitted at 8 and 128 hosts, up to 4096 B; one operation at a time (sharp-concurrent for several).",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
