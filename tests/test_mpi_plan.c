/* test_mpi_plan.c -- nsmodel-mpi run --plan: an exchange performed as a plan says, on this machine, on a cluster of
 * network namespaces and on a simulated Lassen
 *
 * The program itself ends with an error where one rank has performed other runs than rank 0.  Times are asserted in the
 * simulation alone, where they are exact and the same every time.
 */

#include "core/memory.h"
#include "support/job.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

#include <nsmodel/json.h>

/* Runs follow one another to the last call, agreements count up, every way's calls are those of its runs, and what is
 * called most is what the plan thinks fastest. */
static void check_plan(const ns_value *root, double calls, int ways)
{
    double made = 0, agreement = 0, of[20] = {0}, total = 0, p_best = 0;
    int count = 0;
    ck_assert(ns_value_get(root, "verified")->truth);
    ck_assert_double_eq(number_at(root, "calls"), calls);
    ck_assert_double_gt(number_at(root, "calls_s"), 0);
    for (const ns_value *run = ns_value_get(root, "runs")->first; run != NULL; run = run->next) {
        const bool same = number_at(run, "agreement") == agreement;
        int i = 0;
        ck_assert_double_eq(number_at(run, "after"), made);
        ck_assert(same || number_at(run, "agreement") == agreement + 1);
        ck_assert(!same || number_at(run, "calls") == 1);
        for (const ns_value *way = ns_value_get(root, "ways")->first; way != NULL; way = way->next, i++)
            of[i] += strcmp(text_at(way, "way"), text_at(run, "way")) == 0 ? number_at(run, "calls") : 0;
        made += number_at(run, "calls");
        agreement = number_at(run, "agreement");
    }
    ck_assert_double_eq(made, calls);
    ck_assert_double_eq(number_at(root, "agreements"), agreement);
    for (const ns_value *way = ns_value_get(root, "ways")->first; way != NULL; way = way->next, count++) {
        ck_assert_double_eq(number_at(way, "calls"), of[count]);
        ck_assert(number_at(way, "calls") > 0 ? number_at(way, "measured_s") > 0
                                              : ns_value_get(way, "measured_s") == NULL);
        ck_assert(strcmp(text_at(way, "way"), "neighbor-alltoallv") != 0 || way->next == NULL);
        total += number_at(way, "calls");
        p_best += number_at(way, "p_best");
    }
    ck_assert_double_eq(total, calls);
    ck_assert_double_eq_tol(p_best, 1, 1e-6);
    ck_assert_int_eq(count, ways);
}

static void check_here(job_mpi mpi, int ranks, int ways)
{
    check_plan(job_json(mpi, ranks, "run --matrix rajat01 --per-node 2 --machine dane --plan 500"), 500, ways);
}

TEST_EACH(open_mpi, job_ready("nsmodel-mpi run --plan", JOB_OPEN_MPI))
{
    check_here(JOB_OPEN_MPI, 4, 5); /* split-dd sends what split-md does */
    job_result r = job(JOB_OPEN_MPI, 2, "run --matrix rajat01 --plan 10 --records r.csv");
    ck_assert_int_ne(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.err, "--records wants every way measured; --plan measures few"));
    job_free(&r);
}

/* Its processes wait without giving way: two of them, on one node, so standard and MPI's own. */
TEST_EACH(mpich, job_ready("nsmodel-mpi.mpich run --plan", JOB_MPICH))
{
    check_here(JOB_MPICH, 2, 2);
}

static ns_value *parse(job_result *r)
{
    ns_value *root = NULL;
    ck_assert_msg(r->code == 0, "%d: %.1500s", r->code, r->err);
    ck_assert(ns_json_parse(r->out, "output", &root, NULL) == NS_OK);
    job_free(r);
    return test_keep(root);
}

TEST_EACH(cluster, job_ready("run --plan on a cluster of namespaces", JOB_OPEN_MPI))
{
    job_result r;
    if (!job_cluster(3, 2, "run --matrix stencil9:40x40 --machine dane --plan 100 --timeout 150 --json", &r))
        return;
    const ns_value *root = parse(&r);
    ck_assert_double_eq(number_at(root, "nodes"), 3);
    check_plan(root, 100, 5);
}

/* ---- a simulated Lassen ------------------------------------------------------------------------------------------ */

static const ns_value *simulate(const char *matrix, const char *how)
{
    job_result r =
        job_shell("timeout 100 smpirun -np 16 -hostfile hosts -platform ./l.so --cfg=smpi/simulate-computation:no "
                  "--log=root.thres:critical %s/nsmodel-smpi run --matrix %s --plan 1000 %s --json",
                  job_programs(), matrix, how);
    return parse(&r);
}

/* s of all calls and agreements */
static double all_of(const ns_value *root)
{
    return number_at(root, "calls_s") + number_at(root, "agreements") * number_at(root, "agreement_s");
}

static double least_forced(const char *matrix)
{
    static const char *const ways[] = {"standard", "two-step", "three-step", "split-md"};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char how[100];
        snprintf(how, sizeof how, "--machine lassen --strategy %s", ways[i]);
        least = fmin(least, number_at(simulate(matrix, how), "calls_s"));
    }
    return least;
}

/* Against the fastest forced way, and what trials cost: with the machine's own predictions, and with those of another
 * machine.  In one case three-step's first trial takes 32 us right after a call of another way, of which the ranks come
 * at different times; call after call it takes 10.9 us, the least. */
TEST_EACH(simulated, job_ready("nsmodel-smpi run --plan", JOB_SIMULATED))
{
    static const char *const matrices[] = {"rajat01", "stencil9:300x300", "stencil27:40x40x40"}, *const machines[] = {
                                                                                                     "lassen",
                                                                                                     "bluewaters"};
    double forced = 0;
    job_result r = job_shell(
        "%s/nsmodel export --to simgrid --machine lassen --nodes 4 --per-node 4 --start-up sender -o l.cpp && "
        "g++ -std=c++17 -O1 -fPIC -shared -o l.so l.cpp -lsimgrid && "
        "for n in 0 1 2 3; do for p in 0 1 2 3; do echo node$n.$p; done; done > hosts",
        job_programs());
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
    for (int i = 0; i < 6; i++) {
        const char *matrix = matrices[i / 2], *machine = machines[i % 2];
        char how[100];
        double trials = 0;
        forced = i % 2 == 0 ? least_forced(matrix) : forced;
        snprintf(how, sizeof how, "--machine %s", machine);
        const ns_value *root = simulate(matrix, how);
        for (const ns_value *way = ns_value_get(root, "ways")->first; way != NULL; way = way->next)
            trials += number_at(way, "trial_s");
        const double of_it = (all_of(root) - trials) / forced;
        printf("plan: simulated Lassen, %s predicted by %s: %.3f of the fastest way, and %.3f in trials\n", matrix,
               machine, of_it, trials / forced);
        ck_assert(ns_value_get(root, "verified")->truth);
        ck_assert_double_le(of_it, 1.05);
    }
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(300)
