/* queue_contention.c -- max-rate plus the search of the receive queue plus shared links
 *
 *     T = alpha m + max(ppn s / R_N, s / R_b) + gamma n^2 + delta l
 *
 * Bienz, Gropp, Olson (EuroMPI 2018), [11] of [NA].  The queue term is the worst case, in which every message is found
 * at the end of the queue; for messages received in order it is about a thousandth of that.  l is an estimate of the
 * bytes on the busiest link, for a torus hops^3 x mean bytes per router.
 */

#include "machine/model.h"
#include "model/parts/max_rate.h"

struct in {
    double alpha, m, s, ppn, R_N, R_b, gamma, n, delta, l;
};
struct out {
    double startup, transfer, queue, contention, time;
};

static const ns_field inputs[] = {
    NS_IN_FROM(alpha, "us", "start-up time of a message", "{memory}.{locality}.{protocol}.alpha"),
    NS_IN_DEFAULT(m, "1", "most messages sent by one process of the node", 1),
    NS_IN(s, "B", "most bytes sent by one process of the node, over its m messages"),
    NS_IN_DEFAULT(ppn, "1", "processes of the node that send", 1),
    NS_IN_POSITIVE_FROM(R_N, "GB/s", "rate at which the node injects into the network", "{memory}.injection.R_N"),
    NS_IN_POSITIVE_FROM(R_b, "GB/s", "rate at which one process moves data", "{memory}.{locality}.{protocol}.R_b"),
    NS_IN_FROM(gamma, "ns", "queue search time per pair of queued messages", "{memory}.queue.gamma"),
    NS_IN_FROM(n, "1", "messages in one process's receive queue", "=m"),
    NS_IN_FROM(delta, "ns/B", "contention: time per byte on the busiest link", "network.contention.delta"),
    NS_IN_DEFAULT(l, "B", "bytes that cross the busiest link", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "latency term, alpha m"),
    NS_TERM(transfer, "us", "bandwidth term, the larger of ppn s / R_N and s / R_b"),
    NS_TERM(queue, "us", "queue search, gamma n^2"),
    NS_TERM(contention, "us", "shared links, delta l"),
    NS_OUT(time, "us", "time of the exchange"),
    NS_END
};

static double message(const void *input)
{
    const struct in *in = input;
    return in->m > 0 ? in->s / in->m : in->s;
}

NS_EVAL(machine, in, out, err)
{
    out->startup = in->alpha * in->m;
    out->transfer = ns_max_rate_transfer(in->s / in->R_b, in->ppn * in->s / in->R_N);
    out->queue = in->gamma * in->n * in->n;
    out->contention = in->delta * in->l;
    out->time = out->startup + out->transfer + out->queue + out->contention;
    return NS_OK;
}

const ns_model ns_model_queue_contention = {
    .name = "queue-contention",
    .title = "max-rate plus queue search plus network contention",
    .source = "Bienz, Gropp, Olson (EuroMPI 2018), [11] of [NA]; named in [NA] Section 2.2",
    .notes = "The queue term assumes receives posted in the worst order; l has to be estimated from the placement.",
    NS_ROWS_AND_EVAL,
    .message = message,
};
