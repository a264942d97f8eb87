/* test_progress.c -- the progress line on a pseudo-terminal: when, how wide, and gone at the end; nothing on a pipe */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700

#include "support/archive.h"
#include "support/machines.h"
#include "support/needs.h"
#include "support/server.h"
#include "support/shell.h"

#include "api/library.h"
#include "cli/front/progress.h"
#include "fit/fit.h"

#include "support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

enum { ROOM = 1 << 16 };

static int master;
static char seen[ROOM];

/* A terminal of so many columns; its name for a program, its master end here. */
static const char *open_terminal(unsigned short columns)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
    return ptsname(master);
}

/* What was written to the terminal and has not been looked at yet. */
static const char *look(void)
{
    size_t used = 0;
    ck_assert_int_ne(fcntl(master, F_SETFL, O_NONBLOCK), -1);
    for (ssize_t n; used + 1 < sizeof seen && (n = read(master, seen + used, sizeof seen - 1 - used)) > 0;)
        used += (size_t)n;
    seen[used] = '\0';
    return seen;
}

/* ---- with a clock of its own ------------------------------------------------------------------------------------- */

static double moment;

static double test_clock(void)
{
    return moment;
}

static ns_progress on_terminal(unsigned short columns)
{
    ns_progress p = {.err = fopen(open_terminal(columns), "w"), .clock = test_clock};
    ck_assert_ptr_nonnull(p.err);
    moment = 1000;
    return p;
}

TEST(test_line)
{
    ns_progress p = on_terminal(80);
    ns_progress_show(&p, "reading audikw_1", "entries", 0, 8e7);
    moment += 0.99;
    ns_progress_show(&p, "reading audikw_1", "entries", 1.98e7, 8e7);
    ck_assert_str_eq(look(), ""); /* not within a second */
    moment += 0.01;
    ns_progress_show(&p, "reading audikw_1", "entries", 2e7, 8e7);
    ck_assert_str_eq(look(), "\rreading audikw_1  [#######---------------------]   25%  20 Mentries/s  3 s left");
    moment += 0.05;
    ns_progress_show(&p, "reading audikw_1", "entries", 2.1e7, 8e7);
    ck_assert_str_eq(look(), ""); /* ten a second are enough */
    moment += 0.95;
    ns_progress_show(&p, "reading audikw_1", "entries", 4e7, 8e7);
    ck_assert_str_eq(look(), "\rreading audikw_1  [##############--------------]   50%  20 Mentries/s  2 s left");
    ns_progress_clear(&p);
    ck_assert_uint_eq(strlen(look()), 81);
    ck_assert_uint_eq(strspn(seen + 1, " "), 79);
    ns_progress_clear(&p);
    ck_assert_str_eq(look(), "");
    fclose(p.err);
}

static const struct {
    unsigned short columns;
    double done, total, seconds;
    const char *line;
} lines[] = {
    {80, 3e9, 0, 2, "\rfetching it  3 GB  1.5 GB/s"}, /* nobody knows how much there is */
    {80, 1e6, 1e9, 10, "\rfetching it  [------------------------------]    0%  100 kB/s  2 h 46 min left"},
    {80, 1e6, 2e7, 10, "\rfetching it  [#-----------------------------]    5%  100 kB/s  3 min 10 s left"},
    {40, 1e6, 2e6, 2, "\rfetching it   50%  500 kB/s  2 s left"}, /* no room for a bar */
    {24, 1e6, 2e6, 2, "\rfetching it   50%  500 "},
    {3, 1e6, 2e6, 2, "\rfetching it   50%  5"}, /* a terminal too narrow for any line */
    {80, 3e6, 2e6, 3,
     "\rfetching it  [##############################]  100%  1 MB/s  0 s left"}, /* more than was said */
    {200, 5e5, 1e6, 1, "\rfetching it  [###############---------------]   50%  500 kB/s  1 s left"},
    {80, 0, 1e6, 5, "\rfetching it  [------------------------------]    0%  0 B/s"},
};

TEST_EACH(test_lines, sizeof lines / sizeof *lines)
{
    ns_progress p = on_terminal(lines[_i].columns);
    ns_progress_show(&p, "fetching it", "B", 0, lines[_i].total);
    moment += lines[_i].seconds;
    ns_progress_show(&p, "fetching it", "B", lines[_i].done, lines[_i].total);
    ck_assert_str_eq(look(), lines[_i].line);
    fclose(p.err);
}

TEST(test_countables)
{
    ns_progress p = on_terminal(80);
    ns_progress_job job = {&p, "counting", " nodes"};
    ns_progress_tell(&job, 0, 4000);
    moment += 2;
    ns_progress_tell(&job, 2000, 4000);
    ck_assert_str_eq(look(), "\rcounting  [###############---------------]   50%  1000 nodes/s  2 s left");
    fclose(p.err);
}

/* The rate is of the last seconds: it falls when the work stalls. */
TEST(test_stall)
{
    ns_progress p = on_terminal(80);
    ns_progress_show(&p, "fetching", "B", 0, 1e9);
    for (int s = 1; s <= 6; s++) {
        moment += 1;
        ns_progress_show(&p, "fetching", "B", 1e6 * s, 1e9);
    }
    ck_assert_ptr_nonnull(strstr(look(), "  1 MB/s"));
    for (int s = 1; s <= 7; s++) {
        moment += 1;
        ns_progress_show(&p, "fetching", "B", 6e6, 1e9);
    }
    ck_assert_ptr_nonnull(strstr(look(), "  0 B/s"));
    fclose(p.err);
}

/* Another piece of work, or the same one again, has its own second. */
TEST(test_begins_anew)
{
    ns_progress p = on_terminal(80);
    ns_progress_show(&p, "a", "B", 0, 10);
    moment += 2;
    ns_progress_show(&p, "a", "B", 5, 10);
    ck_assert_int_gt((int)strlen(look()), 0);
    ns_progress_show(&p, "b", "B", 6, 10);
    ck_assert_msg(strspn(look(), "\r ") == strlen(seen), "%s", seen);
    moment += 0.5;
    ns_progress_show(&p, "b", "B", 7, 10);
    ns_progress_show(&p, "b", "B", 1, 10);
    moment += 0.9;
    ns_progress_show(&p, "b", "B", 2, 10);
    ck_assert_str_eq(look(), "");
    fclose(p.err);
}

TEST(test_never_on_a_pipe)
{
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    ns_progress p = {.err = memory, .clock = test_clock}, none = {0};
    for (int i = 0; i < 9; i++) {
        moment += 1;
        ns_progress_show(&p, "x", "B", i, 10);
        ns_progress_show(&none, "x", "B", i, 10);
        ns_progress_show(NULL, "x", "B", i, 10);
    }
    ns_progress_clear(&p);
    ns_progress_clear(NULL);
    fclose(memory);
    ck_assert_uint_eq(size, 0);
    free(text);
}

/* ---- layers that know no terminal: they tell how far they are ---------------------------------------------------- */

typedef struct steps {
    double calls, last, total;
} steps;

static void step(void *watcher, double done, double total)
{
    steps *s = watcher;
    ck_assert(done > s->last && done <= total && (s->calls == 0 || total == s->total));
    s->calls++;
    s->last = done;
    s->total = total;
}

static void must(ns_status status, const ns_error *err)
{
    ck_assert_msg(status == NS_OK, "%s", err->text);
}

TEST(test_netsparse_tells)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ns_trace *trace;
    ns_netsparse_result *result;
    const ns_trace_options wanted = {.rack = 2, .ranks = 1};
    must(ns_matrix_open("stencil9:40x40", &matrix, &err), &err);
    ns_machine *machine = machine_named("netsparse");
    must(ns_trace_open(matrix, 4, &wanted, &trace, &err), &err);
    for (int last_only = 0; last_only < 2; last_only++) {
        steps s = {0};
        const ns_netsparse_options options = {
            .machine = machine, .k = 16, .last_only = last_only == 1, .watch = step, .watcher = &s};
        must(ns_netsparse_run(trace, &options, &result, &err), &err);
        ck_assert(s.last == s.total);
        ck_assert(s.calls == 4 * (1 + (last_only ? 1 : NS_MECHANISMS - 1) * 3)); /* nodes, rounds of each step */
        ns_netsparse_free(result);
    }
    ns_trace_free(trace);
    ns_matrix_free(matrix);
}

TEST(test_fit_tells)
{
    static const char *const path[] = {"examples/osu_latency.log", "examples/osu_latency.log"};
    ns_error err = {0};
    ns_log *log;
    ns_fit *fit;
    steps reading = {0}, fitting = {0};
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    options.locality = NS_OFF_NODE;
    options.watch = step;
    options.watcher = &reading;
    must(ns_log_read(path, 2, &options, &log, &err), &err);
    ck_assert(reading.calls == 2 && reading.last == 2 && reading.total == 2);
    const ns_fit_options how = {
        .statistic = NS_STATISTIC_MEDIAN, .switches = -1, .gpus = -1, .watch = step, .watcher = &fitting};
    must(ns_fit_log(log, &how, &fit, &err), &err);
    ck_assert(fitting.calls > 1 && fitting.last == fitting.total);
    ns_fit_free(fit);
    ns_log_free(log);
}

TEST(test_scan_tells)
{
    ns_error err = {0};
    ns_matrix *matrix;
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    ns_progress p = {.err = memory, .clock = test_clock};
    must(ns_matrix_open("stencil5:300x300", &matrix, &err), &err);
    ns_progress_watch(&p, matrix); /* no terminal: not even watched */
    must(ns_matrix_lengths(matrix, 0, &(ns_spread){0}, &(ns_spread){0}, &(int64_t){0}, &err), &err);
    ns_matrix_free(matrix);
    fclose(memory);
    ck_assert_uint_eq(size, 0);
    free(text);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* Run by sh with standard error on the terminal; everything that it was shown is then in `seen`. */
static int run_on_terminal(const char *command)
{
    const char *terminal = open_terminal(80);
    size_t used = 0;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int err = open(terminal, O_RDWR | O_NOCTTY);
        if (err < 0 || dup2(err, STDERR_FILENO) < 0)
            _exit(126);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (used + 1 < sizeof seen) { /* ends with EIO when the last one has left the terminal */
        ssize_t n = read(master, seen + used, sizeof seen - 1 - used);
        if (n > 0)
            used += (size_t)n;
        else if (waitpid(child, &status, WNOHANG) == child)
            break;
    }
    seen[used] = '\0';
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A server that takes two seconds and more: a line with rate and time left, and it goes. */
TEST(test_download)
{
    if (lacks(__func__, "curl"))
        return;
    char command[2000], out[4096];
    const char *folder = scratch_open();
    archive a = archive_make("ash219", 219, 85, 438, 100000);
    server_answer slow = {.bytes = a.bytes, .size = a.size, .pause_ms = 20};
    const char *base = server_start(&slow, 1);
    snprintf(command, sizeof command, "no_proxy='*' '%s' matrix get ash219 --url %s --to '%s/a' > '%s/out'",
             shell_program(), base, folder, folder);
    ck_assert_msg(run_on_terminal(command) == 0, "%s", seen);
    ck_assert_msg(strstr(seen, "\rfetching ash219  [") != NULL && strstr(seen, "%  ") != NULL &&
                      strstr(seen, " s left") != NULL && strstr(seen, "B/s") != NULL,
                  "%s", seen);
    ck_assert_msg(seen[strlen(seen) - 1] == '\r', "%s", seen);
    ck_assert_int_eq(shell(out, sizeof out, "cat '%s/out'", folder), 0);
    ck_assert_msg(strstr(out, "fetched") != NULL && strchr(out, '\r') == NULL, "%s", out);
    ck_assert_int_eq(shell(out, sizeof out, "no_proxy='*' '%s' matrix get ash219 --url %s --to '%s/b' 2>&1 >'%s/out'",
                           shell_program(), base, folder, folder),
                     0);
    ck_assert_str_eq(out, ""); /* the same work, standard error a pipe */
    server_stop();
    archive_free(&a);
    scratch_close();
}

/* A stencil large enough to take this machine two seconds. */
TEST(test_reading)
{
    char command[1000];
    double seconds = 0;
    for (int side = 150; seconds < 2 && side < 2000; side = side * 4 / 3) {
        struct timespec from, to;
        snprintf(command, sizeof command, "'%s' pattern --matrix stencil27:%dx%dx%d --parts 8 > /dev/null",
                 shell_program(), side, side, side);
        clock_gettime(CLOCK_MONOTONIC, &from);
        ck_assert_msg(run_on_terminal(command) == 0, "%s", seen);
        clock_gettime(CLOCK_MONOTONIC, &to);
        seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    }
    ck_assert_msg(strstr(seen, "\rreading stencil27:") != NULL && strstr(seen, "entries/s") != NULL, "%.2f s: %s",
                  seconds, seen);
    ck_assert_int_eq(seen[strlen(seen) - 1], '\r');
}

/* So many large cases that comparing their ways takes two seconds. */
TEST(test_comparing)
{
    char command[1000];
    bool told = false;
    for (int cases = 4; !told && cases <= 64; cases *= 2) {
        snprintf(command, sizeof command,
                 "'%s' predict stencil27:100x100x100 --gpus 100000-%d:+1000 --strategy standard,two-step,three-step > "
                 "/dev/null",
                 shell_program(), 100000 + 1000 * (cases - 1));
        ck_assert_msg(run_on_terminal(command) == 0, "%s", seen);
        told = strstr(seen, "\rcomparing ways") != NULL;
    }
    ck_assert_msg(told && strstr(seen, "parts/s") != NULL && strstr(seen, " left") != NULL, "%s", seen);
    ck_assert_int_eq(seen[strlen(seen) - 1], '\r');
}

/* One large case, too, tells how far it is: a share between 0 and 100 %. */
TEST(test_one_case)
{
    char command[1000];
    bool told = false;
    for (int side = 70; !told && side <= 160; side = side * 5 / 4) {
        snprintf(command, sizeof command, "'%s' predict stencil27:%dx%dx%d --gpus %d > /dev/null", shell_program(),
                 side, side, side, side * side * side);
        ck_assert_msg(run_on_terminal(command) == 0, "%s", seen);
        for (const char *at = seen; !told && (at = strstr(at, "\rcomparing ways")) != NULL; at++) {
            const char *percent = strchr(at, '%');
            const double share = percent != NULL ? strtod(percent - 3, NULL) : 0;
            told = share > 0 && share < 100;
        }
    }
    ck_assert_msg(told, "%s", seen);
}

TEST_TIMEOUT(120)
