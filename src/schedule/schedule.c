/* schedule.c -- what all schedules share: processes, homes, localities, copies */
#include "schedule/schedule.h"

#include "core/memory.h"

#include <stdlib.h>

const char *const ns_transport_words[] = {"host", "device", NULL};

int32_t ns_exchange_node_size(const ns_exchange *exchange, int32_t node)
{
    int64_t left = exchange->parts - (int64_t)node * exchange->per_node;
    return left < exchange->per_node ? (int32_t)left : exchange->per_node;
}

/* The host process of part i of a node: local rank i PPN / G. */
static int32_t home_of(const ns_exchange *x, int32_t part, int32_t ppn)
{
    int64_t local = part % x->per_node;
    return part / x->per_node * ppn + (int32_t)(local * ppn / x->per_node);
}

ns_status ns_schedule_open(ns_schedule *schedule, const ns_exchange *exchange, const ns_schedule_site *site,
                           int32_t ppn, int32_t holders, ns_error *err)
{
    const int64_t processes = ppn > 0 ? (int64_t)exchange->nodes * ppn : exchange->parts;
    ppn = ppn > 0 ? ppn : exchange->per_node;
    if (processes > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "%d nodes of %d processes are too many", (int)exchange->nodes, (int)ppn);
    int32_t room = ppn / exchange->per_node; /* host processes that fall to one part */
    schedule->transport = site->transport;
    schedule->parts = exchange->parts;
    schedule->per_node = exchange->per_node;
    schedule->nodes = exchange->nodes;
    schedule->ppn = ppn;
    schedule->processes = (int32_t)processes;
    schedule->sockets = site->sockets;
    schedule->holders = holders < room ? holders : room > 0 ? room : 1;
    schedule->staged = site->copies && site->transport == NS_VIA_HOST;
    schedule->home = malloc(ns_size_mul((size_t)exchange->parts, sizeof *schedule->home));
    if (schedule->home == NULL)
        return ns_no_memory(err);
    for (int32_t p = 0; p < exchange->parts; p++)
        schedule->home[p] = home_of(exchange, p, ppn);
    return NS_OK;
}

ns_status ns_schedule_copy(ns_schedule *schedule, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                           int64_t *capacity, ns_error *err)
{
    if (!schedule->staged || bytes == 0)
        return NS_OK;
    ns_budget budget = {0};
    void *memory = schedule->copy[direction];
    NS_TRY(ns_grow(&memory, capacity, schedule->copies[direction] + 1, sizeof(ns_copy), &budget, err));
    schedule->copy[direction] = memory;
    schedule->copy[direction][schedule->copies[direction]++] = (ns_copy){part, process, bytes};
    return NS_OK;
}

bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine)
{
    if ((unsigned)transport >= NS_TRANSPORTS || (strategy->transports & (1u << transport)) == 0)
        return false;
    ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    if (transport == NS_VIA_DEVICE && machine->gpus == 0)
        return false;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (machine->line[memory][NS_OFF_NODE][p].given)
            return true;
    return false;
}

ns_status ns_transport_check(ns_transport transport, ns_error *err)
{
    return (unsigned)transport < NS_TRANSPORTS
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "no transport %d; there are %d (host) and %d (device)", (int)transport,
                         (int)NS_VIA_HOST, (int)NS_VIA_DEVICE);
}

static ns_status make_site(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                           ns_schedule_site *site, ns_error *err)
{
    NS_TRY(ns_transport_check(transport, err));
    if (!ns_strategy_runs(strategy, transport, machine))
        return ns_fail(err, NS_ERR_DATA, "%s does not run by way of the %s on machine %s%s", strategy->name,
                       ns_transport_words[transport], machine->name,
                       (strategy->transports & (1u << transport)) == 0 ? "" : ": it has no such tables");
    const double cap = ns_machine_rendezvous_from(machine);
    *site = (ns_schedule_site){.transport = transport,
                               .sockets = machine->sockets,
                               .host_processes = machine->host_processes,
                               .copies = machine->gpus > 0,
                               .message_cap = cap < 9e18 ? (int64_t)cap : INT64_MAX};
    return NS_OK;
}

ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                            const ns_machine *machine, ns_schedule **schedule, ns_error *err)
{
    ns_schedule_site site;
    NS_TRY(make_site(strategy, transport, machine, &site, err));
    ns_schedule *built = calloc(1, sizeof *built);
    if (built == NULL)
        return ns_no_memory(err);
    built->strategy = strategy;
    ns_status status = strategy->build(exchange, &site, built, err);
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
    }
    free(schedule->copy[NS_D2H]);
    free(schedule->copy[NS_H2D]);
    free(schedule->slice);
    free(schedule->home);
    free(schedule);
}

ns_locality ns_schedule_locality(const ns_schedule *schedule, int32_t a, int32_t b)
{
    if (a / schedule->ppn != b / schedule->ppn)
        return NS_OFF_NODE;
    int64_t x = a % schedule->ppn, y = b % schedule->ppn;
    return x * schedule->sockets / schedule->ppn == y * schedule->sockets / schedule->ppn ? NS_ON_SOCKET : NS_ON_NODE;
}

int64_t ns_schedule_messages_off_node_max(const ns_schedule *schedule)
{
    int64_t most = 0;
    for (int32_t p = 0; p < schedule->processes; p++) {
        int64_t count = 0;
        for (int i = 0; i < schedule->steps; i++) {
            const ns_step *step = &schedule->step[i];
            for (int64_t m = step->sent[p]; m < step->sent[p + 1]; m++)
                count += step->message[m].from / schedule->ppn != step->message[m].to / schedule->ppn;
        }
        most = count > most ? count : most;
    }
    return most;
}
