/* loggp.c -- n long messages sent one after the other, with overhead and gaps
 *
 *     T = L + 2 o + (s - 1) G + (n - 1) max(o, g + (s - 1) G)
 *
 * LogGP of Alexandrov, Ionescu, Schauser, Scheiman (JPDC 44, 1997), [10] of [NA]; LogP is G = 0.  Each message
 * occupies the sender's processor for o and its network interface for g + (s - 1) G.  One pair of processes, no
 * contention.  LogGP counts the s - 1 gaps between bytes; the byte subtracted is the input `first`.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double L, o, g, G, s, n, first;
};
struct out {
    double latency, overhead, gap, time;
};

static const ns_field inputs[] = {
    NS_IN_FROM(L, "us", "latency of the network", "models.loggp.L"),
    NS_IN_FROM(o, "us", "overhead: time a processor is busy with one message", "models.loggp.o"),
    NS_IN_FROM(g, "us", "gap between two messages of a processor", "models.loggp.g"),
    NS_IN_FROM(G, "ns/B", "gap between two bytes of a long message", "models.loggp.G"),
    NS_IN(s, "B", "message length"),
    NS_IN_DEFAULT(n, "1", "messages sent one after the other", 1),
    NS_IN_DEFAULT(first, "B", "bytes before the first gap: 1 as LogGP counts, 0 to charge every byte", 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(latency, "us", "L"),
    NS_TERM(overhead, "us", "2 o: sending the first and receiving the last message"),
    NS_TERM(gap, "us", "gaps between the bytes and between the messages"),
    NS_OUT(time, "us", "from the first send to the end of the last receive"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const double bytes = in->G * fmax(in->s - in->first, 0);
    const double sent = fmin(in->n, 1); /* zero messages take no time */
    out->latency = in->L * sent;
    out->overhead = 2 * in->o * sent;
    out->gap = bytes * sent + fmax(in->n - 1, 0) * fmax(in->o, in->g + bytes);
    out->time = out->latency + out->overhead + out->gap;
    return NS_OK;
}

const ns_model ns_model_loggp = {
    .name = "loggp",
    .title = "long messages one after the other, with overhead and gaps",
    .source = "Alexandrov et al., LogGP (JPDC 44, 1997), [10] of [NA]",
    .notes = "One pair of processes; no contention, no protocol switch.",
    NS_ROWS_AND_EVAL,
};
