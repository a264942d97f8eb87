/* main.c -- the program: streams in, exit code out */
#include "cli/command.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    int code = ns_cli_run(argc, argv, stdout, stderr);
    if (fclose(stdout) != 0 && code == 0)
        code = EXIT_FAILURE;
    return code;
}
