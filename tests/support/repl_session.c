/* repl_session.c -- nsmodel repl at a terminal: begin, type, look, leave */
#include "repl_session.h"

#include "core/memory.h"
#include "files.h"
#include "shell.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char program[600];

void repl_setup(void)
{
    snprintf(program, sizeof program, "exec '%s'", shell_program());
    const char *home = scratch_open();
    ck_assert(chdir(home) == 0 && setenv("HOME", home, 1) == 0 && unsetenv("NSMODEL_HISTORY") == 0);
}

void repl_teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

const char *repl_program(void)
{
    return program;
}

void repl_start(terminal *t)
{
    terminal_open(t, program);
    terminal_wait(t, "Ctrl-D ends\n" PROMPT);
}

void repl_say(terminal *t, const char *line, const char *answer)
{
    char shown[20000], echo[1000];
    terminal_type(t, line);
    terminal_type(t, "\r");
    snprintf(echo, sizeof echo, "%s\n", line);
    terminal_wait(t, echo);
    terminal_between(t, PROMPT, shown, sizeof shown);
    ck_assert_msg(strcmp(shown, answer) == 0, "%s shows\n%swanted\n%s", line, shown, answer);
}

void repl_leave(terminal *t)
{
    terminal_type(t, END);
    ck_assert_int_eq(terminal_close(t), 0);
}

void repl_file_is(const char *path, const char *content)
{
    struct stat is;
    char *text = read_whole(path);
    ck_assert_str_eq(text, content);
    ck_assert_int_eq(stat(path, &is), 0);
    ck_assert_int_eq(is.st_mode & 0777, 0600);
}
