/* advise.h -- a decision with what would settle it, as values and as words */
#ifndef NS_CLI_ADVISE_H
#define NS_CLI_ADVISE_H

#include "cli/show/decision.h"

/* "decision", "expected_loss", "measure" and so on of one case; plan NULL: there is nothing to decide. */
void ns_advice_value(const ns_comparison *comparison, const ns_measure_plan *plan, ns_value *object);

/* Lines above the table: the sentence, what is ruled out, what is lost on average, what to measure. */
void ns_advice_lines(const ns_decided *decided, const ns_measure_plan *plan, ns_value *of_case, ns_value *result);

#endif
