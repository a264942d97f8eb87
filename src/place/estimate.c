/* estimate.c -- the prices of what stands: passes by difference, the rest quoted anew */
#include "place/placer.h"

#include <string.h>

/* ---- by difference ----------------------------------------------------------------------------------------------- */

/* What counts for a pass of what was touched. */
static uint8_t how_of(const ns_pass *pass)
{
    return pass->strategy->shape == NS_SHAPE_PAIRED ? NS_NEAR | NS_RENUMBERED : NS_NEAR;
}

static void add_inside(const ns_placer *p, ns_sums *sums, int32_t node)
{
    int64_t *inside = &sums->inside[NS_OFF_NODE * (int64_t)node * NS_SIZES];
    memset(inside, 0, sizeof *inside * NS_OFF_NODE * NS_SIZES);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const ns_class_sum *row = ns_sums_row(p, sums, p->part[i], NS_OUT);
        const uint64_t on_node = (UINT64_C(1) << p->rows.base[NS_OFF_NODE]) - 1;
        for (uint64_t bits = (uint64_t)row->messages & on_node; bits != 0; bits &= bits - 1) {
            const int class = __builtin_ctzll(bits), locality = class >= p->rows.base[NS_ON_NODE];
            inside[locality * NS_SIZES + class - p->rows.base[locality]] += row[1 + class].bytes;
        }
    }
}

static void add_node(ns_placer *p, ns_pass *pass, int32_t node)
{
    if (pass->strategy->shape == NS_SHAPE_DIRECT)
        ns_direct_node(p, pass, node);
    else if (pass->strategy->shape == NS_SHAPE_PAIRED)
        ns_paired_node(p, pass, node);
    else
        ns_dealt_node(p, pass, node);
    for (int i = 0; i < pass->steps; i++)
        if (pass->step[i].inside != NULL)
            add_inside(p, &pass->step[i], node);
}

/* Sums of nodes add up to those of the step, exactly, in whatever order. */
static void add_links(const ns_placer *p, ns_sums *sums)
{
    ns_far all = {0, 0, 0};
    for (int32_t node = 0; node < p->nodes; node++) {
        const ns_far *far = &sums->far[node];
        all.bytes += far->bytes;
        all.low += far->low;
        all.high += far->high + (all.low >> 32);
        all.low &= INT64_C(0xffffffff);
    }
    sums->link_bytes = ns_far_link_bytes(&all, p->nodes);
}

static ns_status run_pass(ns_placer *p, ns_pass *pass, ns_error *err)
{
    const uint8_t how = how_of(pass);
    for (int32_t i = 0; i < p->touches; i++)
        if ((p->touched[p->touch[i]] & how) != 0)
            add_node(p, pass, p->touch[i]);
    for (int i = 0; i < pass->steps; i++)
        if (pass->step[i].far != NULL)
            add_links(p, &pass->step[i]);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (pass->choice[t] >= 0)
            NS_TRY(ns_race_run(p, pass, (ns_transport)t, how, &p->seconds[pass->choice[t]], err));
    return NS_OK;
}

static ns_status run_passes(ns_placer *p, ns_error *err)
{
    NS_TRY(ns_cells_room(p, err));
    for (int32_t i = 0; p->bundling && i < p->touches; i++)
        if ((p->touched[p->touch[i]] & NS_NEAR) != 0)
            ns_bundles_of(p, p->touch[i]);
    for (int i = 0; i < p->passes; i++)
        NS_TRY(run_pass(p, &p->pass[i], err));
    return NS_OK;
}

/* ---- anew -------------------------------------------------------------------------------------------------------- */

static ns_status quote_on(ns_placer *p, const ns_site *site, ns_error *err)
{
    ns_exchange *x;
    int quotes = 0;
    NS_TRY(ns_graph_exchange(p->graph, site, &x, err));
    const ns_status status = ns_quote(x, p->machine, &p->selection, p->workspace, &quotes, err);
    for (int i = 0; status == NS_OK && i < quotes; i++) {
        const ns_quoted *quoted = ns_quote_at(p->workspace, i);
        for (int c = 0; c < p->choices; c++)
            if (p->choice[c].strategy == quoted->strategy && p->choice[c].transport == quoted->transport)
                p->seconds[c] = quoted->price.estimate_s;
    }
    ns_exchange_free(x);
    return status;
}

static ns_status quote(ns_placer *p, ns_error *err)
{
    ns_site *site;
    NS_TRY(ns_site_from_map(p->parts, p->nodes, p->node_of, 0, NULL, &site, err));
    const ns_status status = quote_on(p, site, err);
    ns_site_free(site);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

ns_status ns_placer_price(ns_placer *p, double *seconds, ns_error *err)
{
    if (p->touches > 0) {
        ns_seats_spread(p);
        if (p->passes > 0)
            NS_TRY(run_passes(p, err));
        if (p->quoted > 0)
            NS_TRY(quote(p, err));
        for (int32_t i = 0; i < p->touches; i++)
            p->touched[p->touch[i]] = 0;
        p->touches = 0;
    }
    memcpy(seconds, p->seconds, (size_t)p->choices * sizeof *seconds);
    return NS_OK;
}

ns_status ns_placer_batch(ns_placer *p, const int32_t *node_of, size_t placements, double *seconds, ns_error *err)
{
    for (size_t i = 0; i < placements; i++) {
        NS_TRY(ns_placer_put(p, node_of + i * (size_t)p->parts, err));
        NS_TRY(ns_placer_price(p, seconds + i * (size_t)p->choices, err));
    }
    return NS_OK;
}
