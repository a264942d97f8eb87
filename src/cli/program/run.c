/* run.c -- choose the command, run it, print its result: the whole program except exit */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "bytes/gunzip.h"
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "cli/front/progress.h"
#include "cli/program/pages.h"
#include "cli/program/program.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "core/without.h"
#include "io/whole_file.h"
#include "matrix/market/market.h"
#include "report/report.h"

#include <errno.h>
#include <limits.h>
#include <nsmodel/status.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what NSMODEL_WITHOUT may name
 *
 * Libraries that the program loads (scotch, curl) and programs that it starts act as missing, each in the one place
 * that would use it.  Parts chosen when the program is compiled cannot be hidden: naming one is an error.  Other words
 * are only for the tests, which use more parts: `shared` is their data folder. */

static const char *const parts[] = {"scotch",  "curl",    "isal",     "avx2",   "gnuplot", "less",
                                    "man",     "mpi",     "chromium", "bash",   "zsh",     "valgrind",
                                    "fish",    "gpmetis", "groff",    "script", "cmake",   "abidiff",
                                    "xmllint", "python3", "c++",      "shared", "all"};
enum { PARTS = sizeof parts / sizeof *parts };

/* NS_ERR_USAGE where it names an unknown part, or a part that this program was built with and cannot hide. */
static ns_status ns_without_check(const char *list, ns_error *err)
{
    char names[400];
    for (const char *word = list; word != NULL; word = strchr(word, ',') != NULL ? strchr(word, ',') + 1 : NULL) {
        const size_t length = strcspn(word, ",");
        int i = 0;
        while (i < PARTS && (strlen(parts[i]) != length || memcmp(parts[i], word, length) != 0))
            i++;
        if (i == PARTS)
            return ns_fail(err, NS_ERR_USAGE, NS_WITHOUT " names no part \"%.*s\"; there are %s",
                           (int)(length < 40 ? length : 40), word, ns_name_list(names, sizeof names, parts, PARTS));
    }
    const struct {
        const char *part, *option;
        bool in;
    } built[] = {{"isal", "ISAL", ns_gunzip_has_fast()}, {"avx2", "AVX2", ns_market_has_plain()}};
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        if (built[i].in && ns_without(list, built[i].part))
            return ns_fail(err, NS_ERR_USAGE,
                           NS_WITHOUT " names %s, which this program was built to use; `make %s=no` builds one without",
                           built[i].part, built[i].option);
    return NS_OK;
}

#define NS_COMMAND(stem) extern const ns_command ns_command_##stem;
#include "commands.def"
#undef NS_COMMAND

#define NS_COMMAND(stem) &ns_command_##stem,
static const ns_command *const commands[] = {
#include "commands.def"
    NULL};
#undef NS_COMMAND

enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

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
    char text[NS_UNKNOWN_MOST];
    ns_unknown_name(text, sizeof text, "no command", name, names, COMMANDS, "`nsmodel help` lists them");
    return ns_fail(err, NS_ERR_USAGE, "%s", text);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static ns_status flush(FILE *out, ns_error *err)
{
    return fflush(out) == 0 && !ferror(out) ? NS_OK : ns_fail(err, NS_ERR_FILE, "standard output could not be written");
}

static ns_status run_and_print(const ns_args *args, ns_value *result, ns_command_context *context, FILE *out,
                               ns_error *err)
{
    const ns_format *format = NULL;
    ns_screen screen;
    NS_TRY(ns_format_choose(args, &format, err));
    NS_TRY(ns_screen_read(args, out, &screen, err));
    const char *output = args->output;
    const bool owned = output != NULL && args->command->owns_output != NULL && args->command->owns_output(output);
    if (output != NULL && ns_is_structure_file(output) && !owned)
        return ns_fail(err, NS_ERR_USAGE, "only pattern writes .nsp files");
    if (output != NULL) {
        /* Report that a file cannot be created before doing any work for it. */
        const char *slash = strrchr(output, '/');
        char folder[PATH_MAX];
        if (slash != NULL && slash != output && (size_t)(slash - output) < sizeof folder) {
            snprintf(folder, sizeof folder, "%.*s", (int)(slash - output), output);
            if (access(folder, W_OK) != 0)
                return ns_fail_at(err, NS_ERR_FILE, output, 0, 0, "cannot be created: %s: %s", folder, strerror(errno));
        }
    }
    bool done = false;
    ns_status status = NS_OK;
    if (args->command->stream != NULL && output == NULL && ns_format_is_csv(format))
        status = args->command->stream(args, out, &done, err);
    if (status == NS_OK && !done)
        status = args->command->run(args, result, context, err);
    ns_progress_clear(args->progress);
    NS_TRY(status);
    if (done)
        return flush(out, err);
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    if (output != NULL && !owned)
        NS_TRY(ns_result_save(result, output, err));
    NS_TRY(ns_result_write(result, format, out, &screen, err));
    return flush(out, err);
}

static ns_status run_command(int argc, char **argv, FILE *out, ns_command_context *context, ns_error *err)
{
    const ns_command *command;
    NS_TRY(find_command(argv[0], &command, err));
    NS_OWN(ns_free) ns_args *args = ns_malloc(sizeof *args);
    NS_OWN(ns_value_free) ns_value *result = ns_value_new();
    FILE *const words = context->err;
    ns_progress progress = {.err = words};
    char *said = NULL;
    size_t size;
    if (args == NULL || result == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_args_parse(command, argc - 1, argv + 1, args, err));
    const bool quiet = ns_args_has(args, "quiet");
    args->progress = quiet ? NULL : &progress;
    if (!quiet)
        ns_machines_say_hidden(args, words);
    if (ns_args_has(args, "help")) {
        ns_help_command(command, out);
        return NS_OK;
    }
    FILE *kept = quiet ? open_memstream(&said, &size) : NULL;
    if (quiet && kept == NULL)
        return ns_no_memory(err);
    context->err = quiet ? kept : words;
    ns_status status = command->talk != NULL ? command->talk(args, out, context, err)
                                             : run_and_print(args, result, context, out, err);
    context->err = words;
    if (kept != NULL && fclose(kept) == 0) {
        /* Keep only notes and warnings among the lines for people. */
        static const char note[] = "nsmodel: note: ", warning[] = "nsmodel: warning: ";
        for (const char *line = said; *line != '\0';) {
            const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
            if (strncmp(line, note, sizeof note - 1) != 0 && strncmp(line, warning, sizeof warning - 1) != 0)
                fwrite(line, 1, length, words);
            line += length;
        }
    } else if (kept != NULL && status == NS_OK)
        status = ns_no_memory(err);
    free(said);
    return status;
}

void ns_program_make(ns_program *program)
{
    const ns_command **list = program->command;
    for (program->commands = 0; program->commands < COMMANDS; program->commands++) {
        const ns_command *next = commands[program->commands];
        size_t at = program->commands;
        for (; at > 0 && list[at - 1]->rank > next->rank; at--)
            list[at] = list[at - 1];
        list[at] = next;
    }
    program->run = run_command;
}

int ns_cli_run(int argc, char **argv, FILE *out, FILE *err)
{
    static char repl[] = "repl", *talk[] = {repl, repl, NULL};
    ns_error error = {0};
    /* Without arguments on a terminal the program is the repl. */
    if (argc < 2 && isatty(STDIN_FILENO) && isatty(fileno(out))) {
        argc = 2;
        argv = talk;
    }
    ns_program program;
    ns_program_make(&program);
    ns_command_context context = {.err = err, .program = &program};
    const char *word = argc > 1 ? argv[1] : "", *without = getenv(NS_WITHOUT);
    const ns_command *command;
    char text[1024];
    if (without != NULL && *without != '\0' && ns_without_check(without, &error) != NS_OK) {
        /* reported below */
    } else if (*word == '\0') {
        fprintf(out, "nsmodel %s -- what communication costs on supercomputers, in closed form\n\n", NS_VERSION);
        ns_help_first("nsmodel ", out);
        fputs("`nsmodel help` lists all commands.\n", out);
    } else if (strcmp(word, "--version") == 0 || strcmp(word, "-v") == 0 || strcmp(word, "version") == 0)
        fprintf(out, "nsmodel %s\n", NS_VERSION);
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        if (argc < 3)
            (void)ns_help_all(&program, out, &error);
        else if (find_command(argv[2], &command, &error) == NS_OK)
            ns_help_command(command, out);
    } else if (strncmp(word, "--", 2) != 0 || !ns_pages_answer(argc, argv, out, &error))
        (void)run_command(argc - 1, argv + 1, out, &context, &error);
    if (error.code == NS_OK && (context.exit != 0 || flush(out, &error) == NS_OK)) /* a failure has been reported */
        return context.exit;
    fprintf(err, "nsmodel: %s\n", ns_error_line(&error, text, sizeof text));
    return error.code == NS_ERR_USAGE ? 2 : 1;
}
