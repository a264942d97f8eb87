/* split_dd.c -- split with four host processes per GPU, each copying its share through a duplicate device pointer */
#include "schedule/strategy.h"

static const char *const words[] = {"variant=dd", NULL};

const ns_strategy ns_strategy_split_dd = {
    .name = "split-dd",
    .alias = "split",
    .title = "split over all host processes; four per GPU copy their share",
    .source = "[NA] Sections 2.3.3 and 4, Table 6",
    .rank = 4,
    .transports = 1u << NS_VIA_HOST,
    .node_aware = true,
    .same_messages = true,
    .nest = "split",
    .all_processes = true,
    .holders = 4, /* [NA] Section 4.4: no gain was seen beyond four */
    .steps = ns_split_steps,
    .rule = &ns_split_rule,
    .model = "split",
    .words = words,
    .record_most = ns_node_aware_most,
};
