/* three_step.c -- gather on the node, one message per ordered pair of nodes, scatter
 *
 * Each node deals its destinations, and separately its sources, to its processes: largest first (ties: lowest node),
 * each to the process with the fewest bytes so far (ties: lowest rank).
 */
#include "core/memory.h"
#include <nsmodel/strategy.h>

#include <stdlib.h>

typedef struct ticket {
    int64_t pair, entries;
    int32_t node, other;
} ticket;

static int largest_first(const void *a, const void *b)
{
    const ticket *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->entries != y->entries)
        return x->entries > y->entries ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

static int32_t least_loaded(const int64_t *load, int32_t processes)
{
    int32_t best = 0;
    for (int32_t i = 1; i < processes; i++)
        if (load[i] < load[best])
            best = i;
    return best;
}

/* Choose the sender (or receiver) of every pair. */
static ns_status deal(const ns_task *task, ns_chunk *chunk, bool receiving, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_site *site = task->processes;
    ticket *tickets = malloc(ns_size_mul(ns_size_add((size_t)x->pairs, 1), sizeof *tickets));
    int64_t *load = calloc((size_t)site->per_node, sizeof *load);
    if (tickets == NULL || load == NULL) {
        free(tickets);
        free(load);
        return ns_no_memory(err);
    }
    for (int64_t i = 0; i < x->pairs; i++)
        tickets[i] = (ticket){i, x->pair[i].entries, receiving ? x->pair[i].to : x->pair[i].from,
                              receiving ? x->pair[i].from : x->pair[i].to};
    qsort(tickets, (size_t)x->pairs, sizeof *tickets, largest_first);
    for (int64_t i = 0; i < x->pairs; i++) {
        const int32_t first = site->first[tickets[i].node], size = site->first[tickets[i].node + 1] - first;
        for (int32_t j = 0; j < size && (i == 0 || tickets[i].node != tickets[i - 1].node); j++)
            load[j] = 0;
        int32_t rank = least_loaded(load, size);
        load[rank] += tickets[i].entries;
        if (receiving)
            chunk[tickets[i].pair].receiver = site->part[first + rank];
        else
            chunk[tickets[i].pair].sender = site->part[first + rank];
    }
    free(tickets);
    free(load);
    return NS_OK;
}

static ns_status emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    ns_chunk *chunk = malloc(ns_size_mul(ns_size_add((size_t)x->pairs, 1), sizeof *chunk));
    if (chunk == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; i < x->pairs; i++)
        chunk[i] = (ns_chunk){.pair = i, .entries = x->pair[i].entries};
    ns_status status = deal(task, chunk, false, err);
    if (status == NS_OK)
        status = deal(task, chunk, true, err);
    if (status == NS_OK)
        status = ns_sink_chunks(sink, task, chunk, x->pairs, true, err);
    free(chunk);
    return status;
}

static const ns_step_rule steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};
static const char *const most[] = {"max_num_L", "max_num_S", "max_num_G", "max_num_R", NULL};

const ns_strategy ns_strategy_three_step = {
    .name = "three-step",
    .alias = "3-step",
    .title = "gather on the node, one message per pair of nodes, scatter",
    .source = "[NA] Section 2.3.1, Table 6",
    .rank = 1,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .node_aware = true,
    .steps = steps,
    .emit = emit,
    .model = "three-step",
    .record_most = most,
};
