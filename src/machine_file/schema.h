/* schema.h -- allowed contents of a machine file, and the typed tables made from its parameters */
#ifndef NS_MACHINE_FILE_SCHEMA_H
#define NS_MACHINE_FILE_SCHEMA_H

#include "machine/store.h"

/* A row of the file's schema: the type of the value at a path. */
typedef struct ns_schema_row {
    const char *pattern; /* segments; <memory>, <locality>, <protocol>, <direction>, <count> match any such word */
    const char *unit;
    const char *doc;
    const char *inverse; /* last segment under which the reciprocal is also known, or NULL */
} ns_schema_row;

/* The row for a path (derived last segments included: *inverted), or NULL.  "models.NAME.INPUT" gives a row made from
 * the model's own input in *scratch. */
const ns_schema_row *ns_schema_find(const char *path, bool *inverted, ns_schema_row *scratch);

/* Set a key that holds a word, "copy.bytes"; *is_word: the path is such a key.  An unknown word, or NULL for a value
 * that is not a text, is an error that lists the allowed words. */
ns_status ns_machine_set_word(ns_machine *machine, const char *path, const char *word, bool *is_word, ns_error *err);

/* Can a path of the schema begin with these segments? */
bool ns_schema_is_prefix(const char *path);

/* Names that may follow a path, for suggesting the closest one. */
enum { NS_SCHEMA_NAMES = 128 };
typedef struct ns_schema_names {
    size_t count, used;
    const char *name[NS_SCHEMA_NAMES]; /* in text */
    char text[4096];
} ns_schema_names;
void ns_schema_names_below(const char *path, ns_schema_names *names);

/* Fill the typed tables from the parameters and check that they are complete.  text and origin are used for positions
 * in messages and may be NULL. */
ns_status ns_machine_compile(ns_machine *machine, const char *text, const char *origin, ns_error *err);

#endif
