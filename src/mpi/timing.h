/* timing.h -- how long an exchange takes, from a start at one moment to the slowest process
 *
 * Repetitions in which a process started late are rejected: the others would wait for it.  Each process takes the
 * median of its own times, and the slowest process' median counts.  Every repetition is checked, value by value.
 */
#ifndef NS_MPI_TIMING_H
#define NS_MPI_TIMING_H

#include "mpi/clock.h"
#include "mpi/plan.h"

typedef void ns_perform_fn(ns_process_plan *plan, MPI_Comm comm);

typedef struct ns_timing {
    double seconds;
    int repetitions; /* that count */
    int late;        /* rejected */
    bool all_late;   /* no start was on time: those nearest to it count */
    int64_t checked; /* values, all processes and repetitions */
} ns_timing;

/* Collective.  A wrong value is an error that names it.  what: for messages. */
ns_status ns_timing_take(const ns_world *world, ns_process_plan *plan, ns_perform_fn *perform, MPI_Comm comm,
                         int repetitions, const char *what, ns_timing *timing, ns_error *err);

#endif
