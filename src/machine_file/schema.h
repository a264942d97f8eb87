/* schema.h -- what a machine file may say, and from its parameters to the typed tables */
#ifndef NS_MACHINE_FILE_SCHEMA_H
#define NS_MACHINE_FILE_SCHEMA_H

#include "machine/store.h"

/* A row of the file's schema: what a path may hold. */
typedef struct ns_schema_row {
    const char *pattern; /* segments; <memory>, <locality>, <protocol>, <direction>, <count> stand for any such word */
    const char *unit;
    const char *doc;
    const char *inverse; /* last segment under which the reciprocal is known too, or NULL */
} ns_schema_row;

/* The row for a path (derived last segments included: *inverted), or NULL.  "models.NAME.INPUT" gives a row made from
 * the model's own input in *scratch. */
const ns_schema_row *ns_schema_find(const char *path, bool *inverted, ns_schema_row *scratch);

/* Set a key that holds a word, "copy.bytes"; *is_word: the path is one.  An unknown word is an error that lists those
 * there are, and so is NULL, what is no text. */
ns_status ns_machine_set_word(ns_machine *machine, const char *path, const char *word, bool *is_word, ns_error *err);

/* May a path of the schema begin with these segments? */
bool ns_schema_is_prefix(const char *path);

/* Names that may follow a path, for the closest-name offer. */
enum { NS_SCHEMA_NAMES = 128 };
typedef struct ns_schema_names {
    size_t count, used;
    const char *name[NS_SCHEMA_NAMES]; /* in text */
    char text[4096];
} ns_schema_names;
void ns_schema_names_below(const char *path, ns_schema_names *names);

/* Fill the typed tables from the parameters and check that they are whole.  text and origin serve the messages'
 * positions and may be NULL. */
ns_status ns_machine_compile(ns_machine *machine, const char *text, const char *origin, ns_error *err);

#endif
