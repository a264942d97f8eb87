/* program.h -- the whole program: its commands, and a function that runs it without calling exit */
#ifndef NS_CLI_PROGRAM_H
#define NS_CLI_PROGRAM_H

#include "cli/front/command.h"

/* Every command in the order of help. */
void ns_program_make(ns_program *program);

/* Returns the exit code. */
int ns_cli_run(int argc, char **argv, FILE *out, FILE *err);

#endif
