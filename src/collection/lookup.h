/* lookup.h -- what a name or path stands for: a file, a stencil, a file in one of the places, or what is built in */
#ifndef NS_MATRIX_LOOKUP_H
#define NS_MATRIX_LOOKUP_H

#include "collection/catalogue.h"
#include "core/embedded.h"
#include "matrix/source.h"

enum { NS_LOOKUP_PATH = 4096, NS_LOOKUP_NAME = 128 };

typedef enum ns_lookup_kind {
    NS_IS_NOTHING,
    NS_IS_FILE,
    NS_IS_STENCIL,
    NS_IS_IN_PLACE,
    NS_IS_EMBEDDED,
    NS_IS_SURROGATE
} ns_lookup_kind;

typedef struct ns_lookup {
    const char *spec;
    const ns_matrix_place *place;
    size_t places;
    ns_matrix_step_fn *tell; /* or NULL: then the first find ends the search */
    void *context;

    ns_lookup_kind kind;       /* the first find */
    char path[NS_LOOKUP_PATH]; /* of NS_IS_FILE and NS_IS_IN_PLACE */
    ns_matrix_source source;   /* of NS_IS_IN_PLACE: its place's */
    const ns_embedded *embedded;
    const ns_surrogate *surrogate;

    bool is_name;                                     /* NAME or GROUP/NAME, fit to be joined to a folder */
    char group[NS_LOOKUP_NAME], name[NS_LOOKUP_NAME]; /* group "": not given */
    ns_catalogue *catalogue;                          /* NULL until asked for */
    const ns_catalogue_entry *match;                  /* matrices of that name in the catalogue, `matches` of them */
    size_t matches;
    char foreign[NS_LOOKUP_PATH]; /* the first file of that name that is there but not read, or "" */
    const char *foreign_words;
    bool ambiguous; /* a place has files of several matrices of that name */
} ns_lookup;

/* Fill *lookup (spec, place, places, tell, context set, the rest zero).  Release it with ns_lookup_close, on failure
 * too. */
ns_status ns_lookup_run(ns_lookup *lookup, ns_error *err);
void ns_lookup_close(ns_lookup *lookup);

/* After a search that found NS_IS_NOTHING: say what was looked for, and what may have been meant. */
ns_status ns_lookup_fail(ns_lookup *lookup, ns_error *err);

/* What a folder has of a name. */
typedef struct ns_find {
    char path[NS_LOOKUP_PATH]; /* "" for nothing */
    const char *words;         /* why it is not read, or NULL */
    bool several;              /* files of several matrices of that name; path is then "" */
} ns_find;

/* Look in one folder (lookup_place.c). */
ns_status ns_lookup_folder(ns_lookup *lookup, const char *directory, ns_find *find, ns_error *err);

/* Open the catalogue, once, and find the name's matches in it. */
ns_status ns_lookup_catalogue(ns_lookup *lookup, ns_error *err);

#endif
