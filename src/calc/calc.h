/* calc.h -- functions and models of expressions, by name */
#ifndef NS_CALC_CALC_H
#define NS_CALC_CALC_H

#include "machine/model.h"

#include <nsmodel/calc.h>

/* The index-th function, or NULL past the last one. */
typedef struct ns_function {
    const char *name, *usage, *doc;
} ns_function;
const ns_function *ns_calc_function(size_t index);

/* The model that a word names in an expression: "max-rate" or "max_rate"; or NULL. */
const ns_model *ns_calc_model(const char *word, size_t length);

/* The output that a call returns: the total, which is the last one. */
const ns_field *ns_calc_output(const ns_model *model);

#endif
