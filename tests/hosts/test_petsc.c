/* test_petsc.c -- inside PETSc: an unmodified program, 16 ranks of Open MPI on this machine, four a node */

#include "../support/test.h"
#include "support/host.h"
#include "support/layer.h"
#include "support/shell.h"

static void setup(void)
{
    scratch_open();
    host_build("mpicc.openmpi", "petsc_matvec.c", "petsc_matvec", "$(pkg-config --cflags --libs PETSc) -lm");
    host_build("mpicc.openmpi", "petsc_solve.c", "petsc_solve", "$(pkg-config --cflags --libs PETSc) -lm");
}

/* PETSc begins its exchanges and waits for them later. */
#define THREADS "NSMODEL_THREADS=multiple "

/* What the program prints, to the last bit of the last vector. */
static job_result multiply(const char *strategy, const char *settings, const char *options)
{
    char program[200];
    snprintf(program, sizeof program, "./petsc_matvec %s", options);
    job_result r = layer_job(JOB_OPEN_MPI, 16, 4, strategy, settings, program);
    ck_assert(strstr(r.out, "\n99 ") != NULL && strstr(r.out, "\nbits ") != NULL);
    return r;
}

/* 100 exchanges, and as many messages between nodes as the schedule has. */
static void check_strategy(const job_result *plain, const char *strategy, double messages)
{
    char priced[100];
    job_result r = multiply(strategy, THREADS "NSMODEL_MACHINE=lassen-spectrum", "-sf_type neighbor");
    ck_assert_str_eq(r.out, plain->out);
    ck_assert_ptr_nonnull(layer_log_after("16 processes on 4 nodes, entries of 8 B; machine lassen"));
    snprintf(priced, sizeof priced, "between nodes: %s ", strategy);
    double seconds, scheduled = -1;
    ck_assert_int_eq(sscanf(layer_log_after(priced), "%lf us %lf", &seconds, &scheduled), 2);
    ck_assert_double_eq(layer_log_number("in all: "), 100);
    ck_assert_double_eq(layer_log_number("of these "), 100 * scheduled);
    ck_assert_msg(messages < 0 || scheduled == messages, "%s: %g messages", strategy, scheduled);
    printf("petsc: %s: %g messages between nodes an exchange, predicted %g us\n", strategy, scheduled, seconds);
    job_free(&r);
}

TEST(every_strategy)
{
    job_result plain = multiply(NULL, "", "-sf_type neighbor"), basic = multiply(NULL, "", "-sf_type basic");
    ck_assert_str_eq(plain.out, basic.out);
    check_strategy(&plain, "standard", 192);
    check_strategy(&plain, "two-step", 48);
    check_strategy(&plain, "three-step", 12);
    check_strategy(&plain, "split-md", -1);
    job_free(&plain);
    job_free(&basic);
}

/* By advice, with the layer off, and without threads. */
TEST(no_strategy)
{
    job_result plain = multiply(NULL, "", "-sf_type neighbor");
    job_result advised = multiply("", THREADS "NSMODEL_MACHINE=lassen-spectrum", "-sf_type neighbor");
    ck_assert_str_eq(advised.out, plain.out);
    ck_assert_ptr_nonnull(layer_log_after("machine lassen-spectrum; predicted"));
    ck_assert_ptr_nonnull(layer_log_after("after 0 calls "));
    job_free(&advised);
    job_result off = multiply("off", "", "-sf_type neighbor");
    ck_assert_str_eq(off.out, plain.out);
    ck_assert_ptr_null(layer_log_after("nsmodel"));
    job_free(&off);
    job_result level = multiply("two-step", "", "-sf_type neighbor");
    ck_assert_str_eq(level.out, plain.out);
    ck_assert_ptr_nonnull(layer_log_after("NSMODEL_THREADS=multiple"));
    ck_assert_double_eq(layer_log_number("in all: "), 0);
    job_free(&level);
    job_free(&plain);
}

/* Messages between nodes cost a thousand times those inside: the model alone takes the fewest. */
static const char far_apart[] =
    "{\"schema\":\"nsmodel/machine/1\",\"name\":\"far\",\"title\":\"nodes far apart\",\"source\":\"tests\","
    "\"topology\":{\"sockets\":1,\"gpus\":0,\"host_processes\":4},"
    "\"host\":{\"protocols\":{\"eager\":\"0 B\"},"
    "\"on-socket\":{\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}},"
    "\"on-node\":{\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}},"
    "\"off-node\":{\"eager\":{\"alpha\":\"1 ms\",\"beta\":\"1 ns/B\"}}}}";

TEST(advised)
{
    char settings[1200];
    snprintf(settings, sizeof settings, THREADS "NSMODEL_PLAN=estimate NSMODEL_MACHINE=%s/far.json", scratch_folder());
    FILE *file = fopen(strchr(settings, '/'), "w");
    ck_assert_ptr_nonnull(file);
    fputs(far_apart, file);
    ck_assert_int_eq(fclose(file), 0);
    job_result plain = multiply(NULL, "", "-sf_type neighbor");
    job_result r = multiply("", settings, "-sf_type neighbor");
    ck_assert_str_eq(r.out, plain.out);
    const char *chosen = layer_log_after("after 0 calls ");
    ck_assert_msg(chosen != NULL && strncmp(chosen, "standard", 8) != 0 && strncmp(chosen, "MPI", 3) != 0, "%s",
                  chosen);
    ck_assert_double_eq(layer_log_number("in all: "), 100);
    ck_assert_double_eq(layer_log_number("of these "), 100 * 12);
    job_free(&r);
    job_free(&plain);
}

/* What a run of 100 products has learnt the next one knows: it tries nothing, and has the same norms. */
TEST(remembered)
{
    char settings[1300];
    snprintf(settings, sizeof settings, THREADS "NSMODEL_WISDOM=%s/wisdom.jsonl", scratch_folder());
    job_result first = multiply("", settings, "-sf_type neighbor");
    ck_assert_ptr_null(layer_log_after("all calls"));
    job_result second = multiply("", settings, "-sf_type neighbor");
    ck_assert_str_eq(second.out, first.out);
    ck_assert_ptr_nonnull(layer_log_after("for all calls"));
    ck_assert_ptr_nonnull(layer_log_after("; 0 trials so far"));
    ck_assert_ptr_null(layer_log_after("exchange 1: after 1 calls"));
    job_free(&first);
    job_free(&second);
}

/* The last of the ranks has no neighbours, and PETSc does not call there. */
TEST(uncoupled)
{
    static const char *const strategies[] = {"standard", "two-step", "three-step", ""};
    static const char program[] = "./petsc_solve -sf_type neighbor";
    job_result plain = layer_job(JOB_OPEN_MPI, 9, 4, NULL, "", program);
    ck_assert(strstr(plain.out, "\n20 ") != NULL && strstr(plain.out, "\nsolved\n") != NULL);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        job_result r = layer_job(JOB_OPEN_MPI, 9, 4, strategies[i], THREADS, program);
        ck_assert_str_eq(r.out, plain.out);
        ck_assert_ptr_nonnull(layer_log_after("8 processes on 2 nodes, entries of "));
        if (strategies[i][0] != '\0') /* the planner may leave all of them to MPI */
            ck_assert_double_ge(layer_log_number("in all: "), 20);
        job_free(&r);
    }
    job_free(&plain);
}

TEST_NEEDS(host_module("petsc", "PETSc") && layer_ready("petsc", JOB_OPEN_MPI))
TEST_FIXTURE(setup, scratch_close)
TEST_TIMEOUT(600)
