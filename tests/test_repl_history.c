/* test_repl_history.c -- a person at a terminal: history within a session and from one to the next */
#include "support/repl_session.h"
#include "support/shell.h"
#include "support/test.h"

#include <sys/stat.h>

TEST(test_history_goes_from_session_to_session)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "mine", 1), 0);
    repl_start(&t);
    repl_say(&t, "1 us + 1 us", "2 us\n");
    repl_say(&t, "1 us + 1 us", "2 us\n"); /* the same again is kept once */
    repl_say(&t, " 5", "5\n");             /* a blank before it: not kept */
    repl_say(&t, "3 +", "error: the text ends where a value is wanted\n    3 +\n       ^\n");
    repl_leave(&t);
    repl_file_is("mine", "1 us + 1 us\n3 +\n");
    repl_start(&t);
    terminal_type(&t, UP UP);
    terminal_wait(&t, "1 us + 1 us");
    terminal_type(&t, " in ns\r");
    terminal_wait(&t, "2000 ns\n" PROMPT);
    terminal_type(&t, "\022"
                      "3 +"); /* Ctrl-R */
    terminal_wait(&t, "3 +");
    terminal_type(&t, "\005 4\r"); /* to its end */
    terminal_wait(&t, "\n7\n" PROMPT);
    repl_leave(&t);
    repl_file_is("mine", "1 us + 1 us\n3 +\n1 us + 1 us in ns\n3 + 4\n");
    ck_assert_int_ne(access(".nsmodel_history", F_OK), 0);
}

/* A command over several lines is one line of history that can be run again. */
TEST(test_history_of_a_long_command)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "eval postal alpha=1us beta=1ns/B \\\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, "s=1kB --format csv\r");
    terminal_wait(&t, "outputs.time,2.0000000000000003e-06,s\n" PROMPT);
    terminal_type(&t, UP "\r");
    terminal_wait(&t, "outputs.time,2.0000000000000003e-06,s\n" PROMPT);
    repl_leave(&t);
    repl_file_is(".nsmodel_history", "eval postal alpha=1us beta=1ns/B  s=1kB --format csv\n");
}

TEST(test_history_of_others_is_closed)
{
    terminal t;
    shell_ok("echo 'x = 1' > .nsmodel_history && chmod 666 .nsmodel_history");
    repl_start(&t);
    repl_say(&t, "1 + 1", "2\n");
    repl_leave(&t);
    repl_file_is(".nsmodel_history", "x = 1\n1 + 1\n");
}

TEST(test_no_history)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "", 1), 0);
    repl_start(&t);
    repl_say(&t, "1 + 1", "2\n");
    repl_leave(&t);
    ck_assert_int_ne(access(".nsmodel_history", F_OK), 0);
}

TEST(test_history_that_cannot_be_kept)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "no/such/folder", 1), 0);
    terminal_open(&t, repl_program());
    terminal_wait(&t, "history is not kept: no/such/folder: No such file or directory\n" PROMPT);
    repl_say(&t, "1 + 1", "2\n");
    repl_leave(&t);
    ck_assert(mkdir("folder", 0700) == 0 && setenv("NSMODEL_HISTORY", "folder", 1) == 0);
    terminal_open(&t, repl_program());
    terminal_wait(&t, "history is not kept: folder: Is a directory\n" PROMPT);
    repl_leave(&t);
}

/* A long file is cut to its last lines, and stays its owner's; a link to it stays one. */
TEST(test_long_history)
{
    terminal t;
    char out[64];
    shell_ok("for i in $(seq 1 5000); do echo \"$i us\"; done > kept && ln -s kept .nsmodel_history");
    repl_start(&t);
    terminal_type(&t, UP);
    terminal_wait(&t, "5000 us");
    terminal_type(&t, "\r");
    terminal_wait(&t, "5 ms\n" PROMPT);
    repl_leave(&t);
    ck_assert_int_eq(shell(out, sizeof out,
                           "wc -l < kept; stat -c %%a kept; readlink .nsmodel_history; "
                           "ls -A | wc -l; tail -n 1 kept"),
                     0);
    ck_assert_str_eq(out, "2000\n600\nkept\n2\n5000 us\n");
}

TEST_FIXTURE(repl_setup, repl_teardown)
TEST_TIMEOUT(200)
