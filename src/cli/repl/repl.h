/* repl.h -- a session: expressions, models and commands, line by line, from a terminal or a script */
#ifndef NS_CLI_REPL_H
#define NS_CLI_REPL_H

#include "cli/front/candidates.h"
#include "cli/front/command.h"

#include <string.h>

/* The initial machine of models and commands: the default of the commands. */
#define NS_REPL_MACHINE NS_MACHINE_DEFAULT
enum { NS_REPL_SETS = 64 };

typedef struct ns_repl {
    const ns_program *program; /* the program whose commands can be used in a session */
    ns_calc *calc;
    ns_machine *machine;     /* the machine that models use; never NULL */
    char *machine_word;      /* as it was given: a name or a file */
    char *set[NS_REPL_SETS]; /* the changes to it: "PATH=VALUE" */
    int sets;
    char *matrix; /* as it was given, or NULL */
    FILE *out, *err;
    const char *source; /* the name of the input, for messages; NULL: typed at a terminal */
    bool ended;         /* quit was entered */
    char *pending;      /* lines of an unfinished statement, each with its end of line, or NULL */
    size_t pending_length, pending_room;
    int open;                 /* the number of its open parentheses and brackets */
    long lines, pending_line; /* lines read; the first line of pending */
} ns_repl;

ns_status ns_repl_open(ns_repl *repl, const ns_program *program, FILE *out, FILE *err, const char *source,
                       ns_error *error);
void ns_repl_close(ns_repl *repl);

/* Add a line, without its end: a statement that it completes is run.  An error is printed, and returned. */
ns_status ns_repl_line(ns_repl *repl, const char *line);
/* No more lines follow: run the pending statement as it is. */
ns_status ns_repl_finish(ns_repl *repl);
/* Is a statement unfinished? */
bool ns_repl_is_pending(const ns_repl *repl);
/* Drop it. */
void ns_repl_drop(ns_repl *repl);

/* Run every line of an open file; stops at the first failure. */
ns_status ns_repl_script(ns_repl *repl, FILE *file);
/* Read lines from a terminal, until Ctrl-D or quit. */
ns_status ns_repl_terminal(ns_repl *repl, ns_error *err);

enum { NS_REPL_WORDS = 1024 };
/* The words of a command line, split as by a shell: '...', "...", \x, # for a comment, * and ~ for files. */
typedef struct ns_words {
    int count;
    char *word[NS_REPL_WORDS + 1]; /* closed by NULL */
    const char *at[NS_REPL_WORDS]; /* its position in the text */
} ns_words;

/* Is the word this name? */
static inline bool ns_is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* The function for the first word of a statement. */
typedef struct ns_builtin {
    const char *name, *usage, *doc;
    ns_status (*run)(ns_repl *repl, ns_words *words, ns_error *err);
} ns_builtin;
extern const ns_builtin ns_builtins[]; /* closed by a NULL name */
/* Names of the commands and of the built-in words, into names[NS_COMMANDS_MAX + 16]; returns how many. */
size_t ns_statement_words(const ns_program *program, const char **names);
const ns_builtin *ns_builtin_find(const char *name, size_t length);
void ns_repl_forget_machine(ns_repl *repl);

/* argv[0] is the command's name; the current machine and matrix are added. */
ns_status ns_repl_command(ns_repl *repl, ns_words *words, ns_error *err);

#endif
