/* relay.c -- a strategy that nobody published, with four steps: tests/test_additions.c and tests/test_own_strategy.c
 *
 * Collect on a node's last part, hand over to its first, one message for each pair of nodes, scatter.
 */
#include "schedule/strategy.h"

enum { COLLECT, HAND_OVER, CROSS, SCATTER };

static int32_t part_at(const ns_site *site, int32_t node, bool last)
{
    return site->part[last ? site->first[node + 1] - 1 : site->first[node]];
}

static ns_status relay_pair(const ns_task *task, ns_sink *sink, int64_t i, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_pair *pair = &x->pair[i];
    const int32_t relay = task->home[part_at(x->site, pair->from, true)],
                  sender = task->home[part_at(x->site, pair->from, false)],
                  receiver = task->home[part_at(x->site, pair->to, false)];
    const ns_slice whole = {.pair = i, .entries = pair->entries, .from = -1, .to = -1, .only = -1};
    for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
        const ns_run *run = &x->run[r];
        ns_slice slice = {.pair = i, .first = run->first, .entries = run->entries, .from = -1, .to = -1, .only = -1};
        NS_TRY(ns_sink_send(sink, COLLECT, task->home[run->origin], relay, run->entries * x->width, &slice, err));
        for (int32_t n = 0; n < run->needers; n++) {
            slice.only = x->needer[run->needer + n];
            NS_TRY(ns_sink_send(sink, SCATTER, receiver, task->home[slice.only], run->entries * x->width, &slice, err));
        }
    }
    NS_TRY(ns_sink_send(sink, HAND_OVER, relay, sender, pair->entries * x->width, &whole, err));
    return ns_sink_send(sink, CROSS, sender, receiver, pair->entries * x->width, &whole, err);
}

/* Copies: what a part sends on its node, and its columns once for each node that needs them; what it needs. */
static ns_status relay_copies(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    for (int32_t p = 0; p < x->parts; p++) {
        int64_t out = 0;
        for (int64_t i = 0; i < x->routes; i++)
            if (x->route[i].from == p && x->site->node_of[x->route[i].to] == x->site->node_of[p])
                out += x->route[i].entries;
        for (int64_t i = 0; i < x->runs; i++)
            out += x->run[i].origin == p ? x->run[i].entries : 0;
        NS_TRY(ns_sink_copy(sink, NS_D2H, p, task->home[p], out * x->width, err));
        NS_TRY(ns_sink_copy(sink, NS_H2D, p, task->home[p], x->need[p] * x->width, err));
    }
    return NS_OK;
}

static ns_status relay_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        if (x->site->node_of[route->from] == x->site->node_of[route->to])
            NS_TRY(ns_sink_send(sink, COLLECT, task->home[route->from], task->home[route->to],
                                route->entries * x->width, &slice, err));
    }
    for (int64_t i = 0; i < x->pairs; i++)
        NS_TRY(relay_pair(task, sink, i, err));
    return relay_copies(task, sink, err);
}

static const ns_step_rule relay_steps[] = {
    {"collect", NS_JOINED}, {"hand over", NS_JOINED}, {"cross", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};

const ns_strategy ns_strategy_relay = {
    .name = "relay",
    .title = "collect on the last process of a node, hand over to the first, cross, scatter",
    .source = "tests",
    .rank = 9,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .node_aware = true,
    .steps = relay_steps,
    .emit = relay_emit,
};
