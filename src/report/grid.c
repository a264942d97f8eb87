/* grid.c -- a list of objects as rows and columns: once over the tree for the columns, once for the cells */
#include "report/grid.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "report/cell.h"

/* One walk over the leaves of one object. */
typedef struct leaf_walk {
    ns_grid *grid;
    int level;
    size_t cursor;         /* the next leaf's column, if the order is the usual one */
    const ns_value **cell; /* the row to fill; NULL while columns are collected */
    ns_error *err;
} leaf_walk;

static ns_status insert_column(leaf_walk *walk, size_t at, const char *path)
{
    ns_grid *grid = walk->grid;
    if (grid->columns == grid->column_room) {
        size_t room = grid->column_room == 0 ? 32 : 2 * grid->column_room;
        ns_grid_column *column = ns_realloc(grid->column, ns_size_mul(room, sizeof *column));
        if (column == NULL)
            return ns_fail(walk->err, NS_ERR_MEMORY, "out of memory for a table of %zu columns", room);
        grid->column = column;
        grid->column_room = room;
    }
    memmove(grid->column + at + 1, grid->column + at, (grid->columns - at) * sizeof *grid->column);
    grid->columns++;
    grid->column[at] = (ns_grid_column){.level = walk->level};
    snprintf(grid->column[at].path, sizeof grid->column[at].path, "%s", path);
    return NS_OK;
}

/* Columns are ordered by level, and inside a level as first met. */
static size_t find_column(const ns_grid *grid, int level, const char *path, size_t cursor)
{
    if (cursor < grid->columns && grid->column[cursor].level == level && strcmp(grid->column[cursor].path, path) == 0)
        return cursor;
    for (size_t i = 0; i < grid->columns; i++)
        if (grid->column[i].level == level && strcmp(grid->column[i].path, path) == 0)
            return i;
    return SIZE_MAX;
}

static ns_status visit_leaf(leaf_walk *walk, const char *path, const ns_value *leaf)
{
    size_t at = find_column(walk->grid, walk->level, path, walk->cursor);
    if (at == SIZE_MAX) {
        at = walk->cursor;
        NS_TRY(insert_column(walk, at, path));
    }
    if (walk->cell != NULL)
        walk->cell[at] = leaf;
    walk->cursor = at + 1;
    return NS_OK;
}

static ns_status visit_pair(leaf_walk *walk, const char *path, const ns_value *pair)
{
    char name[192];
    snprintf(name, sizeof name, "%.180s_lo", path);
    NS_TRY(visit_leaf(walk, name, pair->first));
    snprintf(name, sizeof name, "%.180s_hi", path);
    return visit_leaf(walk, name, pair->last);
}

static ns_status visit(leaf_walk *walk, const char *prefix, const ns_value *node)
{
    char path[192];
    if (ns_cell_hidden(node))
        return NS_OK;
    snprintf(path, sizeof path, "%.96s%s%.94s", prefix, *prefix != '\0' ? "." : "", node->name);
    if (walk->grid->split && ns_cell_is_pair(node))
        return visit_pair(walk, path, node);
    if (ns_cell_is_leaf(node))
        return visit_leaf(walk, path, node);
    if (node->kind == NS_OBJECT)
        for (const ns_value *child = node->first; child != NULL; child = child->next)
            NS_TRY(visit(walk, path, child));
    return NS_OK;
}

/* The leaves of one object at one level; a scalar in the list of rows is a column of the list's name. */
static ns_status visit_level(ns_grid *grid, int level, const ns_value *object, const ns_value **cell, ns_error *err)
{
    leaf_walk walk = {.grid = grid, .level = level, .cell = cell, .err = err};
    while (walk.cursor < grid->columns && grid->column[walk.cursor].level < level)
        walk.cursor++;
    if (object->kind != NS_OBJECT)
        return ns_cell_is_leaf(object) ? visit_leaf(&walk, grid->list->name, object) : NS_OK;
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        NS_TRY(visit(&walk, "", child));
    return NS_OK;
}

/* group or row may be NULL. */
static ns_status visit_row(ns_grid *grid, size_t index, const ns_value *group, const ns_value *row, ns_error *err)
{
    const ns_value **cell = grid->cell != NULL ? grid->cell + index * grid->columns : NULL;
    if (grid->root != NULL)
        NS_TRY(visit_level(grid, NS_GRID_ROOT, grid->root, cell, err));
    if (group != NULL)
        NS_TRY(visit_level(grid, NS_GRID_GROUP, group, cell, err));
    if (row != NULL)
        NS_TRY(visit_level(grid, NS_GRID_ROW, row, cell, err));
    return NS_OK;
}

static void note_row(ns_grid *grid, size_t index, size_t group, const ns_value *row)
{
    if (grid->row != NULL)
        grid->row[index] = (ns_grid_row){.group = group, .mark = (row->flags & NS_V_MARK) != 0};
}

static ns_status visit_rows(ns_grid *grid, ns_error *err)
{
    size_t index = 0, group = 0;
    for (const ns_value *element = grid->list->first; element != NULL; element = element->next, group++) {
        if (ns_cell_hidden(element))
            continue;
        const ns_value *rows = grid->grouped ? ns_cell_rows_in(element) : NULL;
        const ns_value *row = rows != NULL ? rows->first : NULL;
        if (row == NULL) {
            note_row(grid, index, group, element);
            NS_TRY(visit_row(grid, index++, grid->grouped ? element : NULL, grid->grouped ? NULL : element, err));
        }
        for (; row != NULL; row = row->next) {
            note_row(grid, index, group, row);
            NS_TRY(visit_row(grid, index++, element, row, err));
        }
    }
    grid->rows = index;
    return NS_OK;
}

static const char *last_key(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

static size_t count_columns(const ns_grid *grid, const char *word, const char *(*part)(const char *))
{
    size_t count = 0;
    for (size_t i = 0; i < grid->columns; i++)
        count += strcmp(part != NULL ? part(grid->column[i].path) : grid->column[i].path, word) == 0;
    return count;
}

/* The last key, else the path, else, below the level that has the path to itself, the path behind the list's name. */
static void name_columns(ns_grid *grid)
{
    for (size_t i = 0; i < grid->columns; i++) {
        ns_grid_column *c = &grid->column[i];
        bool behind = false;
        for (size_t k = 0; k < i; k++)
            behind = behind || strcmp(grid->column[k].path, c->path) == 0;
        if (count_columns(grid, last_key(c->path), last_key) == 1)
            snprintf(c->name, sizeof c->name, "%s", last_key(c->path));
        else
            snprintf(c->name, sizeof c->name, "%.48s%s%s", behind ? grid->list->name : "", behind ? "." : "", c->path);
    }
}

ns_status ns_grid_build(const ns_value *root, const ns_value *list, bool split, ns_grid *grid, ns_error *err)
{
    *grid = (ns_grid){.root = root, .list = list, .split = split};
    for (const ns_value *element = list->first; element != NULL; element = element->next)
        grid->grouped = grid->grouped || (element->kind == NS_OBJECT && ns_cell_rows_in(element) != NULL);
    NS_TRY(visit_rows(grid, err));
    if (root != NULL && list->first == NULL)
        NS_TRY(visit_level(grid, NS_GRID_ROOT, root, NULL, err));
    name_columns(grid);
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
