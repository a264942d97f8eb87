/* strategies.c -- the list of strategies, which make generates from strategies/ */

#include "core/refuse.h"
#include "schedule/strategy.h"

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

size_t ns_strategies_sort(const ns_strategy *const *of, size_t given, const ns_strategy **list, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < given; i++) {
        size_t at = 0;
        // cppcheck-suppress uninitvar ; list has count entries, none at first
        while (at < count && list[at] != of[i])
            at++;
        if (at < count)
            continue; /* it is already in the list */
        while (at > 0 && list[at - 1]->rank > of[i]->rank)
            at--;
        if (at == most)
            continue;
        count += count < most;
        for (size_t j = count - 1; j > at; j--)
            list[j] = list[j - 1];
        list[at] = of[i];
    }
    return count;
}

/* Excludes strategies that are available only by name. */
size_t ns_strategies_by_rank(const ns_strategy **list, size_t most)
{
    const ns_strategy *offered[STRATEGIES];
    size_t count = 0;
    for (int i = 0; i < STRATEGIES; i++)
        if (strategies[i]->forms == NULL)
            offered[count++] = strategies[i];
    return ns_strategies_sort(offered, count, list, most);
}

ns_status ns_strategies_named(const char *name, const ns_strategy **list, size_t most, size_t *count, ns_error *err)
{
    ns_error_clear(err);
    const ns_strategy *all[STRATEGIES];
    const char *names[STRATEGIES];
    size_t found = 0;
    (void)ns_strategies_sort(strategies, STRATEGIES, all, STRATEGIES);
    for (int i = 0; i < STRATEGIES; i++) {
        names[i] = all[i]->name;
        if (strcmp(all[i]->name, name) != 0 && (all[i]->alias == NULL || strcmp(all[i]->alias, name) != 0))
            continue;
        if (found == most)
            return ns_fail(err, NS_ERR_LIMIT, "too many strategies");
        list[found++] = all[i];
    }
    if (found == 0)
        return ns_refuse_name(err, "no strategy", name, names, STRATEGIES);
    *count = found;
    return NS_OK;
}

ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err)
{
    ns_error_clear(err);
    const ns_strategy *named[STRATEGIES];
    size_t count;
    NS_TRY(ns_strategies_named(name, named, STRATEGIES, &count, err));
    if (count > 1)
        return ns_fail(err, NS_ERR_NAME, "\"%s\" stands for %s and %s: say which", name, named[0]->name,
                       named[1]->name);
    *strategy = named[0];
    return NS_OK;
}
