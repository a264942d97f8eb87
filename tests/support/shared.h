/* shared.h -- where the data folder is; tests that need it skip, and say so, when there is none */
#ifndef TESTS_SUPPORT_SHARED_H
#define TESTS_SUPPORT_SHARED_H

#include <stdbool.h>
#include <stddef.h>

/* The environment's NSMODEL_SHARED, else "../shared"; NULL when there is no such folder. */
const char *shared_dir(void);

/* Write "<folder>/<relative>" into path; false, after a printed line naming the test, when there is no folder. */
bool shared_path(const char *test, const char *relative, char *path, size_t size);

/* Does the folder have the matrices that these tests read?  If not, a line says so. */
bool shared_matrices(const char *tests);

/* Call visit with each regular file below folder; returns how many there are. */
int shared_walk(const char *folder, void (*visit)(const char *path));

/* Write bytes to a new file in a private folder, which is removed at exit, and return its path (static, one a name). */
const char *scratch_file(const char *name, const void *bytes, size_t size);

/* The same, packed by gzip. */
const char *scratch_gzip(const char *name, const void *bytes, size_t size);

#endif
