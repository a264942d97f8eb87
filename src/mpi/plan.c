/* plan.c -- from a schedule to the messages of one process, and their values */
#include "mpi/plan.h"
#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static ns_status side_open(ns_side *side, int64_t messages, int64_t bytes, int64_t width, ns_error *err)
{
    if (messages >= INT_MAX || bytes > INT_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "a process sends or receives %lld B in one step; MPI counts to %d",
                       (long long)bytes, INT_MAX);
    const size_t count = (size_t)messages + 1;
    side->peer = calloc(count, sizeof *side->peer);
    side->bytes = calloc(count, sizeof *side->bytes);
    side->from = calloc(count, sizeof *side->from);
    side->place = calloc((size_t)(bytes / width) + 1, sizeof *side->place);
    side->buffer = calloc((size_t)bytes + 1, 1);
    return side->peer != NULL && side->bytes != NULL && side->from != NULL && side->place != NULL &&
                   side->buffer != NULL
               ? NS_OK
               : ns_no_memory(err);
}

static void side_free(ns_side *side)
{
    free(side->peer);
    free(side->bytes);
    free(side->from);
    free(side->place);
    free(side->buffer);
}

/* What a message carries has to be the bytes that were priced. */
static ns_status add_message(const ns_schedule *schedule, const ns_entries *e, const ns_message *m, int peer,
                             ns_side *side, ns_error *err)
{
    const int64_t width = e->exchange->width, begun = side->entries;
    for (int64_t s = m->slice; s < m->slice + m->slices; s++) {
        /* Without `only`, a slice holds as many entries as it says; with it, fewer than it spans. */
        int64_t *list = malloc(ns_size_mul((size_t)schedule->slice[s].entries + 1, sizeof *list));
        if (list == NULL)
            return ns_no_memory(err);
        const int64_t count = ns_entries_of(e, &schedule->slice[s], list);
        const bool fits = count >= 0 && (side->entries - begun + count) * width <= m->bytes;
        if (fits && count > 0)
            memcpy(side->place + side->entries, list, (size_t)count * sizeof *list);
        side->entries += fits ? count : 0;
        free(list);
        if (!fits)
            return ns_fail(err, NS_ERR_DATA, "a message from process %d to %d carries more than its %lld B",
                           (int)m->from, (int)m->to, (long long)m->bytes);
    }
    if ((side->entries - begun) * width != m->bytes)
        return ns_fail(err, NS_ERR_DATA, "a message from process %d to %d carries %lld B, and %lld B were priced",
                       (int)m->from, (int)m->to, (long long)((side->entries - begun) * width), (long long)m->bytes);
    side->from[side->messages] = (int)(begun * width);
    side->bytes[side->messages] = (int)m->bytes;
    side->peer[side->messages++] = peer;
    return NS_OK;
}

static const ns_message *message_at(const ns_step *step, bool sending, int64_t i)
{
    return &step->message[sending ? i : step->by_receiver[i]];
}

static ns_status make_side(const ns_schedule *schedule, const ns_step *step, const ns_entries *e, int rank,
                           bool sending, ns_side *side, ns_error *err)
{
    const int64_t *range = (sending ? step->sent : step->received) + rank;
    int64_t bytes = 0;
    for (int64_t i = range[0]; i < range[1]; i++)
        bytes += message_at(step, sending, i)->bytes;
    NS_TRY(side_open(side, range[1] - range[0], bytes, e->exchange->width, err));
    for (int64_t i = range[0]; i < range[1]; i++) {
        const ns_message *m = message_at(step, sending, i);
        NS_TRY(add_message(schedule, e, m, sending ? m->to : m->from, side, err));
    }
    return NS_OK;
}

/* ---- the store --------------------------------------------------------------------------------------------------- */

static int rising(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t count_entries(const ns_plan *plan)
{
    int64_t count = 0;
    for (int s = 0; s < plan->steps; s++)
        count += plan->step[s].send.entries + plan->step[s].receive.entries;
    return count;
}

/* Every index that is met, each once. */
static ns_status collect(ns_plan *plan, const int64_t *need, int64_t needs, ns_error *err)
{
    int64_t count = 0;
    plan->index = malloc(ns_size_mul((size_t)(count_entries(plan) + needs) + 1, sizeof *plan->index));
    if (plan->index == NULL)
        return ns_no_memory(err);
    for (int s = 0; s < plan->steps; s++) {
        const ns_side *const side[] = {&plan->step[s].send, &plan->step[s].receive};
        for (int k = 0; k < 2; k++)
            for (int64_t i = 0; i < side[k]->entries; i++)
                plan->index[count++] = side[k]->place[i];
    }
    for (int64_t i = 0; i < needs; i++)
        plan->index[count++] = need[i];
    qsort(plan->index, (size_t)count, sizeof *plan->index, rising);
    for (int64_t i = 0; i < count; i++)
        if (plan->places == 0 || plan->index[i] != plan->index[plan->places - 1])
            plan->index[plan->places++] = plan->index[i];
    return NS_OK;
}

static int64_t place_of(const ns_plan *plan, int64_t index)
{
    const int64_t *found = bsearch(&index, plan->index, (size_t)plan->places, sizeof index, rising);
    return found - plan->index;
}

static void place_all(ns_plan *plan, ns_side *side)
{
    for (int64_t i = 0; i < side->entries; i++)
        side->place[i] = place_of(plan, side->place[i]);
}

static bool is_home(const ns_schedule *schedule, int32_t part, int rank)
{
    return rank >= schedule->home[part] && rank < schedule->home[part] + schedule->holders;
}

static ns_status make_store(const ns_schedule *schedule, const ns_entries *e, int rank, ns_plan *plan, ns_error *err)
{
    const int64_t *need = e->direct + e->need_first[rank];
    const int64_t needs = e->need_first[rank + 1] - e->need_first[rank];
    int most = 0;
    NS_TRY(collect(plan, need, needs, err));
    for (int s = 0; s < plan->steps; s++) {
        const ns_plan_step *step = &plan->step[s];
        most =
            step->send.messages + step->receive.messages > most ? step->send.messages + step->receive.messages : most;
        place_all(plan, &plan->step[s].send);
        place_all(plan, &plan->step[s].receive);
    }
    plan->own = calloc((size_t)plan->places + 1, sizeof *plan->own);
    plan->needed = calloc((size_t)plan->places + 1, sizeof *plan->needed);
    plan->store = calloc(ns_size_mul((size_t)plan->places + 1, (size_t)plan->width), 1);
    plan->request = calloc((size_t)most + 1, sizeof *plan->request);
    if (plan->own == NULL || plan->needed == NULL || plan->store == NULL || plan->request == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; i < plan->places; i++)
        plan->own[i] = is_home(schedule, ns_entries_owner(e, plan->index[i]), rank);
    for (int64_t i = 0; i < needs; i++)
        plan->needed[place_of(plan, need[i])] = true;
    return NS_OK;
}

static ns_status make(const ns_schedule *schedule, const ns_entries *e, int rank, ns_plan *plan, ns_error *err)
{
    for (; plan->steps < schedule->steps; plan->steps++) {
        const ns_step *step = &schedule->step[plan->steps];
        ns_plan_step *mine = &plan->step[plan->steps];
        NS_TRY(make_side(schedule, step, e, rank, true, &mine->send, err));
        NS_TRY(make_side(schedule, step, e, rank, false, &mine->receive, err));
    }
    return make_store(schedule, e, rank, plan, err);
}

ns_status ns_plan_make(const ns_schedule *schedule, const ns_entries *entries, int rank, ns_plan *plan, ns_error *err)
{
    ns_plan made = {.width = entries->exchange->width};
    const ns_status status = make(schedule, entries, rank, &made, err);
    if (status == NS_OK)
        *plan = made;
    else
        ns_plan_free(&made);
    return status;
}

void ns_plan_free(ns_plan *plan)
{
    for (int s = 0; s < NS_STEPS; s++) {
        side_free(&plan->step[s].send);
        side_free(&plan->step[s].receive);
    }
    free(plan->index);
    free(plan->own);
    free(plan->needed);
    free(plan->store);
    free(plan->request);
    *plan = (ns_plan){0};
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The bytes of an entry follow from its index, so that another entry in its place is seen (splitmix64). */
static uint64_t word_of(int64_t index, int64_t word)
{
    uint64_t x = (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)word + 1;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void write_value(int64_t index, int64_t width, char *to)
{
    for (int64_t at = 0; at < width; at += 8) {
        const uint64_t word = word_of(index, at);
        memcpy(to + at, &word, width - at < 8 ? (size_t)(width - at) : 8);
    }
}

static bool is_value(int64_t index, int64_t width, const char *at)
{
    for (int64_t i = 0; i < width; i += 8) {
        const uint64_t word = word_of(index, i);
        if (memcmp(at + i, &word, width - i < 8 ? (size_t)(width - i) : 8) != 0)
            return false;
    }
    return true;
}

void ns_plan_reset(ns_plan *plan)
{
    for (int64_t i = 0; i < plan->places; i++) {
        char *at = plan->store + i * plan->width;
        write_value(plan->index[i], plan->width, at);
        for (int64_t k = 0; k < plan->width && !plan->own[i]; k++)
            at[k] = (char)~at[k];
    }
}

static int64_t check_side(const ns_plan *plan, const ns_side *side, int64_t *wrong)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < side->entries; i++) {
        const int64_t index = plan->index[side->place[i]];
        if (!is_value(index, plan->width, side->buffer + i * plan->width)) {
            *wrong = index;
            bad++;
        }
    }
    return bad;
}

int64_t ns_plan_check(const ns_plan *plan, int64_t *checked, int64_t *wrong)
{
    int64_t bad = 0;
    for (int s = 0; s < plan->steps; s++) {
        bad += check_side(plan, &plan->step[s].receive, wrong);
        *checked += plan->step[s].receive.entries;
    }
    for (int64_t i = 0; i < plan->places; i++) {
        if (!plan->needed[i])
            continue;
        ++*checked;
        if (!is_value(plan->index[i], plan->width, plan->store + i * plan->width)) {
            *wrong = plan->index[i];
            bad++;
        }
    }
    return bad;
}
