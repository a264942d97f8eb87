/* test_logs_detect.c -- which tool printed a file, flags that say otherwise, and several files in one call */

#include "support/log_rows.h"
#include "support/shared.h"
#include "support/test.h"

#define OSU  "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n8 2.25\n16 2.5\n"
#define RATE "Timing Max-Rate CPU Ping-Pongs\nSize 64\t1e-06\t1.25e-06\t\n"

static const struct {
    const char *tool, *text;
} marks[] = {
    {"osu", OSU},
    {"osu", "0: # OSU MPI Bandwidth Test v5.8\n0: # Size      Bandwidth (MB/s)\n0: 8 2.25\n"},
    {"imb", "#    Intel(R) MPI Benchmark Suite V3.2.4, MPI-1 part\n# Benchmarking PingPong\n# #processes = 2\n"
            " #bytes #repetitions t[usec] Mbytes/sec\n8 1000 1.75 4.57\n"},
    {"imb", "# Benchmarking Uniband\n# #processes = 2\n #bytes #repetitions Mbytes/sec Msg/sec\n8 1000 4.0 500000\n"},
    {"benchpress", "Profiling Standard CPU Ping-Pongs:\nCPU 0 and CPU 1:\t1e-06\t\n"},
    {"benchpress", "CPU 0 and CPU 1:\t0.00125\t\n"},
    {"benchpress", "H2D:\n1:\t1.0e-02\t\n"},
    {"advance", "Off-Node Ping-Pong:\nSize 1: 3.0e-06\n"},
    {"nodecomm", "Pingpong for\nmaster:  0\npartner: 4\n1\t4.00e-06\t\n"},
    {"nodecomm", "Hops: 3\n1\t4.00e-06\t\n"},
    {"netgauge", "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
                 "1 10 2.25 4.5 23.75 1.125 0.125 0.1875 0.2 0.1 0.1\n"},
    {"netgauge",
     "Testing 1 bytes 200 times:\n L=1.125  s=1  o_s=0.125  o_r=0.1875  g=0.2  G=0.1 (1 GiB/s) lsqu(g,G)=-nan \n"},
    {"netpipe", "  0:       1 bytes   4794 times -->      1.07 Mbps in       7.10 usec\n"},
    {"simgrid", "MPI_Send,8,32.5,2.0e-06\nMPI_Recv,8,32.5,6.0e-06\n"},
    {"nsmodel", "nsmodel-mpi measure 1\ntable ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\nend 1 "
                "numbers, 0 of them not tight\n"},
    {"csv", "# by hand\nbytes,us\n8,1.75\n"},
};

static ns_log *read_text(const char *text, const log_said *said)
{
    const char *path = scratch_file("made.log", text, strlen(text));
    const ns_log_options options = log_options(said);
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_log_read(&path, 1, &options, &log, &err) == NS_OK, "\"%.40s\": %s", text, err.text);
    return log;
}

/* Alone, and after what a job prints before it. */
TEST_EACH(test_content, sizeof marks / sizeof *marks)
{
    static const char *const before =
        "Loading module mpi/4.1\n{\"job\": 17, \"nodes\": [\"n1\", \"n2\"]}\n+ srun -N2 -n2 ./bench\n\n";
    char text[1024];
    ns_log *log = read_text(marks[_i].text, &(log_said){.tool = NULL});
    const size_t samples = log->samples;
    ck_assert_str_eq(log->tool[0], marks[_i].tool);
    ns_log_free(log);
    if (strcmp(marks[_i].tool, "csv") == 0 || strcmp(marks[_i].tool, "simgrid") == 0)
        return; /* files, not what a program prints into a job's output */
    snprintf(text, sizeof text, "%s%s", before, marks[_i].text);
    log = read_text(text, &(log_said){.tool = NULL});
    ck_assert_str_eq(log->tool[0], marks[_i].tool);
    ck_assert_uint_eq(log->samples, samples);
    ns_log_free(log);
}

/* Each tool has a name that --tool takes and a text above that is its own. */
TEST(test_every_tool)
{
    for (const char *const *name = ns_log_tool_names(); *name != NULL; name++) {
        int found = 0;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            if (strcmp(marks[i].tool, *name) != 0)
                continue;
            found++;
            ns_log *log = read_text(marks[i].text, &(log_said){.tool = *name});
            ck_assert_uint_gt(log->samples, 0);
            ns_log_free(log);
        }
        ck_assert_msg(found > 0, "no text of %s", *name);
    }
}

static const log_row rows[] = {
    {"--tool of another tool finds nothing of its own", OSU, {.tool = "imb"}, .refusal = "no table with a time in it"},
    {"no such tool", OSU, {.tool = "osuu"}, .refusal = "no log tool \"osuu\"; did you mean \"osu\"?"},
    {"--memory for what a CUDA build does not say",
     "# OSU MPI-CUDA Allreduce Latency Test v5.8\n# Size       Avg Latency(us)\n8 20.5\n", .said = {.memory = "device"},
     .samples = 1, .want = {{3, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 0, 1, 8, 20.5e-6, "allreduce"}}},
    {"copies and collectives have no locality to override",
     "HostToDevice:\n1:\t1.25e-02\t\nGPU Allreduce:\n1:\t1.5e+00\t\n", .said = {.locality = "on-socket"}, .samples = 2,
     .want = {{2, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 1.25e-5, NULL},
              {4, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 0, 1, 4, 1.5e-3, "allreduce"}}},
    {"a kind that a log has no use for changes nothing, and is said", OSU, .said = {.kind = "maxrate"}, .samples = 2,
     .note = {{0, "--kind changes nothing"}}},
};

/* Three files: samples and warnings know theirs; what is said of one file is said of it alone. */
TEST(test_several_files)
{
    const char *path[3] = {scratch_file("a.log", OSU, strlen(OSU)), scratch_file("b.log", RATE, strlen(RATE)),
                           scratch_file("c.log", OSU, strlen(OSU))};
    const char *kind[3] = {NULL, "node-pong", NULL};
    const int locality[3] = {-1, -1, NS_ON_NODE}, memory[3] = {NS_DEVICE, -1, -1};
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    options.kind_of_file = kind;
    options.locality_of_file = locality;
    options.memory_of_file = memory;
    ck_assert_msg(ns_log_read(path, 3, &options, &log, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(log->files, 3);
    ck_assert_str_eq(log->tool[1], "benchpress");
    ck_assert_uint_eq(log->samples, 6);
    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(log->sample[i].file, (int)i / 2);
    ck_assert_int_eq(log->sample[0].memory, NS_DEVICE);
    ck_assert_int_eq(log->sample[0].locality, NS_OFF_NODE);
    ck_assert(log->sample[3].kind == NS_NODE_PONG && log->sample[3].bytes == 128);
    ck_assert_int_eq(log->sample[5].locality, NS_ON_NODE);
    ck_assert_int_eq(log->sample[5].memory, NS_HOST);
    ck_assert_uint_eq(log->warnings, 1);
    ck_assert_int_eq(log->warning[0].file, 0);
    ck_assert_str_eq(log->file[2], path[2]);
    ns_log_free(log);
}

/* A refused file ends the call, or is a warning with its line among good ones, but never when nothing is good. */
TEST(test_keep_going)
{
    const char *path[2] = {scratch_file("bad.log", RATE, strlen(RATE)), scratch_file("good.log", OSU, strlen(OSU))};
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_log_read(path, 2, &options, &log, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.file, path[0]);
    ck_assert_int_eq(err.line, 1);
    options.keep_going = 1;
    ck_assert_int_eq(ns_log_read(path, 2, &options, &log, &err), NS_OK);
    ck_assert_uint_eq(log->samples, 2);
    ck_assert_int_eq(log->sample[0].file, 1);
    ck_assert(log->warning[0].file == 0 && log->warning[0].line == 1);
    ck_assert_ptr_nonnull(strstr(log->warning[0].text, "--kind says which"));
    ns_log_free(log);
    log = NULL;
    ck_assert_int_eq(ns_log_read(path, 1, &options, &log, &err), NS_ERR_DATA);
    ck_assert_ptr_null(log);
    ck_assert_int_eq(ns_log_read(path, 0, &options, &log, &err), NS_ERR_RANGE);
}

LOG_ROWS(NULL, rows)
