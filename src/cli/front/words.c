/* words.c -- texts for people, cut and wrapped to a width */
#include "cli/front/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* How much of a word to write: all, or of a list wider than `room` as far as the last comma that fits. */
static int piece(const char *word, int length, int room)
{
    for (int i = room; length > room && i > 0; i--)
        if (word[i - 1] == ',')
            return i;
    return length;
}

void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint)
{
    bool first = true, inside = false; /* inside: a list goes on */
    for (; *(text += inside ? 0 : strspn(text, " ")) != '\0'; first = false) {
        const int word = (int)strcspn(text, " ");
        const int tail = text[word] != '\0' ? (int)strlen(joint) : 0;
        const int length = *joint == '\0' ? piece(text, word, width - indent) : word;
        if (!first && (inside || column + 1 + length + tail > width)) {
            fprintf(out, "%s\n%*s", joint, indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length;
        inside = length < word;
    }
    fputc('\n', out);
}

const char *ns_first_clause(const char *text, int room, char *cut, size_t size)
{
    static const char more[] = " ...";
    int end = 0, depth = 0;
    if ((int)strlen(text) <= room)
        return text;
    for (int i = 1; text[i] != '\0' && i + (int)sizeof more - 1 <= room; i++) {
        const bool stop = strchr(",;:", text[i]) != NULL && text[i + 1] == ' ',
                   aside = text[i] == ' ' && strchr("([", text[i + 1]) != NULL;
        if (depth == 0 && (stop || aside))
            end = i;
        depth += (strchr("([", text[i]) != NULL) - (strchr(")]", text[i]) != NULL);
    }
    if (end == 0)
        return text;
    snprintf(cut, size, "%.*s%s", end, text, more);
    return cut;
}

ns_status ns_pass_on(const ns_error *inner, ns_error *err, const char *format, ...)
{
    char hint[200];
    va_list arguments;
    if (inner->code != NS_ERR_NAME || inner->file[0] != '\0' || strstr(inner->text, "; did you mean") != NULL)
        return ns_fail_at(err, inner->code, inner->file, inner->line, inner->column, "%s", inner->text);
    va_start(arguments, format);
    vsnprintf(hint, sizeof hint, format, arguments);
    va_end(arguments);
    return ns_fail(err, inner->code, "%s; %s", inner->text, hint);
}
