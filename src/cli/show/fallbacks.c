/* fallbacks.c -- the machines of a scenario's ways, and what is said of their numbers */
#include "cli/show/fallbacks.h"

#include <string.h>

ns_status ns_fallbacks_open(const ns_paper_scenario *scenario, const ns_machine *machine, ns_fallbacks *fallbacks,
                            ns_error *err)
{
    for (size_t w = 0; w < NS_SCENARIO_WAYS && scenario->way[w].name != NULL; w++) {
        const char *name = scenario->way[w].fallback;
        ns_machine *fallback;
        if (name == NULL || strcmp(name, machine->name) == 0)
            continue;
        NS_TRY(ns_machine_load(name, &fallback, err));
        const ns_status status = ns_machine_lend(machine, fallback, &fallbacks->machine[w], err);
        ns_machine_free(fallback);
        NS_TRY(status);
    }
    return NS_OK;
}

void ns_fallbacks_close(ns_fallbacks *fallbacks)
{
    for (size_t w = 0; w < NS_SCENARIO_WAYS; w++)
        ns_machine_free(fallbacks->machine[w]);
}

void ns_fallbacks_notes(const ns_paper_scenario *scenario, const ns_fallbacks *fallbacks, FILE *to)
{
    for (size_t w = 0; w < NS_SCENARIO_WAYS && scenario->way[w].name != NULL; w++) {
        bool said = *fallbacks->assumed[w] == '\0';
        for (size_t before = 0; before < w && !said; before++)
            said = strcmp(fallbacks->assumed[before], fallbacks->assumed[w]) == 0;
        if (!said)
            fprintf(to, "nsmodel: note: %s\n", fallbacks->assumed[w]);
        if (fallbacks->machine[w] != NULL)
            fprintf(to, "nsmodel: note: %s: what %s lacks comes from %s\n", scenario->way[w].name,
                    fallbacks->machine[w]->name, scenario->way[w].fallback);
    }
}
