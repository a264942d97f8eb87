/* two_step.c -- each part sends what a node needs to its paired process there, which scatters it
 *
 * The paired process has the sender's local index modulo the size of the receiving node.
 */
#include "core/memory.h"
#include "schedule/schedule.h"

#include <stdlib.h>

/* A chunk per origin of each L: its runs lie together. */
static int64_t cut_by_origin(const ns_exchange *x, ns_chunk *chunk)
{
    int64_t count = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        int32_t size = ns_exchange_node_size(x, pair->to), last = -1;
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
            const ns_run *run = &x->run[r];
            if (r == pair->run || run->origin != last)
                chunk[count++] = (ns_chunk){.pair = i,
                                            .first = run->first,
                                            .sender = run->origin,
                                            .receiver = pair->to * x->per_node + run->origin % x->per_node % size};
            chunk[count - 1].entries += run->entries;
            last = run->origin;
        }
    }
    return count;
}

static ns_status build(const ns_exchange *exchange, const ns_schedule_site *site, ns_schedule *schedule, ns_error *err)
{
    NS_TRY(ns_schedule_open(schedule, exchange, site, 0, 1, err));
    ns_chunk *chunk = malloc(ns_size_mul(ns_size_add((size_t)exchange->runs, 1), sizeof *chunk));
    if (chunk == NULL)
        return ns_no_memory(err);
    int64_t chunks = cut_by_origin(exchange, chunk);
    ns_status status = ns_schedule_route(schedule, exchange, chunk, chunks, false, err);
    free(chunk);
    return status;
}

static const char *const words[] = {"case=all", NULL};

const ns_strategy ns_strategy_two_step = {
    .name = "two-step",
    .title = "one message from each part to each node that needs data of it, scatter",
    .source = "[NA] Section 2.3.2, Table 6",
    .node_aware = true,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .model = "two-step",
    .words = words,
    .build = build,
    .rank = 2,
};
