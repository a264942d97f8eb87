/* main.c -- runs the tests of one file: those that TEST handed over, or else its own Suite *suite(void) */
#include <assert.h>

#include "support/test.h"

enum { TESTS = 200 };

__attribute__((weak)) Suite *suite(void);

static struct {
    const TTest *test;
    int count;
} added[TESTS];
static int tests;
static SFun before, after, before_all, after_all;
static bool (*wanted)(void);
static double limit;

void test_add(const TTest *test, int count)
{
    assert(tests < TESTS);
    added[tests].test = test;
    added[tests++].count = count;
}

void test_around(SFun setup, SFun teardown)
{
    before = setup;
    after = teardown;
}

void test_around_all(SFun setup, SFun teardown)
{
    before_all = setup;
    after_all = teardown;
}

void test_if(bool (*can_run)(void))
{
    wanted = can_run;
}

void test_within(double seconds)
{
    limit = seconds;
}

static int by_line(const void *a, const void *b)
{
    const TTest *const *x = a, *const *y = b; /* the first member of an element of `added` */
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

static Suite *suite_of_added(void)
{
    qsort(added, (size_t)tests, sizeof *added, by_line);
    Suite *s = suite_create(tests > 0 ? added[0].test->file : "no tests");
    TCase *t = tcase_create("tests");
    if (before != NULL || after != NULL)
        tcase_add_checked_fixture(t, before, after);
    const bool run = wanted == NULL || wanted();
    if (run && (before_all != NULL || after_all != NULL))
        tcase_add_unchecked_fixture(t, before_all, after_all);
    if (limit > 0)
        tcase_set_timeout(t, limit);
    for (int i = 0; run && i < tests; i++)
        tcase_add_loop_test(t, added[i].test, 0, added[i].count);
    suite_add_tcase(s, t);
    return s;
}

/* Names mean the same on every machine: whoever runs the tests may have matrices and machines of
 * their own. */
static void hide_caches(void)
{
    (void)(setenv("HOME", "/users/nobody", 1) | unsetenv("XDG_CACHE_HOME") | unsetenv("NSMODEL_MATRIX_PATH") |
           unsetenv("XDG_CONFIG_HOME") | unsetenv("NSMODEL_MACHINE"));
}

int main(void)
{
    hide_caches();
    (void)setenv("CK_DEFAULT_TIMEOUT", "60",
                 0); /* of tests that state none: Check's 4 s end good ones on busy machines */
    SRunner *runner = srunner_create(suite != NULL ? suite() : suite_of_added());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 && (suite != NULL || tests > 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
