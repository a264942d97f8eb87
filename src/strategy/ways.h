/* ways.h -- strategies with a number or a grid of their own: two-step:8, three-step:socket, staged:4x4x4, staged:router
 * */
#ifndef NS_STRATEGY_WAYS_H
#define NS_STRATEGY_WAYS_H

#include "schedule/strategy.h"

enum { NS_MADE_WAYS = 32, NS_WAY_NAME = 64 };

/* Room for those that were asked for; they live as long as it, and it stays where it is.  {0} at first. */
typedef struct ns_made_way {
    ns_strategy strategy;
    char name[NS_WAY_NAME];
    int32_t grid[NS_STEPS + 1];
} ns_made_way;

typedef struct ns_made_ways {
    size_t count;
    ns_made_way way[NS_MADE_WAYS];
} ns_made_ways;

/* How much of "NAME/TRANSPORT" is the name of a way; a name may have a slash itself. */
size_t ns_way_name_length(const char *word);

/* What a word stands for, as ns_strategies_named has it, and, with a colon, the one way that is made of it. */
ns_status ns_ways_named(ns_made_ways *made, const char *word, const ns_strategy **list, size_t most, size_t *count,
                        ns_error *err);

/* Has a strategy groups that could stand for its nodes? */
bool ns_strategy_has_groups(const ns_strategy *strategy);
/* A strategy by groups of so many ranks, or NS_GROUP_SOCKET. */
ns_status ns_way_of_groups(ns_made_ways *made, const ns_strategy *base, int32_t group, const ns_strategy **way,
                           ns_error *err);

#endif
