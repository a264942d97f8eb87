/* command.h -- a command is one file that ends in a const descriptor; its option rows drive parser, help and manual */
#ifndef NS_CLI_COMMAND_H
#define NS_CLI_COMMAND_H

#include "api/library.h"

#include <stdio.h>

enum ns_option_kind {
    NS_OPT_NONE,
    NS_OPT_SWITCH,
    NS_OPT_TEXT,
    NS_OPT_NUMBER,
    NS_OPT_COUNT,
    NS_OPT_BYTES,
    NS_OPT_COUNTS
};

typedef struct ns_option {
    const char *name;     /* "gpus": given as --gpus */
    char letter;          /* short form, or 0 */
    const char *argument; /* "LIST", or NULL for a switch; "[FILE]", "[a|b]": optional, "" when left out */
    const char *fallback; /* the default, or NULL */
    const char *doc;      /* for people, through ns_option_doc, which replaces {strategies} and the like by names */
    bool repeats;         /* may be given several times */
    /* For options that ns_args_read stores in a command's request (NS_OPT): */
    enum ns_option_kind kind;
    size_t offset;            /* of the field */
    const char *unit;         /* of a number; "1" where it is NULL */
    double least, most;       /* of a number; both 0: unlimited */
    const char *const *words; /* an int is the index of one of these, closed by NULL */
} ns_option;

/* Whole numbers; free the array. */
typedef struct ns_whole_numbers {
    int32_t *at;
    size_t count;
} ns_whole_numbers;

/* An option that is not given and has no default is false, NULL, NAN, 0, or -1 for a choice of words. */
#define NS_OPT(struct_, field_)                                                                                        \
    .kind = _Generic(&((struct_ *)0)->field_,                                                                          \
        bool *: NS_OPT_SWITCH,                                                                                         \
        const char **: NS_OPT_TEXT,                                                                                    \
        double *: NS_OPT_NUMBER,                                                                                       \
        int *: NS_OPT_COUNT, unsigned *: NS_OPT_COUNT,                                                                 \
        int64_t *: NS_OPT_BYTES,                                                                                       \
        ns_whole_numbers *: NS_OPT_COUNTS),                                                                            \
    .offset = offsetof(struct_, field_)

enum { NS_ARGS_MAX = 4096, NS_COMMANDS_MAX = 64 };

/* A parsed command line.  All texts are borrowed from argv. */
typedef struct ns_args {
    const struct ns_command *command;
    struct ns_progress *progress;          /* where long work reports its progress; NULL: nowhere */
    const struct ns_exchange_maker *maker; /* makes the exchanges of a matrix; NULL: this process makes them alone */
    int given;
    struct {
        const ns_option *option;
        const char *value; /* "" for a switch, or for an optional value left out */
    } option[NS_ARGS_MAX];
    int words;
    const char *word[NS_ARGS_MAX];
    /* Options that many commands have: the given value, else the default, else NULL. */
    const char *matrix, *messages, *machine, *network, *partition, *output;
    bool usual_machine; /* no machine was named: machine is the default of the option, or NULL */
} ns_args;

/* Where messages for people go, and what the exit code will be. */
typedef struct ns_command_context {
    FILE *err;
    int exit;                         /* a command sets 1 when its answer is a failure that should still be printed */
    const struct ns_program *program; /* the program that this command belongs to */
} ns_command_context;

typedef struct ns_command {
    const char *name;
    const char *summary;
    const char *usage;        /* the positional part: "MODEL NAME=VALUE...", or "" */
    const ns_option *options; /* closed by a NULL name; --format, --json, -o and --help are common to all */
    const char *example;      /* an example command line to copy */
    const char *about;        /* text of the man page beyond the summary: paragraphs, each closed by \n; or NULL */
    int least, most;          /* numbers of positional words */
    const char *needs;        /* what the required words are: "at least one log file"; or NULL */
    bool takes_subject;       /* one bare word is the matrix, or FILE.csv the messages */
    int rank;                 /* order in help */
    const char *program;      /* the program that has it; NULL: nsmodel */
    bool (*owns_output)(const char *path); /* whether it writes -o PATH itself; NULL: never */
    /* Fill the result; the generic writers print it. */
    ns_status (*run)(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);
    /* Called before run, where CSV goes to standard output: writes rows one by one, exactly as run's result would be
     * written.  *done false: nothing was written, and run has to be called.  NULL: not supported. */
    ns_status (*stream)(const ns_args *args, FILE *out, bool *done, ns_error *err);
    /* Replaces run: a command that prints its own answers line by line. */
    ns_status (*talk)(const ns_args *args, FILE *out, ns_command_context *context, ns_error *err);
} ns_command;

/* The owns_output of a command that writes every -o itself. */
static inline bool ns_owns_output(const char *path)
{
    return path != NULL;
}

static inline const char *ns_command_program(const ns_command *command)
{
    return command->program != NULL ? command->program : "nsmodel";
}

/* The last value given, else the default, else NULL. */
const char *ns_args_get(const ns_args *args, const char *name);
/* Was the option given? */
bool ns_args_has(const ns_args *args, const char *name);
/* The index-th value of a repeated option, or NULL. */
const char *ns_args_at(const ns_args *args, const char *name, int index);

/* Store the options whose rows have NS_OPT in the command's request: each once, checked, with its default where it is
 * not given. */
ns_status ns_args_read(const ns_args *args, void *request, ns_error *err);

/* Whole numbers of a list option ("8,16,32", "1:64:x2"), each from least to most.  *values: free it.  For one number,
 * or bytes: 0 where the option is not given and has no default. */
ns_status ns_args_counts(const ns_args *args, const char *name, double least, double most, int32_t **values,
                         size_t *count, ns_error *err);
ns_status ns_args_count(const ns_args *args, const char *name, double least, double most, int32_t *value,
                        ns_error *err);
ns_status ns_args_bytes(const ns_args *args, const char *name, int64_t *bytes, ns_error *err);

/* The program's commands in the order of help, and the function that runs one.  The layers below know the commands only
 * through this struct. */
typedef struct ns_program {
    size_t commands;
    const ns_command *command[NS_COMMANDS_MAX];
    /* Run one command: argv[0] is its name.  An error is returned in err and not yet printed. */
    ns_status (*run)(int argc, char **argv, FILE *out, ns_command_context *context, ns_error *err);
} ns_program;

/* The command whose name is the first `length` bytes; NULL where there is none. */
const ns_command *ns_program_find(const ns_program *program, const char *name, size_t length);

/* Is the word after an option its value?  For an optional value, "[FILE]": yes if it looks like a file, not like an
 * option or NAME=VALUE. */
bool ns_option_takes(const ns_option *option, const char *word);
/* The option that a word names, "--gpus=4" or "-n"; or NULL. */
const ns_option *ns_option_of_word(const ns_command *command, const char *word);
/* The description of an option, with the names of registries filled in; returns text. */
enum { NS_OPTION_DOC = 512 };
const char *ns_option_doc(const ns_option *option, char *text, size_t size);

/* Arguments for another command, given by option names instead of a command line, with the progress line of `from`;
 * free them with free.  NULL when memory is out. */
ns_args *ns_args_ask(const ns_command *command, const ns_args *from);
/* Values are borrowed. */
ns_status ns_args_give(ns_args *args, const char *option, const char *value, ns_error *err);
/* Copy every value that `from` has for these options, up to a NULL. */
ns_status ns_args_pass(ns_args *args, const ns_args *from, const char *const *options, ns_error *err);

ns_status ns_args_parse(const ns_command *command, int argc, char **argv, ns_args *args, ns_error *err);
extern const ns_option ns_common_options[];

/* ---- a command line in the form that a shell reads --------------------------------------------------------------- */

typedef struct ns_shell_line {
    char *text;
    size_t size, used;
} ns_shell_line;

void ns_shell_put(ns_shell_line *line, const char *text);
/* Add a word, quoted where a shell needs it. */
void ns_shell_word(ns_shell_line *line, const char *word);
/* Add the command line that repeats the arguments for a command: the matrix as a bare word, or --messages; --machine,
 * unless it is NULL; and every given option of the command's own, except those named in `without`, up to a NULL. */
void ns_shell_question(ns_shell_line *line, const char *command, const ns_args *args, const char *machine,
                       const char *const *without);

/* ---- help -------------------------------------------------------------------------------------------------------- */

/* For an empty command line: three command lines worth trying, with or without the program's name. */
void ns_help_first(const char *program, FILE *out);
ns_status ns_help_all(const ns_program *program, FILE *out, ns_error *err);
void ns_help_command(const ns_command *command, FILE *out);

/* An error on one line, with the option that sets the limit that was exceeded; returns buffer. */
const char *ns_error_line(const ns_error *err, char *buffer, size_t size);
/* Its message without the place, followed by the remedy; returns buffer. */
const char *ns_error_words(const ns_error *err, char *buffer, size_t size);

#endif
