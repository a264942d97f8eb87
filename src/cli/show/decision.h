/* decision.h -- a decision as values and as a sentence */
#ifndef NS_CLI_DECISION_H
#define NS_CLI_DECISION_H

#include "cli/front/command.h"
#include "study/answer.h"

/* "decision": the object, or null where there is nothing to choose from; next: the command to run next, or NULL. */
void ns_decision_value(const ns_decided *decided, const char *next, ns_value *parent);

/* "sentence" of the case, and the heading of its rows. */
void ns_decision_sentence(const ns_decided *decided, ns_value *of_case);

#endif
