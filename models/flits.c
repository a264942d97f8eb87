/* flits.c -- packets cut into flits: the bytes on a link, and the share of padding
 *
 *     flits of a packet = ceil(bytes / F),   bytes = 4 + (8 with an address) + (64 with a line)       [NC] 3.2, Table 1
 *     reads or writes with p page-walk pairs each, F = 16 B:  w = 2p/(6 + 2p),  padded by 25 or 75 % = (1 + 2w)/3
 *
 * Counts need not be whole: only their ratios matter for the shares.  CRC, framing and sequence numbers are left out,
 * as in [NC] 4.1.
 */
#include "model/parts/traffic.h"

#include <math.h>

struct in {
    ns_traffic traffic;
};
struct out {
    double flits, required, occupied, padded, padding, page_table;
    double full, to_quarter, to_half, to_three_quarters, beyond, padded_25_75;
};

static const ns_field inputs[] = { NS_TRAFFIC_ROWS, NS_END };
static const ns_field outputs[] = {
    NS_OUT(flits, "1", "flits"),
    NS_OUT(required, "B", "bytes that the packets need"),
    NS_OUT(occupied, "B", "bytes that their flits take"),
    NS_OUT(padded, "B", "bytes of padding"),
    NS_OUT(padding, "%", "padding, share of the bytes"),
    NS_OUT(page_table, "%", "flits of page-table packets"),
    NS_OUT(full, "%", "flits without padding"),
    NS_OUT(to_quarter, "%", "flits padded by up to a quarter"),
    NS_OUT(to_half, "%", "by more than a quarter, up to a half"),
    NS_OUT(to_three_quarters, "%", "by more than a half, up to three quarters"),
    NS_OUT(beyond, "%", "by more than three quarters"),
    NS_OUT(padded_25_75, "%", "flits padded by exactly 25 or 75 %"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    double *const bins[] = {&out->to_quarter, &out->to_half, &out->to_three_quarters, &out->beyond};
    double partial = 0;
    ns_flit_mix mix;
    NS_TRY(ns_traffic_mix(&in->traffic, &mix, err));
    *out = (struct out){.flits = mix.flits, .required = mix.required, .occupied = mix.flits * mix.flit};
    if (!(mix.flits > 0))
        return NS_OK;
    out->padded = out->occupied - mix.required;
    out->padding = out->padded / out->occupied;
    out->page_table = mix.page_table / mix.flits;
    for (size_t i = 0; i < mix.classes; i++) {
        const ns_flit_class *c = &mix.partial[i];
        const double share = c->count / mix.flits, quarters = 4 * (mix.flit - c->used) / mix.flit;
        *bins[(int)fmin(3, fmax(0, ceil(quarters) - 1))] += share;
        out->padded_25_75 += quarters == 1 || quarters == 3 ? share : 0;
        partial += share;
    }
    out->full = fmax(0, 1 - partial);
    return NS_OK;
}

const ns_model ns_model_flits = {
    .name = "flits",
    .title = "packets cut into flits, and their padding",
    .source = "[NC] Section 3.2, Table 1, Figure 6",
    .notes = "Link-level bytes (CRC, framing, sequence numbers) are left out, as in the paper.",
    NS_ROWS_AND_EVAL,
};
