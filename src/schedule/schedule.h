/* schedule.h -- who takes part in a strategy, and the sinks that take what it sends */
#ifndef NS_SCHEDULE_SCHEDULE_H
#define NS_SCHEDULE_SCHEDULE_H

#include "core/arena.h"
#include "schedule/strategy.h"

/* What a strategy sends, taken message by message: the two functions below are what a new sink fills in. */
struct ns_sink {
    const ns_strategy *strategy;
    const ns_task *task;
    int steps;
    ns_arena room; /* of the strategy, while it names */
    ns_status (*send)(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                      ns_error *err); /* from != to, bytes > 0 */
    ns_status (*copy)(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                      ns_error *err); /* bytes > 0 */
};

/* Processes and homes of a strategy on a machine that runs it, in the arena's memory. */
ns_status ns_task_open(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                       const ns_machine *machine, ns_arena *arena, ns_task *task, ns_error *err);
/* The exchange by the groups of a strategy that has them; free it with ns_exchange_free. */
ns_status ns_strategy_groups(const ns_strategy *strategy, const ns_exchange *exchange, const ns_machine *machine,
                             ns_exchange **grouped, ns_error *err);
/* The schedule of a strategy on the exchange that its slices name: the one by its groups, where it has them. */
ns_status ns_schedule_build_named(const ns_strategy *strategy, ns_transport transport, const ns_exchange *named,
                                  const ns_machine *machine, ns_schedule **schedule, ns_error *err);
/* Of how many processes a part's data may be, for a strategy on the processes of a task. */
int32_t ns_task_holders(const ns_strategy *strategy, const ns_task *task);

/* Let the strategy name all it sends.  The sink's functions are set; the rest is set here.  Its room may be kept for
 * another run, and has to be freed. */
ns_status ns_sink_run(ns_sink *sink, const ns_strategy *strategy, const ns_task *task, ns_error *err);

/* A second message from a process to another, in a step that has at most one. */
ns_status ns_refuse_twice(const ns_strategy *strategy, int step, int32_t from, int32_t to, ns_error *err);

/* Fill the steps and copies of a schedule whose processes and homes are the task's. */
ns_status ns_schedule_fill(ns_schedule *schedule, const ns_task *task, ns_error *err);

/* Algorithm 1 of [NA], for both variants of split: cut at the receiving node's cap, deal receives from local rank 0 up
 * and sends from the last down. */
extern const ns_step_rule ns_split_steps[];
/* Columns of records: messages that stay on a node, gather, go between nodes, scatter. */
extern const char *const ns_node_aware_most[];
extern const struct ns_rule ns_split_rule;

/* Indices of sorted chunks by their sending or receiving node, as they come: node k has list[first[k]] to
 * list[first[k + 1] - 1]. */
ns_status ns_chunks_by_node(ns_sink *sink, const ns_exchange *exchange, const ns_chunk *chunk, int64_t chunks,
                            bool receiving, int64_t **list, int64_t **first, ns_error *err);

/* The part (or process) that has local index `local` on a node. */
static inline int32_t ns_site_at(const ns_site *site, int32_t node, int32_t local)
{
    return site->part[site->first[node] + local];
}

static inline int32_t ns_site_node_size(const ns_site *site, int32_t node)
{
    return site->first[node + 1] - site->first[node];
}

/* Refuse what is no transport. */
ns_status ns_transport_check(ns_transport transport, ns_error *err);

#endif
