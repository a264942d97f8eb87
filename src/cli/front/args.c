/* args.c -- command lines parsed against the option rows of a command, and rebuilt for a shell */
#include "cli/front/command.h"
#include "core/memory.h"
#include "core/own.h"
#include "core/refuse.h"

#include <math.h>
#include <string.h>

const ns_option ns_common_options[] = {
    {"format", 0, "table|wide|json|csv", "table", "how to print the result"},
    {"json", 0, NULL, NULL, "the same as --format json"},
    {"wide", 0, NULL, NULL, "the same as --format wide: every column, however wide the terminal is"},
    {"color", 0, "auto|always|never", "auto", "mark what is best; auto: on a terminal, unless NO_COLOR is set"},
    {"output", 'o', "FILE", NULL, "write the result to FILE as well; .csv, .md or .txt says how, any other is JSON"},
    {"quiet", 'q', NULL, NULL, "no notes, warnings and progress on standard error; failures are told"},
    {"help", 'h', NULL, NULL, "what the command does and takes"},
    {NULL},
};

/* By name, or by letter where that is not 0; a command's own options take precedence over the shared ones. */
static const ns_option *find(const ns_command *command, const char *name, size_t length, char letter)
{
    for (int common = 0; common < 2; common++)
        for (const ns_option *o = common ? ns_common_options : command->options; o->name != NULL; o++)
            if (letter != 0 ? o->letter == letter : strlen(o->name) == length && memcmp(o->name, name, length) == 0)
                return o;
    return NULL;
}

const ns_option *ns_option_of_word(const ns_command *command, const char *word)
{
    if (strncmp(word, "--", 2) == 0)
        return find(command, word + 2, strcspn(word + 2, "="), 0);
    return word[0] == '-' && word[1] != '\0' && word[2] == '\0' ? find(command, word + 1, 1, word[1]) : NULL;
}

/* Read the options that many commands share. */
static void read_shared(ns_args *args)
{
    args->matrix = ns_args_get(args, "matrix");
    args->messages = ns_args_get(args, "messages");
    args->machine = ns_args_get(args, "machine");
    args->network = ns_args_get(args, "network");
    args->partition = ns_args_get(args, "partition");
    args->output = ns_args_get(args, "output");
    args->usual_machine = !ns_args_has(args, "machine");
}

static ns_status add_option(ns_args *args, const ns_option *option, const char *value, ns_error *err)
{
    if (args->given == NS_ARGS_MAX)
        return ns_fail(err, NS_ERR_USAGE, "too many options");
    for (int i = 0; i < args->given && !option->repeats; i++)
        if (args->option[i].option == option && option->argument != NULL)
            return ns_fail(err, NS_ERR_USAGE, "--%s is given twice", option->name);
    args->option[args->given].option = option;
    args->option[args->given++].value = value;
    return NS_OK;
}

bool ns_option_takes(const ns_option *option, const char *word)
{
    if (option->argument == NULL || *option->argument != '[')
        return option->argument != NULL;
    return word[0] != '-' && strchr(word, '=') == NULL && strpbrk(word, "./") != NULL;
}

ns_status ns_args_parse(const ns_command *command, int argc, char **argv, ns_args *args, ns_error *err)
{
    *args = (ns_args){.command = command};
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *value = NULL;
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
            continue;
        }
        if (options_end || word[0] != '-' || word[1] == '\0') {
            if (args->words == NS_ARGS_MAX)
                return ns_fail(err, NS_ERR_USAGE, "too many words");
            args->word[args->words++] = argv[i];
            continue;
        }
        const bool is_long = word[1] == '-';
        const size_t length = is_long ? strcspn(word + 2, "=") : 1;
        const ns_option *option = find(command, word + 2, length, is_long ? 0 : word[1]);
        if (option == NULL || (!is_long && word[2] != '\0' && option->argument == NULL)) {
            const char *names[64];
            char bare[64];
            size_t count = 0;
            for (const ns_option *o = command->options; o->name != NULL && count < 60; o++)
                names[count++] = o->name;
            for (const ns_option *o = ns_common_options; o->name != NULL && count < 64; o++)
                names[count++] = o->name;
            snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
            const char *near = ns_closest(bare + strspn(bare, "-"), names, count);
            return near != NULL ? ns_fail(err, NS_ERR_USAGE, "%s has no option %s; did you mean --%s?", command->name,
                                          bare, near)
                                : ns_fail(err, NS_ERR_USAGE, "%s has no option %s; `%s %s --help` lists them",
                                          command->name, bare, ns_command_program(command), command->name);
        }
        if (is_long && word[2 + length] == '=')
            value = word + 3 + length;
        else if (!is_long && word[2] != '\0')
            value = word + 2;
        if (option->argument == NULL && value != NULL)
            return ns_fail(err, NS_ERR_USAGE, "--%s takes no value", option->name);
        if (value == NULL && i + 1 < argc && ns_option_takes(option, argv[i + 1])) /* the value may be the next word */
            value = argv[++i];
        if (value == NULL && option->argument != NULL && *option->argument != '[')
            return ns_fail(err, NS_ERR_USAGE, "--%s wants %s", option->name, option->argument);
        NS_TRY(add_option(args, option, value != NULL ? value : "", err));
    }
    read_shared(args);
    if (ns_args_has(args, "help"))
        return NS_OK;

    /* `predict FILE` is `predict --matrix FILE`, or --messages FILE.csv */
    if (command->takes_subject && args->words > 0 && args->matrix == NULL && args->messages == NULL) {
        const char *word = args->word[0], *ending = strrchr(word, '.');
        const bool messages =
            ending != NULL && strcmp(ending, ".csv") == 0 && ns_option_of_word(command, "--messages") != NULL;
        args->words--;
        memmove(args->word, args->word + 1, (size_t)args->words * sizeof *args->word);
        NS_TRY(ns_args_give(args, messages ? "messages" : "matrix", word, err));
    }
    if (args->words > command->most)
        return ns_fail(err, NS_ERR_USAGE, "unexpected argument \"%s\"; usage: %s %s %s", args->word[command->most],
                       ns_command_program(command), command->name, command->usage);
    if (args->words < command->least)
        return ns_fail(err, NS_ERR_USAGE, "%s needs %s; usage: %s %s %s", command->name,
                       command->needs != NULL ? command->needs : "more arguments", ns_command_program(command),
                       command->name, command->usage);
    return NS_OK;
}

ns_args *ns_args_ask(const ns_command *command, const ns_args *from)
{
    ns_args *args = ns_calloc(1, sizeof *args);
    if (args == NULL)
        return NULL;
    args->command = command;
    args->progress = from->progress;
    read_shared(args);
    return args;
}

ns_status ns_args_give(ns_args *args, const char *option, const char *value, ns_error *err)
{
    const ns_option *row = find(args->command, option, strlen(option), 0);
    if (row == NULL)
        return ns_fail(err, NS_ERR_USAGE, "%s has no option --%s", args->command->name, option);
    const ns_status status = add_option(args, row, value, err);
    read_shared(args);
    return status;
}

ns_status ns_args_pass(ns_args *args, const ns_args *from, const char *const *options, ns_error *err)
{
    const char *value;
    for (; *options != NULL; options++)
        for (int i = 0; (value = ns_args_at(from, *options, i)) != NULL; i++)
            NS_TRY(ns_args_give(args, *options, value, err));
    return NS_OK;
}

const char *ns_args_at(const ns_args *args, const char *name, int index)
{
    for (int i = 0; i < args->given; i++)
        if (strcmp(args->option[i].option->name, name) == 0 && index-- == 0)
            return args->option[i].value;
    return NULL;
}

bool ns_args_has(const ns_args *args, const char *name)
{
    return ns_args_at(args, name, 0) != NULL;
}

const char *ns_args_get(const ns_args *args, const char *name)
{
    const char *value = ns_args_at(args, name, 0);
    const ns_option *option = find(args->command, name, strlen(name), 0);
    return value != NULL ? value : option != NULL ? option->fallback : NULL;
}

/* For counts, "8-64" and "8..64" double from the first to the last, "8..64:x2" and "8-64:+8" give the step; anything
 * else is unchanged. */
ns_status ns_args_counts(const ns_args *args, const char *name, double least, double most, int32_t **values,
                         size_t *count, ns_error *err)
{
    double *numbers;
    size_t numbers_count;
    char what[40];
    const char *given = ns_args_get(args, name);
    given = given != NULL ? given : "";
    snprintf(what, sizeof what, "--%s", name);
    NS_OWN(ns_free) char *text = ns_malloc(3 * strlen(given) + 1);
    char *to = text;
    if (text == NULL)
        return ns_no_memory(err);
    while (*given != '\0') {
        const size_t item = strcspn(given, ","), first = strspn(given, "0123456789");
        const size_t joint = given[first] == '-' ? 1 : strncmp(given + first, "..", 2) == 0 ? 2 : 0;
        const char *last = given + first + joint;
        const size_t digits = strspn(last, "0123456789"), rest = item - (size_t)(last - given) - digits;
        const bool range = first > 0 && joint > 0 && digits > 0 && (rest == 0 || last[digits] == ':');
        if (range && ns_strtod(given, NULL) > ns_strtod(last, NULL))
            return ns_fail(err, NS_ERR_RANGE, "%s: range \"%.*s\" runs down; did you mean %.*s%.*s%.*s%.*s?", what,
                           (int)item, given, (int)digits, last, (int)joint, given + first, (int)first, given,
                           (int)rest, last + digits);
        if (range)
            to += sprintf(to, "%.*s:%.*s%s", (int)first, given, (int)(digits + rest), last, rest == 0 ? ":x2" : "");
        else
            to += sprintf(to, "%.*s", (int)item, given);
        given += item;
        if (*given == ',')
            *to++ = *given++;
    }
    *to = '\0';
    NS_TRY(ns_list_parse(text, what, "1", &numbers, &numbers_count, err));
    NS_OWN(ns_free) int32_t *whole = ns_malloc(ns_size_mul(ns_size_add(numbers_count, 1), sizeof *whole));
    ns_status status = whole != NULL ? NS_OK : ns_no_memory(err);
    for (size_t i = 0; i < numbers_count && status == NS_OK; i++) {
        if (numbers[i] != floor(numbers[i]) || numbers[i] < least || numbers[i] > most)
            status = ns_fail(err, NS_ERR_RANGE, "%s wants whole numbers from %.0f to %.0f, got %.10g", what, least,
                             most, numbers[i]);
        else
            whole[i] = (int32_t)numbers[i];
    }
    ns_list_free(numbers);
    NS_TRY(status);
    *values = whole;
    *count = numbers_count;
    whole = NULL;
    return NS_OK;
}

ns_status ns_args_count(const ns_args *args, const char *name, double least, double most, int32_t *value, ns_error *err)
{
    NS_OWN(ns_free) int32_t *values = NULL;
    size_t count;
    *value = 0;
    if (ns_args_get(args, name) == NULL)
        return NS_OK;
    NS_TRY(ns_args_counts(args, name, least, most, &values, &count, err));
    if (count != 1)
        return ns_fail(err, NS_ERR_RANGE, "--%s wants one number", name);
    *value = values[0];
    return NS_OK;
}

ns_status ns_args_bytes(const ns_args *args, const char *name, int64_t *bytes, ns_error *err)
{
    char what[40];
    double value;
    *bytes = 0;
    if (ns_args_get(args, name) == NULL)
        return NS_OK;
    snprintf(what, sizeof what, "--%s", name);
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, name), what, "B", &value, err));
    if (value != floor(value) || value < 1 || value > 9007199254740992.0)
        return ns_fail(err, NS_ERR_RANGE, "%s wants a whole number of bytes from 1 B to 2^53 B", what);
    *bytes = (int64_t)value;
    return NS_OK;
}

ns_status ns_args_read(const ns_args *args, void *request, ns_error *err)
{
    for (const ns_option *o = args->command->options; o->name != NULL; o++) {
        void *field = (char *)request + o->offset;
        const char *text = ns_args_get(args, o->name);
        char what[80];
        snprintf(what, sizeof what, "--%s", o->name);
        switch (o->kind) {
        case NS_OPT_NONE:
            break;
        case NS_OPT_SWITCH:
            *(bool *)field = ns_args_has(args, o->name);
            break;
        case NS_OPT_TEXT:
            *(const char **)field = text;
            break;
        case NS_OPT_NUMBER: {
            double *value = field;
            *value = NAN;
            if (text == NULL)
                break;
            NS_TRY(ns_quantity_parse_as(text, what, o->unit != NULL ? o->unit : "1", value, err));
            if (*value < o->least && (o->least < 0 || o->least > 0 || o->most > 0))
                return ns_fail(err, NS_ERR_RANGE, "%s wants at least %g, got %s", what, o->least, text);
            if (*value > o->most && o->most > o->least)
                return ns_fail(err, NS_ERR_RANGE, "%s wants at most %g, got %s", what, o->most, text);
            break;
        }
        case NS_OPT_COUNT:
            if (o->words != NULL && text == NULL)
                *(int *)field = -1;
            else
                NS_TRY(o->words != NULL ? ns_choose_word(what, o->words, text, field, err)
                                        : ns_args_count(args, o->name, o->least, o->most, field, err));
            break;
        case NS_OPT_BYTES:
            NS_TRY(ns_args_bytes(args, o->name, field, err));
            break;
        case NS_OPT_COUNTS: {
            ns_whole_numbers *counts = field;
            *counts = (ns_whole_numbers){.count = 0};
            if (text != NULL)
                NS_TRY(ns_args_counts(args, o->name, o->least, o->most, &counts->at, &counts->count, err));
            break;
        }
        }
    }
    return NS_OK;
}

/* ---- a command line in the form that a shell reads --------------------------------------------------------------- */

void ns_shell_put(ns_shell_line *line, const char *text)
{
    for (; *text != '\0' && line->used + 1 < line->size; text++)
        line->text[line->used++] = *text;
    line->text[line->used] = '\0';
}

void ns_shell_word(ns_shell_line *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@";
    const bool quoted = *word == '\0' || word[strspn(word, plain)] != '\0';
    ns_shell_put(line, quoted ? "'" : "");
    for (; *word != '\0'; word++)
        ns_shell_put(line, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
    ns_shell_put(line, quoted ? "'" : "");
}

void ns_shell_question(ns_shell_line *line, const char *command, const ns_args *args, const char *machine,
                       const char *const *without)
{
    const char *matrix = args->matrix, *messages = args->messages;
    ns_shell_put(line, command);
    if (matrix != NULL || messages != NULL) {
        ns_shell_put(line, matrix == NULL ? " --messages " : *matrix == '-' ? " --matrix " : " ");
        ns_shell_word(line, matrix != NULL ? matrix : messages);
    }
    if (machine != NULL) {
        ns_shell_put(line, " --machine ");
        ns_shell_word(line, machine);
    }
    for (int i = 0; i < args->given; i++) {
        const ns_option *option = args->option[i].option;
        bool left_out = false;
        for (const ns_option *common = ns_common_options; common->name != NULL; common++)
            left_out = left_out || common == option;
        for (const char *const *name = without; *name != NULL && !left_out; name++)
            left_out = strcmp(*name, option->name) == 0;
        if (left_out)
            continue;
        ns_shell_put(line, " --");
        ns_shell_put(line, option->name);
        if (option->argument == NULL || (*option->argument == '[' && *args->option[i].value == '\0'))
            continue;
        ns_shell_put(line, " ");
        ns_shell_word(line, args->option[i].value);
    }
}
