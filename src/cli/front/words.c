/* words.c -- texts for people, cut to a width */
#include "cli/front/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

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
