/* values.h -- what stands in an answer; a test fails where it is missing, of another kind, or another number */
#ifndef TESTS_SUPPORT_VALUES_H
#define TESTS_SUPPORT_VALUES_H

#include "core/value.h"

/* At a path "a.b.c" below root. */
double number_at(const ns_value *root, const char *path);
const char *text_at(const ns_value *root, const char *path);

/* Within this share of the wanted value; what says of which number a failure speaks. */
void near(double got, double wanted, double relative, const char *what);
#define NEAR(got, wanted, relative) near(got, wanted, relative, #got)

/* Is there a warning with these words? */
bool warns(const ns_value *root, const char *words);

#endif
