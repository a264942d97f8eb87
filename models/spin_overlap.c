/* spin_overlap.c -- computing on the host while packet handlers receive: the best compute time between two polls
 *
 *     loss(T_g) = (T_m / T_g) t_p + T_g / 2,   T_m = S / v_1
 *     T_g* = sqrt(2 T_m t_p),   r* = 1 / (1 + sqrt(t_p / (2 T_m)))
 *
 * Too frequent polling costs the polls, too rare polling the wait for the next one.  r = T_compute / (T_compute +
 * T_poll) is [RS]'s overlap ratio with T_compute = T_m and T_poll = (T_m / T_g) t_p; it depends on t_p/T_m alone.  The
 * computation itself slows down because both share the memory bandwidth: the useful overlap is r (1 - slowdown).
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double S, v, t_p, T_g, slowdown;
};
struct out {
    double message_time, best_granularity, polls, polling, waiting, loss, overlap, useful_overlap;
};

static const ns_field inputs[] = {
    NS_IN_POSITIVE(S, "kB", "message length"),
    NS_IN_POSITIVE(v, "Mbit/s", "throughput of the handlers"),
    NS_IN_POSITIVE(t_p, "us", "cost of one poll"),
    NS_IN_DEFAULT(T_g, "us", "length of a compute call between two polls; 0: the best one", 0),
    NS_IN_RANGE(slowdown, "1", "share of the compute rate lost to shared memory bandwidth", 0, 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(message_time, "us", "time of the message, S/v"),
    NS_OUT(best_granularity, "us", "compute call that loses least, sqrt(2 T_m t_p)"),
    NS_OUT(polls, "1", "polls per message"),
    NS_OUT(polling, "us", "time spent polling"),
    NS_OUT(waiting, "us", "expected delay until the end is seen"),
    NS_OUT(loss, "us", "polling and waiting together"),
    NS_OUT(overlap, "1", "overlap ratio, compute over compute and polling"),
    NS_OUT(useful_overlap, "1", "overlap ratio less the slow-down"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    out->message_time = in->S / in->v;
    out->best_granularity = sqrt(2 * out->message_time * in->t_p);
    const double granularity = in->T_g > 0 ? in->T_g : out->best_granularity;
    out->polls = out->message_time / granularity;
    out->polling = out->polls * in->t_p;
    out->waiting = granularity / 2;
    out->loss = out->polling + out->waiting;
    out->overlap = out->message_time / (out->message_time + out->polling);
    out->useful_overlap = out->overlap * (1 - in->slowdown);
    return NS_OK;
}

const ns_model ns_model_spin_overlap = {
    .name = "spin-overlap",
    .title = "computing while packet handlers receive",
    .source = "[RS] Section 4.5.4, Figures 28 and 29; form ours",
    .notes = "[RS] 4.5.4.3 prints 94 % for short messages, 4.6 and 5 print 92 %: 54 kB and 29 kB by this form.",
    NS_ROWS_AND_EVAL,
};
