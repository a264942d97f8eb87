/* whole_file.h -- files that appear whole or not at all: written beside their place, then renamed */
#ifndef NS_IO_WHOLE_FILE_H
#define NS_IO_WHOLE_FILE_H

#include <stdio.h>

#include <nsmodel/status.h>

typedef struct ns_whole_file {
    const char *path;  /* as asked for */
    char place[4096];  /* the same behind its links, which stay */
    char beside[4096]; /* "" when written straight to path */
    FILE *file;
} ns_whole_file;

/* A regular file, new or in the place of another; anything else under that name is refused. */
ns_status ns_whole_file_begin(const char *path, ns_whole_file *whole, ns_error *err);

/* The same, but a device or pipe of that name is written to as it is, never replaced. */
ns_status ns_whole_output_begin(const char *path, ns_whole_file *whole, ns_error *err);

/* Put the file in its place; or, when the status of what was written is a failure, remove it and pass that on. */
ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err);

#endif
