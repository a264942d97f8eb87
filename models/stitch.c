/* stitch.c -- partly filled flits that share one: the best packing, and the part that a queue with pooling achieves
 *
 * Packing: a flit's empty bytes take whole packets as they are and tails of longer packets with ID and Size; exact.
 * Expected: tails that some whole packet fits into (parents) and these packets (candidates) arrive in the link's queue
 * and wait for each other while they queue and, with pooling, for the window; double-ended queue with patience:
 *     u = d/(lc exp(d (w_p + w_c)) - lp),  d = lc - lp;   flits saved = lp (1 - u)                   [NC] 3.2, 4.2, 5.4
 * The load that remains sets the queueing time, rho/(2 (1 - rho)), and is solved for.  Page-table packets wait for the
 * window only when pooling is not selective.  One candidate a parent, and no tail in a tail: the expected saving is a
 * lower bound where flits are long enough for more.
 */
#include "model/parts/pooling.h"
#include "model/parts/traffic.h"

static const char *const pooling_words[] = {"selective", "all", "none", NULL};
enum { SELECTIVE, ALL, NONE };

struct in {
    ns_traffic traffic;
    int pooling;
    double id_size, load, window, clock, bandwidth;
};
struct out {
    double flits, best_flits, best_saving, parents, candidates, matched, saving;
    double load_left, queue, added, added_page_table, added_flit;
};

static const ns_field inputs[] = {
    NS_TRAFFIC_ROWS,
    NS_WORD(pooling, pooling_words, "who waits for a partner: all but page-table flits, all, or none beyond the queue"),
    NS_IN_FROM(id_size, "B", "ID and Size of a stitched tail", "models.stitch.id_size"),
    NS_IN_DEFAULT(load, "1", "flits offered per flit time, before stitching", 0),
    NS_IN_FROM(window, "1", "pooling window, cycles", "models.stitch.window"),
    NS_IN_POSITIVE_FROM(clock, "GHz", "clock of the switch", "models.stitch.clock"),
    NS_IN_POSITIVE_FROM(bandwidth, "GB/s", "bandwidth of the link", "models.netcrafter.slow"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(flits, "1", "flits of the packets"),
    NS_OUT(best_flits, "1", "fewest flits when all of them may be stitched together"),
    NS_OUT(best_saving, "%", "flits that the best packing saves"),
    NS_OUT(parents, "%", "flits that are tails into which a whole packet fits"),
    NS_OUT(candidates, "%", "flits that are whole packets which fit into a tail"),
    NS_OUT(matched, "%", "tails that find a partner"),
    NS_OUT(saving, "%", "flits saved, expected"),
    NS_OUT(load_left, "1", "flits per flit time after stitching"),
    NS_OUT(queue, "ns", "mean wait for the link after stitching"),
    NS_OUT(added, "ns", "mean wait of a tail beyond it, by pooling"),
    NS_OUT(added_page_table, "ns", "the same of a page-table packet"),
    NS_OUT(added_flit, "ns", "the same of any flit, on average"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    ns_flit_mix mix;
    NS_TRY(ns_traffic_mix(&in->traffic, &mix, err));
    *out = (struct out){.flits = mix.flits};
    NS_TRY(ns_stitch_best(&mix, in->id_size, &out->best_flits, err));
    if (!(mix.flits > 0))
        return NS_OK;
    out->best_saving = 1 - out->best_flits / mix.flits;
    const double flit_time = mix.flit / in->bandwidth;
    const ns_stitch_pairs pairs = ns_stitch_find_pairs(&mix);
    ns_pooled pooled;
    const ns_pooled_link link = {
        .load = in->load,
        .parents = pairs.parents / mix.flits,
        .candidates = pairs.candidates / mix.flits,
        .page_table = pairs.candidates > 0 ? pairs.page_table / pairs.candidates : 0,
        .window = in->pooling == NONE ? 0 : in->window / in->clock / flit_time,
        .spare_page_table = in->pooling == SELECTIVE,
    };
    NS_TRY(ns_pool_link(&link, &pooled, err));
    out->parents = link.parents;
    out->candidates = link.candidates;
    out->matched = pooled.matched;
    out->saving = pooled.saving;
    out->load_left = pooled.load;
    out->queue = pooled.queue * flit_time;
    out->added = pooled.added * flit_time;
    out->added_page_table = pooled.added_page_table * flit_time;
    out->added_flit = pooled.added_flit * flit_time;
    return NS_OK;
}

const ns_model ns_model_stitch = {
    .name = "stitch",
    .title = "stitching of partly filled flits: best packing and expected saving",
    .source = "[NC] Sections 3.2, 4.2, 5.4, Tables 1, 2",
    .notes = "Whole counts, for the packing. Poisson arrivals; one candidate a parent in the expected saving.",
    NS_ROWS_AND_EVAL,
};
