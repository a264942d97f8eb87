/* test_hardening.c -- the built program and library are hardened: readelf tells from what was linked
 *
 * Needs readelf, which comes with the linker.
 */
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 1 << 20 };

static char out[OUT];

/* What readelf says of a file. */
static const char *readelf(const char *options, const char *file)
{
    ck_assert_msg(shell(out, OUT, "LC_ALL=C readelf -W %s '%s'", options, file) == 0, "%s", out);
    return out;
}

static const char *library(void)
{
    static char path[4096];
    const char *build = getenv("NSMODEL_BUILD");
    snprintf(path, sizeof path, "%s/libnsmodel.so", build != NULL ? build : "build");
    return path;
}

static bool says(const char *variable, const char *words)
{
    const char *value = getenv(variable);
    return value != NULL && strstr(value, words) != NULL;
}

/* As a release is built: optimised, without sanitizers. */
static bool is_release(void)
{
    return (says("NSMODEL_OPT", "-O1") || says("NSMODEL_OPT", "-O2") || says("NSMODEL_OPT", "-O3")) &&
           !says("NSMODEL_EXTRA", "-fsanitize");
}

static void expect_sealed(const char *file)
{
    ck_assert_msg(strstr(readelf("-l", file), "GNU_RELRO") != NULL, "%s has no RELRO", file);
    ck_assert_msg(strstr(readelf("-l", file), "GNU_STACK") != NULL && strstr(out, " RWE ") == NULL,
                  "%s has a segment that is written and run", file);
    ck_assert_msg(strstr(readelf("-d", file), "NOW") != NULL, "%s binds lazily:\n%s", file, out);
}

static void expect_checks(const char *file)
{
    ck_assert_msg(strstr(readelf("--dyn-syms", file), " __stack_chk_fail") != NULL, "%s has no stack protector", file);
    if (is_release())
        ck_assert_msg(strstr(out, " __snprintf_chk") != NULL, "%s was built without _FORTIFY_SOURCE", file);
    else
        ck_assert_msg(strstr(out, " __snprintf_chk") == NULL || !says("NSMODEL_EXTRA", "-fsanitize"),
                      "%s mixes _FORTIFY_SOURCE with a sanitizer", file);
}

TEST(test_program)
{
    ck_assert_msg(strstr(readelf("-h", shell_program()), "DYN (") != NULL, "%s lies at a fixed address",
                  shell_program());
    ck_assert_msg(strstr(readelf("-d", shell_program()), "PIE") != NULL, "%s is not position independent",
                  shell_program());
    expect_sealed(shell_program());
    expect_checks(shell_program());
}

TEST(test_library)
{
    expect_sealed(library());
    expect_checks(library());
}
