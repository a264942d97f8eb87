/* values.h -- what stands in an answer; a test fails where it is missing or of another kind */
#ifndef TESTS_SUPPORT_VALUES_H
#define TESTS_SUPPORT_VALUES_H

#include <nsmodel/value.h>

/* At a path "a.b.c" below root. */
double number_at(const ns_value *root, const char *path);
const char *text_at(const ns_value *root, const char *path);

#endif
