/* tool_csv.c -- plain CSV, for measurements that none of these tools prints
 *
 *     # comment
 *     bytes,seconds,kind,locality,memory,pairs,messages,name,direction,spread
 *     8,1.7e-06,ping-pong,off-node,host,1,1,,,
 *     4KiB,"3.1 us",...
 *
 * The header names the columns, in any order: bytes, and one of seconds, ms, us (one way) or round_trip_seconds,
 * round_trip_ms, round_trip_us.  The rest is optional: kind (ping-pong), locality, memory, pairs (1), messages (1),
 * name, direction (d2h, h2d; of copies), spread (s).  A unit in a cell overrides that of the header; a blank cell
 * means the default.  Other columns are ignored.
 */
#include "log.h"

#include <math.h>
#include <string.h>

enum {
    BYTES,
    TIME,
    KIND,
    LOCALITY,
    MEMORY,
    PAIRS,
    MESSAGES,
    NAME,
    DIRECTION,
    SPREAD,
    FIELDS,
    COLUMNS_MAX = 64,
    CELL_MAX = 128
};

static const struct {
    const char *name;
    int field, full; /* full: a round trip */
    double unit;
} headers[] = {
    {"bytes", BYTES, 0, 1},
    {"size", BYTES, 0, 1}, /* and other common column names */
    {"size_bytes", BYTES, 0, 1},
    {"message_size", BYTES, 0, 1},
    {"msg_size", BYTES, 0, 1},
    {"latency_us", TIME, 0, 1e-6},
    {"time_us", TIME, 0, 1e-6},
    {"latency_s", TIME, 0, 1},
    {"time_s", TIME, 0, 1},
    {"seconds", TIME, 0, 1},
    {"ms", TIME, 0, 1e-3},
    {"us", TIME, 0, 1e-6},
    {"round_trip_seconds", TIME, 1, 1},
    {"round_trip_ms", TIME, 1, 1e-3},
    {"round_trip_us", TIME, 1, 1e-6},
    {"kind", KIND, 0, 0},
    {"locality", LOCALITY, 0, 0},
    {"memory", MEMORY, 0, 0},
    {"pairs", PAIRS, 0, 0},
    {"messages", MESSAGES, 0, 0},
    {"name", NAME, 0, 0},
    {"direction", DIRECTION, 0, 0},
    {"spread", SPREAD, 0, 1},
};

typedef struct csv_table {
    int field[COLUMNS_MAX]; /* what each column is, -1: ignored */
    int columns, full;
    double unit; /* of the time column */
    size_t tail; /* characters after the last comma of the previous row */
} csv_table;

typedef struct csv_state {
    csv_table table; /* no columns before the header */
    char first[61];  /* the first line that is not a row */
    long line;
} csv_state;

/* The next cell, without its quotes and surrounding blanks; NULL after the last. */
static const char *cell(const char *at, char text[CELL_MAX])
{
    size_t length = 0;
    bool quoted = *(at = ns_scan_blanks(at)) == '"';
    for (at += quoted; *at != '\0' && *at != (quoted ? '"' : ','); at++)
        if (length + 1 < CELL_MAX)
            text[length++] = *at;
    while (!quoted && length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    text[length] = '\0';
    while (*at != '\0' && *at != ',')
        at++;
    return *at == ',' ? at + 1 : NULL;
}

static bool read_header(const char *line, csv_table *table)
{
    char name[CELL_MAX];
    bool found[FIELDS] = {false};
    *table = (csv_table){.unit = 1};
    for (const char *at = line; at != NULL && table->columns < COLUMNS_MAX; table->columns++) {
        at = cell(at, name);
        table->field[table->columns] = -1;
        for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
            if (strcmp(name, headers[i].name) != 0 || found[headers[i].field])
                continue;
            table->field[table->columns] = headers[i].field;
            found[headers[i].field] = true;
            if (headers[i].field == TIME) {
                table->unit = headers[i].unit;
                table->full = headers[i].full;
            }
        }
    }
    return found[BYTES] && found[TIME];
}

static int detect(const char *text, size_t size)
{
    char line[1024];
    csv_table table;
    const char *first = strstr(text, "src,dst,lat(us)");
    (void)size;
    if (first != NULL && (first == text || first[-1] == '\n'))
        return 70;
    for (first = text;
         first != NULL && strchr("#\n\r", *first) != NULL && *first != '\0';) { /* comments, blank lines */
        first = strchr(first, '\n');
        first = first == NULL ? NULL : first + 1;
    }
    if (first == NULL)
        return 0;
    size_t length = strcspn(first, "\r\n");
    if (length >= sizeof line)
        return 0;
    memcpy(line, first, length);
    line[length] = '\0';
    if (read_header(line, &table))
        return 70;
    return strchr(line, ',') != NULL && (strncmp(line, "bytes,", 6) == 0 || strstr(line, ",bytes") != NULL ||
                                         strncmp(line, "size,", 5) == 0 || strstr(line, "latency") != NULL)
               ? 30
               : 0;
}

/* A quantity in the unit of the column, or with one of its own. */
static bool quantity(const char *text, double unit, ns_dim dim, double *value)
{
    ns_quantity parsed;
    const char *at = text;
    if (ns_scan_number(&at, value) && *at == '\0') {
        *value *= unit;
        return true;
    }
    if (ns_quantity_parse(text, &parsed, NULL) != NS_OK || !ns_dim_equal(parsed.dim, dim))
        return false;
    *value = parsed.value;
    return true;
}

static bool whole(const char *text, int least, int *value)
{
    return ns_scan_integer(&text, value) && *text == '\0' && *value >= least;
}

/* Put one cell into the sample; false when it cannot be read. */
static bool take(ns_log_parser *p, const csv_table *table, int field, const char *text, ns_sample *sample)
{
    static const char *const *const words[FIELDS] = {[KIND] = ns_sample_kind_words,
                                                     [LOCALITY] = ns_locality_words,
                                                     [MEMORY] = ns_memory_words,
                                                     [DIRECTION] = ns_direction_words};
    const ns_dim second = {1, 0, 0}, byte = {0, 1, 0};
    int value = 0;
    if (*text == '\0')
        return field != BYTES && field != TIME;
    switch (field) {
    case BYTES:
        return quantity(text, 1, byte, &sample->bytes) && sample->bytes >= 0 && isfinite(sample->bytes);
    case TIME:
        return quantity(text, table->unit, second, &sample->seconds);
    case SPREAD:
        return quantity(text, 1, second, &sample->spread) && sample->spread >= 0 && isfinite(sample->spread);
    case PAIRS:
        return whole(text, 0, &sample->pairs);
    case MESSAGES:
        return whole(text, 1, &sample->messages);
    case NAME:
        return (sample->name = ns_log_keep(p->log, text)) != NULL;
    }
    while (words[field][value] != NULL && strcmp(words[field][value], text) != 0)
        value++;
    if (words[field][value] == NULL)
        return false;
    if (field == KIND) {
        sample->kind = (ns_sample_kind)value;
    } else if (field == LOCALITY) {
        sample->locality = (ns_locality)value;
        sample->locality_stated = true;
    } else if (field == MEMORY) {
        sample->memory = (ns_memory)value;
        sample->memory_stated = true;
    } else {
        sample->direction = (ns_direction)value;
    }
    return true;
}

static ns_status one_line(ns_log_parser *p, void *of, ns_error *err)
{
    csv_state *s = of;
    const char *comma = strrchr(p->text, ',');
    if (ns_scan_end(p->text) || *p->text == '#' || *p->reason != '\0')
        return NS_OK;
    if (s->table.columns == 0) {
        if (comma == NULL || read_header(p->text, &s->table))
            return NS_OK;
        s->table.columns = 0;
        if (strncmp(p->text, "src,dst,lat", 11) == 0)
            return ns_log_leave_out(p, p->line, err,
                                    "one latency and one bandwidth a pair, of message sizes that it does not say");
        if (s->line == 0) {
            (void)snprintf(s->first, sizeof s->first, "%s", p->text);
            s->line = p->line;
        }
        return NS_OK;
    }
    /* a file may end without a newline; then its last cell must be as long as the one above, or it may be truncated */
    const size_t tail = comma == NULL ? 0 : strlen(comma), before = s->table.tail;
    s->table.tail = tail;
    if (!p->whole && (before == 0 || tail < before))
        return ns_log_warn(p, p->line, err, "the last line has no end and may be cut: left out");
    char text[CELL_MAX];
    ns_sample sample = {.kind = NS_PING_PONG, .pairs = 1, .messages = 1};
    int column = 0;
    for (const char *at = p->text; at != NULL && column < s->table.columns; column++) {
        at = cell(at, text);
        int field = s->table.field[column];
        if (field >= 0 && !take(p, &s->table, field, text, &sample))
            return ns_log_warn(p, p->line, err, "column %d, \"%.40s\": row left out", column + 1, text);
    }
    if (column < s->table.columns)
        return ns_log_warn(p, p->line, err, "%d of %d columns: row left out", column, s->table.columns);
    sample.seconds *= ns_log_one_way(p, s->table.full);
    if (sample.kind == NS_PING_PONG && sample.pairs > 1)
        sample.kind = NS_NODE_PONG;
    else if (sample.kind == NS_NODE_PONG && sample.pairs == 1)
        sample.kind = NS_PING_PONG;
    return ns_log_add(p, &sample, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    csv_state s = {.line = 0};
    NS_TRY(ns_log_each_line(p, one_line, &s, err));
    return s.table.columns > 0 || *p->reason != '\0'
               ? NS_OK
               : ns_log_leave_out(p, s.line, err,
                                  "header \"%s\"; wanted bytes and one of seconds, ms, us (one way) or "
                                  "round_trip_seconds, round_trip_ms, round_trip_us",
                                  s.first);
}

const ns_log_tool ns_log_tool_csv = {
    .name = "csv",
    .title = "plain CSV",
    .detect = detect,
    .parse = parse,
};
