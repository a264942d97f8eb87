/* three_step.c -- gather on the node, one message per ordered pair of nodes, scatter
 *
 * Each node deals its destinations, and separately its sources, to its processes: largest first (ties: lowest node),
 * each to the process with the fewest bytes so far (ties: lowest rank).
 */
#include "core/memory.h"
#include "schedule/schedule.h"

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
static ns_status deal(const ns_exchange *x, ns_chunk *chunk, bool receiving, ns_error *err)
{
    ticket *tickets = malloc(ns_size_mul(ns_size_add((size_t)x->pairs, 1), sizeof *tickets));
    const int32_t processes = ns_exchange_node_size(x, 0); /* no node has more */
    int64_t *load = calloc((size_t)processes, sizeof *load);
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
        for (int32_t j = 0; j < processes && (i == 0 || tickets[i].node != tickets[i - 1].node); j++)
            load[j] = 0;
        int32_t rank = least_loaded(load, ns_exchange_node_size(x, tickets[i].node));
        load[rank] += tickets[i].entries;
        int32_t process = tickets[i].node * x->per_node + rank;
        if (receiving)
            chunk[tickets[i].pair].receiver = process;
        else
            chunk[tickets[i].pair].sender = process;
    }
    free(tickets);
    free(load);
    return NS_OK;
}

static ns_status build(const ns_exchange *exchange, const ns_schedule_site *site, ns_schedule *schedule, ns_error *err)
{
    NS_TRY(ns_schedule_open(schedule, exchange, site, 0, 1, err));
    ns_chunk *chunk = malloc(ns_size_mul(ns_size_add((size_t)exchange->pairs, 1), sizeof *chunk));
    if (chunk == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; i < exchange->pairs; i++)
        chunk[i] = (ns_chunk){.pair = i, .entries = exchange->pair[i].entries};
    ns_status status = deal(exchange, chunk, false, err);
    if (status == NS_OK)
        status = deal(exchange, chunk, true, err);
    if (status == NS_OK)
        status = ns_schedule_route(schedule, exchange, chunk, exchange->pairs, true, err);
    free(chunk);
    return status;
}

const ns_strategy ns_strategy_three_step = {
    .name = "three-step",
    .title = "gather on the node, one message per pair of nodes, scatter",
    .source = "[NA] Section 2.3.1, Table 6",
    .node_aware = true,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .model = "three-step",
    .build = build,
    .rank = 1,
};
