/* netcrafter.c -- stitching, trimming and sequencing together: flits, waits and speedup on the slow link
 *
 *     S = T/T',  T = 1 + phi (b - 1) + phi_in (b_in - 1),  T' = T - phi b (1 - x) - lambda (1 - y)
 *     phi: share of the time that the slow link bounds: given as `bound`, or from the ideal network,
 *     (1 - 1/ideal)/(1 - slow/fast), but at most `load`, since a link bounds nothing while it is idle;
 *     b = slow/bandwidth, b_in = fast/inner; x = flits left; y = page walk left; lambda = share of time in page walks
 *     x = 1 - (reads trimmed) (full - sigma trimmed) - (tails stitched)                    [NC] 3.1, 4, 5.2 to 5.5
 *
 * Packets are the mix of reads, writes and share, or counts: read_req, write_req and pt_req, each with its response.
 * phi depends on the application: the best case of the paper, 1.64, needs phi >= 0.39 even if every flit were removed.
 * Overlap of the link-bound parts is neglected, and the gain at other bandwidths assumes the same mix of flits.
 * phi_in models a slower inner network (Figure 22, homogeneous): not printed, 0 unless given.
 */
#include "model/parts/pooling.h"
#include "model/parts/traffic.h"

#include <math.h>

static const char *const matching_words[] = {"queue", "best", "none", NULL};

struct in {
    int matching;
    double reads, writes, share, read_req, write_req, pt_req, mix_flit, flit, header, address, line;
    double trimmed, sector, sigma, load, window, clock, switches, t_switch, accesses, urgent;
    double slow, fast, bandwidth, inner, ideal, bound, phi_in, walk_time, measured;
};
struct out {
    double flits, after_trim, stitched, flits_left, bytes, bytes_left;
    double wait_fifo, wait_page_table, wait_data, added, walk_left;
    double phi, implied_left, least_phi, speedup_bytes, speedup;
};

static const ns_field inputs[] = {
    NS_WORD(matching, matching_words,
            "tails stitched: as the queue finds partners, every one that has a partner, or none"),
    NS_IN_DEFAULT(reads, "1", "reads, relative to writes", 1),
    NS_IN_DEFAULT(writes, "1", "writes, relative to reads", 0),
    NS_INPUT(share, "%", "page-table flits among all flits, at flits of mix_flit", .most = 0.999,
             .from = "models.sequence.share"),
    NS_IN_DEFAULT(read_req, "1", "reads counted, with their responses; counts stand for reads, writes and share", 0),
    NS_IN_DEFAULT(write_req, "1", "writes counted, with their responses", 0),
    NS_IN_DEFAULT(pt_req, "1", "page-table requests counted, with their responses", 0),
    NS_IN_POSITIVE_FROM(mix_flit, "B", "flit size at which the share holds", "models.netcrafter.mix_flit"),
    NS_IN_POSITIVE_FROM(flit, "B", "flit size", "models.flits.flit"),
    NS_IN_FROM(header, "B", "metadata of every packet", "models.flits.header"),
    NS_IN_FROM(address, "B", "address in requests and in page-table responses", "models.flits.address"),
    NS_IN_POSITIVE_FROM(line, "B", "cache line", "models.flits.line"),
    NS_INPUT(trimmed, "1", "share of the reads that need at most a sector", .most = 1, .has_default = true),
    NS_IN_POSITIVE_FROM(sector, "B", "sector", "models.trim.sector"),
    NS_INPUT(sigma, "1", "sectors of a trimmed line that are touched in the end", .least = 1, .most = 64,
             .has_default = true, .neutral = 1),
    NS_IN_RANGE(load, "1", "flits offered per flit time at the bandwidth `slow`, untrimmed", 0, 0.9999),
    NS_IN_FROM(window, "1", "pooling window, cycles", "models.stitch.window"),
    NS_IN_POSITIVE_FROM(clock, "GHz", "clock of the switch", "models.stitch.clock"),
    NS_IN_FROM(switches, "1", "switches on the way", "models.sequence.switches"),
    NS_IN_FROM(t_switch, "ns", "latency of a switch", "models.sequence.t_switch"),
    NS_IN_DEFAULT(accesses, "1", "dependent accesses of a page walk over the link", 1),
    NS_INPUT(urgent, "%", "page-table flits that go first: those of reads", .most = 1, .has_default = true,
             .neutral = 1),
    NS_IN_POSITIVE_FROM(slow, "GB/s", "bandwidth between clusters, baseline", "models.netcrafter.slow"),
    NS_IN_POSITIVE_FROM(fast, "GB/s", "bandwidth inside a cluster, baseline and ideal", "models.netcrafter.fast"),
    NS_IN_POSITIVE_FROM(bandwidth, "GB/s", "bandwidth between clusters asked for; slow where not given", "=slow"),
    NS_IN_POSITIVE_FROM(inner, "GB/s", "bandwidth inside a cluster asked for; fast where not given", "=fast"),
    NS_INPUT(ideal, "1", "speedup when every link has the bandwidth `fast`", .least = 1, .most = NS_MOST,
             .from = "models.netcrafter.ideal"),
    NS_INPUT(bound, "1", "share of the time that the slow link bounds; 0: what ideal says, at most load", .most = 1,
             .has_default = true),
    NS_INPUT(phi_in, "1", "share of the time that the inner links bound", .most = 1, .has_default = true),
    NS_INPUT(walk_time, "1", "share of the time in page walks over the slow link, lambda", .most = 1,
             .has_default = true),
    NS_INPUT(measured, "1", "a measured speedup, for implied_left and least_phi", .least = 1, .most = NS_MOST,
             .has_default = true, .neutral = 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(flits, "1", "flits per read and write, before"),
    NS_OUT(after_trim, "%", "flits left by trimming"),
    NS_OUT(stitched, "%", "tails that find a partner"),
    NS_OUT(flits_left, "%", "flits left by both, x"),
    NS_OUT(bytes, "B", "bytes on the link per read and write, before"),
    NS_OUT(bytes_left, "B", "the same after"),
    NS_OUT(wait_fifo, "ns", "mean wait for the link, before"),
    NS_OUT(wait_page_table, "ns", "mean wait of page-table flits after"),
    NS_OUT(wait_data, "ns", "mean wait of data after"),
    NS_OUT(added, "ns", "mean wait of a tail beyond it, by pooling"),
    NS_OUT(walk_left, "%", "time of a page walk left, y"),
    NS_OUT(phi, "%", "share of the baseline's time that the slow link bounds"),
    NS_OUT(implied_left, "%", "flits left that would explain the measured speedup"),
    NS_OUT(least_phi, "%", "least phi that allows the measured speedup"),
    NS_OUT(speedup_bytes, "1", "speedup by fewer flits alone"),
    NS_OUT(speedup, "1", "speedup"),
    NS_END
};

/* Packets per read and write, or the given counts; a share q of the reads is trimmed. */
static void fill_mix(const struct in *in, double q, ns_flit_mix *mix)
{
    const double small = in->header + in->address, sectors = fmax(1, ceil(in->line / in->sector));
    const double rounds = 1 - q + q * fmin(in->sigma, sectors);
    const bool counted = in->read_req + in->write_req + in->pt_req > 0;
    const double reads = counted ? in->read_req : in->reads, writes = counted ? in->write_req : in->writes;
    ns_flit_mix base = {.flit = in->mix_flit};
    ns_flit_mix_add(&base, small, reads, false);
    ns_flit_mix_add(&base, in->header + in->line, reads, false);
    ns_flit_mix_add(&base, small + in->line, writes, false);
    ns_flit_mix_add(&base, in->header, writes, false);
    const double walk = ns_flits_of(small, in->mix_flit);
    *mix = (ns_flit_mix){.flit = in->flit};
    ns_flit_mix_add(mix, small, reads * rounds, false);
    ns_flit_mix_add(mix, in->header + in->line, reads * (1 - q), false);
    ns_flit_mix_add(mix, in->header + fmin(in->sector, in->line), reads * (rounds - 1 + q), false);
    ns_flit_mix_add(mix, small + in->line, writes, false);
    ns_flit_mix_add(mix, in->header, writes, false);
    if (counted)
        ns_flit_mix_add(mix, small, 2 * in->pt_req, true);
    else if (walk > 0)
        ns_flit_mix_add(mix, small, in->share / (1 - in->share) * base.flits / walk, true);
}

/* Stitch the trimmed mix at its load. */
static ns_status stitch(const struct in *in, const ns_flit_mix *mix, double load, ns_pooled *p, ns_error *err)
{
    const ns_stitch_pairs pairs = ns_stitch_find_pairs(mix);
    const ns_pooled_link link = {
        .load = load,
        .parents = pairs.parents / mix->flits,
        .candidates = pairs.candidates / mix->flits,
        .page_table = pairs.candidates > 0 ? pairs.page_table / pairs.candidates : 0,
        .window = in->window / in->clock / (in->flit / in->bandwidth),
        .spare_page_table = true,
    };
    NS_TRY(ns_pool_link(&link, p, err));
    if (in->matching == 1) {
        p->saving = fmin(link.parents, link.candidates);
        p->matched = link.parents > 0 ? p->saving / link.parents : 0;
        p->load = load * (1 - p->saving);
    } else if (in->matching == 2)
        *p = (ns_pooled){.load = load};
    return NS_OK;
}

static ns_status speedups(const struct in *in, struct out *out, ns_error *err)
{
    if (in->fast <= in->slow)
        return ns_fail(err, NS_ERR_RANGE, "the links inside a cluster have to be faster than the slow one");
    const double most = in->bound > 0 ? in->bound : (1 - 1 / in->ideal) / (1 - in->slow / in->fast);
    if (in->bound > in->load)
        return ns_fail(err, NS_ERR_RANGE, "a link that is busy for %.4g of the time cannot bound %.4g of it", in->load,
                       in->bound);
    if (most + in->phi_in + in->walk_time > 1)
        return ns_fail(err, NS_ERR_RANGE, "shares of the time add up to %.4g: the slow link has %.4g of it",
                       most + in->phi_in + in->walk_time, most);
    out->phi = fmin(most, in->load);
    const double b = in->slow / in->bandwidth, inner = in->fast / in->inner;
    const double before = 1 + out->phi * (b - 1) + in->phi_in * (inner - 1);
    const double bytes = before - out->phi * b * (1 - out->flits_left);
    out->speedup_bytes = before / bytes;
    out->speedup = before / (bytes - in->walk_time * (1 - out->walk_left));
    out->least_phi = 1 - 1 / in->measured;
    out->implied_left = out->phi > 0 ? fmax(0, 1 - out->least_phi / out->phi) : 1;
    return NS_OK;
}

NS_EVAL(machine, in, out, err)
{
    ns_flit_mix before, after;
    ns_pooled pooled;
    fill_mix(in, 0, &before);
    fill_mix(in, in->trimmed, &after);
    const double load = in->load * (in->slow / in->bandwidth);
    if (!(before.flits > 0))
        return ns_fail(err, NS_ERR_RANGE, "reads and writes are both 0");
    if (load >= 1)
        return ns_fail(err, NS_ERR_RANGE, "the slow link would be offered %.4g flits per flit time", load);
    NS_TRY(stitch(in, &after, load * (after.flits / before.flits), &pooled, err));
    *out = (struct out){.flits = before.flits, .after_trim = after.flits / before.flits, .stitched = pooled.matched};
    out->flits_left = out->after_trim * (1 - pooled.saving);
    out->bytes = before.flits * in->flit;
    out->bytes_left = out->bytes * out->flits_left;
    const double flit_time = in->flit / in->bandwidth, way = in->switches * in->t_switch;
    const double urgent = load * in->urgent * before.page_table / before.flits;
    const ns_priority w = ns_priority_waits(pooled.load, pooled.load > 0 ? fmin(1, urgent / pooled.load) : 0, 1);
    out->wait_fifo = ns_queue_wait(load, 1) * flit_time;
    out->wait_page_table = w.first * flit_time;
    out->wait_data = w.rest * flit_time;
    out->added = pooled.added * flit_time;
    const double walk = way + out->wait_fifo;
    out->walk_left = walk > 0 && in->accesses > 0 ? (way + out->wait_page_table) / walk : 1;
    return speedups(in, out, err);
}

const ns_model ns_model_netcrafter = {
    .name = "netcrafter",
    .title = "NetCrafter: fewer flits, shorter waits and speedup on the slow link between GPU clusters",
    .source = "[NC] Sections 3.1, 4, 5.2 to 5.5, Figures 14, 15, 20 to 22",
    .notes = "Open traffic at a given load; where bound is not given, phi is that of the mean of the paper's "
             "applications, or the load where that is less.",
    NS_ROWS_AND_EVAL,
};
