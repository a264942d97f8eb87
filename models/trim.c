/* trim.c -- responses trimmed to the requested sectors
 *
 *     flits of a response of g bytes = ceil((4 + g)/F):  64 B takes 5 of 16 B, a 16 B sector 2
 *     a line later touched in sigma sectors costs sigma requests and responses, so trimming saves flits only for
 *     sigma < full/trimmed (response direction), sigma < (request + full)/(request + trimmed) (both)
 *                                                                                                    [NC] 3.2, 4.3, 5.3
 *     misses: 1 + i q (sigma - 1) with trimming between clusters only, 1 + q (sigma - 1) when every access is trimmed
 *
 * A share q of the reads needs at most a sector, and a share i of the misses goes to another cluster.  sigma is at
 * most the number of sectors of a line.  Every sector is fetched: no line is evicted before its reuse, so the growth
 * of misses is an upper bound.
 */
#include "model/parts/traffic.h"

#include <math.h>

struct in {
    double flit, header, address, line, sector, share, sigma, between;
};
struct out {
    double full, trimmed, kept, saving, saving_both, break_even, break_even_both, misses, misses_all;
};

static const ns_field inputs[] = {
    NS_IN_POSITIVE_FROM(flit, "B", "flit size, F", "models.flits.flit"),
    NS_IN_FROM(header, "B", "metadata of every packet", "models.flits.header"),
    NS_IN_FROM(address, "B", "address in a request", "models.flits.address"),
    NS_IN_POSITIVE_FROM(line, "B", "cache line", "models.flits.line"),
    NS_IN_POSITIVE_FROM(sector, "B", "sector: most bytes that a trimmed response keeps, g", "models.trim.sector"),
    NS_IN_RANGE(share, "1", "share of the reads that need at most a sector, q", 0, 1),
    NS_INPUT(sigma, "1", "sectors of such a line that are touched in the end", .least = 1, .most = NS_MOST,
             .has_default = true, .neutral = 1),
    NS_INPUT(between, "1", "share of the misses that go to another cluster, i", .most = 1, .has_default = true,
             .neutral = 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(full, "1", "flits of a response with a whole line"),
    NS_OUT(trimmed, "1", "flits of a trimmed response"),
    NS_OUT(kept, "B", "bytes of the line that it carries"),
    NS_OUT(saving, "%", "flits saved in the direction of the responses; below 0 it costs"),
    NS_OUT(saving_both, "%", "flits saved in both directions"),
    NS_OUT(break_even, "1", "sectors touched up to which it saves, direction of the responses"),
    NS_OUT(break_even_both, "1", "the same in both directions"),
    NS_OUT(misses, "1", "misses over those without trimming"),
    NS_OUT(misses_all, "1", "the same when every access is trimmed (sector cache)"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const double request = ns_flits_of(in->header + in->address, in->flit);
    const double sigma = fmin(in->sigma, fmax(1, ceil(in->line / in->sector)));
    out->kept = fmin(in->sector, in->line);
    out->full = ns_flits_of(in->header + in->line, in->flit);
    out->trimmed = ns_flits_of(in->header + out->kept, in->flit);
    out->break_even = out->full / out->trimmed;
    out->break_even_both = (request + out->full) / (request + out->trimmed);
    out->saving = in->share * (1 - sigma / out->break_even);
    out->saving_both = in->share * (1 - sigma / out->break_even_both);
    out->misses = 1 + in->between * in->share * (sigma - 1);
    out->misses_all = 1 + in->share * (sigma - 1);
    return NS_OK;
}

const ns_model ns_model_trim = {
    .name = "trim",
    .title = "responses trimmed to a sector, and when that pays",
    .source = "[NC] Sections 3.2, 4.3, 5.3, Figures 7, 16, 17",
    .notes = "Each sector is fetched once; which share of a program's reads needs how much has to be measured.",
    NS_ROWS_AND_EVAL,
};
