/* strategies.c -- the list of strategies, made by make from strategies/ */
#include <nsmodel/strategy.h>

#include "core/refuse.h"

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
    const ns_strategy *list[STRATEGIES];
    const char *names[STRATEGIES];
    ns_strategies_by_rank(list, STRATEGIES);
    for (int i = 0; i < STRATEGIES; i++) {
        names[i] = list[i]->name;
        if (strcmp(names[i], name) == 0) {
            *strategy = list[i];
            return NS_OK;
        }
    }
    return ns_refuse_name(err, "no strategy", name, names, STRATEGIES);
}
