/* split.c -- Algorithm 1 of [NA]: messages of at most a cap, dealt over all host processes
 *
 * The cap belongs to the receiving node.  x = most from one node, V = all it receives:
 *     cap' = no cut                    where x < cap
 *            max(cap, ceil(V / PPN))   elsewhere
 * Receives are dealt largest first from local rank 0 up, sends from PPN-1 down.  Entries are never cut in two.
 */
#include "core/memory.h"
#include "schedule/schedule.h"

#include <stdlib.h>

/* Entries per chunk for the pairs [first, end) of one receiving node. */
static int64_t cap_entries(const ns_exchange *x, int64_t first, int64_t end, const ns_task *task)
{
    int64_t most = 0, all = 0, cap = task->message_cap / x->width;
    for (int64_t i = first; i < end; i++) {
        all += x->pair[i].entries;
        most = x->pair[i].entries > most ? x->pair[i].entries : most;
    }
    if (task->message_cap == 0 || most * x->width < task->message_cap)
        return most;
    if (all * x->width > ns_count_mul(task->message_cap, task->host_processes))
        return (all + task->host_processes - 1) / task->host_processes;
    return cap > 0 ? cap : 1;
}

static int64_t count_chunks(const ns_exchange *x, const ns_task *task, ns_chunk *chunk)
{
    int64_t count = 0;
    for (int64_t first = 0, end; first < x->pairs; first = end) {
        for (end = first; end < x->pairs && x->pair[end].to == x->pair[first].to; end++)
            ;
        int64_t cap = cap_entries(x, first, end, task);
        for (int64_t i = first; i < end; i++)
            for (int64_t at = 0; at < x->pair[i].entries; at += cap, count++)
                if (chunk != NULL)
                    chunk[count] = (ns_chunk){.pair = i,
                                              .first = at,
                                              .entries = x->pair[i].entries - at < cap ? x->pair[i].entries - at : cap};
    }
    return count;
}

/* A chunk as one of its end nodes sees it. */
typedef struct ticket {
    int64_t entries, first, chunk;
    int32_t node, other;
} ticket;

static int largest_first(const void *a, const void *b)
{
    const ticket *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->entries != y->entries)
        return x->entries > y->entries ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static ns_status deal(const ns_task *task, ns_chunk *chunk, int64_t chunks, bool receiving, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_site *processes = task->processes;
    ticket *tickets = malloc(ns_size_mul(ns_size_add((size_t)chunks, 1), sizeof *tickets));
    if (tickets == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; i < chunks; i++) {
        const ns_pair *pair = &x->pair[chunk[i].pair];
        tickets[i] = (ticket){chunk[i].entries, chunk[i].first, i, receiving ? pair->to : pair->from,
                              receiving ? pair->from : pair->to};
    }
    qsort(tickets, (size_t)chunks, sizeof *tickets, largest_first);
    for (int64_t i = 0, dealt = 0; i < chunks; i++, dealt++) {
        if (i > 0 && tickets[i].node != tickets[i - 1].node)
            dealt = 0;
        const int32_t ppn = ns_site_node_size(processes, tickets[i].node), rank = (int32_t)(dealt % ppn);
        if (receiving)
            chunk[tickets[i].chunk].receiver = ns_site_at(processes, tickets[i].node, rank);
        else
            chunk[tickets[i].chunk].sender = ns_site_at(processes, tickets[i].node, ppn - 1 - rank);
    }
    free(tickets);
    return NS_OK;
}

/* Two nodes may have more than one chunk between the same two processes, and a chunk's size is the point of it. */
const ns_step_rule ns_split_steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_APART}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};

ns_status ns_split_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    int64_t chunks = count_chunks(task->exchange, task, NULL);
    ns_chunk *chunk = malloc(ns_size_mul(ns_size_add((size_t)chunks, 1), sizeof *chunk));
    if (chunk == NULL)
        return ns_no_memory(err);
    count_chunks(task->exchange, task, chunk);
    ns_status status = deal(task, chunk, chunks, true, err);
    if (status == NS_OK)
        status = deal(task, chunk, chunks, false, err);
    if (status == NS_OK)
        status = ns_sink_chunks(sink, task, chunk, chunks, true, err);
    free(chunk);
    return status;
}
