/* copy.c -- copies between device and host around a staged exchange
 *
 *     T_copy(s_send, s_recv) = alpha_D2H + beta_D2H s_send + alpha_H2D + beta_H2D s_recv      [NA] (4.5), corrected
 *
 * Sent data leaves the device first (D2H), received data enters it last (H2D).  The paper prints H2D with s_send and
 * D2H with s_recv: form=printed.
 */
#include "model/parts/node_aware.h"

struct in {
    int form;
    double s_send, s_recv, processes;
};
struct out {
    double d2h, h2d, time;
};

static const ns_field inputs[] = {
    NS_WORD(form, ns_form_words, "corrected: D2H with s_send; printed: H2D with s_send, as (4.5) is printed"),
    NS_IN(s_send, "B", "bytes copied from the device that sends"),
    NS_IN(s_recv, "B", "bytes copied to the device that receives"),
    NS_INPUT(processes, "1",
             "processes that share the copy of one device; the machine's largest level not above it counts",
             .least = 1, .most = 1e6, .has_default = true, .neutral = 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(d2h, "us", "copy from the device to its host"),
    NS_TERM(h2d, "us", "copy from the host to its device"),
    NS_OUT(time, "us", "both copies"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const bool printed = in->form == NS_FORM_PRINTED;
    const double down = printed ? in->s_recv : in->s_send, up = printed ? in->s_send : in->s_recv;
    ns_copy_time copy;
    NS_TRY(ns_node_aware_copy(machine, in->processes, down, up, &copy, err));
    out->d2h = copy.d2h;
    out->h2d = copy.h2d;
    out->time = out->d2h + out->h2d;
    return NS_OK;
}

const ns_model ns_model_copy = {
    .name = "copy",
    .title = "copies between device and host around a staged exchange",
    .source = "[NA] equation (4.5), Table 3",
    .notes = "Copies on the device's own socket; both directions one after the other.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
