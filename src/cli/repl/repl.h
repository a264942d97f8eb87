/* repl.h -- a session: expressions, models and commands, line by line, from a terminal or as a script */
#ifndef NS_CLI_REPL_H
#define NS_CLI_REPL_H

#include "cli/front/candidates.h"
#include "cli/front/command.h"

#include <string.h>

/* What models and commands take from at the start: the machine that commands take when none is given. */
#define NS_REPL_MACHINE NS_MACHINE_DEFAULT
enum { NS_REPL_SETS = 64 };

typedef struct ns_repl {
    const ns_program *program; /* its commands can be used in a session */
    ns_calc *calc;
    ns_machine *machine;     /* what models take from; never NULL */
    char *machine_word;      /* as it was given: a name or a file */
    char *set[NS_REPL_SETS]; /* what was changed of it: "PATH=VALUE" */
    int sets;
    char *matrix; /* as it was given, or NULL */
    FILE *out, *err;
    const char *source; /* where lines come from, for messages; NULL: a person types them */
    bool ended;         /* quit */
    char *pending;      /* lines of a statement that goes on, each with its end of line, or NULL */
    size_t pending_length, pending_room;
    int open;                 /* its parentheses and brackets that are not closed */
    long lines, pending_line; /* lines read; the first one of pending */
} ns_repl;

ns_status ns_repl_open(ns_repl *repl, const ns_program *program, FILE *out, FILE *err, const char *source,
                       ns_error *error);
void ns_repl_close(ns_repl *repl);

/* One line more, without its end: a statement that it completes is run.  What fails is said, and returned. */
ns_status ns_repl_line(ns_repl *repl, const char *line);
/* No more lines: what is pending is run as it is. */
ns_status ns_repl_finish(ns_repl *repl);
/* Does a statement go on? */
bool ns_repl_is_pending(const ns_repl *repl);
/* Forget it. */
void ns_repl_drop(ns_repl *repl);

/* Every line of a file that is open; stops at the first failure. */
ns_status ns_repl_script(ns_repl *repl, FILE *file);
/* A person at a terminal, until Ctrl-D or quit. */
ns_status ns_repl_terminal(ns_repl *repl, ns_error *err);

enum { NS_REPL_WORDS = 1024 };
/* The words of a command line as a shell cuts them: '...', "...", \x, # for a comment, * and ~ for files. */
typedef struct ns_words {
    int count;
    char *word[NS_REPL_WORDS + 1]; /* closed by NULL */
    const char *at[NS_REPL_WORDS]; /* where it stands in the text */
} ns_words;

/* Is it the name? */
static inline bool ns_is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* What the first word of a statement makes of it. */
typedef struct ns_builtin {
    const char *name, *usage, *doc;
    ns_status (*run)(ns_repl *repl, ns_words *words, ns_error *err);
} ns_builtin;
extern const ns_builtin ns_builtins[]; /* closed by a NULL name */
/* Names of the commands and of these, into names[NS_COMMANDS_MAX + 16]; returns how many. */
size_t ns_statement_words(const ns_program *program, const char **names);
const ns_builtin *ns_builtin_find(const char *name, size_t length);
void ns_repl_forget_machine(ns_repl *repl);

/* argv[0] is the command's name; what machine and matrix are in use is added. */
ns_status ns_repl_command(ns_repl *repl, ns_words *words, ns_error *err);

#endif
