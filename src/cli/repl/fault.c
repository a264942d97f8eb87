/* fault.c -- what went wrong, its line, and a caret below the place */
#include "cli/repl/repl.h"

#include <string.h>

#include "core/utf8.h"
#include "report/cell.h"

enum { INDENT = 4, WIDTH = 100, BEFORE = 60 }; /* a longer line is shown from BEFORE columns left of the caret on */

/* Bytes of the character at a place. */
static size_t step(const char *at)
{
    size_t length = ns_utf8_length(at);
    return length > 0 ? length : 1;
}

/* Characters of text before `end`. */
static size_t columns(const char *text, const char *end)
{
    size_t count = 0;
    for (; text < end; text += step(text))
        count++;
    return count;
}

static const char *forward(const char *text, size_t count, const char *end)
{
    while (count-- > 0 && text < end)
        text += step(text);
    return text;
}

void ns_repl_complain(const ns_repl *repl, const char *text, long first_line, const ns_error *err)
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
    ns_cell_print(repl->err, from > begin ? "..." : "");
    ns_cell_print(repl->err, shown);
    ns_cell_print(repl->err, to < end ? "..." : "");
    fprintf(repl->err, "\n%*s^\n", INDENT + (from > begin ? 3 : 0) + (int)columns(from, at), "");
    fflush(repl->err);
}
