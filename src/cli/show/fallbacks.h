/* fallbacks.h -- the machines of a scenario's ways, and what is said of their numbers */
#ifndef NS_CLI_SHOW_FALLBACKS_H
#define NS_CLI_SHOW_FALLBACKS_H

#include "cli/show/paper_scenario.h"

typedef struct ns_fallbacks {
    ns_machine *machine[NS_SCENARIO_WAYS]; /* with what a fallback has, or NULL: the machine itself */
    char assumed[NS_SCENARIO_WAYS][200];   /* of each way's first value, or "" */
} ns_fallbacks;

/* Give every way what its machine lacks from the fallback machine.  Close it also after a failure. */
ns_status ns_fallbacks_open(const ns_paper_scenario *scenario, const ns_machine *machine, ns_fallbacks *fallbacks,
                            ns_error *err);
void ns_fallbacks_close(ns_fallbacks *fallbacks);

/* Who fallbacks what, and what is assumed: each note once, on `to`. */
void ns_fallbacks_notes(const ns_paper_scenario *scenario, const ns_fallbacks *fallbacks, FILE *to);

#endif
