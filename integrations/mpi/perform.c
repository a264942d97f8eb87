/* perform.c -- the messages of a plan, really sent: what is timed */
#include "core/memory.h"
#include "mpi/plan.h"

#include <string.h>

/* Copy entries [first, first + entries) of a side from the store into its buffer, or back. */
static inline void copy_each(const ns_process_plan *plan, const ns_side *side, int64_t first, int64_t entries,
                             bool into_store, int64_t width)
{
    for (int64_t i = first; i < first + entries; i++) {
        char *stored = plan->store + side->place[i] * width, *sent = side->buffer + i * width;
        memcpy(into_store ? stored : sent, into_store ? sent : stored, (size_t)width);
    }
}

/* Most of what is sent are entries of a word: for them the compiler knows the width. */
static void pack(const ns_process_plan *plan, const ns_side *side, int64_t first, int64_t entries)
{
    if (plan->width == sizeof(double))
        copy_each(plan, side, first, entries, false, sizeof(double));
    else
        copy_each(plan, side, first, entries, false, plan->width);
}

static void unpack(const ns_process_plan *plan, const ns_side *side, int64_t first, int64_t entries)
{
    if (plan->width == sizeof(double))
        copy_each(plan, side, first, entries, true, sizeof(double));
    else
        copy_each(plan, side, first, entries, true, plan->width);
}

/* Several messages between two processes in a step arrive in the order in which they were sent. */
static void perform_step(ns_process_plan *plan, int step, MPI_Comm comm)
{
    ns_side *send = &plan->step[step].send, *receive = &plan->step[step].receive;
    MPI_Request *arrive = plan->request, *leave = plan->request + receive->messages;
    for (int i = 0; i < receive->messages; i++)
        MPI_Irecv(receive->buffer + receive->from[i], receive->bytes[i], MPI_BYTE, receive->peer[i], step, comm,
                  &arrive[i]);
    for (int i = 0; i < send->messages; i++) {
        pack(plan, send, send->from[i] / plan->width, send->bytes[i] / plan->width);
        MPI_Isend(send->buffer + send->from[i], send->bytes[i], MPI_BYTE, send->peer[i], step, comm, &leave[i]);
    }
    MPI_Waitall(receive->messages, arrive, MPI_STATUSES_IGNORE);
    unpack(plan, receive, 0, receive->entries);
    const ns_process_plan_step *here = &plan->step[step];
    for (int64_t i = 0; i < here->moves; i++) /* what came into work, and is needed here */
        memcpy(plan->store + here->to[i] * plan->width, plan->store + here->from[i] * plan->width, (size_t)plan->width);
    MPI_Waitall(send->messages, leave, MPI_STATUSES_IGNORE);
}

void ns_process_plan_perform(ns_process_plan *plan, MPI_Comm comm)
{
    for (int s = 0; s < plan->steps; s++)
        perform_step(plan, s, comm);
}

void ns_plan_perform_neighbour(ns_process_plan *plan, MPI_Comm graph)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    pack(plan, send, 0, send->entries);
    MPI_Neighbor_alltoallv(send->buffer, send->bytes, send->from, MPI_BYTE, receive->buffer, receive->bytes,
                           receive->from, MPI_BYTE, graph);
    unpack(plan, receive, 0, receive->entries);
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
            pack(plan, send, send->from[out] / plan->width, send->bytes[out] / plan->width);
        MPI_Sendrecv(send->buffer + (out >= 0 ? send->from[out] : 0), out >= 0 ? send->bytes[out] : 0, MPI_BYTE,
                     out >= 0 ? send->peer[out] : MPI_PROC_NULL, 0, receive->buffer + (in >= 0 ? receive->from[in] : 0),
                     in >= 0 ? receive->bytes[in] : 0, MPI_BYTE, in >= 0 ? receive->peer[in] : MPI_PROC_NULL, 0, comm,
                     MPI_STATUS_IGNORE);
    }
    unpack(plan, receive, 0, receive->entries);
}

/* ---- by the library's collective --------------------------------------------------------------------------------- */

/* A side whose messages with ranks from `rank` on stand a block later in the buffer, behind the block of the process
 * itself. */
static ns_side behind_own_block(const ns_side *side, int block)
{
    ns_side later = *side;
    later.buffer += block;
    return later;
}

void ns_plan_perform_alltoall(ns_process_plan *plan, MPI_Comm comm)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    const int block = send->bytes[0], each = block / (int)plan->width;
    int rank;
    MPI_Comm_rank(comm, &rank);
    ns_side later = behind_own_block(send, block);
    pack(plan, send, 0, (int64_t)rank * each);
    pack(plan, &later, (int64_t)rank * each, send->entries - (int64_t)rank * each);
    MPI_Alltoall(send->buffer, block, MPI_BYTE, receive->buffer, block, MPI_BYTE, comm);
    later = behind_own_block(receive, block);
    unpack(plan, receive, 0, (int64_t)rank * each);
    unpack(plan, &later, (int64_t)rank * each, receive->entries - (int64_t)rank * each);
}

static ns_status list_counts(ns_side *side, int ranks, ns_error *err)
{
    side->count = ns_calloc((size_t)ranks, sizeof *side->count);
    side->displacement = ns_calloc((size_t)ranks, sizeof *side->displacement);
    if (side->count == NULL || side->displacement == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < side->messages; i++) {
        side->count[side->peer[i]] = side->bytes[i];
        side->displacement[side->peer[i]] = side->from[i];
    }
    return NS_OK;
}

ns_status ns_plan_for_library(ns_process_plan *plan, int ranks, ns_error *err)
{
    NS_TRY(list_counts(&plan->step[0].send, ranks, err));
    return list_counts(&plan->step[0].receive, ranks, err);
}

void ns_plan_perform_alltoallv(ns_process_plan *plan, MPI_Comm comm)
{
    ns_side *send = &plan->step[0].send, *receive = &plan->step[0].receive;
    pack(plan, send, 0, send->entries);
    MPI_Alltoallv(send->buffer, send->count, send->displacement, MPI_BYTE, receive->buffer, receive->count,
                  receive->displacement, MPI_BYTE, comm);
    unpack(plan, receive, 0, receive->entries);
}
