/* emit.c -- the sink that makes a schedule: from loose slices to the messages of a step, by sender and by receiver */
#include "schedule/schedule.h"

#include "core/context.h"
#include "core/memory.h"

typedef struct emission {
    int32_t from, to;
    int64_t bytes;
    ns_slice slice;
} emission;

/* A step under construction. */
typedef struct emitter {
    emission *emission;
    int64_t count, capacity;
} emitter;

typedef struct builder {
    ns_sink sink; /* first: the functions below are given it */
    ns_schedule *schedule;
    emitter emitter[NS_STEPS];
    int64_t copy_capacity[NS_DIRECTIONS];
} builder;

static ns_status take_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    emitter *e = &((builder *)sink)->emitter[step];
    NS_TRY(ns_context_tick(1, err));
    ns_budget budget = {0};
    void *memory = e->emission;
    NS_TRY(ns_grow(&memory, &e->capacity, e->count + 1, sizeof *e->emission, &budget, err));
    e->emission = memory;
    e->emission[e->count++] = (emission){.from = from, .to = to, .bytes = bytes, .slice = *slice};
    return NS_OK;
}

static ns_status take_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                           ns_error *err)
{
    builder *b = (builder *)sink;
    ns_schedule *s = b->schedule;
    if (!s->staged)
        return NS_OK;
    ns_budget budget = {0};
    void *memory = s->copy[direction];
    NS_TRY(ns_grow(&memory, &b->copy_capacity[direction], s->copies[direction] + 1, sizeof(ns_copy), &budget, err));
    s->copy[direction] = memory;
    s->copy[direction][s->copies[direction]++] = (ns_copy){part, process, bytes};
    return NS_OK;
}

/* ---- a step's emissions by sender, then receiver, in the order in which they came -------------------------------- */

/* A stable counting sort of `from` into `to` by one end; `at` has room for one more than there are processes. */
static ns_status sort_by(const emitter *e, bool receiver, int32_t processes, const int64_t *from, int64_t *to,
                         int64_t *at, ns_error *err)
{
    for (int32_t p = 0; p <= processes; p++)
        at[p] = 0;
    for (int64_t i = 0; i < e->count; i++) {
        NS_TRY(ns_context_turn(i, err));
        at[(receiver ? e->emission[i].to : e->emission[i].from) + 1]++;
    }
    for (int32_t p = 0; p < processes; p++)
        at[p + 1] += at[p];
    for (int64_t i = 0; i < e->count; i++) {
        const int64_t one = from != NULL ? from[i] : i;
        NS_TRY(ns_context_turn(i, err));
        to[at[receiver ? e->emission[one].to : e->emission[one].from]++] = one;
    }
    return NS_OK;
}

static bool same_ends(const emission *a, const emission *b)
{
    return a->from == b->from && a->to == b->to;
}

/* Messages that the sorted emissions make; an error where the rule allows fewer. */
static ns_status count_messages(const ns_schedule *s, const ns_step *step, const emitter *e, const int64_t *order,
                                int64_t *messages, ns_error *err)
{
    *messages = e->count;
    for (int64_t i = 1; i < e->count && step->joining != NS_APART; i++) {
        const emission *one = &e->emission[order[i]];
        NS_TRY(ns_context_turn(i, err));
        if (!same_ends(one, &e->emission[order[i - 1]]))
            continue;
        if (step->joining == NS_ONCE)
            return ns_refuse_twice(s->strategy, (int)(step - s->step), one->from, one->to, err);
        --*messages;
    }
    return NS_OK;
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static ns_status allocate(ns_schedule *s, ns_step *step, int64_t messages, int64_t slices, ns_error *err)
{
    ns_slice *grown = ns_realloc(
        s->slice, ns_size_mul(ns_size_add(ns_size_add((size_t)s->slices, (size_t)slices), 1), sizeof *grown));
    if (grown == NULL)
        return ns_no_memory(err);
    s->slice = grown;
    step->message = ns_calloc((size_t)messages + 1, sizeof *step->message);
    step->sent = ns_calloc((size_t)s->processes + 1, sizeof *step->sent);
    step->received = ns_calloc((size_t)s->processes + 1, sizeof *step->received);
    step->by_receiver = ns_calloc((size_t)messages + 1, sizeof *step->by_receiver);
    step->node_sent = ns_calloc((size_t)s->nodes, sizeof *step->node_sent);
    step->node_received = ns_calloc((size_t)s->nodes, sizeof *step->node_received);
    step->partners = ns_calloc((size_t)s->processes + 1, sizeof *step->partners);
    return step->message != NULL && step->sent != NULL && step->received != NULL && step->by_receiver != NULL &&
                   step->node_sent != NULL && step->node_received != NULL && step->partners != NULL
               ? NS_OK
               : ns_no_memory(err);
}

/* Slices of one message lie together, in the same order. */
static ns_status join(ns_schedule *s, ns_step *step, const emitter *e, const int64_t *order, ns_error *err)
{
    for (int64_t i = 0; i < e->count; i++) {
        const emission *one = &e->emission[order[i]];
        NS_TRY(ns_context_turn(i, err));
        if (i > 0 && step->joining != NS_APART && same_ends(one, &e->emission[order[i - 1]])) {
            ns_message *last = &step->message[step->messages - 1];
            last->bytes += one->bytes;
            last->slices++;
        } else {
            step->message[step->messages++] =
                (ns_message){.from = one->from, .to = one->to, .bytes = one->bytes, .slice = s->slices, .slices = 1};
        }
        s->slice[s->slices++] = one->slice;
    }
    return NS_OK;
}

/* Offsets by sender and receiver, and the nodes' off-node bytes. */
static ns_status index_step(const ns_schedule *s, ns_step *step, ns_error *err)
{
    const int32_t *node_of = s->site->node_of;
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        NS_TRY(ns_context_turn(i, err));
        step->sent[m->from + 1]++;
        step->received[m->to + 1]++;
        if (node_of[m->from] != node_of[m->to]) {
            step->node_sent[node_of[m->from]] += m->bytes;
            step->node_received[node_of[m->to]] += m->bytes;
        }
    }
    for (int32_t p = 0; p < s->processes; p++) {
        step->sent[p + 1] += step->sent[p];
        step->received[p + 1] += step->received[p];
    }
    for (int64_t i = step->messages - 1; i >= 0; i--) { /* from the back, so that the offsets can serve as counters */
        NS_TRY(ns_context_turn(i, err));
        step->by_receiver[--step->received[step->message[i].to + 1]] = i;
    }
    for (int32_t p = 0; p < s->processes; p++)
        step->received[p] = step->received[p + 1];
    step->received[s->processes] = step->messages;
    return NS_OK;
}

/* Other nodes that a process sends to or receives from; met: who met a node last, by node, and which way. */
static int32_t count_partners(const ns_schedule *s, const ns_step *step, int32_t process, bool receiving, int64_t *met)
{
    const int64_t *range = receiving ? step->received : step->sent;
    const int32_t *node_of = s->site->node_of;
    const int64_t stamp = 2 * (int64_t)process + receiving + 1; /* 0: nobody yet */
    int32_t count = 0;
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const int32_t node = node_of[receiving ? step->message[step->by_receiver[i]].from : step->message[i].to];
        count += node != node_of[process] && met[node] != stamp;
        met[node] = stamp;
    }
    return count;
}

static ns_status index_partners(const ns_schedule *s, ns_step *step, ns_error *err)
{
    int64_t *met = ns_calloc((size_t)s->nodes, sizeof *met);
    if (met == NULL)
        return ns_no_memory(err);
    ns_status status = NS_OK;
    for (int32_t p = 0; status == NS_OK && p < s->processes; p++) {
        const int32_t out = count_partners(s, step, p, false, met), in = count_partners(s, step, p, true, met);
        step->partners[p] = out > in ? out : in;
        status =
            ns_context_tick(1 + step->sent[p + 1] - step->sent[p] + step->received[p + 1] - step->received[p], err);
    }
    ns_free(met);
    return status;
}

static ns_status close_step(builder *b, int i, ns_error *err)
{
    ns_schedule *s = b->schedule;
    ns_step *step = &s->step[s->steps++];
    const emitter *e = &b->emitter[i];
    const size_t count = (size_t)e->count;
    int64_t messages;
    step->name = s->strategy->steps[i].name;
    step->joining = s->strategy->steps[i].joining;
    int64_t *at = ns_malloc(ns_size_mul(ns_size_add((size_t)s->processes + 1, ns_size_mul(2, count)), sizeof *at));
    if (at == NULL)
        return ns_no_memory(err);
    int64_t *half = at + s->processes + 1, *order = half + count;
    ns_status status = sort_by(e, true, s->processes, NULL, half, at, err);
    if (status == NS_OK)
        status = sort_by(e, false, s->processes, half, order, at, err);
    if (status == NS_OK)
        status = count_messages(s, step, e, order, &messages, err);
    if (status == NS_OK)
        status = allocate(s, step, messages, e->count, err);
    if (status == NS_OK)
        status = join(s, step, e, order, err);
    if (status == NS_OK)
        status = index_step(s, step, err);
    if (status == NS_OK)
        status = index_partners(s, step, err);
    ns_free(at);
    return status;
}

ns_status ns_schedule_fill(ns_schedule *schedule, const ns_task *task, ns_error *err)
{
    builder b = {.sink = {.send = take_slice, .copy = take_copy}, .schedule = schedule};
    ns_status status = ns_sink_run(&b.sink, schedule->strategy, task, err);
    ns_arena_free(&b.sink.room); /* before the messages are made */
    for (int i = 0; status == NS_OK && i < b.sink.steps; i++) {
        status = close_step(&b, i, err);
        ns_free(b.emitter[i].emission); /* before the next step's messages are made */
        b.emitter[i].emission = NULL;
    }
    for (int i = 0; i < NS_STEPS; i++)
        ns_free(b.emitter[i].emission);
    return status;
}
