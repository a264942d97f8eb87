/* test_consumers.c -- programs outside of the tree find an installed nsmodel: by pkg-config and by CMake, C and C++17
 *
 * The prefix has a multiarch libdir.  The programs are tests/consumers; what they say is compared.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <nsmodel/version.h>

enum { OUT = 16384 };

#define PRICED NS_VERSION " lassen 7.76e-06\n"
#define FITTED "23 samples, 3 classes, last alpha in the machine\n"

static const char *scratch;
static char libdir[128] = "lib/"; /* below the prefix: where Debian has libraries of this machine */

/* Once for all tests; `archives` is the same without the shared libraries, which the linker would take first. */
static void install(void)
{
    scratch = scratch_open();
    if (shell(libdir + 4, sizeof libdir - 4, "${NSMODEL_CC:-cc} -print-multiarch") != 0)
        libdir[4] = '\0';
    libdir[strcspn(libdir, "\n")] = '\0';
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/shared' libdir='%s/shared/%s' DESTDIR=\"", scratch,
             scratch, libdir);
    shell_ok("cp -r tests/consumers '%s/sources' && cp examples/osu_latency.log '%s/log'", scratch, scratch);
    shell_ok("cp -r '%s/shared' '%s/archives' && rm '%s/archives/%s/'*.so*", scratch, scratch, scratch, libdir);
    shell_ok("sed -i 's|^prefix=.*|prefix=%s/archives|' '%s/archives/%s/pkgconfig/'*.pc", scratch, scratch, libdir);
}

static const struct {
    const char *compiler, *tool; /* what runs it; what has to be there */
} languages[] = {
    {"${NSMODEL_CC:-cc} -std=c11", NULL},
    {"${CXX:-c++} -x c++ -std=c++17", "c++"},
};

static const struct {
    const char *source, *module, *wanted;
} programs[] = {
    {"price", "nsmodel", PRICED},
    {"fit", "nsmodel-fit", FITTED},
};

static void expect_output(const char *program, const char *wanted)
{
    static char out[OUT];
    ck_assert_msg(shell(out, OUT, "cd '%s' && '%s' log", scratch, program) == 0, "%s: %s", program, out);
    ck_assert_str_eq(out, wanted);
}

/* -x c++ of the compiler's words would take libraries for sources: they stand behind -x none. */
static void build_by_pkg_config(const char *prefix, const char *option)
{
    char program[2048];
    for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
        if (languages[l].tool != NULL && lacks(prefix, languages[l].tool))
            continue;
        for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
            snprintf(program, sizeof program, "%s/%s-%s-%zu", scratch, prefix, programs[i].source, l);
            shell_ok("cd '%s' && export PKG_CONFIG_PATH='%s/%s/%s/pkgconfig' && %s ${NSMODEL_EXTRA-} -O1 -Wall "
                     "-Wextra -Wpedantic -Werror -o '%s' sources/%s.c -x none $(pkg-config %s --cflags --libs %s) "
                     "-Wl,-rpath,'%s/%s/%s' -lm",
                     scratch, scratch, prefix, libdir, languages[l].compiler, program, programs[i].source, option,
                     programs[i].module, scratch, prefix, libdir);
            expect_output(program, programs[i].wanted);
        }
    }
}

static void expect_libraries(const char *program, bool linked)
{
    static char out[OUT];
    char path[256];
    snprintf(path, sizeof path, "/shared/%s/libnsmodel.so.1", libdir);
    ck_assert_int_eq(shell(out, OUT, "ldd '%s/%s'", scratch, program), 0);
    ck_assert_msg((strstr(out, path) != NULL) == linked, "%s: %s", program, out);
    ck_assert_msg(linked || strstr(out, "libnsmodel") == NULL, "%s: %s", program, out);
}

TEST(test_pkg_config_shared)
{
    build_by_pkg_config("shared", "");
    expect_libraries("shared-price-0", true);
    expect_libraries("shared-fit-0", true);
}

TEST(test_pkg_config_static)
{
    build_by_pkg_config("archives", "--static");
    expect_libraries("archives-price-0", false);
    expect_libraries("archives-fit-0", false);
}

/* A program of a scheduler stays free of GSL; who links the fits is told the licence. */
TEST(test_licences)
{
    char out[OUT];
    ck_assert_int_eq(shell(out, sizeof out,
                           "cd '%s/shared/%s/pkgconfig' && sed -n 's/^License: //p' nsmodel.pc nsmodel-fit.pc && "
                           "! PKG_CONFIG_PATH=. pkg-config --static --libs nsmodel | grep gsl",
                           scratch, libdir),
                     0);
    ck_assert_str_eq(out, "BSD-3-Clause\nGPL-3.0-or-later\n");
}

/* ---- CMake ------------------------------------------------------------------------------------------------------- */

static int configure(const char *build, const char *prefix, const char *version)
{
    return shell(NULL, 0,
                 "cd '%s' && CC=\"${NSMODEL_CC##* }\" cmake -S sources -B %s -DCMAKE_C_FLAGS=\"${NSMODEL_EXTRA-}\" "
                 "-DCMAKE_PREFIX_PATH='%s/%s' -DWANTED=%s > %s.log",
                 scratch, build, scratch, prefix, version, build);
}

TEST(test_cmake)
{
    char program[2048];
    if (lacks(__func__, "cmake"))
        return;
    ck_assert_int_eq(configure("cmade", "shared", "1.0"), 0);
    shell_ok("cd '%s' && cmake --build cmade", scratch);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int archive = 0; archive < 2; archive++) {
            snprintf(program, sizeof program, "%s/cmade/%s%s", scratch, programs[i].source, archive ? "_static" : "");
            expect_output(program, programs[i].wanted);
            expect_libraries(program + strlen(scratch) + 1, !archive);
        }
}

/* The whole prefix may be moved; another first number is another interface; without the fits, they are not promised. */
TEST(test_cmake_refuses)
{
    if (lacks(__func__, "cmake"))
        return;
    ck_assert_int_ne(configure("later", "shared", "1.1"), 0);
    ck_assert_int_ne(configure("other", "shared", "2.0"), 0);
    ck_assert_int_ne(configure("older", "shared", "0.1"), 0);
    shell_ok("cp -r '%s/shared' '%s/moved'", scratch, scratch);
    ck_assert_int_eq(configure("whole", "moved", "1.0.0"), 0);
    shell_ok("rm '%s/moved/%s'/libnsmodel-fit.*", scratch, libdir);
    ck_assert_int_ne(configure("part", "moved", "1.0.0"), 0);
}

TEST_FIXTURE_ONCE(install, scratch_close)
TEST_TIMEOUT(300)
