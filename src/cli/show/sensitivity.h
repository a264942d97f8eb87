/* sensitivity.h -- the pieces of the command sensitivity: what may be turned, what answers, what comes of it */
#ifndef NS_CLI_SENSITIVITY_H
#define NS_CLI_SENSITIVITY_H

#include "cli/inputs/curves.h"
#include "cli/show/draw.h"
#include "num/elasticity.h"

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
 * then the best, "" where there is no choice. */
typedef struct ns_subject {
    const ns_machine *machine; /* or NULL */
    const char *title;
    const char *output;
    ns_dim dim;
    void *context;
    struct ns_progress *progress; /* or NULL */
    ns_status (*answer)(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err);
} ns_subject;

typedef struct ns_move {
    ns_knob knob;
    ns_elasticity e;
    const char *low_winner, *high_winner; /* static or the subject's; "" when it stays */
} ns_move;

/* Turn every knob; *moves: those that move the answer, the widest first, allocated. */
ns_status ns_sensitivity_run(const ns_subject *subject, const ns_knob *knob, size_t knobs, double by, ns_move **move,
                             size_t *moves, ns_error *err);

/* Every parameter of the machine as a knob, into knob[]; returns how many. */
size_t ns_machine_knobs(const ns_machine *machine, ns_knob *knob);

void ns_sensitivity_report(const ns_subject *subject, const ns_move *move, size_t moves, double by, ns_value *result);
/* --plot: the tornado. */
ns_status ns_sensitivity_plot(const ns_subject *subject, const ns_move *move, size_t moves, double by,
                              const ns_args *args, ns_value *result, ns_error *err);

/* ---- the exchange of a matrix or of messages as a subject ------------------------------------------------------- */

typedef struct ns_exchange_subject ns_exchange_subject;
ns_status ns_exchange_subject_open(const ns_args *args, const ns_machine *machine, ns_value *result,
                                   ns_exchange_subject **open, ns_subject *subject, ns_error *err);
void ns_exchange_subject_close(ns_exchange_subject *open);

#endif
