/* main.c -- the program: streams in, exit code out */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */

#include "cli/front/signals.h"
#include "cli/program/program.h"

#include <signal.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that must not grow further is an error like a full disk */
    ns_signals_catch();
    int code = ns_cli_run(argc, argv, stdout, stderr);
    if (fclose(stdout) != 0 && code == 0) {
        fputs("nsmodel: standard output could not be written\n", stderr);
        code = EXIT_FAILURE;
    }
    return code;
}
