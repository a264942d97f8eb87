/* test_slurm.c -- the plugin inside a real Slurm: a controller and four nodes of 4, 3, 1 and 1 processors */

#include <nsmodel/nsmodel.h>

#include "../support/test.h"
#include "support/host.h"
#include "support/job.h"
#include "support/machines.h"
#include "support/shell.h"
#include "support/slurm.h"

enum { RANKS = 9 };
#define MACHINE "dane"
#define ASKED   "--comm-matrix=ring.csv --comm-machine=" MACHINE
#define PLACED  ASKED " --comm-place"

/* The ring 1-5-6-0-8-4-7-2-3-1, both ways: blocks of 4, 3, 1 and 1 cut nearly all of it. */
static const int ring[RANKS] = {1, 5, 6, 0, 8, 4, 7, 2, 3};
static const int64_t ring_bytes = 100000;

static const char *plugin(void)
{
    static char path[1200];
    const char *build = getenv("NSMODEL_BUILD");
    snprintf(path, sizeof path, "%s/spank_nsmodel.so", build != NULL ? build : "build");
    return path;
}

static void write_ring(void)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/ring.csv", scratch_folder());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("src,dst,bytes\n", file);
    for (int i = 0; i < RANKS; i++)
        for (int step = 1; step < RANKS; step += RANKS - 2)
            fprintf(file, "%d,%d,%lld\n", ring[i], ring[(i + step) % RANKS], (long long)ring_bytes);
    ck_assert_int_eq(fclose(file), 0);
}

/* The plugin as `make install` leaves it. */
static void begin(void)
{
    unsetenv("NSMODEL_MACHINE");
    unsetenv("NSMODEL_STRATEGY");
    char plugstack[1200];
    const char *folder = scratch_open();
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", folder);
    snprintf(plugstack, sizeof plugstack, "optional %s/prefix/lib/slurm/spank_nsmodel.so budget=20\n", folder);
    write_ring();
    slurm_begin(folder, plugstack);
}

static void end(void)
{
    slurm_end();
    scratch_close();
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        found++;
    return found;
}

#define EXPECT(text, what) ck_assert_msg(strstr((text), (what)) != NULL, "wanted \"%s\" in\n%s", (what), (text))

/* A job in an allocation of nine ranks on all nodes; it has to run. */
static job_result run(const char *environment, const char *options, const char *program)
{
    job_result r = job_shell("%s salloc -Q -N4 -n%d srun %s %s", environment, RANKS, options, program);
    ck_assert_msg(r.code == 0, "srun %s: exit code %d\n%.1500s", options, r.code, r.err);
    return r;
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* The fastest of all strategies for the ring, its ranks on these nodes; s. */
static double price_on(const int32_t *node_of, int32_t nodes, const char **strategy)
{
    ns_planned message[2 * RANKS];
    ns_machine *machine = machine_named(MACHINE);
    ns_exchange *exchange;
    ns_site *site;
    ns_comparison *comparison;
    ns_choice_info best = {.size = sizeof best};
    for (int i = 0; i < RANKS; i++) {
        const int a = ring[i], b = ring[(i + 1) % RANKS];
        message[2 * i] = (ns_planned){a, b, ring_bytes};
        message[2 * i + 1] = (ns_planned){b, a, ring_bytes};
    }
    ck_assert(ns_site_from_map(RANKS, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, 2 * RANKS, site, &exchange, NULL) == NS_OK);
    ck_assert(ns_compare(exchange, machine, NULL, &comparison, NULL) == NS_OK);
    ck_assert(ns_comparison_choice(comparison, ns_comparison_best(comparison), &best, NULL) == NS_OK);
    *strategy = best.name;
    ns_comparison_free(comparison);
    ns_exchange_free(exchange);
    ns_site_free(site);
    return best.estimate_s;
}

/* The value of a variable that rank 0 printed by env. */
static const char *value_of(const char *out, const char *name, char *value, size_t size)
{
    const char *at = strstr(out, name);
    ck_assert_msg(at != NULL, "no %s in\n%s", name, out);
    at += strlen(name) + 1;
    snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
    return value;
}

TEST(unequal_nodes_are_priced_as_they_are)
{
    static const int32_t given[RANKS] = {0, 0, 0, 0, 1, 1, 1, 2, 3}, even[RANKS] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    const char *strategy, *other;
    char value[100];
    job_result r = job_shell("srun -N4 -n%d --comm-matrix=ring.csv --comm-machine=" MACHINE
                             " sh -c 'test $SLURM_PROCID != 0 || env'",
                             RANKS);
    const double seconds = price_on(given, 4, &strategy), of_even = price_on(even, 3, &other);
    ck_assert_int_eq(r.code, 0);
    ck_assert_double_gt(fabs(of_even / seconds - 1), 0.01); /* or the test would show nothing */
    ck_assert_str_eq(value_of(r.out, "SLURM_STEP_TASKS_PER_NODE", value, sizeof value), "4,3,1(x2)");
    ck_assert_str_eq(value_of(r.out, "NSMODEL_STRATEGY", value, sizeof value), strategy);
    ck_assert_str_eq(value_of(r.out, "NSMODEL_TRANSPORT", value, sizeof value), "host");
    ck_assert_str_eq(value_of(r.out, "NSMODEL_MACHINE", value, sizeof value), MACHINE);
    ck_assert_double_eq_tol(atof(value_of(r.out, "NSMODEL_PREDICTED_S", value, sizeof value)), seconds,
                            1e-12 * seconds);
    snprintf(value, sizeof value, "srun: nsmodel: 9 processes on " MACHINE ": %s/host, ", strategy);
    EXPECT(r.err, value);
    EXPECT(r.err, ", it is in use. ");
    ck_assert_int_eq(count(r.err, "\n"), 1);
    job_free(&r);
}

TEST(machine_of_the_environment)
{
    job_result r = run("NSMODEL_MACHINE=lassen", "--comm-matrix=ring.csv", "true");
    EXPECT(r.err, "9 GPUs on lassen: ");
    job_free(&r);
    r = run("NSMODEL_MACHINE=lassen", ASKED, "true");
    EXPECT(r.err, "9 processes on " MACHINE ": ");
    job_free(&r);
}

/* The nodes are asked of the step itself, whatever its distribution. */
TEST(ranks_dealt_round)
{
    static const int32_t dealt[RANKS] = {0, 1, 2, 3, 0, 1, 0, 1, 0};
    const char *strategy;
    char value[100];
    job_result r = run("", "-m cyclic --comm-matrix=ring.csv --comm-machine=" MACHINE, "printenv NSMODEL_PREDICTED_S");
    const double seconds = price_on(dealt, 4, &strategy);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(r.out, "\n"), r.out);
    ck_assert_double_eq_tol(atof(value), seconds, 1e-12 * seconds);
    job_free(&r);
}

TEST(a_surrogate_is_called_one)
{
    job_result r = run("", "--comm-matrix=thermal2 --comm-machine=" MACHINE, "true");
    EXPECT(r.err, "; of a surrogate of thermal2\n");
    job_free(&r);
}

TEST(what_is_set_stays)
{
    job_result r = run("NSMODEL_STRATEGY=two-step", "--comm-matrix=ring.csv --comm-machine=" MACHINE,
                       "sh -c 'echo =$NSMODEL_STRATEGY='");
    EXPECT(r.err, "NSMODEL_STRATEGY=two-step stays, as it was set");
    ck_assert_int_eq(count(r.out, "=two-step=\n"), RANKS);
    job_free(&r);
}

TEST(nothing_without_the_options)
{
    job_result r = run("", "", "sh -c 'echo =$NSMODEL_STRATEGY='");
    ck_assert_int_eq(count(r.out, "==\n"), RANKS);
    ck_assert_str_eq(r.err, "");
    job_free(&r);
}

/* ---- placement --------------------------------------------------------------------------------------------------- */

/* From "RANK: nNODE" lines. */
static void read_nodes(const char *out, int32_t *node_of)
{
    for (int r = 0; r < RANKS; r++) {
        char line[10];
        snprintf(line, sizeof line, "%d: n", r);
        const char *at = strstr(out, line);
        ck_assert_msg(at != NULL, "no rank %d in\n%s", r, out);
        node_of[r] = at[4] - '1';
    }
}

TEST(ranks_are_placed)
{
    static const int32_t blocks[RANKS] = {0, 0, 0, 0, 1, 1, 1, 2, 3};
    const char *strategy;
    int32_t node_of[RANKS];
    int ranks[SLURM_NODES] = {0}, cuts = 0;
    char environment[1200];
    snprintf(environment, sizeof environment, "TMPDIR='%s'", scratch_folder());
    job_result r = run(environment, "-l --comm-matrix=ring.csv --comm-machine=" MACHINE " --comm-place",
                       "printenv SLURMD_NODENAME NSMODEL_PREDICTED_S");
    read_nodes(r.out, node_of);
    for (int i = 0; i < RANKS; i++) {
        ranks[node_of[i]]++;
        cuts += node_of[ring[i]] != node_of[ring[(i + 1) % RANKS]];
    }
    for (int i = 0; i < SLURM_NODES; i++)
        ck_assert_int_eq(ranks[i], slurm_node_cpus[i]);
    ck_assert_int_eq(cuts, SLURM_NODES); /* a ring in four pieces */
    const double before = price_on(blocks, 4, &strategy), now = price_on(node_of, 4, &strategy);
    ck_assert_double_lt(now, before);
    const char *second = strstr(strstr(r.out, "0: n") + 4, "0: ");
    ck_assert_double_eq_tol(atof(second + 3), now, 1e-12 * now);
    EXPECT(r.err, "srun: nsmodel: ranks placed on the allocation's nodes: ");
    ck_assert_int_eq(count(r.err, "warning"), 0);
    job_free(&r);
    shell_ok("! ls -d '%s'/nsmodel.* 2> /dev/null", scratch_folder()); /* nothing is left behind */
}

/* Where ranks cannot be placed, a line says why, the job runs, and there is advice all the same. */
static const struct {
    const char *options, *warning;
} kept[] = {
    {ASKED " --comm-place -l", "--comm-place wants to be the last option of srun"},
    {"-ln8 " ASKED " --comm-place", "-ln8 says where they stand"},
    {"--ntasks=8 " PLACED, "--ntasks=8 says where they stand"},
    {"--ntasks 8 " PLACED, "--ntasks says where they stand"},
    {"-N4 " PLACED, "-N4 says where they stand"},
    {"-w n1 " PLACED, "-w says where they stand"},
    {"--dist=cyclic " PLACED, "--dist=cyclic says where they stand"},
};

TEST_EACH(ranks_stay_where_they_are, sizeof kept / sizeof *kept)
{
    job_result r = run("", kept[_i].options, "true");
    ck_assert_msg(count(r.err, "warning: ranks are not placed") == 1, "%s", r.err);
    EXPECT(r.err, kept[_i].warning);
    job_free(&r);
}

/* Options that say nothing else than the allocation does. */
TEST_EACH(same_number_of_ranks, 3)
{
    static const char *const same[] = {"-ln9 " PLACED, "--ntasks=9 -J -l " PLACED, "-n 9 -u " PLACED};
    job_result r = run("", same[_i], "true");
    EXPECT(r.err, "ranks placed");
    ck_assert_int_eq(count(r.err, "warning"), 0);
    job_free(&r);
}

TEST(no_allocation)
{
    job_result r = job_shell("srun -N4 -n%d " PLACED " echo ran", RANKS);
    ck_assert_int_eq(r.code, 0);
    ck_assert_int_eq(count(r.out, "ran\n"), RANKS);
    EXPECT(r.err, "--comm-place is for an allocation with a number of ranks");
    EXPECT(r.err, ", it is in use. ");
    job_free(&r);
}

/* ---- trouble: the job runs, with one line of warning ------------------------------------------------------------- */

static const struct {
    const char *options, *warning;
} trouble[] = {
    {"--comm-matrix=missing.mtx --comm-machine=" MACHINE, "missing.mtx: cannot open: No such file or directory"},
    {"--comm-matrix=ring.csv --comm-machine=nowhere", "no machine or file \"nowhere\""},
    {"--comm-matrix=slurm.conf --comm-machine=" MACHINE, "slurm.conf"},
    {"--comm-matrix=ring.csv", "there is no machine: --comm-machine=NAME|FILE, or machine= in plugstack.conf"},
    {"--comm-machine=" MACHINE, "there is no --comm-matrix=FILE|NAME to advise on"},
    {"--comm-matrix=ring.csv --comm-machine=nowhere --comm-place", "no machine or file \"nowhere\""},
    {"--comm-matrix=audikw_1 --comm-machine=" MACHINE " --comm-budget=0.02", "the time was up (--comm-budget=0.02 s)"},
    {"--comm-matrix=audikw_1 --comm-machine=" MACHINE " --comm-budget=0", "the time was up (--comm-budget=0 s)"},
    {"--comm-matrix=audikw_1 --comm-machine=" MACHINE " --comm-budget=0.02 --comm-place", "the time was up"},
    {"--comm-matrix=ring.csv --comm-machine=" MACHINE " --comm-budget=soon",
     "--comm-budget wants seconds from 0 to 86400, got \"soon\"; 20 are taken"},
};

static void expect_warned(const job_result *r, const char *warning)
{
    ck_assert_msg(r->code == 0, "exit code %d\n%s", r->code, r->err);
    ck_assert_int_eq(count(r->out, "ran\n"), RANKS);
    ck_assert_msg(count(r->err, "srun: nsmodel: warning: ") == 1 && count(r->err, "error") == 0, "%s", r->err);
    EXPECT(r->err, warning);
}

TEST_EACH(the_job_runs, sizeof trouble / sizeof *trouble)
{
    job_result r = run("", trouble[_i].options, "echo ran");
    expect_warned(&r, trouble[_i].warning);
    job_free(&r);
}

TEST_EACH(the_job_runs_when_the_advice_crashes, 2)
{
    static const char *const options[] = {ASKED, PLACED};
    host_build("cc", "crash.c", "crash.so", "-shared -fPIC");
    char environment[1200];
    snprintf(environment, sizeof environment, "LD_PRELOAD='%s/crash.so'", scratch_folder());
    job_result r = run(environment, options[_i], "echo ran");
    expect_warned(&r, "the advice crashed; the job runs without advice");
    job_free(&r);
}

TEST_NEEDS(slurm_ready("slurm") && host_file("slurm", plugin()))
TEST_FIXTURE_ONCE(begin, end)
TEST_TIMEOUT(120)
