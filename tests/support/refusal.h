/* refusal.h -- open and scan a matrix file, and compare what is said of it */
#ifndef TESTS_SUPPORT_REFUSAL_H
#define TESTS_SUPPORT_REFUSAL_H

#include "slow_matrix.h"

/* Open and scan; what either says is in err. */
ns_status read_all(const char *path, entry_list *list, ns_error *err);

/* Reading fails, at this line (0: about the file as a whole), and these words are part of the message. */
void refused(const char *path, long line, const char *words);

/* Reading succeeds; the reason is for the reader of the test. */
void accepted(const char *path, const char *reason);

#endif
