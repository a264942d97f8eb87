/* test_mpi_bad.c -- nsmodel-mpi when something is wrong: one message, from rank 0, no hang, and a code that is not 0
 *
 * Every job has a minute and a half; one that hangs is ended by then and fails its test.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/files.h"
#include "support/job.h"
#include "support/shell.h"

enum { TIMED_OUT = 124 /* of timeout(1) */ };

static void setup(void)
{
    scratch_open();
}

static void teardown(void)
{
    scratch_close();
}

/* The message, once; the launcher's own words around it are its own matter. */
static void refused(job_result *r, const char *words)
{
    ck_assert_msg(r->code != 0 && r->code != TIMED_OUT, "exit code %d\n%.1500s", r->code, r->err);
    ck_assert_msg(strstr(r->err, words) != NULL, "wanted \"%s\", got\n%.1500s", words, r->err);
    ck_assert_msg(times_in(r->err, "nsmodel-mpi: ") == 1, "more than one message:\n%.1500s", r->err);
    ck_assert_str_eq(r->out, "");
    job_free(r);
}

static const struct {
    const char *line, *words;
} refusals[] = {
    {"run --matrix no/such.mtx --per-node 2", "nsmodel-mpi: no/such.mtx: cannot open"},
    {"run --matrix rajat01 --per-node 0", "--per-node wants whole numbers from 1"},
    {"run --matrix rajat01 --strategy fastest", "no strategy \"fastest\""},
    {"run --matrix rajat01 --per-node 3 --strategy split-md",
     "split-md wants full nodes: 4 ranks are no multiple of 3"},
    {"run --matrix rajat01 --machine lassen,summit", "run measures one machine"},
    {"run --matrix rajat01 --machine lasen", "did you mean \"lassen\"?"},
    {"run --matrix rajat01 --messages alltoall:8B", "not both"},
    {"run --matrix rajat01 --repetitions 0", "--repetitions wants a number from 1"},
    {"run --matrix rajat01 --timeout soon", "--timeout wants a number from 1 to 1e6, got \"soon\""},
    {"run --matrix rajat01 --records /no/such/folder/mine.csv", "/no/such/folder"},
    {"run --matrix rajat01 --gpus 4", "run has no option --gpus"},
    {"run --matrix rajat01 more", "unexpected argument \"more\"; usage: nsmodel-mpi run"},
    {"measure", "measure wants -o LOG"},
    {"measure -o /no/such/folder/log", "/no/such/folder"},
    {"measure -o log --most 1GiB", "--most wants 64 MiB at most"},
    {"perform", "no command \"perform\"; there are run, measure, tune, pattern and predict"},
};

START_TEST(refusal)
{
    job_result r = job(JOB_OPEN_MPI, 4, refusals[_i].line);
    refused(&r, refusals[_i].words);
}
END_TEST

/* Help, the manual page, completion and the documents name the same commands. */
START_TEST(one_table)
{
    job_result r = job_shell("%s/nsmodel-mpi --complete 'nsmodel-mpi ' | cut -f 1 | grep -v help | grep -v version",
                             job_programs());
    ck_assert_int_eq(r.code, 0);
    ck_assert_uint_ge(times_in(r.out, "\n"), 5);
    char at[1000];
    ck_assert_ptr_nonnull(getcwd(at, sizeof at));
    for (char *name = strtok(r.out, "\n"); name != NULL; name = strtok(NULL, "\n")) {
        job_result one = job_shell("%s %s/nsmodel-mpi --help | grep -q '^  %s ' && %s/nsmodel-mpi --man | grep -q "
                                   "'COMMAND %s' && grep -q 'nsmodel-mpi %s' %s/docs/cluster.md",
                                   job_launch(1), job_programs(), name, job_programs(), name, name, at);
        ck_assert_msg(one.code == 0, "%s: %.1000s", name, one.err);
        job_free(&one);
    }
    job_free(&r);
}
END_TEST

START_TEST(one_rank_to_measure)
{
    job_result r = job(JOB_OPEN_MPI, 1, "measure -o log");
    refused(&r, "measure wants two ranks or more");
}
END_TEST

START_TEST(other_arguments)
{
    job_result r = job_shell("%s %s/nsmodel-mpi run --matrix rajat01 : -n 2 %s/nsmodel-mpi run --matrix xenon1",
                             job_launch(2), job_programs(), job_programs());
    refused(&r, "nsmodel-mpi: rank 2 of 4: it has other arguments than rank 0");
}
END_TEST

/* The same name in two folders: nothing, or another matrix. */
static job_result two_folders(const char *before)
{
    return job_shell(
        "mkdir a b; printf '%%%%%%%%MatrixMarket matrix coordinate pattern general\\n4 4 2\\n1 4\\n4 1\\n' "
        "> a/m.mtx; %s; %s --wdir %s/a %s/nsmodel-mpi run --matrix m.mtx --per-node 2 : -n 2 --wdir %s/b "
        "%s/nsmodel-mpi run --matrix m.mtx --per-node 2",
        before, job_launch(2), scratch_folder(), job_programs(), scratch_folder(), job_programs());
}

START_TEST(other_arguments_to_measure)
{
    job_result r = job_shell("%s %s/nsmodel-mpi measure -o log : -n 2 %s/nsmodel-mpi measure -o log --most 8B",
                             job_launch(2), job_programs(), job_programs());
    refused(&r, "nsmodel-mpi: rank 2 of 4: it has other arguments than rank 0");
}
END_TEST

START_TEST(a_matrix_that_some_cannot_open)
{
    job_result r = two_folders(":");
    refused(&r, "rank 2 of 4: cannot open: No such file or directory");
}
END_TEST

START_TEST(another_matrix)
{
    job_result r = two_folders("sed 's/^1 4/2 3/' a/m.mtx > b/m.mtx");
    refused(&r, "rank 2 of 4: it has another exchange than rank 0");
}
END_TEST

/* ---- processes that are lost ------------------------------------------------------------------------------------- */

/* A long job whose ranks leave their numbers; rank 2 gets a signal once all have. */
static const char *const long_jobs[] = {"run --matrix stencil9:200x200 --per-node 2 --repetitions 100000",
                                        "measure --per-node 2 --seconds 10 -o log"};

static job_result with_signal(const char *line, const char *signal)
{
    return job_shell("cat > wrap <<'END'\n#!/bin/sh\necho $$ > pid.$OMPI_COMM_WORLD_RANK\nexec \"$@\"\nEND\n"
                     "chmod +x wrap\n"
                     "{ for i in $(seq 300); do [ -s pid.0 ] && [ -s pid.1 ] && [ -s pid.2 ] && [ -s pid.3 ] && break; "
                     "sleep 0.1; done; sleep 2; kill -%s $(cat pid.2); } &\n"
                     "%s ./wrap %s/nsmodel-mpi %s --timeout 4; code=$?; wait; (exit $code)",
                     signal, job_launch(4), job_programs(), line);
}

START_TEST(killed)
{
    job_result r = with_signal(long_jobs[_i], "KILL");
    refused(&r, "nsmodel-mpi: ended by the launcher, as it does when a process of the job dies; it was at: ");
}
END_TEST

START_TEST(stopped)
{
    job_result r = with_signal(long_jobs[_i], "STOP");
    refused(&r, "nsmodel-mpi: no answer for 4 s (--timeout), so a process is stopped or lost; it was at: ");
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("nsmodel-mpi, bad input");
    TCase *tc = tcase_create("refused");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    if (job_ready("bad input of nsmodel-mpi", JOB_OPEN_MPI)) {
        tcase_add_loop_test(tc, refusal, 0, sizeof refusals / sizeof *refusals);
        tcase_add_test(tc, one_table);
        tcase_add_test(tc, one_rank_to_measure);
        tcase_add_test(tc, other_arguments);
        tcase_add_test(tc, other_arguments_to_measure);
        tcase_add_test(tc, a_matrix_that_some_cannot_open);
        tcase_add_test(tc, another_matrix);
        tcase_add_loop_test(tc, killed, 0, 2);
        tcase_add_loop_test(tc, stopped, 0, 2);
    }
    suite_add_tcase(s, tc);
    return s;
}
