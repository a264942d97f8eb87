/* grid.c -- a list of objects as rows and columns: once over the tree for the columns, once for the cells */
#include "report/grid.h"

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

/* Columns are ordered by level, and inside a level as first met. */
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
    if (walk->grid->split && ns_cell_is_pair(node)) {
        char name[192];
        snprintf(name, sizeof name, "%.180s_lo", path);
        NS_TRY(visit_leaf(walk, name, node->first));
        snprintf(name, sizeof name, "%.180s_hi", path);
        return visit_leaf(walk, name, node->last);
    }
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

static ns_status visit_rows(ns_grid *grid, ns_error *err)
{
    size_t index = 0, group = 0;
    for (const ns_value *element = grid->list->first; element != NULL; element = element->next, group++) {
        if (ns_cell_hidden(element))
            continue;
        /* a group without rows makes one of its own values */
        const ns_value *rows = grid->grouped ? ns_cell_rows_in(element) : NULL;
        const ns_value *row = grid->grouped ? (rows != NULL ? rows->first : NULL) : element;
        do {
            const ns_value **cell = grid->cell != NULL ? grid->cell + index * grid->columns : NULL;
            if (grid->row != NULL) {
                const ns_value *marked = row != NULL ? row : element;
                grid->row[index] = (ns_grid_row){.group = group, .mark = (marked->flags & NS_V_MARK) != 0};
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

static const char *last_key(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

ns_status ns_grid_build(const ns_value *root, const ns_value *list, bool split, ns_grid *grid, ns_error *err)
{
    *grid = (ns_grid){.root = root, .list = list, .split = split};
    for (const ns_value *element = list->first; element != NULL; element = element->next)
        grid->grouped = grid->grouped || (element->kind == NS_OBJECT && ns_cell_rows_in(element) != NULL);
    NS_TRY(visit_rows(grid, err));
    if (root != NULL && list->first == NULL)
        NS_TRY(visit_level(grid, NS_GRID_ROOT, root, NULL, err));
    /* the last key, else the path, else, below the level that has the path to itself, the path behind the list's
     * name */
    for (size_t i = 0; i < grid->columns; i++) {
        ns_grid_column *c = &grid->column[i];
        size_t same = 0;
        bool behind = false;
        for (size_t k = 0; k < grid->columns; k++) {
            same += strcmp(last_key(grid->column[k].path), last_key(c->path)) == 0;
            behind = behind || (k < i && strcmp(grid->column[k].path, c->path) == 0);
        }
        if (same == 1)
            snprintf(c->name, sizeof c->name, "%s", last_key(c->path));
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
