/* test_memory.c -- the installed-to-be program under valgrind, and its anonymous memory on a large mesh */
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <sys/resource.h>
#include <sys/wait.h>

static const char *const lines[] = {
    "predict --matrix stencil9:60x60 --gpus 8,16 --explain",
    "predict --matrix stencil9:60x60 --gpus 8 --machine bluewaters,lassen --format csv",
    "pattern --matrix stencil27:6x6x6x3 --parts 7 --per-node 2 --format json",
    "eval max-rate --machine lassen m=10 s=1MiB ppn=40 --explain",
    "machines lassen --set host.queue.gamma=1ns",
    "models three-step",
    "reproduce node-aware-table4",
    "predict --matrix no-such-matrix",
    "predict --matrix stencil9:60x60 --machine no-such-machine",
    "predict --matrix stencil9:60x60 --gpus 0",
    "eval postal alpha=3",
    "eval split --machine lassen s_proc=64KiB s_node=256KiB s_node_node=16KiB recv_nodes=16 --explain",
    "predict --matrix stencil9:60x60 --gpus 8 --explain",
    "sweep --over strategy s=1KiB,1MiB --plot",
    "sweep postal --machine lassen protocol=short,eager s=1B:1MiB:5",
    "sweep postal --machine lassen protocol=short,eagr s=1B:1MiB:5",
    "cross strategies --machine lassen --over s=1KiB:2KiB --plot",
    "sensitivity --matrix stencil9:60x60 --gpus 8 --plot",
    "sensitivity postal --machine lassen s=1KiB --of x",
};

/* The program's own exit code is 0 or 1; valgrind's is 9. */
TEST_EACH(test_valgrind, sizeof lines / sizeof *lines)
{
    char command[1024];
    if (is_sanitized(__func__) || lacks(__func__, "valgrind"))
        return;
    snprintf(command, sizeof command,
             "valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all '%s' "
             "%s > /dev/null 2>&1",
             shell_program(), lines[_i]);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "valgrind finds fault with `nsmodel %s`", lines[_i]);
}

/* The most memory that a command had, in kB: all of it, of which the anonymous is a part, and none of it is missed, as
 * short as the command may be. */
static long peak_of(const char *line)
{
    char command[1024];
    struct rusage used;
    snprintf(command, sizeof command, "'%s' %s > /dev/null", shell_program(), line);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &used), 0);
    return used.ru_maxrss;
}

/* Three unknowns a node on 68 x 68 x 68: the exchange of 74 M entries within 400 MB, whatever the number of entries. */
TEST(test_anonymous_memory)
{
    if (is_sanitized(__func__))
        return;
    long most = peak_of("predict --matrix stencil27:68x68x68x3 --gpus 8,16,32,64,128,256");
    ck_assert_int_gt(most, 0);
    ck_assert_int_lt(most, 400 * 1000);
}

/* A million planned messages between 16,384 parts within 200 MB. */
TEST(test_planned_memory)
{
    enum { PARTS = 16384, MESSAGES = 1000000 };
    char path[200], line[400];
    uint64_t random = 7;
    if (is_sanitized(__func__))
        return;
    snprintf(path, sizeof path, "%s/planned.csv", getenv("NSMODEL_TEST_TMP"));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < MESSAGES; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const int from = (int)(random >> 50), to = (from + 1 + (int)(random >> 36 & 8191)) % PARTS;
        fprintf(file, "%d,%d,%d\n", from, to, 1 + (int)(random >> 19 & 65535));
    }
    ck_assert_int_eq(fclose(file), 0);
    snprintf(line, sizeof line, "predict --messages %s --gpus 16384", path);
    const long most = peak_of(line);
    remove(path);
    ck_assert_int_gt(most, 0);
    ck_assert_int_lt(most, 200 * 1000 * 1000 / 1024);
}

TEST_TIMEOUT(300)
