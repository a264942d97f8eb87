/* two_step.c -- each part sends what a node needs to its paired process there, which scatters it
 *
 * The paired process has the sender's local index modulo the size of the receiving node.
 */
#include "schedule/strategy.h"

/* A chunk per origin of each L: its runs lie together. */
static int64_t cut_by_origin(const ns_exchange *x, ns_chunk *chunk)
{
    const ns_site *site = x->site;
    int64_t count = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        const int32_t first = site->first[pair->to], size = site->first[pair->to + 1] - first;
        int32_t last = -1;
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
            const ns_run *run = &x->run[r];
            if (r == pair->run || run->origin != last)
                chunk[count++] = (ns_chunk){.sender = run->origin,
                                            .receiver = site->part[first + site->local_of[run->origin] % size]};
            chunk[count - 1].entries += run->entries;
            last = run->origin;
        }
    }
    return count;
}

static ns_status emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)task->exchange->runs, sizeof(ns_chunk), &room, err));
    return ns_sink_chunks(sink, task, room, cut_by_origin(task->exchange, room), false, err);
}

static const ns_step_rule steps[] = {{"exchange", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};
static const char *const words[] = {"case=all", NULL};

const ns_strategy ns_strategy_two_step = {
    .name = "two-step",
    .alias = "2-step",
    .title = "one message from each part to each node that needs data of it, scatter",
    .source = "[NA] Section 2.3.2, Table 6",
    .rank = 2,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .node_aware = true,
    .same_messages = true,
    .shape = NS_SHAPE_PAIRED,
    .steps = steps,
    .emit = emit,
    .model = "two-step",
    .words = words,
};
