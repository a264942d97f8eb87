/* test_python.c -- integrations/python over the installed library: its own tests, its structs, its metadata */

#include "../support/test.h"
#include "support/host.h"
#include "support/shell.h"

enum { OUT = 16384 };

static void begin(void)
{
    const char *folder = scratch_open();
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", folder);
    shell_ok("cp -r --parents integrations/python docs '%s/'", folder);
}

#define ENVIRONMENT                                                                                                    \
    "export PYTHONDONTWRITEBYTECODE=1 NSMODEL_SCRATCH='%s' NSMODEL_LIBRARY='%s/prefix/lib/libnsmodel.so' "             \
    "NSMODEL_BIN='%s/prefix/bin/nsmodel' PYTHONPATH='%s/integrations/python'; "

static int in_python(char *out, const char *command)
{
    const char *folder = scratch_folder();
    return shell(out, OUT, ENVIRONMENT "cd '%s' && %s", folder, folder, folder, folder, folder, command);
}

TEST(its_own_tests)
{
    static char out[OUT];
    const int code = in_python(out, "/usr/bin/python3 -m unittest discover -s integrations/python/tests");
    ck_assert_msg(code == 0 && strstr(out, "\nOK") != NULL, "%s", out + (strlen(out) > 3000 ? strlen(out) - 3000 : 0));
    ck_assert_ptr_null(strstr(out, "skipped"));
}

/* Each field stands where the installed header has it. */
TEST(structs)
{
    static char out[OUT];
    const int code =
        in_python(out, "/usr/bin/python3 -c 'import nsmodel._library as l; print(l.layout_check())' > layout.c && "
                       "${NSMODEL_CC:-cc} -std=c11 -Iprefix/include -fsyntax-only layout.c && grep -c assert layout.c");
    ck_assert_msg(code == 0, "%s", out);
    ck_assert_int_gt(atoi(out), 80);
}

/* Without the library the reason is said. */
TEST(no_library)
{
    static char out[OUT];
    ck_assert_int_ne(in_python(out, "NSMODEL_LIBRARY=/nowhere/lib.so /usr/bin/python3 -c 'import nsmodel'"), 0);
    ck_assert_msg(strstr(out, "ImportError: nsmodel's C library is not found: /nowhere/lib.so") != NULL, "%s", out);
}

TEST_NEEDS(host_file("python", "/usr/bin/python3") &&
           host_file("python", "/usr/lib/python3/dist-packages/numpy/__init__.py") &&
           host_file("python", "/usr/lib/python3/dist-packages/scipy/__init__.py"))
TEST_FIXTURE_ONCE(begin, scratch_close)
TEST_TIMEOUT(240)
