/* emit.c -- from loose slices to the messages of a step, indexed by sender and by receiver */
#include "schedule/schedule.h"

#include "core/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ns_status ns_emit(ns_emitter *emitter, int32_t from, int32_t to, const ns_slice *slice, int64_t bytes, ns_error *err)
{
    if (from == to || bytes == 0)
        return NS_OK;
    ns_budget budget = {0};
    void *memory = emitter->emission;
    NS_TRY(ns_grow(&memory, &emitter->capacity, emitter->count + 1, sizeof *emitter->emission, &budget, err));
    emitter->emission = memory;
    emitter->emission[emitter->count] =
        (ns_emission){.from = from, .to = to, .order = emitter->count, .bytes = bytes, .slice = *slice};
    emitter->count++;
    return NS_OK;
}

void ns_emitter_free(ns_emitter *emitter)
{
    free(emitter->emission);
    *emitter = (ns_emitter){0};
}

static int by_sender(const void *a, const void *b)
{
    const ns_emission *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static ns_status allocate(ns_schedule *s, ns_step *step, int64_t messages, ns_error *err)
{
    step->message = calloc(ns_size_add((size_t)messages, 1), sizeof *step->message);
    step->sent = calloc(ns_size_add((size_t)s->processes, 1), sizeof *step->sent);
    step->received = calloc(ns_size_add((size_t)s->processes, 1), sizeof *step->received);
    step->by_receiver = calloc(ns_size_add((size_t)messages, 1), sizeof *step->by_receiver);
    step->node_sent = calloc((size_t)s->nodes, sizeof *step->node_sent);
    step->node_received = calloc((size_t)s->nodes, sizeof *step->node_received);
    return step->message != NULL && step->sent != NULL && step->received != NULL && step->by_receiver != NULL &&
                   step->node_sent != NULL && step->node_received != NULL
               ? NS_OK
               : ns_no_memory(err);
}

static ns_status append_slices(ns_schedule *s, const ns_emitter *emitter, ns_error *err)
{
    ns_slice *grown = realloc(
        s->slice, ns_size_mul(ns_size_add((size_t)s->slices, ns_size_add((size_t)emitter->count, 1)), sizeof *grown));
    if (grown == NULL)
        return ns_no_memory(err);
    s->slice = grown;
    for (int64_t i = 0; i < emitter->count; i++)
        s->slice[s->slices + i] = emitter->emission[i].slice;
    s->slices += emitter->count;
    return NS_OK;
}

/* Join neighbours of one pair of processes; the slices lie in the same order. */
static void join(ns_step *step, const ns_emitter *emitter, int64_t first_slice, bool apart)
{
    assert(emitter->count == 0 || step->message != NULL); /* the caller made room for each emission */
    for (int64_t i = 0; i < emitter->count; i++) {
        const ns_emission *e = &emitter->emission[i];
        ns_message *last = step->messages > 0 ? &step->message[step->messages - 1] : NULL;
        if (!apart && last != NULL && last->from == e->from && last->to == e->to) {
            last->bytes += e->bytes;
            last->slices++;
        } else {
            step->message[step->messages++] =
                (ns_message){.from = e->from, .to = e->to, .bytes = e->bytes, .slice = first_slice + i, .slices = 1};
        }
    }
}

/* Offsets by sender and receiver, and the nodes' off-node bytes. */
static void index_step(const ns_schedule *s, ns_step *step)
{
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        step->sent[m->from + 1]++;
        step->received[m->to + 1]++;
        if (m->from / s->ppn != m->to / s->ppn) {
            step->node_sent[m->from / s->ppn] += m->bytes;
            step->node_received[m->to / s->ppn] += m->bytes;
        }
    }
    for (int32_t p = 0; p < s->processes; p++) {
        step->sent[p + 1] += step->sent[p];
        step->received[p + 1] += step->received[p];
    }
    for (int64_t i = step->messages - 1; i >= 0; i--) /* from the back, so that the offsets can serve as counters */
        step->by_receiver[--step->received[step->message[i].to + 1]] = i;
    for (int32_t p = 0; p < s->processes; p++)
        step->received[p] = step->received[p + 1];
    step->received[s->processes] = step->messages;
}

ns_status ns_emit_step(ns_emitter *emitter, ns_schedule *schedule, const char *name, bool apart, ns_error *err)
{
    ns_step *step = &schedule->step[schedule->steps++];
    step->name = name;
    if (emitter->count > 1)
        qsort(emitter->emission, (size_t)emitter->count, sizeof *emitter->emission, by_sender);
    NS_TRY(allocate(schedule, step, emitter->count, err));
    int64_t first_slice = schedule->slices;
    NS_TRY(append_slices(schedule, emitter, err));
    join(step, emitter, first_slice, apart);
    index_step(schedule, step);
    emitter->count = 0;
    return NS_OK;
}
