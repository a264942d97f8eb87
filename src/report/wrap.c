/* wrap.c -- words wrapped to a width */
#include "report/wrap.h"
#include "report/cell.h"

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

/* Characters, as far as they are well-formed. */
static int columns_of(const char *text, int length)
{
    int columns = 0;
    for (int i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* A word of a command: blanks in quotes and behind a backslash are part of it. */
static int shell_word(const char *text)
{
    int length = 0;
    char quote = '\0';
    for (; text[length] != '\0' && (quote != '\0' || text[length] != ' '); length++)
        if (quote == '\0' && text[length] == '\\' && text[length + 1] != '\0')
            length++;
        else if (quote == '\0' && (text[length] == '\'' || text[length] == '"'))
            quote = text[length];
        else if (text[length] == quote)
            quote = '\0';
    return length;
}

/* A word; a percent sign stays with its number. */
static int word_of(const char *text)
{
    const size_t word = strcspn(text, " ");
    return (int)(strncmp(text + word, " %", 2) == 0 ? word + 2 + strcspn(text + word + 2, " ") : word);
}

void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint)
{
    bool first = true, inside = false; /* inside: a list goes on */
    for (; *(text += inside ? 0 : strspn(text, " ")) != '\0'; first = false) {
        const int word = *joint != '\0' ? shell_word(text) : word_of(text);
        const int tail = text[word] != '\0' ? (int)strlen(joint) : 0;
        const int length = *joint == '\0' ? piece(text, word, width - indent) : word;
        if (!first && (inside || column + 1 + columns_of(text, length) + tail > width)) {
            fprintf(out, "%s\n%*s", joint, indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        ns_cell_print_part(out, text, (size_t)length);
        column += columns_of(text, length);
        text += length;
        inside = length < word;
    }
    fputc('\n', out);
}
