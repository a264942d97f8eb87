/* spin_contention.c -- handlers of several kinds that share the handler units
 *
 *     load = sum rate_i t_i / H,   capacity = min(H, 1/serial)/t,   t = sum rate_i t_i / sum rate_i
 *     wait = t C(H, H load)/(H (1 - load)) (1 + cv^2)/2            below capacity
 *     full after slots/(rate - capacity), then packets are lost    above, [RS] (1)
 *
 * Packets of any kind take the next free unit.  `serial` is the part of a handler inside one lock: handlers that wait
 * for it spin on their units, so only one at a time proceeds ([RS] 4.4.4: down to one unit).  cv follows from the
 * times of the kinds and their own variation.
 */
#include "model/parts/handlers.h"

#include <math.h>

struct in {
    ns_numbers t_others, rate_others;
    double t_handler, rate, H, serial, cv, slots;
};
struct out {
    double rate, handler, spread, capacity, load, lost, full, units_wanted, wait, time;
};

static const ns_field inputs[] = {
    NS_IN_POSITIVE(t_handler, "us", "handler of a packet"),
    NS_IN_POSITIVE(rate, "1/us", "packets in a second"),
    NS_INPUT(t_others, "us", "handlers of other kinds of packets that share the units", .kind = NS_FIELD_LIST,
             .most = NS_MOST, .has_default = true),
    NS_INPUT(rate_others, "1/us", "packets of each of those kinds in a second", .kind = NS_FIELD_LIST, .most = NS_MOST,
             .has_default = true),
    NS_IN_POSITIVE_FROM(H, "1", "handler units", "models.spin-allreduce.H"),
    NS_INPUT(serial, "1", "part of a handler that only one unit can be in (a lock)", .most = 1, .has_default = true),
    NS_IN_DEFAULT(cv, "1", "coefficient of variation of a kind's handler", 0),
    NS_IN_POSITIVE_FROM(slots, "1", "packets that the packet memory holds", "models.spin-window.slots"),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(rate, "1/us", "packets in a second, all kinds"),
    NS_OUT(handler, "us", "mean handler"),
    NS_OUT(spread, "1", "coefficient of variation of the handlers, kinds together"),
    NS_OUT(capacity, "1/us", "packets that the units can take in a second"),
    NS_OUT(load, "1", "rate over capacity; from 1 on packets are lost"),
    NS_OUT(lost, "1", "share of the packets that find no slot in the long run"),
    NS_OUT(full, "us", "until the packet memory is full; 0: never"),
    NS_OUT(units_wanted, "1", "handler units that this rate keeps busy"),
    NS_OUT(wait, "us", "mean wait for a unit; above capacity that of a full packet memory"),
    NS_OUT(time, "us", "of a packet, from its arrival to the end of its handler"),
    NS_END};

NS_EVAL(machine, in, out, err)
{
    double wait;
    if (in->t_others.count != in->rate_others.count)
        return ns_fail(err, NS_ERR_RANGE, "%zu other kinds of handlers and %zu rates: wanted one rate for each kind",
                       in->t_others.count, in->rate_others.count);
    /* moments over the kinds: E[t^2] = sum share t^2 (1 + cv^2) */
    double work = in->rate * in->t_handler, square = work * in->t_handler;
    out->rate = in->rate;
    for (size_t i = 0; i < in->rate_others.count; i++) {
        const double t = in->t_others.at[i], rate = in->rate_others.at[i];
        out->rate += rate;
        work += rate * t;
        square += rate * t * t;
    }
    out->handler = work / out->rate;
    out->units_wanted = work;
    out->spread = sqrt(fmax(0, square * (1 + in->cv * in->cv) / out->rate / (out->handler * out->handler) - 1));
    const double units = in->serial * in->H > 1 ? 1 / in->serial : in->H;
    out->capacity = units / out->handler;
    out->load = out->rate / out->capacity;
    out->lost = fmax(0, 1 - 1 / out->load);
    out->full = out->load > 1 ? in->slots / (out->rate - out->capacity) : 0;
    NS_TRY(
        ns_handlers_wait(units < in->H ? floor(units) : units, out->load < 1 ? out->load : 0, out->spread, &wait, err));
    out->wait = out->load < 1 ? fmin(wait * out->handler, in->slots / out->capacity) : in->slots / out->capacity;
    out->time = out->wait + in->t_handler;
    return NS_OK;
}

const ns_model ns_model_spin_contention = {
    .name = "spin-contention",
    .title = "packets of several kinds that wait for the handler units",
    .source = "[RS] Sections 4.4.2 (1), 4.4.4 and 4.2.3; Allen and Cunneen for the wait",
    .notes = "Packets come at random; the paper prints no waiting time.",
    NS_ROWS_AND_EVAL,
};
