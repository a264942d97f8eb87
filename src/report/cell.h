/* cell.h -- what fills one place of a table: a scalar, a short list of scalars, a value with its unit */
#ifndef NS_REPORT_CELL_H
#define NS_REPORT_CELL_H

#include "core/value.h"

#include <stdbool.h>
#include <stdio.h>

enum { NS_CELL_SIZE = 1024 };

/* Left out of tables and CSV. */
bool ns_cell_hidden(const ns_value *node);
/* Fills one place; else it is an object to flatten or a list of rows. */
bool ns_cell_is_leaf(const ns_value *node);
/* A list of rows: flagged so, or of objects only. */
bool ns_cell_is_rows(const ns_value *node);
/* The list of rows inside an object: the flagged one, else the first; NULL when there is none. */
const ns_value *ns_cell_rows_in(const ns_value *object);
/* [number, number] */
bool ns_cell_is_pair(const ns_value *node);
/* Numbers, and lists of them: set to the right. */
bool ns_cell_is_number(const ns_value *node);
/* {"value": v, "unit": u} stands for v; anything else for itself. */
const ns_value *ns_cell_value(const ns_value *node);

/* For people: "3.99 us", "4096", "1 us .. 2 us", "-" for null. */
const char *ns_cell_text(const ns_value *node, char *buffer, size_t size);
/* text with its control characters made visible; so many bytes of it, which end between characters. */
void ns_cell_print(FILE *out, const char *text);
void ns_cell_print_part(FILE *out, const char *text, size_t size);

#endif
