/* model_rows.h -- a model tested row by row: inputs, expected value, where that comes from */
#ifndef NS_TESTS_MODEL_ROWS_H
#define NS_TESTS_MODEL_ROWS_H

#include <check.h>
#include <stddef.h>

typedef struct model_row {
    const char *machine;  /* shipped machine, or NULL */
    const char *given;    /* "NAME=VALUE ...", split at blanks */
    const char *output;   /* NULL: the evaluation is refused with `from` in its message */
    double expected;      /* SI */
    double tolerance;     /* relative; 0 for exact, NEAR for the rounding of a sum done in another order */
    const char *from;     /* provenance */
} model_row;

#define NEAR 1e-13
#define REFITTED 0.01 /* the authors' constants against a machine that is fitted from their logs again */

/* One loop test over the rows.  For use as `return` of suite(). */
Suite *model_suite(const char *model, const model_row *rows, size_t count);

#define MODEL_SUITE(model, rows) model_suite(model, rows, sizeof rows / sizeof *rows)

#endif
