/* explanation.h -- building an explanation term by term */
#ifndef NS_STUDY_EXPLANATION_H
#define NS_STUDY_EXPLANATION_H

#include "study/study.h"

/* A new last term; its place holds until the next one.  Never NULL: after memory ran out a spare one, and
 * ns_explanation_check says so at the end. */
ns_term *ns_explanation_add(ns_explanation *explanation, int depth, const char *format, ...) NS_PRINTF(3, 4);
ns_status ns_explanation_check(const ns_explanation *explanation, ns_error *err);

/* A text that lives as long as the explanation; "" when memory ran out. */
const char *ns_explanation_text(ns_explanation *explanation, const char *format, ...) NS_PRINTF(2, 3);

void ns_term_set_value(ns_term *term, double value, ns_dim dim, bool counts);
/* Path, and with it value, unit and source of a machine's parameter; false when there is none. */
bool ns_term_set_parameter(ns_explanation *explanation, ns_term *term, const ns_machine *machine, const char *path);

#endif
