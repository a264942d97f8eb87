/* curves.h -- what the studies of curves share beyond the public calls */
#ifndef NS_STUDY_CURVES_H
#define NS_STUDY_CURVES_H

#include "study/study.h"

/* A copy that may be given another machine. */
ns_status ns_curves_copy(const ns_curves *curves, ns_curves **copy, ns_error *err);
void ns_curves_use_machine(ns_curves *curves, const ns_machine *machine);

/* Strategies by their closed forms as printed, not corrected. */
void ns_curves_use_printed(ns_curves *curves);

/* Is the set closed, and that one of its curves? */
ns_status ns_curves_check(const ns_curves *curves, int curve, ns_error *err);

/* The open binding of a model's curve, NULL of a strategy's; where the compared output stands among the model's. */
const ns_binding *ns_curves_binding(const ns_curves *curves, int curve);
size_t ns_curves_output(const ns_curves *curves, int curve);

/* Close the binding of a model's curve with some inputs set, and evaluate it. */
ns_status ns_curves_eval(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                         ns_binding *closed, ns_model_buffer *out, ns_error *err);

/* One number of a scenario set, checked. */
ns_status ns_scenario_set(ns_scenario *scenario, const char *name, double value, ns_error *err);
/* ns_scenario_time by one of the closed forms: "corrected" or "printed". */
ns_status ns_scenario_form(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, const char *form, double *seconds, ns_error *err);

/* An error of a NAME=RANGE that says where in it; value: the part of the assignment that inner's column counts from. */
ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err);

#endif
