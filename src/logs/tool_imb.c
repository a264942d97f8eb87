/* tool_imb.c -- Intel MPI Benchmarks 4.1 to 2021, part MPI-1
 *
 *     # Benchmarking PingPong
 *     # #processes = 2
 *            #bytes #repetitions      t[usec]   Mbytes/sec
 *                 8         1000         1.72         4.64
 *
 * PingPong's t is half a round trip.  Times come from t, never from Mbytes/sec, which changed its mega between
 * versions; Uniband and Biband print no t: theirs come from Msg/sec, over all pairs.  (Biband's rate at large sizes is
 * that of one direction.)
 */
#include "log.h"

#include <string.h>

typedef struct imb_test {
    const char *title;
    ns_sample_kind kind;
    int messages; /* each process sends at once */
    const char *name;
} imb_test;

static const imb_test tests[] = {
    {"PingPong", NS_PING_PONG, 1, ""},
    {"PingPongSpecificSource", NS_PING_PONG, 1, ""},
    {"PingPongAnySource", NS_PING_PONG, 1, ""},
    {"PingPing", NS_BIDIRECTIONAL, 1, "pingping"},
    {"PingPingSpecificSource", NS_BIDIRECTIONAL, 1, "pingping"},
    {"PingPingAnySource", NS_BIDIRECTIONAL, 1, "pingping"},
    {"Sendrecv", NS_BIDIRECTIONAL, 1, "sendrecv"},
    {"Exchange", NS_BIDIRECTIONAL, 2, "exchange"},
    {"Uniband", NS_STREAMING, 1, ""},
    {"Biband", NS_BIDIRECTIONAL, 1, "biband"},
    {"Bcast", NS_COLLECTIVE, 1, "bcast"},
    {"Allreduce", NS_COLLECTIVE, 1, "allreduce"},
    {"Reduce", NS_COLLECTIVE, 1, "reduce"},
    {"Reduce_scatter", NS_COLLECTIVE, 1, "reduce_scatter"},
    {"Reduce_scatter_block", NS_COLLECTIVE, 1, "reduce_scatter_block"},
    {"Allgather", NS_COLLECTIVE, 1, "allgather"},
    {"Allgatherv", NS_COLLECTIVE, 1, "allgatherv"},
    {"Gather", NS_COLLECTIVE, 1, "gather"},
    {"Gatherv", NS_COLLECTIVE, 1, "gatherv"},
    {"Scatter", NS_COLLECTIVE, 1, "scatter"},
    {"Scatterv", NS_COLLECTIVE, 1, "scatterv"},
    {"Alltoall", NS_COLLECTIVE, 1, "alltoall"},
    {"Alltoallv", NS_COLLECTIVE, 1, "alltoallv"},
    {"Barrier", NS_COLLECTIVE, 1, "barrier"},
};

enum { COLUMN_BYTES, COLUMN_TIME, COLUMN_LEAST, COLUMN_MOST, COLUMN_RATE, COLUMNS };
static const char *const column_words[COLUMNS][3] = {
    [COLUMN_BYTES] = {"#bytes"},      [COLUMN_TIME] = {"t[usec]", "t_avg[usec]"},
    [COLUMN_LEAST] = {"t_min[usec]"}, [COLUMN_MOST] = {"t_max[usec]"},
    [COLUMN_RATE] = {"Msg/sec"},
};

typedef struct imb_table {
    const imb_test *test;
    bool open;
    int processes, groups, locality;
    int column[COLUMNS], columns; /* place of each in the row, -1: none */
    double last;
    int decimals; /* of the last number of the row before */
    size_t rows;
    long line;
} imb_table;

static int detect(const char *text, size_t size)
{
    return ns_scan_line(text, size, "# Benchmarking ")                     ? 90
           : ns_scan_line(text, size, "#    Intel(R) MPI Benchmark Suite") ? 80
           : ns_scan_line(text, size, "#    Intel(R) MPI Benchmarks")      ? 80
                                                                           : 0;
}

static ns_status close_table(ns_log_parser *p, imb_table *t, ns_error *err)
{
    bool empty = t->open && t->rows == 0;
    t->open = false;
    return empty ? ns_log_leave_out(p, t->line, err, "a table without rows") : NS_OK;
}

static ns_status title_line(ns_log_parser *p, imb_table *t, const char *title, ns_error *err)
{
    size_t length = strcspn(title, " \t");
    NS_TRY(close_table(p, t, err));
    *t = (imb_table){.groups = 1, .line = p->line, .locality = t->locality};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strlen(tests[i].title) == length && memcmp(tests[i].title, title, length) == 0)
            t->test = &tests[i];
    if (t->test == NULL)
        return ns_log_leave_out(p, p->line, err, "benchmark \"%.*s\"", (int)length, title);
    return NS_OK;
}

static void comment_line(imb_table *t, const char *text)
{
    int number[2], locality = ns_words_locality(text);
    if (locality >= 0)
        t->locality = locality;
    if (ns_scan_match(text, "# #processes = %", number) != NULL)
        t->processes = number[0];
    else if (ns_scan_match(text, "# ( % groups of % processes", number) != NULL && number[0] > 0) {
        t->groups = number[0];
        t->processes = number[1];
    }
}

/* "#bytes #repetitions t[usec] ...": where each column is. */
static void header_line(const ns_log_parser *p, imb_table *t, const char *text)
{
    for (int c = 0; c < COLUMNS; c++)
        t->column[c] = -1;
    t->columns = 0;
    for (const char *at = ns_scan_blanks(text); *at != '\0'; at = ns_scan_blanks(at)) {
        size_t length = strcspn(at, " \t");
        for (int c = 0; c < COLUMNS; c++)
            for (int w = 0; w < 3 && column_words[c][w] != NULL; w++)
                if (strlen(column_words[c][w]) == length && memcmp(at, column_words[c][w], length) == 0)
                    t->column[c] = t->columns;
        t->columns++;
        at += length;
    }
    t->open = t->test != NULL && (t->column[COLUMN_TIME] >= 0 || t->column[COLUMN_RATE] >= 0);
    t->last = -1;
    t->line = p->line;
}

static double at_column(const imb_table *t, const double *number, int column, double otherwise)
{
    return t->column[column] >= 0 ? number[t->column[column]] : otherwise;
}

static ns_status add_row(ns_log_parser *p, imb_table *t, const double *number, double bytes, ns_error *err)
{
    ns_sample_kind kind = t->test->kind;
    int pairs = kind == NS_COLLECTIVE ? t->processes : t->groups * (t->processes / 2);
    double time = at_column(t, number, COLUMN_TIME, 0) * 1e-6;
    if (kind == NS_PING_PONG)
        time *= ns_log_one_way(p, 0);
    if (kind == NS_PING_PONG && pairs > 1)
        kind = NS_NODE_PONG;
    if (t->column[COLUMN_TIME] < 0) {
        time = pairs / number[t->column[COLUMN_RATE]];
        if (kind == NS_STREAMING && pairs > 1)
            kind = NS_MESSAGE_RATE;
    }
    ns_sample sample = {
        .kind = kind,
        .locality = t->locality >= 0 ? (ns_locality)t->locality : NS_OFF_NODE,
        .locality_stated = t->locality >= 0,
        .memory = NS_HOST,
        .memory_stated = true,
        .pairs = pairs,
        .messages = t->test->messages,
        .bytes = bytes,
        .seconds = time,
        .spread = (at_column(t, number, COLUMN_MOST, 0) - at_column(t, number, COLUMN_LEAST, 0)) * 1e-6,
        .name = t->test->name,
    };
    t->last = bytes;
    t->rows++;
    return ns_log_add(p, &sample, err);
}

static ns_status row_line(ns_log_parser *p, imb_table *t, const char *text, ns_error *err)
{
    double number[16];
    int count = 0, decimals = -1;
    const char *at = ns_scan_blanks(text);
    for (const char *from = at; count < 16 && ns_scan_number(&at, &number[count]); from = at = ns_scan_blanks(at)) {
        if (*at != ' ' && *at != '\t' && *at != '\0')
            return NS_OK;
        decimals = ns_scan_decimals(from, at);
        count++;
    }
    double bytes = t->column[COLUMN_BYTES] < 0 || count == 0 ? 0 : number[t->column[COLUMN_BYTES]];
    if (!p->whole && count > 0 && (count != t->columns || decimals != t->decimals))
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    if (count != t->columns || !ns_scan_end(at) || !(bytes > t->last))
        return NS_OK;
    t->decimals = decimals;
    return add_row(p, t, number, bytes, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    imb_table t = {.groups = 1, .locality = -1};
    for (;;) {
        bool more;
        NS_TRY(ns_log_next(p, &more, err));
        if (!more)
            return close_table(p, &t, err);
        const char *text = ns_scan_label(p->text), *start = ns_scan_blanks(text);
        if (strncmp(text, "# Benchmarking ", 15) == 0)
            NS_TRY(title_line(p, &t, text + 15, err));
        else if (strstr(start, "#repetitions") != NULL)
            header_line(p, &t, start);
        else if (*start == '#' || !t.open)
            comment_line(&t, start);
        else
            NS_TRY(row_line(p, &t, start, err));
    }
}

const ns_log_tool ns_log_tool_imb = {
    .name = "imb",
    .title = "Intel MPI Benchmarks",
    .detect = detect,
    .parse = parse,
};
