/* markdown.c -- a result as a page: its notes, then a section per group of rows, or one table
 *
 * This is the output of -o FILE.md; the generated pages of docs/ are made with it and checked to be current.
 */
#include "report/cell.h"
#include "report/report.h"

#include <string.h>

/* "\|" does not end a cell, whereas "\\|" would be a backslash and the end of the cell. */
static void put_cell(FILE *out, const ns_value *node)
{
    char buffer[NS_CELL_SIZE];
    const char *text = ns_cell_text(node, buffer, sizeof buffer);
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, "|\\");
        ns_cell_print(out, text, length);
        if (text[length] != '\0')
            fprintf(out, "\\%c", text[length++]);
    }
}

/* A table with the single values of the first row as columns. */
static void put_table(const ns_value *list, FILE *out)
{
    const ns_value *first = list->first;
    if (first == NULL)
        return;
    for (const ns_value *key = first->first; key != NULL; key = key->next)
        if (ns_cell_kind_of(key) >= NS_CELL_WORDS)
            fprintf(out, "| %s ", key->name);
    fputs("|\n", out);
    for (const ns_value *key = first->first; key != NULL; key = key->next)
        if (ns_cell_kind_of(key) >= NS_CELL_WORDS)
            fputs(ns_cell_kind_of(key) >= NS_CELL_NUMBERS ? "|---:" : "|---", out);
    fputs("|\n", out);
    for (const ns_value *row = first; row != NULL; row = row->next) {
        for (const ns_value *key = first->first; key != NULL; key = key->next) {
            const ns_value *cell = ns_cell_kind_of(key) >= NS_CELL_WORDS ? ns_value_get(row, key->name) : NULL;
            if (cell == NULL)
                continue;
            fputs("| ", out);
            put_cell(out, cell);
            putc(' ', out);
        }
        fputs("|\n", out);
    }
    putc('\n', out);
}

/* "## first value", the other single values as a list, then the rows. */
static void put_group(const ns_value *group, FILE *out)
{
    const ns_value *heading = group->first;
    fputs("## ", out);
    if (heading != NULL)
        put_cell(out, heading);
    fputs("\n\n", out);
    for (const ns_value *value = heading != NULL ? heading->next : NULL; value != NULL; value = value->next) {
        if (ns_cell_kind_of(value) < NS_CELL_WORDS)
            continue;
        fprintf(out, "- %s: ", value->name);
        put_cell(out, value);
        putc('\n', out);
    }
    putc('\n', out);
    const ns_value *rows = ns_cell_rows_in(group);
    if (rows != NULL)
        put_table(rows, out);
}

ns_status ns_report_markdown(const ns_value *root, const char *title, FILE *out, ns_error *err)
{
    fputs("# ", out);
    ns_cell_print(out, title, strlen(title));
    fputs("\n\n", out);
    for (const ns_value *list = root->first; list != NULL; list = list->next) {
        if (list->kind == NS_TEXT && (list->flags & NS_V_NOTE) != 0) {
            ns_cell_print(out, list->text, strlen(list->text));
            fputs("\n\n", out);
        }
        if (ns_cell_kind_of(list) != NS_CELL_ROWS)
            continue;
        if (list->first == NULL || ns_cell_rows_in(list->first) == NULL)
            put_table(list, out);
        for (const ns_value *group = list->first; group != NULL && ns_cell_rows_in(group) != NULL; group = group->next)
            put_group(group, out);
    }
    return ferror(out) ? ns_fail(err, NS_ERR_FILE, "the page could not be written") : NS_OK;
}
