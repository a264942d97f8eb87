/* run.c -- one statement: a word of the session, a command of the program, or an expression */
#include "cli/repl/repl.h"
#include "core/memory.h"
#include "core/refuse.h"

#include <string.h>

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

/* Put the message's place at the word it is about. */
static void place(const ns_words *words, ns_error *err)
{
    char text[sizeof err->file + sizeof err->text + 64];
    ns_error_line(err, text, sizeof text);
    const int word = ns_words_blame(words, text);
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

static ns_status run_words(ns_repl *repl, const char *text, const ns_builtin *builtin, ns_error *err)
{
    ns_words *words = ns_malloc(sizeof *words);
    ns_status status = words != NULL ? ns_words_cut(text, words, err) : ns_no_memory(err);
    if (status == NS_OK) {
        status = builtin != NULL ? builtin->run(repl, words, err) : ns_repl_command(repl, words, err);
        if (status != NS_OK)
            place(words, err);
        ns_words_free(words);
    }
    ns_free(words);
    return status;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static bool is_assignment(const char *after)
{
    after += strspn(after, " \t");
    return *after == '=' && after[1] != '=';
}

/* Two words beside one another are no expression ("in" aside), nor is one that nothing is called: a mistyped
 * command? */
static ns_status suspect_command(const ns_repl *repl, const char *text, size_t length, ns_error *err)
{
    const char *names[NS_COMMANDS_MAX + 16];
    size_t count = repl->program->commands;
    char word[64];
    for (size_t i = 0; i < count; i++)
        names[i] = repl->program->command[i]->name;
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        names[count++] = b->name;
    const char *next = text + length + strspn(text + length, " \t");
    const bool words = next > text + length && (word_length(next) > 0 && *next != '-') && strncmp(next, "in ", 3) != 0;
    const bool option = next > text + length && strncmp(next, "--", 2) == 0;
    if (same("in", text, length) || ns_calc_model(text, length) != NULL) /* the expression's own words say more */
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
    if (status != NS_OK && inner.line == 1 && inner.column == 1) /* the first word means nothing */
        NS_TRY(suspect_command(repl, text, length, err));
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
    const ns_command *command = ns_program_find(repl->program, text, length);
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
