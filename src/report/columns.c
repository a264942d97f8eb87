/* columns.c -- the fields of a struct as named values */
#include "report/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"

enum { WRITERS = NS_IF_ANY - 1 };

static double rounded(double x, int digits)
{
    char text[48];
    return digits == 0 || !isfinite(x)
               ? x
               : ns_strtod(ns_quantity_format(x, NS_DIMENSIONLESS, digits, text, sizeof text), NULL);
}

/* Add one column of a struct as a member of an object; a null that may be left out adds nothing. */
static void add(ns_value *object, const ns_table_column *c, const char *key, int digits, unsigned shows,
                const void *row)
{
    const void *field = (const char *)row + c->offset;
    const bool optional = (c->shows & NS_OPTIONAL) != 0;
    char room[NS_COL_ROOM];
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    if (c->columns != NULL) {
        ns_put_columns(ns_put_object(object, key, shows), c->columns, field);
        return;
    }
    if (c->text != NULL || c->words != NULL ||
        (c->number == NULL && (c->type == NS_COL_TEXT || c->type == NS_COL_CHARS))) {
        const char *text = c->text != NULL           ? c->text(row, room)
                           : c->type == NS_COL_CHARS ? field
                           : c->words == NULL        ? *(const char *const *)field
                           : *(const int *)field < 0 ? NULL
                                                     : c->words[*(const int *)field];
        if (text != NULL || !optional)
            ns_put_text(object, key, shows, text);
        return;
    }
    if (c->type == NS_COL_BOOL && c->number == NULL) {
        ns_put_bool(object, key, shows, *(const bool *)field);
        return;
    }
    if (c->dim > 0)
        dim = *(const ns_dim *)(const void *)((const char *)row + c->dim - 1);
    else if (c->unit != NULL)
        (void)ns_unit_parse(c->unit, &factor, &dim, NULL);
    if (c->type == NS_COL_PAIR && c->number == NULL) {
        const double *pair = field;
        ns_value *list = ns_put_list(object, key, shows);
        ns_value_number(list, NULL, rounded(pair[0], digits), dim);
        ns_value_number(list, NULL, rounded(pair[1], digits), dim);
        return;
    }
    double number = c->number != NULL                      ? c->number(row)
                    : c->type == NS_COL_INT                ? *(const int *)field
                    : c->type == NS_COL_LONG               ? (double)*(const long *)field
                    : c->type == NS_COL_LONG_LONG          ? (double)*(const long long *)field
                    : c->type == NS_COL_UNSIGNED_LONG      ? (double)*(const unsigned long *)field
                    : c->type == NS_COL_UNSIGNED_LONG_LONG ? (double)*(const unsigned long long *)field
                                                           : *(const double *)field;
    number = number < 0 && (c->shows & NS_NEGATIVE_NULL) != 0 ? NAN : number;
    if (c->unit != NULL && strcmp(c->unit, "%") == 0 && isfinite(number)) {
        ns_value *share = ns_put_object(object, key, shows);
        ns_value_count(share, "value", rounded(100 * number, digits));
        ns_value_text(share, "unit", "%");
    } else if (isfinite(number) || !optional)
        ns_put_number(object, key, shows, rounded(number, digits), dim);
}

void ns_put_columns(ns_value *object, const ns_table_column *columns, const void *row)
{
    for (const ns_table_column *c = columns; object != NULL && c->key != NULL; c++) {
        const unsigned shows = c->shows & WRITERS;
        if (c->heading == NULL) {
            add(object, c, c->key, c->digits, shows, row);
            continue;
        }
        const bool wide = (c->shows & NS_HEADED) != 0;
        add(object, c, c->heading, c->digits,
            (shows & ~(unsigned)(NS_V_WIDE | NS_V_NO_TABLE)) | (wide ? NS_IN_TABLE : NS_V_NARROW), row);
        add(object, c, c->key, 0, shows | (wide ? NS_IN_DATA : NS_V_WIDE), row);
    }
}

ns_value *ns_put_row(ns_value *list, const ns_table_column *columns, const void *row)
{
    ns_value *object = ns_value_object(list, NULL);
    ns_put_columns(object, columns, row);
    return object;
}

static bool has_value(const ns_value *list, const char *key)
{
    for (const ns_value *row = list->first; row != NULL; row = row->next) {
        const ns_value *cell = ns_value_get(row, key);
        if (cell != NULL && cell->kind != NS_NULL && (cell->kind != NS_TEXT || *cell->text != '\0'))
            return true;
    }
    return false;
}

ns_value *ns_put_table(ns_value *parent, const char *key, const ns_table_column *columns, const void *rows,
                       size_t count, size_t stride)
{
    ns_value *list = ns_put_rows(parent, key, NS_EVERYWHERE);
    for (size_t i = 0; i < count; i++)
        ns_put_row(list, columns, (const char *)rows + i * stride);
    if (list != NULL) {
        /* Columns without a value in any row are left out of tables; columns that belong together are shown
         * together. */
        for (const ns_table_column *c = columns, *end; c->key != NULL; c = end) {
            bool any = (c->shows & NS_IF_ANY) == 0 || has_value(list, c->key);
            for (end = c + 1; end->key != NULL && (end->shows & NS_WITH_LAST) != 0; end++)
                any = any || has_value(list, end->key);
            for (ns_value *row = list->first; row != NULL && !any; row = row->next)
                for (ns_value *cell = row->first; cell != NULL; cell = cell->next)
                    for (const ns_table_column *hidden = c; hidden < end; hidden++)
                        cell->flags |= strcmp(cell->name, hidden->key) == 0 ? NS_V_NO_TABLE : 0;
        }
    }
    return list;
}

/* ---- one value --------------------------------------------------------------------------------------------------- */

ns_value *ns_put_rows(ns_value *parent, const char *key, unsigned shows)
{
    return ns_value_flag(ns_value_list(parent, key), NS_V_ROWS | shows);
}

ns_value *ns_put_object(ns_value *parent, const char *key, unsigned shows)
{
    return ns_value_flag(ns_value_object(parent, key), shows);
}

ns_value *ns_put_list(ns_value *parent, const char *key, unsigned shows)
{
    return ns_value_flag(ns_value_list(parent, key), shows);
}

ns_value *ns_put_text(ns_value *parent, const char *key, unsigned shows, const char *text)
{
    return ns_value_flag(ns_value_text(parent, key, text), shows);
}

ns_value *ns_put_textf(ns_value *parent, const char *key, unsigned shows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ns_value *text = ns_value_flag(ns_value_textv(parent, key, format, arguments), shows);
    va_end(arguments);
    return text;
}

ns_value *ns_put_count(ns_value *parent, const char *key, unsigned shows, double count)
{
    return ns_put_number(parent, key, shows, count, NS_DIMENSIONLESS);
}

ns_value *ns_put_number(ns_value *parent, const char *key, unsigned shows, double number, ns_dim dim)
{
    return ns_value_flag(isfinite(number) ? ns_value_number(parent, key, number, dim) : ns_value_null(parent, key),
                         shows);
}

ns_value *ns_put_bool(ns_value *parent, const char *key, unsigned shows, bool truth)
{
    return ns_value_flag(ns_value_bool(parent, key, truth), shows);
}

void ns_rows_if_any(ns_value *list)
{
    if (list != NULL && list->first == NULL)
        list->flags |= NS_IN_JSON;
}

ns_value *ns_row_mark(ns_value *row, bool best)
{
    return ns_value_flag(row, best ? NS_V_MARK : 0);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

void ns_put_schema(ns_value *result, const char *schema)
{
    ns_put_text(result, "schema", NS_IN_JSON, schema);
}

void ns_notes_to_wide(ns_value *from)
{
    for (ns_value *v = from; v != NULL; v = v->next)
        v->flags |= (v->flags & NS_V_NOTE) != 0 ? NS_V_WIDE : 0;
}
