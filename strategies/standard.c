/* standard.c -- every part sends to every part that needs something of it
 *
 * One step; a column that several parts of a node need crosses the network several times.
 */

#include "schedule/strategy.h"

#include <string.h>

/* D2H of everything a part sends, H2D of what it needs. */
static ns_status add_copies(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)x->parts, sizeof(int64_t), &room, err));
    int64_t *sent = memset(room, 0, (size_t)x->parts * sizeof *sent);
    for (int64_t i = 0; i < x->routes; i++)
        sent[x->route[i].from] += x->route[i].entries * x->width;
    for (int32_t p = 0; p < x->parts; p++) {
        NS_TRY(ns_sink_copy(sink, NS_D2H, p, task->home[p], sent[p], err));
        NS_TRY(ns_sink_copy(sink, NS_H2D, p, task->home[p], x->need[p] * x->width, err));
    }
    return NS_OK;
}

static ns_status emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    NS_TRY(ns_sink_routes(sink, task, 0, err));
    return add_copies(task, sink, err);
}

static const ns_step_rule steps[] = {{"exchange", NS_ONCE}, {NULL, NS_ONCE}};
static const char *const most[] = {"max_num_msgs", NULL};

const ns_strategy ns_strategy_standard = {
    .name = "standard",
    .title = "one message from each part to each part that needs data of it",
    .source = "[NA] Section 2.3, Table 6",
    .rank = 0,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .same_messages = true,
    .shape = NS_SHAPE_DIRECT,
    .steps = steps,
    .emit = emit,
    .model = "standard",
    .record_most = most,
};
