/* ways.h -- strategies with a parameter or a grid: two-step:8, three-step:socket, staged:4x4x4, staged:router */
#ifndef NS_STRATEGY_WAYS_H
#define NS_STRATEGY_WAYS_H

#include "schedule/strategy.h"

enum { NS_MADE_WAYS = 32, NS_WAY_NAME = 64 };

/* Storage for the requested ways, which are valid as long as it is; it must not be moved.  Initialize it with {0}. */
typedef struct ns_made_way {
    ns_strategy strategy;
    char name[NS_WAY_NAME];
    int32_t grid[NS_STEPS + 1];
} ns_made_way;

typedef struct ns_made_ways {
    size_t count;
    ns_made_way way[NS_MADE_WAYS];
} ns_made_ways;

/* The length of the way's name in "NAME/TRANSPORT"; a name may itself contain a slash. */
size_t ns_way_name_length(const char *word);

/* The strategies that a word denotes, as in ns_strategies_named, or, with a colon, the one way that is made from it. */
ns_status ns_ways_named(ns_made_ways *made, const char *word, const ns_strategy **list, size_t most, size_t *count,
                        ns_error *err);

/* Does a strategy have groups that could replace its nodes? */
bool ns_strategy_has_groups(const ns_strategy *strategy);
/* A strategy by groups of the given number of ranks, or NS_GROUP_SOCKET. */
ns_status ns_way_of_groups(ns_made_ways *made, const ns_strategy *base, int32_t group, const ns_strategy **way,
                           ns_error *err);

#endif
