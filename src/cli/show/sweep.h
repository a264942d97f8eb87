/* sweep.h -- the pieces of the command sweep: curves over one or two axes, and the table of the best strategy */
#ifndef NS_CLI_SWEEP_H
#define NS_CLI_SWEEP_H

#include "cli/inputs/curves.h"
#include "cli/show/draw.h"

/* The rows. */
ns_status ns_sweep_show(const ns_sweep *sweep, ns_value *result, ns_error *err);
/* --plot: the output against the first axis, a line per curve and value of the second, the minima ringed. */
ns_status ns_sweep_plot(const ns_sweep *sweep, const ns_args *args, ns_value *result, ns_error *err);

/* sweep --over strategy: the best one per size, messages and nodes. */
ns_status ns_sweep_strategies(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err);

/* Said while a sweep runs. */
ns_status ns_sweep_watched(const ns_args *args, const ns_curves *curves, ns_axis *const *axis, int axes,
                           bool schedules, ns_sweep **sweep, ns_error *err);

#endif
