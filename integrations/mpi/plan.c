/* plan.c -- from a program to the messages of one process, entry by entry, and their values */
#include "mpi/plan.h"
#include "core/memory.h"

#include <nsmodel/program.h>

#include <limits.h>
#include <string.h>

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static ns_status side_open(ns_side *side, int64_t messages, int64_t bytes, int64_t width, ns_error *err)
{
    if (messages >= INT_MAX || bytes > INT_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "a process sends or receives %lld B in one step; MPI counts to %d",
                       (long long)bytes, INT_MAX);
    const size_t count = (size_t)messages + 1;
    side->peer = ns_calloc(count, sizeof *side->peer);
    side->bytes = ns_calloc(count, sizeof *side->bytes);
    side->from = ns_calloc(count, sizeof *side->from);
    side->place = ns_calloc((size_t)(bytes / width) + 1, sizeof *side->place);
    side->buffer =
        ns_calloc((size_t)(bytes + bytes / (messages > 0 ? messages : 1)) + 1, 1); /* and a block of its own */
    return side->peer != NULL && side->bytes != NULL && side->from != NULL && side->place != NULL &&
                   side->buffer != NULL
               ? NS_OK
               : ns_no_memory(err);
}

static void side_free(ns_side *side)
{
    ns_free(side->peer);
    ns_free(side->bytes);
    ns_free(side->from);
    ns_free(side->place);
    ns_free(side->buffer);
    ns_free(side->count);
    ns_free(side->displacement);
}

/* Count the operations of a kind in a step, and their bytes. */
static void count_ops(const ns_program *program, int step, ns_op_kind kind, int64_t *ops, int64_t *bytes)
{
    *ops = *bytes = 0;
    for (int64_t i = 0; ns_program_op(program, i) != NULL; i++) {
        const ns_op *op = ns_program_op(program, i);
        if (op->kind == kind && op->step == step) {
            ++*ops;
            *bytes += op->bytes;
        }
    }
}

/* The place in the store at which a buffer begins. */
static int64_t begin_of(const ns_process_plan *plan, ns_buffer buffer)
{
    return buffer == NS_BUFFER_SEND ? 0 : buffer == NS_BUFFER_RECEIVE ? plan->sent : plan->sent + plan->needed;
}

static int64_t list_places(const ns_process_plan *plan, const ns_op *op, int64_t *place)
{
    int64_t count = 0;
    for (int64_t s = 0; s < op->slices; s++)
        for (int64_t k = 0; k < op->slice[s].entries; k++)
            place[count++] = begin_of(plan, op->slice[s].buffer) + op->slice[s].offset + k;
    return count;
}

static ns_status make_side(const ns_program *program, int step, ns_op_kind kind, const ns_process_plan *plan,
                           ns_side *side, ns_error *err)
{
    int64_t messages, bytes;
    count_ops(program, step, kind, &messages, &bytes);
    NS_TRY(side_open(side, messages, bytes, plan->width, err));
    for (int64_t i = 0; ns_program_op(program, i) != NULL; i++) {
        const ns_op *op = ns_program_op(program, i);
        if (op->kind != kind || op->step != step)
            continue;
        side->from[side->messages] = (int)(side->entries * plan->width);
        side->bytes[side->messages] = (int)op->bytes;
        side->peer[side->messages++] = op->peer;
        side->entries += list_places(plan, op, side->place + side->entries);
    }
    return NS_OK;
}

static ns_status make_moves(const ns_program *program, int step, const ns_process_plan *plan,
                            ns_process_plan_step *mine, ns_error *err)
{
    int64_t ops, bytes;
    count_ops(program, step, NS_OP_MOVE, &ops, &bytes);
    mine->from = ns_calloc((size_t)(bytes / plan->width) + 1, sizeof *mine->from);
    mine->to = ns_calloc((size_t)(bytes / plan->width) + 1, sizeof *mine->to);
    if (mine->from == NULL || mine->to == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; ns_program_op(program, i) != NULL; i++) {
        const ns_op *op = ns_program_op(program, i);
        if (op->kind != NS_OP_MOVE || op->step != step)
            continue;
        list_places(plan, op, mine->from + mine->moves);
        for (int64_t s = 0; s < op->slices; s++)
            for (int64_t k = 0; k < op->slice[s].entries; k++)
                mine->to[mine->moves++] = begin_of(plan, NS_BUFFER_RECEIVE) + op->slice[s].to + k;
    }
    return NS_OK;
}

/* ---- the store --------------------------------------------------------------------------------------------------- */

/* Send is by receiver, receive by sender, and so are the routes that leave a part and those that come to it. */
static void list_indices(const ns_entries *e, int32_t part, ns_process_plan *plan)
{
    int64_t at[2] = {0, plan->sent};
    for (int64_t r = 0; r < e->exchange->routes; r++) {
        const ns_route *route = &e->exchange->route[r];
        if (route->from != part && route->to != part)
            continue;
        int64_t *to = &at[route->to == part];
        memcpy(plan->index + *to, e->direct + e->direct_first[r], (size_t)route->entries * sizeof *plan->index);
        *to += route->entries;
    }
}

static ns_status make_store(const ns_entries *e, const ns_program_info *info, ns_process_plan *plan, ns_error *err)
{
    plan->sent = info->send_entries;
    plan->needed = info->receive_entries;
    plan->places = plan->sent + plan->needed + info->work_entries;
    plan->index = ns_calloc((size_t)(plan->sent + plan->needed) + 1, sizeof *plan->index);
    plan->store = ns_calloc(ns_size_mul((size_t)plan->places + 1, (size_t)plan->width), 1);
    if (plan->index == NULL || plan->store == NULL)
        return ns_no_memory(err);
    if (info->part >= 0)
        list_indices(e, info->part, plan);
    return NS_OK;
}

static ns_status make_steps(const ns_schedule *schedule, const ns_program *program, ns_process_plan *plan,
                            ns_error *err)
{
    int most = 0;
    for (; plan->steps < schedule->steps; plan->steps++) {
        ns_process_plan_step *mine = &plan->step[plan->steps];
        NS_TRY(make_side(program, plan->steps, NS_OP_SEND, plan, &mine->send, err));
        NS_TRY(make_side(program, plan->steps, NS_OP_RECEIVE, plan, &mine->receive, err));
        NS_TRY(make_moves(program, plan->steps, plan, mine, err));
        const int messages = mine->send.messages + mine->receive.messages;
        most = messages > most ? messages : most;
    }
    plan->request = ns_calloc((size_t)most + 1, sizeof *plan->request);
    return plan->request != NULL ? NS_OK : ns_no_memory(err);
}

ns_status ns_process_plan_make(const ns_schedule *schedule, const ns_entries *entries, int rank, ns_process_plan *plan,
                               ns_error *err)
{
    ns_process_plan made = {.width = entries->exchange->width};
    ns_program *program;
    ns_program_info info = {.size = sizeof info};
    NS_TRY(ns_schedule_ops(schedule, entries->exchange, rank, &program, err));
    ns_program_describe(program, &info);
    ns_status status = make_store(entries, &info, &made, err);
    if (status == NS_OK)
        status = make_steps(schedule, program, &made, err);
    ns_program_free(program);
    if (status == NS_OK)
        *plan = made;
    else
        ns_process_plan_free(&made);
    return status;
}

void ns_process_plan_free(ns_process_plan *plan)
{
    for (int s = 0; s < NS_STEPS; s++) {
        side_free(&plan->step[s].send);
        side_free(&plan->step[s].receive);
        ns_free(plan->step[s].from);
        ns_free(plan->step[s].to);
    }
    ns_free(plan->index);
    ns_free(plan->store);
    ns_free(plan->request);
    *plan = (ns_process_plan){0};
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

/* Write the value of an entry, or compare what stands there with it. */
static bool value_at(int64_t index, int64_t width, char *at, bool write)
{
    for (int64_t i = 0; i < width; i += 8) {
        const uint64_t word = word_of(index, i);
        const size_t size = width - i < 8 ? (size_t)(width - i) : 8;
        if (write)
            memcpy(at + i, &word, size);
        else if (memcmp(at + i, &word, size) != 0)
            return false;
    }
    return true;
}

/* Set needed entries to values with no bit right and work to zero, so that whatever does not come is seen. */
void ns_process_plan_reset(ns_process_plan *plan)
{
    for (int64_t i = 0; i < plan->sent + plan->needed; i++) {
        char *at = plan->store + i * plan->width;
        value_at(plan->index[i], plan->width, at, true);
        for (int64_t k = 0; k < plan->width && i >= plan->sent; k++)
            at[k] = (char)~at[k];
    }
    const int64_t work = plan->sent + plan->needed;
    memset(plan->store + work * plan->width, 0, (size_t)((plan->places - work) * plan->width));
}

int64_t ns_process_plan_check(const ns_process_plan *plan, int64_t *checked, int64_t *wrong)
{
    int64_t bad = 0;
    for (int64_t i = plan->sent; i < plan->sent + plan->needed; i++)
        if (!value_at(plan->index[i], plan->width, plan->store + i * plan->width, false)) {
            *wrong = plan->index[i];
            bad++;
        }
    *checked += plan->needed;
    return bad;
}
