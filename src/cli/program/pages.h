/* pages.h -- pages about the program, printed from the tables that drive it: manual, completion, reference */
#ifndef NS_CLI_PAGES_H
#define NS_CLI_PAGES_H

#include <stdbool.h>

#include "cli/front/command.h"

/* Answer "--man [COMMAND]", "--completion bash|zsh", "--complete LINE", "--reference" or "--commands"; false for
 * anything else.  These are not in the help, since only make and the completion scripts use them. */
bool ns_pages_answer(int argc, char **argv, FILE *out, ns_error *err);

/* The manual page nsmodel.1 (NULL) or nsmodel-COMMAND.1, in man(7) macros. */
void ns_man_page(const ns_command *command, FILE *out);

/* The manual page nsmodel-mpi.1. */
void ns_man_job(const ns_command *const *commands, size_t count, FILE *out);

/* The completions at the end of a command line that begins with the program's name: lines of WORD, a tab, its
 * description.  The word ":files" means that file names are valid. */
void ns_complete_line(const ns_program *program, const char *line, FILE *out);

#endif
