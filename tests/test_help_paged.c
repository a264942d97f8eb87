/* test_help_paged.c -- a help text that is longer than the terminal waits for its reader */

#include "support/needs.h"
#include "support/terminal.h"
#include "support/test.h"

static void open_help(terminal *t, int rows)
{
    char command[400];
    snprintf(command, sizeof command, "stty rows %d cols 100; env -u LESS '%s' help predict; echo X end-of-help", rows,
             getenv("NSMODEL_BIN"));
    terminal_open(t, command);
}

TEST(waits)
{
    if (lacks(__func__, "less"))
        return;
    terminal t;
    open_help(&t, 12);
    terminal_wait(&t, "usage: nsmodel predict");
    ck_assert(!terminal_shows(&t, "end-of-help", 400));
    terminal_type(&t, "q");
    terminal_wait(&t, "end-of-help");
    ck_assert_int_eq(terminal_close(&t), 0);
}

TEST(short_enough)
{
    terminal t;
    open_help(&t, 200);
    terminal_wait(&t, "more: man nsmodel-predict");
    terminal_wait(&t, "end-of-help");
    ck_assert_int_eq(terminal_close(&t), 0);
}
