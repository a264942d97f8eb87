/* cell.c -- the content of a table cell, words wrapped to a width, and a list of objects as rows and columns */
#include "report/cell.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

enum { DIGITS = 4 };

bool ns_cell_hidden(const ns_value *node)
{
    return (node->flags & (NS_V_JSON_ONLY | NS_V_NOTE | NS_V_HEADING)) != 0;
}

const ns_value *ns_cell_value(const ns_value *node)
{
    const ns_value *first = node->kind == NS_OBJECT ? node->first : NULL;
    const ns_value *second = first != NULL ? first->next : NULL;
    if (second == NULL || second->next != NULL || strcmp(first->name, "value") != 0 ||
        strcmp(second->name, "unit") != 0)
        return node;
    return first;
}

ns_cell_kind ns_cell_kind_of(const ns_value *node)
{
    const ns_value *value = ns_cell_value(node);
    const bool flagged = (value->flags & NS_V_ROWS) != 0;
    unsigned kinds = 0; /* of the elements, one bit each */
    if (value->kind != NS_LIST)
        return value->kind == NS_NUMBER ? NS_CELL_NUMBERS : value->kind == NS_OBJECT ? NS_CELL_NONE : NS_CELL_WORDS;
    for (const ns_value *child = value->first; !flagged && child != NULL; child = child->next)
        kinds |= 1u << child->kind;
    if (flagged || kinds == 1u << NS_OBJECT)
        return value == node && !ns_cell_hidden(node) ? NS_CELL_ROWS : NS_CELL_NONE;
    if ((kinds & (1u << NS_OBJECT | 1u << NS_LIST)) != 0)
        return NS_CELL_NONE;
    if (kinds != 1u << NS_NUMBER)
        return NS_CELL_WORDS;
    return value->first != value->last && value->first->next == value->last ? NS_CELL_PAIR : NS_CELL_NUMBERS;
}

const ns_value *ns_cell_rows_in(const ns_value *object)
{
    const ns_value *found = NULL;
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        if (ns_cell_kind_of(child) != NS_CELL_ROWS)
            continue;
        if ((child->flags & NS_V_ROWS) != 0)
            return child;
        found = found != NULL ? found : child;
    }
    return found;
}

static const char *scalar_text(const ns_value *node, char *buffer, size_t size)
{
    switch (node->kind) {
    case NS_TEXT:
        return node->text;
    case NS_BOOL:
        return node->truth ? "yes" : "no";
    case NS_NUMBER:
        /* a count is printed with all its digits */
        if (ns_dim_equal(node->dim, NS_DIMENSIONLESS) && node->number == trunc(node->number) &&
            fabs(node->number) < 1e15)
            return ns_double_format(node->number, buffer, size);
        return ns_quantity_format(node->number, node->dim, DIGITS, buffer, size);
    default:
        return "-";
    }
}

const char *ns_cell_text(const ns_value *node, char *buffer, size_t size)
{
    const ns_value *value = ns_cell_value(node);
    if (ns_cell_kind_of(value) == NS_CELL_PAIR) { /* "1.2 .. 1.3 us" when both have the same unit */
        char lo_buffer[96], hi_buffer[96];
        const char *lo = scalar_text(value->first, lo_buffer, sizeof lo_buffer);
        const char *hi = scalar_text(value->last, hi_buffer, sizeof hi_buffer);
        const char *lo_unit = strchr(lo, ' '), *hi_unit = strchr(hi, ' ');
        const bool same = lo_unit != NULL && hi_unit != NULL && strcmp(lo_unit, hi_unit) == 0;
        snprintf(buffer, size, "%.*s .. %s", (int)(same ? (size_t)(lo_unit - lo) : strlen(lo)), lo, hi);
        return buffer;
    }
    if (value->kind == NS_LIST) {
        char part[96];
        size_t at = 0;
        for (const ns_value *child = value->first; child != NULL; child = child->next) {
            const char *text = scalar_text(child, part, sizeof part);
            const size_t length = strlen(text), rest = size - at;
            if (length + 8 > rest) { /* space for what follows and " ..." */
                snprintf(buffer + at, rest, "%s...", at > 0 ? ", " : "");
                return buffer;
            }
            at += (size_t)snprintf(buffer + at, rest, "%s%s", at > 0 ? ", " : "", text);
        }
        return at > 0 ? buffer : "-";
    }
    const char *text = scalar_text(value, buffer, size);
    const char *unit = value != node && value->next->kind == NS_TEXT ? value->next->text : "1";
    if (value->kind != NS_NUMBER || !ns_dim_equal(value->dim, NS_DIMENSIONLESS) || strcmp(unit, "1") == 0 ||
        *unit == '\0')
        return text;
    size_t length = strlen(text); /* text is in buffer, except for "-" */
    snprintf(buffer + length, size - length, " %s", unit);
    return buffer;
}

void ns_cell_print(FILE *out, const char *text, size_t size)
{
    for (const char *end = text + size; text < end;) {
        const size_t length = ns_utf8_length(text);
        if (length > 0 && !ns_utf8_is_hidden(ns_utf8_code(text, length)))
            fwrite(text, 1, length, out);
        else
            putc(*text == '\n' || *text == '\t' ? ' ' : '?', out);
        text += length > 0 ? length : 1;
    }
}

/* ---- words wrapped to a width ------------------------------------------------------------------------------------ */

/* How much of a word to write: all of it, or for a list wider than `room` up to the last comma that fits. */
static int piece(const char *word, int length, int room)
{
    for (int i = room; length > room && i > 0; i--)
        if (word[i - 1] == ',')
            return i;
    return length;
}

/* A word of a command: blanks in quotes and after a backslash are part of it. */
static int shell_word(const char *text)
{
    int length = 0;
    char quote = '\0';
    for (; text[length] != '\0' && (quote != '\0' || text[length] != ' '); length++)
        if (quote == '\0' && text[length] == '\\' && text[length + 1] != '\0')
            length++;
        else if (quote == '\0' && (text[length] == '\'' || text[length] == '"'))
            quote = text[length];
        else if (text[length] == quote)
            quote = '\0';
    return length;
}

void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint)
{
    bool first = true, inside = false; /* inside: within a list */
    for (; *(text += inside ? 0 : strspn(text, " ")) != '\0'; first = false) {
        int word = *joint != '\0' ? shell_word(text) : (int)strcspn(text, " ");
        if (*joint == '\0' && strncmp(text + word, " %", 2) == 0) /* a percent sign is not separated from its number */
            word += 2 + (int)strcspn(text + word + 2, " ");
        const int tail = text[word] != '\0' ? (int)strlen(joint) : 0;
        const int length = *joint == '\0' ? piece(text, word, width - indent) : word;
        int columns = 0; /* characters, where they are well-formed */
        for (int i = 0; i < length; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (!first && (inside || column + 1 + columns + tail > width)) {
            fprintf(out, "%s\n%*s", joint, indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        ns_cell_print(out, text, (size_t)length);
        column += columns;
        text += length;
        inside = length < word;
    }
    fputc('\n', out);
}

/* ---- a list of objects as rows and columns: once over the tree for the columns, once for the cells --------------- */

/* One traversal of the leaves of one object. */
typedef struct leaf_walk {
    ns_grid *grid;
    int level;
    size_t cursor;         /* the next leaf's column, if the order is the same as before */
    const ns_value **cell; /* the row to fill; NULL while columns are collected */
    ns_error *err;
} leaf_walk;

/* Columns are ordered by level, and within a level by first appearance. */
static ns_status visit_leaf(leaf_walk *walk, const char *path, const ns_value *leaf)
{
    ns_grid *grid = walk->grid;
    size_t at = walk->cursor;
    if (at == grid->columns || grid->column[at].level != walk->level || strcmp(grid->column[at].path, path) != 0) {
        at = 0;
        while (at < grid->columns &&
               (grid->column[at].level != walk->level || strcmp(grid->column[at].path, path) != 0))
            at++;
        if (at == grid->columns) {
            at = walk->cursor;
            NS_TRY(ns_grow(&grid->column, &grid->column_room, (int64_t)grid->columns + 1, sizeof *grid->column, NULL,
                           walk->err));
            memmove(grid->column + at + 1, grid->column + at, (grid->columns - at) * sizeof *grid->column);
            grid->columns++;
            grid->column[at] = (ns_grid_column){.level = walk->level};
            snprintf(grid->column[at].path, sizeof grid->column[at].path, "%s", path);
            const char *dot = strrchr(grid->column[at].path, '.');
            grid->column[at].last = dot != NULL ? (size_t)(dot + 1 - grid->column[at].path) : 0;
        }
    }
    if (walk->cell != NULL)
        walk->cell[at] = leaf;
    walk->cursor = at + 1;
    return NS_OK;
}

static ns_status visit(leaf_walk *walk, const char *prefix, const ns_value *node)
{
    char path[192];
    if (ns_cell_hidden(node))
        return NS_OK;
    snprintf(path, sizeof path, "%.96s%s%.94s", prefix, *prefix != '\0' ? "." : "", node->name);
    const ns_cell_kind kind = ns_cell_kind_of(node);
    if (walk->grid->split && kind == NS_CELL_PAIR && node->kind == NS_LIST) {
        char name[192];
        snprintf(name, sizeof name, "%.180s_lo", path);
        NS_TRY(visit_leaf(walk, name, node->first));
        snprintf(name, sizeof name, "%.180s_hi", path);
        return visit_leaf(walk, name, node->last);
    }
    if (kind >= NS_CELL_WORDS)
        return visit_leaf(walk, path, node);
    if (node->kind == NS_OBJECT)
        for (const ns_value *child = node->first; child != NULL; child = child->next)
            NS_TRY(visit(walk, path, child));
    return NS_OK;
}

/* The leaves of one object at one level; a scalar in the list of rows is a column with the list's name. */
static ns_status visit_level(ns_grid *grid, int level, const ns_value *object, const ns_value **cell, ns_error *err)
{
    leaf_walk walk = {.grid = grid, .level = level, .cell = cell, .err = err};
    while (walk.cursor < grid->columns && grid->column[walk.cursor].level < level)
        walk.cursor++;
    if (object->kind != NS_OBJECT)
        return ns_cell_kind_of(object) >= NS_CELL_WORDS ? visit_leaf(&walk, grid->list->name, object) : NS_OK;
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        NS_TRY(visit(&walk, "", child));
    return NS_OK;
}

static ns_status visit_rows(ns_grid *grid, ns_error *err)
{
    size_t index = 0, group = 0;
    for (const ns_value *element = grid->list->first; element != NULL; element = element->next, group++) {
        if (ns_cell_hidden(element))
            continue;
        /* a group without rows forms one from its own values */
        const ns_value *rows = grid->grouped ? ns_cell_rows_in(element) : NULL;
        const ns_value *row = grid->grouped ? (rows != NULL ? rows->first : NULL) : element;
        do {
            const ns_value **cell = grid->cell != NULL ? grid->cell + index * grid->columns : NULL;
            if (grid->row != NULL) {
                const ns_value *marked = row != NULL ? row : element;
                const ns_value *title = element->first;
                while (title != NULL && ((title->flags & NS_V_HEADING) == 0 || title->kind != NS_TEXT))
                    title = title->next;
                grid->row[index] = (ns_grid_row){.group = group,
                                                 .mark = (marked->flags & NS_V_MARK) != 0,
                                                 .heading = title != NULL ? title->text : NULL};
            }
            if (grid->root != NULL)
                NS_TRY(visit_level(grid, NS_GRID_ROOT, grid->root, cell, err));
            if (grid->grouped)
                NS_TRY(visit_level(grid, NS_GRID_GROUP, element, cell, err));
            if (row != NULL)
                NS_TRY(visit_level(grid, NS_GRID_ROW, row, cell, err));
            index++;
            row = grid->grouped && row != NULL ? row->next : NULL;
        } while (row != NULL);
    }
    grid->rows = index;
    return NS_OK;
}

ns_status ns_grid_build(const ns_value *root, const ns_value *list, bool split, ns_grid *grid, ns_error *err)
{
    *grid = (ns_grid){.root = root, .list = list, .split = split};
    for (const ns_value *element = list->first; element != NULL; element = element->next)
        grid->grouped = grid->grouped || (element->kind == NS_OBJECT && ns_cell_rows_in(element) != NULL);
    NS_TRY(visit_rows(grid, err));
    if (root != NULL && list->first == NULL)
        NS_TRY(visit_level(grid, NS_GRID_ROOT, root, NULL, err));
    /* the last key, else the path, else, where a level has a common path, the rest of the path after the list's name */
    for (size_t i = 0; i < grid->columns; i++) {
        ns_grid_column *c = &grid->column[i];
        size_t same = 0;
        bool behind = false;
        for (size_t k = 0; k < grid->columns; k++) {
            same += strcmp(grid->column[k].path + grid->column[k].last, c->path + c->last) == 0;
            behind = behind || (k < i && strcmp(grid->column[k].path, c->path) == 0);
        }
        if (same == 1)
            snprintf(c->name, sizeof c->name, "%s", c->path + c->last);
        else
            snprintf(c->name, sizeof c->name, "%.48s%s%s", behind ? grid->list->name : "", behind ? "." : "", c->path);
    }
    if (grid->rows == 0 || grid->columns == 0)
        return NS_OK;
    grid->row = ns_calloc(grid->rows, sizeof *grid->row);
    grid->cell = ns_calloc(ns_size_mul(grid->rows, grid->columns), sizeof(void *));
    if (grid->row == NULL || grid->cell == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory for a table of %zu rows", grid->rows);
    return visit_rows(grid, err);
}

void ns_grid_free(ns_grid *grid)
{
    ns_free(grid->column);
    ns_free(grid->row);
    ns_free(grid->cell);
    *grid = (ns_grid){.columns = 0};
}
