/* test_summary.c -- tools/summary.sh: what failed, what was skipped and by which name, Check's lines last */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

static char out[4096];
static const char *folder;

static void put_log(const char *test, const char *text, int code)
{
    shell_ok("printf '%%b' '%s' > '%s/%s.log' && echo %d > '%s/%s.rc'", text, folder, test, code, folder, test);
}

TEST(good_and_skipped)
{
    put_log("test_a",
            "Running\\nskipped: one (needs scotch)\\nskipped: one (needs scotch)\\n100%: Checks: 2, "
            "Failures: 0, Errors: 0\\n",
            0);
    put_log("test_b", "100%: Checks: 1, Failures: 0, Errors: 0\\n", 0);
    ck_assert_int_eq(shell(out, sizeof out, "tools/summary.sh '%s' test_a test_b", folder), 0);
    ck_assert_str_eq(out, "---- skipped\nskipped: test_a/one (needs scotch)\n---- summary\n"
                          "100%: Checks: 2, Failures: 0, Errors: 0\n100%: Checks: 1, Failures: 0, Errors: 0\n");
}

TEST(bad)
{
    put_log("test_a", "50%: Checks: 2, Failures: 1, Errors: 0\\na.c:1:F: wrong\\n", 1);
    put_log("test_b", "killed\\n", 0);
    ck_assert_int_eq(shell(out, sizeof out, "tools/summary.sh '%s' test_a test_b", folder), 1);
    ck_assert_str_eq(out, "---- test_a\n50%: Checks: 2, Failures: 1, Errors: 0\na.c:1:F: wrong\n---- test_b\n"
                          "killed\n---- skipped\n---- summary\n50%: Checks: 2, Failures: 1, Errors: 0\n"
                          "0%: Checks: 1, Failures: 0, Errors: 1 (test_b printed no summary)\nfailed: test_a test_b\n");
}

/* The line is the test's own name, and stands there where the part is hidden. */
TEST(lines_of_tests)
{
    ck_assert_int_eq(shell(out, sizeof out,
                           "NSMODEL_WITHOUT=shared,gnuplot \"${NSMODEL_BUILD:-build}\"/tests/bin/"
                           "test_gallery"),
                     0);
    ck_assert_msg(strstr(out, "skipped: gallery_is_current (needs gnuplot)\n") != NULL, "%s", out);
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "gnuplot", 1), 0);
    ck_assert(!has_part("gnuplot") && has_part("sh"));
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "all", 1), 0);
    ck_assert(!has_part("sh"));
}

static void open_scratch(void)
{
    folder = scratch_open();
}

TEST_FIXTURE(open_scratch, scratch_close)
