/* test_install.c -- what `make install` leaves behind is enough: for a program of one's own, for a package, for a copy
 *
 * Needs make, a C compiler and pkg-config, which building needs too.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <nsmodel/version.h>

enum { OUT = 16384 };

static const char *scratch;

/* Once for all tests: the tree that make has built, into <scratch>/prefix. */
static void install(void)
{
    scratch = scratch_open();
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", scratch);
    shell_ok("cp -r examples '%s/' && rm -f '%s'/examples/scheduler '%s'/examples/scheduler-static", scratch, scratch,
             scratch);
}

static void build_example(const char *target, char *out)
{
    shell_ok("cd '%s/examples' && PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' "
             "make CC=\"${NSMODEL_CC:-cc} ${NSMODEL_EXTRA-}\" CFLAGS='-std=c11 -O1 -Wall -Wextra -Werror' %s",
             scratch, scratch, target);
    ck_assert_msg(shell(out, OUT, "'%s/examples/%s'", scratch, target) == 0, "%s says: %s", target, out);
}

static void expect_scheduler(const char *out)
{
    static const char *const line[] = {
        "nsmodel " NS_VERSION " on lassen\n",
        "  three-step via host  ",
        "\nrecommended: ",
        "\nmost of it: ",
        "\ntwo threads, 2000 prices: 0 disagreed\n",
        "placed by squares: 16 messages off node, 4194304 bytes\n",     /* 2 cuts x 4 edges x 2 ways x 256 KiB */
        "placed by free slots: 48 messages off node, 12582912 bytes\n", /* all 24 edges x 2 ways */
        "\nchoose: squares (",
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        ck_assert_msg(strstr(out, line[i]) != NULL, "wanted \"%s\" in\n%s", line[i], out);
}

TEST(test_shared)
{
    static char out[OUT], libraries[OUT];
    build_example("scheduler", out);
    expect_scheduler(out);
    ck_assert_int_eq(shell(libraries, OUT, "ldd '%s/examples/scheduler'", scratch), 0);
    ck_assert_msg(strstr(libraries, "/prefix/lib/libnsmodel.so.1") != NULL, "%s", libraries);
}

TEST(test_static)
{
    static char out[OUT], shared[OUT], libraries[OUT];
    build_example("scheduler-static", out);
    build_example("scheduler", shared);
    ck_assert_str_eq(out, shared);
    ck_assert_int_eq(shell(libraries, OUT, "ldd '%s/examples/scheduler-static'", scratch), 0);
    ck_assert_msg(strstr(libraries, "libnsmodel") == NULL, "%s", libraries);
}

TEST(test_pkg_config_version)
{
    char out[64];
    ck_assert_int_eq(
        shell(out, sizeof out, "PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' pkg-config --modversion nsmodel", scratch),
        0);
    ck_assert_str_eq(out, NS_VERSION "\n");
}

TEST(test_every_public_header_is_installed)
{
    static char out[OUT];
    ck_assert_msg(shell(out, OUT, "diff -r include/nsmodel '%s/prefix/include/nsmodel'", scratch) == 0, "%s", out);
}

/* man and the shells find what belongs to every command. */
TEST(test_manual_and_completion)
{
    static char out[OUT];
    shell_ok("test -s '%s/prefix/share/bash-completion/completions/nsmodel' && test -s "
             "'%s/prefix/share/zsh/site-functions/_nsmodel'",
             scratch, scratch);
    ck_assert_msg(
        shell(out, OUT,
              "'%s/prefix/bin/nsmodel' --commands | sed -n 's/^| .\\([a-z-]*\\)\\].*/\\1/p' | while read -r name; do "
              "test -s '%s/prefix/share/man/man1/'nsmodel-$name.1 || echo \"no page of $name\"; done",
              scratch, scratch) == 0 &&
            *out == '\0',
        "%s", out);
    shell_ok("test -s '%s/prefix/share/man/man1/nsmodel.1'", scratch);
    shell_ok("for file in schema/*.schema.json; do cmp \"$file\" '%s/prefix/share/nsmodel/'$file || exit 1; done",
             scratch);
    if (!lacks(__func__, "man"))
        shell_ok("man -M '%s/prefix/share/man' -w nsmodel-predict | grep -q "
                 "'man1/nsmodel-predict.1'",
                 scratch);
}

/* Is there an MPI, for which `all` builds nsmodel-mpi in its usual folder? */
static bool lacks_mpi(const char *test)
{
    if (strstr(getenv("NSMODEL_BUILD") != NULL ? getenv("NSMODEL_BUILD") : "", "build-") != NULL) {
        skipped(test, "nsmodel-mpi is built in the usual folder only");
        return true;
    }
    return lacks(test, "mpicc");
}

TEST(test_mpi_program)
{
    static char out[OUT];
    if (lacks_mpi(__func__))
        return;
    ck_assert_int_eq(shell(out, OUT, "env -i '%s/prefix/bin/nsmodel-mpi' --version", scratch), 0);
    ck_assert_str_eq(out, "nsmodel-mpi " NS_VERSION "\n");
    shell_ok("'%s/prefix/bin/nsmodel-mpi' --man | diff - '%s/prefix/share/man/man1/nsmodel-mpi.1'", scratch, scratch);
    if (lacks(__func__, "man"))
        return;
    ck_assert_int_eq(shell(out, OUT, "man -M '%s/prefix/share/man' nsmodel-mpi | col -b", scratch), 0);
    static const char *const line[] = {"\nCOMMAND run\n", "\nCOMMAND measure\n", "\nCOMMAND pattern\n",
                                       "\n       --timeout S\n", "\nEXIT STATUS\n"};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        ck_assert_msg(strstr(out, line[i]) != NULL, "wanted \"%s\" in\n%s", line[i], out);
}

/* A program of <nsmodel/mpi.h> with what pkg-config says: a job of one process. */
TEST(test_mpi_library)
{
    static char out[OUT];
    if (lacks_mpi(__func__))
        return;
    ck_assert_int_eq(
        shell(out, OUT,
              "PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' pkg-config --modversion nsmodel nsmodel-fit nsmodel-mpi",
              scratch),
        0);
    ck_assert_str_eq(out, NS_VERSION "\n" NS_VERSION "\n" NS_VERSION "\n");
    ck_assert_msg(shell(out, OUT,
                        "cd '%s' && export PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' && "
                        "$(command -v mpicc.openmpi || command -v mpicc) -std=c11 -Wall -Werror -o exchange "
                        "'%s/examples/own_exchange.c' "
                        "$(pkg-config --cflags --libs nsmodel-mpi) && LD_LIBRARY_PATH='%s/prefix/lib' ./exchange",
                        scratch, scratch, scratch, scratch) == 0,
                  "%s", out);
    ck_assert_msg(strstr(out, "ten times the exchange arrived") != NULL, "%s", out);
}

TEST(test_plugins)
{
    if (strstr(getenv("NSMODEL_BUILD") != NULL ? getenv("NSMODEL_BUILD") : "", "build-") != NULL) {
        skipped(__func__, "plugins are built in the usual folder only");
        return;
    }
    shell_ok("nm -D '%s/prefix/lib/libnccl-tuner-nsmodel.so' | grep -q ' ncclTunerPlugin_v'", scratch);
    shell_ok(
        "test ! -f /usr/include/slurm/spank.h || nm -D '%s/prefix/lib/slurm/spank_nsmodel.so' | grep -q ' plugin_name'",
        scratch);
}

static const char python[] = "import nsmodel; way = nsmodel.predict('rajat01', 'lassen', parts=8).best; "
                             "print(way.strategy, nsmodel._library.library._name)";

/* Beside the library that was installed, and from a wheel that needs nothing else: no network, no other tool. */
TEST(test_python_package)
{
    static char out[OUT];
    if (is_sanitized(__func__) || lacks(__func__, "python3"))
        return;
    if (shell(out, OUT, "/usr/bin/python3 -c 'import numpy, pip'") != 0) {
        skipped(__func__, "needs numpy and pip of /usr/bin/python3");
        return;
    }
    shell_ok("test -f '%s/prefix/lib/python3/dist-packages/nsmodel/__init__.py'", scratch);
    ck_assert_msg(shell(out, OUT,
                        "cd '%s' && env -i PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=prefix/lib/python3/dist-packages "
                        "LD_LIBRARY_PATH=prefix/lib "
                        "/usr/bin/python3 -c \"%s\"",
                        scratch, python) == 0,
                  "%s", out);
    ck_assert_ptr_nonnull(strstr(out, " libnsmodel.so.1\n"));
    ck_assert_msg(
        shell(out, OUT,
              "/usr/bin/python3 -m pip install -q --no-index --no-build-isolation --no-deps --target '%s/pip' "
              "./integrations/python",
              scratch) == 0,
        "%s", out);
    ck_assert_msg(shell(out, OUT,
                        "cd / && env -i PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='%s/pip' /usr/bin/python3 -c \"%s\"",
                        scratch, python) == 0,
                  "%s", out);
    ck_assert_ptr_nonnull(strstr(out, "/pip/nsmodel/libnsmodel.so.1\n"));
    /* Each file is as its RECORD says: pip takes it away again. */
    ck_assert_msg(shell(out, OUT, "PYTHONPATH='%s/pip' /usr/bin/python3 -m pip show -f nsmodel", scratch) == 0, "%s",
                  out);
    ck_assert_msg(strstr(out, "Version: " NS_VERSION "\n") != NULL && strstr(out, "LICENSES.md") != NULL, "%s", out);
}

/* What was built, doctor finds around the program; what was not, it names with the command that builds it. */
TEST(test_doctor)
{
    static char out[OUT];
    ck_assert_int_eq(shell(out, OUT, "env -i '%s/prefix/bin/nsmodel' doctor --json", scratch), 0);
    static const char *const builds[] = {"./setup.sh mpi", "make slurm", "make nccl",
                                         "pip install ./integrations/python"};
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
        ck_assert_msg(strstr(out, builds[i]) != NULL, "wanted \"%s\" in\n%s", builds[i], out);
    char wanted[1024];
    snprintf(wanted, sizeof wanted, "%s/prefix/lib/python3/dist-packages/nsmodel", scratch);
    ck_assert_msg(strstr(out, wanted) != NULL, "wanted \"%s\" in\n%s", wanted, out);
    shell_ok("mkdir -p '%s/alone/bin' && cp '%s/prefix/bin/nsmodel' '%s/alone/bin/'", scratch, scratch, scratch);
    ck_assert_int_eq(shell(out, OUT, "env -i '%s/alone/bin/nsmodel' doctor", scratch), 0);
    ck_assert_ptr_nonnull(strstr(out, "not beside this program"));
}

/* BSD-3-Clause and CC-BY want their notices beside what is built. */
TEST(test_licences)
{
    shell_ok("cd '%s/prefix/share/doc/nsmodel' && grep -q 'Redistribution and use' LICENSE && "
             "grep -q uPlot LICENSES.md && grep -q 'CC-BY 4.0' catalogue.md && "
             "grep -q 'CC-BY 4.0' matrices.md",
             scratch);
}

/* The program's loader follows the number that breaks count, the linker the newest. */
TEST(test_links)
{
    static const char *const library[] = {"libnsmodel", "libnsmodel-fit"};
    char out[256], wanted[256];
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        const char *const name = library[i];
        snprintf(wanted, sizeof wanted, "%s.so.1\n%s.so." NS_VERSION "\n", name, name);
        ck_assert_int_eq(shell(out, sizeof out, "cd '%s/prefix/lib' && readlink %s.so %s.so.1", scratch, name, name),
                         0);
        ck_assert_str_eq(out, wanted);
        shell_ok("cd '%s/prefix/lib' && test -f %s.so." NS_VERSION " && test ! -L %s.so." NS_VERSION
                 " && LC_ALL=C readelf -d %s.so | grep -q 'soname: \\[%s.so.1\\]'",
                 scratch, name, name, name, name);
    }
}

/* Every folder by itself, and nothing anywhere else; uninstall takes away what install brought, and no more. */
static const char folders[] =
    "prefix=/opt/t exec_prefix=/opt/t/arch libdir=/opt/t/lib/some-triplet includedir=/opt/t/inc "
    "bindir=/opt/t/b mandir=/opt/t/m datadir=/opt/t/d docdir=/opt/t/doc/here";

TEST(test_folders)
{
    char out[1024];
    shell_ok("mkdir -p '%s/own/opt/t/m/man1' && echo mine > '%s/own/opt/t/m/man1/mine.1'", scratch, scratch);
    shell_ok("eval \"${NSMODEL_MAKE:-make} install %s DESTDIR='%s/own'\"", folders, scratch);
    shell_ok("cd '%s/own/opt/t' && test -x b/nsmodel && test -f inc/nsmodel/fit.h && test -f m/man1/nsmodel.1 && "
             "test -L lib/some-triplet/libnsmodel.so && test -f lib/some-triplet/pkgconfig/nsmodel-fit.pc && "
             "test -f lib/some-triplet/cmake/nsmodel/nsmodelConfig.cmake && test -f doc/here/LICENSE && "
             "test -f d/bash-completion/completions/nsmodel && test -f d/zsh/site-functions/_nsmodel",
             scratch);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s/own' && ls . opt opt/t opt/t/lib", scratch), 0);
    ck_assert_str_eq(out, ".:\nopt\n\nopt:\nt\n\nopt/t:\nb\nd\ndoc\ninc\nlib\nm\n\nopt/t/lib:\nsome-triplet\n");
    ck_assert_int_eq(shell(out, sizeof out,
                           "cd '%s/own/opt/t/lib/some-triplet/pkgconfig' && "
                           "PKG_CONFIG_PATH=. pkg-config --variable=libdir nsmodel && "
                           "PKG_CONFIG_PATH=. pkg-config --variable=includedir nsmodel-fit && "
                           "PKG_CONFIG_PATH=. pkg-config --define-prefix --variable=prefix nsmodel",
                           scratch),
                     0);
    ck_assert_msg(strncmp(out, "/opt/t/lib/some-triplet\n/opt/t/inc\n", 35) == 0, "%s", out);
    shell_ok("eval \"${NSMODEL_MAKE:-make} uninstall %s DESTDIR='%s/own'\"", folders, scratch);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s/own' && find . ! -type d && find . -name nsmodel", scratch), 0);
    ck_assert_str_eq(out, "./opt/t/m/man1/mine.1\n");
}

/* A package is staged: everything below DESTDIR, and no file knows of the stage. */
TEST(test_destdir)
{
    static char out[OUT];
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix=/opt/nsmodel-test DESTDIR='%s/stage'\"", scratch);
    shell_ok(
        "cd '%s' && (cd prefix && find . | sort) > a && (cd stage/opt/nsmodel-test && find . | sort) > b && diff a b",
        scratch);
    shell_ok("test ! -e /opt/nsmodel-test && test \"$(ls '%s/stage')\" = opt", scratch);
    ck_assert_int_eq(shell(out, OUT, "head -n 1 '%s/stage/opt/nsmodel-test/lib/pkgconfig/nsmodel.pc'", scratch), 0);
    ck_assert_str_eq(out, "prefix=/opt/nsmodel-test\n");
}

/* Its data is inside it: a copy in a strange folder, with no environment, knows the machines and their numbers. */
TEST(test_moved_program)
{
    static char out[OUT], here[OUT];
    shell_ok("mkdir -p '%s/else where' && cp '%s/prefix/bin/nsmodel' '%s/else where/calculator'", scratch, scratch,
             scratch);
    ck_assert_msg(shell(out, OUT, "cd '%s/else where' && env -i ./calculator machines", scratch) == 0, "%s", out);
    ck_assert_msg(strstr(out, "lassen") != NULL, "%s", out);
    ck_assert_int_eq(shell(out, OUT, "cd '%s/else where' && env -i ./calculator machines lassen --json", scratch), 0);
    ck_assert_int_eq(shell(here, OUT, "'%s/prefix/bin/nsmodel' machines lassen --json", scratch), 0);
    ck_assert_str_eq(out, here);
}

TEST_FIXTURE_ONCE(install, scratch_close)
TEST_TIMEOUT(300)
