/* terms.h -- an explanation shown as a table */
#ifndef NS_CLI_TERMS_H
#define NS_CLI_TERMS_H

#include "api/library.h"

/* Path of the parameter, or the command that shows the model, or "" */
const char *ns_term_place(const ns_term *term, char *text, size_t size);
/* Has it terms below? */
bool ns_term_has_children(const ns_explanation *terms, size_t i);

#define NS_OPTION_EXPLAIN                                                                                              \
    {"explain", 0, NULL, NULL, "every term with its share, inputs and sources, as a tree"}
/* The same into the field `explain` of a request. */
#define NS_OPTION_EXPLAIN_OF(request_)                                                                                 \
    {"explain", 0, NULL, NULL, "every term with its share, inputs and sources, as a tree", NS_OPT(request_, explain)}
/* The tree as a table of the result. */
void ns_terms_show(const ns_explanation *terms, ns_value *result);

#endif
