/* decision.h -- a decision as values and as a sentence */
#ifndef NS_CLI_DECISION_H
#define NS_CLI_DECISION_H

#include "cli/front/command.h"

/* What is compared, said in words: "64 GPUs" on a machine with GPUs, else "64 processes". */
typedef struct ns_decided {
    const ns_comparison *comparison;
    const ns_machine *machine;
    int32_t parts;
    bool one_of_many; /* machines: it is named */
} ns_decided;

/* "decision": the object, or null where there is nothing to choose from. */
void ns_decision_value(const ns_comparison *comparison, ns_value *parent);

/* "three-step/device" of a comparison's choice; returns text. */
const char *ns_choice_name(const ns_comparison *comparison, int choice, char *text, size_t size);
/* "31 %", "over 99 %", "under 1 %"; returns text. */
const char *ns_percent(double p, char *text, size_t size);

/* "64 GPUs: three-step/device, 375 us; 31 % sure it is the best of 8; ...", as "sentence" of the case and as a note
 * above the table; as a heading of the case's rows instead, where the table is not wide.  With nothing to choose from
 * there is a heading only: the way and its time. */
void ns_decision_sentence(const ns_decided *decided, bool heading, ns_value *of_case, ns_value *result);

#endif
