/* places.h -- the user's folders of matrices and machines, and the default machine */
#ifndef NS_CLI_PLACES_H
#define NS_CLI_PLACES_H

#include "cli/front/command.h"
#include "machine/machine.h"

#include <nsmodel/matrix.h>

#include <stdio.h>

typedef struct ns_places {
    ns_matrix_place *place;
    size_t count, most;
    char *text; /* owns the folders' names */
    size_t used, room;
} ns_places;

/* In the order of search: NSMODEL_MATRIX_PATH, the caches of ssget and ssgetpy, the user's cache.  Folders need not
 * exist.  Free with ns_places_close, on failure too. */
ns_status ns_places_open(ns_places *places, ns_error *err);
void ns_places_close(ns_places *places);

/* ns_matrix_open_in these places. */
ns_status ns_places_matrix(const char *spec, ns_matrix **matrix, ns_error *err);

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* ns_machine_load, by one rule: a path opens its file; a name is that of a shipped machine, else of NAME.json in the
 * user's folder, else of a file in the current folder. */
ns_status ns_machine_find(const char *name, ns_machine **machine, ns_error *err);

bool ns_machine_is_shipped(const char *name);

/* Print which files a shipped machine's name hides, and how to open them: for one name, and for all names on a command
 * line. */
void ns_machine_say_hidden(const char *name, FILE *err);
void ns_machines_say_hidden(const ns_args *args, FILE *err);

/* NSMODEL_MACHINE, else the shipped default. */
const char *ns_machine_usual(void);

/* $XDG_CONFIG_HOME/nsmodel/machines or ~/.config/nsmodel/machines; NULL where neither is set or it is too long.
 * Returns text. */
const char *ns_own_machines_folder(char *text, size_t size);

/* The names of the user's own machines, sorted; *names: free each, then the array.  None where there is no folder. */
ns_status ns_own_machines_list(char ***names, size_t *count, ns_error *err);
void ns_own_machines_free(char **names, size_t count);

#endif
