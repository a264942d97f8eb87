/* multirail.c -- data striping: one message in fragments over several rails
 *
 *     T = a + 2 L + max_i (n_i o_f + bytes_i / B_i),   F = ceil(s/f) fragments,
 *                                                      each assigned to the rail that finishes it first
 *
 * for s > threshold; a shorter message uses only the fastest rail.  At most min(F, r) rails have work.  The rate
 * never exceeds the host's memory bandwidth.  The older design needs a rendezvous per fragment: (n - 1) 2 L more on
 * the rail with n fragments.  Best fragment, from balancing n o_f against the last fragment's delay: f* = sqrt(2 s o_f
 * B / r).
 */
#include "model/parts/rails.h"

#include <math.h>

static const char *const design_words[] = {"one-rendezvous", "rendezvous-per-fragment", NULL};
static const double FRAGMENTS_MOST = 1e6;

struct in {
    int design;
    ns_numbers B;
    double s, a, L, o_f, f, threshold, host;
};
struct out {
    double startup, handshake, transfer, fragments, rails_busy, speedup, best_fragment, time;
};

static const ns_field inputs[] = {
    NS_WORD(design, design_words, "one rendezvous for all fragments, or one each"),
    NS_IN_LIST(B, "GB/s", "bandwidth of each rail"),
    NS_IN(s, "B", "message length"),
    NS_IN_FROM(a, "us", "start-up time of a message", "models.multirail.a"),
    NS_IN_FROM(L, "us", "latency one way", "models.multirail.L"),
    NS_IN_FROM(o_f, "us", "overhead per fragment", "models.multirail.o_f"),
    NS_IN_POSITIVE_FROM(f, "KiB", "fragment length", "models.multirail.f"),
    NS_IN_FROM(threshold, "kB", "longest message that is not striped", "models.multirail.threshold"),
    NS_IN_DEFAULT(host, "GB/s", "host memory bandwidth; 0: no limit", 0),
    NS_END};
static const ns_field outputs[] = {
    NS_TERM(startup, "us", "start-up"),
    NS_TERM(handshake, "us", "rendezvous"),
    NS_TERM(transfer, "us", "the rail that ends last, or the host's memory"),
    NS_OUT(fragments, "1", "fragments"),
    NS_OUT(rails_busy, "1", "rails that carry a fragment"),
    NS_OUT(speedup, "1", "over the same message on the fastest rail alone"),
    NS_OUT(best_fragment, "KiB", "fragment length that would be best, sqrt(2 s o_f B/r)"),
    NS_OUT(time, "us", "time of the message"),
    NS_END};

/* Time of the fragments over a set of rails, and the handshakes they need. */
static double stripe(const struct in *in, const ns_numbers *rails, double fragments, double *busy, double *handshake)
{
    const double f = fragments > 1 ? in->f : in->s, last = in->s - (fragments - 1) * f;
    double most;
    const double transfer = ns_rails_deal(rails, fragments, f, last, in->o_f, busy, &most);
    *handshake = 2 * in->L * (in->design == 1 ? fmax(1, most) : 1);
    return in->host > 0 ? fmax(transfer, in->s / in->host) : transfer;
}

NS_EVAL(machine, in, out, err)
{
    NS_TRY(ns_rails_check(&in->B, err));
    const double fragments = in->s > in->threshold ? ceil(in->s / in->f) : 1;
    if (fragments > FRAGMENTS_MOST)
        return ns_fail(err, NS_ERR_RANGE, "%.3g fragments are too many: f is too small for this message", fragments);
    const ns_numbers fastest = {.count = 1, .at = {ns_rails_fastest(&in->B)}};
    double busy, handshake;
    out->fragments = fragments;
    out->startup = in->a;
    const double alone = in->a + stripe(in, &fastest, fragments, &busy, &handshake) + handshake;
    out->transfer = stripe(in, &in->B, fragments, &out->rails_busy, &out->handshake);
    out->time = out->startup + out->handshake + out->transfer;
    out->speedup = out->time > 0 ? alone / out->time : 1;
    out->best_fragment = sqrt(2 * in->s * in->o_f * ns_rails_total(&in->B) / (double)in->B.count / (double)in->B.count);
    return NS_OK;
}

const ns_model ns_model_multirail = {
    .name = "multirail",
    .title = "data striping: one message in fragments over several rails",
    .source = "[RS] Sections 2.2.1.2, 2.2.2 and 2.5, Figures 2a and 7; form ours",
    .notes = "Rails with fewer than one fragment stay idle: more rails than fragments gain nothing. "
             "No source prints a, L and o_f of the cards: those of bxi are assumed.",
    NS_ROWS_AND_EVAL,
};
