/* tool_benchpress.c -- BenchPress (HeteroBench) output, and the older programs that print milliseconds
 *
 *     Profiling Standard CPU Ping-Pongs:
 *     CPU 0 and CPU 1:<TAB>3.856680e-07<TAB>3.656490e-07<TAB>...
 *
 * Every value is followed by a tab: one that is not was cut off.  Sizes are floats: column i is 4 x 2^i bytes.  Times
 * are half round trips.  A row may run into the next one, into the scheduler's trailer or into a placement line.
 */
#include <assert.h>
#include <string.h>

#include "benchpress.h"
#include "core/memory.h"

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

/* Rows that name what they measure; those of the older programs come without a title, in milliseconds. */
static const struct {
    const char *pattern;
    bp_section untitled;
    int rank; /* which of its numbers are ranks: from this one, two; -1: none */
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

static ns_status add_cell(bp_state *state, const bp_cell *cell, ns_error *err)
{
    bp_table *table = &state->table[state->tables - 1];
    if (state->cells >= NS_LOG_SAMPLES_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d values; split the log", NS_LOG_SAMPLES_MAX);
    bp_cell *room = ns_log_grown(state->cell, state->cells, &state->cell_room, sizeof *room);
    if (room == NULL)
        return ns_no_memory(err);
    state->cell = room;
    room[state->cells++] = *cell;
    table->cells++;
    table->negative = table->negative || (cell->value < 0 && cell->value != -1);
    return NS_OK;
}

/* The values of a row: each ends in a tab.  *rest is where something else begins. */
static ns_status values(ns_log_parser *p, bp_state *state, const char *text, const bp_cell *row, const char **rest,
                        ns_error *err)
{
    bp_cell cell = *row;
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
        NS_TRY(add_cell(state, &cell, err));
        cell.column++;
        text = at;
    }
    *rest = text;
    return NS_OK;
}

static bp_table *last_table(bp_state *state)
{
    return state->open ? &state->table[state->tables - 1] : NULL;
}

/* Fixed-point numbers are milliseconds, the exponents of the titled programs seconds: a row without a title and with
 * exponents could be either. */
static bool has_exponent(const char *text)
{
    text = ns_scan_blanks(text);
    return text[strcspn(text, "eE\t")] == 'e';
}

/* "CPU 0 and CPU 1:<TAB>...": under a title, or by itself. */
static ns_status named_row(ns_log_parser *p, bp_state *state, int kind, const int *number, const char *values_at,
                           const char **rest, ns_error *err)
{
    const bp_section *mine = &rows[kind].untitled;
    bp_table *table = last_table(state);
    bp_section section = *mine;
    bp_cell row = {.line = p->line};
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
    } else if (has_exponent(values_at)) {
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

/* "NP 3": a new table like the one before, for 4 processes a GPU. */
static ns_status process_line(ns_log_parser *p, bp_state *state, int np, ns_error *err)
{
    bp_table *table = last_table(state);
    if (table == NULL || (table->section.shape != BP_COPIES && table->section.shape != BP_COPY))
        return NS_OK;
    bp_section section = table->section;
    if (section.shape == BP_COPY) { /* the title of single copies over a table by processes */
        state->open = false;
        state->tables -= table->cells == 0;
        return ns_log_leave_out(p, p->line, err, "rows by processes under \"%s\", a title of single copies",
                                section.title);
    }
    NS_TRY(open_table(p, state, &section, err));
    last_table(state)->processes = np + 1;
    return NS_OK;
}

static void ignore(bp_state *state, const char *reason, long line)
{
    int i = 0;
    while (i < state->reasons && strcmp(state->ignored[i].reason, reason) != 0)
        i++;
    assert(i < BP_REASONS);
    if (i == state->reasons)
        state->ignored[state->reasons++] = (bp_ignored){.reason = reason, .line = line};
    state->ignored[i].tables++;
    state->open = false;
}

static ns_status titled(ns_log_parser *p, bp_state *state, const bp_section *section, const char *text, ns_error *err)
{
    int number[2];
    const char *pair = section->shape == BP_MESSAGES ? strstr(text, "GPU on ") : NULL;
    if (section->shape == BP_IGNORED) {
        ignore(state, section->text, p->line);
        return NS_OK;
    }
    NS_TRY(open_table(p, state, section, err));
    bp_table *table = last_table(state);
    if (table != NULL && pair != NULL && ns_scan_match(pair, "GPU on % and GPU on %:", number) != NULL)
        memcpy(table->rank, number, sizeof number);
    return NS_OK;
}

/* The program that "app 0: ./time_ping_pong" names, in the line itself. */
static char *program(char *text)
{
    int number[1];
    char *at = (char *)(uintptr_t)ns_scan_match(text, "app %: ", number);
    if (at == NULL)
        return NULL;
    at[strcspn(at, " \t")] = '\0';
    char *slash = strrchr(at, '/');
    return slash == NULL ? at : slash + 1;
}

/* One thing of a line; *rest is what comes after it. */
static ns_status piece(ns_log_parser *p, bp_state *state, char *text, const char **rest, ns_error *err)
{
    int number[3];
    char *app = program(text);
    *rest = text + strlen(text);
    if (app != NULL) {
        *rest = app + strlen(app);
        state->open = false;
        return ns_bp_settle(p, state, app, err);
    }
    for (int i = 0; i < ROWS; i++) {
        const char *after = ns_scan_match(text, rows[i].pattern, number);
        if (after != NULL)
            return named_row(p, state, i, number, after, rest, err);
    }
    for (size_t i = 0; i < SECTIONS; i++)
        if (strncmp(text, sections[i].title, strlen(sections[i].title)) == 0)
            return titled(p, state, &sections[i], text, err);
    if (ns_scan_match(text, "NP %", number) != NULL)
        return process_line(p, state, number[0], err);
    if (strncmp(text, "---------", 9) == 0)
        state->open = false;
    if (state->open && ((*text >= '0' && *text <= '9') || *text == '-' || strncmp(text, "Size ", 5) == 0))
        return sized_row(p, state, text, rest, err);
    return NS_OK;
}

static ns_status one_line(ns_log_parser *p, bp_state *state, ns_error *err)
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

static ns_status all_lines(ns_log_parser *p, bp_state *state, ns_error *err)
{
    for (;;) {
        bool more;
        NS_TRY(ns_log_next(p, &more, err));
        if (!more)
            return ns_bp_settle(p, state, NULL, err);
        NS_TRY(one_line(p, state, err));
    }
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    bp_state state = {.tables = 0};
    ns_status status = all_lines(p, &state, err);
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
