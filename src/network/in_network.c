/* in_network.c -- what interfaces that gather leave to the processes of a node
 *
 * A column from another node arrives once, at the first part that needs it; that part sends it to the others of its
 * node.  Columns of the node itself are sent directly.  No message leaves a node.  The host transport copies as usual:
 * data that others need out of the device, and data that a part needs into it.
 */
#include "network/network.h"

#include <string.h>

enum { DIRECT, FORWARD }; /* steps */

static ns_status emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)x->parts, sizeof(int64_t), &room, err));
    int64_t *sent = memset(room, 0, (size_t)x->parts * sizeof *sent); /* B, out of the device */
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        if (x->site->node_of[route->from] != x->site->node_of[route->to])
            continue;
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(ns_sink_send(sink, DIRECT, task->home[route->from], task->home[route->to], route->entries * x->width,
                            &slice, err));
        sent[route->from] += route->entries * x->width;
    }
    for (int64_t i = 0; i < x->pairs; i++)
        for (int64_t r = x->pair[i].run; r < x->pair[i].run + x->pair[i].runs; r++) {
            const ns_run *run = &x->run[r];
            const int32_t *needer = x->needer + run->needer;
            for (int32_t k = 1; k < run->needers; k++) {
                const ns_slice slice = {.pair = i,
                                        .first = run->first,
                                        .entries = run->entries,
                                        .from = needer[0],
                                        .to = needer[k],
                                        .only = -1};
                NS_TRY(ns_sink_send(sink, FORWARD, task->home[needer[0]], task->home[needer[k]],
                                    run->entries * x->width, &slice, err));
            }
        }
    for (int64_t i = 0; i < x->runs; i++)
        sent[x->run[i].origin] += x->run[i].entries * x->width;
    for (int32_t p = 0; p < x->parts; p++) {
        NS_TRY(ns_sink_copy(sink, NS_D2H, p, task->home[p], sent[p], err));
        NS_TRY(ns_sink_copy(sink, NS_H2D, p, task->home[p], x->need[p] * x->width, err));
    }
    return NS_OK;
}

static const ns_step_rule steps[] = {{"direct", NS_ONCE}, {"forward", NS_JOINED}, {NULL, NS_ONCE}};

const ns_strategy ns_strategy_in_network_gather = {
    .name = "in-network-gather",
    .title = "the network interfaces gather what a node needs; its processes share it out",
    .source = "[NS] Section 5",
    .rank = 9,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .node_aware = true,
    .same_messages = true,
    .steps = steps,
    .emit = emit,
};
