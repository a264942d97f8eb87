/* decision.h -- a decision as values and as a sentence */
#ifndef NS_CLI_DECISION_H
#define NS_CLI_DECISION_H

#include "cli/front/command.h"
#include "study/sentence.h"

/* "decision": the object, or null where there is nothing to choose from. */
void ns_decision_value(const ns_comparison *comparison, ns_value *parent);

/* What ns_decided_text says, as "sentence" of the case and as a note above the table; as a heading of the case's rows
 * instead, where the table is not wide.  With nothing to choose from there is a heading only. */
void ns_decision_sentence(const ns_decided *decided, bool heading, ns_value *of_case, ns_value *result);

#endif
