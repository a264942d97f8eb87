/* test_petsc.c -- inside PETSc: an unmodified program, 16 ranks of Open MPI on this machine */
#include <check.h>
#include <string.h>

#include "support/host.h"
#include "support/job.h"
#include "support/shell.h"

static void setup(void)
{
    scratch_open();
    host_build("mpicc.openmpi", "petsc_matvec.c", "petsc_matvec", "$(pkg-config --cflags --libs PETSc) -lm");
}

static void teardown(void)
{
    scratch_close();
}

/* What the program prints. */
static job_result multiply(const char *environment, const char *options)
{
    job_result r = job_shell("%s %s ./petsc_matvec %s", environment, job_launch(16), options);
    ck_assert_msg(r.code == 0, "%s %s: exit code %d\n%.1500s", environment, options, r.code, r.err);
    ck_assert_ptr_nonnull(strstr(r.out, "\n99 "));
    return r;
}

START_TEST(neighbourhood_collectives_change_no_bit)
{
    job_result basic = multiply("", "-sf_type basic"), neighbour = multiply("", "-sf_type neighbor");
    ck_assert_str_eq(basic.out, neighbour.out);
    job_free(&basic);
    job_free(&neighbour);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("petsc");
    TCase *tc = tcase_create("petsc");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 240);
    if (host_module("petsc", "PETSc") && host_command("petsc", "mpirun.openmpi"))
        tcase_add_test(tc, neighbourhood_collectives_change_no_bit);
    suite_add_tcase(s, tc);
    return s;
}
