/* status.c -- the error record: the first failure wins, so the deepest one is what the caller reads */
#include <nsmodel/status.h>

#include <stdarg.h>
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
    ns_utf8_mask(err->text); /* one line, whatever the input held */
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
