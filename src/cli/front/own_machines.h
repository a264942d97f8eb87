/* own_machines.h -- the user's own machines by name, and the one that is meant where none is said */
#ifndef NS_CLI_OWN_MACHINES_H
#define NS_CLI_OWN_MACHINES_H

#include "machine/machine.h"

/* ns_machine_load; a name that no shipped machine has is looked for as NAME.json in the user's folder, too. */
ns_status ns_machine_find(const char *name, ns_machine **machine, ns_error *err);

bool ns_machine_is_shipped(const char *name);

/* NSMODEL_MACHINE, else the shipped default. */
const char *ns_machine_usual(void);

/* $XDG_CONFIG_HOME/nsmodel/machines or ~/.config/nsmodel/machines; NULL where neither is set or it is too long.
 * Returns text. */
const char *ns_own_machines_folder(char *text, size_t size);

/* The names of the user's own machines, sorted; *names: free each, then the array.  None where there is no folder. */
ns_status ns_own_machines_list(char ***names, size_t *count, ns_error *err);
void ns_own_machines_free(char **names, size_t count);

#endif
