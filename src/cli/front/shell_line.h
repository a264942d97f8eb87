/* shell_line.h -- a command line as a shell reads it back */
#ifndef NS_CLI_FRONT_SHELL_LINE_H
#define NS_CLI_FRONT_SHELL_LINE_H

#include "cli/front/command.h"

typedef struct ns_shell_line {
    char *text;
    size_t size, used;
} ns_shell_line;

void ns_shell_put(ns_shell_line *line, const char *text);
/* A word, quoted where a shell needs it. */
void ns_shell_word(ns_shell_line *line, const char *word);
/* Every option that was given and that `command` takes, but for those named in `without`, up to a NULL (or NULL). */
void ns_shell_options(ns_shell_line *line, const ns_args *args, const ns_command *command, const char *const *without);

#endif
