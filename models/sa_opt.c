/* sa_opt.c -- SAOpt, the sparsity-aware baseline: software makes each request, offline filtering per rank, no headers
 *
 *     T = i requests o_sw / cores,   goodput = cores P / (i o_sw B),   o_sw = o + c P,   P = 4 B k
 *                                                                          [NS] Sections 8.1, 9.1, Figure 10
 *
 * Linear in the cores (measured to 64); never above the line.  requests: the sum over the node's ranks of their unique
 * columns; i: the maximum over ranks / the mean, as ranks wait for each other.  The cores gather, pack and unpack
 * two-sided messages, at c per byte.  Table 7 implies o_sw = 0.74 to 1.02 us at K = 16.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double requests, k, imbalance, cores, overhead, per_byte, value, rate;
};
struct out {
    double goodput, software, line, time;
};

static const ns_field inputs[] = {
    NS_IN(requests, "1", "property requests of the node: unique remote columns per rank, added over its ranks"),
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_IN_DEFAULT(imbalance, "1", "requests of the rank that has most of them, over the mean", 1),
    NS_IN_POSITIVE_FROM(cores, "1", "cores that make requests", "models.sa-opt.cores"),
    NS_IN_POSITIVE_FROM(overhead, "us", "software time per request and core, o", "models.sa-opt.overhead"),
    NS_IN_FROM(per_byte, "ns/B", "software time per byte of a property and core, c", "models.sa-opt.per_byte"),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_IN_POSITIVE_FROM(rate, "GB/s", "line rate, B", "models.rig-batch.rate"),
    NS_END};
static const ns_field outputs[] = {NS_OUT(goodput, "%", "share of the line rate that carries properties"),
                                   NS_OUT(software, "us", "time to make the requests"),
                                   NS_OUT(line, "us", "time of the properties on the line"),
                                   NS_OUT(time, "us", "communication time, the larger of the two"), NS_END};

NS_EVAL(machine, in, out, err)
{
    const double P = in->k * in->value, pace = in->imbalance * (in->overhead + in->per_byte * P) / in->cores;
    out->software = in->requests * pace;
    out->line = in->requests * P / in->rate;
    out->goodput = fmin(1, P / (pace * in->rate));
    out->time = fmax(out->software, out->line);
    return NS_OK;
}

const ns_model ns_model_sa_opt = {
    .name = "sa-opt",
    .title = "SAOpt: requests made by software on every core",
    .source = "[NS] Section 8.1, Figure 10, Table 7",
    .notes = "No network latency, no headers: an optimistic baseline, as the paper's.",
    NS_ROWS_AND_EVAL,
};
