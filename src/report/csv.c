/* csv.c -- a value tree as comma-separated values: RFC 4180 quoting, lines that end in a newline alone */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/own.h"
#include "core/utf8.h"
#include "report/cell.h"

static bool wants_quotes(const char *text)
{
    return strpbrk(text, ",\"\n") != NULL;
}

static size_t put_doubled(FILE *out, const char *text)
{
    size_t bytes = 0;
    while (*text != '\0') {
        const size_t found = ns_utf8_length(text), length = found > 0 ? found : 1;
        if (*text == '"')
            bytes += fwrite("\"", 1, 1, out);
        /* A field may have several lines, but no control characters that a terminal would interpret. */
        bytes += (strchr("\t\n", *text) != NULL || !ns_utf8_is_hidden(ns_utf8_code(text, found)))
                     ? fwrite(text, 1, length, out)
                     : fwrite("?", 1, 1, out);
        text += length;
    }
    return bytes;
}

size_t ns_csv_field(const char *text, FILE *out)
{
    const char *quote = wants_quotes(text) ? "\"" : "";
    fputs(quote, out);
    const size_t bytes = put_doubled(out, text);
    fputs(quote, out);
    return bytes + 2 * strlen(quote);
}

/* A list of scalars is one field, with semicolons. */
static void put_cell(FILE *out, const ns_value *node)
{
    const ns_value *value = ns_cell_value(node);
    const ns_value *first = value->kind == NS_LIST ? value->first : value;
    const ns_value *end = value->kind == NS_LIST ? NULL : value->next;
    bool quotes = false;
    for (const ns_value *v = first; v != end; v = v->next)
        quotes = quotes || (v->kind == NS_TEXT && wants_quotes(v->text));
    fputs(quotes ? "\"" : "", out);
    for (const ns_value *v = first; v != end; v = v->next) {
        /* quotes in texts are doubled; null and numbers that are not finite leave the field empty */
        char buffer[64];
        if (v->kind == NS_TEXT)
            put_doubled(out, v->text);
        else if (v->kind == NS_BOOL)
            fputs(v->truth ? "true" : "false", out);
        else if (v->kind == NS_NUMBER && isfinite(v->number))
            fputs(ns_double_format(v->number, buffer, sizeof buffer), out);
        fputs(v->next != end ? ";" : "", out);
    }
    fputs(quotes ? "\"" : "", out);
}

/* The list that CSV shows: the first one flagged NS_V_ROWS, or else of objects. */
static const ns_value *find_rows(const ns_value *object, bool flagged)
{
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        if (ns_cell_kind_of(child) == NS_CELL_ROWS && (!flagged || (child->flags & NS_V_ROWS) != 0))
            return child;
        const ns_value *inner = child->kind == NS_OBJECT && !ns_cell_hidden(child) ? find_rows(child, flagged) : NULL;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

static void put_named(FILE *out, const char *name, const ns_value *node)
{
    char unit[64] = "";
    const ns_value *value = ns_cell_value(node), *number = value->kind == NS_LIST ? value->first : value;
    const char *shown = unit;
    if (number != NULL && number->kind == NS_NUMBER)
        ns_dim_unit(number->dim, unit, sizeof unit);
    if (value != node && value->next->kind == NS_TEXT && (*unit == '\0' || strcmp(unit, "1") == 0))
        shown = value->next->text;
    ns_csv_field(name, out);
    putc(',', out);
    put_cell(out, node);
    putc(',', out);
    ns_csv_field(shown, out);
    putc('\n', out);
}

ns_status ns_report_csv(const ns_value *root, FILE *out, ns_error *err)
{
    const ns_value *list = find_rows(root, true);
    if (list == NULL)
        list = find_rows(root, false);
    /* Without rows the single values form one row, written one per line. */
    ns_value single = *root;
    single.next = NULL;
    const ns_value alone = {.kind = NS_LIST, .name = "", .first = &single, .last = &single};
    NS_CLOSE(ns_grid_free) ns_grid grid = {0};
    NS_TRY(ns_grid_build(list != NULL ? root : NULL, list != NULL ? list : &alone, true, &grid, err));
    if (list == NULL)
        fputs("name,value,unit\n", out);
    for (size_t i = 0; i < grid.columns; i++)
        if (list == NULL)
            put_named(out, grid.column[i].path, grid.cell[i]);
        else {
            ns_csv_field(grid.column[i].name, out);
            putc(i + 1 < grid.columns ? ',' : '\n', out);
        }
    for (size_t r = 0; r < grid.rows && list != NULL; r++)
        for (size_t i = 0; i < grid.columns; i++) {
            const ns_value *cell = grid.cell[r * grid.columns + i];
            if (cell != NULL)
                put_cell(out, cell);
            putc(i + 1 < grid.columns ? ',' : '\n', out);
        }
    return ferror(out) ? ns_fail(err, NS_ERR_FILE, "cannot write the result: %s", strerror(errno)) : NS_OK;
}
