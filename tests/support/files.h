/* files.h -- whole files as texts */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>

/* All of the file, with a NUL after it; free it.  The test fails where there is no such file. */
char *read_whole(const char *path);

/* How often the words stand in the text, without overlaps. */
size_t times_in(const char *text, const char *words);

#endif
