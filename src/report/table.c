/* table.c -- a value tree for people: notes, single values by name, aligned tables */
#include "core/memory.h"
#include "core/own.h"
#include "core/utf8.h"
#include "report/cell.h"
#include "report/report.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct ns_column_look {
    char heading[256];
    size_t width;
    bool number; /* right-aligned */
    int rank;    /* of the columns that do not fit, the greatest rank is dropped first, and of equal ranks the last */
    bool below;  /* each cell is a line below its row */
    bool hidden; /* it does not fit */
} ns_column_look;

/* ---- which columns of a table fit on the screen
 *
 * Columns are kept by rank, and of equal ranks from the left, as far as they fit; a column of words, except the first,
 * which names the row, is cut to no less than LEAST.  The remaining width is given to the cut columns, the leftmost
 * first. */

enum { GAP = 2, LEAST = 24 };

static size_t least_of(const ns_column_look *look, size_t i)
{
    return i > 0 && !look[i].number && look[i].width > LEAST ? LEAST : look[i].width;
}

/* Hide and cut columns, with gaps of two blanks, until they fit; columns 0: no limit.  The first is always shown. */
static void ns_fit_columns(ns_column_look *look, size_t count, size_t columns)
{
    size_t used = 0;
    int last = 0;
    for (size_t i = 0; i < count; i++)
        last = look[i].rank > last ? look[i].rank : last;
    for (int rank = 0; rank <= last; rank++)
        for (size_t i = 0; i < count && columns > 0; i++) {
            const size_t least = least_of(look, i);
            if (look[i].below || look[i].rank != rank)
                continue;
            look[i].hidden = used > 0 && used + least > columns;
            used += look[i].hidden ? 0 : least + GAP;
        }
    size_t spare = columns + GAP > used ? columns + GAP - used : 0;
    for (size_t i = 0; i < count && columns > 0; i++) {
        const size_t least = least_of(look, i), more = look[i].width - least;
        if (look[i].below || look[i].hidden)
            continue;
        look[i].width = least + (more < spare ? more : spare);
        spare -= look[i].width - least;
    }
}

typedef struct text_page {
    FILE *out;
    ns_screen screen;
    bool begun;
    size_t pending; /* blanks due before the next text, so that no line ends in blanks */
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
    ns_cell_print(page->out, text, strlen(text));
}

static void end_line(text_page *page)
{
    page->pending = 0;
    putc('\n', page->out);
}

/* A line from a column on, broken at the screen's width; commands may be broken anywhere, since they can still be
 * pasted. */
static void put_at(text_page *page, const ns_value *line, size_t column)
{
    const bool command = (line->flags & NS_V_COMMAND) != 0;
    const int columns = page->screen.columns > 0 ? page->screen.columns : command ? NS_SCREEN_COLUMNS : INT_MAX;
    fprintf(page->out, "%*s", (int)column, "");
    ns_wrap(page->out, line->text, (int)column, (int)column + 4, columns, command ? " \\" : "");
}

/* A line of words, wrapped at the screen's width; leading blanks, a label and the blanks after it are kept. */
static void put_line(text_page *page, const char *text)
{
    const size_t front = strspn(text, " ");
    const char *gap = strstr(text + front, "  ");
    const size_t label = gap != NULL && gap - text < 16 ? (size_t)(gap - text) + strspn(gap, " ") : front;
    if (page->screen.columns == 0 || ns_utf8_count(text) <= (size_t)page->screen.columns) {
        put(page, text);
        end_line(page);
        return;
    }
    ns_cell_print(page->out, text, label);
    ns_wrap(page->out, text + label, (int)label, (int)(label > front ? label : front + 2), page->screen.columns, "");
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static void put_notes(text_page *page, const ns_value *node, bool noted)
{
    noted = noted || (node->flags & NS_V_NOTE) != 0;
    if ((node->flags & NS_V_JSON_ONLY) != 0)
        return;
    if (noted && node->kind == NS_TEXT) {
        page->begun = true;
        if ((node->flags & NS_V_COMMAND) != 0)
            put_at(page, node, strspn(node->text, " "));
        else
            put_line(page, node->text);
    }
    for (const ns_value *child = node->first; child != NULL; child = child->next)
        put_notes(page, child, noted);
}

/* ---- single values ----------------------------------------------------------------------------------------------- */

/* The width of the widest name of a single value, -1 where there is none; counts the tables. */
static int survey(const ns_value *object, int depth, size_t *tables)
{
    int most = -1;
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        const ns_cell_kind kind = ns_cell_kind_of(child);
        if (ns_cell_hidden(child))
            continue;
        const int width = kind >= NS_CELL_WORDS        ? 2 * depth + (int)ns_utf8_count(child->name)
                          : child->kind == NS_OBJECT ? survey(child, depth + 1, tables)
                                                     : -1;
        *tables += kind == NS_CELL_ROWS;
        most = width > most ? width : most;
    }
    return most;
}

/* A text begins after the names and continues below its beginning at the screen's width. */
static void put_singles(text_page *page, const ns_value *object, size_t depth)
{
    char buffer[NS_CELL_SIZE];
    size_t none = 0;
    const size_t columns = (size_t)page->screen.columns, column = page->name_width + 2;
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        const bool leaf = ns_cell_kind_of(child) >= NS_CELL_WORDS;
        if (ns_cell_hidden(child) || (!leaf && (child->kind != NS_OBJECT || survey(child, 0, &none) < 0)))
            continue;
        page->pending = 2 * depth;
        put(page, child->name);
        const char *text = leaf ? ns_cell_text(child, buffer, sizeof buffer) : "";
        page->pending = column - 2 * depth - ns_utf8_count(child->name);
        if (columns == 0 || column + ns_utf8_count(text) <= columns || column + NS_SCREEN_COLUMNS / 4 > columns) {
            put(page, text);
            end_line(page);
        } else {
            fprintf(page->out, "%*s", (int)page->pending, "");
            ns_wrap(page->out, text, (int)column, (int)column, page->screen.columns, "");
            page->pending = 0;
        }
        if (!leaf)
            put_singles(page, child, depth + 1);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void measure_column(const ns_grid *grid, size_t column, ns_column_look *look)
{
    char buffer[NS_CELL_SIZE], unit[64], suffix[96];
    bool number = true, some = false;
    snprintf(look->heading, sizeof look->heading, "%s", grid->column[column].name);

    /* "alpha_s" becomes "alpha", "beta_s_per_B" "beta": the cells have the unit */
    const ns_value *first = NULL;
    for (size_t r = 0; r < grid->rows && first == NULL; r++) {
        const ns_value *cell = grid->cell[r * grid->columns + column];
        const ns_value *value = cell != NULL ? ns_cell_value(cell) : NULL;
        if (value != NULL && ns_cell_kind_of(value) >= NS_CELL_NUMBERS)
            first = value->kind == NS_LIST ? value->first : value;
    }
    if (first != NULL && !ns_dim_equal(first->dim, NS_DIMENSIONLESS)) {
        ns_dim_unit(first->dim, unit, sizeof unit);
        char *slash = strchr(unit, '/');
        if (slash != NULL)
            *slash = '\0';
        snprintf(suffix, sizeof suffix, "_%s%s%s", unit, slash != NULL ? "_per_" : "", slash != NULL ? slash + 1 : "");
        const size_t length = strlen(look->heading), tail = strlen(suffix);
        if (length > tail && strcmp(look->heading + length - tail, suffix) == 0)
            look->heading[length - tail] = '\0';
    }

    look->width = ns_utf8_count(look->heading);
    for (size_t r = 0; r < grid->rows; r++) {
        const ns_value *cell = grid->cell[r * grid->columns + column];
        if (cell == NULL)
            continue;
        size_t width = ns_utf8_count(ns_cell_text(cell, buffer, sizeof buffer));
        look->width = width > look->width ? width : look->width;
        look->rank = (cell->flags & NS_V_LEAST) != 0 ? 2 : (cell->flags & NS_V_MINOR) != 0;
        look->below = (cell->flags & NS_V_BELOW) != 0;
        const bool aligned = ns_cell_kind_of(cell) >= NS_CELL_NUMBERS;
        some = some || aligned;
        number = number && (aligned || ns_cell_value(cell)->kind == NS_NULL);
    }
    look->number = number && some;
}

static void put_aligned(text_page *page, const ns_column_look *look, const char *text)
{
    static const char more[] = "...";
    char cut[NS_CELL_SIZE];
    if (ns_utf8_count(text) > look->width) {
        size_t length = 0;
        for (size_t i = 0; i + sizeof more - 1 < look->width; i++)
            length += ns_utf8_length(text + length) > 0 ? ns_utf8_length(text + length) : 1;
        snprintf(cut, sizeof cut, "%.*s%s", (int)length, text, more);
        text = cut;
    }
    const size_t blanks = look->width - ns_utf8_count(text);
    page->pending += look->number ? blanks : 0;
    put(page, text);
    page->pending += look->number ? 0 : blanks;
    page->pending += 2;
}

/* The measured columns, with headings above them all or above every group that has one, one line per row and the lines
 * below it. */
static void put_grid(text_page *page, const ns_grid *grid, ns_column_look *looks)
{
    char text[2000] = "";
    bool marks = false, apart = false, blocks = false;
    for (size_t r = 0; r < grid->rows; r++) {
        marks = marks || grid->row[r].mark;
        apart = apart || (grid->grouped && r > 0 && grid->row[r].group == grid->row[r - 1].group);
        blocks = blocks || (grid->grouped && grid->row[r].heading != NULL);
    }
    if (page->screen.columns > 0)
        ns_fit_columns(looks, grid->columns, (size_t)page->screen.columns - (marks ? 2 : 0));
    for (size_t r = 0; r < grid->rows; r++) {
        const bool first = r == 0 || grid->row[r].group != grid->row[r - 1].group, marked = grid->row[r].mark,
                   bold = page->screen.colour && marked;
        if (first && r > 0 && (apart || blocks)) /* a blank line between groups, if any of them has two rows */
            end_line(page);
        const char *heading = first && blocks ? grid->row[r].heading : NULL;
        if (heading != NULL)
            put_line(page, heading);
        if (r == 0 || (first && blocks)) {
            page->pending = marks ? 2 : 0;
            for (size_t i = 0; i < grid->columns; i++)
                if (!looks[i].below && !looks[i].hidden)
                    put_aligned(page, &looks[i], looks[i].heading);
            end_line(page);
        }
        fputs(bold ? "\033[1m" : "", page->out);
        if (marks) {
            put(page, marked ? "*" : "");
            page->pending = marked ? 1 : 2;
        }
        const ns_value *const *cell = grid->cell + r * grid->columns;
        for (size_t i = 0; i < grid->columns; i++) {
            const bool shown = cell[i] != NULL && (first || blocks || grid->column[i].level == NS_GRID_ROW);
            if (!looks[i].below && !looks[i].hidden)
                put_aligned(page, &looks[i], shown ? ns_cell_text(cell[i], text, NS_CELL_SIZE) : "");
        }
        fputs(bold ? "\033[0m" : "", page->out);
        end_line(page);
        for (size_t i = 0; i < grid->columns; i++)
            if (looks[i].below && cell[i] != NULL && cell[i]->kind == NS_TEXT)
                put_at(page, cell[i], 4);
    }

    /* the names of the columns that did not fit */
    size_t used = 0, hidden = 0;
    for (size_t i = 0; i < grid->columns; i++)
        if (!looks[i].below && looks[i].hidden && used + 300 <= sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", hidden++ > 0 ? ", " : "no room for ",
                                     looks[i].heading);
    if (hidden > 0) {
        snprintf(text + used, sizeof text - used, ": --wide shows all");
        put_line(page, text);
    }
}

static ns_status put_tables(text_page *page, const ns_value *object)
{
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        if (ns_cell_kind_of(child) == NS_CELL_ROWS) {
            NS_CLOSE(ns_grid_free) ns_grid grid = {0};
            NS_TRY(ns_grid_build(NULL, child, false, &grid, page->err));
            NS_OWN(ns_free) ns_column_look *looks = ns_calloc(ns_size_add(grid.columns, 1), sizeof *looks);
            if (looks == NULL)
                return ns_fail(page->err, NS_ERR_MEMORY, "out of memory for a table of %zu columns", grid.columns);
            if (page->begun)
                putc('\n', page->out);
            page->begun = true;
            if (page->tables > 1 || grid.rows == 0) {
                put(page, child->name);
                put(page, grid.rows == 0 ? "  none" : "");
                end_line(page);
            }
            for (size_t i = 0; grid.rows > 0 && i < grid.columns; i++)
                measure_column(&grid, i, &looks[i]);
            if (grid.rows > 0 && grid.columns > 0)
                put_grid(page, &grid, looks);
        } else if (child->kind == NS_OBJECT && !ns_cell_hidden(child))
            NS_TRY(put_tables(page, child));
    return NS_OK;
}

ns_status ns_report_table(const ns_value *root, FILE *out, const ns_screen *screen, ns_error *err)
{
    text_page page = {.out = out, .screen = *screen, .err = err};
    const int width = survey(root, 0, &page.tables);
    put_notes(&page, root, false);
    if (width >= 0) {
        if (page.begun)
            putc('\n', out);
        page.begun = true;
        page.name_width = (size_t)width;
        put_singles(&page, root, 0);
    }
    NS_TRY(put_tables(&page, root));
    return ferror(out) ? ns_fail(err, NS_ERR_FILE, "cannot write the result: %s", strerror(errno)) : NS_OK;
}
