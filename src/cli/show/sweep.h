/* sweep.h -- the pieces of the command sweep: curves over one or two axes, and the table of the best strategy */
#ifndef NS_CLI_SWEEP_H
#define NS_CLI_SWEEP_H

#include "cli/front/progress.h"
#include "cli/inputs/curves.h"
#include "cli/show/draw.h"

typedef struct ns_sweep_request {
    const ns_args *args; /* its words and --over */
    const char *of, *machine, *plot;
    int price;                  /* NS_SWEEP_SCHEDULE unless ... */
    bool over_strategy, priced; /* ... --price is given */
} ns_sweep_request;

enum { NS_SWEEP_SCHEDULE, NS_SWEEP_PUBLISHED, NS_SWEEP_CORRECTED };
extern const char *const ns_sweep_prices[]; /* "schedule", "published", "corrected"; closed by NULL */

/* What is swept over what. */
typedef struct ns_sweep_question {
    ns_curves *curves;
    ns_axis *axis[NS_AXES];
    int axes;
} ns_sweep_question;

/* The rows; that of the first point alone. */
ns_status ns_sweep_show(const ns_sweep *sweep, ns_value *result, ns_error *err);
ns_status ns_sweep_first(const ns_sweep *sweep, ns_value *result, ns_error *err);
/* The rows as CSV; *done false: these are none that this can write. */
ns_status ns_sweep_csv(ns_progress *progress, const ns_sweep_question *q, FILE *out, bool *done, ns_error *err);
/* --plot: the output against the first axis, a line per curve and value of the second, the minima ringed. */
ns_status ns_sweep_plot(const ns_sweep *sweep, const char *path, ns_value *result, ns_error *err);

/* sweep --over strategy: the best one per size, messages and nodes. */
ns_status ns_sweep_strategies(const ns_sweep_request *r, const ns_machine *machine, ns_value *result, ns_error *err);

/* A sweep that says how far it is.  receive: as in ns_sweep_options. */
ns_status ns_sweep_watched(ns_progress *progress, const ns_sweep_question *q, bool schedules, ns_sweep_receive *receive,
                           void *receiver, ns_sweep **sweep, ns_error *err);

#endif
