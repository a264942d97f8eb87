/* perform.c -- the messages of a plan, really sent: what is timed */
#include "mpi/plan.h"

#include <string.h>

/* Entries of a word are most of what is sent. */
static void pack(const ns_process_plan *plan, ns_side *side, int64_t first, int64_t entries)
{
    const size_t width = (size_t)plan->width;
    if (width == sizeof(double))
        for (int64_t i = first; i < first + entries; i++)
            memcpy(side->buffer + i * (int64_t)sizeof(double), plan->store + side->place[i] * (int64_t)sizeof(double),
                   sizeof(double));
    else
        for (int64_t i = first; i < first + entries; i++)
            memcpy(side->buffer + i * plan->width, plan->store + side->place[i] * plan->width, width);
}

static void unpack(ns_process_plan *plan, const ns_side *side)
{
    const size_t width = (size_t)plan->width;
    if (width == sizeof(double))
        for (int64_t i = 0; i < side->entries; i++)
            memcpy(plan->store + side->place[i] * (int64_t)sizeof(double), side->buffer + i * (int64_t)sizeof(double),
                   sizeof(double));
    else
        for (int64_t i = 0; i < side->entries; i++)
            memcpy(plan->store + side->place[i] * plan->width, side->buffer + i * plan->width, width);
}

/* What came into work, and is needed here. */
static void move(ns_process_plan *plan, const ns_process_plan_step *step)
{
    for (int64_t i = 0; i < step->moves; i++)
        memcpy(plan->store + step->to[i] * plan->width, plan->store + step->from[i] * plan->width, (size_t)plan->width);
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
    unpack(plan, receive);
    move(plan, &plan->step[step]);
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
    unpack(plan, receive);
}
