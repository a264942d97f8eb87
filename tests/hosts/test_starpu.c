/* test_starpu.c -- the example of a cost function inside StarPU: its scheduler takes what nsmodel says is cheapest */

#include "../support/test.h"
#include "support/host.h"
#include "support/shell.h"

static void setup(void)
{
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\" && cp -r examples '%s/'",
             scratch_open(), scratch_folder());
}

TEST(dmda_takes_the_cheapest)
{
    char out[2000];
    int standard, three_step, two_step, cheapest, all;
    shell_ok("cd '%s/examples' && rm -f starpu_cost && PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' make "
             "CC=\"${NSMODEL_CC:-cc}\" "
             "CFLAGS='-O1 -Wall -Wextra -Werror' starpu_cost",
             scratch_folder(), scratch_folder());
    const int code = shell(
        out, sizeof out, "cd '%s/examples' && STARPU_HOME='%s' STARPU_NCPU=2 STARPU_SILENT=1 timeout 100 ./starpu_cost",
        scratch_folder(), scratch_folder());
    ck_assert_msg(code == 0, "exit code %d\n%s", code, out);
    ck_assert_msg(sscanf(out, "standard %d three-step %d two-step %d dmda took the cheapest strategy in %d of %d tasks",
                         &standard, &three_step, &two_step, &cheapest, &all) == 5,
                  "%s", out);
    ck_assert_int_eq(all, 50);
    ck_assert_int_eq(cheapest, all);
    ck_assert_int_eq(standard + three_step + two_step, all);
    ck_assert_int_ge((standard > 0) + (three_step > 0) + (two_step > 0), 2); /* there was something to choose */
}

TEST_NEEDS(host_module("starpu", "starpu-1.3"))
TEST_FIXTURE(setup, scratch_close)
TEST_TIMEOUT(240)
