/* test_neighbours.c -- libnsmodel-mpi under Open MPI and MPICH: random graphs, and whatever a program may do with them
 *
 * The program (programs/neighbours.c) checks every value itself.  Whatever hangs is ended by the launcher's time limit.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/host.h"
#include "support/layer.h"
#include "support/shell.h"

static void build(const char *compiler)
{
    static const char *const programs[] = {"neighbours", "tags", "uncoupled", "level"};
    scratch_open();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char source[40];
        snprintf(source, sizeof source, "%s.c", programs[i]);
        host_build(compiler, source, programs[i],
                   "-pthread -rdynamic -Wno-unused-function -Wno-stringop-overread -Wno-stringop-overflow");
    }
}

static void setup_open_mpi(void)
{
    build("mpicc.openmpi");
}

static void setup_mpich(void)
{
    build("mpicc.mpich");
}

static void teardown(void)
{
    scratch_close();
}

static void check(job_mpi mpi, int ranks, int per_node, const char *strategy, int seed)
{
    static const char word[] = ": MPI's own: ";
    char program[100];
    snprintf(program, sizeof program, "./neighbours %d", seed);
    const bool advised = strategy != NULL && strategy[0] == '\0';
    job_result r = layer_job(mpi, ranks, per_node, strategy, advised ? "NSMODEL_MACHINE=lassen-spectrum" : "", program);
    ck_assert_str_eq(r.out, "right\n");
    if (strategy != NULL)
        ck_assert_double_ge(layer_log_number("in all: "), advised ? 0 : 100);
    /* Ranks of a random graph that have no neighbours leave their nodes with fewer. */
    for (const char *at = advised ? NULL : layer_log_after(""); at != NULL && (at = strstr(at, word)) != NULL;) {
        at += strlen(word);
        ck_assert_msg(strncmp(at, "split-", 6) == 0 && strncmp(at + 8, " wants as many ranks on every node", 34) == 0,
                      "%.300s", at);
    }
    job_free(&r);
}

static const char *const strategies[] = {"standard", "two-step", "three-step", "split-md", "split-dd"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

START_TEST(open_mpi)
{
    check(JOB_OPEN_MPI, 8, 4, strategies[_i], 2 * _i + 1);
    if (!strstr(strategies[_i], "split")) /* wants full nodes */
        check(JOB_OPEN_MPI, 7, 3, strategies[_i], 2 * _i + 2);
}
END_TEST

/* Without the layer the program is right too, and by advice. */
START_TEST(open_mpi_alone)
{
    check(JOB_OPEN_MPI, 6, 2, NULL, 3);
    check(JOB_OPEN_MPI, 6, 2, "", 4);
    check(JOB_OPEN_MPI, 5, 0, "two-step", 5); /* as the ranks stand: one node */
    check(JOB_OPEN_MPI, 1, 1, "three-step", 6);
}
END_TEST

/* What overlapping places show to be the same crosses once for each node: 8 processes have 64 numbers of 8 B. */
START_TEST(sent_once)
{
    static const struct {
        const char *strategy;
        int messages, bytes;
    } rows[] = {{"standard", 32, 32 * 512}, {"two-step", 8, 8 * 512}, {"three-step", 2, 8 * 512}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        job_result r = layer_job(JOB_OPEN_MPI, 8, 4, rows[i].strategy, "", "./neighbours 0");
        ck_assert_double_eq(layer_log_number("in all: "), 1);
        ck_assert_double_eq(layer_log_number("of these "), rows[i].messages);
        ck_assert_double_eq(layer_log_number("between nodes with "), rows[i].bytes);
        job_free(&r);
    }
}
END_TEST

static void check_program(job_mpi mpi, int ranks, const char *strategy, const char *program, double exchanges)
{
    job_result r = layer_job(mpi, ranks, 1, strategy, "", program);
    ck_assert_str_eq(r.out, "right\n");
    if (strategy != NULL)
        ck_assert_double_eq(layer_log_number("in all: "), exchanges);
    job_free(&r);
}

/* More requests than the tags of 15 bits, of which a persistent request holds one. */
static void check_tags(job_mpi mpi)
{
    check_program(mpi, 2, NULL, "./tags", 0);
    check_program(mpi, 2, "standard", "./tags", 40001);
}

/* Ranks without neighbours may call or not. */
static void check_uncoupled(job_mpi mpi)
{
    check_program(mpi, 4, "standard", "./uncoupled", 9);
    check_program(mpi, 4, "two-step", "./uncoupled call", 9);
    check_program(mpi, 2, "three-step", "./uncoupled", 9);
}

/* A program has the thread level that it asks for. */
static void check_level(job_mpi mpi)
{
    job_result plain = layer_job(mpi, 2, 1, NULL, "", "./level");
    job_result r = layer_job(mpi, 2, 1, "two-step", "", "./level");
    ck_assert_str_eq(r.out, plain.out);
    ck_assert_ptr_nonnull(
        layer_log_after("exchanges are left to MPI: the program asked for less than MPI_THREAD_MULT"));
    ck_assert_double_eq(layer_log_number("in all: "), 0);
    job_free(&r);
    r = layer_job(mpi, 2, 1, "two-step", "NSMODEL_THREADS=multiple", "./level");
    ck_assert_str_eq(r.out, "multiple\n");
    ck_assert_double_eq(layer_log_number("in all: "), 1);
    job_free(&r);
    job_free(&plain);
}

/* Without a machine MPI's own goes first, and nothing is predicted; what is wrong ends the job. */
static void check_settings(job_mpi mpi)
{
    static const struct {
        int per_node;
        const char *strategy, *settings, *name, *wanted;
    } rows[] = {{1, "two-step", "NSMODEL_MACHINE=nowhere", "nsmodel: NSMODEL_MACHINE=nowhere: ", "lassen-spectrum"},
                {1, "two-steps", "", "nsmodel: NSMODEL_STRATEGY=two-steps: ", "two-step"},
                {-4, "two-step", "", "nsmodel: NSMODEL_EMULATE_PPN=-4: ", "a whole number"},
                {1, "two-step", "NSMODEL_THREADS=2", "nsmodel: NSMODEL_THREADS=2: ", "multiple"},
                {1, "", "NSMODEL_PLAN=fast", "nsmodel: NSMODEL_PLAN=fast: ", "patient"}};
    job_result r = layer_job(mpi, 2, 1, "", "", "./uncoupled");
    ck_assert_str_eq(r.out, "right\n");
    ck_assert_ptr_nonnull(layer_log_after("machine flat; predicted"));
    ck_assert_ptr_nonnull(layer_log_after("after 0 calls MPI for 2, "));
    ck_assert_ptr_nonnull(layer_log_after("in all: "));
    job_free(&r);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        r = layer_try(mpi, 2, rows[i].per_node, rows[i].strategy, rows[i].settings, "./uncoupled");
        const char *said = strstr(r.err, rows[i].name);
        ck_assert_int_ne(r.code, 0);
        ck_assert_str_eq(r.out, "");
        ck_assert_msg(said != NULL && strstr(said, rows[i].wanted) != NULL, "%.1000s", r.err);
        ck_assert_ptr_null(strstr(said + 1, "nsmodel: ")); /* one process says it */
        job_free(&r);
    }
}

static void (*const both[])(job_mpi mpi) = {check_tags, check_uncoupled, check_level, check_settings};
enum { BOTH = sizeof both / sizeof *both };

START_TEST(open_mpi_both)
{
    both[_i](JOB_OPEN_MPI);
}
END_TEST

START_TEST(mpich_both)
{
    both[_i](JOB_MPICH);
}
END_TEST

START_TEST(mpich)
{
    check(JOB_MPICH, 4, 2, strategies[_i], 20 + _i);
}
END_TEST

START_TEST(mpich_alone)
{
    check(JOB_MPICH, 5, 2, NULL, 3);
    check(JOB_MPICH, 5, 2, "", 4);
    check(JOB_MPICH, 5, 2, "three-step", 5);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("neighbours");
    TCase *one = tcase_create("open mpi"), *other = tcase_create("mpich");
    tcase_add_checked_fixture(one, setup_open_mpi, teardown);
    tcase_add_checked_fixture(other, setup_mpich, teardown);
    tcase_set_timeout(one, 600);
    tcase_set_timeout(other, 600);
    if (layer_ready("neighbours under Open MPI", JOB_OPEN_MPI)) {
        tcase_add_loop_test(one, open_mpi, 0, STRATEGIES);
        tcase_add_test(one, open_mpi_alone);
        tcase_add_test(one, sent_once);
        tcase_add_loop_test(one, open_mpi_both, 0, BOTH);
    }
    if (layer_ready("neighbours under MPICH", JOB_MPICH)) {
        tcase_add_loop_test(other, mpich, 0, STRATEGIES);
        tcase_add_test(other, mpich_alone);
        tcase_add_loop_test(other, mpich_both, 0, BOTH);
    }
    suite_add_tcase(s, one);
    suite_add_tcase(s, other);
    return s;
}
