/* three_step.c -- gather on the node, one message per ordered pair of nodes, scatter
 *
 * Each node deals its destinations, and separately its sources, to its processes: largest first (ties: lowest node),
 * each to the process with the fewest bytes so far (ties: lowest rank).
 */
#include "schedule/strategy.h"

static bool is_before(const ns_hand *a, const ns_hand *b)
{
    return a->entries != b->entries ? a->entries < b->entries : a->rank < b->rank;
}

/* The hands are a heap: the first takes a chunk and sinks to its place. */
static void deal(const ns_chunk_list *list, ns_hand *hand, int32_t *local)
{
    for (int32_t i = 0; i < list->size; i++)
        hand[i] = (ns_hand){0, i};
    for (int64_t i = 0; i < list->count; i++) {
        const int32_t chunk = list->order[i];
        const ns_hand one = {hand[0].entries + list->entries[chunk], hand[0].rank};
        int32_t at = 0;
        for (int32_t child = 1; child < list->size; child = 2 * at + 1) {
            child += child + 1 < list->size && is_before(&hand[child + 1], &hand[child]);
            if (!is_before(&hand[child], &one))
                break;
            hand[at] = hand[child];
            at = child;
        }
        hand[at] = one;
        local[chunk] = one.rank;
    }
}

static const ns_rule rule = {.deal = deal};
static const ns_step_rule steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};

const ns_strategy ns_strategy_three_step = {
    .name = "three-step",
    .alias = "3-step",
    .title = "gather on the node, one message per pair of nodes, scatter",
    .source = "[NA] Section 2.3.1, Table 6",
    .rank = 1,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .node_aware = true,
    .same_messages = true,
    .steps = steps,
    .rule = &rule,
    .model = "three-step",
    .record_most = ns_node_aware_most,
};
