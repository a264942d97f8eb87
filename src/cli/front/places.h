/* places.h -- where this user keeps matrices: the environment, as the library's list of places */
#ifndef NS_CLI_PLACES_H
#define NS_CLI_PLACES_H

#include <nsmodel/matrix.h>

typedef struct ns_places {
    ns_matrix_place *place;
    size_t count, most;
    char *text; /* owns the folders' names */
    size_t used, room;
} ns_places;

/* In the order of looking: NSMODEL_MATRIX_PATH, the caches of ssget and ssgetpy, the user's cache.  Folders need not be
 * there.  Free with ns_places_close, on failure too. */
ns_status ns_places_open(ns_places *places, ns_error *err);
void ns_places_close(ns_places *places);

/* ns_matrix_open_in these places. */
ns_status ns_places_matrix(const char *spec, ns_matrix **matrix, ns_error *err);

#endif
