/* curves.h -- what sweep, cross and sensitivity look at: models, or strategies in a scenario, as functions of named
 * inputs
 *
 * A curve is written MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT, or strategies for all that the machine
 * runs.
 */
#ifndef NS_CLI_CURVES_H
#define NS_CLI_CURVES_H

#include "cli/front/command.h"
#include "cli/inputs/scenario.h"

#include <nsmodel/cross.h>

typedef struct ns_cli_curve {
    char label[96];
    const ns_strategy *strategy; /* or NULL: a model */
    ns_transport transport;
    ns_binding binding; /* of a model: open */
} ns_cli_curve;

typedef struct ns_curve_set {
    const ns_machine *machine; /* or NULL */
    const char *output;        /* of the models; NULL until ns_curves_dim: time, or their last */
    int count, strategies;
    ns_cli_curve curve[NS_CURVES];
    ns_scenario scenario;
} ns_curve_set;

/* One value of one input: a number in SI, or a word. */
typedef struct ns_setting {
    const char *name;
    const char *word; /* NULL for a number */
    double number;
} ns_setting;

/* NAME=... rather than MODEL:NAME=... */
bool ns_is_assignment(const char *word);

/* Add what a word stands for. */
ns_status ns_curves_add(ns_curve_set *set, const char *word, ns_error *err);

/* "NAME=VALUE" for every curve that has the input; an error when none has. */
ns_status ns_curves_assign(ns_curve_set *set, const char *assignment, ns_error *err);

/* The row of an input in the first curve that has it, or NULL; selectors (locality, memory, protocol) have none. */
const ns_field *ns_curves_field(const ns_curve_set *set, const char *name);

/* The compared output, chosen where none was named, and its dimension. */
ns_status ns_curves_dim(ns_curve_set *set, ns_dim *dim, ns_error *err);

/* Close a model's curve with some inputs set, and evaluate it. */
ns_status ns_curve_eval(const ns_curve_set *set, int curve, const ns_setting *setting, int settings, ns_binding *closed,
                        ns_model_buffer *out, ns_error *err);

/* The compared output of any curve with some inputs set. */
ns_status ns_curve_value(const ns_curve_set *set, int curve, const ns_setting *setting, int settings, double *value,
                         ns_error *err);

#endif
