/* schedule.c -- the sink that stores what a strategy emits: from slices to the messages of a step, by sender and by
 * receiver */
#include "schedule/schedule.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/own.h"
#include "schedule/node.h"

#include <string.h>

NS_FREED_BY(ns_schedule_free, ns_schedule)
NS_FREED_BY(ns_site_free, ns_site)

#define TAKE(array, count) ns_sink_room(sink, (size_t)(count), sizeof *(array), (void **)&(array), err)

/* ---- what strategies emit, message by message -------------------------------------------------------------------- */

ns_status ns_sink_room(ns_sink *sink, size_t count, size_t size, void **room, ns_error *err)
{
    return ns_arena_take(&sink->room, count, size, room, err);
}

static ns_status keep(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                      ns_error *err)
{
    struct ns_sent_list *list = &sink->sent[step];
    NS_TRY(ns_context_tick(1, err));
    NS_TRY(ns_grow((void **)&list->of, &list->capacity, list->count + 1, sizeof *list->of, &(ns_budget){0}, err));
    list->of[list->count++] = (ns_sent){from, to, bytes, *slice};
    return NS_OK;
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
    return from == to || bytes == 0 ? NS_OK : keep(sink, step, from, to, bytes, slice, err);
}

ns_status ns_sink_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                       ns_error *err)
{
    const int32_t parts = sink->task->exchange->parts;
    ns_schedule *s = sink->schedule;
    if (part < 0 || part >= parts || !is_process(sink, process) || bytes < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "%s copies %lld B of part %d by process %d; there are %d parts and %d "
                       "processes",
                       sink->strategy->name, (long long)bytes, (int)part, (int)process, (int)parts,
                       (int)sink->task->processes->parts);
    if (bytes == 0 || !s->staged)
        return NS_OK;
    NS_TRY(ns_grow((void **)&s->copy[direction], &sink->copy_capacity[direction], s->copies[direction] + 1,
                   sizeof(ns_copy), &(ns_budget){0}, err));
    s->copy[direction][s->copies[direction]++] = (ns_copy){part, process, bytes};
    return NS_OK;
}

/* Emit the copies of shares: of what each part sends, `sent` entries, and of what it needs. */
static ns_status copy_shares(ns_sink *sink, const ns_task *task, const int64_t *sent, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    for (int32_t p = 0; p < x->parts; p++)
        for (int32_t t = 0; t < task->holders; t++) {
            const int64_t out = ns_share(sent[p], task->holders, t), in = ns_share(x->need[p], task->holders, t);
            NS_TRY(ns_sink_copy(sink, NS_D2H, p, task->home[p] + t, out * x->width, err));
            NS_TRY(ns_sink_copy(sink, NS_H2D, p, task->home[p] + t, in * x->width, err));
        }
    return NS_OK;
}

ns_status ns_sink_route_copies(ns_sink *sink, const ns_task *task, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    int64_t *sent;
    NS_TRY(TAKE(sent, x->parts));
    memset(sent, 0, (size_t)x->parts * sizeof *sent);
    for (int64_t i = 0; i < x->routes; i++)
        sent[x->route[i].from] += x->route[i].entries;
    return copy_shares(sink, task, sent, err);
}

/* ---- what rules emit, node by node ------------------------------------------------------------------------------- */

typedef struct keeper {
    ns_sink *sink;
    ns_statement says;
    int step;
    bool to_holders;
    int64_t *chunk, *kept; /* [slots] the last chunk kept for a holder, and its index */
    ns_status status;
    ns_error *err;
} keeper;

/* The part of one chunk that goes to a holder is one slice. */
static void keep_cell(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice, int64_t chunk)
{
    keeper *k = sink;
    const int32_t holder = k->says.process[k->says.slot[slot]], other = k->says.process[process];
    const int64_t bytes = entries * k->sink->task->exchange->width;
    if (holder == other || k->status != NS_OK)
        return;
    if (k->to_holders && k->chunk[slot] == chunk) {
        ns_sent *last = &k->sink->sent[k->step].of[k->kept[slot]];
        last->bytes += bytes;
        last->slice.entries = slice->first + slice->entries - last->slice.first;
        return;
    }
    k->chunk[slot] = chunk;
    k->kept[slot] = k->sink->sent[k->step].count;
    k->status = k->to_holders ? keep(k->sink, k->step, other, holder, bytes, slice, k->err)
                              : keep(k->sink, k->step, holder, other, bytes, slice, k->err);
}

static ns_status name_by_rule(ns_sink *sink, ns_error *err)
{
    const ns_task *task = sink->task;
    const ns_exchange *x = task->exchange;
    const ns_site *site = task->processes;
    const ns_rule *rule = sink->strategy->rule;
    const bool dealt = rule->deal != NULL;
    if (!dealt && rule->takes == NULL) {
        for (const ns_route *route = x->route; route < x->route + x->routes; route++) {
            const ns_slice slice = {
                .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
            NS_TRY(ns_sink_send(sink, 0, task->home[route->from], task->home[route->to], route->entries * x->width,
                                &slice, err));
        }
        return ns_sink_route_copies(sink, task, err);
    }
    ns_by_node b = {.exchange = x};
    keeper k = {.sink = sink, .says = {.by_node = &b, .rule = rule, .task = task}, .err = err};
    const int64_t slots = ns_task_slots(task);
    int64_t given = 0, taken = 0, *next;
    int32_t *sender, *receiver;
    NS_TRY(ns_by_node_make(&b, false, true, &sink->room, err));
    NS_TRY(ns_statement_open(&k.says, &sink->room, err));
    NS_TRY(TAKE(next, x->nodes)); /* the first chunk that a node sends */
    NS_TRY(ns_statement_scratch(&k.says, slots, &sink->room, err));
    NS_TRY(TAKE(k.chunk, slots));
    NS_TRY(TAKE(k.kept, slots));
    NS_TRY(TAKE(sender, k.says.chunks_all));
    NS_TRY(TAKE(receiver, k.says.chunks_all));
    for (int32_t node = 0; node < x->nodes; node++) { /* what stays in it, is gathered there and is scattered there */
        const ns_node n = ns_by_node_at(&b, node);
        ns_statement_at(&k.says, &n);
        ns_statement_hold(&k.says, task);
        k.step = 0;
        k.to_holders = false;
        if (dealt) {
            const ns_chunks *out = &k.says.chunks[NS_OUT], *in = &k.says.chunks[NS_IN];
            memcpy(sender + given, out->local, (size_t)out->count * sizeof *sender);
            memcpy(receiver + taken, in->local, (size_t)in->count * sizeof *receiver);
            next[node] = given;
            given += out->count;
            taken += in->count;
            ns_name_gather(&k.says, true, task->holders, keep_cell, &k);
        } else
            ns_name_stays(&k.says, task->holders, keep_cell, &k);
        k.step = k.says.exchange_step + 1;
        k.to_holders = true;
        memset(k.chunk, -1, (size_t)slots * sizeof *k.chunk);
        ns_name_scatter(&k.says, dealt, task->holders, keep_cell, &k);
        NS_TRY(k.status);
    }
    /* Between nodes: the process that sends a chunk is known at one end, the one that takes it at the other.  Under a
     * rule that does not deal, a pair has one chunk per origin, whose runs are consecutive. */
    for (const ns_pair *pair = x->pair; pair < x->pair + x->pairs; pair++) {
        const ns_run *run = &x->run[pair->run], *end = run + pair->runs;
        ns_slice one = {.pair = pair - x->pair, .from = -1, .to = -1, .only = -1};
        for (; one.first < pair->entries; one.first += one.entries) {
            int32_t from, local;
            if (dealt) {
                const int64_t cap = k.says.cap != NULL ? k.says.cap[pair->to] : pair->entries;
                one.entries = pair->entries - one.first < cap ? pair->entries - one.first : cap;
                from = site->part[site->first[pair->from] + sender[next[pair->from]++]];
                local = *receiver++;
            } else {
                const int32_t origin = run->origin;
                from = task->home[origin];
                local = rule->takes(site, origin, pair->to);
                for (one.entries = 0; run < end && run->origin == origin; run++)
                    one.entries += run->entries;
            }
            NS_TRY(keep(sink, k.says.exchange_step, from, site->part[site->first[pair->to] + local],
                        one.entries * x->width, &one, err));
        }
    }
    return copy_shares(sink, task, b.sent, err);
}

/* ---- a step: slices by sender, then receiver, in the order in which they were emitted ---------------------------- */

ns_status ns_step_index(ns_step *step, int32_t processes, ns_error *err)
{
    memset(step->sent, 0, ((size_t)processes + 1) * sizeof *step->sent);
    memset(step->received, 0, ((size_t)processes + 1) * sizeof *step->received);
    for (int64_t i = 0; i < step->messages; i++) {
        NS_TRY(ns_context_turn(i, err));
        step->sent[step->message[i].from + 1]++;
        step->received[step->message[i].to + 1]++;
    }
    for (int32_t p = 0; p < processes; p++) {
        step->sent[p + 1] += step->sent[p];
        step->received[p + 1] += step->received[p];
    }
    for (int64_t i = step->messages - 1; i >= 0; i--) { /* backwards, so that the offsets can serve as counters */
        NS_TRY(ns_context_turn(i, err));
        step->by_receiver[--step->received[step->message[i].to + 1]] = i;
    }
    memmove(step->received, step->received + 1, (size_t)processes * sizeof *step->received);
    step->received[processes] = step->messages;
    return NS_OK;
}

/* Resize an array of a schedule to `count` elements and one more. */
static ns_status resize(void **array, int64_t count, size_t size, ns_error *err)
{
    void *resized = ns_realloc(*array, ns_size_mul(ns_size_add((size_t)count, 1), size));
    *array = resized != NULL ? resized : *array;
    return resized != NULL ? NS_OK : ns_no_memory(err);
}

#define RESIZE(array, count) resize((void **)&(array), count, sizeof *(array), err)

static ns_status close_step(ns_sink *sink, const struct ns_sent_list *list, const ns_step_rule *rule, ns_error *err)
{
    ns_schedule *s = sink->schedule;
    ns_step *step = &s->step[s->steps++];
    int64_t *at, *by_receiver, *order;
    step->name = rule->name;
    step->joining = rule->joining;
    NS_TRY(TAKE(at, s->processes + INT64_C(1)));
    NS_TRY(TAKE(by_receiver, list->count));
    NS_TRY(TAKE(order, list->count));
    for (int sender = 0; sender < 2; sender++) { /* two stable counting sorts */
        memset(at, 0, ((size_t)s->processes + 1) * sizeof *at);
        for (int64_t i = 0; i < list->count; i++) {
            NS_TRY(ns_context_turn(i, err));
            at[(sender ? list->of[i].from : list->of[i].to) + 1]++;
        }
        for (int32_t p = 0; p < s->processes; p++)
            at[p + 1] += at[p];
        for (int64_t i = 0; i < list->count; i++) {
            const int64_t one = sender ? by_receiver[i] : i;
            NS_TRY(ns_context_turn(i, err));
            (sender ? order : by_receiver)[at[sender ? list->of[one].from : list->of[one].to]++] = one;
        }
    }
    NS_TRY(RESIZE(s->slice, s->slices + list->count));
    NS_TRY(RESIZE(step->message, list->count));
    for (int64_t i = 0; i < list->count; i++) { /* slices of one message are adjacent, in the same order */
        const ns_sent *one = &list->of[order[i]];
        ns_message *last = step->messages > 0 ? &step->message[step->messages - 1] : NULL;
        const bool again = last != NULL && last->from == one->from && last->to == one->to;
        NS_TRY(ns_context_turn(i, err));
        if (again && step->joining == NS_ONCE)
            return ns_fail(err, NS_ERR_DATA, "%s sends more than once from process %d to process %d in its step \"%s\"",
                           s->strategy->name, (int)one->from, (int)one->to, step->name);
        if (again && step->joining == NS_JOINED) {
            last->bytes += one->bytes;
            last->slices++;
        } else
            step->message[step->messages++] =
                (ns_message){.from = one->from, .to = one->to, .bytes = one->bytes, .slice = s->slices, .slices = 1};
        s->slice[s->slices++] = one->slice;
    }
    NS_TRY(RESIZE(step->message, step->messages));
    NS_TRY(RESIZE(step->by_receiver, step->messages));
    NS_TRY(RESIZE(step->sent, s->processes));
    NS_TRY(RESIZE(step->received, s->processes));
    return ns_step_index(step, s->processes, err);
}

/* ---- a schedule -------------------------------------------------------------------------------------------------- */

/* Build the schedule, which takes over the task's processes and homes, and all messages that its strategy emits. */
static ns_status build(ns_schedule *s, const ns_task *task, const ns_machine *machine, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_site *stands = x->stands != NULL ? x->stands : task->processes;
    ns_sink sink = {.strategy = s->strategy, .task = task, .schedule = s, .steps = ns_strategy_steps(s->strategy)};
    if (sink.steps < 1 || sink.steps > NS_STEPS)
        return ns_fail(err, NS_ERR_LIMIT, "%s has %d steps; wanted 1 to %d", s->strategy->name, sink.steps,
                       (int)NS_STEPS);
    NS_TRY(ns_context_ask(err));
    NS_TRY(ns_site_with_sockets(stands, stands->sockets, &s->site, err));
    NS_TRY(RESIZE(s->home, x->parts));
    memcpy(s->home, task->home, (size_t)x->parts * sizeof *s->home);
    s->transport = task->transport;
    s->parts = x->parts;
    s->per_node = ns_exchange_stands(x)->per_node;
    s->nodes = s->site->nodes;
    s->ppn = s->site->per_node;
    s->processes = s->site->parts;
    s->sockets = s->site->sockets;
    s->holders = task->holders;
    s->staged = machine->gpus > 0 && task->transport == NS_VIA_HOST;
    ns_status status = s->strategy->rule != NULL ? name_by_rule(&sink, err) : s->strategy->emit(task, &sink, err);
    for (int i = 0; i < NS_STEPS; i++) {
        ns_arena_free(&sink.room); /* scratch of the strategy, and of the last step */
        if (status == NS_OK && i < sink.steps)
            status = close_step(&sink, &sink.sent[i], &s->strategy->steps[i], err);
        ns_free(sink.sent[i].of); /* before the next step's messages are made */
    }
    ns_arena_free(&sink.room);
    return status;
}

ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                            const ns_machine *machine, ns_schedule **schedule, ns_error *err)
{
    ns_error_clear(err);
    NS_CLOSE(ns_arena_free) ns_arena arena = {NULL, 0};
    NS_OWN(ns_schedule_free) ns_schedule *built = ns_calloc(1, sizeof *built);
    ns_task task;
    if (built == NULL)
        return ns_no_memory(err);
    built->strategy = strategy;
    if (strategy->group != 0) {
        const int32_t sockets = machine->sockets > 0 ? machine->sockets : 1,
                      ranks = strategy->group == NS_GROUP_SOCKET ? 0 : strategy->group;
        NS_OWN(ns_site_free) ns_site *stands = NULL;
        NS_TRY(ns_site_with_sockets(exchange->site, sockets, &stands, err));
        NS_TRY(ns_exchange_in_groups(exchange, stands, ranks, &built->grouped, err));
    }
    NS_TRY(ns_task_open(strategy, transport, ns_schedule_names(built, exchange), machine, &arena, &task, err));
    NS_TRY(build(built, &task, machine, err));
    *schedule = built;
    built = NULL;
    return NS_OK;
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
        for (const ns_step *step = schedule->step; step < schedule->step + schedule->steps; step++)
            for (int64_t m = step->sent[p]; m < step->sent[p + 1]; m++)
                count += node_of[step->message[m].from] != node_of[step->message[m].to];
        most = count > most ? count : most;
    }
    return most;
}
