/* strategies.c -- the list of strategies, made by make from src/strategy */
#include <nsmodel/strategy.h>

#include <string.h>

#define NS_STRATEGY(stem) extern const ns_strategy ns_strategy_##stem;
#include "strategies.def"
#undef NS_STRATEGY

#define NS_STRATEGY(stem) &ns_strategy_##stem,
static const ns_strategy *const strategies[] = {
#include "strategies.def"
    NULL};
#undef NS_STRATEGY

enum { STRATEGIES = sizeof strategies / sizeof *strategies - 1 };

const ns_strategy *const *ns_strategies(void)
{
    return strategies;
}

size_t ns_strategies_by_rank(const ns_strategy **list, size_t most)
{
    size_t count = 0;
    for (; count < STRATEGIES && count < most; count++) {
        size_t at = count;
        for (; at > 0 && list[at - 1]->rank > strategies[count]->rank; at--)
            list[at] = list[at - 1];
        list[at] = strategies[count];
    }
    return count;
}

ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err)
{
    const char *names[STRATEGIES];
    for (int i = 0; i < STRATEGIES; i++) {
        names[i] = strategies[i]->name;
        if (strcmp(names[i], name) == 0) {
            *strategy = strategies[i];
            return NS_OK;
        }
    }
    const char *near = ns_closest(name, names, STRATEGIES);
    return near != NULL ? ns_fail(err, NS_ERR_NAME, "no strategy \"%s\"; did you mean \"%s\"?", name, near)
                        : ns_fail(err, NS_ERR_NAME,
                                  "no strategy \"%s\"; there are standard, three-step, two-step, split-md "
                                  "and split-dd",
                                  name);
}

bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine)
{
    if ((unsigned)transport >= NS_TRANSPORTS || (strategy->transports & (1u << transport)) == 0)
        return false;
    ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    if (transport == NS_VIA_DEVICE && machine->gpus == 0)
        return false;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (machine->line[memory][NS_OFF_NODE][p].given)
            return true;
    return false;
}
