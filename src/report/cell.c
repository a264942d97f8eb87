/* cell.c -- what fills one place of a table */
#include "report/cell.h"

#include <math.h>
#include <string.h>

#include "core/utf8.h"

enum { DIGITS = 4 };

bool ns_cell_hidden(const ns_value *node)
{
    return (node->flags & (NS_V_JSON_ONLY | NS_V_NOTE | NS_V_HEADING)) != 0;
}

/* Kinds, a bit each. */
enum {
    OBJECTS = 1 << NS_OBJECT,
    NUMBERS = 1 << NS_NUMBER,
    SCALARS = NUMBERS | 1 << NS_NULL | 1 << NS_BOOL | 1 << NS_TEXT,
};

static bool is(const ns_value *node, unsigned kinds)
{
    return (1u << node->kind & kinds) != 0;
}

static bool all_are(const ns_value *list, unsigned kinds)
{
    for (const ns_value *child = list->first; child != NULL; child = child->next)
        if (!is(child, kinds))
            return false;
    return true;
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

bool ns_cell_is_leaf(const ns_value *node)
{
    node = ns_cell_value(node);
    return is(node, SCALARS) || (node->kind == NS_LIST && (node->flags & NS_V_ROWS) == 0 && all_are(node, SCALARS));
}

bool ns_cell_is_rows(const ns_value *node)
{
    if (node->kind != NS_LIST || ns_cell_hidden(node))
        return false;
    return (node->flags & NS_V_ROWS) != 0 || (node->first != NULL && all_are(node, OBJECTS));
}

const ns_value *ns_cell_rows_in(const ns_value *object)
{
    const ns_value *found = NULL;
    for (const ns_value *child = object->first; child != NULL; child = child->next) {
        if (!ns_cell_is_rows(child))
            continue;
        if ((child->flags & NS_V_ROWS) != 0)
            return child;
        found = found != NULL ? found : child;
    }
    return found;
}

bool ns_cell_is_pair(const ns_value *node)
{
    return node->kind == NS_LIST && (node->flags & NS_V_ROWS) == 0 && node->first != NULL &&
           node->first->next == node->last && node->first != node->last && all_are(node, NUMBERS);
}

bool ns_cell_is_number(const ns_value *node)
{
    node = ns_cell_value(node);
    return is(node, NUMBERS) || (node->kind == NS_LIST && node->first != NULL && all_are(node, NUMBERS));
}

static const char *scalar_text(const ns_value *node, char *buffer, size_t size)
{
    switch (node->kind) {
    case NS_TEXT:
        return node->text;
    case NS_BOOL:
        return node->truth ? "yes" : "no";
    case NS_NUMBER:
        /* a count keeps all its digits */
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
    if (ns_cell_is_pair(value)) { /* "1.2 .. 1.3 us" when both have the same unit */
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
            if (length + 8 > rest) { /* room for what follows and " ..." */
                snprintf(buffer + at, rest, "%s...", at > 0 ? ", " : "");
                return buffer;
            }
            at += (size_t)snprintf(buffer + at, rest, "%s%s", at > 0 ? ", " : "", text);
        }
        return at > 0 ? buffer : "-";
    }
    const char *text = scalar_text(value, buffer, size);
    const char *unit = value != node && value->next->kind == NS_TEXT ? value->next->text : "1";
    if (!is(value, NUMBERS) || !ns_dim_equal(value->dim, NS_DIMENSIONLESS) || strcmp(unit, "1") == 0 || *unit == '\0')
        return text;
    size_t length = strlen(text); /* text is in buffer, but for "-" */
    snprintf(buffer + length, size - length, " %s", unit);
    return buffer;
}

void ns_cell_print_part(FILE *out, const char *text, size_t size)
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

void ns_cell_print(FILE *out, const char *text)
{
    ns_cell_print_part(out, text, strlen(text));
}
