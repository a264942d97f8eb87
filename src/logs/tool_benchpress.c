/* tool_benchpress.c -- BenchPress (HeteroBench) output, and the older programs that print milliseconds
 *
 *     Profiling Standard CPU Ping-Pongs:
 *     CPU 0 and CPU 1:<TAB>3.856680e-07<TAB>3.656490e-07<TAB>...
 *
 * Every value is followed by a tab; one without it was cut off.  Sizes are floats: column i is 4 x 2^i bytes.  Times
 * are half round trips.  A row may run into the next one, into the scheduler's trailer or into a placement line.
 *
 * "Timing Max-Rate ..." is printed by time_maxrate (each process sends `Size`) and by time_node_pong (all processes
 * share it), "Profiling GPU Ping-Pongs" by a device-aware and by a 3-step program: they are told apart by the shape of
 * the table, by the "app 0: ./time_..." line after it, or by --kind.
 */
#include "core/memory.h"
#include "log.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The meaning of a table's rows and columns.  Sizes count floats of 4 bytes. */
typedef enum bp_shape {
    BP_NONE,
    BP_PAIRS,          /* a row per pair of ranks, column i: 2^i floats */
    BP_DEVICE_PAIRS,   /* the same between GPUs: device-aware or 3-step */
    BP_RATE,           /* a row per size, column i: i + 1 pairs */
    BP_OLD_RATE,       /* the same, older: inj_bw, or node_ping_pong with process counts that it does not print */
    BP_MULTIPLE,       /* a row per size, column i: i + 1 messages from one process to as many */
    BP_COPY,           /* a row per process and GPU, column i: 2^i floats */
    BP_PEER,           /* a row per process and two GPUs */
    BP_COPIES,         /* after "NP k": k + 1 processes per GPU, column i: 2^i floats each */
    BP_OLD_COPIES,     /* a row per size, column i: i + 1 processes share it */
    BP_ALL_COPIES,     /* a row per size, column 0: one process */
    BP_MESSAGES,       /* a row per size, column i: 2^i messages of one pair share it */
    BP_COLLECTIVE,     /* one row, column i: 2^i floats */
    BP_OLD_COLLECTIVE, /* a row per size, one column */
    BP_IGNORED         /* known, but not messages: text is the reason */
} bp_shape;

typedef struct bp_section {
    const char *title; /* at the start of a line */
    bp_shape shape;
    ns_sample_kind kind;
    ns_memory memory;
    ns_direction direction;
    bool seconds;     /* else milliseconds */
    const char *text; /* name of a collective, or why the table is ignored */
} bp_section;

typedef struct bp_cell {
    double value; /* as printed; -1: not measured */
    int size;     /* of the row, floats; 0 where given by the column */
    int column;
    int rank[2];
    long line;
} bp_cell;

/* A table is kept until the program that printed it is known. */
typedef struct bp_table {
    bp_section section;
    int rank[2];   /* from the title, if it names them */
    int processes; /* of an "NP" line */
    long line;
    size_t first, cells;
    bool negative; /* a time below zero: the run's clock was faulty */
} bp_table;

/* Known tables that are not about messages. */
typedef struct bp_ignored {
    const char *reason;
    size_t tables;
    long line; /* of the first */
} bp_ignored;
enum { FLOAT = 4, REASONS = 8 };

typedef struct bp_state {
    bp_table *table;
    size_t tables, table_room;
    bp_cell *cell;
    size_t cells, cell_room;
    bool open; /* rows belong to the last table */
    bp_ignored ignored[REASONS];
    int reasons;
} bp_state;

#define EXCHANGE "times of a whole staged exchange with its copies, not of one message"

static const bp_section sections[] = {
    {"Profiling Standard CPU Ping-Pongs:", BP_PAIRS, NS_PING_PONG, NS_HOST, NS_D2H, true, ""},
    {"Profiling GPU Ping-Pongs", BP_DEVICE_PAIRS, NS_PING_PONG, NS_DEVICE, NS_D2H, true, ""},
    {"Timing Max-Rate CPU Ping-Pongs", BP_RATE, NS_NODE_PONG, NS_HOST, NS_D2H, true, ""},
    {"Timing GPU Max-Rate Ping Pongs", BP_RATE, NS_NODE_PONG, NS_DEVICE, NS_D2H, true, ""},
    {"Timing CPU Multiple Messages", BP_MULTIPLE, NS_MULTI_MESSAGE, NS_HOST, NS_D2H, true, ""},
    {"Timing GPU Multiple Messages", BP_MULTIPLE, NS_MULTI_MESSAGE, NS_DEVICE, NS_D2H, true, ""},
    {"Memcpy Host To Device Mult:", BP_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, true, ""},
    {"Memcpy Device To Host Mult:", BP_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, true, ""},
    {"Memcpy Host To Device:", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, true, ""},
    {"Memcpy Device To Host:", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, true, ""},
    {"Memcpy Device to Host:", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, true, ""},
    {"Memcpy Device To Device:", BP_PEER, NS_PEER_COPY, NS_DEVICE, NS_D2H, true, ""},
    {"Cuda-Aware Allreduce:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "allreduce"},
    {"3-Step Allreduce, Extra Message:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "allreduce, 3-step, extra message"},
    {"3-Step Allreduce, Duplicate DevPtr:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "allreduce, 3-step, duplicate pointer"},
    {"3-Step Allreduce:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "allreduce, 3-step"},
    {"Cuda-Aware Alltoall:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "alltoall"},
    {"3-Step Alltoall, Extra Message:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "alltoall, 3-step, extra message"},
    {"3-Step Alltoall, Duplicate DevPtr:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "alltoall, 3-step, duplicate pointer"},
    {"3-Step Alltoall:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "alltoall, 3-step"},
    {"Cuda-Aware Alltoallv:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "alltoallv"},
    {"3-Step Alltoallv, Extra Message:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "alltoallv, 3-step, extra message"},
    {"3-Step Alltoallv, Duplicate DevPtr:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true,
     "alltoallv, 3-step, duplicate pointer"},
    {"3-Step Alltoallv:", BP_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, true, "alltoallv, 3-step"},
    /* older programs: milliseconds */
    {"CPU Ping Pong", BP_OLD_RATE, NS_NODE_PONG, NS_HOST, NS_D2H, false, ""},
    {"CPU PerSocket Ping Pong", BP_IGNORED, NS_NODE_PONG, NS_HOST, NS_D2H, false,
     "how many pairs its columns have on both sockets is not printed"},
    {"GPU Ping Pong", BP_IGNORED, NS_NODE_PONG, NS_DEVICE, NS_D2H, false,
     "how many pairs of GPUs its columns have is not printed"},
    {"GPU 1PerSocket Ping Pong", BP_IGNORED, NS_NODE_PONG, NS_DEVICE, NS_D2H, false,
     "how many pairs of GPUs its columns have is not printed"},
    {"QUEUE: GPU on ", BP_MESSAGES, NS_QUEUE_REVERSED, NS_DEVICE, NS_D2H, false, ""},
    {"Cuda-Aware: GPU on ", BP_MESSAGES, NS_QUEUE_IN_ORDER, NS_DEVICE, NS_D2H, false, ""},
    {"H2D:", BP_OLD_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, false, ""},
    {"D2H:", BP_OLD_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, false, ""},
    {"HostToDevice:", BP_ALL_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, false, ""},
    {"DeviceToHost:", BP_ALL_COPIES, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, false, ""},
    {"GPU Allreduce:", BP_OLD_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, false, "allreduce"},
    {"CPU Allreduce:", BP_OLD_COLLECTIVE, NS_COLLECTIVE, NS_DEVICE, NS_D2H, false, "allreduce, 3-step"},
    {"3Step", BP_IGNORED, NS_STAGED, NS_DEVICE, NS_D2H, false, EXCHANGE},
    {"Three Step", BP_IGNORED, NS_STAGED, NS_DEVICE, NS_D2H, false, EXCHANGE},
    {"Cuda Aware :", BP_IGNORED, NS_STAGED, NS_DEVICE, NS_D2H, true,
     "times of whole exchanges of a sparse operation, not of messages; validate takes those"},
};

/* Rows that name what they measure; those of the older programs have no title and are in milliseconds. */
static const struct {
    const char *pattern;
    bp_section untitled;
    int rank; /* index of the first of two numbers that are ranks; -1: none */
} rows[] = {
    {"CPU % and CPU %:", {"", BP_PAIRS, NS_PING_PONG, NS_HOST, NS_D2H, false, ""}, 0},
    {"Pinned CPU % and CPU %:", {"", BP_PAIRS, NS_PING_PONG, NS_HOST, NS_D2H, false, ""}, 0},
    {"GPU on rank % and GPU on rank %:", {"", BP_DEVICE_PAIRS, NS_PING_PONG, NS_DEVICE, NS_D2H, false, ""}, 0},
    {"GPU on % and GPU on %:", {"", BP_PAIRS, NS_PING_PONG, NS_DEVICE, NS_D2H, false, ""}, 0},
    {"CPU %, GPU % <-> GPU %:", {"", BP_PEER, NS_PEER_COPY, NS_DEVICE, NS_D2H, false, ""}, -1},
    {"CPU %, GPU % to GPU %:", {"", BP_PEER, NS_PEER_COPY, NS_DEVICE, NS_D2H, false, ""}, -1},
    {"CPU %, GPU %:", {"", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, false, ""}, -1},
    {"CPU % to GPU %:", {"", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_H2D, false, ""}, -1},
    {"GPU % to CPU %:", {"", BP_COPY, NS_COPY_SAMPLE, NS_DEVICE, NS_D2H, false, ""}, -1},
    {"GPU % to GPU %:", {"", BP_PEER, NS_PEER_COPY, NS_DEVICE, NS_D2H, false, ""}, -1},
};
enum { SECTIONS = sizeof sections / sizeof *sections, ROWS = sizeof rows / sizeof *rows };

static int detect(const char *text, size_t size)
{
    int number[3];
    for (size_t i = 0; i < SECTIONS; i++)
        if (ns_scan_line(text, size, sections[i].title))
            return strlen(sections[i].title) > 8 ? 90 : 60;
    for (size_t i = 0; i < ROWS; i++)
        for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (ns_scan_match(line, rows[i].pattern, number) != NULL)
                return 85;
        }
    return 0;
}

/* ---- converting tables to samples, once their program is known --------------------------------------------------- */

typedef enum split { SPLIT_NO, SPLIT_YES, SPLIT_UNKNOWN } split;

static int most_columns(const bp_cell *cell, size_t cells)
{
    int most = 0;
    for (size_t i = 0; i < cells; i++)
        most = cell[i].column >= most ? cell[i].column + 1 : most;
    return most;
}

/* time_node_pong divides `Size` floats by the number of processes and stops at one float each, so that the row of size
 * s has min(s, processes) columns; time_maxrate fills every row.  With one column they are the same. */
static split rate_shape(const bp_cell *cell, size_t cells)
{
    const int most = most_columns(cell, cells);
    bool short_row = false;
    for (size_t i = 0; i < cells; i++) {
        const bool last = i + 1 == cells || cell[i + 1].size != cell[i].size;
        if (cell[i].column >= cell[i].size)
            return SPLIT_NO;
        short_row = short_row || (last && cell[i].size < most && cell[i].column + 1 == cell[i].size);
    }
    return most <= 1 ? SPLIT_NO : short_row ? SPLIT_YES : SPLIT_UNKNOWN;
}

static split named(const char *name, const char *whole, const char *part)
{
    return name == NULL                  ? SPLIT_UNKNOWN
           : strstr(name, part) != NULL  ? SPLIT_YES
           : strstr(name, whole) != NULL ? SPLIT_NO
                                         : SPLIT_UNKNOWN;
}

/* Leave a table out: record its title, the reason, and how much it contained. */
static ns_status leave(ns_log_parser *p, const bp_table *table, const char *why, ns_error *err)
{
    return ns_log_leave_out(p, table->line, err, "\"%s\" %s (%zu times)", table->section.title, why, table->cells);
}

static bool is_program(const char *program, const char *name)
{
    return program != NULL && strcmp(program, name) == 0;
}

/* Decide what the rows alone do not show, by --kind, else by the program's name: the kind of GPU ping-pongs, and
 * whether the processes of a table share the size of a row.  *known is false if neither decides it. */
static ns_status decide(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                        ns_sample_kind *kind, bool *shared, bool *known, ns_error *err)
{
    const bp_shape asked = table->section.shape;
    if (asked != BP_DEVICE_PAIRS && asked != BP_RATE && asked != BP_OLD_RATE && asked != BP_MULTIPLE)
        return NS_OK;
    const char *given = ns_log_kind(p);
    *known = false;
    if (asked == BP_DEVICE_PAIRS) {
        const bool staged = given != NULL && strcmp(given, "3step") == 0,
                   aware = given != NULL && strcmp(given, "device-aware") == 0;
        *known = true;
        if (staged || (!aware && program != NULL && strstr(program, "3step") != NULL))
            *kind = NS_STAGED;
        else if (!aware && !is_program(program, "time_ping_pong") && !is_program(program, "time_ping_pong_gpu")) {
            *known = false;
            return leave(p, table, "is printed by a device-aware and by a 3-step program; --kind says which", err);
        }
        return NS_OK;
    }
    if (asked == BP_OLD_RATE) {
        /* time_inj_bw counts pairs 1, 2, 3...; time_node_ping_pong a list of counts that it does not print */
        if (given != NULL ? strcmp(given, "node-pong") == 0 : is_program(program, "time_node_ping_pong"))
            return leave(p, table, "of node_ping_pong: the process counts of its columns are not printed", err);
        *known = given != NULL ? strcmp(given, "maxrate") == 0 : is_program(program, "time_inj_bw");
        return *known ? NS_OK
                      : leave(p, table, "is printed by maxrate (inj_bw) and by node_pong; --kind says which", err);
    }
    const bool rate = asked == BP_RATE;
    const bp_cell *cell = state->cell + table->first;
    /* time_mult_pong_split prints no size below the number of messages; time_mult_pong begins at 1 */
    const int most = most_columns(cell, table->cells);
    const split multiple = most <= 1 || cell->size < most ? SPLIT_NO : cell->size > 1 ? SPLIT_YES : SPLIT_UNKNOWN,
                shape = rate ? rate_shape(cell, table->cells) : multiple,
                said = rate ? named(given, "maxrate", "node-pong") : named(given, "mult-pong", "mult-pong-split"),
                by = rate ? named(program, "maxrate", "node_pong") : named(program, "mult_pong", "mult_pong_split"),
                is = shape != SPLIT_UNKNOWN  ? shape
                     : said != SPLIT_UNKNOWN ? said
                                             : by;
    if (shape != SPLIT_UNKNOWN && said != SPLIT_UNKNOWN && said != shape)
        return ns_fail_at(err, NS_ERR_DATA, p->path, table->line, 0, "kind \"%s\" contradicts the columns of \"%s\"",
                          given, table->section.title);
    *shared = is == SPLIT_YES;
    *known = is != SPLIT_UNKNOWN;
    return *known ? NS_OK
                  : leave(p, table,
                          rate ? "is printed by maxrate and by node_pong; --kind says which"
                               : "is printed by mult_pong and by mult_pong_split; --kind says which",
                          err);
}

static ns_status settle_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                              ns_error *err)
{
    const bp_section *section = &table->section;
    ns_sample_kind kind = section->kind;
    bool shared = false, known = true;
    size_t others = 0;
    if (table->cells == 0)
        return *section->title == '\0' || section->shape == BP_COPIES
                   ? NS_OK
                   : ns_log_leave_out(p, table->line, err, "\"%s\" without a row", section->title);
    if (table->negative)
        return leave(p, table, "holds negative times: the clock of the run was broken", err);
    NS_TRY(decide(p, state, table, program, &kind, &shared, &known, err));
    for (size_t i = 0; i < table->cells && known; i++) {
        const bp_cell *cell = &state->cell[table->first + i];
        const int nth = cell->column + 1;
        const double by_row = (double)FLOAT * cell->size, by_column = ldexp(FLOAT, cell->column);
        bool one_way = true, used = cell->value != -1;
        ns_sample sample = {
            .kind = kind,
            .locality = NS_OFF_NODE,
            .memory = section->memory,
            .memory_stated = true,
            .direction = section->direction,
            .pairs = 1,
            .messages = 1,
            .seconds = section->seconds ? cell->value : cell->value * 1e-3,
            .line = cell->line,
            .rank = {cell->rank[0], cell->rank[1]},
        };
        switch (section->shape) {
        case BP_PAIRS:
        case BP_DEVICE_PAIRS:
            sample.bytes = by_column;
            break;
        case BP_OLD_RATE: /* ranks r and r + 1 */
            sample.rank[0] = 0;
            sample.rank[1] = 1;
            used = true;
            /* fall through */
        case BP_RATE: /* else pairs between two nodes, which is how these programs choose partners */
            sample.locality_stated = section->shape == BP_RATE;
            sample.pairs = nth;
            sample.kind = nth == 1 ? NS_PING_PONG : NS_NODE_PONG;
            sample.bytes = shared ? (double)FLOAT * (cell->size / nth) : by_row;
            break;
        case BP_MULTIPLE:
            sample.locality_stated = true;
            sample.messages = nth;
            sample.bytes = shared ? (double)FLOAT * (cell->size / nth) : by_row;
            break;
        case BP_MESSAGES:
            used = used && cell->column <= 30;
            sample.messages = used ? 1 << cell->column : 1;
            sample.bytes = (double)FLOAT * (cell->size / sample.messages);
            break;
        case BP_COLLECTIVE: /* the number of participating processes is not printed */
        case BP_OLD_COLLECTIVE:
            one_way = false;
            sample.pairs = 0;
            sample.name = section->text;
            sample.bytes = section->shape == BP_COLLECTIVE ? by_column : by_row;
            used = used && (section->shape == BP_COLLECTIVE || cell->column == 0);
            break;
        default: /* copies */
            one_way = false;
            sample.rank[0] = sample.rank[1] = 0;
            sample.pairs = section->shape == BP_OLD_COPIES ? nth : table->processes;
            sample.bytes = section->shape == BP_OLD_COPIES   ? (double)FLOAT * ((cell->size + nth - 1) / nth)
                           : section->shape == BP_ALL_COPIES ? by_row
                                                             : by_column;
            if (section->shape == BP_ALL_COPIES && cell->column > 0) {
                others++;
                used = false;
            }
        }
        if (one_way)
            sample.seconds *= ns_log_one_way(p, 0);
        if (used && sample.bytes > 0)
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return others == 0
               ? NS_OK
               : ns_log_warn(p, table->line, err, "left out: %zu times of processes on several GPUs at once", others);
}

/* Convert the tables so far to samples; program is the name in an "app" line, or NULL. */
static ns_status settle(ns_log_parser *p, bp_state *state, const char *program, ns_error *err)
{
    if (p->unplaced < p->log->samples) /* placement lines come after the tables of their program */
        NS_TRY(ns_place_settle(p, err));
    for (size_t i = 0; i < state->tables; i++)
        NS_TRY(settle_table(p, state, &state->table[i], program, err));
    for (int i = 0; i < state->reasons; i++)
        NS_TRY(ns_log_leave_out(p, state->ignored[i].line, err, "%s (%zu table%s)", state->ignored[i].reason,
                                state->ignored[i].tables, state->ignored[i].tables == 1 ? "" : "s"));
    state->reasons = 0;
    state->tables = state->cells = 0;
    state->open = false;
    return NS_OK;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static ns_status open_table(ns_log_parser *p, bp_state *state, const bp_section *section, ns_error *err)
{
    bp_table *table = ns_log_grown(state->table, state->tables, &state->table_room, sizeof *table);
    if (table == NULL)
        return ns_no_memory(err);
    state->table = table;
    table[state->tables++] = (bp_table){
        .section = *section,
        .line = p->line,
        .first = state->cells,
        .processes = 1,
    };
    state->open = true;
    return NS_OK;
}

static bp_table *last_table(bp_state *state)
{
    return state->open ? &state->table[state->tables - 1] : NULL;
}

/* Read the values of a row; each ends in a tab.  *rest points to the first other text. */
static ns_status values(ns_log_parser *p, bp_state *state, const char *text, const bp_cell *row, const char **rest,
                        ns_error *err)
{
    bp_table *table = last_table(state);
    bp_cell cell = *row;
    assert(table != NULL);
    for (text = ns_scan_blanks(text); *text != '\0'; text = ns_scan_blanks(text)) {
        const char *at = text;
        if (!ns_scan_number(&at, &cell.value))
            break;
        if (*at != '\t') {
            const char *app = strstr(at, "app ");
            *rest = app != NULL ? app : text + strlen(text);
            if (app == NULL && *at != '\0' && cell.column == 0)
                return NS_OK; /* a sentence that begins with a number */
            return ns_log_warn(p, p->line, err, "a time that is cut off after column %d: left out", cell.column);
        }
        if (state->cells >= NS_LOG_SAMPLES_MAX)
            return ns_fail(err, NS_ERR_LIMIT, "more than %d values; split the log", NS_LOG_SAMPLES_MAX);
        bp_cell *room = ns_log_grown(state->cell, state->cells, &state->cell_room, sizeof *room);
        if (room == NULL)
            return ns_no_memory(err);
        state->cell = room;
        room[state->cells++] = cell;
        table->cells++;
        table->negative = table->negative || (cell.value < 0 && cell.value != -1);
        cell.column++;
        text = at;
    }
    *rest = text;
    return NS_OK;
}

/* "CPU 0 and CPU 1:<TAB>...": under a title, or without one. */
static ns_status named_row(ns_log_parser *p, bp_state *state, int kind, const int *number, const char *values_at,
                           const char **rest, ns_error *err)
{
    const bp_section *mine = &rows[kind].untitled;
    bp_table *table = last_table(state);
    bp_section section = *mine;
    bp_cell row = {.line = p->line};
    const char *first = ns_scan_blanks(values_at);
    if (rows[kind].rank >= 0) {
        row.rank[0] = number[0];
        row.rank[1] = number[1];
    }
    bool same = table != NULL && table->section.shape == mine->shape;
    if (ns_scan_end(values_at) && mine->shape == BP_PAIRS && mine->memory == NS_DEVICE) {
        section.shape = BP_MESSAGES; /* a title: rows by size follow */
        section.kind = NS_QUEUE_IN_ORDER;
        same = false;
    } else if (same && table->section.seconds) {
        section = table->section;
    } else if (first[strcspn(first, "eE\t")] == 'e') {
        /* fixed-point numbers are milliseconds, the exponents of the titled programs are seconds: this is ambiguous */
        *rest = values_at + strlen(values_at);
        state->open = false;
        return ns_log_leave_out(p, p->line, err, "a row without the title that says its unit");
    } else {
        same = same && table->section.memory == mine->memory && table->section.direction == mine->direction;
    }
    if (!same) {
        NS_TRY(open_table(p, state, &section, err));
        table = last_table(state);
        memcpy(table->rank, row.rank, sizeof table->rank);
    }
    return values(p, state, values_at, &row, rest, err);
}

/* "Size 8<TAB>", "8<TAB>" or "8:<TAB>" and values, or a line of values only. */
static ns_status sized_row(ns_log_parser *p, bp_state *state, const char *text, const char **rest, ns_error *err)
{
    bp_table *table = last_table(state);
    bp_cell row = {.line = p->line};
    bool alone = table->section.shape == BP_COLLECTIVE || table->section.shape == BP_COPIES;
    const char *at = text;
    *rest = text + strlen(text);
    if (table->section.shape <= BP_DEVICE_PAIRS || table->section.shape == BP_COPY || table->section.shape == BP_PEER)
        return strchr(text, '\t') == NULL
                   ? NS_OK
                   : ns_log_warn(p, p->line, err, "times without the name of their row: left out");
    if (!alone) {
        at += strncmp(at, "Size ", 5) == 0 ? 5 : 0;
        if (!ns_scan_integer(&at, &row.size) || (*at != '\t' && *at != ':') || row.size < 1)
            return NS_OK;
        at += *at == ':';
    }
    memcpy(row.rank, table->rank, sizeof row.rank);
    return values(p, state, at, &row, rest, err);
}

/* Parse one item of a line; *rest points to what follows. */
static ns_status piece(ns_log_parser *p, bp_state *state, char *text, const char **rest, ns_error *err)
{
    int number[3];
    char *app = (char *)(uintptr_t)ns_scan_match(text, "app %: ", number);
    *rest = text + strlen(text);
    if (app != NULL) { /* "app 0: ./time_ping_pong" names the program that printed the preceding tables */
        app[strcspn(app, " \t")] = '\0';
        const char *slash = strrchr(app, '/');
        *rest = app + strlen(app);
        state->open = false;
        return settle(p, state, slash == NULL ? app : slash + 1, err);
    }
    for (int i = 0; i < ROWS; i++) {
        const char *after = ns_scan_match(text, rows[i].pattern, number);
        if (after != NULL)
            return named_row(p, state, i, number, after, rest, err);
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        const bp_section *section = &sections[i];
        if (strncmp(text, section->title, strlen(section->title)) != 0)
            continue;
        if (section->shape == BP_IGNORED) {
            int k = 0;
            while (k < state->reasons && strcmp(state->ignored[k].reason, section->text) != 0)
                k++;
            assert(k < REASONS);
            if (k == state->reasons)
                state->ignored[state->reasons++] = (bp_ignored){.reason = section->text, .line = p->line};
            state->ignored[k].tables++;
            state->open = false;
            return NS_OK;
        }
        NS_TRY(open_table(p, state, section, err));
        const char *pair = section->shape == BP_MESSAGES ? strstr(text, "GPU on ") : NULL;
        bp_table *table = last_table(state);
        assert(table != NULL);
        if (pair != NULL && ns_scan_match(pair, "GPU on % and GPU on %:", number) != NULL)
            memcpy(table->rank, number, sizeof table->rank);
        return NS_OK;
    }
    const bp_table *table = last_table(state);
    if (ns_scan_match(text, "NP %", number) != NULL) { /* "NP 3": a table like the one before, 4 processes per GPU */
        if (table == NULL || (table->section.shape != BP_COPIES && table->section.shape != BP_COPY))
            return NS_OK;
        const bp_section section = table->section;
        if (section.shape == BP_COPY) { /* the title of single copies over a table by processes */
            state->open = false;
            state->tables -= table->cells == 0;
            return ns_log_leave_out(p, p->line, err, "rows by processes under \"%s\", a title of single copies",
                                    section.title);
        }
        NS_TRY(open_table(p, state, &section, err));
        last_table(state)->processes = number[0] + 1;
        return NS_OK;
    }
    if (strncmp(text, "---------", 9) == 0)
        state->open = false;
    if (state->open && ((*text >= '0' && *text <= '9') || *text == '-' || strncmp(text, "Size ", 5) == 0))
        return sized_row(p, state, text, rest, err);
    return NS_OK;
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    bool placed;
    const char *rest = p->text;
    NS_TRY(ns_place_line(p, &placed, err));
    while (!placed && *rest != '\0') {
        char *text = p->text + (rest - p->text);
        NS_TRY(piece(p, state, text, &rest, err));
        if (rest <= text)
            break;
    }
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    bp_state state = {.tables = 0};
    ns_status status = ns_log_each_line(p, one_line, &state, err);
    if (status == NS_OK)
        status = settle(p, &state, NULL, err);
    ns_free(state.table);
    ns_free(state.cell);
    return status;
}

const ns_log_tool ns_log_tool_benchpress = {
    .name = "benchpress",
    .title = "BenchPress",
    .detect = detect,
    .parse = parse,
};
