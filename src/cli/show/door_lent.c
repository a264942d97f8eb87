/* door_lent.c -- the machines of a scenario's ways, and what is said of their numbers */
#include "cli/show/door_lent.h"

#include <string.h>

ns_status ns_door_lend(const ns_scene *scene, const ns_machine *machine, ns_door_lent *lent, ns_error *err)
{
    for (size_t w = 0; w < NS_DOOR_WAYS && scene->way[w].name != NULL; w++) {
        const char *name = scene->way[w].lender;
        ns_machine *lender;
        if (name == NULL || strcmp(name, machine->name) == 0)
            continue;
        NS_TRY(ns_machine_load(name, &lender, err));
        const ns_status status = ns_machine_lend(machine, lender, &lent->machine[w], err);
        ns_machine_free(lender);
        NS_TRY(status);
    }
    return NS_OK;
}

void ns_door_lent_close(ns_door_lent *lent)
{
    for (size_t w = 0; w < NS_DOOR_WAYS; w++)
        ns_machine_free(lent->machine[w]);
}

void ns_door_notes(const ns_scene *scene, const ns_door_lent *lent, FILE *to)
{
    for (size_t w = 0; w < NS_DOOR_WAYS && scene->way[w].name != NULL; w++) {
        bool said = *lent->assumed[w] == '\0';
        for (size_t before = 0; before < w && !said; before++)
            said = strcmp(lent->assumed[before], lent->assumed[w]) == 0;
        if (!said)
            fprintf(to, "nsmodel: note: %s\n", lent->assumed[w]);
        if (lent->machine[w] != NULL)
            fprintf(to, "nsmodel: note: %s: what %s lacks comes from %s\n", scene->way[w].name,
                    lent->machine[w]->name, scene->way[w].lender);
    }
}
