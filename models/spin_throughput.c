/* spin_throughput.c -- packet handlers in parallel
 *
 *     v_1 = P / (t_rtt + t_handler)          one packet of a message in flight (window 1)
 *     v(H) = min(H, M) v_1 <= line           H handler units, M messages in flight
 *
 * With packet-level parallelism (no order needed between packets of a message) every handler unit works on its own
 * packet: v(H) = H P / t_handler <= line.  M is bounded by the messages that the scheduler keeps and by the handler
 * memory their states take; packets in flight by the packet buffers.
 */

#include "machine/model.h"

#include <math.h>

static const char *const parallelism_words[] = {"message", "packet", NULL};

struct in {
    int parallelism;
    double P, t_rtt, t_handler, H, messages, state, memory, buffers, line;
};
struct out {
    double per_handler, in_flight, handlers_to_fill, throughput;
};

static const ns_field inputs[] = {
    NS_WORD(parallelism, parallelism_words, "message: packets of a message one after the other; packet: in any order"),
    NS_IN_POSITIVE_FROM(P, "B", "payload of a packet", "models.spin-throughput.P"),
    NS_IN_FROM(t_rtt, "us", "round trip without the handler", "models.spin-throughput.t_rtt"),
    NS_IN_POSITIVE_FROM(t_handler, "us", "handler", "models.spin-throughput.t_handler"),
    NS_IN_POSITIVE_FROM(H, "1", "handler units", "models.spin-throughput.H"),
    NS_IN_POSITIVE_FROM(messages, "1", "most messages in flight", "models.spin-throughput.messages"),
    NS_IN_DEFAULT(state, "kB", "handler memory per message", 0),
    NS_IN_DEFAULT(memory, "kB", "handler memory for states (L2, or L1 of a cluster); 0: enough", 0),
    NS_IN_DEFAULT(buffers, "1", "packet buffers; 0: enough", 0),
    NS_IN_POSITIVE_FROM(line, "Gbit/s", "line rate", "models.spin-throughput.line"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(per_handler, "Mbit/s", "one handler unit"),
    NS_OUT(in_flight, "1", "packets worked on at a time"),
    NS_OUT(handlers_to_fill, "1", "handler units that would fill the line"),
    NS_OUT(throughput, "Mbit/s", "all together"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const bool packets = in->parallelism == 1;
    double messages = in->messages;
    if (in->state > 0 && in->memory > 0)
        messages = fmin(messages, floor(in->memory / in->state));
    out->per_handler = in->P / (packets ? in->t_handler : in->t_rtt + in->t_handler);
    out->in_flight = packets ? in->H : fmin(in->H, messages);
    if (in->buffers > 0)
        out->in_flight = fmin(out->in_flight, in->buffers);
    out->handlers_to_fill = ceil(in->line / out->per_handler);
    out->throughput = fmin(out->in_flight * out->per_handler, in->line);
    return NS_OK;
}

const ns_model ns_model_spin_throughput = {
    .name = "spin-throughput",
    .title = "packet handlers in parallel",
    .source = "[RS] Section 4.5.4, Figure 27; form ours",
    .notes = "Handlers of one length; no contention in the handler memory.",
    NS_ROWS_AND_EVAL,
};
