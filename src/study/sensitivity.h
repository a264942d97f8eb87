/* sensitivity.h -- what may be perturbed, and what answers */
#ifndef NS_STUDY_SENSITIVITY_H
#define NS_STUDY_SENSITIVITY_H

#include "study/study.h"

/* One number that the answer may depend on: a parameter of the machine, or an input that was given. */
typedef struct ns_knob {
    const char *name;
    const ns_parameter *parameter; /* or NULL: an input */
    double value, se;              /* SI; se 0 where unknown */
    ns_dim dim;
    bool count; /* a whole number of things: one less, one more */
    const char *source;
} ns_knob;

/* What is asked.  answer: the value on a machine, one input perhaps set; *winner (may be NULL) the strategy that is
 * then the best, "" where there is no choice; it outlives the result. */
typedef struct ns_subject {
    const ns_machine *machine; /* or NULL */
    const char *title;
    const char *output;
    ns_dim dim;
    void *context;
    ns_status (*answer)(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err);
} ns_subject;

/* Turn every knob, and then every parameter of the subject's machine. */
ns_status ns_sensitivity_run(const ns_subject *subject, const ns_knob *knob, size_t knobs,
                             const ns_sensitivity_options *options, ns_sensitivity **sensitivity, ns_error *err);

#endif
