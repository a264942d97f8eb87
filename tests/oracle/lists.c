/* lists.c -- the lists D(q, p) and L(M, N), and whether an exchange says the same */
#include "core/memory.h"
#include "oracle.h"

#include <stdlib.h>

typedef struct tuple {
    int32_t to, from, owner;
    int64_t item;
} tuple;

static int by_group(const void *x, const void *y)
{
    const tuple *a = x, *b = y;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static void group(tuple *tuples, int64_t count, oracle_lists *lists)
{
    qsort(tuples, (size_t)count, sizeof *tuples, by_group);
    *lists = (oracle_lists){.groups = 0};
    lists->from = oracle_alloc(count, sizeof *lists->from);
    lists->to = oracle_alloc(count, sizeof *lists->to);
    lists->start = oracle_alloc(count + 1, sizeof *lists->start);
    lists->item = oracle_alloc(count, sizeof *lists->item);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || tuples[i].to != tuples[i - 1].to || tuples[i].from != tuples[i - 1].from) {
            lists->from[lists->groups] = tuples[i].from;
            lists->to[lists->groups] = tuples[i].to;
            lists->start[lists->groups++] = i;
        }
        lists->item[i] = tuples[i].item;
    }
    lists->start[lists->groups] = count;
    ns_free(tuples);
}

void oracle_direct(const oracle_need *need, oracle_lists *lists)
{
    int64_t count = need->start[need->items], at = 0;
    tuple *tuples = oracle_alloc(count, sizeof *tuples);
    for (int64_t item = 0; item < need->items; item++)
        for (int64_t i = need->start[item]; i < need->start[item + 1]; i++)
            tuples[at++] = (tuple){need->part[i], need->owner[item], need->owner[item], item};
    group(tuples, count, lists);
}

bool oracle_first_on_node(const oracle_need *need, const int32_t *node_of, int64_t item, int64_t i)
{
    for (int64_t before = need->start[item]; before < i; before++)
        if (node_of[need->part[before]] == node_of[need->part[i]])
            return false;
    return true;
}

void oracle_by_node(const oracle_need *need, const int32_t *node_of, oracle_lists *lists)
{
    tuple *tuples = oracle_alloc(need->start[need->items], sizeof *tuples);
    int64_t count = 0;
    for (int64_t item = 0; item < need->items; item++) {
        int32_t home = node_of[need->owner[item]];
        for (int64_t i = need->start[item]; i < need->start[item + 1]; i++) {
            int32_t node = node_of[need->part[i]];
            if (node != home && oracle_first_on_node(need, node_of, item, i))
                tuples[count++] = (tuple){node, home, need->owner[item], item};
        }
    }
    group(tuples, count, lists);
}

bool oracle_same_site(const ns_site *site, const int32_t *node_of, char why[256])
{
    int32_t at = 0;
    for (int32_t node = 0; node < site->nodes; node++) {
        int32_t local = 0;
        if (site->first[node] != at)
            return oracle_say(why, "node %d: its parts begin at %d, expected %d", node, site->first[node], at);
        for (int32_t p = 0; p < site->parts; p++) {
            if ((node_of != NULL ? node_of[p] : p / site->per_node) != node)
                continue;
            if (site->node_of[p] != node || site->local_of[p] != local || site->part[at] != p)
                return oracle_say(why, "part %d is the %d-th of node %d, got the %d-th of %d", p, local, node,
                                  site->local_of[p], site->node_of[p]);
            local++, at++;
        }
        if (local > site->per_node)
            return oracle_say(why, "%d parts on node %d, but per_node is %d", local, node, site->per_node);
    }
    return (at == site->parts && site->first[site->nodes] == at) ||
           oracle_say(why, "%d of %d parts are on a node", at, site->parts);
}

void oracle_lists_free(oracle_lists *lists)
{
    ns_free(lists->from);
    ns_free(lists->to);
    ns_free(lists->start);
    ns_free(lists->item);
    *lists = (oracle_lists){0, NULL, NULL, NULL, NULL};
}

int64_t oracle_group(const oracle_lists *lists, int32_t from, int32_t to)
{
    int64_t low = 0, high = lists->groups;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (lists->to[middle] < to || (lists->to[middle] == to && lists->from[middle] < from))
            low = middle + 1;
        else
            high = middle;
    }
    return low < lists->groups && lists->to[low] == to && lists->from[low] == from ? low : -1;
}

bool oracle_needs(const oracle_need *need, int64_t item, int32_t part)
{
    for (int64_t i = need->start[item]; i < need->start[item + 1]; i++)
        if (need->part[i] == part)
            return true;
    return false;
}

static bool same_routes(const oracle_need *need, const ns_exchange *exchange, char why[256])
{
    oracle_lists direct;
    oracle_direct(need, &direct);
    int64_t *each = oracle_alloc(need->parts, sizeof *each);
    bool good = direct.groups == exchange->routes;
    if (!good)
        oracle_say(why, "expected %lld routes, got %lld", (long long)direct.groups, (long long)exchange->routes);
    for (int64_t g = 0; good && g < direct.groups; g++) {
        ns_route route = exchange->route[g];
        int64_t entries = direct.start[g + 1] - direct.start[g];
        each[direct.to[g]] += entries;
        if (route.from != direct.from[g] || route.to != direct.to[g] || route.entries != entries)
            good = oracle_say(why, "route %lld: expected %d -> %d of %lld, got %d -> %d of %lld", (long long)g,
                              direct.from[g], direct.to[g], (long long)entries, route.from, route.to,
                              (long long)route.entries);
    }
    for (int32_t p = 0; good && p < need->parts; p++)
        if (exchange->need[p] != each[p])
            good = oracle_say(why, "need[%d]: expected %lld, got %lld", p, (long long)each[p],
                              (long long)exchange->need[p]);
    oracle_lists_free(&direct);
    ns_free(each);
    return good;
}

/* Do exactly the run's needers need this item on node `node`? */
static bool same_needers(const oracle_need *need, const ns_exchange *exchange, int64_t item, const ns_run *run,
                         int32_t node)
{
    int32_t found = 0;
    for (int64_t i = need->start[item]; i < need->start[item + 1]; i++) {
        if (exchange->site->node_of[need->part[i]] != node)
            continue;
        if (found == run->needers || exchange->needer[run->needer + found] != need->part[i])
            return false;
        found++;
    }
    return found == run->needers;
}

static bool same_run(const oracle_need *need, const ns_exchange *exchange, const ns_pair *pair, const ns_run *run,
                     const int64_t *item, char why[256])
{
    if (run->needers <= 0 || run->needer < 0 || run->needer + run->needers > exchange->needers)
        return oracle_say(why, "pair %d -> %d: a run's needers are out of bounds", pair->from, pair->to);
    for (int64_t i = 0; i < run->entries; i++)
        if (need->owner[item[run->first + i]] != run->origin ||
            !same_needers(need, exchange, item[run->first + i], run, pair->to))
            return oracle_say(why,
                              "pair %d -> %d: entry %lld (item %lld of part %d) has other needers or origin than "
                              "its run says",
                              pair->from, pair->to, (long long)(run->first + i), (long long)item[run->first + i],
                              need->owner[item[run->first + i]]);
    return true;
}

static bool same_pair(const oracle_need *need, const ns_exchange *exchange, const ns_pair *pair, const int64_t *item,
                      int64_t entries, char why[256])
{
    int64_t position = 0;
    if (pair->run < 0 || pair->runs <= 0 || pair->run + pair->runs > exchange->runs)
        return oracle_say(why, "pair %d -> %d: its runs are out of bounds", pair->from, pair->to);
    for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
        const ns_run *run = &exchange->run[r];
        if (run->first != position || run->entries <= 0 || run->first + run->entries > entries)
            return oracle_say(why, "pair %d -> %d: run %lld has first %lld of %lld entries, expected first %lld",
                              pair->from, pair->to, (long long)(r - pair->run), (long long)run->first,
                              (long long)run->entries, (long long)position);
        if (!same_run(need, exchange, pair, run, item, why))
            return false;
        position += run->entries;
    }
    return position == entries || oracle_say(why, "pair %d -> %d: runs cover %lld of %lld entries", pair->from,
                                             pair->to, (long long)position, (long long)entries);
}

static bool same_pairs(const oracle_need *need, const ns_exchange *exchange, char why[256])
{
    oracle_lists lists;
    oracle_by_node(need, exchange->site->node_of, &lists);
    bool good = lists.groups == exchange->pairs;
    if (!good)
        oracle_say(why, "expected %lld pairs of nodes, got %lld", (long long)lists.groups, (long long)exchange->pairs);
    for (int64_t g = 0; good && g < lists.groups; g++) {
        const ns_pair *pair = &exchange->pair[g];
        int64_t entries = lists.start[g + 1] - lists.start[g];
        if (pair->from != lists.from[g] || pair->to != lists.to[g] || pair->entries != entries)
            good = oracle_say(why, "pair %lld: expected %d -> %d of %lld, got %d -> %d of %lld", (long long)g,
                              lists.from[g], lists.to[g], (long long)entries, pair->from, pair->to,
                              (long long)pair->entries);
        good = good && same_pair(need, exchange, pair, lists.item + lists.start[g], entries, why);
    }
    oracle_lists_free(&lists);
    return good;
}

bool oracle_same_exchange(const oracle_need *need, const ns_exchange *exchange, char why[256])
{
    const ns_site *site = exchange->site;
    if (exchange->parts != need->parts || site->parts != need->parts || exchange->nodes != site->nodes ||
        exchange->per_node != site->per_node)
        return oracle_say(why, "expected %d parts, got %d, on %d nodes and %d", need->parts, exchange->parts,
                          exchange->nodes, site->nodes);
    return same_routes(need, exchange, why) && same_pairs(need, exchange, why);
}
