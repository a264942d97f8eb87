/* test_tutorial.c -- every "$ nsmodel ..." of the tutorial is run, and prints what the page shows */

#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shell.h"
#include "support/test.h"

static const char page_name[] = "docs/tutorial.md";

/* Nobody's caches, and a folder with nothing but the example logs. */
static void leave_home(void)
{
    const char *folder = scratch_open();
    shell_ok("cp examples/*.log '%s'", folder);
    ck_assert_int_eq(setenv("HOME", "/users/you", 1) | unsetenv("XDG_CACHE_HOME") | unsetenv("NSMODEL_MATRIX_PATH"), 0);
    ck_assert_int_eq(chdir(folder), 0);
}

/* What the page shows below a command: up to the next command or the end of its block. */
static size_t shown_length(const char *below)
{
    const char *at = below;
    while (*at != '\0' && strncmp(at, "$ ", 2) != 0 && strncmp(at, "```", 3) != 0) {
        const char *end = strchr(at, '\n');
        ck_assert_msg(end != NULL, "a block without an end");
        at = end + 1;
    }
    return (size_t)(at - below);
}

/* Run the command at `line` and compare; returns where its block goes on. */
static const char *run_one(const char *line)
{
    char command[1024];
    const char *end = strchr(line, '\n');
    ck_assert_ptr_nonnull(end);
    snprintf(command, sizeof command, "%.*s", (int)(end - line), line);
    size_t length = shown_length(end + 1);
    cli_result r = cli(command);
    ck_assert_msg(r.code == 0, "`nsmodel %s` fails: %s", command, r.err);
    ck_assert_msg(strlen(r.out) == length && strncmp(r.out, end + 1, length) == 0,
                  "`nsmodel %s` prints something else than %s shows (`make docs` brings it up to date):\n%s", command,
                  page_name, r.out);
    ck_assert_str_eq(r.err, "");
    return end + 1 + length;
}

TEST(test_every_command)
{
    static const char prompt[] = "$ nsmodel ";
    char *page = read_whole(page_name);
    int commands = 0, any = 0;
    for (const char *at = page; (at = strstr(at, "\n$ ")) != NULL; at++)
        any++;
    leave_home();
    for (const char *at = page; (at = strstr(at, prompt)) != NULL; commands++) {
        ck_assert(at > page && at[-1] == '\n');
        at = run_one(at + sizeof prompt - 1);
    }
    ck_assert_int_eq(commands, any); /* nothing is shown that is not run */
    ck_assert_int_ge(commands, 8);
    ck_assert_int_eq(chdir(".."), 0);
    scratch_close();
}

TEST_TIMEOUT(300)
