/* whole_file.h -- files that appear whole or not at all: written beside their place, then renamed */
#ifndef NS_REPORT_WHOLE_FILE_H
#define NS_REPORT_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include <nsmodel/status.h>

typedef struct ns_whole_file {
    const char *path;
    bool in_place; /* what stands there is no plain file */
    char beside[4096];
    FILE *file;
} ns_whole_file;

ns_status ns_whole_file_begin(const char *path, ns_whole_file *whole, ns_error *err);

/* Put the file in its place; or, when the status of what was written is a failure, remove it and pass that on. */
ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err);

#endif
