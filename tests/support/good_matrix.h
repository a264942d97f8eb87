/* good_matrix.h -- open and scan a matrix that has to be good */
#ifndef TESTS_SUPPORT_GOOD_MATRIX_H
#define TESTS_SUPPORT_GOOD_MATRIX_H

#include "slow_matrix.h"

/* The call succeeded; otherwise its message fails the test. */
void must(ns_status status, const ns_error *err);

ns_matrix *open_good(const char *path);
entry_list scan_good(ns_matrix *matrix);

/* Same entries in the same order. */
void same_entries(const entry_list *found, const ns_entry *wanted, size_t count, const char *what);

/* For scans: adds the number of entries to the int64_t that context points to. */
ns_status count_entries(void *context, const ns_entry *entries, size_t count, ns_error *err);

#endif
