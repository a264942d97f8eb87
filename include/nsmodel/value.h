/* value.h -- the value tree: the answer of a command, the contents of a JSON file
 *
 * A tree of named numbers, texts, lists and objects.  Numbers are SI with a dimension.  Generic writers print it as
 * JSON, as aligned tables or as CSV, so that no command formats its own results.
 */
#ifndef NSMODEL_VALUE_H
#define NSMODEL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_value_kind { NS_NULL, NS_BOOL, NS_NUMBER, NS_TEXT, NS_LIST, NS_OBJECT } ns_value_kind;

/* How the writers treat a node. */
enum {
    NS_V_JSON_ONLY = 1,  /* leave out of tables and CSV */
    NS_V_MARK = 2,       /* an object in a list: mark this row (the best one) */
    NS_V_NOTE = 4,       /* a text: print it as a line of its own above the table, leave it out of CSV columns */
    NS_V_ROWS = 8,       /* a list: its elements are the rows of the table */
    NS_V_NO_TABLE = 16,  /* leave out of tables only */
    NS_V_NO_CSV = 32,    /* leave out of CSV only */
    NS_V_NO_JSON = 64,   /* leave out of JSON only: text that repeats other keys */
    NS_V_WIDE = 128,     /* leave out of tables that are not wide */
    NS_V_NARROW = 256,   /* only for tables that are not wide */
    NS_V_HEADING = 512,  /* a text of a group of rows: a line above them, no column */
    NS_V_BELOW = 1024,   /* a text of a row: a line below it, no column of a table */
    NS_V_COMMAND = 2048, /* a shell command: a line break is written so that it can be pasted */
    NS_V_MINOR = 4096,   /* a column that is dropped before others when a table is too wide */
    NS_V_LEAST = 8192    /* a column that is dropped before those */
};

typedef struct ns_value ns_value;

/* A new empty object: the root, which owns every node added below it.  NULL when memory is out. */
NS_API ns_value *ns_value_new(void);
NS_API void ns_value_free(ns_value *root);

/* Append to an object (name given) or a list (name NULL).  Names and texts are copied.  Return the new node, or NULL
 * when parent is NULL or memory is out, so that calls can be chained and checked once with ns_value_complete. */
NS_API ns_value *ns_value_object(ns_value *parent, const char *name);
NS_API ns_value *ns_value_list(ns_value *parent, const char *name);
NS_API ns_value *ns_value_number(ns_value *parent, const char *name, double number, ns_dim dim);
NS_API ns_value *ns_value_count(ns_value *parent, const char *name, double number); /* no dimension */
NS_API ns_value *ns_value_text(ns_value *parent, const char *name, const char *text);
NS_API ns_value *ns_value_textf(ns_value *parent, const char *name, const char *format, ...) NS_PRINTF(3, 4);
NS_API ns_value *ns_value_bool(ns_value *parent, const char *name, bool truth);
NS_API ns_value *ns_value_null(ns_value *parent, const char *name);

/* Add flags to a node; NULL stays NULL.  Returns it. */
NS_API ns_value *ns_value_flag(ns_value *value, unsigned flags);

/* A copy of the tree without the nodes (and all below them) that carry any of these flags; free it as its own root. Not
 * complete (ns_value_complete) or NULL when memory is out. */
NS_API ns_value *ns_value_without(const ns_value *root, unsigned flags);

/* True if every node asked for so far was made. */
NS_API bool ns_value_complete(const ns_value *root);

/* The child of that name, or NULL.  ns_value_at follows "a.b.c". */
NS_API const ns_value *ns_value_get(const ns_value *object, const char *name);
NS_API const ns_value *ns_value_at(const ns_value *object, const char *path);

/* What a node is.  A name is the key in the parent object, or ""; what a node of another kind has is false, 0 or "". */
NS_API ns_value_kind ns_value_kind_of(const ns_value *value);
NS_API const char *ns_value_name(const ns_value *value);
NS_API bool ns_value_as_bool(const ns_value *value);
NS_API double ns_value_as_number(const ns_value *value); /* SI */
NS_API ns_dim ns_value_dim(const ns_value *value);
NS_API const char *ns_value_as_text(const ns_value *value);

/* The first child of an object or a list, the next sibling of a node; NULL past the last. */
NS_API const ns_value *ns_value_first(const ns_value *value);
NS_API const ns_value *ns_value_next(const ns_value *value);

#ifdef __cplusplus
}
#endif
#endif
