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
#include "core/memory.h"
#include "osu.h"

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
    return t->name != NULL ? NS_OK : ns_no_memory(err);
}

static ns_status close_table(ns_log_parser *p, osu_table *t, ns_error *err)
{
    osu_table closed = *t;
    t->open = false;
    if (!closed.open)
        return NS_OK;
    if (closed.strays > 0)
        NS_TRY(ns_log_warn(p, closed.stray_line, err, "%zu rows whose size does not rise: left out", closed.strays));
    if (closed.rows == 0)
        return ns_log_leave_out(p, closed.line, err, "a table without rows");
    if (closed.mixed)
        return ns_log_leave_out(p, closed.line, err, "one buffer on the host and the other on the device (%zu rows)",
                                closed.rows);
    return closed.sizes && closed.rows == 1 && closed.kind == NS_PING_PONG
               ? ns_log_warn(p, closed.line, err, "a table of a single size")
               : NS_OK;
}

/* A title line: the table begins when its columns are named. */
static ns_status title_line(ns_log_parser *p, osu_table *t, const char *text, ns_error *err)
{
    bool one_sided = strncmp(text + 6, "MPI_", 4) == 0;
    const char *title = one_sided ? text + 5 : strchr(text + 6, ' '), *end = strstr(text, " Test");
    NS_TRY(close_table(p, t, err));
    *t = (osu_table){.pairs = 1, .window = 1, .line = p->line};
    if (title == NULL || end == NULL || end <= title)
        return NS_OK;
    t->accelerated = title > text + 9; /* "# OSU MPI-CUDA " */
    t->memory_known = !t->accelerated;
    NS_TRY(name_table(p, t, title + 1, (size_t)(end - title - 1), err));
    if (t->kind == NS_MESSAGE_RATE)
        t->pairs = 0; /* until a line says how many */
    return NS_OK;
}

/* "# Size  Overall(us)  Compute(us)  Pure Comm.(us) ..." */
static ns_status columns_line(ns_log_parser *p, osu_table *t, const osu_job *job, const char *text, ns_error *err)
{
    bool rate = strstr(text, "MB/s") != NULL;
    if (t->name == NULL || t->open)
        return NS_OK;
    if (!rate && strstr(text, "(us)") == NULL)
        return ns_log_leave_out(p, p->line, err, "columns \"%.60s\"; wanted us or MB/s", text);
    if (t->pairs == 0)
        return ns_log_leave_out(p, p->line, err, "message rates without the line of their pairs and window");
    t->open = true;
    t->sizes = strstr(text, "Size") != NULL;
    t->rate = rate;
    t->time = strstr(text, "Overall(us)") != NULL ? 2 : 0;
    t->last = t->decimals = -1;
    t->line = p->line;
    if (t->accelerated && !t->memory_known && job->memory >= 0) {
        t->memory_known = true;
        t->mixed = job->memory == 2;
        t->memory = job->memory == 1 ? NS_DEVICE : NS_HOST;
    }
    return NS_OK;
}

static ns_status comment_line(ns_log_parser *p, osu_table *t, osu_job *job, const char *text, ns_error *err)
{
    int number[2];
    if (strstr(text, "Send Buffer on ") != NULL) {
        bool send = strstr(text, "Send Buffer on DEVICE") != NULL || strstr(text, "Send Buffer on MANAGED") != NULL;
        bool receive =
            strstr(text, "Receive Buffer on DEVICE") != NULL || strstr(text, "Receive Buffer on MANAGED") != NULL;
        t->memory_known = true;
        t->mixed = send != receive;
        t->memory = send ? NS_DEVICE : NS_HOST;
        return NS_OK;
    }
    if (ns_scan_match(text, "# [ pairs: % ] [ window size: % ]", number) != NULL) {
        bool good = number[0] > 0 && number[0] <= 1 << 24 && number[1] > 0 && number[1] <= 1 << 24;
        t->pairs = good ? number[0] : 0;
        t->window = good ? number[1] : 1;
        return NS_OK;
    }
    if (strncmp(text, "# Size ", 7) == 0 || strstr(text, "(us)") != NULL || strstr(text, "MB/s") != NULL)
        return columns_line(p, t, job, text, err);
    if (!t->open)
        ns_osu_text_line(job, text);
    return NS_OK;
}

/* Seconds one way from the numbers of a row: of a message, or of a window of them. */
static double seconds(const osu_table *t, const double *number, int count, double bytes)
{
    double value = number[t->time], messages = (double)t->window * t->pairs;
    if (!t->rate)
        return value * 1e-6;
    if (t->kind == NS_MESSAGE_RATE && count > 1)
        return messages / number[1]; /* messages per second have more digits than MB/s */
    return (t->kind == NS_BIDIRECTIONAL ? 2 : 1) * bytes * messages / (value * 1e6);
}

static ns_status add_row(ns_log_parser *p, osu_table *t, const osu_job *job, const double *number, int count,
                         double bytes, ns_error *err)
{
    bool collective = t->kind == NS_COLLECTIVE, many = t->kind == NS_NODE_PONG;
    const int pairs = many ? job->processes / 2 : t->pairs;
    ns_sample sample = {
        .kind = t->kind,
        .locality = job->locality >= 0 ? (ns_locality)job->locality : NS_OFF_NODE,
        .locality_stated = job->locality >= 0,
        .memory = t->memory,
        .memory_stated = t->memory_known,
        .pairs = collective ? job->processes : ns_osu_node_pairs(p, job, pairs),
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

/* The numbers of a row, with "Pass" or "Fail" behind them in 7.x; 0 when it is text between tables. */
static int row_numbers(const char *text, double number[16], int *decimals, const char **rest)
{
    int count = 0;
    const char *at = ns_scan_blanks(text);
    for (const char *from = at; count < 16 && ns_scan_number(&at, &number[count]); from = at = ns_scan_blanks(at)) {
        if (*at != ' ' && *at != '\t' && *at != '\0')
            return 0;
        *decimals = ns_scan_decimals(from, at);
        count++;
    }
    *rest = at;
    return *at == '\0' || strncmp(at, "Pass", 4) == 0 || strncmp(at, "Fail", 4) == 0 ? count : 0;
}

static ns_status row_line(ns_log_parser *p, osu_table *t, const osu_job *job, const char *text, ns_error *err)
{
    double number[16], bytes = 0;
    int decimals = -1;
    const char *at = ns_scan_blanks(text), *rest = at;
    if (t->sizes && (!ns_scan_size(&at, &bytes) || (*at != ' ' && *at != '\t')))
        return NS_OK;
    int count = row_numbers(at, number, &decimals, &rest);
    if (count <= t->time || (!t->sizes && t->rows > 0))
        return NS_OK;
    if (t->sizes && bytes <= t->last) {
        t->stray_line = t->strays++ == 0 ? p->line : t->stray_line;
        return NS_OK;
    }
    if (*rest == 'F')
        return ns_log_warn(p, p->line, err, "a row whose validation failed: left out");
    if (!p->whole && *rest != 'P' && !ns_scan_same_decimals(decimals, t->decimals))
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    t->decimals = decimals;
    return add_row(p, t, job, number, count, bytes, err);
}

static ns_status one_line(ns_log_parser *p, osu_table *t, osu_job *job, ns_error *err)
{
    const char *text = ns_scan_label(p->text), *start = ns_scan_blanks(text);
    if (strncmp(text, "# OSU ", 6) == 0)
        return title_line(p, t, text, err);
    if (*text == '#')
        return comment_line(p, t, job, text, err);
    if ((*start >= '0' && *start <= '9') || *start == '.')
        return t->open ? row_line(p, t, job, text, err) : NS_OK;
    if (strncmp(start, "Overall(us)", 11) == 0) /* the non-blocking barrier names its columns without a mark */
        return columns_line(p, t, job, start, err);
    if (*start == '{')
        ns_osu_task_map(p, start);
    else if (*start != '\0')
        ns_osu_text_line(job, text);
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    osu_table t = {.line = 0};
    osu_job job = {.locality = -1, .memory = -1};
    for (;;) {
        bool more;
        NS_TRY(ns_log_next(p, &more, err));
        if (!more)
            return close_table(p, &t, err);
        NS_TRY(one_line(p, &t, &job, err));
    }
}

const ns_log_tool ns_log_tool_osu = {
    .name = "osu",
    .title = "OSU Micro-Benchmarks",
    .detect = detect,
    .parse = parse,
};
