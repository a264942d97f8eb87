/* door_lent.h -- the machines of a scenario's ways, and what is said of their numbers */
#ifndef NS_CLI_SHOW_DOOR_LENT_H
#define NS_CLI_SHOW_DOOR_LENT_H

#include "cli/show/door.h"

typedef struct ns_door_lent {
    ns_machine *machine[NS_DOOR_WAYS]; /* with what a lender has, or NULL: the machine itself */
    char assumed[NS_DOOR_WAYS][200];   /* of each way's first value, or "" */
} ns_door_lent;

/* Lend every way what its machine lacks.  Close it also after a failure. */
ns_status ns_door_lend(const ns_scene *scene, const ns_machine *machine, ns_door_lent *lent, ns_error *err);
void ns_door_lent_close(ns_door_lent *lent);

/* Who lent what, and what is assumed: each note once, on `to`. */
void ns_door_notes(const ns_scene *scene, const ns_door_lent *lent, FILE *to);

#endif
