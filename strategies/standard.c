/* standard.c -- every part sends to every part that needs something of it
 *
 * One step; a column that several parts of a node need crosses the network several times.
 */
#include "schedule/schedule.h"

/* D2H of everything a part sends, H2D of what it needs. */
static ns_status add_copies(const ns_exchange *x, ns_schedule *schedule, ns_error *err)
{
    const ns_step *step = &schedule->step[0];
    int64_t capacity[NS_DIRECTIONS] = {0};
    for (int32_t p = 0; p < x->parts; p++) {
        int64_t sent = 0;
        for (int64_t i = step->sent[p]; i < step->sent[p + 1]; i++)
            sent += step->message[i].bytes;
        NS_TRY(ns_schedule_copy(schedule, NS_D2H, p, p, sent, &capacity[NS_D2H], err));
        NS_TRY(ns_schedule_copy(schedule, NS_H2D, p, p, x->need[p] * x->width, &capacity[NS_H2D], err));
    }
    return NS_OK;
}

static ns_status fill(const ns_exchange *x, ns_schedule *schedule, ns_emitter *emitter, ns_error *err)
{
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        ns_slice slice = {.pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(ns_emit(emitter, route->from, route->to, &slice, route->entries * x->width, err));
    }
    return ns_emit_step(emitter, schedule, "exchange", false, err);
}

static ns_status build(const ns_exchange *exchange, const ns_schedule_site *site, ns_schedule *schedule, ns_error *err)
{
    NS_TRY(ns_schedule_open(schedule, exchange, site, 0, 1, err));
    ns_emitter emitter = {0};
    ns_status status = fill(exchange, schedule, &emitter, err);
    ns_emitter_free(&emitter);
    return status == NS_OK ? add_copies(exchange, schedule, err) : status;
}

const ns_strategy ns_strategy_standard = {
    .name = "standard",
    .title = "one message from each part to each part that needs data of it",
    .source = "[NA] Section 2.3, Table 6",
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .model = "standard",
    .build = build,
    .rank = 0,
};
