/* timing.h -- how long exchanges take, side by side, from a simultaneous start to the end of the slowest process
 *
 * Repetitions of several exchanges alternate, in an order that is random and the same on all processes, so that a
 * change of the machine's speed affects all of them.  Repetitions in which a process started late are rejected: the
 * others would wait for it.  Each process takes the median of its own times, and the slowest process' median is the
 * result.  Every repetition is checked, value by value.
 */
#ifndef NS_MPI_TIMING_H
#define NS_MPI_TIMING_H

#include <nsmodel/plan.h>
#include <nsmodel/value.h>

#include "mpi/plan.h"

typedef void ns_perform_fn(ns_process_plan *plan, MPI_Comm comm);

typedef struct ns_timing {
    double seconds;
    double lo, hi;   /* s: the median is between them, with 95 % for six repetitions, else with less */
    int repetitions; /* number that count */
    int late;        /* rejected */
    int outliers;    /* among those that count, ns_score_outliers of the slowest processes' times */
    bool all_late;   /* no start was on time: those that were least late count */
    int64_t checked; /* values checked, over all processes and repetitions */
} ns_timing;

/* An exchange that is timed. */
typedef struct ns_timed {
    ns_process_plan *plan;
    ns_perform_fn *perform;
    MPI_Comm comm;
    const char *what; /* for messages */
    ns_timing timing;
} ns_timed;

/* Collective: check what was received; *checked is increased by the number of values that this process checked.  A
 * wrong one is an error. */
ns_status ns_timed_check(const ns_world *world, const ns_timed *timed, int64_t *checked, ns_error *err);
/* Collective.  A wrong value is an error whose message names it. */
ns_status ns_timing_take(const ns_world *world, ns_timed *timed, int count, int repetitions, ns_error *err);
/* Collective: perform this many calls, each in the way that a plan selects; way i is timed[i].  The time of an
 * agreement is measured.  On rank 0 the result gets a row for each run, one for each way, and the time of the calls.  A
 * wrong value is an error. */
ns_status ns_play(const ns_world *world, const ns_timed *timed, const ns_plan_way *ways, int count,
                  const ns_plan_options *options, int64_t calls, ns_value *result, ns_error *err);

#endif
