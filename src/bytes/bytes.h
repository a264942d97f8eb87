/* bytes.h -- the bytes of a file, unpacked when it is gzip */
#ifndef NS_MATRIX_BYTES_H
#define NS_MATRIX_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

#include "core/utf8.h"

typedef struct ns_bytes ns_bytes;

/* Read size bytes of an open file; fewer only at its end or on failure.  *got is valid in every case. */
ns_status ns_file_read(int file, const char *path, void *buffer, size_t size, size_t *got, ns_error *err);

/* "cannot read: Input/output error", by errno; always NS_ERR_FILE. */
ns_status ns_file_fail(ns_error *err, const char *path, const char *what, int code);

/* Open a regular file for reading; gzip is recognised by its first two bytes.  Free with ns_bytes_close. */
ns_status ns_bytes_open(const char *path, ns_bytes **bytes, ns_error *err);

/* Read size bytes; fewer only at the end of the data or on failure.  *got is valid in every case. */
ns_status ns_bytes_read(ns_bytes *bytes, void *buffer, size_t size, size_t *got, ns_error *err);

void ns_bytes_close(ns_bytes *bytes);

#endif
