/* bridge.c -- a gateway node between two fabrics
 *
 *     store-and-forward:  T = a_1 + b_1 s + g + a_2 + b_2 s
 *     pipelined:          T = a_1 + b_1 f + g + a_2 + b_2 f + (F - 1) (max(b_1, b_2) f + g),   F = ceil(s/f)
 *
 * g: what the gateway spends on each piece.  The rate of a long message tends to 1/(max(b_1, b_2) + g/f).
 */

#include "machine/model.h"

#include <math.h>

static const char *const mode_words[] = {"pipelined", "store-and-forward", NULL};

struct in {
    int mode;
    double s, f, alpha_1, beta_1, alpha_2, beta_2, gateway;
};
struct out {
    double first_fabric, gateway, second_fabric, pipeline, bandwidth, time;
};

static const ns_field inputs[] = {
    NS_WORD(mode, mode_words, "how the gateway passes a message on"),
    NS_IN_POSITIVE(s, "B", "message length"),
    NS_IN_POSITIVE(f, "KiB", "piece length (pipelined)"),
    NS_IN(alpha_1, "us", "start-up time on the first fabric"),
    NS_IN(beta_1, "ns/B", "time per byte on the first fabric"),
    NS_IN(alpha_2, "us", "start-up time on the second fabric"),
    NS_IN(beta_2, "ns/B", "time per byte on the second fabric"),
    NS_IN_DEFAULT(gateway, "us", "gateway's time per piece", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(first_fabric, "us", "first piece on the first fabric"),
    NS_TERM(gateway, "us", "first piece in the gateway"),
    NS_TERM(second_fabric, "us", "first piece on the second fabric"),
    NS_TERM(pipeline, "us", "the other pieces, at the pace of the slowest stage"),
    NS_OUT(bandwidth, "GB/s", "bytes per second of this message"),
    NS_OUT(time, "us", "time of the message"),
    NS_END
};

static ns_status eval(const ns_machine *machine, const void *input, void *output, ns_error *err)
{
    const struct in *in = input;
    struct out *out = output;
    (void)machine;
    const double piece = in->mode == 0 ? fmin(in->f, in->s) : in->s, pieces = ceil(in->s / piece);
    const double last = in->s - (pieces - 1) * piece; /* the last piece is the one that may be short */
    out->first_fabric = in->alpha_1 + in->beta_1 * piece;
    out->gateway = in->gateway;
    out->second_fabric = in->alpha_2 + in->beta_2 * last;
    out->pipeline = (pieces - 1) * (fmax(in->beta_1, in->beta_2) * piece + in->gateway);
    out->time = out->first_fabric + out->gateway + out->second_fabric + out->pipeline;
    if (out->time <= 0)
        return ns_fail(err, NS_ERR_RANGE, "a message that takes no time has no bandwidth: give alpha or beta");
    out->bandwidth = in->s / out->time;
    return NS_OK;
}

const ns_model ns_model_bridge = {
    .name = "bridge",
    .title = "a gateway node between two fabrics",
    .source = "[RS] Section 3.3, Figure 16 (preliminary, no number printed); form ours",
    .notes = "One message at a time; buffers of the gateway are taken as enough.",
    NS_FIELDS(inputs, outputs),
    .eval = eval,
};
