/* model_rows.h -- a model tested row by row: inputs, expected value, where that comes from */
#ifndef NS_TESTS_MODEL_ROWS_H
#define NS_TESTS_MODEL_ROWS_H

#include "test.h"

#include <stddef.h>

typedef struct model_row {
    const char *machine; /* shipped machine, or NULL */
    const char *given;   /* "NAME=VALUE ...", split at blanks */
    const char *output;  /* "NAME", or "NAME=VALUE ..." of several; NULL: refused with `from` in the message */
    double expected;     /* SI; of one output */
    double tolerance;    /* relative; 0 for exact, NEAR for the rounding of a sum done in another order */
    const char *from;    /* provenance */
} model_row;

#define NEAR     1e-13
#define REFITTED 0.01 /* the authors' constants against a machine that is fitted from their logs again */

/* A test for each of the rows. */
#define MODEL_ROWS(model, rows)                                                                                        \
    __attribute__((constructor)) static void rows_are_tests(void)                                                      \
    {                                                                                                                  \
        model_rows(model, rows, sizeof rows / sizeof *rows);                                                           \
    }

void model_rows(const char *model, const model_row *rows, size_t count);

#endif
