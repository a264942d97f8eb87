/* three_step.c -- gather on the node, one message per ordered pair of nodes, scatter
 *
 * Each node deals its destinations, and separately its sources, to its processes: largest first (ties: lowest node),
 * each to the process with the fewest bytes so far (ties: lowest rank).
 */
#include "schedule/rule.h"

static void deal(const ns_chunk_list *list, ns_hand *hand, int32_t *local)
{
    ns_deal_open(hand, list->size);
    for (int64_t i = 0; i < list->count; i++) {
        const int32_t chunk = list->order[i];
        local[chunk] = ns_deal_next(hand, list->size, list->entries[chunk]);
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
