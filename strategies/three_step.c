/* three_step.c -- gather on the node, one message per ordered pair of nodes, scatter
 *
 * Each node deals its destinations, and separately its sources, to its processes: largest first (ties: lowest node),
 * each to the process with the fewest bytes so far (ties: lowest rank).
 */
#include "schedule/deal.h"
#include "schedule/schedule.h"

static void deal_node(const ns_site *site, int32_t node, const ns_ticket *ticket, int64_t tickets, bool receiving,
                      ns_hand *heap, ns_chunk *chunk)
{
    const int32_t size = ns_site_node_size(site, node);
    ns_deal_open(heap, size);
    for (int64_t i = 0; i < tickets; i++) {
        const int32_t process = ns_site_at(site, node, ns_deal_next(heap, size, ticket[i].entries));
        if (receiving)
            chunk[ticket[i].chunk].receiver = process;
        else
            chunk[ticket[i].chunk].sender = process;
    }
}

/* Choose the sender (or receiver) of every pair. */
static ns_status deal(const ns_task *task, ns_sink *sink, ns_chunk *chunk, bool receiving, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_arena_place mark = ns_arena_mark(&sink->room);
    ns_chunks_of_nodes of;
    void *heap;
    NS_TRY(ns_chunks_by_node(sink, x, chunk, x->pairs, receiving, &of, err));
    const int32_t most = task->processes->per_node < x->parts ? task->processes->per_node : x->parts;
    NS_TRY(ns_sink_room(sink, (size_t)most, sizeof(ns_hand), &heap, err));
    for (int32_t node = 0; node < x->nodes; node++) {
        const int64_t tickets = ns_tickets_of(&of, node);
        deal_node(task->processes, node, of.ticket, tickets, receiving, heap, chunk);
    }
    ns_arena_release(&sink->room, mark);
    return NS_OK;
}

static ns_status emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)x->pairs, sizeof(ns_chunk), &room, err));
    ns_chunk *chunk = room;
    for (int64_t i = 0; i < x->pairs; i++)
        chunk[i].entries = x->pair[i].entries;
    NS_TRY(deal(task, sink, chunk, false, err));
    NS_TRY(deal(task, sink, chunk, true, err));
    return ns_sink_chunks(sink, task, chunk, x->pairs, true, err);
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
    .same_messages = true,
    .shape = NS_SHAPE_DEALT,
    .steps = steps,
    .emit = emit,
    .model = "three-step",
    .record_most = most,
};
