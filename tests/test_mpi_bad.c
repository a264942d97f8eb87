/* test_mpi_bad.c -- nsmodel-mpi when something is wrong: one message, from rank 0, no hang, and a code that is not 0
 *
 * Every job has a minute and a half; one that hangs is ended by then and fails its test.
 */
#include <signal.h>
#include <time.h>

#include "support/files.h"
#include "support/job.h"
#include "support/shell.h"
#include "support/test.h"

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

TEST_EACH(refusal, sizeof refusals / sizeof *refusals)
{
    job_result r = job(JOB_OPEN_MPI, 4, refusals[_i].line);
    job_refused(&r, refusals[_i].words);
}

/* Help, the manual page, completion and the documents name the same commands. */
TEST(one_table)
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

TEST(one_rank_to_measure)
{
    job_result r = job(JOB_OPEN_MPI, 1, "measure -o log");
    job_refused(&r, "measure wants two ranks or more");
}

TEST(other_arguments)
{
    job_result r = job_shell("%s %s/nsmodel-mpi run --matrix rajat01 : -n 2 %s/nsmodel-mpi run --matrix xenon1",
                             job_launch(2), job_programs(), job_programs());
    job_refused(&r, "nsmodel-mpi: rank 2 of 4: it has other arguments than rank 0");
}

/* The same name in two folders: nothing, or another matrix. */
static job_result two_folders(const char *before)
{
    return job_shell(
        "mkdir a b; printf '%%%%%%%%MatrixMarket matrix coordinate pattern general\\n4 4 2\\n1 4\\n4 1\\n' "
        "> a/m.mtx; %s; %s --wdir %s/a %s/nsmodel-mpi run --matrix m.mtx --per-node 2 : -n 2 --wdir %s/b "
        "%s/nsmodel-mpi run --matrix m.mtx --per-node 2",
        before, job_launch(2), scratch_folder(), job_programs(), scratch_folder(), job_programs());
}

TEST(other_arguments_to_measure)
{
    job_result r = job_shell("%s %s/nsmodel-mpi measure -o log : -n 2 %s/nsmodel-mpi measure -o log --most 8B",
                             job_launch(2), job_programs(), job_programs());
    job_refused(&r, "nsmodel-mpi: rank 2 of 4: it has other arguments than rank 0");
}

TEST(a_matrix_that_some_cannot_open)
{
    job_result r = two_folders(":");
    job_refused(&r, "rank 2 of 4: cannot open: No such file or directory");
}

TEST(another_matrix)
{
    job_result r = two_folders("sed 's/^1 4/2 3/' a/m.mtx > b/m.mtx");
    job_refused(&r, "rank 2 of 4: it has another exchange than rank 0");
}

/* ---- processes that are lost ------------------------------------------------------------------------------------- */

/* A long job whose ranks leave their numbers; one of them gets a signal once all have.  Rank 3 takes part in few of the
 * benchmarks, and sleeps through the first. */
static const struct {
    const char *line;
    int rank;
} long_jobs[] = {
    {"run --matrix stencil9:200x200 --per-node 2 --repetitions 100000", 2},
    {"measure --per-node 2 --seconds 10 -o log", 2},
    {"measure --per-node 2 --seconds 1 -o log", 3},
};
enum { LONG_JOBS = sizeof long_jobs / sizeof *long_jobs };

static job_result with_signal(int job, const char *signal)
{
    return job_shell("cat > wrap <<'END'\n#!/bin/sh\necho $$ > pid.$OMPI_COMM_WORLD_RANK\nexec \"$@\"\nEND\n"
                     "chmod +x wrap\n"
                     "{ for i in $(seq 300); do [ -s pid.0 ] && [ -s pid.1 ] && [ -s pid.2 ] && [ -s pid.3 ] && break; "
                     "sleep 0.1; done; sleep 2; kill -%s $(cat pid.%d); } &\n"
                     "%s ./wrap %s/nsmodel-mpi %s --timeout 4; code=$?; wait; (exit $code)",
                     signal, long_jobs[job].rank, job_launch(4), job_programs(), long_jobs[job].line);
}

TEST_EACH(killed, LONG_JOBS)
{
    job_result r = with_signal(_i, "KILL");
    job_refused(&r, "nsmodel-mpi: ended by the launcher, as it does when a process of the job dies; it was at: ");
}

TEST_EACH(stopped, LONG_JOBS)
{
    job_result r = with_signal(_i, "STOP");
    job_refused(&r, "nsmodel-mpi: no answer for 4 s (--timeout), so a process is stopped or lost; it was at: ");
}

TEST_NEEDS(job_ready("bad input of nsmodel-mpi", JOB_OPEN_MPI))
TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(120)
