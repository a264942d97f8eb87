/* test_mpi_cluster.c -- nsmodel-mpi on a small cluster: network namespaces with names, cables and a rate of their own
 *
 * Values, counts and an end are asked for.  Times are printed beside the load of this machine, and nothing is asked of
 * them.
 */
#include <nsmodel/json.h>

#include "core/memory.h"
#include "support/files.h"
#include "support/job.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static void report(const ns_value *run)
{
    char load[100] = "?";
    (void)shell(load, sizeof load, "cat /proc/loadavg");
    for (const ns_value *row = ns_value_get(run, "strategies")->first; row != NULL; row = row->next)
        printf("%s: %.3g s on %g nodes, load %.4s\n", text_at(row, "strategy"), number_at(row, "measured_s"),
               number_at(run, "nodes"), load);
}

TEST(an_exchange)
{
    job_result r;
    ns_value *run = NULL;
    if (!job_cluster(3, 2,
                     "run --matrix stencil9:40x40 --repetitions 1 --strategy standard,three-step --timeout 100 --json",
                     &r))
        return;
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    ck_assert(ns_json_parse(r.out, "output", &run, NULL) == NS_OK);
    ck_assert_double_eq(number_at(run, "ranks"), 6);
    ck_assert_double_eq(number_at(run, "hosts"), 3); /* MPI sees as many machines */
    ck_assert_double_eq(number_at(run, "nodes"), 3);
    ck_assert_double_eq(number_at(run, "per_node"), 2);
    ck_assert(ns_value_get(run, "verified")->truth);
    for (const ns_value *row = ns_value_get(run, "strategies")->first; row != NULL; row = row->next)
        ck_assert_double_gt(number_at(row, "values_checked"), 0);
    report(run);
    ns_value_free(run);
    job_free(&r);
}

/* Everything between two nodes; a machine is made of it and prices an exchange. */
TEST(a_machine)
{
    char line[1300], path[1200];
    job_result r;
    snprintf(line, sizeof line, "measure --most 64B --seconds 0.001 --timeout 100 -o %s/mine.log", scratch_folder());
    if (!job_cluster(2, 1, line, &r))
        return;
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    job_free(&r);
    snprintf(path, sizeof path, "%s/mine.log", scratch_folder());
    char *log = read_whole(path);
    ck_assert_ptr_nonnull(strstr(log, "\njob ranks 2 nodes 2 "));
    ck_assert_ptr_nonnull(strstr(log, "\nhost 1 ranks 1 cores "));
    ck_assert_ptr_nonnull(strstr(log, "# node2\n"));
    ck_assert_ptr_null(strstr(log, "on-node"));
    r = job_shell("%s/nsmodel fit mine.log -o mine.json && %s/nsmodel predict --messages alltoall:8B -p 2 "
                  "--per-node 1 --machine ./mine.json --strategy standard", /* no longer than what was measured */
                  job_programs(), job_programs());
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
}

/* Waiting for the schedulers of one machine makes exchanges far longer than ping-pongs tell; what was learnt has that,
 * also of a matrix that was left out. */
TEST(tuned)
{
    char line[1300];
    job_result r;
    ns_value *tune = NULL;
    snprintf(
        line, sizeof line,
        "tune -o %s/mine.json --sockets 1 --most 64B --seconds 0.001 --limit 30 --repetitions 2 --ways 2 --timeout "
        "100 --width 8B,512B stencil5:60x60 rajat01 --json",
        scratch_folder());
    if (!job_cluster(2, 2, line, &r))
        return;
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    ck_assert(ns_json_parse(r.out, "output", &tune, NULL) == NS_OK);
    printf("tune: left out, median |log2| %.3g, then %.3g\n", number_at(tune, "missed_by.left_out_first"),
           number_at(tune, "missed_by.left_out_second"));
    ck_assert_double_lt(number_at(tune, "missed_by.left_out_second"), number_at(tune, "missed_by.left_out_first"));
    ns_value_free(tune);
    job_free(&r);
}

/* Nothing is left behind. */
TEST(cleaned)
{
    char left[2000];
    (void)shell(left, sizeof left, "ip netns list | grep '^nsmodel-'");
    ck_assert_str_eq(left, "");
}

TEST_NEEDS(job_ready("a cluster of namespaces", JOB_OPEN_MPI))
TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(240)
