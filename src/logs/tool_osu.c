/* tool_osu.c -- OSU Micro-Benchmarks 5.x to 7.x: any number of tables in a file, with any text between them
 *
 *     # OSU MPI-CUDA Latency Test v7.5
 *     # Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)
 *     # Size          Latency (us)
 *     8                       3.07
 *
 * latency is half a round trip.  Bandwidths are MB/s of 1e6 B over all pairs, bibw over both directions.  "-CUDA"
 * only shows how the benchmark was built: the buffers are on the device if a "Send Buffer" line or the command line ("D
 * D", "-d cuda") specifies it.
 */
#include "core/memory.h"
#include "log.h"

#include <string.h>

/* Job data from the text around tables; -1 or 0 where unknown. */
typedef struct osu_job {
    int processes, nodes;
    int locality;
    int memory; /* by the last command line; 2: one buffer on the host, the other on the device */
} osu_job;

/* The state of the current table. */
typedef struct osu_table {
    ns_sample_kind kind;
    const char *name;
    bool open, sizes, rate; /* rows are expected; they begin with a size; the times are bandwidths */
    bool accelerated, memory_known;
    ns_memory memory;
    bool mixed; /* one buffer on the host, the other on the device */
    int pairs, window;
    int time;            /* position of the time among the numbers after the size */
    double last;         /* size of the previous row */
    int decimals;        /* of the previous row */
    size_t rows, strays; /* strays: rows whose size does not rise */
    long line, stray_line;
} osu_table;

/* ---- text of launchers and scripts around tables: nodes, processes, buffers -------------------------------------- */

/* The number after a flag: "-n2", "-n 2", "--ntasks=2"; 0 without the flag. */
static int flag_number(const char *text, const char *flag)
{
    int value;
    for (const char *found = text; (found = strstr(found, flag)) != NULL; found++) {
        const char *at = found + strlen(flag);
        at += *at == '=' || *at == ' ';
        if (found != text && found[-1] == ' ' && ns_scan_integer(&at, &value))
            return value;
    }
    return 0;
}

static int either(int first, int second)
{
    return first > 0 ? first : second;
}

/* "srun -N1 -n2 ... osu_bw D D", "mpirun -np 2 -N 1 ... osu_bw -d cuda": find the buffers and the nodes of two
 * tasks. */
static void command_line(osu_job *job, const char *text)
{
    int nodes = 0, each,
        tasks = either(flag_number(text, "-n"), either(flag_number(text, "-np"), flag_number(text, "--ntasks")));
    if (strstr(text, "srun") != NULL || strstr(text, "flux run") != NULL) {
        nodes = either(flag_number(text, "-N"), flag_number(text, "--nodes"));
        each = flag_number(text, "--ntasks-per-node");
        if (each > 0 && each <= 1024 && nodes > 0 && nodes <= 1 << 20)
            tasks = nodes * each;
    } else { /* -N of mpirun is tasks per node */
        each = either(flag_number(text, "-N"), either(flag_number(text, "-npernode"), flag_number(text, "-ppn")));
        each = either(each, flag_number(text, "ppr:"));
    }
    job->memory = strstr(text, " D D") || strstr(text, "-d cuda") || strstr(text, "-d rocm") ? 1
                  : strstr(text, " H H")                                                     ? 0
                  : strstr(text, " D H") || strstr(text, " H D")                             ? 2
                                                                                             : -1;
    job->locality = -1;
    if (strstr(text, "/collective/") == NULL) {
        if (nodes == 1 || (nodes == 0 && each > 1 && tasks > 0 && tasks <= each))
            job->locality = NS_ON_NODE;
        else if ((nodes > 1 && tasks <= nodes) || (nodes == 0 && each == 1))
            job->locality = NS_OFF_NODE;
    }
    job->processes = either(tasks, nodes);
    job->nodes = nodes > 0 ? nodes : each > 0 && tasks > each ? (tasks + each - 1) / each : 0;
}

/* Handle a line outside the tables. */
static void text_line(osu_job *job, const char *text)
{
    static const char *const counts[] = {"number of process: %", "number of processes: %", "nprocs: %",
                                         "This is a test with % processes"};
    static const char *const node_counts[] = {"Number of nodes: %", "#SBATCH --nodes=%", "#SBATCH -N %"};
    const char *nodes = strstr(text, " for nodes ");
    int number[2], locality = ns_words_locality(text);
    if (strstr(text, "osu_") != NULL && (strstr(text, "srun") != NULL || strstr(text, "mpirun") != NULL ||
                                         strstr(text, "mpiexec") != NULL || strstr(text, "flux run") != NULL))
        command_line(job, text);
    if (locality >= 0)
        job->locality = locality;
    if (nodes != NULL && strncmp(text, "Point-to-point", 14) == 0) { /* "... experiments for nodes a b": two names */
        const char *first = nodes + strlen(" for nodes "), *gap = strchr(first, ' ');
        const size_t length = gap == NULL ? 0 : (size_t)(gap - first);
        if (gap != NULL)
            job->locality =
                strcspn(gap + 1, " ") == length && memcmp(first, gap + 1, length) == 0 ? NS_ON_NODE : NS_OFF_NODE;
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (ns_scan_match(text, counts[i], number) != NULL)
            job->processes = number[0];
    for (size_t i = 0; i < sizeof node_counts / sizeof *node_counts; i++)
        if (ns_scan_match(text, node_counts[i], number) != NULL)
            job->nodes = number[0];
}

/* The number of pairs per sending node: one half of the ranks sends to the other, so that with more than two nodes
 * several send. */
static int node_pairs(const ns_log_parser *p, const osu_job *job, int pairs)
{
    const int said = p->options->processes > 0 ? p->options->processes : p->options->per_node;
    const int senders = job->nodes / 2;
    if (senders > 1 && pairs >= senders)
        return (pairs + senders - 1) / senders;
    return said > 0 && pairs > said && pairs % said == 0 ? said : pairs;
}

/* After the tables, Flux prints on which nodes its tasks ran: "map":[[first, nodes, tasks per node, repeats]].  Two
 * tasks on two nodes, or on one, give the locality of a pair. */
static void task_map(ns_log_parser *p, const char *text)
{
    int number[4];
    const char *at = strstr(text, "\"taskmap\":{"), *map = at == NULL ? NULL : strstr(at, "\"map\":");
    if (map == NULL || ns_scan_match(map, "\"map\":[[%,%,%,%]]", number) == NULL)
        return;
    int locality = number[1] == 2 && number[2] == 1 ? NS_OFF_NODE : number[1] == 1 && number[2] == 2 ? NS_ON_NODE : -1;
    for (size_t i = p->unplaced; locality >= 0 && i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (sample->locality_stated)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
    }
    p->unplaced = p->log->samples; /* no ranks are named in OSU tables */
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

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
    return ns_log_keep(p->log, name);
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

/* Handle a title line: the table begins when its columns are named. */
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
    const size_t length = (size_t)(end - ++title);
    t->kind = strncmp(title, "MPI_", 4) == 0 ? NS_ONE_SIDED : NS_COLLECTIVE;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strlen(tests[i].title) == length && memcmp(tests[i].title, title, length) == 0) {
            t->kind = tests[i].kind;
            t->name = tests[i].name;
        }
    if (t->name == NULL)
        t->name = short_name(p, title, length);
    if (t->kind == NS_MESSAGE_RATE)
        t->pairs = 0; /* until a line gives the number */
    return t->name != NULL ? NS_OK : ns_no_memory(err);
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
        text_line(job, text);
    return NS_OK;
}

/* Seconds one way from the numbers of a row: of a message, or of a window of them. */
static double seconds(const osu_table *t, const double *number, int count, double bytes)
{
    double value = number[t->time], messages = (double)t->window * t->pairs;
    if (!t->rate)
        return value * 1e-6;
    if (t->kind == NS_MESSAGE_RATE && count > 1)
        return messages / number[1]; /* messages per second are printed with more digits than MB/s */
    return (t->kind == NS_BIDIRECTIONAL ? 2 : 1) * bytes * messages / (value * 1e6);
}

static ns_status row_line(ns_log_parser *p, osu_table *t, const osu_job *job, const char *text, ns_error *err)
{
    double number[16], bytes = 0;
    int decimals = -1;
    const char *at = ns_scan_blanks(text);
    if (t->sizes && (!ns_scan_size(&at, &bytes) || (*at != ' ' && *at != '\t')))
        return NS_OK;
    const int count = ns_scan_numbers(&at, number, 16, &decimals);
    const bool passed = strncmp(at, "Pass", 4) == 0, failed = strncmp(at, "Fail", 4) == 0; /* in 7.x */
    if ((*at != '\0' && !passed && !failed) || count <= t->time || (!t->sizes && t->rows > 0))
        return NS_OK; /* text between tables */
    if (t->sizes && bytes <= t->last) {
        t->stray_line = t->strays++ == 0 ? p->line : t->stray_line;
        return NS_OK;
    }
    if (failed)
        return ns_log_warn(p, p->line, err, "a row whose validation failed: left out");
    if (!p->whole && !passed && (decimals < 0 || decimals != t->decimals))
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    const bool many = t->kind == NS_NODE_PONG;
    const int pairs = many ? job->processes / 2 : t->pairs;
    ns_sample sample = {
        .kind = t->kind,
        .locality = job->locality >= 0 ? (ns_locality)job->locality : NS_OFF_NODE,
        .locality_stated = job->locality >= 0,
        .memory = t->memory,
        .memory_stated = t->memory_known,
        .pairs = t->kind == NS_COLLECTIVE ? job->processes : node_pairs(p, job, pairs),
        .messages = t->window,
        .bytes = bytes,
        .seconds = seconds(t, number, count, bytes),
        .name = t->name,
    };
    if (t->kind == NS_PING_PONG || many)
        sample.seconds *= ns_log_one_way(p, 0);
    t->decimals = decimals;
    t->last = bytes;
    t->rows++;
    return t->mixed ? NS_OK : ns_log_add(p, &sample, err);
}

typedef struct osu_state {
    osu_table table;
    osu_job job;
} osu_state;

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    osu_table *t = &((osu_state *)state)->table;
    osu_job *job = &((osu_state *)state)->job;
    const char *text = ns_scan_label(p->text), *start = ns_scan_blanks(text);
    if (strncmp(text, "# OSU ", 6) == 0)
        return title_line(p, t, text, err);
    if (*text == '#')
        return comment_line(p, t, job, text, err);
    if ((*start >= '0' && *start <= '9') || *start == '.')
        return t->open ? row_line(p, t, job, text, err) : NS_OK;
    if (strncmp(start, "Overall(us)", 11) == 0) /* the non-blocking barrier prints its column names without a "#" */
        return columns_line(p, t, job, start, err);
    if (*start == '{')
        task_map(p, start);
    else if (*start != '\0')
        text_line(job, text);
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    osu_state state = {.job = {.locality = -1, .memory = -1}};
    NS_TRY(ns_log_each_line(p, one_line, &state, err));
    return close_table(p, &state.table, err);
}

static const ns_log_mark marks[] = {{"# OSU ", 90}, {NULL, 0}};

const ns_log_tool ns_log_tool_osu = {
    .name = "osu",
    .title = "OSU Micro-Benchmarks",
    .marks = marks,
    .parse = parse,
};
