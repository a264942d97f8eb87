/* schedule.c -- building a schedule, and what all schedules share */
#include "schedule/schedule.h"
#include "core/memory.h"

#include <string.h>

/* The schedule keeps the task's processes and homes. */
static ns_status keep(ns_schedule *s, const ns_task *task, bool staged, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_site *stands = x->stands != NULL ? x->stands : task->processes;
    NS_TRY(ns_site_with_sockets(stands, stands->sockets, &s->site, err));
    s->home = ns_malloc(ns_size_mul((size_t)x->parts, sizeof *s->home));
    if (s->home == NULL)
        return ns_no_memory(err);
    memcpy(s->home, task->home, (size_t)x->parts * sizeof *s->home);
    s->transport = task->transport;
    s->parts = x->parts;
    s->per_node = ns_exchange_stands(x)->per_node;
    s->nodes = s->site->nodes;
    s->ppn = s->site->per_node;
    s->processes = s->site->parts;
    s->sockets = s->site->sockets;
    s->holders = task->holders;
    s->staged = staged;
    return NS_OK;
}

static ns_status build(const ns_task *task, const ns_machine *machine, ns_schedule *schedule, ns_error *err)
{
    NS_TRY(keep(schedule, task, machine->gpus > 0 && task->transport == NS_VIA_HOST, err));
    return ns_schedule_fill(schedule, task, err);
}

ns_status ns_schedule_build_named(const ns_strategy *strategy, ns_transport transport, const ns_exchange *named,
                                  const ns_machine *machine, ns_schedule **schedule, ns_error *err)
{
    ns_arena arena = {0};
    ns_task task;
    ns_schedule *built = ns_calloc(1, sizeof *built);
    if (built == NULL)
        return ns_no_memory(err);
    built->strategy = strategy;
    ns_status status = ns_task_open(strategy, transport, named, machine, &arena, &task, err);
    if (status == NS_OK)
        status = build(&task, machine, built, err);
    ns_arena_free(&arena);
    if (status != NS_OK) {
        ns_schedule_free(built);
        return status;
    }
    *schedule = built;
    return NS_OK;
}

ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                            const ns_machine *machine, ns_schedule **schedule, ns_error *err)
{
    ns_error_clear(err);
    ns_exchange *grouped = NULL;
    if (strategy->group == 0)
        return ns_schedule_build_named(strategy, transport, exchange, machine, schedule, err);
    NS_TRY(ns_strategy_groups(strategy, exchange, machine, &grouped, err));
    const ns_status status = ns_schedule_build_named(strategy, transport, grouped, machine, schedule, err);
    if (status == NS_OK)
        (*schedule)->grouped = grouped;
    else
        ns_exchange_free(grouped);
    return status;
}

void ns_schedule_free(ns_schedule *schedule)
{
    if (schedule == NULL)
        return;
    for (int i = 0; i < schedule->steps; i++) {
        ns_step *step = &schedule->step[i];
        ns_free(step->message);
        ns_free(step->sent);
        ns_free(step->received);
        ns_free(step->by_receiver);
        ns_free(step->node_sent);
        ns_free(step->node_received);
        ns_free(step->partners);
    }
    ns_free(schedule->copy[NS_D2H]);
    ns_free(schedule->copy[NS_H2D]);
    ns_free(schedule->slice);
    ns_free(schedule->home);
    ns_exchange_free(schedule->grouped);
    ns_site_free(schedule->site);
    ns_free(schedule);
}

ns_locality ns_schedule_locality(const ns_schedule *schedule, int32_t a, int32_t b)
{
    const ns_site *site = schedule->site;
    if (site->node_of[a] != site->node_of[b])
        return NS_OFF_NODE;
    return site->socket_of[a] == site->socket_of[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

int64_t ns_schedule_messages_off_node_max(const ns_schedule *schedule)
{
    const int32_t *node_of = schedule->site->node_of;
    int64_t most = 0;
    for (int32_t p = 0; p < schedule->processes; p++) {
        int64_t count = 0;
        for (int i = 0; i < schedule->steps; i++) {
            const ns_step *step = &schedule->step[i];
            for (int64_t m = step->sent[p]; m < step->sent[p + 1]; m++)
                count += node_of[step->message[m].from] != node_of[step->message[m].to];
        }
        most = count > most ? count : most;
    }
    return most;
}
