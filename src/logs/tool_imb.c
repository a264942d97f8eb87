/* tool_imb.c -- Intel MPI Benchmarks 4.1 to 2021, part MPI-1
 *
 *     # Benchmarking PingPong
 *     # #processes = 2
 *            #bytes #repetitions      t[usec]   Mbytes/sec
 *                 8         1000         1.72         4.64
 *
 * PingPong's t is half a round trip.  Times come from t, never from Mbytes/sec, whose "mega" differs between
 * versions.  Uniband and Biband print no t: their times come from Msg/sec, over all pairs and, in Biband, both
 * directions.
 *
 * A benchmark of pairs runs on 2, 4, 8... of the job's processes before it runs on all.  The first few may share a
 * node, and their rate is then that of memory: such tables are used only where the placement is known.
 */
#include "log.h"

#include <string.h>

typedef struct imb_test {
    const char *title;
    ns_sample_kind kind;
    int messages; /* each process sends at once */
    const char *name;
} imb_test;

/* Samples of a table that used only part of the job's processes. */
typedef struct imb_part {
    const imb_test *test;
    size_t first, after;
    int processes, of; /* of this many in the job */
    long line;
} imb_part;

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

enum { PARTS = 64 };
enum { COLUMN_BYTES, COLUMN_TIME, COLUMN_LEAST, COLUMN_MOST, COLUMN_RATE, COLUMNS };
static const char *const column_words[COLUMNS][3] = {
    [COLUMN_BYTES] = {"#bytes"},      [COLUMN_TIME] = {"t[usec]", "t_avg[usec]"},
    [COLUMN_LEAST] = {"t_min[usec]"}, [COLUMN_MOST] = {"t_max[usec]"},
    [COLUMN_RATE] = {"Msg/sec"},
};

typedef struct imb_table {
    const imb_test *test;
    bool open;
    int processes, groups, waiting; /* waiting: processes of the job that do not take part */
    int rank[2];                    /* of the first group, if the table names them */
    int column[COLUMNS], columns;   /* position of each in the row, -1: none */
    double last;
    int decimals;       /* of the last number of the previous row */
    size_t first, rows; /* first: its first sample */
    size_t strays;      /* rows whose size does not rise */
    long line, stray_line;
} imb_table;

/* The state of reading a file. */
typedef struct imb_state {
    imb_table table;
    int locality;
    imb_part part[PARTS]; /* tables that used part of the processes; tables beyond PARTS are kept as they are */
    int parts;
    bool whole[sizeof tests / sizeof *tests]; /* for each test: it also ran on all processes */
} imb_state;

static ns_status close_table(ns_log_parser *p, imb_state *s, ns_error *err)
{
    imb_table *t = &s->table;
    bool open = t->open;
    t->open = false;
    if (open && t->strays > 0)
        NS_TRY(ns_log_warn(p, t->stray_line, err, "%zu rows whose size does not rise: left out", t->strays));
    if (open && t->rows == 0)
        return ns_log_leave_out(p, t->line, err, "a table without rows");
    if (!open || t->test->kind == NS_COLLECTIVE)
        return NS_OK;
    if (t->waiting == 0)
        s->whole[t->test - tests] = true;
    else if (s->parts < PARTS && p->log->samples > t->first)
        s->part[s->parts++] =
            (imb_part){t->test, t->first, p->log->samples, t->processes, t->processes + t->waiting, t->line};
    return NS_OK;
}

/* A benchmark on part of the processes counts only where none ran on all of them.  Go from the last to the first, so
 * that the positions of the earlier ones stay valid. */
static ns_status settle_parts(ns_log_parser *p, const imb_state *s, ns_error *err)
{
    ns_sample *sample = p->log->sample;
    size_t removed = 0;
    long line = 0;
    if (p->options->per_node > 0 || ns_log_said_locality(p->options, p->file) >= 0)
        return NS_OK;
    for (int i = s->parts; i-- > 0;) {
        const imb_part *part = &s->part[i];
        if (s->whole[part->test - tests]) {
            removed += part->after - part->first;
            line = part->line;
            memmove(sample + part->first, sample + part->after, (p->log->samples - part->after) * sizeof *sample);
            p->log->samples -= part->after - part->first;
            continue;
        }
        /* two of a job's many processes are ranks 0 and 1, which launchers put on one node by default */
        bool placed = false;
        for (size_t k = part->first; k < part->after && part->processes == 2; k++) {
            if (sample[k].locality_stated)
                continue;
            placed = sample[k].locality_stated = true;
            sample[k].locality = NS_ON_NODE;
        }
        if (placed)
            NS_TRY(ns_log_warn(p, part->line, err,
                               "the first two of %d processes, which share a node unless they were placed in turn: "
                               "taken as on-node; --locality says otherwise",
                               part->of));
    }
    return removed == 0 ? NS_OK
                        : ns_log_leave_out(p, line, err,
                                           "%zu times of tables on a part of the processes, which may share a node; "
                                           "--per-node or --locality says",
                                           removed);
}

static ns_status title_line(ns_log_parser *p, imb_state *s, const char *title, ns_error *err)
{
    title += strncmp(title, "Multi-", 6) == 0 ? 6 : 0; /* in groups, whose number a comment gives */
    size_t length = strcspn(title, " \t");
    NS_TRY(close_table(p, s, err));
    s->table = (imb_table){.groups = 1, .line = p->line};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strlen(tests[i].title) == length && memcmp(tests[i].title, title, length) == 0)
            s->table.test = &tests[i];
    if (s->table.test == NULL)
        return ns_log_leave_out(p, p->line, err, "benchmark \"%.*s\"", (int)length, title);
    return NS_OK;
}

static void comment_line(imb_state *s, const char *text)
{
    imb_table *t = &s->table;
    int number[2], locality = ns_words_locality(text);
    if (locality >= 0)
        s->locality = locality;
    if (ns_scan_match(text, "# #processes = %", number) != NULL) {
        t->processes = number[0];
    } else if (ns_scan_match(text, "# ( % groups of % processes", number) != NULL && number[0] > 0) {
        t->groups = number[0];
        t->processes = number[1];
    } else if (ns_scan_match(text, "# ( % additional processes waiting", number) != NULL) {
        t->waiting = number[0];
    } else if (strncmp(text, "# Group ", 8) == 0 && ns_scan_match(ns_scan_blanks(text + 8), "0:", number) != NULL) {
        text = ns_scan_blanks(text + 8) + 2; /* "# Group 0: 0 3": the ranks of its first pair */
        for (int i = 0; i < 2; i++) {
            text = ns_scan_blanks(text);
            if (!ns_scan_integer(&text, &t->rank[i]))
                t->rank[1] = t->rank[0];
        }
    }
}

/* "#bytes #repetitions t[usec] ...": find the position of each column. */
static ns_status header_line(ns_log_parser *p, imb_table *t, const char *text, ns_error *err)
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
    t->last = t->decimals = -1;
    t->line = p->line;
    t->first = p->log->samples;
    t->open = t->test != NULL && (t->column[COLUMN_TIME] >= 0 || t->column[COLUMN_RATE] >= 0);
    if (t->open || t->test == NULL)
        return NS_OK;
    return ns_log_leave_out(p, p->line, err, "columns \"%.60s\"; wanted t[usec], t_avg[usec] or Msg/sec", text);
}

static double at_column(const imb_table *t, const double *number, int column, double otherwise)
{
    return t->column[column] >= 0 ? number[t->column[column]] : otherwise;
}

/* Seconds of one row, and the kind of its sample. */
static double seconds(const ns_log_parser *p, const imb_table *t, const double *number, int pairs, ns_sample_kind *kind)
{
    *kind = t->test->kind;
    if (t->column[COLUMN_TIME] < 0) {
        int ways = *kind == NS_BIDIRECTIONAL ? 2 : 1;
        if (*kind == NS_STREAMING && pairs > 1)
            *kind = NS_MESSAGE_RATE;
        return ways * pairs / number[t->column[COLUMN_RATE]];
    }
    double time = number[t->column[COLUMN_TIME]] * 1e-6;
    if (*kind != NS_PING_PONG)
        return time;
    if (pairs > 1)
        *kind = NS_NODE_PONG;
    return time * ns_log_one_way(p, 0);
}

static ns_status row_line(ns_log_parser *p, imb_state *s, const char *text, ns_error *err)
{
    double number[16];
    int decimals = -1;
    imb_table *t = &s->table;
    const int count = ns_scan_numbers(&text, number, 16, &decimals);
    const double bytes = t->column[COLUMN_BYTES] < 0 || count <= 0 ? 0 : number[t->column[COLUMN_BYTES]];
    if (!p->whole && count > 0 && (count != t->columns || decimals < 0 || decimals != t->decimals))
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    if (count != t->columns || !ns_scan_end(text))
        return NS_OK;
    if (!(bytes > t->last) || bytes < 0) {
        t->stray_line = t->strays++ == 0 ? p->line : t->stray_line;
        return NS_OK;
    }
    const bool collective = t->test->kind == NS_COLLECTIVE;
    const long long at_once = (long long)t->groups * (t->processes / 2);
    const int pairs = collective ? t->processes : at_once <= 1 << 24 ? (int)at_once : 0;
    ns_sample sample = {
        .locality = s->locality >= 0 ? (ns_locality)s->locality : NS_OFF_NODE,
        .locality_stated = s->locality >= 0,
        .memory = NS_HOST,
        .memory_stated = true,
        .pairs = pairs,
        .messages = t->test->messages,
        .bytes = bytes,
        .spread = (at_column(t, number, COLUMN_MOST, 0) - at_column(t, number, COLUMN_LEAST, 0)) * 1e-6,
        .name = t->test->name,
        .rank = {t->rank[0], t->rank[1]},
    };
    if (!collective &&
        t->groups <= 1) /* the first pair: 0 and n / 2 of n processes in Uniband and Biband, or 0 and 1 */
        sample.rank[1] = t->column[COLUMN_TIME] < 0 ? t->processes / 2 : t->processes == 2 ? 1 : 0;
    sample.seconds = seconds(p, t, number, pairs, &sample.kind);
    t->decimals = decimals;
    t->last = bytes;
    t->rows++;
    return ns_log_add(p, &sample, err);
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    imb_state *s = state;
    const char *text = ns_scan_label(p->text), *start = ns_scan_blanks(text);
    if (strncmp(text, "# Benchmarking ", 15) == 0)
        return title_line(p, s, text + 15, err);
    if (strstr(start, "#repetitions") != NULL)
        return header_line(p, &s->table, start, err);
    if (s->table.open && *start != '#')
        return row_line(p, s, start, err);
    comment_line(s, start);
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    imb_state s = {.table = {.groups = 1}, .locality = -1};
    NS_TRY(ns_log_each_line(p, one_line, &s, err));
    NS_TRY(close_table(p, &s, err));
    return settle_parts(p, &s, err);
}

static const ns_log_mark marks[] = {
    {"# Benchmarking ", 90},
    {"#    Intel(R) MPI Benchmark Suite", 80},
    {"#    Intel(R) MPI Benchmarks", 80},
    {NULL, 0}};

const ns_log_tool ns_log_tool_imb = {
    .name = "imb",
    .title = "Intel MPI Benchmarks",
    .marks = marks,
    .parse = parse,
};
