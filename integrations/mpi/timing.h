/* timing.h -- how long exchanges take, side by side, from a start at one moment to the slowest process
 *
 * Repetitions of several exchanges take turns, in an order that is random and the same on all processes, so that a
 * machine that gets slower or faster meanwhile does so for all of them.  Repetitions in which a process started late
 * are rejected: the others would wait for it.  Each process takes the median of its own times, and the slowest process'
 * median counts.  Every repetition is checked, value by value.
 */
#ifndef NS_MPI_TIMING_H
#define NS_MPI_TIMING_H

#include <nsmodel/plan.h>
#include <nsmodel/value.h>

#include "mpi/plan.h"

typedef void ns_perform_fn(ns_process_plan *plan, MPI_Comm comm);

typedef struct ns_timing {
    double seconds;
    double lo, hi;   /* s: between them lies the median, with 95 % where there are six repetitions, else less surely */
    int repetitions; /* that count */
    int late;        /* rejected */
    int outliers;    /* of those that count, ns_score_outliers of the slowest processes' times */
    bool all_late;   /* no start was on time: those nearest to it count */
    int64_t checked; /* values, all processes and repetitions */
} ns_timing;

/* An exchange that is timed. */
typedef struct ns_timed {
    ns_process_plan *plan;
    ns_perform_fn *perform;
    MPI_Comm comm;
    const char *what; /* for messages */
    ns_timing timing;
} ns_timed;

/* Collective: what was received; *checked grows by the values that this process looked at.  A wrong one is an error. */
ns_status ns_timed_check(const ns_world *world, const ns_timed *timed, int64_t *checked, ns_error *err);
/* Collective.  A wrong value is an error that names it. */
ns_status ns_timing_take(const ns_world *world, ns_timed *timed, int count, int repetitions, ns_error *err);
/* Collective: so many calls, each in the way that a plan says; way i is timed[i].  What an agreement takes is
 * measured. On rank 0 the result gets a row for each run, one for each way, and what the calls took.  A wrong value
 * is an error. */
ns_status ns_play(const ns_world *world, const ns_timed *timed, const ns_plan_way *ways, int count,
                  const ns_plan_options *options, int64_t calls, ns_value *result, ns_error *err);

#endif
