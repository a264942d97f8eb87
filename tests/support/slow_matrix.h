/* slow_matrix.h -- a second reader of Matrix Market files, slow and plain, that shares no code with the library's */
#ifndef TESTS_SUPPORT_SLOW_MATRIX_H
#define TESTS_SUPPORT_SLOW_MATRIX_H

#include <nsmodel/matrix.h>

typedef struct entry_list {
    ns_entry *at;
    size_t count, room;
} entry_list;

/* An ns_entry_fn whose context is an entry_list. */
ns_status entry_list_receive(void *list, const ns_entry *entries, size_t count, ns_error *err);
void entry_list_free(entry_list *list);

typedef struct slow_matrix {
    int64_t rows, cols, stored;
    entry_list entries; /* expanded, in the order of the file, a mirrored entry right after its own */
} slow_matrix;

/* Good files only, plain, gzip or tar in gzip; asserts otherwise. */
void slow_matrix_read(const char *path, slow_matrix *matrix);

/* A file's bytes, unpacked; free them. */
char *slow_bytes(const char *path, size_t *size);

#endif
