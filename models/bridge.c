/* bridge.c -- a gateway node between two fabrics
 *
 *     store-and-forward:  T = a_1 + b_1 s + g + a_2 + b_2 s
 *     pipelined:          T = a_1 + b_1 f + g + a_2 + b_2 f + (F - 1) pace,   F = ceil(s/f)
 *     pace = max(max(b_1, b_2) f + g, hold/buffers),   hold = b_1 f + g + a_2 + b_2 f
 *
 * g: the gateway's time for each piece.  A piece holds a buffer from its first byte in to its last byte out, so a
 * small number of buffers limits the pace (Little's law).  The rate of a long message tends to f/pace.  Where the
 * second fabric cuts a piece into packets of at most mtu bytes with a header each (Ethernet and IP), b_2 f counts the
 * headers as well.
 */

#include "machine/model.h"

#include <math.h>

static const char *const mode_words[] = {"pipelined", "store-and-forward", NULL};

struct in {
    int mode;
    double s, f, alpha_1, beta_1, alpha_2, beta_2, gateway, buffers, mtu, header;
};
struct out {
    double first_fabric, gateway, second_fabric, pipeline, pace, buffers_wanted, headers, bandwidth, time;
};

static const ns_field inputs[] = {
    NS_WORD(mode, mode_words, "how the gateway passes a message on"),
    NS_IN_POSITIVE(s, "B", "message length"),
    NS_IN_POSITIVE(f, "KiB", "piece length (pipelined)"),
    NS_IN_FROM(alpha_1, "us", "start-up time on the first fabric", "models.bridge.alpha_1"),
    NS_IN_FROM(beta_1, "ns/B", "time per byte on the first fabric", "models.bridge.beta_1"),
    NS_IN_FROM(alpha_2, "us", "start-up time on the second fabric", "models.bridge.alpha_2"),
    NS_IN_FROM(beta_2, "ns/B", "time per byte on the second fabric", "models.bridge.beta_2"),
    NS_IN_DEFAULT(gateway, "us", "gateway's time per piece", 0),
    NS_IN_DEFAULT(buffers, "1", "buffers of one piece each (pipelined); 0: enough", 0),
    NS_IN_DEFAULT(mtu, "B", "longest packet of the second fabric, headers in it; 0: pieces go whole", 0),
    NS_IN_DEFAULT(header, "B", "headers of such a packet", 0),
    NS_END};
static const ns_field outputs[] = {NS_TERM(first_fabric, "us", "first piece on the first fabric"),
                                   NS_TERM(gateway, "us", "first piece in the gateway"),
                                   NS_TERM(second_fabric, "us", "first piece on the second fabric"),
                                   NS_TERM(pipeline, "us", "the other pieces, at the pace of the slowest stage"),
                                   NS_OUT(pace, "us", "from piece to piece"),
                                   NS_OUT(buffers_wanted, "1", "buffers with which none is waited for"),
                                   NS_OUT(headers, "B", "headers on the second fabric"),
                                   NS_OUT(bandwidth, "GB/s", "bytes per second of this message"),
                                   NS_OUT(time, "us", "time of the message"),
                                   NS_END};

/* Bytes of the headers for this many bytes on the second fabric. */
static double headers(const struct in *in, double bytes)
{
    return in->mtu > 0 ? ceil(bytes / (in->mtu - in->header)) * in->header : 0;
}

NS_EVAL(machine, in, out, err)
{
    if (in->mtu > 0 && in->header >= in->mtu)
        return ns_fail(err, NS_ERR_RANGE, "headers leave no room in a packet: header has to be less than mtu");
    const double piece = in->mode == 0 ? fmin(in->f, in->s) : in->s, pieces = ceil(in->s / piece);
    const double last = in->s - (pieces - 1) * piece; /* only the last piece may be short */
    const double in_1 = in->beta_1 * piece, out_2 = in->beta_2 * (piece + headers(in, piece));
    const double free = fmax(in_1, out_2) + in->gateway, hold = in_1 + in->gateway + in->alpha_2 + out_2;
    out->headers = (pieces - 1) * headers(in, piece) + headers(in, last);
    out->pace = in->buffers > 0 && in->mode == 0 ? fmax(free, hold / in->buffers) : free;
    out->buffers_wanted = in->mode == 0 && free > 0 ? fmax(1, ceil(hold / free)) : 1;
    out->first_fabric = in->alpha_1 + in_1;
    out->gateway = in->gateway;
    out->second_fabric = in->alpha_2 + in->beta_2 * (last + headers(in, last));
    out->pipeline = (pieces - 1) * out->pace;
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
    .notes = "One message at a time; the time that a buffer waits for an acknowledgement is not counted.",
    NS_ROWS_AND_EVAL,
};
