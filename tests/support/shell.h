/* shell.h -- commands and scratch folders for tests of what stands around the program */
#ifndef NS_TESTS_SHELL_H
#define NS_TESTS_SHELL_H

#include <stdbool.h>
#include <stddef.h>

/* The program under test; a path that holds in any folder. */
const char *shell_program(void);

/* A new empty folder; its path (static).  A test makes one at most. */
const char *scratch_open(void);
/* The same, for TEST_FIXTURE. */
void scratch_begin(void);
void scratch_close(void);
/* The folder that was opened. */
const char *scratch_folder(void);

/* Run by sh in the current folder, as a person would and not as a part of a running make; what it says on both streams
 * in out (may be NULL, then size is 0); returns its exit code. */
int shell(char *out, size_t size, const char *format, ...) __attribute__((__format__(__printf__, 3, 4)));

/* The same; the exit code has to be 0. */
void shell_ok(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

#endif
