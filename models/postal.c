/* postal.c -- time of one message: start-up plus bytes over bandwidth
 *
 *     T = alpha + beta s                                     [NA] (2.1)
 *
 * No contention and no queue: one pair of processes at a time.  With a machine, alpha and beta are those of the
 * protocol that a message of s bytes uses.
 */
#include "machine/model.h"

struct in {
    double alpha, beta, s;
};
struct out {
    double startup, transfer, time;
};

static const ns_field inputs[] = {
    NS_IN_FROM(alpha, "us", "start-up time of a message", "{memory}.{locality}.{protocol}.alpha"),
    NS_IN_FROM(beta, "ns/B", "time per byte", "{memory}.{locality}.{protocol}.beta"),
    NS_IN(s, "B", "message length"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "latency term, alpha"),
    NS_TERM(transfer, "us", "bandwidth term, beta s"),
    NS_OUT(time, "us", "message time"),
    NS_END
};

static double message(const void *input)
{
    return ((const struct in *)input)->s;
}

NS_EVAL(machine, in, out, err)
{
    /* defined for every input that bind accepts; needs no table */
    out->startup = in->alpha;
    out->transfer = in->beta * in->s;
    out->time = out->startup + out->transfer;
    return NS_OK;
}

const ns_model ns_model_postal = {
    .name = "postal",
    .title = "latency-bandwidth time of one message",
    .source = "[NA] equation (2.1)",
    .notes = "One pair of processes at a time: no injection limit, no queue, no contention.",
    NS_ROWS_AND_EVAL,
    .message = message,
};
