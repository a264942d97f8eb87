/* test_examples.c -- examples/ compile against the public headers alone and run with the shared library, in C11 and
 * C++17 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 16384 };

static const struct {
    const char *compiler, *file, *says;
} examples[] = {
    {"${NSMODEL_CC:-cc} -std=c11", "scheduler.c", "two threads, 2000 prices: 0 disagreed\n"},
    {"${NSMODEL_CC:-cc} -std=c11", "cancel.c", "stopped: cancelled: cancelled\nlimited: limit: "},
    {"${NSMODEL_CC:-cc} -std=c11", "plan_loop.c", "way 2 is the fastest with "},
    {"${CXX:-c++} -std=c++17", "advice.cpp", "a change is faster with "},
};

TEST_EACH(compiled_and_run, (int)(sizeof examples / sizeof *examples))
{
    static char out[OUT];
    const char *scratch = scratch_open();
    if (strstr(examples[_i].file, ".cpp") != NULL && lacks(__func__, "c++"))
        return;
    shell_ok("ln -s \"$(realpath \"${NSMODEL_BUILD:-build}\")/libnsmodel.so\" '%s/libnsmodel.so.1'", scratch);
    ck_assert_msg(shell(out, OUT,
                        "%s ${NSMODEL_EXTRA-} -O1 -Wall -Wextra -Werror -Iinclude -o '%s/example' examples/%s "
                        "'%s/libnsmodel.so.1' -lpthread -Wl,-rpath,'%s'",
                        examples[_i].compiler, scratch, examples[_i].file, scratch, scratch) == 0,
                  "%s", out);
    ck_assert_msg(shell(out, OUT, "'%s/example'", scratch) == 0, "%s", out);
    ck_assert_msg(strstr(out, examples[_i].says) != NULL, "wanted \"%s\" in\n%s", examples[_i].says, out);
}

TEST_TIMEOUT(120)
