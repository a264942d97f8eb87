/* run.c -- choose the command, run it, print its result: everything of the program but exit */
#include "cli/command.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS_COMMAND(stem) extern const ns_command ns_command_##stem;
#include "commands.def"
#undef NS_COMMAND

#define NS_COMMAND(stem) &ns_command_##stem,
static const ns_command *const commands[] = {
#include "commands.def"
    NULL};
#undef NS_COMMAND

enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

size_t ns_commands(const ns_command **list, size_t most)
{
    size_t count = 0;
    for (; count < COMMANDS && count < most; count++) {
        size_t at = count;
        for (; at > 0 && list[at - 1]->rank > commands[count]->rank; at--)
            list[at] = list[at - 1];
        list[at] = commands[count];
    }
    return count;
}

static ns_status find_command(const char *name, const ns_command **command, ns_error *err)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        if (strcmp(names[i], name) == 0) {
            *command = commands[i];
            return NS_OK;
        }
    }
    const char *near = ns_closest(name, names, COMMANDS);
    return near != NULL ? ns_fail(err, NS_ERR_USAGE, "no command \"%s\"; did you mean \"%s\"?", name, near)
                        : ns_fail(err, NS_ERR_USAGE, "no command \"%s\"; `nsmodel help` lists them", name);
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

static ns_status write_json(const ns_value *result, FILE *out, ns_error *err)
{
    char *text;
    size_t size;
    NS_TRY(ns_json_write(result, &text, &size, err));
    bool whole = fwrite(text, 1, size, out) == size;
    free(text);
    return whole ? NS_OK : ns_fail(err, NS_ERR_FILE, "the result could not be written");
}

static bool wants_colour(FILE *out)
{
    const char *refused = getenv("NO_COLOR");
    return isatty(fileno(out)) && (refused == NULL || *refused == '\0');
}

/* What a format leaves out is taken away before its writer sees the tree. */
static ns_status write_result(const ns_value *result, const char *format, FILE *out, ns_error *err)
{
    bool json = strcmp(format, "json") == 0, csv = strcmp(format, "csv") == 0;
    ns_value *shown = ns_value_without(result, json ? NS_V_NO_JSON : csv ? NS_V_JSON_ONLY | NS_V_NO_CSV : NS_V_JSON_ONLY | NS_V_NO_TABLE);
    ns_status status = shown == NULL || !ns_value_complete(shown) ? ns_fail(err, NS_ERR_MEMORY, "out of memory")
                       : json                                      ? write_json(shown, out, err)
                       : csv                                       ? ns_report_csv(shown, out, err)
                                                                   : ns_report_table(shown, out, wants_colour(out), err);
    ns_value_free(shown);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Beside FILE first, then renamed: never half a file. */
static ns_status write_file(const ns_value *result, const char *path, ns_error *err)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    FILE *file = fopen(beside, "wb");
    if (file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be created");
    ns_status status = write_result(result, ends_with(path, ".csv") ? "csv" : "json", file, err);
    if (fclose(file) != 0 && status == NS_OK)
        status = ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "could not be written");
    if (status == NS_OK && rename(beside, path) != 0)
        status = ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "could not be written");
    if (status != NS_OK)
        remove(beside);
    return status;
}

/* ---- running ------------------------------------------------------------------------------------------------------- */

static ns_status choose_format(const ns_args *args, const char **format, ns_error *err)
{
    *format = ns_args_has(args, "json") ? "json" : ns_args_get(args, "format");
    if (strcmp(*format, "table") == 0 || strcmp(*format, "json") == 0 || strcmp(*format, "csv") == 0)
        return NS_OK;
    return ns_fail(err, NS_ERR_USAGE, "--format is table, json or csv, not \"%s\"", *format);
}

static ns_status run_and_print(const ns_args *args, ns_value *result, ns_context *context, FILE *out, ns_error *err)
{
    const char *format;
    NS_TRY(choose_format(args, &format, err));
    NS_TRY(args->command->run(args, result, context, err));
    if (!ns_value_complete(result))
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (ns_args_get(args, "output") != NULL)
        NS_TRY(write_file(result, ns_args_get(args, "output"), err));
    NS_TRY(write_result(result, format, out, err));
    return fflush(out) == 0 && !ferror(out) ? NS_OK : ns_fail(err, NS_ERR_FILE, "standard output could not be written");
}

static ns_status run_command(int argc, char **argv, FILE *out, ns_context *context, ns_error *err)
{
    const ns_command *command;
    NS_TRY(find_command(argv[0], &command, err));
    ns_args *args = malloc(sizeof *args);
    ns_value *result = ns_value_new();
    ns_status status = args != NULL && result != NULL ? ns_args_parse(command, argc - 1, argv + 1, args, err)
                                                      : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (status == NS_OK && ns_args_has(args, "help"))
        ns_help_command(command, out);
    else if (status == NS_OK)
        status = run_and_print(args, result, context, out, err);
    ns_value_free(result);
    free(args);
    return status;
}

/* "help", "help NAME", --help, --version: true when that was all. */
static bool answer_meta(int argc, char **argv, FILE *out, ns_error *err)
{
    const char *word = argc > 1 ? argv[1] : "help";
    if (strcmp(word, "--version") == 0) {
        fprintf(out, "nsmodel %s\n", NS_VERSION);
        return true;
    }
    if (strcmp(word, "--help") != 0 && strcmp(word, "-h") != 0 && strcmp(word, "help") != 0)
        return false;
    const ns_command *command;
    if (argc < 3)
        ns_help_all(out);
    else if (find_command(argv[2], &command, err) == NS_OK)
        ns_help_command(command, out);
    return true;
}

int ns_cli_run(int argc, char **argv, FILE *out, FILE *err)
{
    ns_error error = {0};
    ns_context context = {.err = err};
    char text[1024];
    if (!answer_meta(argc, argv, out, &error))
        (void)run_command(argc - 1, argv + 1, out, &context, &error);
    if (error.code == NS_OK)
        return fflush(out) == 0 && !ferror(out) ? context.exit : 1;
    fprintf(err, "nsmodel: %s\n", ns_error_format(&error, text, sizeof text));
    return error.code == NS_ERR_USAGE ? 2 : 1;
}
