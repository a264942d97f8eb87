/* tool_nsmodel.c -- the log of nsmodel-mpi measure
 *
 *     nsmodel-mpi measure 1
 *     job ranks 8 nodes 2 sockets 2
 *     host 0 ranks 4 cores 16 load before 0.12 # n1
 *     # bytes seconds low high batches
 *     table node-pong off-node pairs 4 messages 1
 *     8 1.7e-06 1.6e-06 1.8e-06 20
 *     table collective allreduce processes 8
 *     8 5.1e-06 5e-06 5.3e-06 30
 *     table packing blocks processes 4
 *     65536 2.1e-05 2e-05 2.2e-05 30
 *     end 3 numbers, 0 of them not tight
 *
 * Seconds are one way, for all messages of a pair; for loggp's G they are per byte, for packing per copy while that
 * many processes of each node copy as much.
 */
#include "log.h"

#include <string.h>

typedef struct nsmodel_state {
    ns_sample table;
    bool open, ended;
    size_t rows; /* of the table */
    long line;   /* of the table */
} nsmodel_state;

static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
        return false;
    *at = ns_scan_blanks(*at + length);
    return true;
}

static bool take_one_of(const char **at, const char *const *words, int *index)
{
    for (*index = 0; words[*index] != NULL; ++*index)
        if (take_word(at, words[*index]))
            return true;
    return false;
}

/* "collective allreduce processes 8", "loggp o_s processes 2", "packing blocks processes 4" */
static bool read_named(ns_log_parser *p, const char *at, ns_sample *table)
{
    char name[40];
    const size_t length = strcspn(at, " ");
    int value[1];
    if (length == 0 || length >= sizeof name)
        return false;
    memcpy(name, at, length);
    name[length] = '\0';
    const char *end = ns_scan_match(ns_scan_blanks(at + length), "processes %", value);
    table->pairs = value[0];
    table->locality_stated = table->kind == NS_LOGGP || table->kind == NS_PACKING; /* between two nodes; on each */
    table->locality = table->kind == NS_PACKING ? NS_ON_NODE : NS_OFF_NODE;
    return end != NULL && ns_scan_end(end) && value[0] > 0 && (table->name = ns_log_keep(p->log, name)) != NULL;
}

/* "node-pong off-node pairs 4 messages 1", for device memory followed by "memory device" */
static bool read_paired(const char *at, ns_sample *table)
{
    int locality, value[2];
    if (!take_one_of(&at, ns_locality_words, &locality))
        return false;
    const char *end = ns_scan_match(at, "pairs % messages %", value);
    table->locality = (ns_locality)locality;
    table->locality_stated = true;
    table->pairs = value[0];
    table->messages = value[1];
    const char *device = end != NULL ? ns_scan_match(ns_scan_blanks(end), "memory device", value) : NULL;
    if (device != NULL)
        table->memory = NS_DEVICE;
    end = device != NULL ? device : end;
    return end != NULL && ns_scan_end(end) && value[0] > 0 && value[1] > 0;
}

static ns_status close_table(ns_log_parser *p, nsmodel_state *state, ns_error *err)
{
    if (state->open && state->rows == 0)
        NS_TRY(ns_log_leave_out(p, state->line, err, "a table without rows"));
    state->open = false;
    return NS_OK;
}

static ns_status open_table(ns_log_parser *p, nsmodel_state *state, const char *at, ns_error *err)
{
    int kind = 0;
    NS_TRY(close_table(p, state, err));
    state->table =
        (ns_sample){.memory = NS_HOST, .memory_stated = true, .locality = NS_OFF_NODE, .messages = 1, .name = ""};
    const bool known = take_one_of(&at, ns_sample_kind_words, &kind);
    state->table.kind = (ns_sample_kind)kind;
    const bool named = kind == NS_COLLECTIVE || kind == NS_LOGGP || kind == NS_PACKING;
    if (!known || !(named ? read_named(p, at, &state->table) : read_paired(at, &state->table)))
        return ns_log_leave_out(p, p->line, err, "no table that nsmodel-mpi writes: \"%.60s\"", p->text);
    state->open = true;
    state->rows = 0;
    state->line = p->line;
    return NS_OK;
}

static ns_status line(ns_log_parser *p, void *of, ns_error *err)
{
    enum { SECONDS, LOW, HIGH, BATCHES, NUMBERS };
    nsmodel_state *state = of;
    const char *at = p->text;
    double number[NUMBERS], load;
    int value[3], decimals;
    if (*at == '#' || ns_scan_end(at) || state->ended)
        return NS_OK;
    if (take_word(&at, "table"))
        return open_table(p, state, at, err);
    if (take_word(&at, "end")) {
        state->ended = true;
        return close_table(p, state, err);
    }
    if (strncmp(at, "host ", 5) == 0) {
        /* more processes than cores, or cores that were busy before it began: the times include waiting */
        at = ns_scan_match(at, "host % ranks % cores % load before ", value);
        if (at == NULL || !ns_scan_number(&at, &load))
            return NS_OK;
        if (value[1] > value[2])
            return ns_log_warn(p, p->line, err, "host %d had %d ranks on %d cores: they waited for each other",
                               value[0], value[1], value[2]);
        return load + value[1] > value[2]
                   ? ns_log_warn(p, p->line, err, "host %d had a load of %.2f before %d ranks began on its %d cores",
                                 value[0], load, value[1], value[2])
                   : NS_OK;
    }
    if (*at < '0' || *at > '9' || !state->open)
        return NS_OK;
    ns_sample sample = state->table; /* "8 1.7e-06 1.6e-06 1.8e-06 20" */
    if (!p->whole)
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    if (!ns_scan_size(&at, &sample.bytes) || ns_scan_numbers(&at, number, NUMBERS, &decimals) != NUMBERS ||
        !ns_scan_end(at) || !(number[LOW] <= number[HIGH]))
        return ns_log_warn(p, p->line, err, "a row wants bytes, seconds, low, high and batches: left out");
    state->rows++;
    sample.seconds =
        number[SECONDS] * (state->table.kind == NS_LOGGP || state->table.kind == NS_PACKING ? 1 : ns_log_one_way(p, 0));
    return ns_log_add(p, &sample, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    nsmodel_state state = {.open = false};
    NS_TRY(ns_log_each_line(p, line, &state, err));
    NS_TRY(close_table(p, &state, err));
    return state.ended ? NS_OK
                       : ns_log_warn(p, p->line, err, "no line \"end\": the log was cut, or the job ended early");
}

static const ns_log_mark marks[] = {{"nsmodel-mpi measure ", 95}, {NULL, 0}};

const ns_log_tool ns_log_tool_nsmodel = {
    .name = "nsmodel",
    .title = "nsmodel-mpi measure",
    .marks = marks,
    .parse = parse,
};
