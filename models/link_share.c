/* link_share.c -- share of a rack's uplinks left after collisions under deterministic routing
 *
 *     s = E[min(X, d)]/d,  X ~ Bin(n d, 1/n);   d = max(1, w^theta),  theta = ln d64/ln 64,   w = MTU/bytes
 *
 * n nodes of a rack send to d destinations each at a time, and each destination is mapped to one of the n uplinks [NS]
 * 8.2: a link has the capacity of one line, though X of the n d streams, each 1/d of a line, may need it.  d is the
 * number of destinations of the requests that fill one packet: 64 consecutive ones have d64 (Table 4).  Values between
 * whole d are interpolated linearly.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double d64, bytes, nodes, mtu;
};
struct out {
    double window, destinations, share;
};

static const ns_field inputs[] = {
    NS_INPUT(d64, "1", "mean distinct destinations of 64 consecutive requests", .least = 1, .most = 64),
    NS_IN_POSITIVE(bytes, "B", "bytes of a response on the line, its share of headers included"),
    NS_INPUT(nodes, "1", "nodes that share as many links, n", .least = 1, .most = NS_MOST,
             .from = "models.concat.rack"),
    NS_IN_POSITIVE_FROM(mtu, "B", "largest packet", "models.concat.mtu"),
    NS_END};
static const ns_field outputs[] = {NS_OUT(window, "1", "requests that fill a packet, w"),
                                   NS_OUT(destinations, "1", "destinations that a node sends to at a time, d"),
                                   NS_OUT(share, "1", "share of its line that a node can use, s"), NS_END};

/* For d a whole number: 1 - sum over i < d of (1 - i/d) P(X = i). */
static double share_of(double n, double d)
{
    const double streams = n * d;
    double probability = pow(1 - 1 / n, streams), share = 1;
    for (double i = 0; i < d && n > 1; i++) {
        share -= (1 - i / d) * probability;
        probability *= (streams - i) / ((i + 1) * (n - 1));
    }
    return share;
}

NS_EVAL(machine, in, out, err)
{
    out->window = in->mtu / in->bytes;
    out->destinations = fmin(64, pow(fmax(1, out->window), log(in->d64) / log(64)));
    const double whole = floor(out->destinations), least = share_of(in->nodes, whole);
    out->share = least + (out->destinations - whole) * (share_of(in->nodes, whole + 1) - least);
    return NS_OK;
}

const ns_model ns_model_link_share = {
    .name = "link-share",
    .title = "share of a line that collisions on deterministic routes leave",
    .source = "[NS] Section 8.2, Tables 4, 5",
    .notes =
        "The form is ours. That destinations are counted over one packet was chosen on europe's first three steps at "
        "K = 128 of Table 8; nothing in it is fitted.",
    NS_ROWS_AND_EVAL,
};
