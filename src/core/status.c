/* status.c -- the error record, and messages for unknown names, with the name that was probably meant
 *
 * Of several failures the first is kept, so the caller gets the one from the deepest call.
 */
#include "core/refuse.h"

#include <nsmodel/quantity.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

static ns_status record(ns_error *err, ns_status code, const char *file, long line, long column, const char *format,
                        va_list arguments)
{
    if (err == NULL || err->code != NS_OK)
        return code;
    err->code = code;
    snprintf(err->file, sizeof err->file, "%s", file != NULL ? file : "");
    err->line = line;
    err->column = column;
    vsnprintf(err->text, sizeof err->text, format, arguments);
    ns_utf8_mask(err->text); /* a single line, whatever the input contained */
    return code;
}

ns_status ns_fail(ns_error *err, ns_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(err, code, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return code;
}

ns_status ns_fail_at(ns_error *err, ns_status code, const char *file, long line, long column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(err, code, file, line, column, format, arguments);
    va_end(arguments);
    return code;
}

const char *ns_error_format(const ns_error *err, char *buffer, unsigned long size)
{
    char place[sizeof err->file + 64] = "";
    if (err->file[0] != '\0' && err->line > 0 && err->column > 0)
        snprintf(place, sizeof place, "%s:%ld:%ld: ", err->file, err->line, err->column);
    else if (err->file[0] != '\0' && err->line > 0)
        snprintf(place, sizeof place, "%s:%ld: ", err->file, err->line);
    else if (err->file[0] != '\0')
        snprintf(place, sizeof place, "%s: ", err->file);
    snprintf(buffer, size, "%s%s", place, err->text);
    ns_utf8_mask(buffer);
    return buffer;
}

const char *ns_status_name(ns_status code)
{
    static const char *const name[] = {
        [NS_OK] = "ok",           [NS_ERR_SYNTAX] = "syntax",       [NS_ERR_NAME] = "name",
        [NS_ERR_UNIT] = "unit",   [NS_ERR_RANGE] = "range",         [NS_ERR_FILE] = "file",
        [NS_ERR_DATA] = "data",   [NS_ERR_MEMORY] = "memory",       [NS_ERR_LIMIT] = "limit",
        [NS_ERR_USAGE] = "usage", [NS_ERR_CANCELLED] = "cancelled",
    };
    return (unsigned)code < sizeof name / sizeof *name ? name[code] : "unknown";
}

/* ---- unknown names -----------------------------------------------------------------------------------------------
 *
 * The distance of two names is that of their optimal string alignment: the fewest insertions, deletions, substitutions
 * and swaps of neighbours, no part edited twice.  Upper and lower case count as equal.
 */
enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i /= b_j], d(i-2, j-2) + 1 when swapped) */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST + 1];
    size_t *two_ago = row[0], *ago = row[1], *now = row[2];
    for (size_t j = 0; j <= b_length; j++)
        ago[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = ns_lower(a[i - 1]), y = ns_lower(b[j - 1]);
            now[j] = least(least(ago[j], now[j - 1]) + 1, ago[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == ns_lower(b[j - 2]) && ns_lower(a[i - 2]) == y)
                now[j] = least(now[j], two_ago[j - 2] + 1);
        }
        size_t *spare = two_ago;
        two_ago = ago;
        ago = now;
        now = spare;
    }
    return ago[b_length];
}

const char *ns_closest(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = LONGEST, length = strlen(name);
    for (size_t i = 0; i < count && length <= LONGEST; i++) {
        size_t other = strlen(names[i]);
        if (other > LONGEST)
            continue;
        size_t longer = length > other ? length : other;
        size_t wrong = distance(name, length, names[i], other);
        size_t allowed = longer < 6 ? 1 : longer / 3;
        /* wrong < longer: at least one letter has to match */
        if (wrong <= allowed && wrong < best_distance && (wrong < longer || wrong == 0)) {
            best = names[i];
            best_distance = wrong;
        }
    }
    return best;
}

const char *ns_name_list(char *text, size_t size, const char *const *list, size_t count)
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && at + 1 < size; i++) {
        const int written = snprintf(text + at, size - at, "%s%s",
                                     i == 0          ? ""
                                     : i + 1 < count ? ", "
                                                     : " and ",
                                     list[i]);
        at += written > 0 ? (size_t)written : 0;
    }
    return text;
}

ns_status ns_choose_word(const char *what, const char *const *words, const char *word, int *index, ns_error *err)
{
    char list[256] = "";
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            *index = i;
            return NS_OK;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return ns_fail(err, NS_ERR_NAME, "%s has no choice \"%s\"; it is one of %s", what, word, list);
}

const char *ns_unknown_name(char *text, size_t size, const char *what, const char *name, const char *const *list,
                            size_t count, const char *otherwise)
{
    char names[NS_UNKNOWN_MOST];
    const char *near = ns_closest(name, list, count);
    if (near != NULL)
        snprintf(text, size, "%s \"%.200s\"; did you mean \"%s\"?", what, name, near);
    else if (otherwise != NULL)
        snprintf(text, size, "%s \"%.200s\"%s%s", what, name, *otherwise != '\0' ? "; " : "", otherwise);
    else
        snprintf(text, size, "%s \"%.200s\"; there %s %s", what, name, count == 1 ? "is" : "are",
                 ns_name_list(names, sizeof names, list, count));
    return text;
}

ns_status ns_refuse_name_or(ns_error *err, const char *what, const char *name, const char *const *list, size_t count,
                            const char *otherwise)
{
    char text[NS_UNKNOWN_MOST];
    return ns_fail(err, NS_ERR_NAME, "%s", ns_unknown_name(text, sizeof text, what, name, list, count, otherwise));
}

ns_status ns_refuse_name(ns_error *err, const char *what, const char *name, const char *const *list, size_t count)
{
    return ns_refuse_name_or(err, what, name, list, count, NULL);
}

ns_status ns_refuse_name_for(ns_error *err, const char *what, const char *name, const char *const *list, size_t count,
                             ns_remedy remedy, const char *subject)
{
    if (ns_closest(name, list, count) != NULL)
        return ns_refuse_name(err, what, name, list, count);
    return ns_fail_for(err, NS_ERR_NAME, remedy, subject, "%s \"%.200s\"", what, name);
}

ns_status ns_fail_for(ns_error *err, ns_status code, ns_remedy remedy, const char *subject, const char *format, ...)
{
    const bool first = err != NULL && err->code == NS_OK;
    va_list arguments;
    va_start(arguments, format);
    record(err, code, NULL, 0, 0, format, arguments);
    va_end(arguments);
    if (first) {
        err->remedy = remedy;
        snprintf(err->subject, sizeof err->subject, "%s", subject);
    }
    return code;
}
