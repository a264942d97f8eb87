/* filter.c -- number of property requests left after filtering and coalescing
 *
 *     uniform touches: a column touched r times in a run of T issues 1 + r x - x^r, x = RTT_eff/T         filter alone
 *     limits: x -> 0 one request a column; x -> inf every touch, or with coalescing one per (unit, column)
 *     bytes of the Idx Filter = columns / 8                                                 [NS] 5.2, Tables 1, 7, 8
 *     removed = 1 - Q/Z,  or from an ablation 1 - (reduction before)/(reduction after) with equal headers
 *
 * The uniform form is exact for independent uniform times only, but real touches cluster.  src/netsparse schedules
 * every index of the matrix instead; there, issued per column = distinct units that touch it before t_first + RTT_eff.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double Z, unique, pairs, rtt_eff, T, columns, bit, before, after;
};
struct out {
    double touches, x, issued, least, most, removed, removed_most, filter_bytes, removed_measured;
};

static const ns_field inputs[] = {
    NS_IN(Z, "1", "indices fed to the units: remote entries"),
    NS_IN(unique, "1", "distinct remote columns among them"),
    NS_IN_FROM(pairs, "1", "distinct (unit, column) pairs; Z where not given", "=Z"),
    NS_IN(rtt_eff, "us", "round trip with delays"),
    NS_IN_POSITIVE(T, "us", "length of the run"),
    NS_IN_DEFAULT(columns, "1", "columns of the matrix: bits of the filter", 0),
    NS_IN_POSITIVE_FROM(bit, "bit", "memory per column", "models.filter.bit"),
    NS_IN_DEFAULT(before, "1", "a measured traffic reduction without the filter, for removed_measured", 0),
    NS_INPUT(after, "1", "the measured traffic reduction with it", .most = NS_MOST, .open = true, .has_default = true,
             .neutral = 1),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(touches, "1", "mean touches of a column, r"),
    NS_OUT(x, "1", "round trip over run, at most 1"),
    NS_OUT(issued, "1", "requests issued with the filter alone, uniform touches"),
    NS_OUT(least, "1", "requests issued when the round trip is short: unique columns"),
    NS_OUT(most, "1", "requests issued with coalescing when the round trip is long: (unit, column) pairs"),
    NS_OUT(removed, "%", "share of indices dropped, uniform touches"),
    NS_OUT(removed_most, "%", "largest share that can be dropped, 1 - unique/Z"),
    NS_OUT(removed_measured, "%", "share dropped by a measured ablation, 1 - before/after"),
    NS_OUT(filter_bytes, "B", "Idx Filter"),
    NS_END};

NS_EVAL(machine, in, out, err)
{
    if (in->unique > in->Z || in->unique > in->pairs || in->pairs > in->Z)
        return ns_fail(err, NS_ERR_RANGE,
                       "%g unique columns, %g (unit, column) pairs and %g indices: each is at most the next",
                       in->unique, in->pairs, in->Z);
    if (in->unique <= 0 && in->Z > 0)
        return ns_fail(err, NS_ERR_RANGE, "no unique column among %g indices: wanted one at least", in->Z);
    out->touches = in->unique > 0 ? in->Z / in->unique : 0;
    out->x = fmin(1, in->rtt_eff / in->T);
    out->issued = in->unique * (1 + out->touches * out->x - pow(out->x, out->touches));
    out->issued = fmin(in->Z, fmax(in->unique, out->issued));
    out->least = in->unique;
    out->most = in->pairs;
    out->removed = in->Z > 0 ? 1 - out->issued / in->Z : 0;
    out->removed_most = in->Z > 0 ? 1 - in->unique / in->Z : 0;
    out->filter_bytes = in->columns * in->bit;
    out->removed_measured = 1 - in->before / in->after;
    return NS_OK;
}

const ns_model ns_model_filter = {
    .name = "filter",
    .title = "requests left by filtering and coalescing",
    .source = "[NS] Section 5.2, Tables 1, 7, 8",
    .notes = "Exact for touches at independent, uniform times; those of a matrix cluster and want to be scheduled one "
             "by one.",
    NS_ROWS_AND_EVAL,
};
