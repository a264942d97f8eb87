/* two_step.c -- each part sends what a node needs to its paired process there, which scatters it
 *
 * The paired process has the sender's local index modulo the size of the receiving node.
 */
#include "schedule/strategy.h"

static int32_t takes(const ns_site *processes, int32_t origin, int32_t node)
{
    return processes->local_of[origin] % ns_site_node_size(processes, node);
}

static const ns_rule rule = {.takes = takes};
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
    .steps = steps,
    .rule = &rule,
    .model = "two-step",
    .words = words,
    .record_most = ns_node_aware_most,
};
