/* schedule.c -- building a schedule, and what all schedules share */
#include "core/memory.h"
#include "schedule/schedule.h"

#include <stdlib.h>

/* The schedule takes over the task's processes and homes. */
static void take_over(ns_schedule *s, const ns_task *task, bool staged)
{
    s->transport = task->transport;
    s->parts = task->exchange->parts;
    s->per_node = task->exchange->per_node;
    s->nodes = task->exchange->nodes;
    s->site = task->processes;
    s->ppn = s->site->per_node;
    s->processes = s->site->parts;
    s->sockets = s->site->sockets;
    s->home = task->home;
    s->holders = task->holders;
    s->staged = staged;
}

ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                            const ns_machine *machine, ns_schedule **schedule, ns_error *err)
{
    ns_task task;
    NS_TRY(ns_task_open(strategy, transport, exchange, machine, &task, err));
    ns_schedule *built = calloc(1, sizeof *built);
    if (built == NULL) {
        ns_task_close(&task);
        return ns_no_memory(err);
    }
    built->strategy = strategy;
    take_over(built, &task, machine->gpus > 0 && transport == NS_VIA_HOST);
    ns_status status = ns_schedule_fill(built, &task, err);
    if (status != NS_OK) {
        ns_schedule_free(built);
        return status;
    }
    *schedule = built;
    return NS_OK;
}

void ns_schedule_free(ns_schedule *schedule)
{
    if (schedule == NULL)
        return;
    for (int i = 0; i < schedule->steps; i++) {
        ns_step *step = &schedule->step[i];
        free(step->message);
        free(step->sent);
        free(step->received);
        free(step->by_receiver);
        free(step->node_sent);
        free(step->node_received);
        free(step->partners);
    }
    free(schedule->copy[NS_D2H]);
    free(schedule->copy[NS_H2D]);
    free(schedule->slice);
    free(schedule->home);
    ns_site_free(schedule->site);
    free(schedule);
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
