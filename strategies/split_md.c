/* split_md.c -- split with one host process per GPU, which copies and distributes the data */
#include "schedule/strategy.h"

static const char *const words[] = {"variant=md", NULL};

const ns_strategy ns_strategy_split_md = {
    .name = "split-md",
    .alias = "split",
    .title = "split over all host processes; one per GPU copies, then distributes",
    .source = "[NA] Section 2.3.3, Algorithm 1, Table 6",
    .rank = 3,
    .transports = 1u << NS_VIA_HOST,
    .node_aware = true,
    .same_messages = true,
    .nest = "split",
    .all_processes = true,
    .steps = ns_split_steps,
    .rule = &ns_split_rule,
    .model = "split",
    .words = words,
    .record_most = ns_node_aware_most,
};
