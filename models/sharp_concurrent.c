/* sharp_concurrent.c -- allreduces of several communicators in one tree, with a limited number of operations in flight
 *
 *     one communicator, O outstanding:  T_lat = n g + ceil(n/O) (T1 - g)                              [SH] 3.1, Table 2
 *     c of them on the same aggregation nodes:  T_bw = c n k s1/link,   T = (T_lat^e + T_bw^e)^(1/e);  c = 1: T_lat
 *     not available when c O + reserved > total operations configured
 *
 * The saturated resource is work, not operations in flight.  e = 3 is fitted.  Not reproduced: sixteen communicators
 * at 64 B, where Figure 6 shows 30 % more and this form less than 1 %.
 */
#include "model/parts/sharp_tree.h"

#include <math.h>

struct in {
    ns_sharp sharp;
    double s, communicators, outstanding, total, reserved, exponent;
};
struct out {
    double segments, waves, in_flight, latency, work, slowdown, time;
};

#define COUNT(x, doc_) NS_INPUT(x, "1", doc_, .least = 1, .most = NS_MOST, .has_default = true, .neutral = 1)
static const ns_field inputs[] = {
    NS_SHARP_ROWS,
    NS_IN(s, "B", "message length"),
    COUNT(communicators, "communicators that share the aggregation nodes, c"),
    COUNT(outstanding, "operations of one communicator in flight, O"),
    NS_IN_DEFAULT(total, "1", "operations that the aggregation nodes are configured for; 0: no limit", 0),
    NS_IN_FROM(reserved, "1", "operations taken by the job's own group", "models.sharp-concurrent.reserved"),
    NS_INPUT(exponent, "1", "how sharply latency turns into work, e", .least = 1, .most = 64,
             .from = "models.sharp-concurrent.exponent"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(segments, "1", "aggregations of an operation, n"),
    NS_OUT(waves, "1", "waves of at most O of them"),
    NS_OUT(in_flight, "1", "aggregations in flight over all communicators"),
    NS_OUT(latency, "us", "time of one communicator alone, T_lat"),
    NS_OUT(work, "us", "time of everybody's data at line rate, T_bw"),
    NS_OUT(slowdown, "%", "longer than a communicator alone"),
    NS_OUT(time, "us", "time of an allreduce"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    ns_sharp_tree tree;
    NS_TRY(ns_sharp_grow(&in->sharp, 1, &tree, err));
    const double wanted = in->communicators * in->outstanding + in->reserved;
    if (in->total > 0 && wanted > in->total)
        return ns_fail(err, NS_ERR_RANGE,
                       "not available: %g communicators with %g operations each and %g reserved need %g, there are %g",
                       in->communicators, in->outstanding, in->reserved, wanted, in->total);
    const ns_sharp_time t = ns_sharp_operation(&in->sharp, &tree, in->s);
    out->segments = t.segments;
    out->waves = ceil(t.segments / in->outstanding);
    out->in_flight = in->communicators * fmin(in->outstanding, t.segments);
    out->latency = (t.segments - out->waves) * t.gap + out->waves * t.first;
    out->work = in->communicators * t.segments * tree.most * fmin(in->s, in->sharp.segment) / in->sharp.link;
    out->time = out->latency;
    const double large = fmax(out->latency, out->work), small = fmin(out->latency, out->work);
    if (in->communicators > 1) /* (a^e + b^e)^(1/e) computed without overflow */
        out->time = large > 0 ? large * pow(1 + pow(small / large, in->exponent), 1 / in->exponent) : 0;
    out->slowdown = out->latency > 0 ? out->time / out->latency - 1 : 0;
    return NS_OK;
}

const ns_model ns_model_sharp_concurrent = {
    .name = "sharp-concurrent",
    .title = "SHARP: several communicators in one tree, operations in flight",
    .source = "[SH] Section 3.1, Table 2, Figure 6",
    .notes = "An evaluation that lacks resources is refused: the N/A of Table 2.",
    NS_ROWS_AND_EVAL,
};
