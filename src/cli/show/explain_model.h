/* explain_model.h -- eval --explain: a model's terms, its inputs with their sources, warnings and assumptions as a tree
 */
#ifndef NS_CLI_EXPLAIN_MODEL_H
#define NS_CLI_EXPLAIN_MODEL_H

#include "cli/show/terms.h"

/* binding is closed, out is its evaluation. */
ns_status ns_explain_model(const ns_binding *binding, const ns_model_buffer *out, ns_terms *terms, ns_error *err);

/* Where input i came from, in words. */
void ns_explain_origin(const ns_binding *binding, int i, char *text, size_t size);

/* Why the message's size does not suit the line that is used; "" when it does. */
void ns_explain_range(const ns_binding *binding, char *text, size_t size);

#endif
