/* choices.c -- how many strategies and transports a machine runs */
#include "support/choices.h"

#include "schedule/strategy.h"

#include <check.h>

int choices_on(const char *name)
{
    ns_machine *machine = NULL;
    int choices = 0;
    ck_assert(ns_machine_load(name, &machine, NULL) == NS_OK);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            choices += (*s)->forms == NULL && ns_strategy_runs(*s, (ns_transport)t, machine);
    ns_machine_free(machine);
    ck_assert_int_ge(choices, 8); /* standard, three-step, two-step both ways, both splits by the host only */
    return choices;
}

bool is_published(const char *name)
{
    const ns_strategy *strategy = NULL;
    ck_assert(ns_strategy_get(name, &strategy, NULL) == NS_OK);
    return strategy->model != NULL;
}
