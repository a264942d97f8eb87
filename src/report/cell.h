/* cell.h -- the content of a table cell: a scalar, a short list of scalars, a value with its unit; words wrapped; a
 * list of objects as rows and columns */
#ifndef NS_REPORT_CELL_H
#define NS_REPORT_CELL_H

#include "core/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NS_CELL_SIZE = 1024 };

/* Left out of tables and CSV. */
bool ns_cell_hidden(const ns_value *node);
/* From NS_CELL_WORDS on, a node fits into one cell; from NS_CELL_NUMBERS on, it is right-aligned. */
typedef enum ns_cell_kind {
    NS_CELL_NONE, /* an object to flatten, or a list of mixed elements */
    NS_CELL_ROWS, /* a list that is shown and flagged as rows, or contains only objects */
    NS_CELL_WORDS,
    NS_CELL_NUMBERS, /* a number, or a list of numbers */
    NS_CELL_PAIR     /* [number, number] */
} ns_cell_kind;
ns_cell_kind ns_cell_kind_of(const ns_value *node);
/* The list of rows inside an object: the flagged one, else the first; NULL when there is none. */
const ns_value *ns_cell_rows_in(const ns_value *object);
/* For {"value": v, "unit": u} v; for anything else the node itself. */
const ns_value *ns_cell_value(const ns_value *node);

/* For people: "3.99 us", "4096", "1 us .. 2 us", "-" for null. */
const char *ns_cell_text(const ns_value *node, char *buffer, size_t size);
/* Print `size` bytes of text, ending between characters, with its control characters made visible. */
void ns_cell_print(FILE *out, const char *text, size_t size);

/* ---- words wrapped to a width ------------------------------------------------------------------------------------ */

enum { NS_SCREEN_COLUMNS = 80, NS_SCREEN_LINES = 24 };

/* Write words from this column on, continuing at `indent` on the next line where one would exceed `width`; ends the
 * line. `joint` ends a line that is continued: "", or " \\" in a command, whose quoted words are not broken. */
void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint);

/* ---- a list of objects as rows and columns
 *
 * Columns have levels: the root's single values (when asked for), the values of a group, the values of a row.  Objects
 * inside a row are flattened: "terms.copy_s". */

enum ns_grid_level { NS_GRID_ROOT, NS_GRID_GROUP, NS_GRID_ROW };

typedef struct ns_grid_column {
    char path[192]; /* keys from the group or row down */
    size_t last;    /* offset of its last key */
    char name[256]; /* the last key where that is unambiguous, else the path */
    int level;
} ns_grid_column;

typedef struct ns_grid_row {
    size_t group;
    bool mark;
    const char *heading; /* of its group, or NULL */
} ns_grid_row;

typedef struct ns_grid {
    const ns_value *root, *list; /* root may be NULL */
    bool split;                  /* a pair makes two columns */
    bool grouped;                /* rows are the elements of lists inside the list's elements */
    size_t columns, rows;
    int64_t column_room;
    ns_grid_column *column;
    ns_grid_row *row;
    const ns_value **cell; /* [rows * columns]; NULL where a row lacks the key */
} ns_grid;

/* root: also use its single values as leading columns.  Free with ns_grid_free, after a failure too. */
ns_status ns_grid_build(const ns_value *root, const ns_value *list, bool split, ns_grid *grid, ns_error *err);
void ns_grid_free(ns_grid *grid);

#endif
