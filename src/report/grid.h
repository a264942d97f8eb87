/* grid.h -- a list of objects as rows and columns
 *
 * Columns have levels: the root's single values (when asked for), the values of a group, the values of a row.  Objects
 * inside a row are flattened: "terms.copy_s".
 */
#ifndef NS_REPORT_GRID_H
#define NS_REPORT_GRID_H

#include "core/value.h"

#include <stdbool.h>
#include <stddef.h>

enum ns_grid_level { NS_GRID_ROOT, NS_GRID_GROUP, NS_GRID_ROW };

typedef struct ns_grid_column {
    char path[192]; /* keys from the group or row down */
    char name[256]; /* the last key while that is unambiguous, else the path */
    int level;
} ns_grid_column;

typedef struct ns_grid_row {
    size_t group;
    bool mark;
} ns_grid_row;

typedef struct ns_grid {
    const ns_value *root, *list; /* root may be NULL */
    bool split;                  /* a pair makes two columns */
    bool grouped;                /* rows are the elements of lists inside the list's elements */
    size_t columns, column_room, rows;
    ns_grid_column *column;
    ns_grid_row *row;
    const ns_value **cell; /* [rows * columns]; NULL where a row lacks the key */
} ns_grid;

/* root: also take its single values as leading columns.  Free with ns_grid_free, after a failure too. */
ns_status ns_grid_build(const ns_value *root, const ns_value *list, bool split, ns_grid *grid, ns_error *err);
void ns_grid_free(ns_grid *grid);

#endif
