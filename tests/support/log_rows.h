/* log_rows.h -- a log tool tested row by row: a text, what is read from it, what is said of it */
#ifndef NS_TESTS_LOG_ROWS_H
#define NS_TESTS_LOG_ROWS_H

#include "test.h"

#include <logs/samples.h>

typedef struct log_want {
    long line; /* 0 ends the list */
    ns_sample_kind kind;
    ns_locality locality;
    ns_memory memory;
    int pairs, messages;
    double bytes, seconds; /* to 1e-12, relative */
    const char *name;      /* of a copy its direction; NULL: any */
} log_want;

/* A ping-pong of one pair between two nodes, from host memory. */
#define PONG(line, bytes, seconds)                                                                                     \
    {                                                                                                                  \
        line, NS_PING_PONG, NS_OFF_NODE, NS_HOST, 1, 1, bytes, seconds, ""                                             \
    }

/* What the command line says; NULL and 0: nothing. */
typedef struct log_said {
    const char *tool, *kind, *locality, *memory, *round_trip;
    int per_node, sockets, cyclic, processes;
} log_said;

/* A warning: line, and words in it.  One that is not expected fails the row, but for those that a row without any
 * placement gives ("states no locality", "states no memory"). */
typedef struct log_note {
    long line;
    const char *words; /* NULL ends the list */
} log_note;

typedef struct log_row {
    const char *about; /* what the row shows, or where its format was seen */
    const char *text;
    log_said said;
    size_t samples;
    log_want want[8]; /* some of them */
    log_note note[9];
    const char *refusal; /* words of the message when the log is refused; NULL: it is read */
    long refusal_line;
} log_row;

/* A test for each of the rows; tool NULL: any may read them. */
#define LOG_ROWS(tool, rows)                                                                                           \
    __attribute__((constructor)) static void rows_are_tests(void)                                                      \
    {                                                                                                                  \
        log_rows(tool, rows, sizeof rows / sizeof *rows);                                                              \
    }

void log_rows(const char *tool, const log_row *rows, size_t count);

/* The options of ns_log_read for what is said. */
ns_log_options log_options(const log_said *said);

#endif
