/* congestion.c -- many senders into one link: the effect on other traffic, and the benefit of throttling the senders
 *
 *     t_fill = buffer / (n rate - link)                   until the queue is full: the form of [RS] (1)
 *     none      from t_fill to the end the switches push back: a message in the same queues moves at link/n
 *     throttle  the same until t_fill + react; then the senders do not exceed the link's rate, and the queues are free
 *     hot = n s/link;   throttled senders fill only `keep` of the link after t_fill + react
 *
 * A fluid model: rates share a link evenly, queues are first in, first out, and nothing is dropped.  Senders that end
 * before t_fill cause no back-pressure.
 */
#include "machine/model.h"

#include <math.h>

static const char *const management_words[] = {"none", "throttle", NULL};
enum { NONE, THROTTLE };

struct in {
    int management;
    double s, n, rate, link, buffer, react, keep, hot;
};
struct out {
    double before, blocked, after, t_fill, pushed_back, hot_time, hot_slowdown, slowdown, buffer_wanted, time;
};

static const ns_field inputs[] = {
    NS_WORD(management, management_words, "what the network does about it"),
    NS_IN_POSITIVE(s, "B", "message beside them, in the same queues but not into the hot link"),
    NS_INPUT(n, "1", "senders into the hot link", .least = 1, .most = NS_MOST, .also = "senders"),
    NS_IN_POSITIVE(hot, "B", "what each of them sends into the hot link"),
    NS_IN_POSITIVE_FROM(rate, "GB/s", "rate at which a host sends", "models.congestion.rate"),
    NS_IN_POSITIVE_FROM(link, "GB/s", "rate of the hot link", "models.congestion.link"),
    NS_IN_FROM(buffer, "kB", "memory in front of the hot link", "models.congestion.buffer"),
    NS_IN_FROM(react, "us", "from the full queue to throttled senders", "models.congestion.react"),
    NS_INPUT(keep, "1", "share of the hot link that throttled senders fill", .most = 1, .has_default = true,
             .neutral = 1, .open = true),
    NS_END};
static const ns_field outputs[] = {NS_TERM(before, "us", "the message, until the senders push back"),
                                   NS_TERM(blocked, "us", "the message, behind their packets"),
                                   NS_TERM(after, "us", "the message, when the queues are free again"),
                                   NS_OUT(t_fill, "us", "until the queue's memory is full; 0: never"),
                                   NS_OUT(pushed_back, "us", "how long the switches push back"),
                                   NS_OUT(hot_time, "us", "until all senders are done"),
                                   NS_OUT(hot_slowdown, "1", "of a sender over sending alone"),
                                   NS_OUT(slowdown, "1", "of the message over sending alone"),
                                   NS_OUT(buffer_wanted, "kB", "memory with which nobody would be pushed back"),
                                   NS_OUT(time, "us", "time of the message"),
                                   NS_END};

NS_EVAL(machine, in, out, err)
{
    if (in->n != floor(in->n))
        return ns_fail(err, NS_ERR_RANGE, "n wants a whole number of senders, got %g", in->n);
    /* when the senders stop blocking other traffic, and when they finish */
    const double alone = in->hot / fmin(in->rate, in->link), excess = in->n * in->rate - in->link;
    const double bytes = in->n * in->hot;
    out->hot_time = fmax(in->hot / in->rate, bytes / in->link);
    out->buffer_wanted = excess > 0 ? excess * (in->hot / in->rate) : 0;
    out->t_fill = excess > 0 && in->buffer < out->buffer_wanted ? in->buffer / excess : 0;
    out->pushed_back = in->buffer < out->buffer_wanted ? out->hot_time - out->t_fill : 0;
    if (in->management == THROTTLE && in->react < out->pushed_back) {
        const double until = out->t_fill + in->react;
        out->pushed_back = in->react;
        out->hot_time = until + (bytes - in->link * until) / (in->keep * in->link);
    }
    out->hot_slowdown = out->hot_time / alone;

    const double slow = fmin(in->rate, in->link / in->n), free = in->rate;
    const bool ever = out->pushed_back > 0;
    const double first = ever ? fmin(in->s, free * out->t_fill) : in->s;
    const double second = ever ? fmin(in->s - first, slow * out->pushed_back) : 0;
    out->before = first / free;
    out->blocked = second / slow;
    out->after = (in->s - first - second) / free;
    out->time = out->before + out->blocked + out->after;
    out->slowdown = out->time / (in->s / free);
    return NS_OK;
}

const ns_model ns_model_congestion = {
    .name = "congestion",
    .title = "many senders into one link: what others wait, and what throttling helps",
    .source = "[RS] Section 4.4.2 (1) for the queue that fills (no number of a network printed); form ours",
    .notes = "One queue, even shares, no other routes: adaptive routing and virtual channels would help more.",
    NS_ROWS_AND_EVAL,
};
