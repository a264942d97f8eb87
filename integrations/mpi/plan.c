/* plan.c -- prepares a process' program: its messages, its store and the values in it; and sends the messages */
#include "mpi/plan.h"
#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages and the store -------------------------------------------------------------------------------------- */

/* Allocate a side's messages, whose number and first operation are known. */
static ns_status open_side(const ns_program *program, ns_side *side, ns_error *err)
{
    int64_t bytes = 0;
    for (int i = 0; i < side->messages; i++)
        bytes += ns_program_op(program, side->first + i)->bytes;
    if (bytes > INT_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "a process sends or receives %lld B in one step; MPI counts to %d",
                       (long long)bytes, INT_MAX);
    const size_t own = (size_t)(side->messages > 0 ? bytes / side->messages : 0);
    side->peer = ns_calloc(3 * ((size_t)side->messages + 1), sizeof *side->peer);
    side->buffer = ns_calloc((size_t)bytes + own + 1, 1);
    if (side->peer == NULL || side->buffer == NULL)
        return ns_no_memory(err);
    side->peer[side->messages] = MPI_PROC_NULL;
    side->bytes = side->peer + side->messages + 1;
    side->from = side->bytes + side->messages + 1;
    for (int i = 0, at = 0; i < side->messages; at += side->bytes[i++]) {
        const ns_op *op = ns_program_op(program, side->first + i);
        side->peer[i] = op->peer;
        side->bytes[i] = (int)op->bytes;
        side->from[i] = at;
    }
    return NS_OK;
}

static ns_status fill(const ns_entries *e, const ns_program_info *info, ns_process_plan *plan, ns_error *err)
{
    plan->sent = info->send_entries;
    plan->needed = info->receive_entries;
    plan->places = plan->sent + plan->needed + info->work_entries;
    plan->index = ns_calloc((size_t)(plan->sent + plan->needed) + 1, sizeof *plan->index);
    plan->store = ns_calloc(ns_size_mul((size_t)plan->places + 1, (size_t)plan->width), 1);
    if (plan->index == NULL || plan->store == NULL)
        return ns_no_memory(err);
    if (info->part >= 0) {
        /* Send is sorted by receiver and receive by sender, as are the routes that leave a part and those that arrive
         * at it. */
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
    for (int64_t i = 0; i < info->ops; i++) { /* the order in a step is: receives, sends, moves */
        const ns_op *op = ns_program_op(plan->program, i);
        ns_process_plan_step *step = &plan->step[op->step];
        ns_side *side = op->kind == NS_OP_SEND ? &step->send : &step->receive;
        if (op->kind == NS_OP_MOVE)
            step->first_move = step->moves++ == 0 ? i : step->first_move;
        else if (op->kind == NS_OP_SEND || op->kind == NS_OP_RECEIVE)
            side->first = side->messages++ == 0 ? i : side->first;
    }
    int most = 0;
    for (int s = 0; s < plan->steps; s++) {
        ns_side *send = &plan->step[s].send, *receive = &plan->step[s].receive;
        NS_TRY(open_side(plan->program, send, err));
        NS_TRY(open_side(plan->program, receive, err));
        most = send->messages + receive->messages > most ? send->messages + receive->messages : most;
    }
    plan->request = ns_calloc((size_t)most + 1, sizeof *plan->request);
    return plan->request != NULL ? NS_OK : ns_no_memory(err);
}

ns_status ns_process_plan_make(const ns_schedule *schedule, const ns_entries *entries, int rank, ns_process_plan *plan,
                               ns_error *err)
{
    ns_process_plan made = {.width = entries->exchange->width, .steps = schedule->steps};
    ns_program_info info = {.size = sizeof info};
    NS_TRY(ns_schedule_ops(schedule, entries->exchange, rank, &made.program, err));
    ns_program_describe(made.program, &info);
    const ns_status status = fill(entries, &info, &made, err);
    if (status == NS_OK)
        *plan = made;
    else
        ns_process_plan_free(&made);
    return status;
}

void ns_process_plan_free(ns_process_plan *plan)
{
    for (int s = 0; s < 2 * NS_STEPS; s++) {
        ns_side *side = s % 2 == 0 ? &plan->step[s / 2].send : &plan->step[s / 2].receive;
        ns_free(side->peer);
        ns_free(side->buffer);
        ns_free(side->count);
    }
    ns_program_free(plan->program);
    ns_free(plan->index);
    ns_free(plan->store);
    ns_free(plan->request);
    *plan = (ns_process_plan){0};
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Write the value of an entry, or compare it with the stored bytes. */
static bool value_at(int64_t index, int64_t width, char *at, bool write)
{
    for (int64_t i = 0; i < width; i += 8) {
        /* The bytes of an entry are a function of its index, so that another entry in its place is detected
         * (splitmix64). */
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

/* Set needed entries to values with every bit wrong, and work to zero, so that any entry that does not arrive is
 * detected. */
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

/* The address in the store of entries of a buffer. */
static char *place(const ns_process_plan *plan, ns_buffer buffer, int64_t offset)
{
    const int64_t begin = buffer == NS_BUFFER_SEND      ? 0
                          : buffer == NS_BUFFER_RECEIVE ? plan->sent
                                                        : plan->sent + plan->needed;
    return plan->store + (begin + offset) * plan->width;
}

/* Copy messages [first, end) of a side from the store into its buffer, or back. */
static void copy(const ns_process_plan *plan, const ns_side *side, int first, int end, bool into_store)
{
    for (int i = first; i < end; i++) {
        const ns_op *op = ns_program_op(plan->program, side->first + i);
        char *at = side->buffer + side->from[i];
        for (int64_t k = 0; k < op->slices; k++) {
            const ns_op_slice *s = &op->slice[k];
            const size_t bytes = (size_t)(s->entries * plan->width);
            char *stored = place(plan, s->buffer, s->offset);
            memcpy(into_store ? stored : at, into_store ? at : stored, bytes);
            at += bytes;
        }
    }
}

void ns_process_plan_perform(ns_process_plan *plan, MPI_Comm comm)
{
    for (int s = 0; s < plan->steps; s++) {
        /* Several messages between two processes in a step arrive in the order in which they were sent. */
        const ns_process_plan_step *here = &plan->step[s];
        const ns_side *send = &here->send, *receive = &here->receive;
        MPI_Request *arrive = plan->request, *leave = plan->request + receive->messages;
        for (int i = 0; i < receive->messages; i++)
            MPI_Irecv(receive->buffer + receive->from[i], receive->bytes[i], MPI_BYTE, receive->peer[i], s, comm,
                      &arrive[i]);
        for (int i = 0; i < send->messages; i++) {
            copy(plan, send, i, i + 1, false);
            MPI_Isend(send->buffer + send->from[i], send->bytes[i], MPI_BYTE, send->peer[i], s, comm, &leave[i]);
        }
        MPI_Waitall(receive->messages, arrive, MPI_STATUSES_IGNORE);
        copy(plan, receive, 0, receive->messages, true);
        for (int64_t i = 0; i < here->moves; i++) { /* entries that were received into work and are needed here */
            const ns_op *op = ns_program_op(plan->program, here->first_move + i);
            for (const ns_op_slice *k = op->slice; k < op->slice + op->slices; k++)
                memcpy(place(plan, NS_BUFFER_RECEIVE, k->to), place(plan, k->buffer, k->offset),
                       (size_t)(k->entries * plan->width));
        }
        MPI_Waitall(send->messages, leave, MPI_STATUSES_IGNORE);
    }
}

void ns_plan_perform_neighbour(ns_process_plan *plan, MPI_Comm graph)
{
    const ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    copy(plan, send, 0, send->messages, false);
    MPI_Neighbor_alltoallv(send->buffer, send->bytes, send->from, MPI_BYTE, receive->buffer, receive->bytes,
                           receive->from, MPI_BYTE, graph);
    copy(plan, receive, 0, receive->messages, true);
}

/* ---- in rounds --------------------------------------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The message with a peer; if there is none, the message to no process. */
static int message_with(const ns_side *side, int peer)
{
    const int *found = bsearch(&peer, side->peer, (size_t)side->messages, sizeof peer, by_rank);
    return found != NULL ? (int)(found - side->peer) : side->messages;
}

void ns_plan_perform_rounds(ns_process_plan *plan, MPI_Comm comm)
{
    const ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    for (int r = 1; r < ranks; r++) {
        const int out = message_with(send, (rank + r) % ranks), in = message_with(receive, (rank - r + ranks) % ranks);
        copy(plan, send, out, out < send->messages ? out + 1 : out, false);
        MPI_Sendrecv(send->buffer + send->from[out], send->bytes[out], MPI_BYTE, send->peer[out], 0,
                     receive->buffer + receive->from[in], receive->bytes[in], MPI_BYTE, receive->peer[in], 0, comm,
                     MPI_STATUS_IGNORE);
    }
    copy(plan, receive, 0, receive->messages, true);
}

/* ---- by the library's collective --------------------------------------------------------------------------------- */

void ns_plan_perform_alltoall(ns_process_plan *plan, MPI_Comm comm)
{
    const ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    copy(plan, send, 0, send->messages, false);
    MPI_Alltoall(send->buffer, send->bytes[0], MPI_BYTE, receive->buffer, send->bytes[0], MPI_BYTE, comm);
    copy(plan, receive, 0, receive->messages, true);
}

ns_status ns_plan_for_library(ns_process_plan *plan, int ranks, bool to_all, ns_error *err)
{
    ns_side *const sides[] = {&plan->step[0].send, &plan->step[0].receive};
    for (int k = 0; k < 2; k++) {
        ns_side *side = sides[k];
        side->count = ns_calloc(2 * (size_t)ranks, sizeof *side->count);
        if (side->count == NULL)
            return ns_no_memory(err);
        side->displacement = side->count + ranks;
        for (int i = 0; i < side->messages; i++) {
            side->from[i] = to_all ? side->peer[i] * side->bytes[i] : side->from[i];
            side->count[side->peer[i]] = side->bytes[i];
            side->displacement[side->peer[i]] = side->from[i];
        }
    }
    return NS_OK;
}

void ns_plan_perform_alltoallv(ns_process_plan *plan, MPI_Comm comm)
{
    const ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    copy(plan, send, 0, send->messages, false);
    MPI_Alltoallv(send->buffer, send->count, send->displacement, MPI_BYTE, receive->buffer, receive->count,
                  receive->displacement, MPI_BYTE, comm);
    copy(plan, receive, 0, receive->messages, true);
}
