/* visits.c -- all nodes of an exchange, one after the other, over threads
 *
 * Blocks of nodes are handed out in their order, so that of processes that are equally slow each thread keeps the first
 * that it meets; and of theirs the first of all is taken.
 *
 * In a regular exchange most nodes do the same, between other nodes.  What their processes take is the same too, so
 * that only the first of them is visited.  Two nodes are alike where all that either has for others and for itself, and
 * others for it, is the same entry by entry, by local index and by the distance to the other node.
 */
#include "core/context.h"
#include "core/parallel.h"
#include "price/visit.h"

#include <stdatomic.h>

enum { BLOCKS = 16, KNOWN = 64, FEW = 32 }; /* of a thread; nodes that others may be like; nodes of one rule in a row */
#define SLICES_ALONE (INT64_C(1) << 18)     /* what is added up before a thread more is worth its start */
#define SPREAD       UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio */

/* ---- nodes that are alike ---------------------------------------------------------------------------------------- */

static bool same_strands(const ns_strand *x, const ns_strand *y, int64_t count, int32_t away)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i].entries != y[i].entries || x[i].owner != y[i].owner || y[i].other - x[i].other != away)
            return false;
    return true;
}

/* Parts of two sites of nodes, `away` from each other. */
static inline bool same_part(const ns_site *site, int32_t p, int32_t q, int32_t away)
{
    return site->local_of[p] == site->local_of[q] && site->node_of[q] - site->node_of[p] == away;
}

/* What parts of others have for them. */
static bool same_origins(const ns_site *site, const ns_node *a, const ns_node *b)
{
    const ns_strand *x = a->strand[NS_IN], *y = b->strand[NS_IN];
    for (int64_t i = 0; i < a->strands[NS_IN]; i++)
        if (x[i].entries != y[i].entries || !same_part(site, x[i].owner, y[i].owner, b->node - a->node))
            return false;
    return true;
}

static bool same_stays(const ns_site *site, const ns_node *a, const ns_node *b)
{
    for (int64_t i = 0; i < a->stays; i++)
        if (a->stay[i].entries != b->stay[i].entries ||
            site->local_of[a->stay[i].from] != site->local_of[b->stay[i].from] ||
            site->local_of[a->stay[i].to] != site->local_of[b->stay[i].to])
            return false;
    return true;
}

static bool same_received(const ns_by_node *by, int32_t a, int32_t b)
{
    const ns_exchange *x = by->exchange;
    const ns_site *site = x->site;
    const int32_t *p = &site->part[site->first[a]], *q = &site->part[site->first[b]];
    for (int32_t i = 0; i < ns_site_node_size(site, a); i++) {
        const ns_route *r = &x->route[by->received[p[i]]], *s = &x->route[by->received[q[i]]];
        const int64_t count = by->received[p[i] + 1] - by->received[p[i]];
        if (by->received[q[i] + 1] - by->received[q[i]] != count)
            return false;
        for (int64_t k = 0; k < count; k++)
            if (r[k].entries != s[k].entries || !same_part(site, r[k].from, s[k].from, b - a))
                return false;
    }
    return true;
}

static bool same_runs(const ns_exchange *of, const ns_node *a, const ns_node *b)
{
    const ns_site *site = of->site;
    if (a->runs != b->runs)
        return false;
    for (int64_t i = 0; i < a->runs; i++) {
        const ns_run *x = &a->run[i], *y = &b->run[i];
        if (x->entries != y->entries || x->needers != y->needers ||
            !same_part(site, x->origin, y->origin, b->node - a->node))
            return false;
        for (int32_t k = 0; k < x->needers; k++)
            if (site->local_of[of->needer[x->needer + k]] != site->local_of[of->needer[y->needer + k]])
                return false;
    }
    return true;
}

static bool same_processes(const ns_site *site, int32_t a, int32_t b)
{
    const int32_t *p = &site->part[site->first[a]], *q = &site->part[site->first[b]], size = ns_site_node_size(site, a);
    if (size != ns_site_node_size(site, b))
        return false;
    for (int32_t i = 0; i < size; i++)
        if (site->socket_of[p[i]] != site->socket_of[q[i]])
            return false;
    return true;
}

/* Who takes what each part has for them; what is cut, and how. */
static bool same_rule(const ns_visit *v, const ns_node *a, const ns_node *b)
{
    const ns_site *processes = v->variant[0].task.processes;
    for (int64_t i = 0; i < a->strands[NS_IN] && v->says.rule->takes != NULL; i++)
        if (v->says.rule->takes(processes, a->strand[NS_IN][i].owner, a->node) !=
            v->says.rule->takes(processes, b->strand[NS_IN][i].owner, b->node))
            return false;
    if (v->says.cap == NULL)
        return true;
    for (int64_t i = 0; i < a->pairs[NS_OUT]; i++)
        if (v->says.cap[a->other[NS_OUT][i]] != v->says.cap[b->other[NS_OUT][i]])
            return false;
    return v->says.cap[a->node] == v->says.cap[b->node];
}

/* Some nodes that are alike are not recognized. */
static bool are_alike(const ns_visit *visit, int visits, int32_t first, int32_t second)
{
    const ns_by_node *by = visit->says.by_node;
    const int32_t away = second - first;
    if (ns_site_node_size(by->exchange->site, first) != ns_site_node_size(by->exchange->site, second) ||
        !same_received(by, first, second))
        return false;
    for (const ns_visit *v = visit; v < visit + visits; v++) {
        const ns_node a = ns_by_node_at(by, first, v->by_run), b = ns_by_node_at(by, second, v->by_run);
        if (a.strands[NS_OUT] != b.strands[NS_OUT] || a.strands[NS_IN] != b.strands[NS_IN] || a.stays != b.stays ||
            a.routes != b.routes || !same_strands(a.strand[NS_OUT], b.strand[NS_OUT], a.strands[NS_OUT], away) ||
            !same_strands(a.route, b.route, a.routes, away) || !same_origins(by->exchange->site, &a, &b) ||
            !same_stays(by->exchange->site, &a, &b) || (v->by_run && !same_runs(by->exchange, &a, &b)) ||
            !same_processes(v->variant[0].task.processes, first, second) || !same_rule(v, &a, &b))
            return false;
    }
    return true;
}

/* Nodes that are alike have the same. */
static uint64_t key_of(const ns_by_node *by, int32_t node)
{
    const ns_node n = ns_by_node_at(by, node, false);
    const ns_strand *first = by->made.pairs ? n.strand[NS_OUT] : n.route;
    const int64_t count = by->made.pairs ? n.strands[NS_OUT] : n.routes;
    uint64_t key = (uint64_t)count;
    key = key * SPREAD + (uint64_t)n.stays;
    key = key * SPREAD + (uint64_t)n.pairs[NS_IN];
    key = key * SPREAD + (uint64_t)(count > 0 ? first->entries : 0);
    return key * SPREAD >> 32;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

typedef struct visitor {
    ns_visit *visit;
    int32_t known[KNOWN]; /* nodes, plus 1, that others may be like */
} visitor;

typedef struct visits {
    visitor *visitor; /* of each thread */
    int count;
    int64_t blocks;
    atomic_llong finished; /* blocks */
    const ns_watcher *watcher;
} visits;

/* About as many as the slices of a node. */
static int64_t slices_about(const ns_visit *v, const ns_node *n)
{
    return v->says.steps > 1 ? 2 * (1 + v->variants) * n->strands[NS_OUT] : 2 * n->routes;
}

/* Is the node like one that was met before?  Not all of these are remembered. */
static bool is_known(visitor *of, int count, int32_t node)
{
    int32_t *known = &of->known[key_of(of->visit->says.by_node, node) % KNOWN];
    if (*known > 0 && are_alike(of->visit, count, *known - 1, node))
        return true;
    *known = node + 1;
    return false;
}

/* A few nodes by one rule after the other: what they send is in the cache still, and what a rule is added up in. */
static ns_status visit_few(visitor *of, int count, int32_t first, int32_t end, ns_error *err)
{
    uint64_t unknown = 0;
    for (int32_t node = first; node < end; node++)
        unknown |= (uint64_t)!is_known(of, count, node) << (node - first);
    for (ns_visit *v = of->visit; v < of->visit + count; v++)
        for (uint64_t bits = unknown; bits != 0 && v->priced; bits &= bits - 1) {
            const ns_node n = ns_by_node_at(v->says.by_node, first + __builtin_ctzll(bits), v->by_run);
            NS_TRY(ns_context_tick(1 + slices_about(v, &n), err));
            (void)ns_visit_node(v, &n);
        }
    return NS_OK;
}

static ns_status visit_block(void *context, int64_t block, int worker, ns_error *err)
{
    visits *all = context;
    visitor *of = &all->visitor[worker];
    const int32_t nodes = of->visit->says.by_node->exchange->nodes, end = (int32_t)(nodes * (block + 1) / all->blocks);
    for (int32_t first = (int32_t)(nodes * block / all->blocks); first < end; first += FEW)
        NS_TRY(visit_few(of, all->count, first, first + FEW < end ? first + FEW : end, err));
    const long long finished = 1 + atomic_fetch_add(&all->finished, 1);
    if (worker == 0 && all->watcher->tell != NULL)
        all->watcher->tell(all->watcher->context, (double)finished, (double)all->blocks);
    return NS_OK;
}

/* Do the nodes have a process before another? */
static bool is_before(const ns_site *processes, int32_t a, int32_t b)
{
    const int32_t *node_of = processes->node_of, *local_of = processes->local_of;
    return node_of[a] != node_of[b] ? node_of[a] < node_of[b] : local_of[a] < local_of[b];
}

static void take_slower(const ns_site *processes, ns_slowest *s, const ns_slowest *other)
{
    const bool leaves = s->leaves || other->leaves;
    if (other->process >= 0 && (s->process < 0 || other->seconds > s->seconds ||
                                (other->seconds == s->seconds && is_before(processes, other->process, s->process))))
        *s = *other;
    s->leaves = leaves;
}

static void take_over(ns_visit *v, const ns_visit *other)
{
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_TIMES; k++)
            take_slower(v->variant[i].task.processes, &v->variant[i].slowest[k], &other->variant[i].slowest[k]);
    v->priced = v->priced && other->priced;
    if (other->messages_off_node_max > v->messages_off_node_max)
        v->messages_off_node_max = other->messages_off_node_max;
}

/* Look at all nodes once: the most chunks, what they send in all, and its hops. */
static void survey(ns_visit *v, int64_t chunks[NS_SIDES], int64_t *slices)
{
    chunks[NS_OUT] = chunks[NS_IN] = 0;
    for (int32_t node = 0; node < v->says.by_node->exchange->nodes; node++) {
        const ns_node n = ns_by_node_at(v->says.by_node, node, v->by_run);
        *slices += slices_about(v, &n);
        ns_visit_hops(v, &n);
        for (int side = 0; side < NS_SIDES && v->says.rule->deal != NULL; side++) {
            const int64_t count = ns_statement_chunks(&v->says, &n, side);
            chunks[side] = count > chunks[side] ? count : chunks[side];
        }
    }
}

static ns_status open_visitors(visits *all, ns_visit *visit, int64_t chunks[][NS_SIDES], int threads, ns_arena *arena,
                               ns_error *err)
{
    void *room;
    NS_TRY(ns_arena_zeroed(arena, (size_t)threads, sizeof *all->visitor, &room, err));
    all->visitor = room;
    all->visitor[0].visit = visit;
    for (int k = 1; k < threads; k++) {
        NS_TRY(ns_arena_take(arena, (size_t)all->count, sizeof *visit, &room, err));
        all->visitor[k].visit = room;
        for (int i = 0; i < all->count; i++) {
            all->visitor[k].visit[i] = visit[i];
            NS_TRY(ns_visit_scratch(&all->visitor[k].visit[i], chunks[i], arena, err));
        }
    }
    return NS_OK;
}

ns_status ns_visit_all(ns_visit *visit, int count, int threads, const ns_watcher *watcher, ns_arena *arena,
                       ns_error *err)
{
    const int32_t nodes = visit->says.by_node->exchange->nodes;
    int64_t chunks[NS_VISITS][NS_SIDES], slices = 0;
    visits all = {.count = count, .watcher = watcher};
    for (int i = 0; i < count; i++) {
        NS_TRY(ns_visit_open(&visit[i], arena, err));
        survey(&visit[i], chunks[i], &slices);
        NS_TRY(ns_visit_scratch(&visit[i], chunks[i], arena, err));
        ns_visit_start(&visit[i]);
        visit[i].messages_off_node_max = 0;
    }
    threads = threads > 0 ? ns_threads(threads) : slices < SLICES_ALONE ? 1 : ns_threads(0);
    all.blocks = threads == 1 && watcher->tell == NULL ? 1 : nodes < BLOCKS * threads ? nodes : BLOCKS * threads;
    NS_TRY(open_visitors(&all, visit, chunks, threads, arena, err));
    NS_TRY(ns_parallel(all.blocks, threads, visit_block, &all, err));
    for (int k = 1; k < threads; k++)
        for (int i = 0; i < count; i++)
            take_over(&visit[i], &all.visitor[k].visit[i]);
    return NS_OK;
}
