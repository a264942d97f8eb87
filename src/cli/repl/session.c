/* session.c -- lines into statements: an open parenthesis or a \ at the end continues a statement */
#define _DEFAULT_SOURCE /* GLOB_TILDE */
#include "cli/front/signals.h"
#include "cli/repl/repl.h"
#include "core/memory.h"
#include "core/own.h"
#include "core/refuse.h"
#include "core/utf8.h"
#include "report/cell.h"

#include <assert.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a command of the program inside a session: the current machine and matrix are added ------------------------- */

/* In a process of its own when a person types, so that Ctrl-C ends the command and not the session. */
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

/* The command is unchanged if it gets its machine or matrix in another way.  No matrix is added to a command with a
 * machine or model of its own. */
ns_status ns_repl_command(ns_repl *repl, ns_words *words, ns_error *err)
{
    static char machine_option[] = "--machine", matrix_option[] = "--matrix", set_option[] = "--set";
    char *argv[NS_REPL_WORDS + 2 * NS_REPL_SETS + 8];
    int argc = 0;
    assert(words->word[0] != NULL);
    const ns_command *command = ns_program_find(repl->program, words->word[0], strlen(words->word[0]));
    ns_command_context context = {.err = repl->err, .program = repl->program};
    assert(command != NULL); /* its name has already distinguished the line from an expression */
    if (command->talk != NULL)
        return ns_fail(err, NS_ERR_USAGE, "this is the repl already");
    ns_args *args = ns_malloc(sizeof *args);
    if (args == NULL)
        return ns_no_memory(err);
    /* errors are reported when the command is run */
    (void)ns_args_parse(command, words->count - 1, words->word + 1, args, NULL);
    const ns_option *machine = ns_option_of_word(command, "--machine");
    const bool planned = ns_args_has(args, "exchange") || ns_args_has(args, "records");
    argv[argc++] = words->word[0];
    if (machine != NULL && (machine->fallback == NULL || strcmp(machine->fallback, NS_REPL_MACHINE) == 0) && !planned &&
        !ns_args_has(args, "machine")) {
        argv[argc++] = machine_option;
        argv[argc++] = repl->machine_word;
        for (int i = 0; i < repl->sets; i++) {
            argv[argc++] = set_option;
            argv[argc++] = repl->set[i];
        }
    }
    if (ns_option_of_word(command, "--matrix") != NULL && repl->matrix != NULL && !planned && args->words == 0 &&
        !ns_args_has(args, "messages") && !ns_args_has(args, "matrix")) {
        argv[argc++] = matrix_option;
        argv[argc++] = repl->matrix;
    }
    ns_free(args);
    for (int i = 1; i < words->count; i++)
        argv[argc++] = words->word[i];
    argv[argc] = NULL;
    ns_status status = repl->source == NULL ? run_apart(repl, argc, argv, &context, err)
                                            : repl->program->run(argc, argv, repl->out, &context, err);
    if (status == NS_OK && context.exit != 0 && repl->source != NULL)
        status = ns_fail(err, NS_ERR_DATA, "%s ended with exit code %d", command->name, context.exit);
    return status;
}

/* ---- a command line cut into words, as a shell would ------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void words_free(ns_words *words)
{
    while (words != NULL && words->count > 0)
        ns_free(words->word[--words->count]);
    ns_free(words);
}
NS_FREED_BY(words_free, ns_words)

static ns_status add(ns_words *words, const char *text, size_t length, const char *at, ns_error *err)
{
    if (words->count == NS_REPL_WORDS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d words", (int)NS_REPL_WORDS);
    char *copy = ns_malloc(length + 1);
    if (copy == NULL)
        return ns_no_memory(err);
    memcpy(copy, text, length);
    copy[length] = '\0';
    words->at[words->count] = at;
    words->word[words->count++] = copy;
    words->word[words->count] = NULL;
    return NS_OK;
}

/* The files that match a pattern, else the pattern itself. */
static ns_status add_files(ns_words *words, const char *pattern, const char *at, ns_error *err)
{
    glob_t files;
    ns_status status = NS_OK;
    if (glob(pattern, GLOB_TILDE | GLOB_NOCHECK, NULL, &files) != 0)
        return add(words, pattern, strlen(pattern), at, err);
    for (size_t i = 0; i < files.gl_pathc && status == NS_OK; i++)
        status = add(words, files.gl_pathv[i], strlen(files.gl_pathv[i]), at, err);
    globfree(&files);
    return status;
}

/* One word from *at on, into room, which is as large as the text; *plain when nothing in it was quoted. */
static ns_status cut(const char *text, const char **at, char *room, bool *plain, ns_error *err)
{
    const char *c = *at;
    char quote = '\0';
    *plain = true;
    for (; *c != '\0' && (quote != '\0' || !is_blank(*c)); c++) {
        if (*c == quote && quote != '\0') {
            quote = '\0';
        } else if (quote == '\0' && (*c == '\'' || *c == '"')) {
            quote = *c;
            *at = c;
            *plain = false;
        } else {
            if (*c == '\\' && quote != '\'' && c[1] != '\0') {
                c++;
                *plain = false;
            }
            *room++ = *c;
        }
    }
    if (quote != '\0')
        return ns_fail_at(err, NS_ERR_SYNTAX, NULL, 0, *at - text + 1, "this %c is not closed", quote);
    *room = '\0';
    *at = c;
    return NS_OK;
}

static ns_status words_cut(const char *text, ns_words *words, ns_error *err)
{
    bool plain;
    NS_OWN(ns_free) char *room = ns_malloc(strlen(text) + 1);
    if (room == NULL)
        return ns_no_memory(err);
    for (const char *c = text;;) {
        while (is_blank(*c))
            c++;
        if (*c == '\0' || *c == '#')
            return NS_OK;
        const char *begin = c;
        NS_TRY(cut(text, &c, room, &plain, err));
        const bool pattern = plain && (strchr(room, '*') != NULL || strncmp(room, "~/", 2) == 0);
        NS_TRY(pattern ? add_files(words, room, begin, err) : add(words, room, strlen(room), begin, err));
    }
}

/* Does the message contain the word, or its part after "=", delimited as a word? */
static bool quotes(const char *message, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = message; length > 0 && (at = strstr(at, word)) != NULL; at++) {
        const char before = at == message ? ' ' : at[-1], after = at[length];
        if (strchr(" \"'(=", before) != NULL && (after == '\0' || strchr(" \"',;:).=", after) != NULL))
            return true;
    }
    return false;
}

/* ---- error messages: the line, and a caret below the position ---------------------------------------------------- */

enum { INDENT = 4, WIDTH = 100, BEFORE = 60 }; /* a longer line is shown from BEFORE columns left of the caret */

/* Advance by so many characters, or to `end`; a malformed byte counts as one. */
static const char *forward(const char *text, size_t count, const char *end)
{
    for (; count > 0 && text < end; count--)
        text += ns_utf8_length(text) > 0 ? ns_utf8_length(text) : 1;
    return text;
}

/* Characters of text before `end`. */
static size_t columns(const char *text, const char *end)
{
    size_t count = 0;
    for (; text < end; count++)
        text = forward(text, 1, end);
    return count;
}

/* Report an error in a statement that begins at this line: place, message, the line and a caret. */
static void ns_repl_complain(const ns_repl *repl, const char *text, long first_line, const ns_error *err)
{
    const char *begin = text;
    for (long line = 1; line < err->line && strchr(begin, '\n') != NULL; line++) {
        begin = strchr(begin, '\n') + 1;
        first_line++;
    }
    const char *end = begin + strcspn(begin, "\n");
    const size_t length = (size_t)(end - begin), column = err->column > 0 ? (size_t)err->column - 1 : 0;
    const char *at = begin + (column < length ? column : length);
    char words[1024];
    ns_error_words(err, words, sizeof words);
    if (repl->source == NULL)
        fprintf(repl->err, "error: %s\n", words);
    else
        fprintf(repl->err, "nsmodel: %s:%ld:%zu: %s\n", repl->source, first_line, (size_t)(at - begin) + 1, words);
    /* one line of the statement, from begin to end, and the caret below `at` */
    char shown[4 * WIDTH + 1];
    const size_t caret = columns(begin, at);
    const char *from = caret > BEFORE ? forward(begin, caret - BEFORE, end) : begin;
    const char *to = forward(from, WIDTH, end);
    snprintf(shown, sizeof shown, "%.*s", (int)(to - from), from);
    fprintf(repl->err, "%*s", INDENT, "");
    fputs(from > begin ? "..." : "", repl->err);
    ns_cell_print(repl->err, shown, strlen(shown));
    fputs(to < end ? "..." : "", repl->err);
    fprintf(repl->err, "\n%*s^\n", INDENT + (from > begin ? 3 : 0) + (int)columns(from, at), "");
    fflush(repl->err);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while ((at[length] >= 'a' && at[length] <= 'z') || (at[length] >= 'A' && at[length] <= 'Z') ||
           (at[length] >= '0' && at[length] <= '9') || at[length] == '_' || at[length] == '-')
        length++;
    return length;
}

static ns_status run_words(ns_repl *repl, const char *text, const ns_builtin *builtin, ns_error *err)
{
    NS_OWN(words_free) ns_words *words = ns_calloc(1, sizeof *words);
    if (words == NULL)
        return ns_no_memory(err);
    NS_TRY(words_cut(text, words, err));
    const ns_status status = builtin != NULL ? builtin->run(repl, words, err) : ns_repl_command(repl, words, err);
    if (status != NS_OK) {
        /* Move the place of the message to the word that it quotes. */
        char message[sizeof err->file + sizeof err->text + 64];
        ns_error_line(err, message, sizeof message);
        int word = 0;
        for (int i = words->count - 1; i > 0 && word == 0; i--) {
            const char *equals = strchr(words->word[i], '=');
            char name[64] = "";
            if (equals != NULL)
                snprintf(name, sizeof name, "%.*s", (int)(equals - words->word[i]), words->word[i]);
            if (quotes(message, words->word[i]) ||
                (equals != NULL && (quotes(message, equals + 1) || quotes(message, name))))
                word = i;
        }
        const char *begin = words->at[0];
        long line = 1;
        for (const char *c = words->at[0]; c < words->at[word]; c++)
            if (*c == '\n') {
                line++;
                begin = c + 1;
            }
        const ns_status code = err->code;
        *err = (ns_error){0};
        (void)ns_fail_at(err, code, NULL, line, words->at[word] - begin + 1, "%s", message);
    }
    return status;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* Two adjacent words are not an expression (except with "in"), nor is a name that is undefined: is it a mistyped
 * command? */
static ns_status suspect_command(const ns_repl *repl, const char *text, size_t length, ns_error *err)
{
    const char *names[NS_COMMANDS_MAX + 16];
    const size_t count = ns_statement_words(repl->program, names);
    char word[64];
    const char *next = text + length + strspn(text + length, " \t");
    const bool words = next > text + length && (word_length(next) > 0 && *next != '-') && strncmp(next, "in ", 3) != 0;
    const bool option = next > text + length && strncmp(next, "--", 2) == 0;
    if (ns_is_word("in", text, length) || ns_calc_model(text, length) != NULL) /* its own message is clearer */
        return NS_OK;
    if (length == 0 || length >= sizeof word || !(words || option || *next == '\0'))
        return NS_OK;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (ns_closest(word, names, count) == NULL && !words && !option)
        return NS_OK;
    char text_of[NS_UNKNOWN_MOST];
    ns_unknown_name(text_of, sizeof text_of, "no command", word, names, count, "`help commands` lists them");
    return ns_fail_at(err, NS_ERR_NAME, NULL, 1, 1, "%s", text_of);
}

static ns_status calculate(ns_repl *repl, const char *text, ns_error *err)
{
    ns_answer answer = {.size = sizeof answer};
    char shown[160];
    ns_error inner = {0};
    const size_t length = word_length(text);
    ns_status status = ns_calc_eval(repl->calc, text, &answer, &inner);
    if (status != NS_OK && inner.line == 1 && inner.column == 1) /* the first word is undefined */
        NS_TRY(suspect_command(repl, text, length, err));
    if (status != NS_OK) {
        *err = inner;
        return status;
    }
    if (!answer.assigned)
        fprintf(repl->out, "%s\n", ns_answer_format(&answer, shown, sizeof shown));
    return NS_OK;
}

/* Run a statement: its first word decides whether it is a built-in word, a command or an expression; a first word that
 * is assigned or called belongs to an expression. */
static ns_status ns_repl_run(ns_repl *repl, const char *text, long first_line)
{
    static const char program[] = "nsmodel";
    ns_error err = {0};
    const char *from = text + strspn(text, " \t\r\n");
    if (ns_is_word(program, from, word_length(from)) && is_blank(from[strlen(program)]))
        from += strlen(program) + strspn(from + strlen(program), " \t");
    const size_t length = word_length(from);
    const ns_builtin *builtin = *from == '?' ? ns_builtin_find("help", 4) : ns_builtin_find(from, length);
    const char *after = from + length + strspn(from + length, " \t");
    const bool known = builtin != NULL || ns_program_find(repl->program, from, length) != NULL;
    ns_status status = NS_OK;
    if (*from == '\0' || *from == '#')
        status = NS_OK;
    else if (*from == '?')
        status = run_words(repl, from, builtin, &err);
    else if (known && *after == '=' && after[1] != '=')
        status =
            ns_fail_at(&err, NS_ERR_NAME, NULL, 1, 1, "%.*s is a command, another name is wanted", (int)length, from);
    else if (known && (from[length] == '\0' || is_blank(from[length])))
        status = run_words(repl, from, builtin, &err);
    else
        status = calculate(repl, from, &err);
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

static const char default_machine[] = NS_REPL_MACHINE;

ns_status ns_repl_open(ns_repl *repl, const ns_program *program, FILE *out, FILE *err, const char *source,
                       ns_error *error)
{
    *repl = (ns_repl){.program = program, .out = out, .err = err, .source = source};
    NS_TRY(ns_calc_open(&repl->calc, error));
    NS_TRY(ns_machine_load(default_machine, &repl->machine, error));
    ns_calc_use_machine(repl->calc, repl->machine);
    repl->machine_word = ns_malloc(sizeof default_machine);
    if (repl->machine_word == NULL)
        return ns_no_memory(error);
    memcpy(repl->machine_word, default_machine, sizeof default_machine);
    return NS_OK;
}

void ns_repl_close(ns_repl *repl)
{
    ns_calc_free(repl->calc);
    ns_repl_forget_machine(repl);
    ns_free(repl->matrix);
    ns_free(repl->pending);
}

bool ns_repl_is_pending(const ns_repl *repl)
{
    return repl->pending != NULL;
}

/* Remove the pending statement, which the caller then owns. */
static char *take_pending(ns_repl *repl)
{
    char *statement = repl->pending;
    repl->pending = NULL;
    repl->pending_length = repl->pending_room = 0;
    repl->open = 0;
    return statement;
}

void ns_repl_drop(ns_repl *repl)
{
    ns_free(take_pending(repl));
}

ns_status ns_repl_finish(ns_repl *repl)
{
    if (repl->pending == NULL)
        return NS_OK;
    repl->pending[repl->pending_length - 1] = '\0';
    NS_OWN(ns_free) char *statement = take_pending(repl);
    return ns_repl_run(repl, statement, repl->pending_line);
}

ns_status ns_repl_line(ns_repl *repl, const char *line)
{
    size_t length = strlen(line);
    if (repl->pending == NULL)
        repl->pending_line = repl->lines + 1;
    repl->lines++;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    /* pending + line + "\n"; a closing "\" becomes a blank */
    const bool goes_on = length > 0 && line[length - 1] == '\\';
    if (repl->pending_length + length + 2 > repl->pending_room) {
        const size_t room = 2 * (repl->pending_length + length + 2);
        char *longer = ns_realloc(repl->pending, room);
        if (longer == NULL) {
            fprintf(repl->err, "nsmodel: out of memory\n");
            return NS_ERR_MEMORY;
        }
        repl->pending = longer;
        repl->pending_room = room;
    }
    assert(repl->pending != NULL);
    char *end = repl->pending + repl->pending_length;
    memcpy(end, line, length);
    if (goes_on)
        end[length - 1] = ' ';
    end[length] = '\n';
    end[length + 1] = '\0';
    repl->pending_length += length + 1;
    for (const char *c = line; *c != '\0' && *c != '#'; c++) /* parentheses and brackets that remain open */
        repl->open += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    /* Brackets in built-in words and commands do not continue the statement. */
    const char *text = repl->pending + strspn(repl->pending, " \t\r\n");
    const size_t word = strcspn(text, " \t\r\n(=");
    const char *next = text + word + strspn(text + word, " \t");
    const bool known = ns_builtin_find(text, word) != NULL || ns_program_find(repl->program, text, word) != NULL ||
                       ns_is_word("nsmodel", text, word);
    const bool command = *text == '?' || (known && *next != '=' && *next != '(');
    return goes_on || (!command && repl->open > 0) ? NS_OK : ns_repl_finish(repl);
}

ns_status ns_repl_script(ns_repl *repl, FILE *file)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    char *line = NULL;
    size_t room = 0;
    ns_status status = NS_OK;
    for (ssize_t length; status == NS_OK && !repl->ended && (length = getline(&line, &room, file)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        const size_t text = strlen(line);
        if (text != (size_t)length) { /* a line that contains a NUL is not text */
            ns_error err = {.code = NS_ERR_SYNTAX, .line = 1, .column = (long)text + 1, .text = "a byte 0, wants text"};
            ns_repl_complain(repl, line, repl->lines + 1, &err);
            status = err.code;
        } else
            status = ns_repl_line(repl, repl->lines == 0 && strncmp(line, mark, 3) == 0 ? line + 3 : line);
    }
    free(line);
    /* Was the end of the input the reason for stopping?  getline returns the same value when memory is out. */
    if (status == NS_OK && !repl->ended && (!feof(file) || ferror(file))) {
        fprintf(repl->err, "nsmodel: %s: %s\n", repl->source, ferror(file) ? "cannot be read" : "out of memory");
        status = ferror(file) ? NS_ERR_FILE : NS_ERR_MEMORY;
    }
    return status == NS_OK ? ns_repl_finish(repl) : status;
}
