/* netsparse_end_to_end.c -- a distributed kernel against one node: computation by a roofline, and communication
 *
 *     T_comp = imbalance max(flop/peak, bytes/bandwidth),   max(T_comp, T_comm) <= T <= T_comp + T_comm
 *     T_1 = nodes max(flop/peak, bytes/bandwidth)                              [NS] Figures 13, 14, 21
 *
 * flop and bytes are means over the nodes.  Ideal speedup: T_1/T_comp; 128 nodes reach 72 in the paper, an imbalance
 * of 1.78.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double flop, bytes, peak, bandwidth, imbalance, nodes, communication;
};
struct out {
    double computation, best, worst, single, ideal, speedup_best, speedup_worst, ratio;
};

static const ns_field inputs[] = {
    NS_IN(flop, "Gflop", "operations of a mean node"),
    NS_IN_POSITIVE(bytes, "B", "memory traffic of a mean node"),
    NS_IN_POSITIVE_FROM(peak, "Gflop/s", "peak rate of a node", "models.netsparse-end-to-end.peak"),
    NS_IN_POSITIVE_FROM(bandwidth, "GB/s", "memory bandwidth of a node", "models.netsparse-end-to-end.bandwidth"),
    NS_IN_DEFAULT(imbalance, "1", "computation of the slowest node over the mean", 1),
    NS_IN_POSITIVE(nodes, "1", "nodes"),
    NS_IN(communication, "us", "communication time, T_comm"),
    NS_END};
static const ns_field outputs[] = {NS_OUT(computation, "us", "computation of the slowest node, T_comp"),
                                   NS_OUT(best, "us", "all overlapped"),
                                   NS_OUT(worst, "us", "nothing overlapped"),
                                   NS_OUT(single, "us", "one node, T_1"),
                                   NS_OUT(ideal, "1", "speedup over one node without communication"),
                                   NS_OUT(speedup_best, "1", "speedup over one node, all overlapped"),
                                   NS_OUT(speedup_worst, "1", "speedup over one node, nothing overlapped"),
                                   NS_OUT(ratio, "1", "communication over computation"),
                                   NS_END};

NS_EVAL(machine, in, out, err)
{
    const double mean = fmax(in->flop / in->peak, in->bytes / in->bandwidth);
    out->computation = fmax(in->imbalance, 1) * mean;
    out->best = fmax(out->computation, in->communication);
    out->worst = out->computation + in->communication;
    out->single = in->nodes * mean;
    out->ideal = out->single / out->computation;
    out->speedup_best = out->single / out->best;
    out->speedup_worst = out->single / out->worst;
    out->ratio = in->communication / out->computation;
    return NS_OK;
}

const ns_model ns_model_netsparse_end_to_end = {
    .name = "netsparse-end-to-end",
    .title = "bounds of a distributed kernel's speedup over one node",
    .source = "[NS] Section 9.1, 9.6, Figures 13, 14, 21",
    .notes = "How much overlaps is not modelled: two bounds.  Plot values are not in the paper's text.",
    NS_ROWS_AND_EVAL,
};
