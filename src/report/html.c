/* html.c -- escaped text, data and embedded files of a page */
#include "report/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/embedded.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "report/cell.h"

extern const ns_embedded ns_page_files[];

static const char *entity(char c)
{
    static const char *const of[] = {"&&amp;", "<&lt;", ">&gt;", "\"&quot;", "'&#39;"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i][0] == c)
            return of[i] + 1;
    return NULL;
}

/* Text for people between tags or in a quoted attribute.  What is not UTF-8, controls and what turns the direction of
 * writing become U+FFFD, so that no name can hide what stands around it. */
static void ns_html_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        const size_t length = ns_utf8_length(text);
        const char *named = entity(*text);
        if (named != NULL)
            fputs(named, out);
        else if (*text == '\n' || *text == '\t')
            putc(' ', out);
        else if (length == 0 || ns_utf8_is_hidden(ns_utf8_code(text, length)))
            fputs("\xef\xbf\xbd", out);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}

void ns_html_put(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%')
            putc(*c, out);
        else if (*++c == 's')
            ns_html_text(out, va_arg(arguments, const char *));
        else if (*c == 'd')
            fprintf(out, "%d", va_arg(arguments, int));
        else if (*c == 'f') {
            double value = va_arg(arguments, double);
            char buffer[40];
            fputs(ns_double_format(round(10 * value) / 10, buffer, sizeof buffer), out);
        } else
            putc(*c, out);
    }
    va_end(arguments);
}

/* Inside a script element only "<" could end the data; in JSON it stands in texts alone. */
ns_status ns_html_data(FILE *out, const ns_value *root, ns_error *err)
{
    char *text;
    size_t size;
    NS_TRY(ns_json_write(root, &text, &size, err));
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            putc(*c, out);
    ns_free(text);
    return NS_OK;
}

void ns_html_value(FILE *out, const ns_value *value)
{
    char buffer[NS_CELL_SIZE];
    const char *text = value != NULL ? ns_cell_text(value, buffer, sizeof buffer) : "-";
    if (strcmp(text, "-") == 0) {
        fputs("\xe2\x80\x93", out);
        return;
    }
    if (!ns_cell_is_number(value))
        ns_html_text(out, text);
    for (const char *c = text; *c != '\0' && ns_cell_is_number(value); c++)
        if (c > text && strncmp(c - 1, " us", 3) == 0 && (c[2] == '\0' || c[2] == ' '))
            fputs("\xc2\xb5", out);
        else
            putc(*c, out);
}

const char *ns_page_file(const char *name)
{
    for (const ns_embedded *file = ns_page_files; file->path != NULL; file++) {
        const char *slash = strrchr(file->path, '/');
        if (strcmp(slash != NULL ? slash + 1 : file->path, name) == 0)
            return (const char *)file->data;
    }
    return "";
}
