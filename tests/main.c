/* main.c -- runs the suite of one test file; each test_*.c defines Suite *suite(void) */
#include <check.h>
#include <stdlib.h>

Suite *suite(void);

int main(void)
{
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
