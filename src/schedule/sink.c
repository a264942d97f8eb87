/* sink.c -- what strategies say, checked before a sink takes it */
#include "schedule/rule.h"

#include "core/context.h"
#include "core/refuse.h"

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

ns_status ns_sink_run(ns_sink *sink, const ns_strategy *strategy, const ns_task *task, ns_error *err)
{
    sink->strategy = strategy;
    sink->task = task;
    sink->steps = ns_strategy_steps(strategy);
    if (sink->steps < 1 || sink->steps > NS_STEPS)
        return ns_fail(err, NS_ERR_LIMIT, "%s has %d steps; wanted 1 to %d", strategy->name, sink->steps,
                       (int)NS_STEPS);
    ns_arena_reset(&sink->room);
    NS_TRY(ns_context_ask(err));
    return strategy->rule != NULL ? ns_rule_emit(task, sink, err) : strategy->emit(task, sink, err);
}

ns_status ns_sink_room(ns_sink *sink, size_t count, size_t size, void **room, ns_error *err)
{
    return ns_arena_take(&sink->room, count, size, room, err);
}

ns_status ns_refuse_twice(const ns_strategy *strategy, int step, int32_t from, int32_t to, ns_error *err)
{
    return ns_fail(err, NS_ERR_DATA, "%s sends more than once from process %d to process %d in its step \"%s\"",
                   strategy->name, (int)from, (int)to, strategy->steps[step].name);
}

static bool is_process(const ns_sink *sink, int32_t process)
{
    return process >= 0 && process < sink->task->processes->parts;
}

ns_status ns_sink_send(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                       ns_error *err)
{
    if (step < 0 || step >= sink->steps || !is_process(sink, from) || !is_process(sink, to) || bytes < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "%s sends %lld B from process %d to process %d in step %d; it has %d steps "
                       "and %d processes",
                       sink->strategy->name, (long long)bytes, (int)from, (int)to, step, sink->steps,
                       (int)sink->task->processes->parts);
    return from == to || bytes == 0 ? NS_OK : sink->send(sink, step, from, to, bytes, slice, err);
}

ns_status ns_sink_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                       ns_error *err)
{
    const int32_t parts = sink->task->exchange->parts;
    if (part < 0 || part >= parts || !is_process(sink, process) || bytes < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "%s copies %lld B of part %d by process %d; there are %d parts and %d "
                       "processes",
                       sink->strategy->name, (long long)bytes, (int)part, (int)process, (int)parts,
                       (int)sink->task->processes->parts);
    return bytes == 0 ? NS_OK : sink->copy(sink, direction, part, process, bytes, err);
}
