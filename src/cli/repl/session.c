/* session.c -- lines into statements: an open parenthesis or a \ at the end lets a statement go on */
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* Take the statement out, which the caller then owns. */
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

/* Parentheses and brackets that a line leaves open; its comment does not count. */
static int open_parentheses(const char *line)
{
    int open = 0;
    for (const char *c = line; *c != '\0' && *c != '#'; c++)
        open += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    return open;
}

/* Does the text begin with a word of the session or a command?  Its parentheses are then no concern of ours. */
static bool is_command(const ns_repl *repl, const char *text)
{
    text += strspn(text, " \t\r\n");
    const size_t length = strcspn(text, " \t\r\n(=");
    const char *next = text + length + strspn(text + length, " \t");
    const bool known = ns_builtin_find(text, length) != NULL || ns_program_find(repl->program, text, length) != NULL ||
                       (length == 7 && memcmp(text, "nsmodel", 7) == 0);
    return *text == '?' || (known && *next != '=' && *next != '(');
}

static ns_status make_room(ns_repl *repl, size_t more)
{
    if (repl->pending_length + more <= repl->pending_room)
        return NS_OK;
    const size_t room = 2 * (repl->pending_length + more);
    char *longer = ns_realloc(repl->pending, room);
    if (longer == NULL)
        return NS_ERR_MEMORY;
    repl->pending = longer;
    repl->pending_room = room;
    return NS_OK;
}

/* pending + line + "\n"; a closing "\" becomes a blank. */
static ns_status append(ns_repl *repl, const char *line, size_t length, bool goes_on)
{
    if (repl->pending == NULL)
        repl->pending_line = repl->lines;
    NS_TRY(make_room(repl, length + 2));
    assert(repl->pending != NULL); /* two bytes at least are there now */
    char *end = repl->pending + repl->pending_length;
    memcpy(end, line, length);
    if (goes_on)
        end[length - 1] = ' ';
    end[length] = '\n';
    end[length + 1] = '\0';
    repl->pending_length += length + 1;
    repl->open += open_parentheses(line);
    return NS_OK;
}

ns_status ns_repl_finish(ns_repl *repl)
{
    if (repl->pending == NULL)
        return NS_OK;
    repl->pending[repl->pending_length - 1] = '\0';
    char *statement = take_pending(repl);
    ns_status status = ns_repl_run(repl, statement, repl->pending_line);
    ns_free(statement);
    return status;
}

ns_status ns_repl_line(ns_repl *repl, const char *line)
{
    size_t length = strlen(line);
    repl->lines++;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    const bool goes_on = length > 0 && line[length - 1] == '\\';
    if (append(repl, line, length, goes_on) != NS_OK) {
        fprintf(repl->err, "nsmodel: out of memory\n");
        return NS_ERR_MEMORY;
    }
    if (goes_on || (!is_command(repl, repl->pending) && repl->open > 0))
        return NS_OK;
    return ns_repl_finish(repl);
}

/* A line that holds a NUL is no text. */
static ns_status check_text(const ns_repl *repl, const char *line, size_t length)
{
    ns_error err = {.code = NS_ERR_SYNTAX, .line = 1, .column = (long)strlen(line) + 1, .text = "a byte 0, wants text"};
    if (strlen(line) == length)
        return NS_OK;
    ns_repl_complain(repl, line, repl->lines + 1, &err);
    return err.code;
}

/* Did the lines stop because there are no more?  getline says no more of a line that finds no memory. */
static ns_status check_end(const ns_repl *repl, FILE *file)
{
    if (feof(file) && !ferror(file))
        return NS_OK;
    fprintf(repl->err, "nsmodel: %s: %s\n", repl->source, ferror(file) ? "cannot be read" : "out of memory");
    return ferror(file) ? NS_ERR_FILE : NS_ERR_MEMORY;
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
        status = check_text(repl, line, (size_t)length);
        if (status == NS_OK)
            status = ns_repl_line(repl, repl->lines == 0 && strncmp(line, mark, 3) == 0 ? line + 3 : line);
    }
    free(line);
    if (status == NS_OK && !repl->ended)
        status = check_end(repl, file);
    return status == NS_OK ? ns_repl_finish(repl) : status;
}
