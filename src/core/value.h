/* value.h -- the members of a node of a value tree */
#ifndef NS_CORE_VALUE_H
#define NS_CORE_VALUE_H

#include <stdarg.h>

#include <nsmodel/value.h>

struct ns_value {
    const char *name; /* key in the parent object, or "" */
    ns_value_kind kind;
    unsigned flags;
    bool truth;                    /* NS_BOOL */
    double number;                 /* NS_NUMBER, SI */
    ns_dim dim;                    /* NS_NUMBER */
    const char *text;              /* NS_TEXT */
    ns_value *first, *last, *next; /* children, next sibling */
    struct ns_value_arena *arena;
};

/* ns_value_textf with its arguments in a list. */
ns_value *ns_value_textv(ns_value *parent, const char *name, const char *format, va_list arguments);
/* Memory that is freed with the node's tree; NULL when memory is out. */
void *ns_value_take(ns_value *node, size_t size);

#endif
