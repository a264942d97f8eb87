/* benchpress_tables.c -- tables of BenchPress output as samples, once it is known which program printed them */
#include <string.h>

#include "benchpress.h"

enum { FLOAT = 4 };
typedef enum split { SPLIT_NO, SPLIT_YES, SPLIT_UNKNOWN } split;

static const bp_cell *cells_of(const bp_state *state, const bp_table *table)
{
    return state->cell + table->first;
}

static int most_columns(const bp_state *state, const bp_table *table)
{
    int most = 0;
    for (size_t i = 0; i < table->cells; i++)
        if (cells_of(state, table)[i].column >= most)
            most = cells_of(state, table)[i].column + 1;
    return most;
}

/* time_node_pong divides `Size` floats by the number of processes and stops at one float each, so that the row of size
 * s has min(s, processes) columns; time_maxrate fills every row.  With one column they are the same. */
static split rate_shape(const bp_state *state, const bp_table *table)
{
    const bp_cell *cell = cells_of(state, table);
    int most = most_columns(state, table);
    bool short_row = false;
    for (size_t i = 0; i < table->cells; i++) {
        bool last = i + 1 == table->cells || cell[i + 1].size != cell[i].size;
        if (cell[i].column >= cell[i].size)
            return SPLIT_NO;
        short_row = short_row || (last && cell[i].size < most && cell[i].column + 1 == cell[i].size);
    }
    return most <= 1 ? SPLIT_NO : short_row ? SPLIT_YES : SPLIT_UNKNOWN;
}

/* time_mult_pong_split prints no size below the number of messages; time_mult_pong begins at 1. */
static split multiple_shape(const bp_state *state, const bp_table *table)
{
    int most = most_columns(state, table), least = table->cells == 0 ? 0 : cells_of(state, table)->size;
    return most <= 1 || least < most ? SPLIT_NO : least > 1 ? SPLIT_YES : SPLIT_UNKNOWN;
}

static split named(const char *name, const char *whole, const char *part)
{
    return name == NULL                  ? SPLIT_UNKNOWN
           : strstr(name, part) != NULL  ? SPLIT_YES
           : strstr(name, whole) != NULL ? SPLIT_NO
                                         : SPLIT_UNKNOWN;
}

/* Leave a table out: its title, why, and how much it held. */
static ns_status leave(ns_log_parser *p, const bp_table *table, const char *why, ns_error *err)
{
    return ns_log_leave_out(p, table->line, err, "\"%s\" %s (%zu times)", table->section.title, why, table->cells);
}

/* Whether the processes of a table share the size of a row: by its shape, then --kind, then the program's name. */
static ns_status decide(ns_log_parser *p, const bp_table *table, split shape, split given, split program, split *is,
                        ns_error *err)
{
    if (shape != SPLIT_UNKNOWN && given != SPLIT_UNKNOWN && given != shape)
        return ns_fail_at(err, NS_ERR_DATA, p->path, table->line, 0, "kind \"%s\" contradicts the columns of \"%s\"",
                          ns_log_kind(p), table->section.title);
    *is = shape != SPLIT_UNKNOWN ? shape : given != SPLIT_UNKNOWN ? given : program;
    if (*is == SPLIT_UNKNOWN)
        return leave(p, table,
                     table->section.shape == BP_RATE
                         ? "is printed by maxrate and by node_pong; --kind says which"
                         : "is printed by mult_pong and by mult_pong_split; --kind says which",
                     err);
    return NS_OK;
}

static ns_sample common(const bp_table *table, const bp_cell *cell)
{
    return (ns_sample){
        .kind = table->section.kind,
        .locality = NS_OFF_NODE,
        .memory = table->section.memory,
        .memory_stated = true,
        .direction = table->section.direction,
        .pairs = 1,
        .messages = 1,
        .seconds = table->section.seconds ? cell->value : cell->value * 1e-3,
        .line = cell->line,
        .rank = {cell->rank[0], cell->rank[1]},
    };
}

/* -1 stands for "not measured". */
static bool measured(const bp_cell *cell)
{
    return cell->value != -1;
}

/* Tables by pairs between two nodes, which is how these programs choose partners. */
static ns_status rate_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                            ns_error *err)
{
    split is;
    NS_TRY(decide(p, table, rate_shape(state, table), named(ns_log_kind(p), "maxrate", "node-pong"),
                  named(program, "maxrate", "node_pong"), &is, err));
    for (size_t i = 0; is != SPLIT_UNKNOWN && i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        sample.pairs = cell->column + 1;
        sample.kind = sample.pairs == 1 ? NS_PING_PONG : NS_NODE_PONG;
        sample.bytes = (double)FLOAT * (is == SPLIT_YES ? cell->size / sample.pairs : cell->size);
        sample.seconds *= ns_log_one_way(p, 0);
        sample.locality_stated = true;
        if (measured(cell))
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

static ns_status multiple_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                                ns_error *err)
{
    split is, given = named(ns_log_kind(p), "mult-pong", "mult-pong-split"),
              by = named(program, "mult_pong", "mult_pong_split");
    NS_TRY(decide(p, table, multiple_shape(state, table), given, by, &is, err));
    for (size_t i = 0; is != SPLIT_UNKNOWN && i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        sample.messages = cell->column + 1;
        sample.bytes = (double)FLOAT * (is == SPLIT_YES ? cell->size / sample.messages : cell->size);
        sample.seconds *= ns_log_one_way(p, 0);
        sample.locality_stated = true;
        if (measured(cell) && sample.bytes > 0)
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

/* The older programs: time_inj_bw counts pairs 1, 2, 3...; time_node_ping_pong a list of counts that it does not
 * print. */
static ns_status old_rate_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                                ns_error *err)
{
    const char *kind = ns_log_kind(p);
    bool node_pong =
        kind != NULL ? strcmp(kind, "node-pong") == 0 : program != NULL && strcmp(program, "time_node_ping_pong") == 0;
    bool rate = kind != NULL ? strcmp(kind, "maxrate") == 0 : program != NULL && strcmp(program, "time_inj_bw") == 0;
    if (node_pong)
        return leave(p, table, "of node_ping_pong: the process counts of its columns are not printed", err);
    if (!rate)
        return leave(p, table, "is printed by maxrate (inj_bw) and by node_pong; --kind says which", err);
    for (size_t i = 0; i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        sample.pairs = cell->column + 1;
        sample.kind = sample.pairs == 1 ? NS_PING_PONG : NS_NODE_PONG;
        sample.bytes = (double)FLOAT * cell->size;
        sample.seconds *= ns_log_one_way(p, 0);
        sample.rank[0] = 0; /* rank r and r + 1 */
        sample.rank[1] = 1;
        NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

/* GPU ping-pongs: the kind, or NS_SAMPLE_KINDS when nothing tells. */
static ns_sample_kind device_kind(const ns_log_parser *p, const char *program)
{
    const char *kind = ns_log_kind(p);
    if (kind != NULL && strcmp(kind, "3step") == 0)
        return NS_STAGED;
    if (kind != NULL && strcmp(kind, "device-aware") == 0)
        return NS_PING_PONG;
    if (program != NULL && strstr(program, "3step") != NULL)
        return NS_STAGED;
    if (program != NULL && (strcmp(program, "time_ping_pong") == 0 || strcmp(program, "time_ping_pong_gpu") == 0))
        return NS_PING_PONG;
    return NS_SAMPLE_KINDS;
}

static ns_status pairs_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                             ns_error *err)
{
    ns_sample_kind kind = table->section.shape == BP_PAIRS ? NS_PING_PONG : device_kind(p, program);
    if (kind == NS_SAMPLE_KINDS)
        return leave(p, table, "is printed by a device-aware and by a 3-step program; --kind says which", err);
    for (size_t i = 0; i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        sample.kind = kind;
        sample.bytes = ns_scan_floats(cell->column);
        sample.seconds *= ns_log_one_way(p, 0);
        if (measured(cell))
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

/* `Size` floats over 2^i messages of one pair. */
static ns_status messages_table(ns_log_parser *p, const bp_state *state, const bp_table *table, ns_error *err)
{
    for (size_t i = 0; i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        if (cell->column > 30 || !measured(cell) || cell->size >> cell->column == 0)
            continue;
        sample.messages = 1 << cell->column;
        sample.bytes = (double)FLOAT * (cell->size >> cell->column);
        sample.seconds *= ns_log_one_way(p, 0);
        NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

static ns_status copy_table(ns_log_parser *p, const bp_state *state, const bp_table *table, ns_error *err)
{
    bp_shape shape = table->section.shape;
    size_t others = 0;
    for (size_t i = 0; i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        int sharing = cell->column + 1;
        sample.rank[0] = sample.rank[1] = 0;
        sample.pairs = shape == BP_OLD_COPIES ? sharing : table->processes;
        sample.bytes = shape == BP_OLD_COPIES   ? (double)FLOAT * ((cell->size + sharing - 1) / sharing)
                       : shape == BP_ALL_COPIES ? (double)FLOAT * cell->size
                                                : ns_scan_floats(cell->column);
        if (shape == BP_ALL_COPIES && cell->column > 0)
            others++;
        else if (measured(cell))
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return others == 0
               ? NS_OK
               : ns_log_warn(p, table->line, err, "left out: %zu times of processes on several GPUs at once", others);
}

/* How many processes took part is not printed. */
static ns_status collective_table(ns_log_parser *p, const bp_state *state, const bp_table *table, ns_error *err)
{
    for (size_t i = 0; i < table->cells; i++) {
        const bp_cell *cell = &cells_of(state, table)[i];
        ns_sample sample = common(table, cell);
        sample.pairs = 0;
        sample.name = table->section.text;
        sample.bytes =
            table->section.shape == BP_COLLECTIVE ? ns_scan_floats(cell->column) : (double)FLOAT * cell->size;
        if (measured(cell) && (table->section.shape == BP_COLLECTIVE || cell->column == 0))
            NS_TRY(ns_log_add(p, &sample, err));
    }
    return NS_OK;
}

static ns_status settle_table(ns_log_parser *p, const bp_state *state, const bp_table *table, const char *program,
                              ns_error *err)
{
    bp_shape shape = table->section.shape;
    if (table->cells == 0)
        return *table->section.title == '\0' || shape == BP_COPIES
                   ? NS_OK
                   : ns_log_leave_out(p, table->line, err, "\"%s\" without a row", table->section.title);
    if (table->negative)
        return leave(p, table, "holds negative times: the clock of the run was broken", err);
    switch (shape) {
    case BP_PAIRS:
    case BP_DEVICE_PAIRS:
        return pairs_table(p, state, table, program, err);
    case BP_RATE:
        return rate_table(p, state, table, program, err);
    case BP_OLD_RATE:
        return old_rate_table(p, state, table, program, err);
    case BP_MULTIPLE:
        return multiple_table(p, state, table, program, err);
    case BP_MESSAGES:
        return messages_table(p, state, table, err);
    case BP_COLLECTIVE:
    case BP_OLD_COLLECTIVE:
        return collective_table(p, state, table, err);
    default:
        return copy_table(p, state, table, err);
    }
}

ns_status ns_bp_settle(ns_log_parser *p, bp_state *state, const char *program, ns_error *err)
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
