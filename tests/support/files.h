/* files.h -- whole files as texts */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>

/* The same text in the library's memory, for ns_free; the C library's is freed. */
char *library_text(char *text);

/* Remember what the process keeps to its end, so that it is no leak; returns it. */
void *test_keep(void *memory);

/* All of the file, with a NUL after it, kept. The test fails where there is no such file. */
char *read_whole(const char *path);

/* How often the words stand in the text, without overlaps. */
size_t times_in(const char *text, const char *words);

#endif
