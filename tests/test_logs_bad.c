/* test_logs_bad.c -- bad input: the good part is read where that is safe, the rest is counted, and nothing crashes */

#include "core/memory.h"
#include "support/log_rows.h"
#include "support/shared.h"
#include "support/test.h"

#define IMB     "# Benchmarking PingPong\n# #processes = 2\n #bytes #repetitions t[usec] Mbytes/sec\n"
#define OSU     "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"
#define CPU     "Profiling Standard CPU Ping-Pongs:\n"
#define UNKNOWN "no table of a known benchmark; wanted BenchPress, MPI Advance, nodecomm, OSU, Intel MPI Benchmarks"

static const log_row rows[] = {
    {"a job script that names benchmarks and prints none",
     "#!/bin/bash\n#SBATCH -N2\nsrun ./osu_latency > osu.out\nmpirun IMB-MPI1 PingPong # Benchmarking\n",
     .refusal = UNKNOWN},
    {"JSON", "{\"bytes\": [1, 2, 4], \"seconds\": [1e-6, 2e-6, 3e-6]}\n", .refusal = UNKNOWN},
    {"prose about a benchmark", "We ran OSU MPI Latency Test and saw 2.5 us at 8 bytes.\n", .refusal = UNKNOWN},
    {"a stack trace and no table",
     "[n01:1] *** Process received signal ***\n[n01:1] Signal: Segmentation fault (11)\n[n01:1] [ 0] "
     "/lib64/libc.so.6(+0x1)[0x2]\n",
     .refusal = UNKNOWN},
    {"a table, then a stack trace in it",
     OSU "8 2.25\n16 2.5\n[n01:2017] *** Process received signal ***\n[n01:2017] Signal: Segmentation fault (11)\n"
         "[n01:2017] [ 0] /lib64/libc.so.6(+0x3cb20)[0x7f]\n32 0x7f 12\n",
     .samples = 2, .want = {PONG(4, 16, 2.5e-6)}},
    {"a table that a crash left empty, before a good one", OSU "forrtl: severe (174): SIGSEGV\n" OSU "8 2.25\n16 2.5\n",
     .samples = 2, .note = {{2, "a table without rows"}}},
    {"nothing but an empty table", OSU "free(): invalid pointer\n", .refusal = "a table without rows",
     .refusal_line = 2},
    {"warnings of MPI between rows, colours of a terminal, returns of Windows",
     "\x1b[32m$\x1b[0m srun -N2 ./osu_latency\r\n# OSU MPI Latency Test v5.8\r\n# Size          Latency (us)\r\n8 "
     "2.25\r\n"
     "WARNING: There was an error initializing an OpenFabrics device. 3 of 4\r\n16 2.5\r\n",
     .samples = 2, .want = {PONG(6, 16, 2.5e-6)}},
    {"what a warning quotes has no colours and no halves of letters",
     "# OSU MPI Latency Test v5.8\n# Size \x1b[31m          Zeit (\xc2\xb5s)\n8 2.25\n",
     .refusal = "columns \"# Size ?[31m          Zeit (??s)\"; wanted us or MB/s", .refusal_line = 2},
    {"a mark of UTF-8 before the text",
     "\xef\xbb\xbf# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n8 2.25\n16 2.5\n", .samples = 2},
    {"zero, negative, infinite and no times", OSU "1 0.00\n2 -1.50\n4 inf\n8 nan\n16 2.5\n32 2.75\n", .samples = 2,
     .note = {{3, "4 values are zero, negative or not numbers"}}},
    {"only such times", OSU "1 0.00\n2 -1.50\n", .refusal = "all 2 times are zero, negative or not numbers",
     .refusal_line = 3},
    {"a single size", OSU "8 2.25\n", .samples = 1, .note = {{2, "a table of a single size"}}},
    {"words and half numbers among the rows", OSU "8 2.25\n16 2.5us\n32 2,5\n64 --\n128 1e\n256\n512 3.5\n",
     .samples = 2, .want = {PONG(9, 512, 3.5e-6)}},
    {"sizes beyond any memory", OSU "8 2.25\n99999999999999999999 2.5\n", .samples = 2,
     .want = {PONG(4, 1e20, 2.5e-6)}},
    {"the end of a file that was cut in a number", OSU "8 2.25\n16 2.5", .samples = 1,
     .note = {{4, "ends in the middle of a row"}, {2, "single size"}}},
    {"... and one that only lacks its last newline", OSU "8 2.25\n16 2.50", .samples = 2},
    {"two programs' output in one log: one tool reads what is its own",
     OSU "8 2.25\n16 2.5\n" CPU "CPU 0 and CPU 1:\t1e-06\t\n", .samples = 1,
     .note = {{0, "read as BenchPress; it holds tables of OSU Micro-Benchmarks too, which --tool osu reads"}}},
    {"... and --tool the other", OSU "8 2.25\n16 2.5\n" CPU "CPU 0 and CPU 1:\t1e-06\t\n", .said = {.tool = "osu"},
     .samples = 2},
    {"the truncated token of BenchPress is not a value", CPU "CPU 0 and CPU 1:\t2.385e-06\t2.9", .samples = 1,
     .note = {{2, "cut off after column 1"}}},
    {"a number of many digits, and an exponent beyond all",
     CPU "CPU 0 and CPU 1:\t0.00000238500000000000000000001\t1e-400\t1e400\t\n", .samples = 1,
     .want = {PONG(2, 4, 2.385e-6)}, .note = {{2, "2 values are zero, negative or not numbers"}}},
};

static ns_status read_bytes(const void *bytes, size_t size, const log_said *said, ns_log **log, ns_error *err)
{
    const char *path = scratch_file("made.log", bytes, size);
    const ns_log_options options = log_options(said);
    *log = NULL;
    return ns_log_read(&path, 1, &options, log, err);
}

static void refused(const void *bytes, size_t size, const char *tool, long line, const char *words)
{
    const log_said said = {.tool = tool};
    ns_log *log;
    ns_error err = {.code = NS_OK};
    ck_assert_int_ne(read_bytes(bytes, size, &said, &log, &err), NS_OK);
    ck_assert_ptr_null(log);
    ck_assert_msg(strstr(err.text, words) != NULL && err.line == line, "%d: %s", (int)err.line, err.text);
}

TEST(test_binary)
{
    static const char late[] = OSU "8 2.25\n16 2.5\n\0\0\0";
    unsigned char noise[4096];
    uint32_t state = 12345;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    refused(noise, sizeof noise, NULL, 1, "binary data (a byte 0x");
    refused(noise, sizeof noise, "osu", 1, "binary data");
    refused(late, sizeof late - 1, NULL, 5, "binary data (a byte 0x00)");
    refused("\x1f\x8b\x08\x00", 4, NULL, 0, "compressed; wanted the text, as <(zcat FILE) gives it");
    refused("BZh91AY\x01", 8, "osu", 0, "compressed; wanted the text, as <(bzcat FILE) gives it");
    refused("text\n\x1f\x8b\x08", 8, NULL, 2, "binary data (a byte 0x1f)");
    refused("\x89PNG\r\n\x1a\n", 8, NULL, 2, "binary data (a byte 0x1a)");
    refused("\xff\xfe#\0 \0", 6, NULL, 1, "UTF-16 text, as some shells redirect; wanted it in UTF-8");
}

TEST(test_empty)
{
    refused("", 0, NULL, 0, "an empty file");
    refused("", 0, "imb", 0, "an empty file");
    refused("\xef\xbb\xbf", 3, NULL, 0, "an empty file");
    refused("\n\n\n", 3, NULL, 0, "no table of a known benchmark");
}

TEST(test_no_file)
{
    static const char *const names[] = {"does/not/exist.log", "tests"};
    static const char *const words[] = {"no such file", "cannot be read"};
    for (int i = 0; i < 2; i++) {
        ns_log *log = NULL;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_log_read(&names[i], 1, NULL, &log, &err), NS_ERR_FILE);
        ck_assert_msg(strstr(err.text, words[i]) != NULL, "%s", err.text);
        ck_assert_str_eq(err.file, names[i]);
    }
}

/* A line of more than a MiB, before the rows and among them. */
TEST(test_long_lines)
{
    const size_t length = 3u << 20;
    char *text = ns_malloc(2 * length + 256);
    ns_log *log;
    ns_error err = {.code = NS_OK};
    ck_assert_ptr_nonnull(text);
    size_t size = (size_t)sprintf(text, OSU "8 2.25\n");
    memset(text + size, '7', length);
    size += length;
    size += (size_t)sprintf(text + size, "\n16 2.5\n");
    memset(text + size, 'x', length);
    size += length;
    size += (size_t)sprintf(text + size, "\n32 2.75\n");
    ck_assert_msg(read_bytes(text, size, &(log_said){.tool = NULL}, &log, &err) == NS_OK, "%s", err.text);
    ck_assert_uint_eq(log->samples, 3);
    ck_assert_int_eq(log->sample[1].line, 5);
    ck_assert_int_eq(log->sample[2].line, 7);
    ck_assert_int_eq(log->warning[0].line, 4);
    ck_assert_int_eq(log->warning[1].line, 6);
    ck_assert_ptr_nonnull(strstr(log->warning[0].text, "a line of more than 1048576 bytes: left out"));
    ns_log_free(log);
    ns_free(text);
}

/* Many bad tables: fifty warnings, and how many more there were. */
TEST(test_many_warnings)
{
    char text[16384];
    size_t size = 0;
    ns_log *log;
    ns_error err = {.code = NS_OK};
    for (int i = 0; i < 73; i++)
        size += (size_t)sprintf(text + size, OSU "\n");
    size += (size_t)sprintf(text + size, OSU "8 2.25\n16 2.5\n");
    ck_assert_int_eq(read_bytes(text, size, &(log_said){.locality = "off-node"}, &log, &err), NS_OK);
    ck_assert_uint_eq(log->warnings, 51);
    ck_assert_str_eq(log->warning[50].text, "23 more warnings are not listed");
    ns_log_free(log);
}

/* Cut at every byte, a log is read or refused, and what is read was there before. */
TEST(test_cut_anywhere)
{
    static const char *const whole[] = {
        OSU "8 2.25\n16 12.50\n",
        CPU "CPU 0 and CPU 1:\t2.385e-06\t2.9e-06\t\n",
        IMB "8 1000 1.75 4.57\n16 1000 12.50 8.57\n",
        "Pingpong for\nmaster:  0\npartner: 4\n1\t4.00e-06\t4.50e-06\t\n",
        "bytes,us\n8,1.75\n16,2.50\n",
        "MPI_Send,8,32.5,2.0e-06\nMPI_Recv,8,32.5,6.0e-06\n",
        "Off-Node Ping-Pong:\nSize 8: 2.250000e-06\n",
        " L=1.125  s=1  o_s=0.125  o_r=0.1875  g=0.2  G=0.1 (1 GiB/s) lsqu(g,G)=-nan \n",
    };
    const log_said said = {.tool = NULL};
    for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
        ns_log *all, *part;
        ns_error err = {.code = NS_OK};
        ck_assert_msg(read_bytes(whole[w], strlen(whole[w]), &said, &all, &err) == NS_OK, "%s", err.text);
        for (size_t size = 0; size < strlen(whole[w]); size++) {
            ns_error why = {.code = NS_OK};
            if (read_bytes(whole[w], size, &said, &part, &why) != NS_OK)
                continue;
            for (size_t i = 0; i < part->samples; i++)
                ck_assert_msg(part->sample[i].seconds == all->sample[i].seconds &&
                                  part->sample[i].bytes == all->sample[i].bytes,
                              "text %zu cut at byte %zu: sample %zu of %g s", w, size, i, part->sample[i].seconds);
            ns_log_free(part);
        }
        ns_log_free(all);
    }
}

LOG_ROWS(NULL, rows)
