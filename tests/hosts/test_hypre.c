/* test_hypre.c -- inside hypre: its communication packages are the oracle of ours, P not dividing N included; its own
 * messages pass the layer untouched; an advice for every level of BoomerAMG */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/host.h"
#include "support/layer.h"
#include "support/shell.h"

static void setup(void)
{
    char arguments[1500];
    scratch_open();
    snprintf(arguments, sizeof arguments, "-Iinclude -I/usr/include/hypre %s/libnsmodel.a -lHYPRE %s",
             getenv("NSMODEL_BUILD"), getenv("NSMODEL_LIBS"));
    host_build("mpicc.openmpi", "hypre_matvec.c", "hypre_matvec", arguments);
}

static void teardown(void)
{
    scratch_close();
}

/* How often a line begins with these words. */
static int lines_of(const char *text, const char *words)
{
    int count = strncmp(text, words, strlen(words)) == 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        count += strncmp(at + 1, words, strlen(words)) == 0;
    return count;
}

START_TEST(packages)
{
    static const int ranks_of[] = {4, 7, 16};
    const int ranks = ranks_of[_i];
    job_result plain = layer_job(JOB_OPEN_MPI, ranks, 4, NULL, "", "./hypre_matvec");
    ck_assert_int_eq(lines_of(plain.out, "pattern same\n"), 1);
    ck_assert_int_eq(lines_of(plain.out, "package differs"), 0);
    ck_assert_int_ge(lines_of(plain.out, "level "), 3);
    ck_assert_int_eq(lines_of(plain.out, "package same\n"), 1 + lines_of(plain.out, "level "));
    job_result layered = layer_job(JOB_OPEN_MPI, ranks, 4, "three-step", "", "./hypre_matvec");
    ck_assert_str_eq(layered.out, plain.out);
    ck_assert_double_eq(layer_log_number("in all: "), 0); /* hypre has no neighbourhood collectives */
    job_free(&plain);
    job_free(&layered);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("hypre");
    TCase *tc = tcase_create("hypre");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 300);
    if (host_file("hypre", "/usr/include/hypre/HYPRE.h") && layer_ready("hypre", JOB_OPEN_MPI))
        tcase_add_loop_test(tc, packages, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}
