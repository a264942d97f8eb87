/* advise.h -- a decision with what would settle it, as values and as words */
#ifndef NS_CLI_ADVISE_H
#define NS_CLI_ADVISE_H

#include "cli/show/answer.h"

/* "decision", "expected_loss", "measure" and so on of one case; plan NULL: there is nothing to decide. */
void ns_advice_value(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *object);

/* A line on what measuring would gain in a case that is to be measured, or with --all in any. */
void ns_advice_lines(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *result);
/* "steps": from a bare cluster to an answer of its own, on that matrix; each step reads what the one before it
 * wrote. */
void ns_measure_steps(const char *matrix, const char *last, ns_value *result);
/* The same, to the question that args put. */
void ns_advice_steps(const ns_args *args, ns_value *result);

#endif
