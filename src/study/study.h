/* study.h -- questions about an answer, in the structs that the rooms share */
#ifndef NS_STUDY_STUDY_H
#define NS_STUDY_STUDY_H

#include "model/binding.h"
#include "network/network.h"
#include "price/choice.h"

#include <nsmodel/measure.h>
#include <nsmodel/published.h>
#include <nsmodel/study.h>

/* Add why one choice of a comparison costs what it costs: steps, then classes of messages at the process that decides,
 * copies, and the published form for comparison.  machine, borrowed: the one that was priced.  On failure part of it
 * may be there.  O(terms). */
ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err);

/* Add what a model's answer is made of: outputs, inputs with their sources, and, where the model reads the machine's
 * tables by itself, every parameter that moves an output.  binding is closed, out is its evaluation.  The machine is
 * borrowed.  At most one ns_model_eval a parameter. */
ns_status ns_explain_model(ns_explanation *explanation, const ns_binding *binding, const ns_model_buffer *out,
                           ns_error *err);

/* The same of a choice of ns_network_compare (network.h): between nodes the bounds of the node that ends last, then
 * what its processes do. */
ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err);

/* ns_measure_plan_make (nsmodel/measure.h) for ways on a network; networked NULL: on the machine alone.  What its
 * interfaces take is one more number, "network.NAME.time", which errs by the error of their model. */
ns_status ns_measure_plan_on(const ns_comparison *comparison, const ns_machine *machine, const ns_networked *networked,
                             const ns_selection *selection, ns_measure_plan **plan, ns_error *err);

/* Messages of a price that lie just past a size where a later protocol takes over that is faster there: some shorter
 * ones take longer. */
typedef struct ns_price_drop {
    size_t size;
    ns_memory memory;
    ns_locality locality;
    ns_protocol from, to;
    double at;                /* B, first size of the later protocol */
    double before_s, after_s; /* of a message of that size by the one and by the other, as the form prices it */
    double message_bytes;     /* mean length of the messages, at the process that decides */
} ns_price_drop;
/* The index-th of a choice that ns_compare priced; false past the last. */
bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop);

/* Its rows as those of a model's inputs, over ns_scenario; closed by NS_FIELD_END. */
extern const ns_field ns_scenario_fields[];
/* Messages of 1 KiB, 256 of them, to 16 nodes. */
extern const ns_scenario ns_scenario_default;

/* The row of an input in the first curve that has it, or NULL; locality, memory and protocol have none. */
const ns_field *ns_curves_input(const ns_curves *curves, const char *name);

/* The strategies of a closed set, which holds nothing else, side by side in the scenario: each priced by the schedule
 * of ns_scenario_exchange, without published times.  Choices stand in the order of the curves. */
ns_status ns_scenario_compare(const ns_scenario *scenario, const ns_curves *curves, ns_comparison *comparison,
                              ns_error *err);

extern const char *const ns_meeting_words[]; /* "cross", ...; closed by NULL */

extern const char *const ns_basis_words[]; /* "stated", ...; closed by NULL */

extern const char *const ns_standing_words[]; /* "measured", ...; closed by NULL */

extern const char *const ns_published_words[]; /* "prediction", "in-sample", "identity", "input"; closed by NULL */

#endif
