/* real_logs.h -- tests/data/real_logs.tsv: what is read of each folder of logs with each tool, and what is found now */
#ifndef TESTS_SUPPORT_REAL_LOGS_H
#define TESTS_SUPPORT_REAL_LOGS_H

#include <stddef.h>
#include <stdint.h>

typedef struct real_logs {
    char folder[64], tool[32]; /* tool "-": refused */
    long files, samples;
    uint64_t checksum; /* over all that is read of each file; see tests/test_logs_real.c */
    struct {
        long files, samples;
        uint64_t checksum;
    } found;
} real_logs;

/* Read the table; returns its rows and their number. */
real_logs *real_logs_load(size_t *rows);

/* The row of a file, whose path begins with its folder; NULL where the table has none. */
real_logs *real_logs_row(const char *path, const char *tool);

#endif
