/* lots.c -- fragments of a part that are needed by the same parts are one lot: their order tells nothing of its bundles
 *
 * Lots of a part are found by a hash table with open addressing, which is cleared for the next part.
 */
#include "place/placer.h"

#include <string.h>

typedef struct table {
    int64_t *slot; /* [1 << bits] a lot, plus 1; 0: free */
    int64_t slots;
    int bits;
} table;

static uint64_t hash_of(const int32_t *needer, int32_t count)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)needer[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash * UINT64_C(0xD6E8FEB86659FD93);
}

static bool same_needers(const ns_graph *graph, const ns_lot *lot, const ns_fragment *of)
{
    return lot->needers == of->needers && memcmp(&graph->needer[lot->needer], &graph->needer[of->needer],
                                                 (size_t)of->needers * sizeof *graph->needer) == 0;
}

static void add_fragment(const ns_placer *p, const table *t, const ns_fragment *of, int64_t *lots)
{
    const int64_t mask = t->slots - 1;
    int64_t at = (int64_t)(hash_of(&p->graph->needer[of->needer], of->needers) >> (64 - t->bits));
    while (t->slot[at] != 0 && !same_needers(p->graph, &p->lot[t->slot[at] - 1], of))
        at = (at + 1) & mask;
    if (t->slot[at] == 0) {
        p->lot[(*lots)++] = (ns_lot){.needer = of->needer, .needers = of->needers};
        t->slot[at] = *lots;
    }
    p->lot[t->slot[at] - 1].entries += of->entries;
}

static int64_t most_fragments(const ns_graph *graph)
{
    int64_t most = 1;
    for (int32_t q = 0; q < graph->parts; q++)
        if (graph->first_fragment[q + 1] - graph->first_fragment[q] > most)
            most = graph->first_fragment[q + 1] - graph->first_fragment[q];
    return most;
}

/* A table of twice as many slots as a part has fragments. */
static void make_lots(ns_placer *p, table *t)
{
    const ns_graph *graph = p->graph;
    int64_t lots = 0;
    for (int32_t q = 0; q < p->parts; q++) {
        const int64_t first = graph->first_fragment[q], end = graph->first_fragment[q + 1];
        for (t->bits = 1, t->slots = 2; t->slots < 2 * (end - first); t->bits++)
            t->slots *= 2;
        memset(t->slot, 0, (size_t)t->slots * sizeof *t->slot);
        for (int64_t f = first; f < end; f++)
            add_fragment(p, t, &graph->fragment[f], &lots);
        p->first_lot[q + 1] = lots;
    }
}

ns_status ns_lots_make(ns_placer *p, ns_error *err)
{
    const int64_t room = 4 * most_fragments(p->graph);
    table t = {.bits = 1};
    void *memory;
    NS_TRY(ns_take(&memory, p->graph->fragments, sizeof *p->lot, &p->budget, err));
    p->lot = memory;
    NS_TRY(ns_take(&memory, (int64_t)p->parts + 1, sizeof *p->first_lot, &p->budget, err));
    p->first_lot = memory;
    NS_TRY(ns_take(&memory, room, sizeof *t.slot, &p->budget, err));
    t.slot = memory;
    make_lots(p, &t);
    ns_give_back(t.slot, room, sizeof *t.slot, &p->budget);
    return NS_OK;
}
