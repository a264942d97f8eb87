/* traffic.c -- packets cut into flits */
#include "model/parts/traffic.h"

#include <math.h>

double ns_flits_of(double bytes, double flit)
{
    return ceil(bytes / flit);
}

void ns_flit_mix_add(ns_flit_mix *mix, double bytes, double count, bool page_table)
{
    const double flits = ns_flits_of(bytes, mix->flit), used = flits > 0 ? bytes - (flits - 1) * mix->flit : 0;
    size_t i = 0;
    mix->packets += count;
    mix->flits += count * flits;
    mix->required += count * bytes;
    mix->page_table += page_table ? count * flits : 0;
    mix->squares += count * flits * flits;
    if (!(count > 0) || !(used > 0) || used >= mix->flit)
        return;
    for (; i < mix->classes; i++) {
        ns_flit_class *c = &mix->partial[i];
        if (c->used == used && c->tail == (flits > 1) && c->page_table == page_table)
            break;
    }
    if (i == mix->classes)
        mix->partial[mix->classes++] = (ns_flit_class){used, 0, flits > 1, page_table};
    mix->partial[i].count += count;
}

ns_status ns_traffic_mix(const ns_traffic *t, ns_flit_mix *mix, ns_error *err)
{
    if (t->counts.count > 0 && t->counts.count != t->packets.count)
        return ns_fail(err, NS_ERR_DATA, "%zu counts for %zu packets: give one count per packet size", t->counts.count,
                       t->packets.count);
    *mix = (ns_flit_mix){.flit = t->flit};
    ns_flit_mix_add(mix, t->header + t->address, t->read_req, false);
    ns_flit_mix_add(mix, t->header + t->address + t->line, t->write_req, false);
    ns_flit_mix_add(mix, t->header + t->address, t->pt_req, true);
    ns_flit_mix_add(mix, t->header + t->line, t->read_rsp, false);
    ns_flit_mix_add(mix, t->header, t->write_rsp, false);
    ns_flit_mix_add(mix, t->header + t->address, t->pt_rsp, true);
    for (size_t i = 0; i < t->packets.count; i++)
        ns_flit_mix_add(mix, t->packets.at[i], t->counts.count > 0 ? t->counts.at[i] : 1, false);
    return NS_OK;
}

static bool fits(const ns_flit_mix *mix, const ns_flit_class *whole, const ns_flit_class *tail)
{
    return !whole->tail && tail->tail && whole->used + tail->used <= mix->flit;
}

ns_stitch_pairs ns_stitch_find_pairs(const ns_flit_mix *mix)
{
    ns_stitch_pairs pairs = {0, 0, 0};
    for (size_t i = 0; i < mix->classes; i++) {
        const ns_flit_class *c = &mix->partial[i];
        bool parent = false, candidate = false;
        for (size_t j = 0; j < mix->classes; j++) {
            parent = parent || fits(mix, &mix->partial[j], c);
            candidate = candidate || fits(mix, c, &mix->partial[j]);
        }
        pairs.parents += parent ? c->count : 0;
        pairs.candidates += candidate ? c->count : 0;
        pairs.page_table += candidate && c->page_table ? c->count : 0;
    }
    return pairs;
}
