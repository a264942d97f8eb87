/* test_glossary.c -- no word above a column that the glossary does not have
 *
 * Of the golden screens of the commands that people meet first.  A line is a heading where it begins a part of the
 * screen or stands below the line of a case, has two columns or more as the line below it has, and no digit.
 */
#include "support/files.h"

#include <ctype.h>
#include <dirent.h>

#include "core/memory.h"
#include "support/test.h"

static char *glossary;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A term stands in the first cell of a row, alone or in a list. */
static bool has_term(const char *word, size_t length)
{
    for (const char *row = glossary; (row = strstr(row, "\n| ")) != NULL; row++) {
        const char *term = row + 3, *end = strstr(term, " |");
        while (end != NULL && term < end) {
            const size_t size = strcspn(term, ",|") < (size_t)(end - term) ? strcspn(term, ",|") : (size_t)(end - term);
            if (size == length && strncmp(term, word, length) == 0)
                return true;
            term += size + strspn(term + size, ", ");
        }
    }
    return false;
}

static const char *after_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Columns stand two blanks apart. */
static size_t columns_of(const char *line)
{
    size_t columns = 0;
    for (const char *end = line + strcspn(line, "\n"); line < end && columns < 99; columns++) {
        line += strspn(line, " *");
        const char *gap = strstr(line, "  ");
        line = gap != NULL && gap < end ? gap : end;
    }
    return columns;
}

static bool is_heading(const char *before, const char *line, size_t least)
{
    const bool of_case =
        isdigit((unsigned char)*before) && (strstr(before, " GPU") == before + strspn(before, "0123456789") ||
                                            strstr(before, " process") == before + strspn(before, "0123456789"));
    if ((*before != '\n' && !of_case) || columns_of(line) < least || columns_of(after_line(line)) < least)
        return false;
    for (const char *end = line + strcspn(line, "\n"); line < end; line++)
        if (isdigit((unsigned char)*line))
            return false;
    return true;
}

static size_t check_heading(const char *line, const char *path)
{
    size_t words = 0;
    for (const char *end = line + strcspn(line, "\n"); line < end; words++) {
        line += strspn(line, " *");
        const char *gap = strstr(line, "  ");
        size_t length = (size_t)((gap != NULL && gap < end ? gap : end) - line);
        ck_assert_msg(has_term(line, begins(line, "against ") ? 7 : length), "%s: \"%.*s\" is not in docs/glossary.md",
                      path, (int)length, line);
        line += length;
    }
    return words;
}

static int is_screen(const struct dirent *entry)
{
    static const char *const of[] = {"predict-", "advise-", "machines", "sensitivity-", "eval-", "netsparse-"};
    bool mine = false;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        mine = mine || begins(entry->d_name, of[i]);
    return mine && strstr(entry->d_name, ".txt") != NULL && strstr(entry->d_name, "json") == NULL &&
           strstr(entry->d_name, "csv") == NULL && strstr(entry->d_name, "explain") == NULL;
}

TEST(headings_are_explained)
{
    struct dirent **entry;
    size_t words = 0;
    const int count = scandir("tests/golden", &entry, is_screen, alphasort);
    ck_assert_int_gt(count, 15);
    glossary = read_whole("docs/glossary.md");
    for (int i = 0; i < count; i++) {
        char path[400];
        snprintf(path, sizeof path, "tests/golden/%s", entry[i]->d_name);
        const size_t least = begins(entry[i]->d_name, "netsparse-") ? 3 : 2; /* numbers by name come first there */
        char *text = read_whole(path);
        const char *before = text;
        for (const char *line = after_line(text); *line != '\0'; before = line, line = after_line(line))
            if (is_heading(before, line, least))
                words += check_heading(line, path);
        ns_free(text);
        free(entry[i]);
    }
    free(entry);
    ns_free(glossary);
    ck_assert_uint_gt(words, 60);
}
