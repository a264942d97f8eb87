/* split_md.c -- split with one host process per GPU, which copies and distributes */
#include "schedule/schedule.h"

static ns_status build(const ns_exchange *exchange, const ns_schedule_site *site, ns_schedule *schedule, ns_error *err)
{
    return ns_schedule_split(schedule, exchange, site, 1, err);
}

static const char *const words[] = {"variant=md", NULL};

const ns_strategy ns_strategy_split_md = {
    .name = "split-md",
    .title = "split over all host processes; one per GPU copies, then distributes",
    .source = "[NA] Section 2.3.3, Algorithm 1, Table 6",
    .node_aware = true,
    .transports = 1u << NS_VIA_HOST,
    .model = "split",
    .words = words,
    .build = build,
    .rank = 3,
};
