/* command.c -- a command of the program inside a session: the machine and matrix in use are added */
#include "cli/front/signals.h"
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const ns_option *option_of(const ns_command *command, const char *name)
{
    for (const ns_option *o = command->options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* A command that reads its machine or matrix elsewhere is left alone, and so is one with a machine of its own, or with
 * a model, which goes without a matrix. */
static int add_in_use(const ns_repl *repl, const ns_args *args, char **more)
{
    static char machine_option[] = "--machine", matrix_option[] = "--matrix", set_option[] = "--set";
    const ns_option *machine = option_of(args->command, "machine");
    const bool planned = ns_args_has(args, "exchange") || ns_args_has(args, "records");
    int count = 0;
    if (machine != NULL && (machine->fallback == NULL || strcmp(machine->fallback, NS_REPL_MACHINE) == 0) && !planned &&
        !ns_args_has(args, "machine")) {
        more[count++] = machine_option;
        more[count++] = repl->machine_word;
        for (int i = 0; i < repl->sets; i++) {
            more[count++] = set_option;
            more[count++] = repl->set[i];
        }
    }
    if (option_of(args->command, "matrix") != NULL && repl->matrix != NULL && !planned && args->words == 0 &&
        !ns_args_has(args, "messages") && !ns_args_has(args, "matrix")) {
        more[count++] = matrix_option;
        more[count++] = repl->matrix;
    }
    return count;
}

/* In a process of its own while a person waits, so that Ctrl-C ends the command and not the session. */
static ns_status run_apart(ns_repl *repl, int argc, char **argv, ns_command_context *context, ns_error *err)
{
    int channel[2], status = 0;
    ns_error told = {0};
    fflush(NULL);
    if (pipe(channel) != 0)
        return ns_fail(err, NS_ERR_FILE, "no pipe to a command");
    pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        sigset_t none;
        sigemptyset(&none);
        (void)signal(SIGINT, SIG_DFL);
        ns_signals_catch();
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)repl->program->run(argc, argv, repl->out, context, &told);
        const bool whole = fflush(NULL) == 0 && write(channel[1], &told, sizeof told) == (ssize_t)sizeof told;
        _exit(whole ? context->exit : 1);
    }
    close(channel[1]);
    ssize_t got = -1;
    while (child > 0 && (got = read(channel[0], &told, sizeof told)) < 0 && errno == EINTR)
        continue;
    const bool whole = got == (ssize_t)sizeof told;
    close(channel[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        continue;
    if (child < 0)
        return ns_fail(err, NS_ERR_MEMORY, "no process for a command");
    if (!whole || WIFSIGNALED(status))
        return ns_fail(err, NS_ERR_DATA,
                       WIFSIGNALED(status) && WTERMSIG(status) == SIGINT ? "interrupted" : "the command broke off");
    if (told.code != NS_OK)
        *err = told;
    context->exit = WEXITSTATUS(status);
    return told.code;
}

/* The command line with what is in use; *argc words. */
static ns_status complete_words(const ns_repl *repl, const ns_command *command, ns_words *words, char **argv, int *argc,
                                ns_error *err)
{
    ns_args *args = ns_malloc(sizeof *args);
    if (args == NULL)
        return ns_no_memory(err);
    argv[0] = words->word[0];
    *argc = 1;
    /* what it cannot parse is said when it is run */
    (void)ns_args_parse(command, words->count - 1, words->word + 1, args, NULL);
    *argc += add_in_use(repl, args, argv + 1);
    for (int i = 1; i < words->count; i++)
        argv[(*argc)++] = words->word[i];
    argv[*argc] = NULL;
    ns_free(args);
    return NS_OK;
}

ns_status ns_repl_command(ns_repl *repl, ns_words *words, ns_error *err)
{
    char *argv[NS_REPL_WORDS + 2 * NS_REPL_SETS + 8];
    int argc = 0;
    const ns_command *command = ns_program_find(repl->program, words->word[0], strlen(words->word[0]));
    ns_command_context context = {.err = repl->err, .program = repl->program};
    assert(command != NULL); /* the line has been told from an expression by its name */
    if (command->talk != NULL)
        return ns_fail(err, NS_ERR_USAGE, "this is the repl already");
    NS_TRY(complete_words(repl, command, words, argv, &argc, err));
    ns_status status = repl->source == NULL ? run_apart(repl, argc, argv, &context, err)
                                            : repl->program->run(argc, argv, repl->out, &context, err);
    if (status == NS_OK && context.exit != 0 && repl->source != NULL)
        status = ns_fail(err, NS_ERR_DATA, "%s ended with exit code %d", command->name, context.exit);
    return status;
}
