/* spin_window.c -- bytes that a sender may have in flight to a slower packet processor
 *
 *     t_fill = S_recv / (v_send - v_recv)                                   [RS] (1)
 *     S_wnd  = t_fill v_send = S_recv v_send / (v_send - v_recv)            [RS] (2), (3)
 *
 * S_recv is the packet memory in bytes, or with slots = its packet slots: a slot holds one packet whatever its length.
 * A sender without acknowledgements must instead leave a gap of at least packet / v_recv.
 */

#include "machine/model.h"

#include <math.h>

static const char *const ack_words[] = {"every-packet", "first-and-last", "none", NULL};

struct in {
    int ack;
    double v_send, v_recv, S_recv, packet, slots, message;
};
struct out {
    double t_fill, window, window_packets, gap, acknowledgements, rate;
};

static const ns_field inputs[] = {
    NS_WORD(ack, ack_words, "which packets are acknowledged"),
    NS_IN_POSITIVE(v_send, "Gbit/s", "rate of the sender"),
    NS_IN(v_recv, "Gbit/s", "rate at which the receiver processes"),
    NS_IN_FROM(S_recv, "kB", "packet memory of the receiver", "models.spin-window.S_recv"),
    NS_IN_POSITIVE_FROM(packet, "B", "packet length", "models.spin-window.packet"),
    NS_IN_FROM(slots, "1", "packet slots of the receiver for packets of this length", "models.spin-window.slots"),
    NS_IN_DEFAULT(message, "kB", "message length, for the number of acknowledgements", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(t_fill, "us", "time to fill the packet memory"),
    NS_OUT(window, "kB", "window, the memory taken whole"),
    NS_OUT(window_packets, "1", "window in packets, from the slots"),
    NS_OUT(gap, "us", "least gap between packets without acknowledgements; 0 when the receiver takes nothing"),
    NS_OUT(acknowledgements, "1", "acknowledgements of the message"),
    NS_OUT(rate, "Gbit/s", "rate that is sustained"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    if (in->v_send <= in->v_recv)
        return ns_fail(err, NS_ERR_RANGE,
                       "v_send has to be more than v_recv: a receiver that keeps up never fills its memory and "
                       "needs no window");
    const double packets = ceil(in->message / in->packet);
    out->t_fill = in->S_recv / (in->v_send - in->v_recv);
    out->window = out->t_fill * in->v_send;
    out->window_packets = ceil(in->slots * in->v_send / (in->v_send - in->v_recv));
    out->gap = in->v_recv > 0 ? in->packet / in->v_recv : 0;
    out->acknowledgements = in->ack == 0 ? packets : in->ack == 1 ? fmin(2, packets) : 0;
    out->rate = in->v_recv;
    return NS_OK;
}

const ns_model ns_model_spin_window = {
    .name = "spin-window",
    .title = "flow-control window in front of a slower packet processor",
    .source = "[RS] Section 4.4.2, equations (1) to (3); slots from Section 4.2.3",
    .notes = "Constant rates; the window is sized once per conversation.",
    NS_ROWS_AND_EVAL,
};
