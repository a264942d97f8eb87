/* netsparse_hops.c -- latency of a path through switches, and the bandwidth limit of a class of links
 *
 *     one way = s t_switch + (s + 1) t_link,   RTT = 2 one way,   T >= bytes hops / (links B)     [NS] Table 5
 *                                                                                                 Section 9.6
 *
 * The latency is at zero load.  A path has one switch within a rack, and three between racks of a leaf-spine network.
 */
#include "machine/model.h"

struct in {
    double switches, t_switch, t_link, bytes, hops, links, rate;
};
struct out {
    double one_way, rtt, bound;
};

static const ns_field inputs[] = {
    NS_IN(switches, "1", "switches on the path, s"),
    NS_IN_FROM(t_switch, "ns", "zero-load latency of a switch", "models.netsparse-hops.t_switch"),
    NS_IN_FROM(t_link, "ns", "latency of a link, one way", "models.netsparse-hops.t_link"),
    NS_IN_DEFAULT(bytes, "B", "bytes that cross links of the class, counted once", 0),
    NS_IN_DEFAULT(hops, "1", "mean links of the class that a byte crosses", 1),
    NS_INPUT(links, "1", "directed links of the class", .most = NS_MOST, .open = true, .has_default = true,
             .neutral = 1),
    NS_IN_POSITIVE_FROM(rate, "GB/s", "line rate, B", "models.rig-batch.rate"),
    NS_END};
static const ns_field outputs[] = {NS_OUT(one_way, "us", "latency one way"), NS_OUT(rtt, "us", "round trip"),
                                   NS_OUT(bound, "us", "least time of the bytes on that class of links"), NS_END};

NS_EVAL(machine, in, out, err)
{
    out->one_way = in->switches * in->t_switch + (in->switches + 1) * in->t_link;
    out->rtt = 2 * out->one_way;
    out->bound = in->bytes * in->hops / (in->links * in->rate);
    return NS_OK;
}

const ns_model ns_model_netsparse_hops = {
    .name = "netsparse-hops",
    .title = "round trip by switches, and the bound of a class of links",
    .source = "[NS] Table 5, Section 9.6",
    NS_ROWS_AND_EVAL,
};
