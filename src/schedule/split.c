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
static int64_t cap_entries(const ns_exchange *x, int64_t first, int64_t end, const ns_schedule_site *site)
{
    int64_t most = 0, all = 0, cap = site->message_cap / x->width;
    for (int64_t i = first; i < end; i++) {
        all += x->pair[i].entries;
        most = x->pair[i].entries > most ? x->pair[i].entries : most;
    }
    if (site->message_cap == 0 || most * x->width < site->message_cap)
        return most;
    if (all * x->width > ns_count_mul(site->message_cap, site->host_processes))
        return (all + site->host_processes - 1) / site->host_processes;
    return cap > 0 ? cap : 1;
}

static int64_t count_chunks(const ns_exchange *x, const ns_schedule_site *site, ns_chunk *chunk)
{
    int64_t count = 0;
    for (int64_t first = 0, end; first < x->pairs; first = end) {
        for (end = first; end < x->pairs && x->pair[end].to == x->pair[first].to; end++)
            ;
        int64_t cap = cap_entries(x, first, end, site);
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

static ns_status deal(const ns_exchange *x, ns_chunk *chunk, int64_t chunks, int32_t ppn, bool receiving, ns_error *err)
{
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
        int32_t rank = (int32_t)(dealt % ppn), base = tickets[i].node * ppn;
        if (receiving)
            chunk[tickets[i].chunk].receiver = base + rank;
        else
            chunk[tickets[i].chunk].sender = base + ppn - 1 - rank;
    }
    free(tickets);
    return NS_OK;
}

ns_status ns_schedule_split(ns_schedule *schedule, const ns_exchange *exchange, const ns_schedule_site *site,
                            int32_t holders, ns_error *err)
{
    NS_TRY(ns_schedule_open(schedule, exchange, site, site->host_processes, holders, err));
    int64_t chunks = count_chunks(exchange, site, NULL);
    ns_chunk *chunk = malloc(ns_size_mul(ns_size_add((size_t)chunks, 1), sizeof *chunk));
    if (chunk == NULL)
        return ns_no_memory(err);
    count_chunks(exchange, site, chunk);
    ns_status status = deal(exchange, chunk, chunks, schedule->ppn, true, err);
    if (status == NS_OK)
        status = deal(exchange, chunk, chunks, schedule->ppn, false, err);
    if (status == NS_OK)
        status = ns_schedule_route(schedule, exchange, chunk, chunks, true, err);
    free(chunk);
    return status;
}
