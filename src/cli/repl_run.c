/* repl_run.c -- one statement: a word of the session, a command of the program, or an expression */
#include "cli/places.h"
#include "cli/repl.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while ((at[length] >= 'a' && at[length] <= 'z') || (at[length] >= 'A' && at[length] <= 'Z') ||
           (at[length] >= '0' && at[length] <= '9') || at[length] == '_' || at[length] == '-')
        length++;
    return length;
}

static bool same(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* ---- machine, matrix, variables, quit ----------------------------------------------------------------------------- */

static ns_status keep(char **place, const char *word, ns_error *err)
{
    char *copy = malloc(strlen(word) + 1);
    if (copy == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    strcpy(copy, word);
    free(*place);
    *place = copy;
    return NS_OK;
}

static ns_status use_machine(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_machine *machine;
    if (words->count == 1) {
        fprintf(repl->out, "%s: %s\n", repl->machine_word, repl->machine->title);
        return NS_OK;
    }
    if (words->count > 2)
        return ns_fail(err, NS_ERR_USAGE, "machine takes one name, then \"%s\"", words->word[2]);
    NS_TRY(ns_machine_load(words->word[1], &machine, err));
    ns_status status = keep(&repl->machine_word, words->word[1], err);
    if (status != NS_OK) {
        ns_machine_free(machine);
        return status;
    }
    ns_machine_free(repl->machine);
    repl->machine = machine;
    repl->machine_chosen = true;
    ns_calc_use_machine(repl->calc, machine);
    if (repl->source == NULL)
        fprintf(repl->err, "%s: %s\n", repl->machine_word, machine->title);
    return NS_OK;
}

/* The first word of one of the ways to call a command: "list | info NAME". */
static bool is_action(const char *usage, const char *word)
{
    while (*usage != '\0') {
        usage += strspn(usage, " |");
        if (same(word, usage, strcspn(usage, " |")))
            return true;
        usage += strcspn(usage, "|");
    }
    return false;
}

static ns_status describe_matrix(const char *spec, FILE *out, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_places_matrix(spec, &matrix, err));
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    if (info->note != NULL)
        fprintf(out, "%s\n", info->note);
    fprintf(out, "%s: %lld x %lld (%s)\n", spec, (long long)info->rows, (long long)info->cols,
            ns_matrix_source_words[info->source]);
    ns_matrix_free(matrix);
    return NS_OK;
}

static ns_status use_matrix(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_matrix *matrix;
    if (words->count == 1 && repl->matrix != NULL)
        return describe_matrix(repl->matrix, repl->out, err);
    if (words->count == 1) {
        fprintf(repl->out, "none\n");
        return NS_OK;
    }
    const char *word = words->word[1];
    if (words->count > 2 || *word == '-' || is_action(ns_command_find("matrix", 6)->usage, word))
        return ns_repl_command(repl, words, err);
    if (strcmp(word, "none") == 0) {
        free(repl->matrix);
        repl->matrix = NULL;
        return NS_OK;
    }
    NS_TRY(ns_places_matrix(word, &matrix, err));
    ns_matrix_free(matrix);
    NS_TRY(keep(&repl->matrix, word, err));
    return repl->source == NULL ? describe_matrix(word, repl->err, err) : NS_OK;
}

static ns_status list_variables(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_answer answer = {.unit = ""};
    char text[128];
    const char *name;
    if (words->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "variables takes nothing, then \"%s\"", words->word[1]);
    for (size_t i = 0; (name = ns_calc_variable(repl->calc, i, &answer.quantity)) != NULL; i++)
        fprintf(repl->out, "%s = %s\n", name, ns_answer_format(&answer, text, sizeof text));
    return NS_OK;
}

static ns_status quit(ns_repl *repl, ns_words *words, ns_error *err)
{
    if (words->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "%s takes nothing, then \"%s\"", words->word[0], words->word[1]);
    repl->ended = true;
    return NS_OK;
}

const ns_builtin ns_builtins[] = {
    {"machine", "machine [NAME|FILE]", "what models and commands take their parameters from", use_machine},
    {"matrix", "matrix [NAME|FILE|STENCIL|none]", "the matrix of predict, pattern, netsparse", use_matrix},
    {"variables", "variables", "names and values", list_variables},
    {"help", "help [NAME]", "about a command, model, function, unit, machine or variable; also ?", ns_repl_help},
    {"quit", "quit", "end; also exit and Ctrl-D", quit},
    {"exit", "exit", "the same as quit", quit},
    {NULL, NULL, NULL, NULL},
};

const ns_builtin *ns_builtin_find(const char *name, size_t length)
{
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        if (same(b->name, name, length))
            return b;
    return NULL;
}

/* ---- commands of the program -------------------------------------------------------------------------------------- */

const ns_command *ns_command_find(const char *name, size_t length)
{
    const ns_command *commands[NS_COMMANDS_MAX];
    size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    for (size_t i = 0; i < count; i++)
        if (same(commands[i]->name, name, length))
            return commands[i];
    return NULL;
}

static bool is_given(const ns_words *words, const char *option)
{
    const size_t length = strlen(option);
    for (int i = 1; i < words->count; i++) {
        const char *word = words->word[i];
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, option, length) == 0 &&
            (word[2 + length] == '\0' || word[2 + length] == '='))
            return true;
    }
    return false;
}

static const ns_option *option_of(const ns_command *command, const char *name)
{
    for (const ns_option *o = command->options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* A command that reads its machine or matrix elsewhere is left alone, and so is one with a machine of its own. */
static int add_in_use(const ns_repl *repl, const ns_command *command, const ns_words *words, char **more)
{
    static char machine_option[] = "--machine", matrix_option[] = "--matrix";
    const ns_option *machine = option_of(command, "machine");
    const bool planned = is_given(words, "exchange") || is_given(words, "records"), free_machine =
        machine != NULL && (machine->fallback == NULL || (repl->machine_chosen && strcmp(machine->fallback, "lassen") == 0));
    int count = 0;
    if (free_machine && !planned && !is_given(words, "machine")) {
        more[count++] = machine_option;
        more[count++] = repl->machine_word;
    }
    if (option_of(command, "matrix") != NULL && repl->matrix != NULL && !planned && !is_given(words, "messages") &&
        !is_given(words, "matrix")) {
        more[count++] = matrix_option;
        more[count++] = repl->matrix;
    }
    return count;
}

static void release_interrupt(void)
{
    sigset_t none;
    sigemptyset(&none);
    (void)signal(SIGINT, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In a process of its own while a person waits, so that Ctrl-C ends the command and not the session. */
static ns_status run_apart(ns_repl *repl, int argc, char **argv, ns_context *context, ns_error *err)
{
    int channel[2], status = 0;
    ns_error told = {0};
    fflush(NULL);
    if (pipe(channel) != 0)
        return ns_fail(err, NS_ERR_FILE, "no pipe to a command");
    pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        release_interrupt();
        (void)ns_command_run(argc, argv, repl->out, context, &told);
        const bool whole = fflush(NULL) == 0 && write(channel[1], &told, sizeof told) == (ssize_t)sizeof told;
        _exit(whole ? context->exit : 1);
    }
    close(channel[1]);
    const bool whole = child > 0 && read(channel[0], &told, sizeof told) == (ssize_t)sizeof told;
    close(channel[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        continue;
    if (child < 0)
        return ns_fail(err, NS_ERR_MEMORY, "no process for a command");
    if (!whole || WIFSIGNALED(status))
        return ns_fail(err, NS_ERR_DATA, WIFSIGNALED(status) && WTERMSIG(status) == SIGINT ? "interrupted" : "the command broke off");
    if (told.code != NS_OK)
        *err = told;
    context->exit = WEXITSTATUS(status);
    return told.code;
}

/* Put the message's place at the word it is about. */
static void place(const ns_words *words, ns_error *err)
{
    char text[sizeof err->file + sizeof err->text + 64];
    ns_error_format(err, text, sizeof text);
    const int word = ns_words_blame(words, err->text);
    const ns_status code = err->code;
    *err = (ns_error){0};
    const char *begin = words->at[0], *at = words->at[word];
    long line = 1;
    for (const char *c = words->at[0]; c < at; c++)
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    (void)ns_fail_at(err, code, NULL, line, at - begin + 1, "%s", text);
}

ns_status ns_repl_command(ns_repl *repl, ns_words *words, ns_error *err)
{
    char *argv[NS_REPL_WORDS + 8];
    int argc = 0;
    const ns_command *command = ns_command_find(words->word[0], strlen(words->word[0]));
    ns_context context = {.err = repl->err};
    if (command->talk != NULL)
        return ns_fail(err, NS_ERR_USAGE, "this is the repl already");
    argv[argc++] = words->word[0];
    argc += add_in_use(repl, command, words, argv + argc);
    for (int i = 1; i < words->count; i++)
        argv[argc++] = words->word[i];
    argv[argc] = NULL;
    ns_status status = repl->source == NULL ? run_apart(repl, argc, argv, &context, err)
                                            : ns_command_run(argc, argv, repl->out, &context, err);
    if (status == NS_OK && context.exit != 0 && repl->source != NULL)
        status = ns_fail(err, NS_ERR_DATA, "%s ended with exit code %d", command->name, context.exit);
    return status;
}

static ns_status run_words(ns_repl *repl, const char *text, const ns_builtin *builtin, ns_error *err)
{
    ns_words *words = malloc(sizeof *words);
    ns_status status = words != NULL ? ns_words_cut(text, words, err) : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (status == NS_OK) {
        status = builtin != NULL ? builtin->run(repl, words, err) : ns_repl_command(repl, words, err);
        if (status != NS_OK)
            place(words, err);
        ns_words_free(words);
    }
    free(words);
    return status;
}

/* ---- statements --------------------------------------------------------------------------------------------------- */

static bool is_assignment(const char *after)
{
    after += strspn(after, " \t");
    return *after == '=' && after[1] != '=';
}

/* Two words beside one another are no expression ("in" aside), nor is one that nothing is called: a mistyped command? */
static ns_status suspect_command(const char *text, size_t length, ns_error *err)
{
    const char *names[NS_COMMANDS_MAX + 16];
    const ns_command *commands[NS_COMMANDS_MAX];
    size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    char word[64];
    for (size_t i = 0; i < count; i++)
        names[i] = commands[i]->name;
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        names[count++] = b->name;
    const char *next = text + length + strspn(text + length, " \t");
    const bool words = next > text + length && (word_length(next) > 0 && *next != '-') && strncmp(next, "in ", 3) != 0;
    const bool option = next > text + length && strncmp(next, "--", 2) == 0;
    if (length == 0 || length >= sizeof word || !(words || option || *next == '\0'))
        return NS_OK;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    const char *near = ns_closest(word, names, count);
    if (near != NULL)
        return ns_fail_at(err, NS_ERR_NAME, NULL, 1, 1, "no command \"%s\"; did you mean \"%s\"?", word, near);
    return words || option ? ns_fail_at(err, NS_ERR_NAME, NULL, 1, 1, "no command \"%s\"; `help commands` lists them", word)
                           : NS_OK;
}

static ns_status calculate(ns_repl *repl, const char *text, ns_error *err)
{
    ns_answer answer;
    char shown[160];
    ns_error inner = {0};
    const size_t length = word_length(text);
    ns_status status = ns_calc_eval(repl->calc, text, &answer, &inner);
    if (status != NS_OK && inner.line == 1 && inner.column == 1) /* the first word means nothing */
        NS_TRY(suspect_command(text, length, err));
    if (status != NS_OK) {
        *err = inner;
        return status;
    }
    if (!answer.assigned)
        fprintf(repl->out, "%s\n", ns_answer_format(&answer, shown, sizeof shown));
    return NS_OK;
}

/* The first word decides, unless it is given a value or called. */
static ns_status dispatch(ns_repl *repl, const char *text, ns_error *err)
{
    const size_t length = word_length(text);
    const ns_builtin *builtin = ns_builtin_find(text, length);
    const ns_command *command = ns_command_find(text, length);
    if (*text == '?')
        return run_words(repl, text, ns_builtin_find("help", 4), err);
    if (builtin == NULL && command == NULL)
        return calculate(repl, text, err);
    if (is_assignment(text + length))
        return ns_fail_at(err, NS_ERR_NAME, NULL, 1, 1, "%.*s is a command, another name is wanted", (int)length, text);
    return text[length] == '\0' || is_blank(text[length]) ? run_words(repl, text, builtin, err)
                                                          : calculate(repl, text, err);
}

ns_status ns_repl_run(ns_repl *repl, const char *text, long first_line)
{
    static const char program[] = "nsmodel";
    ns_error err = {0};
    const char *from = text + strspn(text, " \t\r\n");
    if (same(program, from, word_length(from)) && is_blank(from[strlen(program)]))
        from += strlen(program) + strspn(from + strlen(program), " \t");
    ns_status status = *from == '\0' || *from == '#' ? NS_OK : dispatch(repl, from, &err);
    if (status == NS_OK && (fflush(repl->out) != 0 || ferror(repl->out)))
        status = ns_fail_at(&err, NS_ERR_FILE, NULL, 1, 1, "standard output could not be written");
    if (status == NS_OK)
        return NS_OK;
    if (err.line < 1)
        err.line = 1;
    if (err.line == 1) { /* columns count from the statement's first word */
        const char *line = from;
        while (line > text && line[-1] != '\n')
            line--;
        err.column = (err.column > 0 ? err.column : 1) + (from - line);
    }
    for (const char *c = text; c < from; c++)
        err.line += *c == '\n';
    ns_repl_complain(repl, text, first_line, &err);
    return status;
}
