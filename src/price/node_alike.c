/* node_alike.c -- nodes that send and receive alike
 *
 * In a regular exchange most nodes do the same, between other nodes.  What their processes take is the same too, so
 * that only the first of them is priced.  Two nodes are alike where all that either has for others and for itself, and
 * others for it, is the same run by run, by local index and by the distance to the other node.  What else there is of a
 * node follows from that: what its parts need and send in all, and the routes to it.
 */
#include "price/nodes.h"

#define SPREAD UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio */

static int64_t count_of(const int64_t *first, int32_t node)
{
    return first[node + 1] - first[node];
}

static bool same_strands(const ns_strands *of, int32_t a, int32_t b)
{
    const ns_strand *x = &of->strand[of->first[a]], *y = &of->strand[of->first[b]];
    const int64_t count = count_of(of->first, a);
    if (count != count_of(of->first, b))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (x[i].entries != y[i].entries || x[i].local != y[i].local || x[i].to - a != y[i].to - b)
            return false;
    return true;
}

static bool same_stay(const ns_ends *e, int32_t a, int32_t b)
{
    const int32_t *local_of = e->exchange->site->local_of;
    const ns_route *x = &e->stay[e->first_stay[a]], *y = &e->stay[e->first_stay[b]];
    const int64_t count = count_of(e->first_stay, a);
    if (count != count_of(e->first_stay, b))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (x[i].entries != y[i].entries || local_of[x[i].from] != local_of[y[i].from] ||
            local_of[x[i].to] != local_of[y[i].to])
            return false;
    return true;
}

static bool same_processes(const ns_visit *v, int32_t a, int32_t b)
{
    const ns_site *site = v->variant[0].task.processes;
    const int32_t *p = &site->part[site->first[a]], *q = &site->part[site->first[b]], size = ns_site_node_size(site, a);
    if (size != ns_site_node_size(site, b))
        return false;
    for (int32_t i = 0; i < size; i++)
        if (site->socket_of[p[i]] != site->socket_of[q[i]])
            return false;
    return true;
}

static bool same_run(const ns_exchange *of, const ns_run *x, const ns_run *y)
{
    const int32_t *local_of = of->site->local_of;
    if (x->entries != y->entries || x->needers != y->needers || local_of[x->origin] != local_of[y->origin])
        return false;
    for (int32_t i = 0; i < x->needers; i++)
        if (local_of[of->needer[x->needer + i]] != local_of[of->needer[y->needer + i]])
            return false;
    return true;
}

/* What comes to them by pairs, each from another node: which one does not matter. */
static bool same_pairs(const ns_ends *e, int32_t a, int32_t b)
{
    const ns_exchange *of = e->exchange;
    const int64_t *first = e->first[NS_IN], count = count_of(first, a);
    if (count != count_of(first, b))
        return false;
    for (int64_t i = 0; i < count; i++) {
        const ns_pair *x = &of->pair[first[a] + i], *y = &of->pair[first[b] + i];
        if (x->runs != y->runs)
            return false;
        for (int64_t r = 0; r < x->runs; r++)
            if (!same_run(of, &of->run[x->run + r], &of->run[y->run + r]))
                return false;
    }
    return true;
}

/* Who takes a chunk of each origin; their pairs are the same. */
static bool same_takers(const ns_visit *v, int32_t a, int32_t b)
{
    const ns_exchange *of = v->ends->exchange;
    const ns_site *processes = v->variant[0].task.processes;
    const int64_t *first = v->ends->first[NS_IN];
    for (int64_t i = 0; i < count_of(first, a) && v->rule->takes != NULL; i++)
        for (int64_t r = 0; r < of->pair[first[a] + i].runs; r++)
            if (v->rule->takes(processes, of->run[of->pair[first[a] + i].run + r].origin, a) !=
                v->rule->takes(processes, of->run[of->pair[first[b] + i].run + r].origin, b))
                return false;
    return true;
}

static bool same_caps(const ns_visit *v, int32_t a, int32_t b)
{
    const int64_t *first = v->ends->first[NS_OUT];
    const int32_t *x = &v->ends->other[NS_OUT][first[a]], *y = &v->ends->other[NS_OUT][first[b]];
    if (v->cap == NULL)
        return true;
    for (int64_t i = 0; i < count_of(first, a); i++)
        if (v->cap[x[i]] != v->cap[y[i]])
            return false;
    return v->cap[a] == v->cap[b];
}

bool ns_nodes_are_alike(const ns_visit *visit, int visits, int32_t a, int32_t b)
{
    const ns_ends *e = visit->ends;
    if (!same_strands(&e->runs, a, b) || !same_stay(e, a, b) || !same_pairs(e, a, b) ||
        (e->routes.strand != NULL && !same_strands(&e->routes, a, b)))
        return false;
    for (const ns_visit *v = visit; v < visit + visits; v++)
        if (!same_processes(v, a, b) || (v->rule != NULL && !(same_takers(v, a, b) && same_caps(v, a, b))))
            return false;
    return true;
}

uint64_t ns_node_key(const ns_ends *e, int32_t node)
{
    const int64_t runs = count_of(e->runs.first, node);
    uint64_t key = (uint64_t)runs;
    key = key * SPREAD + (uint64_t)count_of(e->first[NS_IN], node);
    key = key * SPREAD + (uint64_t)count_of(e->first_stay, node);
    key = key * SPREAD + (uint64_t)(runs > 0 ? e->runs.strand[e->runs.first[node]].entries : 0);
    return key * SPREAD >> 32;
}
