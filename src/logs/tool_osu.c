/* tool_osu.c -- OSU Micro-Benchmarks 5.x to 7.x: any number of tables in a file, with any text between them
 *
 *     # OSU MPI-CUDA Latency Test v7.5
 *     # Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)
 *     # Size          Latency (us)
 *     8                       3.07
 *
 * latency is half a round trip.  Bandwidths are MB/s of 1e6 B over all pairs, bibw over both directions.  "-CUDA" alone
 * says how the benchmark was built: the buffers are on the device when a "Send Buffer" line or the command line ("D D",
 * "-d cuda") says so.
 */
#include "log.h"

#include <string.h>

typedef struct osu_test {
    const char *title; /* between "# OSU MPI... " and " Test" */
    ns_sample_kind kind;
    const char *name;
} osu_test;

static const osu_test tests[] = {
    {"Latency", NS_PING_PONG, ""},
    {"Multi Latency", NS_NODE_PONG, ""},
    {"Multi-threaded Latency", NS_NODE_PONG, ""},
    {"Multi-process Latency", NS_NODE_PONG, ""},
    {"Bandwidth", NS_STREAMING, ""},
    {"Bi-Directional Bandwidth", NS_BIDIRECTIONAL, ""},
    {"Multiple Bandwidth / Message Rate", NS_MESSAGE_RATE, ""},
    {"All-to-All Personalized Exchange Latency", NS_COLLECTIVE, "alltoall"},
    {"All-to-Allv Personalized Exchange Latency", NS_COLLECTIVE, "alltoallv"},
    {"Broadcast Latency", NS_COLLECTIVE, "bcast"},
};

/* What a table needs to know while its rows come. */
typedef struct osu_table {
    ns_sample_kind kind;
    const char *name;
    bool open, sizes, rate; /* rows are expected; they begin with a size; the times are bandwidths */
    bool accelerated, memory_known;
    ns_memory memory;
    bool mixed; /* one buffer on the host, the other on the device */
    int pairs, window;
    int time, columns; /* which number of the row is the time, of how many; 0: the one after the size */
    double last;       /* size of the row before */
    int decimals;      /* of the row before */
    size_t rows;
    long line;
    int processes;      /* of the job, where a line says so; 0 unknown */
    int locality;       /* of the job, -1 unknown */
    int command_memory; /* by the last command line; -1 unknown, 2 mixed */
} osu_table;

static int detect(const char *text, size_t size)
{
    return ns_scan_line(text, size, "# OSU ") ? 90 : 0;
}

/* "Allgather Latency" -> "allgather"; "Non-blocking Allgather Latency" -> "iallgather"; "MPI_Put Latency" -> "put". */
static const char *short_name(ns_log_parser *p, const char *title, size_t length)
{
    char name[64];
    size_t n = 0;
    if (strncmp(title, "MPI_", 4) == 0) {
        title += 4;
        length -= 4;
    }
    if (strncmp(title, "Non-", 4) == 0 && length > 13) {
        name[n++] = 'i';
        title += 13;
        length -= 13;
    }
    for (size_t i = 0; i < length && n + 1 < sizeof name; i++) {
        if (strncmp(title + i, " Lat", 4) == 0 || strncmp(title + i, " lat", 4) == 0 ||
            strncmp(title + i, " Band", 5) == 0)
            break;
        name[n++] = (char)(title[i] >= 'A' && title[i] <= 'Z' ? title[i] + 32 : title[i]);
    }
    (void)snprintf(name + n, sizeof name - n, "%s", strstr(title, "andwidth Test") != NULL ? " bandwidth" : "");
    return ns_log_keep(p, name);
}

static ns_status name_table(ns_log_parser *p, osu_table *t, const char *title, size_t length, ns_error *err)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strlen(tests[i].title) == length && memcmp(tests[i].title, title, length) == 0) {
            t->kind = tests[i].kind;
            t->name = tests[i].name;
            return NS_OK;
        }
    t->kind = strncmp(title, "MPI_", 4) == 0 ? NS_ONE_SIDED : NS_COLLECTIVE;
    t->name = short_name(p, title, length);
    return t->name != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
}

static ns_status close_table(ns_log_parser *p, osu_table *t, ns_error *err)
{
    bool empty = t->open && t->rows == 0, single = t->open && t->sizes && t->rows == 1 && t->kind == NS_PING_PONG;
    t->open = false;
    if (empty)
        return ns_log_leave_out(p, t->line, err, "a table without rows");
    return single ? ns_log_warn(p, t->line, err, "a table of a single size") : NS_OK;
}

/* A title line: the table begins when its columns are named. */
static ns_status title_line(ns_log_parser *p, osu_table *t, const char *text, ns_error *err)
{
    bool one_sided = strncmp(text + 6, "MPI_", 4) == 0;
    const char *title = one_sided ? text + 5 : strchr(text + 6, ' '), *end = strstr(text, " Test");
    NS_TRY(close_table(p, t, err));
    *t = (osu_table){.pairs = 1,
                     .window = 1,
                     .line = p->line,
                     .processes = t->processes,
                     .locality = t->locality,
                     .command_memory = t->command_memory};
    if (title == NULL || end == NULL || end <= title)
        return NS_OK;
    t->accelerated = title > text + 9; /* "# OSU MPI-CUDA " */
    t->memory_known = !t->accelerated;
    return name_table(p, t, title + 1, (size_t)(end - title - 1), err);
}

static bool has_columns(const char *text)
{
    return strstr(text, "(us)") != NULL || strstr(text, "MB/s") != NULL;
}

/* "# Size  Overall(us)  Compute(us)  Pure Comm.(us) ..." */
static void columns_line(const ns_log_parser *p, osu_table *t, const char *text)
{
    if (t->name == NULL)
        return;
    t->open = true;
    t->sizes = strstr(text, "Size") != NULL;
    t->rate = strstr(text, "MB/s") != NULL;
    t->time = strstr(text, "Overall(us)") != NULL ? 2 : 0;
    t->last = -1;
    t->line = p->line;
    if (t->accelerated && !t->memory_known && t->command_memory >= 0) {
        t->memory_known = true;
        t->mixed = t->command_memory == 2;
        t->memory = t->command_memory == 1 ? NS_DEVICE : NS_HOST;
    }
}

static void comment_line(const ns_log_parser *p, osu_table *t, const char *text)
{
    int number[2];
    if (strstr(text, "Send Buffer on ") != NULL) {
        bool send = strstr(text, "Send Buffer on DEVICE") != NULL || strstr(text, "Send Buffer on MANAGED") != NULL;
        bool receive =
            strstr(text, "Receive Buffer on DEVICE") != NULL || strstr(text, "Receive Buffer on MANAGED") != NULL;
        t->memory_known = true;
        t->mixed = send != receive;
        t->memory = send ? NS_DEVICE : NS_HOST;
    } else if (ns_scan_match(text, "# [ pairs: % ] [ window size: % ]", number) != NULL) {
        t->pairs = number[0];
        t->window = number[1];
    } else if (has_columns(text) && !t->open) {
        columns_line(p, t, text);
    }
}

/* Seconds one way from the numbers of a row. */
static double seconds(const osu_table *t, const double *number, int count, double bytes)
{
    double value = number[t->time];
    if (!t->rate)
        return value * 1e-6;
    if (t->kind == NS_MESSAGE_RATE && count > 1)
        return t->window * t->pairs / number[1]; /* messages per second have more digits than MB/s */
    return (t->kind == NS_BIDIRECTIONAL ? 2 : 1) * bytes * t->window * t->pairs / (value * 1e6);
}

static ns_status add_row(ns_log_parser *p, osu_table *t, const double *number, int count, double bytes, ns_error *err)
{
    bool collective = t->kind == NS_COLLECTIVE, many = t->kind == NS_NODE_PONG;
    ns_sample sample = {
        .kind = t->kind,
        .locality = t->locality >= 0 ? (ns_locality)t->locality : NS_OFF_NODE,
        .locality_stated = t->locality >= 0,
        .memory = t->memory,
        .memory_stated = t->memory_known,
        .pairs = collective ? t->processes
                 : many     ? t->processes / 2
                            : t->pairs,
        .messages = t->window,
        .bytes = bytes,
        .seconds = seconds(t, number, count, bytes),
        .name = t->name,
    };
    if (t->kind == NS_PING_PONG || many)
        sample.seconds *= ns_log_one_way(p, 0);
    t->last = bytes;
    t->rows++;
    return t->mixed ? NS_OK : ns_log_add(p, &sample, err);
}

/* A row of numbers, with "Pass" or "Fail" in 7.x; anything else is text between tables. */
static ns_status row_line(ns_log_parser *p, osu_table *t, const char *text, ns_error *err)
{
    double number[16], bytes = 0;
    int count = 0, decimals = -1;
    const char *at = ns_scan_blanks(text);
    if (t->sizes && (!ns_scan_size(&at, &bytes) || (*at != ' ' && *at != '\t')))
        return NS_OK;
    at = ns_scan_blanks(at);
    for (const char *from = at; count < 16 && ns_scan_number(&at, &number[count]); from = at = ns_scan_blanks(at)) {
        if (*at != ' ' && *at != '\t' && *at != '\0')
            return NS_OK;
        decimals = ns_scan_decimals(from, at);
        count++;
    }
    bool pass = strncmp(at, "Pass", 4) == 0, fail = strncmp(at, "Fail", 4) == 0;
    if (count <= t->time || (!pass && !fail && *at != '\0') || (t->sizes && bytes <= t->last) ||
        (!t->sizes && t->rows > 0))
        return NS_OK;
    if (fail)
        return ns_log_warn(p, p->line, err, "a row whose validation failed: left out");
    if (!p->whole && !pass && decimals != t->decimals)
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    t->decimals = decimals;
    return add_row(p, t, number, count, bytes, err);
}

/* ---- text around tables --------------------------------------------------------------------------------------------
 */

static bool flag_number(const char *text, const char *flag, int *value)
{
    const char *at = strstr(text, flag);
    if (at == NULL || (at != text && at[-1] != ' '))
        return false;
    at += strlen(flag);
    at += *at == '=' || *at == ' ';
    return ns_scan_integer(&at, value);
}

/* "srun -N1 -n2 ... osu_bw D D": nodes, tasks and buffers. */
static void command_line(osu_table *t, const char *text)
{
    int nodes = 0, tasks = 0, each = 0;
    bool many = strstr(text, "/collective/") != NULL;
    t->command_memory = strstr(text, " D D") || strstr(text, "-d cuda") || strstr(text, "-d rocm") ? 1
                        : strstr(text, " H H")                                                     ? 0
                        : strstr(text, " D H") || strstr(text, " H D")                             ? 2
                                                                                                   : -1;
    if (!flag_number(text, "-N", &nodes))
        (void)flag_number(text, "--nodes", &nodes);
    if (!flag_number(text, "-n", &tasks))
        (void)flag_number(text, "--ntasks", &tasks);
    if (flag_number(text, "--ntasks-per-node", &each) && nodes > 0 && nodes <= 1 << 20 && each <= 1024)
        tasks = nodes * each;
    t->locality = many || nodes == 0 ? -1 : nodes == 1 ? NS_ON_NODE : tasks <= nodes ? NS_OFF_NODE : -1;
    t->processes = tasks > 0 ? tasks : nodes;
}

/* "... experiments for nodes a b": two names. */
static void nodes_line(osu_table *t, const char *at)
{
    size_t first = strcspn(at, " "), second;
    if (at[first] == '\0')
        return;
    second = strcspn(at + first + 1, " ");
    t->locality = first == second && memcmp(at, at + first + 1, first) == 0 ? NS_ON_NODE : NS_OFF_NODE;
}

static void text_line(osu_table *t, const char *text)
{
    static const char *const counts[] = {"number of process: %", "number of processes: %", "nprocs: %",
                                         "This is a test with % processes"};
    const char *nodes = strstr(text, " for nodes ");
    int number[2], locality = ns_words_locality(text);
    if (strstr(text, "osu_") != NULL && (strstr(text, "srun") != NULL || strstr(text, "mpirun") != NULL ||
                                         strstr(text, "mpiexec") != NULL || strstr(text, "flux run") != NULL))
        command_line(t, text);
    if (locality >= 0)
        t->locality = locality;
    if (nodes != NULL && strncmp(text, "Point-to-point", 14) == 0)
        nodes_line(t, nodes + strlen(" for nodes "));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (ns_scan_match(text, counts[i], number) != NULL)
            t->processes = number[0];
}

/* Flux writes, after the tables, on which nodes its tasks ran: "map":[[first, nodes, tasks a node, repeats]].  Two
 * tasks on two nodes, or on one, tell the locality of a pair. */
static void task_map(ns_log_parser *p, const char *text)
{
    int number[4];
    const char *at = strstr(text, "\"taskmap\":{"), *map = at == NULL ? NULL : strstr(at, "\"map\":");
    if (map == NULL || ns_scan_match(map, "\"map\":[[%,%,%,%]]", number) == NULL)
        return;
    int locality = number[1] == 2 && number[2] == 1 ? NS_OFF_NODE : number[1] == 1 && number[2] == 2 ? NS_ON_NODE : -1;
    for (size_t i = p->first; locality >= 0 && i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (sample->locality_stated)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
    }
}

static ns_status one_line(ns_log_parser *p, osu_table *t, ns_error *err)
{
    const char *text = ns_scan_label(p->text), *start = ns_scan_blanks(text);
    if (strncmp(text, "# OSU ", 6) == 0)
        return title_line(p, t, text, err);
    if (*text == '#') {
        comment_line(p, t, text);
        if (!t->open)
            text_line(t, text);
    } else if ((*start >= '0' && *start <= '9') || *start == '.') {
        return t->open ? row_line(p, t, text, err) : NS_OK;
    } else if (*start == '{') {
        task_map(p, start);
    } else if (t->name != NULL && !t->open && strncmp(start, "Overall(us)", 11) == 0) {
        columns_line(p, t, start); /* the non-blocking barrier names its columns without a mark */
    } else if (*start != '\0') {
        text_line(t, text);
    }
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    osu_table t = {.pairs = 1, .window = 1, .locality = -1, .command_memory = -1};
    for (;;) {
        bool more;
        NS_TRY(ns_log_next(p, &more, err));
        if (!more)
            return close_table(p, &t, err);
        bool mixed = t.mixed, open = t.open;
        NS_TRY(one_line(p, &t, err));
        if (t.mixed && t.open && !(mixed && open))
            NS_TRY(ns_log_leave_out(p, p->line, err, "one buffer on the host and the other on the device"));
    }
}

const ns_log_tool ns_log_tool_osu = {
    .name = "osu",
    .title = "OSU Micro-Benchmarks",
    .detect = detect,
    .parse = parse,
};
