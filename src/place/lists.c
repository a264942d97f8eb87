/* lists.c -- of a node what it has for others and others for it, from the graph of the parts and where they stand
 *
 * Fragments of a part that are needed by the same parts are one lot: rules that do not cut pairs never ask for the
 * order of entries.  What a part has for a node is a bundle: each lot counts once, however many parts of the node need
 * it.
 */
#include "place/placer.h"

#include <stdlib.h>
#include <string.h>

/* ---- lots -------------------------------------------------------------------------------------------------------- */

static bool same_needers(const ns_graph *graph, const ns_lot *lot, const ns_fragment *of)
{
    return lot->needers == of->needers && memcmp(&graph->needer[lot->needer], &graph->needer[of->needer],
                                                 (size_t)of->needers * sizeof *graph->needer) == 0;
}

static uint64_t hash_of(const int32_t *needer, int32_t count)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)needer[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash * UINT64_C(0xD6E8FEB86659FD93);
}

/* A hash table with open addressing, of twice as many slots as a part has fragments: a lot, plus 1; 0 is free. */
static void make_lots(ns_placer *p, int64_t *slot)
{
    const ns_graph *graph = p->graph;
    int64_t lots = 0;
    for (int32_t q = 0; q < p->parts; q++) {
        const int64_t first = graph->first_fragment[q], end = graph->first_fragment[q + 1];
        int bits = 1;
        while (INT64_C(1) << bits < 2 * (end - first))
            bits++;
        memset(slot, 0, sizeof *slot << bits);
        for (const ns_fragment *f = &graph->fragment[first]; f < &graph->fragment[end]; f++) {
            int64_t at = (int64_t)(hash_of(&graph->needer[f->needer], f->needers) >> (64 - bits));
            while (slot[at] != 0 && !same_needers(graph, &p->lot[slot[at] - 1], f))
                at = (at + 1) & ((INT64_C(1) << bits) - 1);
            if (slot[at] == 0) {
                p->lot[lots++] = (ns_lot){.needer = f->needer, .needers = f->needers};
                slot[at] = lots;
            }
            p->lot[slot[at] - 1].entries += f->entries;
        }
        p->first_lot[q + 1] = lots;
    }
}

ns_status ns_lots_make(ns_placer *p, ns_error *err)
{
    int64_t most = 1;
    void *memory;
    for (int32_t q = 0; q < p->parts; q++) {
        const int64_t fragments = p->graph->first_fragment[q + 1] - p->graph->first_fragment[q];
        most = fragments > most ? fragments : most;
    }
    NS_TRY(ns_take(&memory, p->graph->fragments, sizeof *p->lot, &p->budget, err));
    p->lot = memory;
    NS_TRY(ns_take(&memory, (int64_t)p->parts + 1, sizeof *p->first_lot, &p->budget, err));
    p->first_lot = memory;
    NS_TRY(ns_take(&memory, 4 * most, sizeof(int64_t), &p->budget, err));
    make_lots(p, memory);
    ns_give_back(memory, 4 * most, sizeof(int64_t), &p->budget);
    return NS_OK;
}

void ns_bundle_part(ns_placer *p, int32_t q)
{
    const int32_t *node_of = p->site.node_of, own = node_of[q];
    ns_strand *bundle = &p->bundle[p->first_out[q]];
    const int64_t before = p->stamps;
    int32_t count = 0;
    for (const ns_lot *lot = &p->lot[p->first_lot[q]]; lot < &p->lot[p->first_lot[q + 1]]; lot++) {
        const int64_t stamp = ++p->stamps;
        for (int32_t k = 0; k < lot->needers; k++) {
            const int32_t node = node_of[p->graph->needer[lot->needer + k]];
            if (node == own || p->node_seen[node] == stamp)
                continue;
            if (p->node_seen[node] <= before) {
                p->node_at[node] = count;
                bundle[count++] = (ns_strand){0, q, node};
            }
            p->node_seen[node] = stamp;
            bundle[p->node_at[node]].entries += lot->entries;
        }
    }
    p->bundles[q] = count;
}

/* ---- lists of a node --------------------------------------------------------------------------------------------- */

/* Loose strands, by their other node: these rising where `sorted`.  Returns how many nodes; p->begin[i] is where those
 * of the i-th begin. */
static int64_t sort_by_other(ns_placer *p, const ns_strand *loose, int64_t count, bool sorted, ns_strand *to,
                             int32_t *other)
{
    const int64_t stamp = ++p->stamps;
    int64_t nodes = 0;
    for (int64_t i = 0; i < count; i++)
        if (p->node_seen[loose[i].other] != stamp) {
            p->node_seen[loose[i].other] = stamp;
            p->node_at[loose[i].other] = 0;
            other[nodes++] = loose[i].other;
        }
    for (int64_t i = 1; i < nodes && sorted; i++) {
        const int32_t one = other[i];
        int64_t at = i;
        for (; at > 0 && other[at - 1] > one; at--)
            other[at] = other[at - 1];
        other[at] = one;
    }
    for (int64_t i = 0; i < count; i++)
        p->node_at[loose[i].other]++;
    p->begin[0] = 0;
    for (int64_t i = 0; i < nodes; i++) {
        p->begin[i + 1] = p->begin[i] + p->node_at[other[i]];
        p->node_at[other[i]] = (int32_t)p->begin[i];
    }
    for (int64_t i = 0; i < count; i++)
        to[p->node_at[loose[i].other]++] = loose[i];
    return nodes;
}

/* Routes between nodes that leave the parts of a node. */
static int64_t list_routes(ns_placer *p, int32_t node)
{
    const ns_site *site = &p->site;
    int64_t count = 0;
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++) {
        const int32_t q = site->part[i];
        for (const ns_route *route = &p->out[p->first_out[q]]; route < &p->out[p->first_out[q + 1]]; route++)
            if (site->node_of[route->to] != node)
                p->loose[count++] = (ns_strand){route->entries, site->local_of[q], site->node_of[route->to]};
    }
    return count;
}

static int64_t list_bundles(ns_placer *p, int32_t node)
{
    const ns_site *site = &p->site;
    int64_t count = 0;
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++) {
        const int32_t q = site->part[i];
        for (const ns_strand *one = &p->bundle[p->first_out[q]], *end = one + p->bundles[q]; one < end; one++)
            p->loose[count++] = (ns_strand){one->entries, site->local_of[q], one->other};
    }
    return count;
}

/* What parts of other nodes have for this one. */
static int64_t list_senders(ns_placer *p, int32_t node)
{
    const ns_site *site = &p->site;
    const int64_t stamp = ++p->stamps, *first = p->graph->first_route;
    int64_t count = 0;
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++)
        for (int64_t r = first[site->part[i]]; r < first[site->part[i] + 1]; r++) {
            const int32_t q = p->graph->route[r].from;
            if (site->node_of[q] == node || p->part_seen[q] == stamp)
                continue;
            const ns_strand *one = &p->bundle[p->first_out[q]];
            while (one->other != node)
                one++;
            p->part_seen[q] = stamp;
            p->loose[count++] = (ns_strand){one->entries, q, site->node_of[q]};
        }
    return count;
}

static void add_pairs(ns_placer *p, ns_node *n, int side, int64_t count)
{
    n->strand[side] = p->strand[side];
    n->strands[side] = count;
    n->pairs[side] = sort_by_other(p, p->loose, count, true, p->strand[side], p->other[side]);
    for (int64_t i = 0; i < n->pairs[side]; i++) {
        p->entries[side][i] = 0;
        for (int64_t k = p->begin[i]; k < p->begin[i + 1]; k++)
            p->entries[side][i] += p->strand[side][k].entries;
    }
    ns_order_by_size(p->entries[side], n->pairs[side], p->key, p->order[side]);
    n->other[side] = p->other[side];
    n->entries[side] = p->entries[side];
    n->order[side] = p->order[side];
}

ns_node ns_placer_node(ns_placer *p, int32_t node)
{
    const ns_site *site = &p->site;
    const int64_t *first = p->graph->first_route;
    ns_node n = {.node = node, .route = p->route, .stay = p->stay};
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++)
        for (int64_t r = first[site->part[i]]; r < first[site->part[i] + 1]; r++)
            if (site->node_of[p->graph->route[r].from] == node)
                p->stay[n.stays++] = p->graph->route[r];
    if (p->routes) {
        n.routes = list_routes(p, node);
        (void)sort_by_other(p, p->loose, n.routes, false, p->route, p->other[NS_OUT]);
    }
    if (p->pairs) {
        add_pairs(p, &n, NS_OUT, list_bundles(p, node));
        add_pairs(p, &n, NS_IN, list_senders(p, node));
    }
    return n;
}
