/* shell.c -- commands and scratch folders for tests of what stands around the program */
#include "shell.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[1024];

static int run(char *out, size_t size, const char *command)
{
    size_t used = 0;
    char piece[1024];
    FILE *pipe = popen(command, "r");
    ck_assert_msg(pipe != NULL, "no shell");
    for (size_t got; (got = fread(piece, 1, sizeof piece, pipe)) > 0;)
        for (size_t i = 0; i < got && used + 1 < size; i++)
            out[used++] = piece[i];
    if (size > 0)
        out[used] = '\0';
    int status = pclose(pipe);
    ck_assert_msg(status != -1 && WIFEXITED(status), "%s: ended by a signal", command);
    return WEXITSTATUS(status);
}

static int run_format(char *out, size_t size, const char *format, va_list arguments)
{
    char command[4096] = "unset MAKEFLAGS MFLAGS MAKELEVEL; exec 2>&1; ";
    size_t used = strlen(command);
    int length = vsnprintf(command + used, sizeof command - used, format, arguments);
    ck_assert(length >= 0 && (size_t)length < sizeof command - used);
    return run(out, size, command);
}

int shell(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int code = run_format(out, size, format, arguments);
    va_end(arguments);
    return code;
}

void shell_ok(const char *format, ...)
{
    static char out[65536];
    va_list arguments;
    va_start(arguments, format);
    int code = run_format(out, sizeof out, format, arguments);
    va_end(arguments);
    size_t length = strlen(out), shown = length < 3000 ? length : 3000; /* Check's messages are short; the end tells */
    ck_assert_msg(code == 0, "%s: exit code %d\n%s", format, code, out + length - shown);
}

const char *shell_program(void)
{
    static char here[4096];
    const char *given = getenv("NSMODEL_BIN");
    if (given != NULL || *here != '\0')
        return given != NULL ? given : here;
    ck_assert_ptr_nonnull(getcwd(here, sizeof here - sizeof "/bin/nsmodel"));
    return strcat(here, "/bin/nsmodel");
}

const char *scratch_open(void)
{
    ck_assert_int_eq(run(folder, sizeof folder, "mktemp -d"), 0);
    folder[strcspn(folder, "\n")] = '\0';
    return folder;
}

void scratch_begin(void)
{
    scratch_open();
}

const char *scratch_folder(void)
{
    return folder;
}

void scratch_close(void)
{
    if (folder[0] != '\0')
        shell_ok("rm -rf '%s'", folder);
    folder[0] = '\0';
}
