/* own_machines.c -- the user's own machines by name, and the one that is meant where none is said */
#include "cli/front/own_machines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' ? value : NULL;
}

const char *ns_own_machines_folder(char *text, size_t size)
{
    static const char below[] = "nsmodel/machines";
    const char *config = set("XDG_CONFIG_HOME"), *home = set("HOME");
    const int length = config != NULL ? snprintf(text, size, "%s/%s", config, below)
                       : home != NULL ? snprintf(text, size, "%s/.config/%s", home, below)
                                      : -1;
    return length > 0 && (size_t)length < size ? text : NULL;
}

static bool is_shipped(const char *name)
{
    for (const char *const *shipped = ns_machine_names(); *shipped != NULL; shipped++)
        if (strcmp(*shipped, name) == 0)
            return true;
    return false;
}

/* The file of an own machine; a name is no path. */
static bool own_path(const char *name, char *path, size_t size)
{
    char folder[3500];
    if (strpbrk(name, "/.") != NULL || is_shipped(name) || ns_own_machines_folder(folder, sizeof folder) == NULL)
        return false;
    const int length = snprintf(path, size, "%s/%s.json", folder, name);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

ns_status ns_machine_find(const char *name, ns_machine **machine, ns_error *err)
{
    char path[4000];
    return ns_machine_load(own_path(name, path, sizeof path) ? path : name, machine, err);
}

const char *ns_machine_usual(void)
{
    const char *chosen = set("NSMODEL_MACHINE");
    return chosen != NULL ? chosen : NS_MACHINE_DEFAULT;
}
