/* benchpress.h -- tables of BenchPress output, held until it is known which program printed them
 *
 * "Timing Max-Rate ..." is printed by time_maxrate (each process sends `Size`) and by time_node_pong (all processes
 * share it), "Profiling GPU Ping-Pongs" by a device-aware and by a 3-step program: the answer is in the shape of the
 * table, in the "app 0: ./time_..." line after it, or in --kind.
 */
#ifndef NS_LOGS_BENCHPRESS_H
#define NS_LOGS_BENCHPRESS_H

#include "log.h"

/* What the rows and columns of a table are.  Sizes count floats of 4 bytes. */
typedef enum bp_shape {
    BP_NONE,
    BP_PAIRS,          /* a row a pair of ranks, column i: 2^i floats */
    BP_DEVICE_PAIRS,   /* the same between GPUs: device-aware or 3-step */
    BP_RATE,           /* a row a size, column i: i + 1 pairs */
    BP_OLD_RATE,       /* the same, older: inj_bw, or node_ping_pong with process counts that it does not print */
    BP_MULTIPLE,       /* a row a size, column i: i + 1 messages from one process to as many */
    BP_COPY,           /* a row a process and a GPU, column i: 2^i floats */
    BP_PEER,           /* a row a process and two GPUs */
    BP_COPIES,         /* after "NP k": k + 1 processes a GPU, column i: 2^i floats each */
    BP_OLD_COPIES,     /* a row a size, column i: i + 1 processes share it */
    BP_ALL_COPIES,     /* a row a size, column 0: one process */
    BP_MESSAGES,       /* a row a size, column i: 2^i messages share it */
    BP_COLLECTIVE,     /* one row, column i: 2^i floats */
    BP_OLD_COLLECTIVE, /* a row a size, one column */
    BP_IGNORED         /* known, and no message: text says why */
} bp_shape;

typedef struct bp_section {
    const char *title; /* at the start of a line */
    bp_shape shape;
    ns_sample_kind kind;
    ns_memory memory;
    ns_direction direction;
    bool seconds;     /* else milliseconds */
    const char *text; /* name of a collective, or why the table is left out */
} bp_section;

typedef struct bp_cell {
    double value; /* as printed */
    int size;     /* of the row, floats; 0 where the column says it */
    int column;
    int rank[2];
    long line;
} bp_cell;

typedef struct bp_table {
    bp_section section;
    int rank[2];   /* of the title, where it names them */
    int processes; /* of an "NP" line */
    long line;
    size_t first, cells;
    bool negative; /* a time below zero: the clock of the run was broken */
} bp_table;

/* Tables that are known and no message. */
typedef struct bp_ignored {
    const char *reason;
    size_t tables;
    long line; /* of the first */
} bp_ignored;
enum { BP_REASONS = 8 };

typedef struct bp_state {
    bp_table *table;
    size_t tables, table_room;
    bp_cell *cell;
    size_t cells, cell_room;
    bool open; /* rows belong to the last table */
    bp_ignored ignored[BP_REASONS];
    int reasons;
} bp_state;

/* Turn the tables so far into samples; program is the name in an "app" line, or NULL. */
ns_status ns_bp_settle(ns_log_parser *p, bp_state *state, const char *program, ns_error *err);

#endif
