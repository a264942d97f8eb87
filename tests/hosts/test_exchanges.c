/* test_exchanges.c -- exchanges of nsmodel/mpi.h under Open MPI and MPICH: choices are the same everywhere, good, and
 * remembered
 *
 * The program (programs/exchanges.c) checks every value, and has simulated clocks, so that what is asked of choices and
 * times holds on any machine.
 */
#include <check.h>
#include <math.h>
#include <nsmodel/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/files.h"
#include "support/host.h"
#include "support/layer.h"
#include "support/shell.h"

#include "core/memory.h"

#define WAYS "standard two-step three-step split-md split-dd"

static char wisdom[1200], remembers[1300];

static void build(const char *compiler, const char *library)
{
    char arguments[400];
    scratch_open();
    snprintf(arguments, sizeof arguments, "-Iinclude -rdynamic -L${NSMODEL_BUILD:-build} -l:%s -ldl -lm", library);
    host_build(compiler, "exchanges.c", "exchanges", arguments);
    host_build(compiler, "../../../examples/halo.c", "halo", arguments);
    host_build(compiler, "sizes.c", "sizes", arguments);
    host_build(compiler, "grid.c", "grid", "-pthread");
    snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", scratch_folder());
    snprintf(remembers, sizeof remembers, "NSMODEL_WISDOM=%s", wisdom);
}

static void setup_open_mpi(void)
{
    build("mpicc.openmpi", "libnsmodel-mpi.so");
}

static void setup_mpich(void)
{
    build("mpicc.mpich", "libnsmodel-mpi.mpich.so");
}

static void teardown(void)
{
    scratch_close();
}

typedef struct outcome {
    double agreements, different, excess,
        last; /* per cent above the fastest way, of all calls and of those after the 200th */
} outcome;

static outcome run(job_mpi mpi, int ranks, const char *settings, const char *words)
{
    char program[200];
    outcome o;
    double best;
    snprintf(program, sizeof program, "./exchanges %s " WAYS, words);
    job_result r = layer_job(mpi, ranks, ranks > 4 ? 4 : ranks / 2, "", settings, program);
    ck_assert_msg(sscanf(r.out, "agreements %lf different %lf mean %lf last %lf MPI %lf", &o.agreements, &o.different,
                         &o.excess, &o.last, &best) == 5,
                  "%.300s", r.out);
    /* The fastest of the ways that the log says can be taken. */
    for (const char *at = layer_log_after("messages between nodes: "); at != NULL && *at != '\n' && *at != '\0';) {
        char way[40];
        snprintf(way, sizeof way, " %.*s ", (int)strcspn(at, " "), at);
        const char *time = strstr(r.out, way);
        ck_assert_msg(time != NULL, "%s is not in %.300s", way, r.out);
        best = fmin(best, strtod(time + strlen(way), NULL));
        at += strcspn(at, ",\n");
        at += strspn(at, ", ");
    }
    o.excess = 100 * (o.excess / best - 1);
    o.last = 100 * (o.last / best - 1);
    job_free(&r);
    return o;
}

/* Clocks that differ, noise of each rank's own, rank 2 ten times as slow, no wisdom for rank 1.  An agreement takes a
 * tenth of a call. */
static void check_choices(job_mpi mpi)
{
    char settings[3000];
    run(mpi, 4, remembers, "100 7 2 20");
    snprintf(settings, sizeof settings, "%s LAYER_BLIND=%s NSMODEL_MACHINE=lassen-spectrum", remembers, wisdom);
    /* MPICH's processes wait without giving way: two of them. */
    outcome o = mpi == JOB_MPICH ? run(mpi, 2, settings, "10000 7 1 20") : run(mpi, 4, settings, "10000 7 2 20");
    ck_assert_ptr_nonnull(layer_log_after("cannot be read by all processes"));
    ck_assert_ptr_nonnull(layer_log_after(", then ")); /* several runs at one agreement */
    ck_assert_double_eq(o.different, 0);
    ck_assert_double_le(o.agreements, 90); /* 157 where agreements count as free */
    ck_assert_double_gt(o.agreements, 5);
    ck_assert_double_le(o.last, 5);
}

/* The machine file has nothing to do with the times.  Their noise is 15 %, so the median of the eight times of an
 * agreement is off by 6 %: the wrong one of two ways costs hardly more than 10 %, and in most cases nothing. */
static void check_wrong_machine(job_mpi mpi)
{
    enum { CASES = 12 };
    double lasts = 0;
    static const char *const machines[] = {"lassen-spectrum", "bluewaters", "dane"};
    for (int seed = 1; seed <= CASES; seed++) {
        char words[40], settings[100];
        snprintf(words, sizeof words, "400 %d -1 5", seed);
        snprintf(settings, sizeof settings, "NSMODEL_MACHINE=%s", machines[seed % 3]);
        const outcome o = run(mpi, seed % 4 == 0 ? 8 : 4, settings, words);
        printf("exchanges: case %d: %.1f %% above the fastest way in 400 calls, %.1f %% after the 200th\n", seed,
               o.excess, o.last);
        ck_assert_double_eq(o.different, 0);
        ck_assert_double_le(o.last, 10);
        lasts += o.last;
        if (seed % 3 != 2)
            continue; /* machines with GPUs: the decision would count copies */
        ck_assert_msg(layer_log_after("exchange 1: Keep ") != NULL || layer_log_after("exchange 1: Measure ") != NULL ||
                          layer_log_after("exchange 1: Switch ") != NULL,
                      "%.1000s", layer_log_after("exchange 1: "));
    }
    ck_assert_double_le(lasts / CASES, 2.5);
}

/* The second run knows what the first has found out; another machine's wisdom is refused. */
static void check_wisdom(job_mpi mpi)
{
    const outcome first = run(mpi, 4, remembers, "300 3 -1 5");
    ck_assert_ptr_nonnull(layer_log_after("; 1 trials so far"));
    const outcome second = run(mpi, 4, remembers, "300 3 -1 5");
    ck_assert_ptr_nonnull(layer_log_after("; 0 trials so far"));
    for (int trials = 1; trials < 9; trials++) {
        char word[40];
        snprintf(word, sizeof word, "; %d trials so far", trials);
        ck_assert_msg(layer_log_after(word) == NULL, "a trial in the second run");
    }
    ck_assert_double_lt(second.excess, first.excess);
    ck_assert_double_le(second.excess, 0.1);
    FILE *torn = fopen(wisdom, "a");
    fputs("{\"machine\": \"las", torn);
    fclose(torn);
    const outcome third = run(mpi, 4, remembers, "300 3 -1 5");
    ck_assert_ptr_nonnull(layer_log_after("the last row is cut off and left out"));
    ck_assert_double_le(third.excess, 0.1);
    char settings[3000];
    snprintf(settings, sizeof settings, "%s NSMODEL_MACHINE=dane", remembers);
    run(mpi, 4, settings, "10 3 -1 5");
    const char *refused = layer_log_after("no wisdom: ");
    ck_assert_msg(refused != NULL && strstr(refused, "dane") != NULL, "%.300s", refused);
    snprintf(settings, sizeof settings, "%s NSMODEL_PLAN=wisdom", remembers);
    const outcome only = run(mpi, 4, settings, "10 3 -1 5");
    ck_assert_double_eq(only.agreements, 1);
    ck_assert_double_le(only.excess, 0.1);
}

/* Killed while wisdom is written, the file is what it was, or whole with what was learnt; the next run uses it.  Who is
 * patient learns although the exchange is known. */
static void check_killed(job_mpi mpi)
{
    static const char *const where[] = {"write", "fsync", "renameat", "renamed"};
    char settings[3000], program[200];
    run(mpi, 4, remembers, "300 3 -1 5");
    char *before = read_whole(wisdom);
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        ns_wisdom *left;
        ns_error err = {0};
        snprintf(settings, sizeof settings, "%s NSMODEL_PLAN=patient LAYER_KILL=%s", remembers, where[i]);
        snprintf(program, sizeof program, "./exchanges 300 %d -1 5", (int)i + 4);
        job_result r = layer_try(mpi, 4, 2, "", settings, program);
        ck_assert_msg(r.code != 0, "%s", where[i]);
        job_free(&r);
        char *after = read_whole(wisdom);
        ck_assert_msg((strcmp(before, after) == 0) == (strcmp(where[i], "renamed") != 0), "%s", where[i]);
        ck_assert_msg(ns_wisdom_open(wisdom, &left, &err) == NS_OK, "%s: %s", where[i], err.text);
        ck_assert_uint_ge(ns_wisdom_rows(left), 2);
        ns_wisdom_free(left);
    }
    run(mpi, 4, remembers, "300 3 -1 5");
    ck_assert_ptr_null(layer_log_after("no wisdom: "));
    ck_assert_ptr_null(layer_log_after("wisdom is not written"));
}

/* Median of |log2| of a machine's predictions against a file of rows. */
static double error_of(const char *machine, const char *rows, double *exchanges)
{
    char line[3000];
    snprintf(line, sizeof line, "validate --records %s --machine %s", rows, machine);
    ns_value *said = cli_json(line);
    const ns_value *class = ns_value_first(ns_value_get(said, "scores"));
    const double error = ns_value_as_number(ns_value_get(class, "log2_error"));
    *exchanges = ns_value_as_number(ns_value_get(class, "exchanges"));
    return error;
}

/* What was learnt of some sizes makes a machine's predictions of others better: wisdom is rows for fit and validate. */
static void check_records(job_mpi mpi)
{
    char settings[3000], others[1200], line[8000], logs[3900] = "", plain[1200], wise[1200];
    static const char *const where[] = {"on-socket", "on-node", "off-node"};
    snprintf(others, sizeof others, "%s/others.jsonl", scratch_folder());
    snprintf(plain, sizeof plain, "%s/plain.json", scratch_folder());
    snprintf(wise, sizeof wise, "%s/wise.json", scratch_folder());
    for (int i = 0; i < 2; i++) {
        snprintf(settings, sizeof settings, "NSMODEL_WISDOM=%s NSMODEL_PLAN=patient NSMODEL_MACHINE=dane",
                 i == 0 ? wisdom : others);
        job_result r = layer_job(mpi, 4, 2, "", settings, i == 0 ? "./sizes 40 64 1000 16000" : "./sizes 40 250 4000");
        job_free(&r);
    }
    for (int i = 0; i < 3; i++) {
        char path[1100];
        snprintf(path, sizeof path, "%s/%s.log", scratch_folder(), where[i]);
        ck_assert_int_eq(shell(NULL, 0, "cp examples/osu_latency.log %s", path), 0);
        snprintf(logs + strlen(logs), sizeof logs - strlen(logs), "%s --locality %s=%s ", path, path, where[i]);
    }
    snprintf(line, sizeof line, "fit %s --name mine -o %s", logs, plain);
    cli_json(line);
    snprintf(line, sizeof line, "fit %s --name mine --records %s -o %s", logs, wisdom, wise);
    cli_json(line);
    double rows[2];
    const double before = error_of(plain, others, &rows[0]), after = error_of(wise, others, &rows[1]);
    printf("exchanges: of %.0f left-out exchanges the median of |log2| is %.2f, %.2f with wisdom of others\n", rows[0],
           before, after);
    ck_assert_double_ge(rows[0], 4);
    ck_assert_double_eq(rows[0], rows[1]);
    ck_assert_double_le(after, before / 2);
}

static void check_efforts(job_mpi mpi)
{
    const outcome estimate = run(mpi, 4, "NSMODEL_PLAN=estimate NSMODEL_MACHINE=lassen-spectrum", "100 5 -1 5");
    ck_assert_double_eq(estimate.agreements, 1);
    const outcome wisdom_only = run(mpi, 4, "NSMODEL_PLAN=wisdom", "100 5 -1 5");
    ck_assert_double_eq(wisdom_only.agreements, 1);
    ck_assert_ptr_nonnull(layer_log_after("MPI; there is no wisdom of it"));
}

/* Sixteen processes on two cores, which wait in another order every time: the choice depends on the simulated times
 * only, so two runs choose alike.  The second way takes 7.6 % longer than the fastest, so staying with it would lose
 * that much; some of the calls after the 200th are trials. */
static void check_many(job_mpi mpi)
{
    if (mpi == JOB_MPICH) /* waits without giving way: minutes */
        return;
    const outcome o = run(mpi, 16, "", "300 11 3 20"), again = run(mpi, 16, "", "300 11 3 20");
    printf("exchanges: 16 ranks: %.1f %% above the fastest way in 300 calls, %.1f %% after the 200th, %.0f "
           "agreements\n",
           o.excess, o.last, o.agreements);
    ck_assert_double_eq(o.different, 0);
    ck_assert_double_le(o.last, 5);
    ck_assert_double_eq(o.last, again.last);
    ck_assert_double_eq(o.excess, again.excess);
    ck_assert_double_eq(o.agreements, again.agreements);
}

/* The example prints the same sum without learning. */
static void check_example(job_mpi mpi)
{
    job_result r = layer_job(mpi, 4, 2, "", "", "./halo"), plain = layer_job(mpi, 4, 2, "off", "", "./halo");
    ck_assert_ptr_nonnull(strstr(plain.out, "the last by MPI, 1 agreements"));
    ck_assert_int_eq(strncmp(r.out, "200 steps, sum ", 15), 0);
    ck_assert_int_eq(strncmp(r.out, plain.out, strcspn(plain.out, "b")), 0);
    job_free(&plain);
    job_free(&r);
}

/* All four functions in all their forms, on graphs and grids, blocking, nonblocking and persistent. */
static void check_functions(job_mpi mpi)
{
    static const char *const strategies[] = {"", "standard", "two-step", "three-step"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        job_result r = layer_job(mpi, 6, 3, strategies[i], "", "./grid");
        ck_assert_str_eq(r.out, "right\n");
        ck_assert_double_ge(layer_log_number("in all: "), strategies[i][0] != '\0' ? 30 : 0);
        job_free(&r);
    }
    job_result plain = layer_job(mpi, 6, 3, NULL, "", "./grid");
    ck_assert_str_eq(plain.out, "right\n");
    job_free(&plain);
}

static void (*const both[])(job_mpi mpi) = {check_choices, check_wrong_machine, check_wisdom,
                                            check_killed,  check_records,       check_efforts,
                                            check_many,    check_functions,     check_example};
enum { BOTH = sizeof both / sizeof *both };

START_TEST(open_mpi)
{
    both[_i](JOB_OPEN_MPI);
}
END_TEST

START_TEST(mpich)
{
    both[_i](JOB_MPICH);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("exchanges");
    TCase *one = tcase_create("open mpi"), *other = tcase_create("mpich");
    tcase_add_checked_fixture(one, setup_open_mpi, teardown);
    tcase_add_checked_fixture(other, setup_mpich, teardown);
    tcase_set_timeout(one, 600);
    tcase_set_timeout(other, 600);
    if (layer_ready("exchanges under Open MPI", JOB_OPEN_MPI))
        tcase_add_loop_test(one, open_mpi, 0, BOTH);
    if (layer_ready("exchanges under MPICH", JOB_MPICH))
        tcase_add_loop_test(other, mpich, 0, BOTH);
    suite_add_tcase(s, one);
    suite_add_tcase(s, other);
    return s;
}
