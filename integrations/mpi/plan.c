/* plan.c -- from a program to the messages of one process, entry by entry, and their values; and the messages sent */
#include "mpi/plan.h"
#include "core/memory.h"

#include <nsmodel/program.h>

#include <limits.h>
#include <string.h>

/* ---- messages ---------------------------------------------------------------------------------------------------- */

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
    if (messages >= INT_MAX || bytes > INT_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "a process sends or receives %lld B in one step; MPI counts to %d",
                       (long long)bytes, INT_MAX);
    const size_t count = (size_t)messages + 1;
    side->peer = ns_calloc(count, sizeof *side->peer);
    side->bytes = ns_calloc(count, sizeof *side->bytes);
    side->from = ns_calloc(count, sizeof *side->from);
    side->place = ns_calloc((size_t)(bytes / plan->width) + 1, sizeof *side->place);
    side->buffer =
        ns_calloc((size_t)(bytes + bytes / (messages > 0 ? messages : 1)) + 1, 1); /* and a block of its own */
    if (side->peer == NULL || side->bytes == NULL || side->from == NULL || side->place == NULL || side->buffer == NULL)
        return ns_no_memory(err);
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

/* ---- the store --------------------------------------------------------------------------------------------------- */

static ns_status fill(const ns_schedule *schedule, const ns_program *program, const ns_entries *e,
                      const ns_program_info *info, ns_process_plan *plan, ns_error *err)
{
    plan->sent = info->send_entries;
    plan->needed = info->receive_entries;
    plan->places = plan->sent + plan->needed + info->work_entries;
    plan->index = ns_calloc((size_t)(plan->sent + plan->needed) + 1, sizeof *plan->index);
    plan->store = ns_calloc(ns_size_mul((size_t)plan->places + 1, (size_t)plan->width), 1);
    if (plan->index == NULL || plan->store == NULL)
        return ns_no_memory(err);
    if (info->part >= 0) {
        /* Send is by receiver, receive by sender, and so are the routes that leave a part and those that come to it. */
        int64_t at[2] = {0, plan->sent};
        for (int64_t r = 0; r < e->exchange->routes; r++) {
            const ns_route *route = &e->exchange->route[r];
            if (route->from != info->part && route->to != info->part)
                continue;
            int64_t *to = &at[route->to == info->part];
            memcpy(plan->index + *to, e->direct + e->direct_first[r], (size_t)route->entries * sizeof *plan->index);
            *to += route->entries;
        }
    }
    int most = 0;
    for (; plan->steps < schedule->steps; plan->steps++) {
        ns_process_plan_step *mine = &plan->step[plan->steps];
        NS_TRY(make_side(program, plan->steps, NS_OP_SEND, plan, &mine->send, err));
        NS_TRY(make_side(program, plan->steps, NS_OP_RECEIVE, plan, &mine->receive, err));
        int64_t ops, bytes;
        count_ops(program, plan->steps, NS_OP_MOVE, &ops, &bytes);
        mine->from = ns_calloc((size_t)(bytes / plan->width) + 1, sizeof *mine->from);
        mine->to = ns_calloc((size_t)(bytes / plan->width) + 1, sizeof *mine->to);
        if (mine->from == NULL || mine->to == NULL)
            return ns_no_memory(err);
        for (int64_t i = 0; ns_program_op(program, i) != NULL; i++) {
            const ns_op *op = ns_program_op(program, i);
            if (op->kind != NS_OP_MOVE || op->step != plan->steps)
                continue;
            list_places(plan, op, mine->from + mine->moves);
            for (int64_t s = 0; s < op->slices; s++)
                for (int64_t k = 0; k < op->slice[s].entries; k++)
                    mine->to[mine->moves++] = begin_of(plan, NS_BUFFER_RECEIVE) + op->slice[s].to + k;
        }
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
    const ns_status status = fill(schedule, program, entries, &info, &made, err);
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

/* Write the value of an entry, or compare what stands there with it. */
static bool value_at(int64_t index, int64_t width, char *at, bool write)
{
    for (int64_t i = 0; i < width; i += 8) {
        /* The bytes of an entry follow from its index, so that another entry in its place is seen (splitmix64). */
        uint64_t x = (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i + 1;
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        const uint64_t word = x ^ (x >> 31);
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

/* ---- the messages, really sent: what is timed -------------------------------------------------------------------- */

static inline void copy_each(const ns_process_plan *plan, const ns_side *side, int64_t first, int64_t entries,
                             bool into_store, int64_t width)
{
    for (int64_t i = first; i < first + entries; i++) {
        char *stored = plan->store + side->place[i] * width, *sent = side->buffer + i * width;
        memcpy(into_store ? stored : sent, into_store ? sent : stored, (size_t)width);
    }
}

/* Copy entries [first, first + entries) of a side from the store into its buffer, or back.  Most of what is sent are
 * entries of a word: for them the compiler knows the width. */
static void copy(const ns_process_plan *plan, const ns_side *side, int64_t first, int64_t entries, bool into_store)
{
    if (plan->width == sizeof(double) && into_store)
        copy_each(plan, side, first, entries, true, sizeof(double));
    else if (plan->width == sizeof(double))
        copy_each(plan, side, first, entries, false, sizeof(double));
    else
        copy_each(plan, side, first, entries, into_store, plan->width);
}

void ns_process_plan_perform(ns_process_plan *plan, MPI_Comm comm)
{
    for (int s = 0; s < plan->steps; s++) {
        /* Several messages between two processes in a step arrive in the order in which they were sent. */
        ns_side *send = &plan->step[s].send, *receive = &plan->step[s].receive;
        MPI_Request *arrive = plan->request, *leave = plan->request + receive->messages;
        for (int i = 0; i < receive->messages; i++)
            MPI_Irecv(receive->buffer + receive->from[i], receive->bytes[i], MPI_BYTE, receive->peer[i], s, comm,
                      &arrive[i]);
        for (int i = 0; i < send->messages; i++) {
            copy(plan, send, send->from[i] / plan->width, send->bytes[i] / plan->width, false);
            MPI_Isend(send->buffer + send->from[i], send->bytes[i], MPI_BYTE, send->peer[i], s, comm, &leave[i]);
        }
        MPI_Waitall(receive->messages, arrive, MPI_STATUSES_IGNORE);
        copy(plan, receive, 0, receive->entries, true);
        const ns_process_plan_step *here = &plan->step[s];
        for (int64_t i = 0; i < here->moves; i++) /* what came into work, and is needed here */
            memcpy(plan->store + here->to[i] * plan->width, plan->store + here->from[i] * plan->width,
                   (size_t)plan->width);
        MPI_Waitall(send->messages, leave, MPI_STATUSES_IGNORE);
    }
}

void ns_plan_perform_neighbour(ns_process_plan *plan, MPI_Comm graph)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    copy(plan, send, 0, send->entries, false);
    MPI_Neighbor_alltoallv(send->buffer, send->bytes, send->from, MPI_BYTE, receive->buffer, receive->bytes,
                           receive->from, MPI_BYTE, graph);
    copy(plan, receive, 0, receive->entries, true);
}

/* ---- in rounds --------------------------------------------------------------------------------------------------- */

/* The message with a peer, or -1. */
static int message_with(const ns_side *side, int peer)
{
    int lo = 0, hi = side->messages;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (side->peer[middle] < peer)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < side->messages && side->peer[lo] == peer ? lo : -1;
}

void ns_plan_perform_rounds(ns_process_plan *plan, MPI_Comm comm)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    for (int r = 1; r < ranks; r++) {
        const int out = message_with(send, (rank + r) % ranks), in = message_with(receive, (rank - r + ranks) % ranks);
        if (out >= 0)
            copy(plan, send, send->from[out] / plan->width, send->bytes[out] / plan->width, false);
        MPI_Sendrecv(send->buffer + (out >= 0 ? send->from[out] : 0), out >= 0 ? send->bytes[out] : 0, MPI_BYTE,
                     out >= 0 ? send->peer[out] : MPI_PROC_NULL, 0, receive->buffer + (in >= 0 ? receive->from[in] : 0),
                     in >= 0 ? receive->bytes[in] : 0, MPI_BYTE, in >= 0 ? receive->peer[in] : MPI_PROC_NULL, 0, comm,
                     MPI_STATUS_IGNORE);
    }
    copy(plan, receive, 0, receive->entries, true);
}

/* ---- by the library's collective --------------------------------------------------------------------------------- */

/* Behind the block of the process itself, messages stand a block later in the library's buffers than in ours. */
void ns_plan_perform_alltoall(ns_process_plan *plan, MPI_Comm comm)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    const int block = send->bytes[0], each = block / (int)plan->width;
    int rank;
    MPI_Comm_rank(comm, &rank);
    ns_side send_later = *send, receive_later = *receive;
    send_later.buffer += block;
    receive_later.buffer += block;
    copy(plan, send, 0, (int64_t)rank * each, false);
    copy(plan, &send_later, (int64_t)rank * each, send->entries - (int64_t)rank * each, false);
    MPI_Alltoall(send->buffer, block, MPI_BYTE, receive->buffer, block, MPI_BYTE, comm);
    copy(plan, receive, 0, (int64_t)rank * each, true);
    copy(plan, &receive_later, (int64_t)rank * each, receive->entries - (int64_t)rank * each, true);
}

ns_status ns_plan_for_library(ns_process_plan *plan, int ranks, ns_error *err)
{
    ns_side *const sides[] = {&plan->step[0].send, &plan->step[0].receive};
    for (int k = 0; k < 2; k++) {
        ns_side *side = sides[k];
        side->count = ns_calloc((size_t)ranks, sizeof *side->count);
        side->displacement = ns_calloc((size_t)ranks, sizeof *side->displacement);
        if (side->count == NULL || side->displacement == NULL)
            return ns_no_memory(err);
        for (int i = 0; i < side->messages; i++) {
            side->count[side->peer[i]] = side->bytes[i];
            side->displacement[side->peer[i]] = side->from[i];
        }
    }
    return NS_OK;
}

void ns_plan_perform_alltoallv(ns_process_plan *plan, MPI_Comm comm)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    copy(plan, send, 0, send->entries, false);
    MPI_Alltoallv(send->buffer, send->count, send->displacement, MPI_BYTE, receive->buffer, receive->count,
                  receive->displacement, MPI_BYTE, comm);
    copy(plan, receive, 0, receive->entries, true);
}
