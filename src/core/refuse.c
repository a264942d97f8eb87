/* refuse.c -- what an unknown name is refused with, the same words everywhere */
#include "core/refuse.h"

#include <nsmodel/quantity.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
    char text[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const bool first = err != NULL && err->code == NS_OK;
    ns_fail(err, code, "%s", text);
    if (first) {
        err->remedy = remedy;
        snprintf(err->subject, sizeof err->subject, "%s", subject);
    }
    return code;
}
