/* log_rows.h -- a log tool tested row by row: a text, what is read from it, what is said of it */
#ifndef NS_TESTS_LOG_ROWS_H
#define NS_TESTS_LOG_ROWS_H

#include <check.h>

#include <logs/samples.h>

typedef struct log_want {
    long line;              /* 0 ends the list */
    ns_sample_kind kind;
    ns_locality locality;
    ns_memory memory;
    int pairs, messages;
    double bytes, seconds;  /* to 1e-12, relative */
    const char *name;       /* NULL: any */
} log_want;

typedef struct log_row {
    const char *about;      /* what the row shows, and where its format was seen */
    const char *text;
    ns_log_options options; /* of which 0 is the default */
    size_t samples;
    log_want want[6];       /* some of them */
    const char *warning;    /* words that one warning has to hold; NULL: none wanted */
    const char *refusal;    /* words of the message when the log is refused; NULL: it is read */
    bool quiet;             /* no warning at all */
} log_row;

/* One loop test over the rows. */
Suite *log_suite(const char *tool, const log_row *rows, size_t count);

#define LOG_SUITE(tool, rows) log_suite(tool, rows, sizeof rows / sizeof *rows)

#endif
