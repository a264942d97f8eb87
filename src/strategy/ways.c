/* ways.c -- strategies with a parameter or a grid of their own, made on request */
#include "strategy/ways.h"

#include "core/refuse.h"
#include "schedule/strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MOST = 1 << 22 }; /* of ranks, and of places along a dimension */

/* The way of that name, or the next free entry for one, whose strategy is empty. */
static ns_status take_place(ns_made_ways *made, const char *name, ns_made_way **way, ns_error *err)
{
    size_t i = 0;
    while (i < made->count && strcmp(made->way[i].name, name) != 0)
        i++;
    if (i == NS_MADE_WAYS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_MADE_WAYS);
    *way = &made->way[i];
    if (i == made->count) {
        made->count++;
        (*way)->strategy = (ns_strategy){0};
        snprintf((*way)->name, sizeof(*way)->name, "%s", name);
    }
    return NS_OK;
}

bool ns_strategy_has_groups(const ns_strategy *strategy)
{
    return strategy->node_aware && !strategy->all_processes && strategy->rule != NULL;
}

ns_status ns_way_of_groups(ns_made_ways *made, const ns_strategy *base, int32_t group, const ns_strategy **way,
                           ns_error *err)
{
    char name[NS_WAY_NAME];
    ns_made_way *place;
    if (group == NS_GROUP_SOCKET)
        snprintf(name, sizeof name, "%s:socket", base->name);
    else
        snprintf(name, sizeof name, "%s:%d", base->name, (int)group);
    NS_TRY(take_place(made, name, &place, err));
    *way = &place->strategy;
    if (place->strategy.name != NULL)
        return NS_OK;
    place->strategy = *base;
    place->strategy.name = place->name;
    place->strategy.alias = NULL;
    place->strategy.nest = base->nest != NULL ? base->nest : base->name;
    place->strategy.group = group;
    place->strategy.node_aware = group != 1; /* a group of one: the plain exchange, which bundles nothing */
    place->strategy.model = NULL; /* the model was published for whole nodes */
    place->strategy.words = place->strategy.record_most = NULL;
    return NS_OK;
}

static ns_status read_number(const char *name, const char *text, const char *end, const char *wanted, int32_t *number,
                             ns_error *err)
{
    char *stop = NULL;
    const long value = *text >= '0' && *text <= '9' ? strtol(text, &stop, 10) : 0;
    if (stop != end || value < 1 || value > NUMBER_MOST)
        return ns_fail(err, NS_ERR_NAME, "no strategy \"%.60s\": \"%.*s\" is no number of 1 to %d; wanted %s", name,
                       (int)(end - text < 20 ? end - text : 20), text, (int)NUMBER_MOST, wanted);
    *number = (int32_t)value;
    return NS_OK;
}

static ns_status staged(ns_made_ways *made, const char *word, const char *text, const ns_strategy **way, ns_error *err)
{
    static const char wanted[] = "staged:router, or places along each dimension like staged:4x4x4";
    int32_t grid[NS_STEPS + 1] = {0};
    int dimensions = 0;
    ns_made_way *place;
    if (strcmp(text, "router") == 0)
        while (dimensions < NS_STEPS)
            grid[dimensions++] = 2;
    for (const char *at = text, *end; dimensions < NS_STEPS; at = end + 1) {
        end = at + strcspn(at, "x");
        NS_TRY(read_number(word, at, end, wanted, &grid[dimensions++], err));
        if (*end == '\0')
            break;
        if (dimensions == NS_STEPS)
            return ns_fail(err, NS_ERR_LIMIT, "strategy \"%.60s\" has more than %d dimensions", word, (int)NS_STEPS);
    }
    NS_TRY(take_place(made, word, &place, err));
    *way = &place->strategy;
    if (place->strategy.name != NULL)
        return NS_OK;
    memcpy(place->grid, grid, sizeof grid);
    place->strategy = (ns_strategy){
        .name = place->name,
        .title = "store and forward along the dimensions of a grid of processes",
        .source = "R. O. Selvitopi and C. Aykanat, Regularizing irregularly sparse point-to-point communications, SC19",
        .rank = 5,
        .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
        .same_messages = true,
        .nest = "staged",
        .steps = ns_staged_steps + NS_STEPS - dimensions,
        .grid = place->grid,
        .emit = ns_staged_emit,
    };
    return NS_OK;
}

static ns_status groups(ns_made_ways *made, const char *word, const char *colon, const ns_strategy **way, ns_error *err)
{
    static const char wanted[] = "two-step or three-step with the ranks of a group, like two-step:8, or socket";
    char name[NS_WAY_NAME];
    const ns_strategy *base;
    int32_t group = NS_GROUP_SOCKET;
    snprintf(name, sizeof name, "%.*s", (int)(colon - word < NS_WAY_NAME - 1 ? colon - word : NS_WAY_NAME - 1), word);
    NS_TRY(ns_strategy_get(name, &base, err));
    if (!ns_strategy_has_groups(base))
        return ns_fail(err, NS_ERR_NAME, "%s has no groups; wanted %s", base->name, wanted);
    if (strcmp(colon + 1, "socket") != 0)
        NS_TRY(read_number(word, colon + 1, colon + strlen(colon), wanted, &group, err));
    return ns_way_of_groups(made, base, group, way, err);
}

size_t ns_way_name_length(const char *word)
{
    const ns_strategy *const *s = ns_strategies();
    for (; *s != NULL; s++) {
        const size_t length = strlen((*s)->name);
        if (strchr((*s)->name, '/') != NULL && strncmp(word, (*s)->name, length) == 0 &&
            (word[length] == '\0' || word[length] == '/'))
            return length;
    }
    return strcspn(word, "/");
}

ns_status ns_ways_named(ns_made_ways *made, const char *word, const ns_strategy **list, size_t most, size_t *count,
                        ns_error *err)
{
    const char *colon = strchr(word, ':');
    if (colon == NULL)
        return ns_strategies_named(word, list, most, count, err);
    if (most == 0 || strlen(word) >= NS_WAY_NAME - 8)
        return ns_fail(err, NS_ERR_LIMIT, "too many strategies, or too long a name: \"%.60s\"", word);
    *count = 1;
    return colon - word == 6 && strncmp(word, "staged", 6) == 0 ? staged(made, word, colon + 1, &list[0], err)
                                                                : groups(made, word, colon, &list[0], err);
}
