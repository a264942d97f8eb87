/* standard.c -- every part sends to every part that needs something of it
 *
 * One step; a column that several parts of a node need crosses the network several times.
 */
#include "schedule/strategy.h"

static const char *const most[] = {"max_num_msgs", NULL};

const ns_strategy ns_strategy_standard = {
    .name = "standard",
    .title = "one message from each part to each part that needs data of it",
    .source = "[NA] Section 2.3, Table 6",
    .rank = 0,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .same_messages = true,
    .steps = ns_route_steps,
    .rule = &ns_route_rule,
    .model = "standard",
    .record_most = most,
};
