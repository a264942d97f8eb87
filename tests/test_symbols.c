/* test_symbols.c -- what the shared libraries export is what the lists in src say: nothing lost, nothing new unseen
 *
 * Needs nm, which comes with the linker.  `make symbols` writes the lists; read what changes in them.
 */
#include "support/shell.h"
#include "support/test.h"

#include <nsmodel/version.h>

enum { OUT = 65536 };

static const struct {
    const char *library, *node;
} libraries[] = {
    {"libnsmodel", "NSMODEL_"},
    {"libnsmodel-fit", "NSMODEL_FIT_"},
};

TEST_EACH(test_list, sizeof libraries / sizeof *libraries)
{
    static char out[OUT];
    const char *const name = libraries[_i].library;
    ck_assert_msg(shell(out, OUT,
                        "tools/symbols.sh \"$NSMODEL_BUILD/%s.so\" > \"$NSMODEL_TEST_TMP/%s\" && "
                        "diff src/%s.symbols \"$NSMODEL_TEST_TMP/%s\"",
                        name, name, name, name) == 0,
                  "%s.so and its list differ (< lost, > new; make symbols writes the list):\n%s", name, out);
    ck_assert_msg(shell(out, OUT, "test -s src/%s.symbols && LC_ALL=C sort -cu src/%s.symbols", name, name) == 0, "%s",
                  out);
}

/* One prefix, and each in a node of a release. */
TEST_EACH(test_names, sizeof libraries / sizeof *libraries)
{
    static char out[OUT];
    shell(out, OUT, "grep -v '^ns_[a-z0-9_A-Z]*@%s[0-9]*\\.[0-9]*$' src/%s.symbols", libraries[_i].node,
          libraries[_i].library);
    ck_assert_str_eq(out, "");
}

/* A program that was linked asks for the node by name, so that an older library without it is refused. */
TEST(test_program_asks_for_node)
{
    static char out[OUT];
    shell_ok("${NSMODEL_CC:-cc} ${NSMODEL_EXTRA-} -std=c11 -Iinclude -o \"$NSMODEL_TEST_TMP/price\" "
             "tests/consumers/price.c \"$NSMODEL_BUILD/libnsmodel.so\"");
    ck_assert_int_eq(shell(out, OUT, "nm -D --with-symbol-versions \"$NSMODEL_TEST_TMP/price\""), 0);
    ck_assert_msg(strstr(out, " U ns_machine_load@NSMODEL_1.0\n") != NULL, "%s", out);
}

/* Debian's files say the same version, package names with the soname's number, and the same symbols. */
TEST_EACH(test_debian, sizeof libraries / sizeof *libraries)
{
    static char out[OUT];
    static const char *const major = "sed -n 's/.*NS_VERSION \"\\([0-9]*\\).*/\\1/p' include/nsmodel/version.h";
    const char *const name = libraries[_i].library;
    shell_ok("head -n 1 debian/changelog | grep -qF 'nsmodel (" NS_VERSION ") '");
    shell_ok("grep -qx \"Package: %s$(%s)\" debian/control", name, major);
    ck_assert_int_eq(shell(out, OUT, "tools/debian_symbols.sh src/%s.symbols", name), 0);
    shell_ok("test \"$(tools/debian_symbols.sh src/%s.symbols | head -n 1)\" = \"%s.so.$(%s) %s$(%s) #MINVER#\"", name,
             name, major, name, major);
    shell_ok("tools/debian_symbols.sh src/%s.symbols | sed -n 's/^ \\(ns_[^ ]*_\\([0-9.]*\\)\\) \\2$/\\1/p' | "
             "cmp - src/%s.symbols",
             name, name);
    ck_assert_msg(strstr(out, "\n NSMODEL_") != NULL && strstr(out, "_1.0 1.0\n") != NULL, "%s", out);
}

TEST_TIMEOUT(60)
