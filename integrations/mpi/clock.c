/* clock.c -- the common clock */
#include "mpi/timing.h"

#include <math.h>
#include <sched.h>
#include <time.h>

enum { PATIENCE = 10 /* round trips */, TAG = 7 };
static const double FIRST_LEAD = 200e-6, LONGEST_LEAD = 20e-3;
/* s before the start; the time before is slept through.  Only a simulation wakes up when it was asked to. */
#ifdef NS_SIMULATED
static const double SPIN = 0;
#else
static const double SPIN = 100e-6;
#endif

void ns_clock_agree(const ns_world *world, ns_common_clock *clock)
{
    *clock = (ns_common_clock){0, FIRST_LEAD};
    for (int r = 1; r < world->ranks; r++) {
        if (world->rank == 0) {
            /* On rank 0: find the offset of its clock to that of a rank. */
            const double end = -1;
            double best = INFINITY, offset = 0;
            for (int since = 0; since < PATIENCE; since++) {
                const double sent = MPI_Wtime();
                double other;
                MPI_Send(&sent, 1, MPI_DOUBLE, r, TAG, world->comm);
                MPI_Recv(&other, 1, MPI_DOUBLE, r, TAG, world->comm, MPI_STATUS_IGNORE);
                const double back = MPI_Wtime();
                if (back - sent < best) {
                    since = back - sent < 0.9 * best ? 0 : since;
                    best = back - sent;
                    offset = 0.5 * (sent + back) - other;
                }
            }
            MPI_Send(&end, 1, MPI_DOUBLE, r, TAG, world->comm);
            MPI_Send(&offset, 1, MPI_DOUBLE, r, TAG, world->comm);
        } else if (world->rank == r) {
            /* Answer with the own time until rank 0 sends a time below 0. */
            for (double time = 0;;) {
                MPI_Recv(&time, 1, MPI_DOUBLE, 0, TAG, world->comm, MPI_STATUS_IGNORE);
                if (time < 0)
                    break;
                time = MPI_Wtime();
                MPI_Send(&time, 1, MPI_DOUBLE, 0, TAG, world->comm);
            }
            MPI_Recv(&clock->offset, 1, MPI_DOUBLE, 0, TAG, world->comm, MPI_STATUS_IGNORE);
        }
    }
}

static double common_now(const ns_common_clock *clock)
{
    return MPI_Wtime() + clock->offset;
}

static void doze(double seconds)
{
    const struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)nanosleep(&pause, NULL);
}

void ns_clock_pause(double seconds)
{
#ifdef NS_SIMULATED
    doze(seconds);
#else
    const double until = MPI_Wtime() + seconds;
    while (MPI_Wtime() < until)
        ;
#endif
}

double ns_clock_start(const ns_world *world, const ns_common_clock *clock, double *late)
{
    double moment = common_now(clock) + clock->lead;
    MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, world->comm);
    const double rest = moment - common_now(clock) - SPIN;
    if (rest > 0)
        doze(rest);
    while (common_now(clock) < moment) {
#ifndef NS_SIMULATED /* there may be more processes than cores; a simulation has no others to let go first */
        (void)sched_yield();
#endif
    }
    const double began = MPI_Wtime();
    *late = began + clock->offset - moment;
    return began;
}

void ns_clock_late(ns_common_clock *clock)
{
    clock->lead = fmin(2 * clock->lead, LONGEST_LEAD);
}
