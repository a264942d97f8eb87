/* command.h -- a command is one file that ends in a const descriptor; its option rows drive parser, help and docs */
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
    const char *argument; /* "LIST", or NULL for a switch; "[FILE]", "[a|b]": may be missing, then "" */
    const char *fallback; /* the default, or NULL */
    const char *doc;      /* for people by way of ns_option_doc: {strategies}, {networks} and the like are names */
    bool repeats;         /* may be given several times */
    /* Of options that ns_args_read puts into a command's request (NS_OPT): */
    enum ns_option_kind kind;
    size_t offset;            /* of the field */
    const char *unit;         /* of a number, "1" where it is missing */
    double least, most;       /* of a number; both 0: any */
    const char *const *words; /* an int is the index of one, closed by NULL */
} ns_option;

/* Whole numbers; free the array. */
typedef struct ns_whole_numbers {
    int32_t *at;
    size_t count;
} ns_whole_numbers;

/* What is not given and has no default is false, NULL, NAN, 0, or -1 where it is a choice of words. */
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
    struct ns_progress *progress;          /* where long work says how far it is; NULL: nowhere */
    const struct ns_exchange_maker *maker; /* of a matrix' exchanges; NULL: this process alone makes them */
    int given;
    struct {
        const ns_option *option;
        const char *value; /* "" for a switch, or a value left out */
    } option[NS_ARGS_MAX];
    int words;
    const char *word[NS_ARGS_MAX];
    /* Options that many commands have: the value given, else the default, else NULL. */
    const char *matrix, *messages, *machine, *network, *partition, *output;
    bool usual_machine; /* nobody named one: machine is that of its row, or NULL */
} ns_args;

/* Where words for people go, and what the exit code will be. */
typedef struct ns_command_context {
    FILE *err;
    int exit;                         /* a command sets 1 when its answer is a failure that is still worth printing */
    const struct ns_program *program; /* the commands beside this one */
} ns_command_context;

typedef struct ns_command {
    const char *name;
    const char *summary;
    const char *usage;        /* the positional part: "MODEL NAME=VALUE...", or "" */
    const ns_option *options; /* closed by a NULL name; --format, --json, -o and --help are everyone's */
    const char *example;      /* a command line worth copying */
    const char *about;        /* what the man page says beyond the summary: paragraphs, closed by \n; or NULL */
    int least, most;          /* positional words */
    const char *needs;        /* what the least of them are: "at least one log file"; or NULL */
    bool takes_subject;       /* one bare word is the matrix, or FILE.csv the messages */
    int rank;                 /* order in help */
    const char *program;      /* that has it; NULL: nsmodel */
    bool (*owns_output)(const char *path); /* writes -o PATH itself; NULL: never */
    /* Fill the result; the generic writers print it. */
    ns_status (*run)(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);
    /* Before run, where CSV goes to standard output: rows written one after another, as run's result would be.  *done
     * false: nothing is written, and run has to answer.  NULL: never. */
    ns_status (*stream)(const ns_args *args, FILE *out, bool *done, ns_error *err);
    /* Instead of run: a command that answers line by line, by itself. */
    ns_status (*talk)(const ns_args *args, FILE *out, ns_command_context *context, ns_error *err);
} ns_command;

/* owns_output of a command that writes every -o itself. */
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
/* Given at all? */
bool ns_args_has(const ns_args *args, const char *name);
/* The index-th value of a repeated option, or NULL. */
const char *ns_args_at(const ns_args *args, const char *name, int index);

/* The options of the command's rows that say NS_OPT, into its request: each once, checked, by its default where it is
 * not given. */
ns_status ns_args_read(const ns_args *args, void *request, ns_error *err);

/* Whole numbers from a list option ("8,16,32", "1:64:x2"), each from least to most.  *values: free it.  One number, or
 * bytes: 0 where the option is not given and has no default. */
ns_status ns_args_counts(const ns_args *args, const char *name, double least, double most, int32_t **values,
                         size_t *count, ns_error *err);
ns_status ns_args_count(const ns_args *args, const char *name, double least, double most, int32_t *value,
                        ns_error *err);
ns_status ns_args_bytes(const ns_args *args, const char *name, int64_t *bytes, ns_error *err);

/* What the program can do: every command in the order of help, and how one is run.  Rooms below know the commands only
 * through it. */
typedef struct ns_program {
    size_t commands;
    const ns_command *command[NS_COMMANDS_MAX];
    /* One command: argv[0] is its name.  What goes wrong is in err, not yet printed. */
    ns_status (*run)(int argc, char **argv, FILE *out, ns_command_context *context, ns_error *err);
} ns_program;

/* A command by the first `length` bytes of a name; NULL where there is none. */
const ns_command *ns_program_find(const ns_program *program, const char *name, size_t length);

/* Is the word behind an option its value?  A value that may be missing, "[FILE]": when it looks like a file, not
 * like an option or NAME=VALUE. */
bool ns_option_takes(const ns_option *option, const char *word);
/* The option that a word, "--gpus=4" or "-n", stands for; or NULL. */
const ns_option *ns_option_of_word(const ns_command *command, const char *word);
/* What the option means, the names of registries filled in; returns text. */
enum { NS_OPTION_DOC = 512 };
const char *ns_option_doc(const ns_option *option, char *text, size_t size);

/* A question for another command, put by option names instead of a command line, with the progress line of `from`; free
 * it with free.  NULL when memory is out. */
ns_args *ns_args_ask(const ns_command *command, const ns_args *from);
/* Values are borrowed. */
ns_status ns_args_give(ns_args *args, const char *option, const char *value, ns_error *err);
/* Every value that `from` has of these options, up to a NULL. */
ns_status ns_args_pass(ns_args *args, const ns_args *from, const char *const *options, ns_error *err);

ns_status ns_args_parse(const ns_command *command, int argc, char **argv, ns_args *args, ns_error *err);
extern const ns_option ns_common_options[];

/* ---- a command line as a shell reads it back --------------------------------------------------------------------- */

typedef struct ns_shell_line {
    char *text;
    size_t size, used;
} ns_shell_line;

void ns_shell_put(ns_shell_line *line, const char *text);
/* A word, quoted where a shell needs it. */
void ns_shell_word(ns_shell_line *line, const char *word);
/* The question of args to a command: the matrix as a bare word, or --messages; --machine, unless it is NULL; and every
 * option of the command's own that was given, but for those named in `without`, up to a NULL. */
void ns_shell_question(ns_shell_line *line, const char *command, const ns_args *args, const char *machine,
                       const char *const *without);

/* ---- help -------------------------------------------------------------------------------------------------------- */

/* For whoever says nothing yet: three command lines worth trying, which begin with the program's name, or do not. */
void ns_help_first(const char *program, FILE *out);
ns_status ns_help_all(const ns_program *program, FILE *out, ns_error *err);
void ns_help_command(const ns_command *command, FILE *out);

/* An error on one line, with the option that sets the limit it met; returns buffer. */
const char *ns_error_line(const ns_error *err, char *buffer, size_t size);
/* Its words without the place, with what would help; returns buffer. */
const char *ns_error_words(const ns_error *err, char *buffer, size_t size);

#endif
