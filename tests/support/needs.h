/* needs.h -- what a test needs of the machine, and the line that names it where that is missing
 *
 * No test that needs an optional library, program, instruction set, or the data folder passes silently without: it
 * prints a line, and tools/summary.sh shows all these lines at the end of `make check`.
 */
#ifndef NS_TESTS_NEEDS_H
#define NS_TESTS_NEEDS_H

#include <stdbool.h>

/* Is it there, and not named by NSMODEL_WITHOUT?  `scotch`, `curl`, `isal`, `avx2`, or the name of a program.  May be
 * asked outside of a test too. */
bool has_part(const char *part);

/* Say that a test did not run, or not all of it: "skipped: TEST (WHY)".  TEST is __func__, or the name in words. */
void skipped(const char *test, const char *why, ...) __attribute__((__format__(__printf__, 2, 3)));

/* True, and such a line, where the part is missing. */
bool lacks(const char *test, const char *part);

/* True, and such a line, where the programs are built with sanitizers, which have their own memory and time. */
bool is_sanitized(const char *test);

#endif
