/* test_startup.c -- libcurl is loaded by what fetches, and by nothing else
 *
 * A folder of the loader's path holds a libcurl that is no library: a program that is linked to it would not even
 * start.
 */

#include "support/shell.h"
#include "support/test.h"

static char said[20000];

static const char *program(void)
{
    const char *path = getenv("NSMODEL_BIN");
    return path != NULL ? path : "bin/nsmodel";
}

/* Output and exit code of a command of the program where libcurl is broken. */
static int without_libcurl(const char *folder, const char *words)
{
    shell_ok("printf 'no library' > '%s/libcurl.so.4'", folder);
    return shell(said, sizeof said,
                 "unset NSMODEL_WITHOUT; LD_LIBRARY_PATH='%s' XDG_CACHE_HOME='%s/cache' HOME='%s' '%s' %s", folder,
                 folder, folder, program(), words);
}

TEST(others_do_without)
{
    static const char *const commands[] = {"eval postal alpha=1us beta=1ns/B s=1KiB", "machines", "matrix list",
                                           "predict --matrix rajat01 --gpus 4"};
    const char *folder = scratch_open();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        ck_assert_msg(without_libcurl(folder, commands[i]) == 0, "%s: %s", commands[i], said);
    scratch_close();
}

TEST(fetching_says_what_it_lacks)
{
    const char *folder = scratch_open();
    ck_assert_int_eq(without_libcurl(folder, "matrix get HB/1138_bus"), 1);
    ck_assert_msg(strstr(said, "fetching wants libcurl (Debian's libcurl4), which cannot be loaded: ") != NULL &&
                      strstr(said, "libcurl.so.4") != NULL,
                  "%s", said);
    shell_ok("[ -z \"$(find '%s' -name '*.part*')\" ]", folder); /* nothing is begun */
    scratch_close();
}
