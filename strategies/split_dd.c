/* split_dd.c -- split with four host processes per GPU, each copying its share through a duplicate device pointer */
#include "schedule/schedule.h"

enum { HOLDERS = 4 }; /* [NA] Section 4.4: no gain was seen beyond four */

static ns_status build(const ns_exchange *exchange, const ns_schedule_site *site, ns_schedule *schedule, ns_error *err)
{
    return ns_schedule_split(schedule, exchange, site, HOLDERS, err);
}

static const char *const words[] = {"variant=dd", NULL};

const ns_strategy ns_strategy_split_dd = {
    .name = "split-dd",
    .title = "split over all host processes; four per GPU copy their share",
    .source = "[NA] Sections 2.3.3 and 4, Table 6",
    .node_aware = true,
    .transports = 1u << NS_VIA_HOST,
    .model = "split",
    .words = words,
    .build = build,
    .rank = 4,
};
