/* task.c -- who takes part: processes, where they stand, and which of them hold a part's data */
#include "core/memory.h"
#include "schedule/schedule.h"

#include <stdlib.h>

ns_status ns_transport_check(ns_transport transport, ns_error *err)
{
    return (unsigned)transport < NS_TRANSPORTS
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "no transport %d; there are %d (host) and %d (device)", (int)transport,
                         (int)NS_VIA_HOST, (int)NS_VIA_DEVICE);
}

/* Staged data are copied: without the copies' parameters that way has no price. */
static bool lacks_copies(const ns_machine *machine)
{
    return machine->gpus > 0 && machine->copy_levels == 0;
}

bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine)
{
    if ((unsigned)transport >= NS_TRANSPORTS || (strategy->transports & (1u << transport)) == 0)
        return false;
    ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    if (transport == NS_VIA_DEVICE ? machine->gpus == 0 : lacks_copies(machine))
        return false;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (machine->line[memory][l][p].given)
                return true;
    return false;
}

/* Process p is part p, or each node has the machine's host processes. */
static ns_status place(const ns_strategy *strategy, const ns_exchange *x, const ns_machine *machine, ns_site **site,
                       ns_error *err)
{
    const int32_t sockets = machine->sockets > 0 ? machine->sockets : 1;
    if (!strategy->all_processes)
        return ns_site_with_sockets(x->site, sockets, site, err);
    const int64_t processes = (int64_t)x->nodes * machine->host_processes;
    if (processes > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "%d nodes of %d processes are too many", (int)x->nodes,
                       (int)machine->host_processes);
    return ns_site_blocks((int32_t)processes, machine->host_processes, sockets, site, err);
}

/* The host process of part i of a node of at most G: local rank i PPN / G. */
static int32_t home_of(const ns_site *parts, int32_t part, int32_t ppn)
{
    return parts->node_of[part] * ppn + (int32_t)((int64_t)parts->local_of[part] * ppn / parts->per_node);
}

ns_status ns_task_open(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                       const ns_machine *machine, ns_task *task, ns_error *err)
{
    const double cap = ns_machine_rendezvous_from(machine);
    NS_TRY(ns_transport_check(transport, err));
    if (!ns_strategy_runs(strategy, transport, machine))
        return ns_fail(err, NS_ERR_DATA, "%s does not run by way of the %s on machine %s%s", strategy->name,
                       ns_transport_words[transport], machine->name,
                       (strategy->transports & (1u << transport)) == 0              ? ""
                       : transport == NS_VIA_HOST && lacks_copies(machine) ? ": it has GPUs but no copy parameters"
                                                                           : ": it has no such tables");
    ns_task t = {.size = sizeof t,
                 .exchange = exchange,
                 .transport = transport,
                 .host_processes = machine->host_processes,
                 .message_cap = cap < 9e18 ? (int64_t)cap : INT64_MAX};
    NS_TRY(place(strategy, exchange, machine, &t.processes, err));
    const int32_t room = t.processes->per_node / exchange->per_node; /* processes that fall to one part */
    t.holders = strategy->holders < room ? strategy->holders : room;
    t.holders = t.holders > 0 ? t.holders : 1;
    t.home = malloc(ns_size_mul((size_t)exchange->parts, sizeof *t.home));
    if (t.home == NULL) {
        ns_site_free(t.processes);
        return ns_no_memory(err);
    }
    for (int32_t p = 0; p < exchange->parts; p++)
        t.home[p] = strategy->all_processes ? home_of(exchange->site, p, machine->host_processes) : p;
    *task = t;
    return NS_OK;
}

void ns_task_close(ns_task *task)
{
    ns_site_free(task->processes);
    free(task->home);
    *task = (ns_task){0};
}
