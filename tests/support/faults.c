/* faults.c -- the program with one of its calls made to fail, at every place where that can happen */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */

#include "faults.h"

#include "cli.h"
#include "needs.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS_MOST = 16, PATH = 300, WORDS = 64, SECONDS_MOST = 20, TOLD_MOST = 40, NOT_STARTED = 99 };

static const char old_content[] = "what was here before\n";
static const char *const kinds[] = {"memory", "io"}, *const modes[] = {"once", "after"};

typedef struct fault {
    int kind, mode;
    long index; /* from 1; 0: no fault */
} fault;

typedef struct slot {
    pid_t pid; /* 0: free */
    fault chosen;
} slot;

typedef struct bytes {
    char *text;
    size_t size;
} bytes;

static char folder[PATH - 100], inputs[PATH];

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL ? value : otherwise;
}

bool faults_possible(void)
{
    const char *shim = environment("NSMODEL_FAULTS", "build/tests/faults.so");
    if (getenv("NS_TEST_SLOWDOWN") != NULL)
        skipped("faults", "needs a build without sanitizers");
    else if (access(shim, R_OK) != 0)
        skipped("faults", "needs %s", shim);
    else
        return true;
    return false;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *path_in(char *path, const char *format, int number)
{
    char name[100];
    snprintf(name, sizeof name, format, number);
    snprintf(path, PATH, "%s/%s", folder, name);
    return path;
}

static int remove_one(const char *path, const struct stat *what, int flag, struct FTW *where)
{
    (void)what, (void)flag;
    return where->level > 0 ? remove(path) : 0;
}

static void empty(const char *path)
{
    ck_assert_int_eq(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void write_whole(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "%s cannot be written", path);
}

static bytes read_whole(const char *path)
{
    bytes b = {NULL, 0};
    FILE *file = fopen(path, "rb"), *copy = open_memstream(&b.text, &b.size);
    ck_assert_ptr_nonnull(copy);
    for (int c; file != NULL && (c = fgetc(file)) != EOF;)
        fputc(c, copy);
    fclose(copy);
    if (file != NULL)
        fclose(file);
    return b;
}

static bool same(bytes a, bytes b)
{
    return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

const char *faults_open(void)
{
    snprintf(folder, sizeof folder, "%s/nsmodel-faults-XXXXXX", environment("TMPDIR", "/tmp"));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(inputs, sizeof inputs, "%s/in", folder);
    ck_assert_int_eq(mkdir(inputs, 0700), 0);
    return inputs;
}

void faults_close(void)
{
    if (folder[0] != '\0') {
        empty(folder);
        rmdir(folder);
    }
    folder[0] = '\0';
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

static void reset(const fault_line *line, int number)
{
    char path[PATH], output[PATH + 100];
    const char *const made[] = {"%d", "%d/run", "%d/home"};
    for (size_t i = 0; i < 3; i++)
        if (mkdir(path_in(path, made[i], number), 0700) != 0 && i > 0)
            empty(path);
    if (symlink("../in", path_in(path, "%d/in", number)) != 0)
        ck_assert_int_eq(errno, EEXIST);
    if (line->output == NULL)
        return;
    snprintf(output, sizeof output, "%s/%s", path_in(path, "%d/run", number), line->output);
    write_whole(output, old_content);
}

static void redirect(int number, const char *format, int flags, int to)
{
    char path[PATH];
    const int file = open(path_in(path, format, number), flags, 0600);
    if (file < 0 || dup2(file, to) < 0)
        _exit(NOT_STARTED);
    close(file);
}

static void prepare_child(const fault_line *line, fault f, int number)
{
    char path[PATH], text[100];
    snprintf(text, sizeof text, "%s:%ld:%s", kinds[f.kind], f.index, modes[f.mode]);
    setenv("NS_FAULT", text, 1);
    setenv("NS_FAULT_REPORT", path_in(path, "%d/report", number), 1);
    setenv("HOME", path_in(path, "%d/home", number), 1);
    setenv("XDG_CACHE_HOME", path, 1);
    setenv("no_proxy", "*", 1);
    setenv("TERM", "dumb", 1);
    redirect(number, line->input != NULL ? "in/stdin" : "in/nothing", O_RDONLY, STDIN_FILENO);
    redirect(number, "%d/out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(number, "%d/err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (chdir(path_in(path, "%d/run", number)) != 0)
        _exit(NOT_STARTED);
    signal(SIGALRM, SIG_DFL);
    alarm(SECONDS_MOST);
}

static pid_t start(const fault_line *line, fault f, int number)
{
    char program[4096], shim[4096], copy[1024], *word[WORDS];
    ck_assert_ptr_nonnull(realpath(environment("NSMODEL_BIN", "bin/nsmodel"), program));
    ck_assert_ptr_nonnull(realpath(environment("NSMODEL_FAULTS", "build/tests/faults.so"), shim));
    reset(line, number);
    snprintf(copy, sizeof copy, "%s", line->line);
    word[cli_split(copy, word, WORDS - 1)] = NULL;
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        prepare_child(line, f, number);
        setenv("LD_PRELOAD", shim, 1);
        execv(program, word);
        _exit(NOT_STARTED);
    }
    return child;
}

/* What else than the output file is in the folder, in name; false: nothing. */
static bool leftover(const fault_line *line, int number, char *name, size_t size)
{
    char path[PATH];
    bool found = false;
    DIR *list = opendir(path_in(path, "%d/run", number));
    ck_assert_ptr_nonnull(list);
    for (struct dirent *d; (d = readdir(list)) != NULL && !found;)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
            (line->output == NULL || strcmp(d->d_name, line->output) != 0)) {
            snprintf(name, size, "leaves %.60s", d->d_name);
            found = true;
        }
    closedir(list);
    return found;
}

typedef struct good {
    bytes out, file;
    long calls[2];
    long held[2]; /* blocks, streams and files that a good run leaves */
} good;

static bytes output_of(const fault_line *line, int number)
{
    char path[PATH], whole[PATH + 100];
    if (line->output == NULL)
        return read_whole("");
    snprintf(whole, sizeof whole, "%s/%s", path_in(path, "%d/run", number), line->output);
    return read_whole(whole);
}

/* Why the answer is not acceptable, in why; false: it is.  other: another answer may be right. */
static bool judge_answer(const fault_line *line, const good *g, int number, int code, bool other, char *why,
                         size_t size)
{
    char path[PATH];
    bytes out = read_whole(path_in(path, "%d/out", number)), err = read_whole(path_in(path, "%d/err", number));
    bytes file = output_of(line, number);
    const bytes old = {(char *)(uintptr_t)old_content, sizeof old_content - 1};
    const char *fails = NULL;
    if (code == 0 && !other && !same(out, g->out))
        fails = "exit code 0 with another answer";
    else if (code == 0 && !same(file, g->file))
        fails = "exit code 0 with another file";
    else if (code == NOT_STARTED)
        fails = "cannot be started";
    else if (code > 2)
        fails = "an exit code of no meaning";
    else if (code != 0 && strstr(err.text, "nsmodel: ") == NULL && strstr(err.text, "error: ") == NULL)
        fails = "fails without a message";
    else if (line->output != NULL && !same(file, g->file) && !same(file, old))
        fails = "the output file is neither the old nor the new one";
    if (fails != NULL)
        snprintf(why, size, "%s (%d)", fails, code);
    free(out.text);
    free(err.text);
    free(file.text);
    return fails != NULL || leftover(line, number, why, size);
}

/* "fault CALL ADDRESS...", "end ..." */
static bool judge_report(const good *g, const char *report, char *why, size_t size)
{
    const char *end = strstr(report, "end ");
    long calls[2], held[2];
    if (end == NULL || sscanf(end, "end %ld %ld %ld %ld", &calls[0], &calls[1], &held[0], &held[1]) != 4) {
        snprintf(why, size, "ends without returning from main");
        return true;
    }
    if (held[0] <= g->held[0] && held[1] <= g->held[1])
        return false;
    snprintf(why, size, "keeps %ld blocks or streams and %ld files", held[0], held[1]);
    return true;
}

static bool judge(const fault_line *line, const good *g, const slot *s, int number, int status, size_t *happened)
{
    char why[200] = "", path[PATH];
    bytes report = read_whole(path_in(path, "%d/report", number));
    bool bad = true;
    *happened += strncmp(report.text, "fault ", 6) == 0;
    if (WIFSIGNALED(status))
        snprintf(why, sizeof why, WTERMSIG(status) == SIGALRM ? "does not end" : "ends by signal %d", WTERMSIG(status));
    else
        bad = judge_answer(line, g, number, WEXITSTATUS(status), line->tells_of_files && s->chosen.kind == 1, why,
                           sizeof why) ||
              judge_report(g, report.text, why, sizeof why);
    if (bad)
        printf("nsmodel %s\n  %s:%ld:%s %s; %.*s\n", line->line, kinds[s->chosen.kind], s->chosen.index,
               modes[s->chosen.mode], why, (int)strcspn(report.text, "\n"), report.text);
    free(report.text);
    return bad;
}

/* ---- all runs of a line ------------------------------------------------------------------------------------------ */

static good good_run(const fault_line *line)
{
    char path[PATH];
    good g = {0};
    int status;
    write_whole(path_in(path, "in/nothing", 0), "");
    write_whole(path_in(path, "in/stdin", 0), line->input != NULL ? line->input : "");
    const pid_t child = start(line, (fault){0}, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    bytes err = read_whole(path_in(path, "%d/err", 0)), report = read_whole(path_in(path, "%d/report", 0));
    ck_assert_msg(status == 0, "`nsmodel %s` fails without a fault: %.500s", line->line, err.text);
    ck_assert_msg(sscanf(report.text, "end %ld %ld %ld %ld", &g.calls[0], &g.calls[1], &g.held[0], &g.held[1]) == 4,
                  "`nsmodel %s`: the calls were not counted", line->line);
    g.out = read_whole(path_in(path, "%d/out", 0));
    g.file = output_of(line, 0);
    ck_assert_msg(g.held[0] == 0 && g.held[1] == 0, "`nsmodel %s` keeps %ld blocks or streams and %ld files",
                  line->line, g.held[0], g.held[1]);
    free(err.text);
    free(report.text);
    return g;
}

/* The n-th of all faults of a line. */
static fault nth(const good *g, size_t n)
{
    const int mode = (int)(n % 2);
    const long index = (long)(n / 2);
    return index < g->calls[0] ? (fault){0, mode, index + 1} : (fault){1, mode, index - g->calls[0] + 1};
}

/* Wait for one run; the number of its slot. */
static int wait_one(slot *slots, int *status)
{
    for (;;) {
        const pid_t child = waitpid(-1, status, 0);
        for (int i = 0; i < SLOTS_MOST; i++)
            if (child > 0 && slots[i].pid == child)
                return i;
        ck_assert_msg(child > 0 || errno == EINTR, "no run to wait for");
    }
}

static int side_by_side(void)
{
    const char *given = getenv("NS_FAULTS_JOBS");
    const long cores = given != NULL ? strtol(given, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > SLOTS_MOST ? SLOTS_MOST : (int)cores;
}

/* A step through all faults that meets each once: numbers of no common divisor. */
static size_t stride(size_t all, unsigned seed)
{
    size_t step = 1 + (seed * 2654435761u) % all;
    for (;; step++) {
        size_t a = all, b = step;
        while (b != 0) {
            const size_t rest = a % b;
            a = b, b = rest;
        }
        if (a == 1)
            return step;
    }
}

size_t faults_try(const fault_line *line, size_t sample, unsigned seed, size_t *runs)
{
    good g = good_run(line);
    slot slots[SLOTS_MOST] = {{0}};
    const size_t all = 2 * (size_t)(g.calls[0] + g.calls[1]);
    const size_t wanted = sample == 0 || sample > all ? all : sample, step = stride(all, seed);
    size_t bad = 0, begun = 0, happened = 0;
    const int most = side_by_side();
    int running = 0;
    while (begun < wanted || running > 0) {
        for (int i = 0; i < most && begun < wanted && bad < TOLD_MOST; i++)
            if (slots[i].pid == 0) {
                slots[i].chosen = nth(&g, (seed + begun++ * step) % all);
                slots[i].pid = start(line, slots[i].chosen, i);
                running++;
            }
        if (running == 0)
            break;
        int status, i = wait_one(slots, &status);
        bad += judge(line, &g, &slots[i], i, status, &happened);
        slots[i].pid = 0;
        running--;
    }
    ck_assert_msg(10 * happened >= 9 * begun, "`nsmodel %s`: only %zu of %zu faults happened", line->line, happened,
                  begun);
    *runs = begun;
    free(g.out.text);
    free(g.file.text);
    return bad;
}
