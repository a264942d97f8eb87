/* split.c -- Algorithm 1 of [NA]: messages of at most a cap, dealt over all host processes
 *
 * The cap belongs to the receiving node.  x = most from one node, V = all it receives:
 *     cap' = no cut                    where x < cap
 *            max(cap, ceil(V / PPN))   elsewhere
 * Receives are dealt largest first from local rank 0 up, sends from PPN-1 down.  Entries are never cut in two.
 */
#include "core/memory.h"
#include "schedule/schedule.h"

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
                    chunk[count].entries = x->pair[i].entries - at < cap ? x->pair[i].entries - at : cap;
    }
    return count;
}

static ns_status deal(const ns_task *task, ns_sink *sink, ns_chunk *chunk, int64_t chunks, bool receiving,
                      ns_error *err)
{
    const ns_site *processes = task->processes;
    const ns_arena_place mark = ns_arena_mark(&sink->room);
    ns_chunks_of_nodes of;
    NS_TRY(ns_chunks_by_node(sink, task->exchange, chunk, chunks, receiving, &of, err));
    for (int32_t node = 0; node < task->exchange->nodes; node++) {
        const int32_t ppn = ns_site_node_size(processes, node);
        const int64_t tickets = ns_tickets_of(&of, node);
        int32_t rank = 0;
        for (int64_t i = 0; i < tickets; i++) {
            if (receiving)
                chunk[of.ticket[i].chunk].receiver = ns_site_at(processes, node, rank);
            else
                chunk[of.ticket[i].chunk].sender = ns_site_at(processes, node, ppn - 1 - rank);
            rank = rank + 1 < ppn ? rank + 1 : 0;
        }
    }
    ns_arena_release(&sink->room, mark);
    return NS_OK;
}

/* Two nodes may have more than one chunk between the same two processes, and a chunk's size is the point of it. */
const ns_step_rule ns_split_steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_APART}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};

ns_status ns_split_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const int64_t chunks = count_chunks(task->exchange, task, NULL);
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)chunks, sizeof(ns_chunk), &room, err));
    ns_chunk *chunk = room;
    count_chunks(task->exchange, task, chunk);
    NS_TRY(deal(task, sink, chunk, chunks, true, err));
    NS_TRY(deal(task, sink, chunk, chunks, false, err));
    return ns_sink_chunks(sink, task, chunk, chunks, true, err);
}
