/* test_python.c -- python/nsmodel over the installed library: its own tests, its structs, its metadata */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/host.h"
#include "support/shell.h"

enum { OUT = 16384 };

static void begin(void)
{
    const char *folder = scratch_open();
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", folder);
    shell_ok("cp -r python docs '%s/'", folder);
}

static void end(void)
{
    scratch_close();
}

#define ENVIRONMENT                                                                                                    \
    "export PYTHONDONTWRITEBYTECODE=1 NSMODEL_SCRATCH='%s' NSMODEL_LIBRARY='%s/prefix/lib/libnsmodel.so' "             \
    "NSMODEL_BIN='%s/prefix/bin/nsmodel' PYTHONPATH='%s/python'; "

static int in_python(char *out, const char *command)
{
    const char *folder = scratch_folder();
    return shell(out, OUT, ENVIRONMENT "cd '%s' && %s", folder, folder, folder, folder, folder, command);
}

START_TEST(its_own_tests)
{
    static char out[OUT];
    const int code = in_python(out, "/usr/bin/python3 -m unittest discover -s python/tests");
    ck_assert_msg(code == 0 && strstr(out, "\nOK") != NULL, "%s", out + (strlen(out) > 3000 ? strlen(out) - 3000 : 0));
    ck_assert_ptr_null(strstr(out, "skipped"));
}
END_TEST

/* Each field stands where the installed header has it. */
START_TEST(structs)
{
    static char out[OUT];
    const int code =
        in_python(out, "/usr/bin/python3 -c 'import nsmodel._library as l; print(l.layout_check())' > layout.c && "
                       "${NSMODEL_CC:-cc} -std=c11 -Iprefix/include -fsyntax-only layout.c && grep -c assert layout.c");
    ck_assert_msg(code == 0, "%s", out);
    ck_assert_int_gt(atoi(out), 80);
}
END_TEST

/* Without the library the reason is said. */
START_TEST(no_library)
{
    static char out[OUT];
    ck_assert_int_ne(in_python(out, "NSMODEL_LIBRARY=/nowhere/lib.so /usr/bin/python3 -c 'import nsmodel'"), 0);
    ck_assert_msg(strstr(out, "ImportError: nsmodel's C library is not found: /nowhere/lib.so") != NULL, "%s", out);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("python");
    TCase *tc = tcase_create("python");
    tcase_add_unchecked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 240);
    if (host_file("python", "/usr/bin/python3") &&
        host_file("python", "/usr/lib/python3/dist-packages/numpy/__init__.py") &&
        host_file("python", "/usr/lib/python3/dist-packages/scipy/__init__.py")) {
        tcase_add_test(tc, its_own_tests);
        tcase_add_test(tc, structs);
        tcase_add_test(tc, no_library);
    }
    suite_add_tcase(s, tc);
    return s;
}
