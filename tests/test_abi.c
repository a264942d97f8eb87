/* test_abi.c -- the shared libraries keep the binary interface on record, and tools/abi.sh notices each kind of break
 *
 * Needs abidiff (Debian: abigail-tools) and debug information in the libraries; skipped without.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 65536 };

static char out[OUT];
static const char *scratch;

/* ---- the libraries as they are ----------------------------------------------------------------------------------- */

static const char *const libraries[] = {"libnsmodel", "libnsmodel-fit"};

TEST_EACH(test_on_record, (int)(sizeof libraries / sizeof *libraries))
{
    const char *const name = libraries[_i];
    if (lacks(__func__, "abidiff"))
        return;
    ck_assert_msg(shell(out, OUT, "tools/abi.sh check \"$NSMODEL_BUILD/%s.so\" tests/abi/%s.abi.gz", name, name) == 0,
                  "%s", out + (strlen(out) > 3000 ? strlen(out) - 3000 : 0));
}

/* libnsmodel linked anew, with one function fewer or one more. */
static int check_relinked(const char *map, const char *more)
{
    shell_ok("cd '%s' && printf '%%s' '%s' > map && printf '%%s' '%s' > more.c && mkdir -p headers && "
             "printf '%%s' '%s' | sed 's/{.*/;/' > headers/more.h && ${NSMODEL_CC:-cc} ${NSMODEL_EXTRA-} -g -O1 -fPIC "
             "-shared "
             "-Wl,-soname,libnsmodel.so.1 -Wl,--version-script=map -o libnsmodel.so more.c -Wl,--whole-archive "
             "\"$NSMODEL_BUILD/libnsmodel.a\" -Wl,--no-whole-archive $NSMODEL_LIBS",
             scratch, map, more, more);
    shell_ok("cp include/nsmodel/*.h '%s/headers'", scratch);
    return shell(out, OUT, "tools/abi.sh check '%s/libnsmodel.so' tests/abi/libnsmodel.abi.gz '%s/headers'", scratch,
                 scratch);
}

TEST(test_function_lost)
{
    if (lacks(__func__, "abidiff"))
        return;
    ck_assert_int_eq(check_relinked("NSMODEL_1.0 { global: ns_*; local: ns_machine_load; *; };", ""), 1);
    ck_assert_msg(strstr(out, "function ns_status ns_machine_load(") != NULL, "%s", out);
    ck_assert_msg(strstr(out, "break: put it back, or give the library another soname") != NULL, "%s", out);
}

TEST(test_function_added)
{
    if (lacks(__func__, "abidiff"))
        return;
    ck_assert_msg(check_relinked("NSMODEL_1.0 { global: ns_*; local: *; };", "int ns_more(int n) { return n; }") == 0,
                  "%s", out);
    shell_ok("nm -D '%s/libnsmodel.so' | grep -q ' ns_more@'", scratch);
}

/* ---- each kind of change, in a small library --------------------------------------------------------------------- */

static const struct {
    const char *macro, *words; /* in the refusal; NULL: passes */
    const char *soname;
} changes[] = {
    {"NOTHING", NULL, "toy.so.1"},
    {"HIDDEN", NULL, "toy.so.1"},
    {"ADDED", NULL, "toy.so.1"},
    {"KIND_AFTER", NULL, "toy.so.1"},
    {"OPTION_APPENDED", NULL, "toy.so.1"},
    {"LOST", "toy_free", "toy.so.1"},
    {"PARAMETER", "toy_new", "toy.so.1"},
    {"KIND_BEFORE", "TOY_ONE", "toy.so.1"},
    {"FIELD_INSERTED", "double w", "toy.so.1"},
    {"FIELD_APPENDED", "double z", "toy.so.1"},
    {"OPTION_INSERTED", "int depth", "toy.so.1"},
    {"FIELD_INSERTED", NULL, "toy.so.2"},
};

static void build_toy(const char *file, const char *macro, const char *soname)
{
    shell_ok("${NSMODEL_CC:-cc} -std=c11 -g -O1 -fPIC -shared -D%s -Wl,-soname,%s -o '%s/%s' tests/data/abi/toy.c",
             macro, soname, scratch, file);
}

TEST_EACH(test_changes, (int)(sizeof changes / sizeof *changes))
{
    if (lacks(__func__, "abidiff"))
        return;
    build_toy("was.so", "NOTHING", "toy.so.1");
    build_toy("is.so", changes[_i].macro, changes[_i].soname);
    shell_ok("tools/abi.sh baseline '%s/was.so' '%s/toy.abi.gz' tests/data/abi", scratch, scratch);
    const int code = shell(out, OUT, "tools/abi.sh check '%s/is.so' '%s/toy.abi.gz' tests/data/abi", scratch, scratch);
    ck_assert_msg(code == (changes[_i].words != NULL), "%s: exit code %d\n%s", changes[_i].macro, code, out);
    ck_assert_msg(changes[_i].words == NULL || strstr(out, changes[_i].words) != NULL, "%s: %s", changes[_i].macro,
                  out);
}

/* Without abidiff nothing is claimed. */
TEST(test_skipped)
{
    shell_ok("mkdir -p '%s/empty'", scratch);
    ck_assert_int_eq(shell(out, OUT, "PATH='%s/empty' /bin/sh tools/abi.sh check a b", scratch), 77);
    ck_assert_str_eq(out, "skipped: the binary interface is not compared (abidiff is not installed; Debian: "
                          "abigail-tools)\n");
}

static void open_scratch(void)
{
    scratch = scratch_open();
}

TEST_FIXTURE(open_scratch, scratch_close)
TEST_TIMEOUT(120)
