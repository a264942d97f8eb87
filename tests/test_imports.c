/* test_imports.c -- what the shared libraries ask of others, a word each in tests/data/imports.txt: a host keeps its
 * locale, environment, signals, streams and process to itself
 *
 * Needs nm, which comes with the linker.  Symbols of sanitizers and of other C libraries are not judged.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 65536 };

static char out[OUT];
static const char *const libraries[] = {"libnsmodel", "libnsmodel-fit"};

/* What a library imports that is not on the list, a line each. */
static void find_unlisted(const char *library)
{
    ck_assert_int_eq(shell(out, OUT,
                           "nm -D --undefined-only '%s' | sed 's/.* //; s/@.*//' | sort -u > '%s/imports' && "
                           "sed 's/#.*//' tests/data/imports.txt | tr -s ' ' '\\n' | sort -u > '%s/listed' && "
                           "comm -23 '%s/imports' '%s/listed'",
                           library, scratch_folder(), scratch_folder(), scratch_folder(), scratch_folder()),
                     0);
}

static bool sanitized(void)
{
    const char *extra = getenv("NSMODEL_EXTRA");
    return extra != NULL && (strstr(extra, "-fsanitize") != NULL || strstr(extra, "--coverage") != NULL);
}

TEST_EACH(test_listed, sizeof libraries / sizeof *libraries)
{
    char path[1000];
    if (sanitized()) {
        skipped(__func__, "needs a build without sanitizers and coverage");
        return;
    }
    snprintf(path, sizeof path, "%s/%s.so", getenv("NSMODEL_BUILD"), libraries[_i]);
    find_unlisted(path);
    ck_assert_msg(*out == '\0', "%s imports\n%s", libraries[_i], out);
    shell_ok("test -s '%s/imports'", scratch_folder());
}

static const struct {
    const char *call, *found;
} breach[] = {
    {"#include <locale.h>\nint ns_x(void) { return setlocale(LC_ALL, \"\") != 0; }", "setlocale\n"},
    {"#include <stdlib.h>\nint ns_x(void) { return getenv(\"HOME\") != 0; }", "getenv\n"},
    {"#include <signal.h>\nint ns_x(void) { return signal(SIGINT, SIG_IGN) == SIG_ERR; }", "signal\n"},
    {"#include <stdio.h>\nint ns_x(void) { return puts(\"x\"); }", "puts\n"},
    {"#include <stdio.h>\nint ns_x(void) { return fputs(\"x\", stderr); }", "stderr\n"},
    {"#include <stdlib.h>\nint ns_x(void) { abort(); }", "abort\n"},
    {"#include <stdlib.h>\nint ns_x(void) { return system(\"ls\"); }", "system\n"},
    {"#include <assert.h>\nint ns_x(int x); int ns_x(int x) { assert(x); return 0; }", "__assert_fail\n"},
};

TEST_EACH(test_breach_is_found, sizeof breach / sizeof *breach)
{
    FILE *source;
    char path[1000];
    snprintf(path, sizeof path, "%s/x.c", scratch_folder());
    source = fopen(path, "w");
    ck_assert_ptr_nonnull(source);
    fputs(breach[_i].call, source);
    fclose(source);
    shell_ok("${NSMODEL_CC:-cc} -O1 -fPIC -shared -o '%s/x.so' '%s'", scratch_folder(), path);
    snprintf(path, sizeof path, "%s/x.so", scratch_folder());
    find_unlisted(path);
    ck_assert_msg(strstr(out, breach[_i].found) != NULL, "found %s", out);
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(60)
