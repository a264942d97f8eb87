/* visits.c -- all nodes, one after the other, over threads
 *
 * Blocks of nodes are handed out in their order, so that of processes that are equally slow each thread keeps the first
 * that it meets; and of theirs the first of all is taken.  Prices do not depend on the number of threads.
 */
#include "core/context.h"
#include "core/parallel.h"
#include "price/nodes.h"

enum { BLOCKS = 16 };                   /* of a thread */
#define SLICES_ALONE (INT64_C(1) << 18) /* what is added up before a thread more is worth its start */

/* ---- a node ------------------------------------------------------------------------------------------------------ */

/* About as many as the slices of nodes [first, end). */
static int64_t slices_about(const ns_visit *v, int32_t first, int32_t end)
{
    const ns_ends *e = v->ends;
    const int64_t *strands = v->rule != NULL ? e->runs.first : e->routes.first;
    return 2 * (1 + (v->steps > 1 ? v->variants : 0)) * (strands[end] - strands[first]);
}

static void enter(ns_visit *v, int32_t node)
{
    const ns_site *processes = v->variant[0].task.processes;
    v->node = node;
    v->size = ns_site_node_size(processes, node);
    v->process = &processes->part[processes->first[node]];
    for (int32_t i = 0; i < v->size; i++)
        v->socket[i] = processes->socket_of[v->process[i]];
}

static bool price_sums(ns_visit *v, ns_variant *variant, int step)
{
    const bool priced = ns_node_race(v, variant, step);
    ns_node_clean(v);
    return priced;
}

static bool price_node(ns_visit *v)
{
    bool priced;
    ns_node_exchange(v);
    priced = price_sums(v, &v->variant[0], v->exchange_step);
    for (int i = 0; i < v->variants && v->steps > 1; i++) {
        ns_variant *variant = &v->variant[i];
        ns_node_hold(v, variant);
        if (v->exchange_step > 0) {
            ns_node_gather(v, variant);
            priced = priced && price_sums(v, variant, 0);
        }
        ns_node_scatter(v, variant);
        priced = priced && price_sums(v, variant, v->exchange_step + 1);
    }
    return priced;
}

/* Hops are a step's, over all of its messages, and so known before it is priced. */
static void add_links(ns_visit *v)
{
    for (int32_t node = 0; node < v->ends->exchange->nodes; node++) {
        enter(v, node);
        ns_node_far(v);
    }
}

static void start(ns_visit *v)
{
    const double link_bytes = v->cube > 0 ? ns_far_link_bytes(&v->far, v->ends->exchange->nodes) : 0;
    for (int i = 0; i < v->variants; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            for (int k = 0; k < NS_RACES * NS_RULE_STEPS; k++) {
                const int step = k / NS_RACES;
                ns_slowest *s = &v->variant[i].slowest[k % NS_RACES][t][step];
                s->at = (ns_row_load){.load = {.first = step == 0, .later = step > 0}};
                s->at.load.link_bytes = step == v->exchange_step ? link_bytes : 0;
                s->process = -1;
                s->seconds = -1;
                s->leaves = false;
            }
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { KNOWN = 64, FEW = 32 };

typedef struct visitor {
    ns_visit *visit;
    int32_t known[KNOWN]; /* nodes, plus 1, that others may be like */
} visitor;

typedef struct visits {
    visitor *visitor; /* of each thread */
    int count;
    int64_t blocks;
} visits;

/* Is the node like one that was met before?  Not all of these are remembered. */
static bool is_known(visitor *of, int count, int32_t node)
{
    int32_t *known = &of->known[ns_node_key(of->visit->ends, node) % KNOWN];
    if (*known > 0 && ns_nodes_are_alike(of->visit, count, *known - 1, node))
        return true;
    *known = node + 1;
    return false;
}

static ns_status visit_node(ns_visit *v, int32_t node, ns_error *err)
{
    enter(v, node);
    ns_node_deal(v);
    NS_TRY(ns_context_tick(slices_about(v, node, node + 1) + v->end[NS_OUT].count + v->end[NS_IN].count, err));
    v->priced = price_node(v);
    return NS_OK;
}

/* A few nodes by one rule after the other: what they send is at hand still, and what a rule is added up in. */
static ns_status visit_few(visitor *of, int count, int32_t first, int32_t end, ns_error *err)
{
    const int64_t *runs = of->visit->ends->runs.first;
    uint64_t unknown = 0;
    for (int32_t node = first; node < end; node++) {
        NS_TRY(ns_context_tick(runs[node + 1] - runs[node], err));
        unknown |= (uint64_t)!is_known(of, count, node) << (node - first);
    }
    for (ns_visit *v = of->visit; v < of->visit + count; v++)
        for (uint64_t bits = unknown; bits != 0 && v->priced; bits &= bits - 1)
            NS_TRY(visit_node(v, first + __builtin_ctzll(bits), err));
    return NS_OK;
}

static ns_status visit_block(void *context, int64_t block, int worker, ns_error *err)
{
    const visits *all = context;
    visitor *of = &all->visitor[worker];
    const int32_t nodes = of->visit->ends->exchange->nodes, end = (int32_t)(nodes * (block + 1) / all->blocks);
    for (int32_t first = (int32_t)(nodes * block / all->blocks); first < end; first += FEW)
        NS_TRY(visit_few(of, all->count, first, first + FEW < end ? first + FEW : end, err));
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
        for (int t = 0; t < NS_TRANSPORTS; t++)
            for (int k = 0; k < NS_RACES * v->steps; k++)
                take_slower(v->variant[i].task.processes, &v->variant[i].slowest[k % NS_RACES][t][k / NS_RACES],
                            &other->variant[i].slowest[k % NS_RACES][t][k / NS_RACES]);
    v->priced = v->priced && other->priced;
    if (other->messages_off_node_max > v->messages_off_node_max)
        v->messages_off_node_max = other->messages_off_node_max;
}

static int threads_for(const ns_visit *visit, int count)
{
    int64_t slices = 0;
    for (int i = 0; i < count; i++)
        slices += slices_about(&visit[i], 0, visit->ends->exchange->nodes);
    return slices < SLICES_ALONE ? 1 : ns_threads(0);
}

static ns_status open_visitors(visits *all, ns_visit *visit, int threads, ns_arena *arena, ns_error *err)
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
            NS_TRY(ns_visit_open(&all->visitor[k].visit[i], arena, err));
        }
    }
    return NS_OK;
}

ns_status ns_visit_all(ns_visit *visit, int count, int threads, ns_arena *arena, ns_error *err)
{
    const int32_t nodes = visit->ends->exchange->nodes;
    visits all = {.count = count};
    threads = threads > 0 ? ns_threads(threads) : threads_for(visit, count);
    all.blocks = threads == 1 ? 1 : nodes < BLOCKS * threads ? nodes : BLOCKS * threads;
    for (int i = 0; i < count; i++) {
        if (visit[i].cube > 0)
            add_links(&visit[i]);
        start(&visit[i]);
    }
    NS_TRY(open_visitors(&all, visit, threads, arena, err));
    NS_TRY(ns_parallel(all.blocks, threads, visit_block, &all, err));
    for (int k = 1; k < threads; k++)
        for (int i = 0; i < count; i++)
            take_over(&visit[i], &all.visitor[k].visit[i]);
    return NS_OK;
}
