/* multiplex.c -- whole messages round-robin over several rails
 *
 *     T_W = L + max over rails of  sum of max(g, s/B_i)
 *
 * for a window of W messages in flight; rail i carries every r-th one.  With tag-matching offload the network interface
 * itself keeps the order, so that all of them take one rail, the fastest.
 */
#include "model/parts/rails.h"

#include <math.h>

static const char *const matching_words[] = {"software", "offload", NULL};
enum { OFFLOAD = 1 };

struct in {
    int matching;
    ns_numbers B;
    double s, W, L, g;
};
struct out {
    double latency, transfer, rate, bandwidth, speedup, time;
};

static const ns_field inputs[] = {
    NS_WORD(matching, matching_words, "who matches tags; with offload all messages take one rail"),
    NS_IN_LIST(B, "GB/s", "bandwidth of each rail"),
    NS_IN(s, "B", "message length"),
    NS_IN_RANGE(W, "1", "messages of a window (OSU: 64)", 1, 1e9),
    NS_IN_FROM(L, "us", "latency one way", "models.multirail.L"),
    NS_IN_FROM(g, "us", "gap between messages of one rail", "models.multiplex.g"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(latency, "us", "latency"),
    NS_TERM(transfer, "us", "the rail that ends last"),
    NS_OUT(rate, "1/s", "messages per second"),
    NS_OUT(bandwidth, "GB/s", "bytes per second"),
    NS_OUT(speedup, "1", "over the fastest rail alone"),
    NS_OUT(time, "us", "time of the window"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    NS_TRY(ns_rails_check(&in->B, err));
    const double rails = (double)in->B.count, each = floor(in->W / rails), more = in->W - each * rails,
                 alone = in->W * fmax(in->g, in->s / ns_rails_fastest(&in->B));
    out->transfer = in->matching == OFFLOAD ? alone : 0;
    for (size_t i = 0; i < in->B.count && in->matching != OFFLOAD; i++)
        out->transfer = fmax(out->transfer, (each + ((double)i < more)) * fmax(in->g, in->s / in->B.at[i]));
    out->latency = in->L;
    out->time = out->latency + out->transfer;
    if (out->time <= 0)
        return ns_fail(err, NS_ERR_RANGE, "a window that takes no time has no rate: give L, g or s");
    out->rate = in->W / out->time;
    out->bandwidth = in->W * in->s / out->time;
    out->speedup = (in->L + alone) / out->time;
    return NS_OK;
}

const ns_model ns_model_multiplex = {
    .name = "multiplex",
    .title = "whole messages round-robin over several rails",
    .source = "[RS] Sections 2.2.1.2, 2.3.2 and 2.5, Figures 2b and 7b; form ours",
    .notes = "Round-robin does not weigh rails: an unequal one holds all others back.",
    NS_ROWS_AND_EVAL,
};
