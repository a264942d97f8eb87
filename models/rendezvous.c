/* rendezvous.c -- eager against rendezvous: copies against a handshake
 *
 *     T_eager = max(a + s/B_w, t) + n_c s/B_c
 *     T_rdv   = max(a, t) + 2 L + s/B_w          the sender is free L later (FIN), at once with notified RMA
 *     s*      = 2 L B_c / n_c                    equal for a receiver that is not late
 *
 * n_c is the number of copies of an eager message: 2 through buffers if it arrives unexpected, 1 if it is buffered but
 * the receive was posted before, 0 if it was posted before with tag-matching offload.  t is the time from the start of
 * the send until the receive is posted.
 */

#include "machine/model.h"

#include <math.h>

static const char *const protocol_words[] = {"best", "eager", "rendezvous", NULL};
static const char *const completion_words[] = {"fin", "notified", NULL};
enum { BEST, EAGER, RENDEZVOUS };

struct in {
    int protocol, completion;
    double a, L, B_w, B_c, n_c, s, late;
};
struct out {
    double startup, wait, handshake, wire, copies, eager, rendezvous, sender_free, crossover, time;
};

static const ns_field inputs[] = {
    NS_WORD(protocol, protocol_words, "best: whichever is faster"),
    NS_WORD(completion, completion_words, "how the sender learns of the end: a FIN message, or notified RMA"),
    NS_IN_FROM(a, "us", "start-up time of a message", "models.rendezvous.a"),
    NS_IN_FROM(L, "us", "latency one way", "models.rendezvous.L"),
    NS_IN_POSITIVE_FROM(B_w, "GB/s", "bandwidth of the wire", "models.rendezvous.B_w"),
    NS_IN_POSITIVE_FROM(B_c, "GB/s", "bandwidth of a copy in host memory", "models.rendezvous.B_c"),
    NS_IN(n_c, "1", "copies of an eager message: 2 unexpected, 1 posted before, 0 with tag-matching offload"),
    NS_IN(s, "B", "message length"),
    NS_IN_DEFAULT(late, "us", "how long after the send the receive is posted", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "start-up"),
    NS_TERM(wait, "us", "waiting for a late receiver"),
    NS_TERM(handshake, "us", "request to send, get"),
    NS_TERM(wire, "us", "bytes on the wire"),
    NS_TERM(copies, "us", "copies in host memory"),
    NS_OUT(eager, "us", "time of the eager protocol"),
    NS_OUT(rendezvous, "us", "time of the rendezvous protocol"),
    NS_OUT(sender_free, "us", "when the sender may reuse its buffer"),
    NS_OUT(crossover, "B", "size from which rendezvous is faster; 0 where eager makes no copies and always wins"),
    NS_OUT(time, "us", "time until the receiver has the message"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const double wire = in->s / in->B_w, copies = in->n_c * in->s / in->B_c;
    out->eager = fmax(in->a + wire, in->late) + copies;
    out->rendezvous = fmax(in->a, in->late) + 2 * in->L + wire;
    const bool eager = in->protocol == EAGER || (in->protocol == BEST && out->eager <= out->rendezvous);
    out->startup = in->a;
    out->wait = eager ? fmax(0, in->late - in->a - wire) : fmax(0, in->late - in->a);
    out->handshake = eager ? 0 : 2 * in->L;
    out->wire = wire;
    out->copies = eager ? copies : 0;
    out->time = out->startup + out->wait + out->handshake + out->wire + out->copies;
    out->sender_free = eager ? in->a + in->s / in->B_c : out->time + (in->completion == 0 ? in->L : 0);
    out->crossover = in->n_c > 0 ? 2 * in->L * in->B_c / in->n_c : 0;
    return NS_OK;
}

const ns_model ns_model_rendezvous = {
    .name = "rendezvous",
    .title = "eager against rendezvous: copies against a handshake",
    .source = "[RS] Sections 2.2.1.2 and 2.3.2, Figure 1; form ours",
    .notes = "One pair of processes; the get is one round trip; eager is free when its send buffer is copied.",
    NS_ROWS_AND_EVAL,
};
