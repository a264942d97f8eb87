/* max_rate.c -- messages of one process while all processes of its node share the injection rate
 *
 *     T = alpha m + max(ppn s / R_N, s / R_b)                [NA] (2.2)
 *
 * s is the total bytes of the process' m messages.  This is the postal model if ppn R_b < R_N and m = 1.  With a
 * machine, the protocol is that of the mean message size, s/m.
 */

#include "model/parts/max_rate.h"

#include "machine/model.h"

struct in {
    double alpha, m, s, ppn, R_N, R_b;
};
struct out {
    double startup, transfer, time;
};

static const ns_field inputs[] = {
    NS_IN_FROM(alpha, "us", "start-up time of a message", "{memory}.{locality}.{protocol}.alpha"),
    NS_IN_DEFAULT(m, "1", "most messages sent by one process of the node", 1),
    NS_IN(s, "B", "most bytes sent by one process of the node, over its m messages"),
    NS_IN_DEFAULT(ppn, "1", "processes of the node that send", 1),
    NS_IN_POSITIVE_FROM(R_N, "GB/s", "rate at which the node injects into the network", "{memory}.injection.R_N"),
    NS_IN_POSITIVE_FROM(R_b, "GB/s", "rate at which one process moves data", "{memory}.{locality}.{protocol}.R_b"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "latency term, alpha m"),
    NS_TERM(transfer, "us", "bandwidth term, the larger of ppn s / R_N and s / R_b"),
    NS_OUT(time, "us", "time of the m messages"),
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
    out->time = out->startup + out->transfer;
    return NS_OK;
}

const ns_model ns_model_max_rate = {
    .name = "max-rate",
    .title = "messages of one process under the node's injection limit",
    .source = "[NA] equation (2.2), after Gropp, Olson, Samfass (EuroMPI 2016)",
    .notes = "All ppn processes send as much as the busiest one; no queue, no contention.",
    NS_ROWS_AND_EVAL,
    .message = message,
};
