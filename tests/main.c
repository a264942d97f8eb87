/* main.c -- runs the suite of one test file; each test_*.c defines Suite *suite(void) */
#include <check.h>
#include <stdlib.h>

Suite *suite(void);

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
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
