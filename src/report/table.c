/* table.c -- a value tree for people: notes, single values by name, aligned tables */
#include "core/memory.h"
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "report/cell.h"
#include "report/grid.h"

typedef struct text_page {
    FILE *out;
    bool colour, begun;
    size_t pending; /* blanks that are due before the next text, so that no line ends in blanks */
    size_t name_width;
    size_t tables;
    ns_error *err;
} text_page;

static void put(text_page *page, const char *text)
{
    if (*text == '\0')
        return;
    for (; page->pending > 0; page->pending--)
        putc(' ', page->out);
    ns_cell_print(page->out, text);
}

static void end_line(text_page *page)
{
    page->pending = 0;
    putc('\n', page->out);
}

static void begin_section(text_page *page)
{
    if (page->begun)
        putc('\n', page->out);
    page->begun = true;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static void put_notes(text_page *page, const ns_value *node, bool noted)
{
    noted = noted || (node->flags & NS_V_NOTE) != 0;
    if ((node->flags & NS_V_JSON_ONLY) != 0)
        return;
    if (noted && node->kind == NS_TEXT) {
        page->begun = true;
        put(page, node->text);
        end_line(page);
    }
    for (const ns_value *child = node->first; child != NULL; child = child->next)
        put_notes(page, child, noted);
}

/* ---- single values ----------------------------------------------------------------------------------------------- */

static bool has_singles(const ns_value *object)
{
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        if (!ns_cell_hidden(child) && (ns_cell_is_leaf(child) || (child->kind == NS_OBJECT && has_singles(child))))
            return true;
    return false;
}

static void measure_singles(text_page *page, const ns_value *object, size_t depth)
{
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        if (ns_cell_hidden(child) || (!ns_cell_is_leaf(child) && child->kind != NS_OBJECT))
            continue;
        const size_t width = 2 * depth + ns_utf8_count(child->name);
        if (!ns_cell_is_leaf(child))
            measure_singles(page, child, depth + 1);
        else if (width > page->name_width)
            page->name_width = width;
    }
}

static void put_singles(text_page *page, const ns_value *object, size_t depth)
{
    char buffer[NS_CELL_SIZE];
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        const bool leaf = ns_cell_is_leaf(child);
        if (ns_cell_hidden(child) || (!leaf && (child->kind != NS_OBJECT || !has_singles(child))))
            continue;
        page->pending = 2 * depth;
        put(page, child->name);
        if (leaf) {
            page->pending = page->name_width + 2 - 2 * depth - ns_utf8_count(child->name);
            put(page, ns_cell_text(child, buffer, sizeof buffer));
        }
        end_line(page);
        if (!leaf)
            put_singles(page, child, depth + 1);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

typedef struct column_look {
    char heading[256];
    size_t width;
    bool number; /* set to the right */
} column_look;

static const ns_value *cell_at(const ns_grid *grid, size_t row, size_t column)
{
    return grid->cell[row * grid->columns + column];
}

/* "alpha_s" becomes "alpha", "beta_s_per_B" "beta": the cells show the unit. */
static void strip_unit(const ns_grid *grid, size_t column, column_look *look)
{
    char unit[64], suffix[96] = "_";
    const ns_value *some = NULL;
    for (size_t r = 0; r < grid->rows && some == NULL; r++) {
        const ns_value *cell = cell_at(grid, r, column);
        const ns_value *value = cell != NULL ? ns_cell_value(cell) : NULL;
        if (value != NULL && ns_cell_is_number(value))
            some = value->kind == NS_LIST ? value->first : value;
    }
    if (some == NULL || ns_dim_equal(some->dim, NS_DIMENSIONLESS))
        return;
    ns_dim_unit(some->dim, unit, sizeof unit);
    char *slash = strchr(unit, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(suffix, sizeof suffix, "_%s%s%s", unit, slash != NULL ? "_per_" : "", slash != NULL ? slash + 1 : "");
    const size_t length = strlen(look->heading), tail = strlen(suffix);
    if (length > tail && strcmp(look->heading + length - tail, suffix) == 0)
        look->heading[length - tail] = '\0';
}

static void measure_column(const ns_grid *grid, size_t column, column_look *look)
{
    char buffer[NS_CELL_SIZE];
    bool number = true, some = false;
    snprintf(look->heading, sizeof look->heading, "%s", grid->column[column].name);
    strip_unit(grid, column, look);
    look->width = ns_utf8_count(look->heading);
    for (size_t r = 0; r < grid->rows; r++) {
        const ns_value *cell = cell_at(grid, r, column);
        if (cell == NULL)
            continue;
        size_t width = ns_utf8_count(ns_cell_text(cell, buffer, sizeof buffer));
        look->width = width > look->width ? width : look->width;
        some = some || ns_cell_is_number(cell);
        number = number && (ns_cell_is_number(cell) || ns_cell_value(cell)->kind == NS_NULL);
    }
    look->number = number && some;
}

static void put_aligned(text_page *page, const column_look *look, const char *text)
{
    const size_t blanks = look->width - ns_utf8_count(text);
    page->pending += look->number ? blanks : 0;
    put(page, text);
    page->pending += look->number ? 0 : blanks;
    page->pending += 2;
}

static void put_row(text_page *page, const ns_grid *grid, size_t row, const column_look *looks, bool marks)
{
    char buffer[NS_CELL_SIZE];
    const bool bold = page->colour && grid->row[row].mark;
    const bool first = row == 0 || grid->row[row].group != grid->row[row - 1].group;
    if (bold)
        fputs("\033[1m", page->out);
    if (marks) {
        put(page, grid->row[row].mark ? "*" : "");
        page->pending = grid->row[row].mark ? 1 : 2;
    }
    for (size_t i = 0; i < grid->columns; i++) {
        const ns_value *cell = cell_at(grid, row, i);
        const bool shown = cell != NULL && (first || grid->column[i].level == NS_GRID_ROW);
        put_aligned(page, &looks[i], shown ? ns_cell_text(cell, buffer, sizeof buffer) : "");
    }
    if (bold)
        fputs("\033[0m", page->out);
    end_line(page);
}

static void put_grid(text_page *page, const ns_grid *grid, const column_look *looks)
{
    bool marks = false, apart = false; /* a blank line between groups, once one of them has two rows */
    for (size_t r = 0; r < grid->rows; r++) {
        marks = marks || grid->row[r].mark;
        apart = apart || (grid->grouped && r > 0 && grid->row[r].group == grid->row[r - 1].group);
    }
    page->pending = marks ? 2 : 0;
    for (size_t i = 0; i < grid->columns; i++)
        put_aligned(page, &looks[i], looks[i].heading);
    end_line(page);
    for (size_t r = 0; r < grid->rows; r++) {
        if (apart && r > 0 && grid->row[r].group != grid->row[r - 1].group)
            end_line(page);
        put_row(page, grid, r, looks, marks);
    }
}

static ns_status put_table(text_page *page, const ns_value *list)
{
    ns_grid grid;
    ns_status status = ns_grid_build(NULL, list, false, &grid, page->err);
    column_look *looks = status == NS_OK ? calloc(ns_size_add(grid.columns, 1), sizeof *looks) : NULL;
    if (status == NS_OK && looks == NULL)
        status = ns_fail(page->err, NS_ERR_MEMORY, "out of memory for a table of %zu columns", grid.columns);
    if (status == NS_OK)
        begin_section(page);
    if (status == NS_OK && (page->tables > 1 || grid.rows == 0)) {
        put(page, list->name);
        put(page, grid.rows == 0 ? "  none" : "");
        end_line(page);
    }
    for (size_t i = 0; status == NS_OK && grid.rows > 0 && i < grid.columns; i++)
        measure_column(&grid, i, &looks[i]);
    if (status == NS_OK && grid.rows > 0 && grid.columns > 0)
        put_grid(page, &grid, looks);
    free(looks);
    ns_grid_free(&grid);
    return status;
}

static size_t count_tables(const ns_value *object)
{
    size_t count = 0;
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        if (ns_cell_is_rows(child))
            count++;
        else if (child->kind == NS_OBJECT && !ns_cell_hidden(child))
            count += count_tables(child);
    return count;
}

static ns_status put_tables(text_page *page, const ns_value *object)
{
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        if (ns_cell_is_rows(child))
            NS_TRY(put_table(page, child));
        else if (child->kind == NS_OBJECT && !ns_cell_hidden(child))
            NS_TRY(put_tables(page, child));
    return NS_OK;
}

ns_status ns_report_table(const ns_value *root, FILE *out, bool colour, ns_error *err)
{
    text_page page = {.out = out, .colour = colour, .tables = count_tables(root), .err = err};
    put_notes(&page, root, false);
    if (has_singles(root)) {
        begin_section(&page);
        measure_singles(&page, root, 0);
        put_singles(&page, root, 0);
    }
    NS_TRY(put_tables(&page, root));
    return ferror(out) ? ns_fail(err, NS_ERR_FILE, "cannot write the result: %s", strerror(errno)) : NS_OK;
}
