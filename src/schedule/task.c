/* task.c -- whether a strategy can run, and which processes take part: where they are, and which of them hold a part's
 * data */
#include "core/refuse.h"
#include "schedule/schedule.h"

#include <string.h>

const char *const ns_transport_words[] = {"host", "device", "nic", NULL};

ns_status ns_transport_get(const char *word, ns_transport *transport, ns_error *err)
{
    ns_error_clear(err);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (strcmp(ns_transport_words[t], word) == 0) {
            *transport = (ns_transport)t;
            return NS_OK;
        }
    return ns_refuse_name(err, "no transport", word, ns_transport_words, NS_TRANSPORTS);
}

int ns_strategy_steps(const ns_strategy *strategy)
{
    int steps = 0;
    while (strategy->steps != NULL && strategy->steps[steps].name != NULL)
        steps++;
    return steps;
}

ns_status ns_transport_check(ns_transport transport, ns_error *err)
{
    return (unsigned)transport < NS_TRANSPORTS
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "no transport %d; there are %d (host) and %d (device)", (int)transport,
                         (int)NS_VIA_HOST, (int)NS_VIA_DEVICE);
}

bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine)
{
    if ((unsigned)transport >= NS_TRANSPORTS || (strategy->transports & (1u << transport)) == 0)
        return false;
    const ns_memory memory = ns_transport_memory(transport);
    /* Staged data are copied: without the parameters of the copies that way has no price. */
    if (memory == NS_DEVICE ? machine->gpus == 0 : machine->gpus > 0 && machine->copy_levels == 0)
        return false;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (machine->line[memory][l][p].given)
                return true;
    return false;
}

int32_t ns_task_holders(const ns_strategy *strategy, const ns_task *task)
{
    const int32_t room = task->processes->per_node / task->exchange->per_node, /* processes per part */
        holders = strategy->holders < room ? strategy->holders : room;
    return holders > 0 ? holders : 1;
}

ns_status ns_task_open(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                       const ns_machine *machine, ns_arena *arena, ns_task *task, ns_error *err)
{
    const double cap = ns_machine_message_cap(machine);
    const ns_rule *rule = strategy->rule;
    NS_TRY(ns_transport_check(transport, err));
    if (rule != NULL) { /* do the strategy's steps fit it? */
        const int steps = ns_strategy_steps(strategy), gathers = rule->deal != NULL,
                  wanted = gathers || rule->takes != NULL ? gathers + 2 : 1;
        if (steps != wanted)
            return ns_fail(err, NS_ERR_DATA, "%s has %d steps; its rule has %d", strategy->name, steps, wanted);
        for (int i = 0; i < steps; i++) {
            const ns_joining joining = strategy->steps[i].joining;
            if (i != gathers        ? joining != NS_JOINED
                : rule->cap != NULL ? joining != NS_APART
                                    : joining != NS_ONCE && (wanted == 1 || joining != NS_APART))
                return ns_fail(err, NS_ERR_DATA,
                               "%s: slices of its step \"%s\" do not become messages as its rule says", strategy->name,
                               strategy->steps[i].name);
        }
    }
    if (!ns_strategy_runs(strategy, transport, machine))
        return ns_fail(err, NS_ERR_DATA, "%s does not run by way of the %s on machine %s%s", strategy->name,
                       ns_transport_words[transport], machine->name,
                       (strategy->transports & (1u << transport)) == 0 ? ""
                       : transport == NS_VIA_HOST && machine->gpus > 0 && machine->copy_levels == 0
                           ? ": it has GPUs but no copy parameters"
                           : ": it has no such tables");
    /* Host processes of a node: the machine's number, and at least one for each part that is there. */
    const ns_site *parts = exchange->site;
    const int32_t most = ns_site_node_most(parts),
                  each = machine->host_processes > most ? machine->host_processes : most,
                  sockets = machine->sockets > 0 ? machine->sockets : 1;
    ns_task t = {.size = sizeof t,
                 .exchange = exchange,
                 .transport = transport,
                 .host_processes = each,
                 .message_cap = cap < 9e18 ? (int64_t)cap : INT64_MAX};
    void *room;
    NS_TRY(ns_arena_take(arena, 1, sizeof *t.processes, &room, err));
    t.processes = room;
    *t.processes = *parts; /* process p is part p, on the socket of that part */
    if (strategy->all_processes) {
        const int32_t nodes = exchange->nodes;
        if ((int64_t)nodes * each > INT32_MAX)
            return ns_fail(err, NS_ERR_RANGE, "%d nodes of %d processes are too many", (int)nodes, (int)each);
        const int32_t processes = nodes * each;
        NS_TRY(ns_arena_take(arena, 4 * (size_t)processes + (size_t)nodes + 1, sizeof(int32_t), &room, err));
        int32_t *node_of = room, *local_of = node_of + processes, *socket_of = local_of + processes,
                *part = socket_of + processes, *first = part + processes;
        for (int32_t p = 0, node = 0, local = 0; p < processes; p++, local++) {
            node += local == each;
            local = local == each ? 0 : local;
            node_of[p] = node;
            local_of[p] = local;
            socket_of[p] = node > 0 ? socket_of[local] : (int32_t)((int64_t)local * sockets / each);
            part[p] = p;
        }
        for (int32_t node = 0; node <= nodes; node++)
            first[node] = node * each;
        *t.processes =
            (ns_site){sizeof *t.processes, processes, nodes, each, sockets, node_of, local_of, socket_of, first, part};
    } else if (parts->sockets == 0) {
        NS_TRY(ns_arena_take(arena, (size_t)parts->parts, sizeof(int32_t), &room, err));
        ns_site_spread(parts, sockets, room);
        t.processes->sockets = sockets;
        t.processes->socket_of = room;
    }
    NS_TRY(ns_arena_take(arena, (size_t)exchange->parts, sizeof *t.home, &room, err));
    t.home = room;
    for (int32_t p = 0; p < exchange->parts; p++) { /* part i of a node of at most G: local rank i PPN / G */
        const int32_t local = (int32_t)((int64_t)parts->local_of[p] * each / parts->per_node);
        t.home[p] = strategy->all_processes ? parts->node_of[p] * each + local : p;
    }
    t.holders = ns_task_holders(strategy, &t);
    *task = t;
    return NS_OK;
}
