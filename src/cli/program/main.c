/* main.c -- the program: streams in, exit code out */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */

#include "cli/program/program.h"

#include <signal.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Large blocks go back to the system when they are freed: else the C library keeps ever larger ones among the small. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may grow no further is an error like a full disk */
    return_large_blocks();
    int code = ns_cli_run(argc, argv, stdout, stderr);
    if (fclose(stdout) != 0 && code == 0) {
        fputs("nsmodel: standard output could not be written\n", stderr);
        code = EXIT_FAILURE;
    }
    return code;
}
