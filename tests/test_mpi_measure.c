/* test_mpi_measure.c -- from bare processes to a machine file and back: measure, fit, predict, run, validate, fit again
 *
 * Times of a test machine mean nothing: what is asked of them is that they are there, for every kind and size.
 */

#include <nsmodel/json.h>

#include "core/memory.h"
#include "support/files.h"
#include "support/job.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

/* nsmodel in the scratch folder, as JSON. */
static ns_value *nsmodel_json(const char *line)
{
    ns_value *root = NULL;
    job_result r = job_shell("%s/nsmodel %s --json", job_programs(), line);
    ck_assert_msg(r.code == 0, "nsmodel %s: %.1500s", line, r.err);
    ck_assert(ns_json_parse(r.out, "output", &root, NULL) == NS_OK);
    job_free(&r);
    return test_keep(root);
}

static char *read_log(const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    return read_whole(path);
}

/* Rows of a log: lines that begin with a digit. */
static double count_rows(const char *log)
{
    double rows = 0;
    for (const char *at = log; at != NULL; at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL)
        rows += *at >= '0' && *at <= '9';
    return rows;
}

static const char *const tables[] = {
    "table ping-pong on-node pairs 1 messages 1\n1 ",
    "table ping-pong off-node pairs 1 messages 1\n1 ",
    "table node-pong off-node pairs 2 messages 1\n1 ",
    "table multi-message off-node pairs 1 messages 2\n8 ",
    "table multi-message off-node pairs 1 messages 64\n8 ",
    "table multi-message off-node pairs 2 messages 8\n8 ",
    "table queue-in-order off-node pairs 1 messages 512\n8 ",
    "table queue-reversed off-node pairs 1 messages 512\n8 ",
    "table loggp L processes 2\n1 ",
    "table loggp o_s processes 2\n1 ",
    "table loggp o_r processes 2\n1 ",
    "table loggp g processes 2\n1 ",
    "table loggp G processes 2\n4 ",
    "table collective allreduce processes 4\n8 ",
    "table packing blocks processes 2\n4096 ",
    "\njob ranks 4 nodes 2 sockets 2\n",
    "\nhost 0 ranks 4 cores ",
};

static void check_log(const ns_value *answer)
{
    char *log = read_log("mine.log");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        ck_assert_msg(strstr(log, tables[i]) != NULL, "the log lacks %s", tables[i]);
    ck_assert_double_eq(number_at(answer, "numbers"), count_rows(log));
    ck_assert(times_in(log, "\nend ") == 1);
}

static void check_fit(void)
{
    ns_value *fit = nsmodel_json("fit mine.log --per-node 2 --name mine -o mine.json");
    ck_assert_double_gt(number_at(fit, "loggp.o.value"), 0);
    ck_assert_double_gt(number_at(fit, "loggp.G.value"), 0);
    int localities = 0, collectives = 0;
    for (const ns_value *c = ns_value_get(fit, "classes")->first; c != NULL; c = c->next)
        localities |= 1 << (strcmp(text_at(c, "locality"), "off-node") == 0);
    for (const ns_value *c = ns_value_get(fit, "collectives")->first; c != NULL; c = c->next)
        collectives++;
    ck_assert_int_eq(localities, 3); /* on the node, and off it */
    ck_assert_int_eq(collectives, 1);
    char *machine = read_log("mine.json"), *packing = strstr(machine, "\"packing\": {");
    ck_assert_msg(packing != NULL, "%s", machine);
    ck_assert_ptr_nonnull(strstr(packing, "by 2 processes of a node at once"));
}

/* The machine that was fitted prices an exchange, performs it, and learns from its times. */
static void check_loop(void)
{
    static const char *const exchanges[] = {"alltoall:64B", "alltoall:1KiB", "alltoall:8KiB"};
    ns_value *predicted = nsmodel_json("predict --matrix rajat01 -p 4 --per-node 2 --machine ./mine.json");
    ck_assert_ptr_nonnull(ns_value_get(predicted, "cases"));
    for (size_t i = 0; i < 3; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 "run --messages %s --per-node 2 --machine ./mine.json --repetitions 2 --records mine.csv",
                 exchanges[i]);
        ns_value *run = job_json(JOB_OPEN_MPI, 4, line);
        ck_assert_str_eq(text_at(run, "machine.name"), "mine");
        ck_assert(ns_value_get(run, "verified")->truth);
    }
    ns_value *scores = nsmodel_json("validate --records mine.csv");
    /* split-dd is split-md here: four ways of each */
    ck_assert_double_eq(number_at(ns_value_get(scores, "scores")->first, "exchanges"), 12);
    ns_value_free(nsmodel_json("fit mine.log --per-node 2 --records mine.csv -o better.json"));
    char *better = read_log("better.json");
    ck_assert_msg(strstr(better, "model_error") != NULL, "no error was learnt from the records");
}

TEST_EACH(the_whole_way, job_ready("nsmodel-mpi measure", JOB_OPEN_MPI))
{
    ns_value *answer = job_json(JOB_OPEN_MPI, 4,
                                "measure -o mine.log --per-node 2 --sockets 2 --most 4KiB "
                                "--seconds 0.001");
    check_log(answer);
    check_fit();
    check_loop();
}

/* Device memory, by a stand-in for its runtime: no real device was at hand. */
TEST_EACH(devices, job_ready("device memory by a stand-in", JOB_OPEN_MPI))
{
    char at[1000];
    ck_assert_ptr_nonnull(getcwd(at, sizeof at));
    job_result r =
        job_shell("cc -std=c11 -O1 -fPIC -shared -o runtime.so %s/tests/mpi/device_runtime.c && "
                  "%s -x LD_PRELOAD=$PWD/runtime.so %s/nsmodel-mpi measure -o device.log --per-node 2 --sockets 1 "
                  "--most 16KiB --seconds 0.001 > out && cat device.0 device.3",
                  at, job_launch(4), job_programs());
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    /* ranks of a host take its devices in turn; what was given is taken back */
    int device[2];
    long given[2], back[2];
    ck_assert_int_eq(sscanf(r.out, "device %d given %ld taken back %ld device %d given %ld taken back %ld", &device[0],
                            &given[0], &back[0], &device[1], &given[1], &back[1]),
                     6);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(device[i], i);
        ck_assert_int_gt(given[i], i == 0 ? 2 * 2 * (16 << 10) : 0);
        ck_assert_int_eq(given[i], back[i]);
    }
    job_free(&r);
    char *log = read_log("device.log");
    ck_assert_ptr_nonnull(strstr(log, "\n# device memory by CUDA, 2 devices on the first host\n"));
    ck_assert_ptr_nonnull(strstr(log, "\ntable ping-pong off-node pairs 1 messages 1 memory device\n1 "));
    ck_assert_ptr_nonnull(strstr(log, "\ntable ping-pong on-socket pairs 1 messages 1 memory device\n1 "));
    ck_assert_uint_eq(times_in(log, "memory device"), 2);
    ns_value *fit = nsmodel_json("fit device.log --per-node 2 --gpus 2 --name mine -o mine.json");
    int classes = 0;
    for (const ns_value *c = ns_value_get(fit, "classes")->first; c != NULL; c = c->next)
        classes += strcmp(text_at(c, "memory"), "device") == 0;
    ck_assert_int_ge(classes, 2);
    fit = nsmodel_json("predict --matrix rajat01 --nodes 2 --machine ./mine.json --strategy standard");
    ck_assert_ptr_nonnull(strstr(text_at(ns_value_get(fit, "cases")->first, "machine"), "mine"));
}

/* The script of `nsmodel calibrate`, where the launcher and the programs are what this machine has. */
TEST_EACH(a_script, job_ready("a script of calibrate", JOB_OPEN_MPI))
{
    job_result r =
        job_shell("%s/nsmodel calibrate --script plain --nodes 1 --per-node 2 --matrix rajat01 --matrix "
                  "stencil5:100x100 -o job.sh && mkdir bin && "
                  "printf '#!/bin/sh\\nexec mpirun.openmpi --oversubscribe \"$@\"\\n' > bin/mpirun && "
                  "printf '#!/bin/sh\\nset -- \"$@\" --most 256B --seconds 0.001 --repetitions 2 --ways 2\\n"
                  "exec %s/nsmodel-mpi \"$@\"\\n' > bin/nsmodel-mpi && "
                  "ln -s %s/nsmodel bin/nsmodel && chmod +x bin/* && PATH=$PWD/bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 "
                  "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 100 sh job.sh",
                  job_programs(), job_programs(), job_programs());
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    job_free(&r);
    ns_value *machine = nsmodel_json("machines ./mine.json");
    ck_assert_str_eq(text_at(machine, "name"), "mine");
}

/* What a simulator's platform says: 10 GB/s, 1 us a link, three of them between two hosts. */
TEST_EACH(simulated, job_ready("nsmodel-smpi measure", JOB_SIMULATED))
{
    ns_value *answer = job_json(JOB_SIMULATED, 4, "measure -o mine.log --sockets 1 --most 64KiB");
    ck_assert_double_eq(number_at(answer, "nodes"), 2);
    ck_assert_double_eq(number_at(answer, "not_tight"), 0);
    ns_value *fit = nsmodel_json("fit mine.log -o mine.json");
    bool found = false;
    for (const ns_value *c = ns_value_get(fit, "classes")->first; c != NULL; c = c->next)
        if (strcmp(text_at(c, "locality"), "off-node") == 0) {
            ck_assert_double_gt(number_at(c, "alpha_s"), 2e-6);
            ck_assert_double_lt(number_at(c, "alpha_s"), 20e-6);
            found = true;
        }
    ck_assert(found);
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(400)
