/* test_logs_large.c -- a log of 1 GB: through a pipe, in bounded memory, opened once */
#define _XOPEN_SOURCE 700 /* mkfifo, getrusage */

#include "support/test.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/memory.h"
#include "support/log_rows.h"
#include "support/shared.h"

#define GIB ((size_t)1 << 30)
static const char table[] = "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n8 2.25\n16 2.5\n";

static void put(FILE *out, const char *text)
{
    if (fputs(text, out) == EOF)
        _exit(1);
}

/* A table, 1 GiB of a block over and over, and another table. */
static pid_t write_around(const char *fifo, const char *block, size_t size)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    FILE *out = fopen(fifo, "w");
    if (out == NULL)
        _exit(1);
    put(out, table);
    for (size_t written = 0; written < GIB; written += size)
        if (fwrite(block, 1, size, out) != size)
            _exit(1);
    put(out, "\n");
    put(out, table);
    _exit(fclose(out) == 0 ? 0 : 1);
}

static long memory_kib(void)
{
    struct rusage used;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &used), 0);
    return used.ru_maxrss;
}

static ns_log *read_around(const char *block, size_t size)
{
    const char *name = scratch_file("gone", "", 0);
    char fifo[512];
    int status;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    snprintf(fifo, sizeof fifo, "%s.fifo", name);
    const char *path = fifo;
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    const pid_t child = write_around(fifo, block, size);
    ck_assert_msg(ns_log_read(&path, 1, NULL, &log, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the log was not read to its end");
    ck_assert_int_eq(unlink(fifo), 0);
    ck_assert_uint_eq(log->samples, 4);
    return log;
}

/* 1 GiB of a job's chatter.  The lines are long: what is read per second, not per line, is the point. */
TEST(test_noise)
{
    enum { LINE = 1 << 16, BLOCK = 1 << 20 };
    char *block = ns_malloc(BLOCK);
    ck_assert_ptr_nonnull(block);
    memset(block, '.', BLOCK);
    for (size_t at = LINE - 1; at < BLOCK; at += LINE)
        block[at] = '\n';
    const long before = memory_kib();
    ns_log *log = read_around(block, BLOCK);
    ck_assert_int_eq(log->sample[3].line, 4 + (long)(GIB / LINE) + 1 + 4);
    ck_assert_msg(memory_kib() - before < 64 << 10, "%ld KiB more", memory_kib() - before);
    ns_log_free(log);
    ns_free(block);
}

/* One line of 1 GiB. */
TEST(test_one_line)
{
    enum { BLOCK = 1 << 20 };
    char *block = ns_malloc(BLOCK);
    ck_assert_ptr_nonnull(block);
    memset(block, '7', BLOCK);
    const long before = memory_kib();
    ns_log *log = read_around(block, BLOCK);
    ck_assert_int_eq(log->sample[3].line, 9);
    ck_assert_ptr_nonnull(strstr(log->warning[0].text, "a line of more than 1048576 bytes"));
    ck_assert_int_eq(log->warning[0].line, 5);
    ck_assert_msg(memory_kib() - before < 64 << 10, "%ld KiB more", memory_kib() - before);
    ns_log_free(log);
    ns_free(block);
}

/* 1 GiB of nothing: a file with a hole. */
TEST(test_hole)
{
    const char *path = scratch_file("hole.log", table, strlen(table));
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(truncate(path, (off_t)GIB), 0);
    ck_assert_int_eq(ns_log_read(&path, 1, NULL, &log, &err), NS_ERR_DATA);
    ck_assert_int_eq(err.line, 5);
    ck_assert_ptr_nonnull(strstr(err.text, "binary data (a byte 0x00)"));
}

/* A table that begins after the first MiB is not recognised, and the message says so; --tool reads it. */
TEST(test_late_table)
{
    const size_t noise = (size_t)3 << 19;
    char *text = ns_malloc(noise + sizeof table);
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < noise; i++)
        text[i] = i % 64 == 63 ? '\n' : '.';
    memcpy(text + noise, table, sizeof table);
    const char *path = scratch_file("late.log", text, noise + strlen(table));
    ns_free(text);
    ck_assert_int_eq(ns_log_read(&path, 1, &options, &log, &err), NS_ERR_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "no table of a known benchmark in its first MiB"));
    options.tool = "osu";
    ck_assert_int_eq(ns_log_read(&path, 1, &options, &log, NULL), NS_OK);
    ck_assert_uint_eq(log->samples, 2);
    ns_log_free(log);
}

TEST_TIMEOUT(300)
