/* sweep.h -- the pieces of the command sweep: curves over one or two axes, and the table of the best strategy */
#ifndef NS_CLI_SWEEP_H
#define NS_CLI_SWEEP_H

#include "cli/inputs/axes.h"
#include "cli/show/draw.h"

typedef struct ns_sweep {
    ns_curve_set *set;
    int axes;
    ns_axis axis[NS_AXES];
    ns_dim dim;                   /* of the compared output */
    double *value;                /* [count(0)][count(1)][curves] */
    struct ns_progress *progress; /* or NULL */
} ns_sweep;

/* Points of the second axis; 1 without one. */
size_t ns_sweep_across(const ns_sweep *sweep);

/* Evaluate every point into sweep->value (allocated), and write the rows. */
ns_status ns_sweep_answer(ns_sweep *sweep, ns_value *result, ns_error *err);
/* --plot: the output against the first axis, a line per curve and value of the second, the minima ringed. */
ns_status ns_sweep_plot(const ns_sweep *sweep, const ns_args *args, ns_value *result, ns_error *err);

/* sweep --over strategy: the best one per size, messages and nodes. */
ns_status ns_sweep_strategies(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err);

#endif
