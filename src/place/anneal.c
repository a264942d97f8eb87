/* anneal.c -- a faster placement by moves and swaps: simulated annealing
 *
 *     energy = T / T0 + w cut / cut0
 *
 * T: the fastest choice; cut: bytes between nodes.  T is a maximum over processes, so most changes leave it as it is;
 * the cut leads over such plains.  A change that raises the energy by d is kept with probability exp(-d / t).  There
 * are rounds, each from the best so far; in each t falls geometrically.  The weight w falls from round to round: where
 * the cut misleads, the last rounds do without.  What is handed back is the least T that was met.
 */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "place/placer.h"

#include <math.h>
#include <string.h>

static const double hot = 0.1, cold = 0.0005;
static const double weight[] = {0.5, 0.1, 0.02, 0};
enum {
    TRIES_EACH = 100,
    TRIES_MANY = 10000,
    TRIES_LEAST = 1000,
    TRIES_MOST = 50000,
    TRIES_WORK = 1500000,
    WATCHED = 256,
    ROUNDS = sizeof weight / sizeof *weight
};

typedef struct annealing {
    ns_placer *placer;
    const ns_anneal_options *options;
    uint64_t state;
    double first_time, first_cut; /* more than 0 */
    double weight;
    double time, cut; /* of what stands */
    double best_time, best_cut;
    int32_t *best; /* [parts] */
} annealing;

/* A part goes to a node; or, with another that stands there, they change places. */
typedef struct change {
    int32_t part, other; /* other: -1 for a move */
    int32_t from, to;
} change;

/* splitmix64 */
static uint64_t next(annealing *a)
{
    uint64_t z = a->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int64_t below(annealing *a, int64_t n)
{
    return (int64_t)(next(a) % (uint64_t)n);
}

static double share(annealing *a)
{
    return (double)(next(a) >> 11) * 0x1p-53;
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* Bytes between a part and other nodes. */
static double cut_of(const ns_placer *p, int32_t part)
{
    int64_t entries = 0;
    for (int64_t i = p->graph->first_route[part]; i < p->graph->first_route[part + 1]; i++)
        entries += p->site.node_of[p->graph->route[i].from] != p->site.node_of[part] ? p->graph->route[i].entries : 0;
    for (int64_t i = p->first_out[part]; i < p->first_out[part + 1]; i++)
        entries += p->site.node_of[p->out[i].to] != p->site.node_of[part] ? p->out[i].entries : 0;
    return (double)(entries * p->graph->width);
}

/* Both parts of a swap; what goes between them is off node before and after, and counts twice both times. */
static double cut_around(const annealing *a, const change *c)
{
    return cut_of(a->placer, c->part) + (c->other >= 0 ? cut_of(a->placer, c->other) : 0);
}

static double energy(const annealing *a, double time, double cut)
{
    return time / a->first_time + a->weight * cut / a->first_cut;
}

static ns_status measure(annealing *a, double *time, ns_error *err)
{
    double seconds[NS_CHOICES];
    NS_TRY(ns_placer_price(a->placer, seconds, err));
    *time = seconds[0];
    for (int i = 1; i < a->placer->choices; i++)
        *time = seconds[i] < *time ? seconds[i] : *time;
    return NS_OK;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* The node of one that the part exchanges with, or any node. */
static int32_t choose_node(annealing *a, int32_t part)
{
    const ns_placer *p = a->placer;
    const int64_t ins = p->graph->first_route[part + 1] - p->graph->first_route[part],
                  outs = p->first_out[part + 1] - p->first_out[part];
    if (ins + outs == 0 || below(a, 4) == 0)
        return (int32_t)below(a, p->nodes);
    const int64_t i = below(a, ins + outs);
    return p->site.node_of[i < ins ? p->graph->route[p->graph->first_route[part] + i].from
                                   : p->out[p->first_out[part] + i - ins].to];
}

/* May one more part stand on the node, of which there are so many already? */
static bool has_room(const ns_anneal_options *options, int32_t node, int32_t size)
{
    return (options->per_node <= 0 || size < options->per_node) &&
           (options->room == NULL || size < options->room[node]);
}

static bool choose(annealing *a, change *c)
{
    const ns_placer *p = a->placer;
    const int32_t part = (int32_t)below(a, p->parts), to = choose_node(a, part), size = ns_parts_size(p, to);
    *c = (change){.part = part, .other = -1, .from = p->site.node_of[part], .to = to};
    if (c->to == c->from || (size == 0 && !has_room(a->options, to, size)))
        return false;
    if (size > 0 && (!has_room(a->options, to, size) || below(a, 2) == 0))
        c->other = p->site.part[p->site.first[to] + (int32_t)below(a, size)];
    return true;
}

static ns_status make(annealing *a, const change *c, bool back, ns_error *err)
{
    return c->other >= 0 ? ns_placer_swap(a->placer, c->part, c->other, err)
                         : ns_placer_move(a->placer, c->part, back ? c->from : c->to, err);
}

static void note_best(annealing *a)
{
    if (a->time > a->best_time || (!(a->time < a->best_time) && a->cut >= a->best_cut))
        return;
    a->best_time = a->time;
    a->best_cut = a->cut;
    memcpy(a->best, a->placer->site.node_of, (size_t)a->placer->site.parts * sizeof *a->best);
}

static ns_status attempt(annealing *a, double heat, ns_error *err)
{
    change c;
    double time;
    if (!choose(a, &c))
        return NS_OK;
    const double before = cut_around(a, &c);
    NS_TRY(make(a, &c, false, err));
    NS_TRY(measure(a, &time, err));
    const double cut = a->cut + cut_around(a, &c) - before;
    const double rise = energy(a, time, cut) - energy(a, a->time, a->cut);
    if (rise > 0 && share(a) >= exp(-rise / heat))
        return make(a, &c, true, err);
    a->time = time;
    a->cut = cut;
    note_best(a);
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int64_t tries_of(const ns_placer *p, const ns_anneal_options *options)
{
    const int64_t by_size = TRIES_EACH * (int64_t)p->parts;
    if (options->tries > 0)
        return options->tries;
    const double by_work = TRIES_WORK / (1 + (double)p->graph->routes / p->nodes); /* a try adds up some nodes */
    const int64_t tries = by_size < TRIES_MANY ? TRIES_MANY : by_size > TRIES_MOST ? TRIES_MOST : by_size;
    return by_work < TRIES_LEAST ? TRIES_LEAST : by_work < (double)tries ? (int64_t)by_work : tries;
}

static ns_status check(const ns_placer *p, const ns_anneal_options *options, ns_error *err)
{
    if (options->tries < 0 || options->per_node < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "annealing wants numbers of tries and of parts per node that are not negative");
    if (options->per_node > 0 && p->site.per_node > options->per_node)
        return ns_fail(err, NS_ERR_RANGE, "%d parts stand on a node that has room for %d", (int)p->site.per_node,
                       (int)options->per_node);
    for (int32_t node = 0; options->room != NULL && node < p->nodes; node++)
        if (ns_parts_size(p, node) > options->room[node])
            return ns_fail(err, NS_ERR_RANGE, "%d parts stand on node %d, which has room for %d",
                           (int)ns_parts_size(p, node), (int)node, (int)options->room[node]);
    return NS_OK;
}

static ns_status run_round(annealing *a, int round, int64_t tries, ns_error *err)
{
    const int64_t first = tries * round / ROUNDS, end = tries * (round + 1) / ROUNDS;
    a->weight = weight[round];
    a->time = a->best_time;
    a->cut = a->best_cut;
    NS_TRY(ns_placer_put(a->placer, a->best, err));
    for (int64_t i = first; i < end; i++) {
        if (a->options->watch != NULL && i % WATCHED == 0)
            a->options->watch(a->options->context, i, tries);
        NS_TRY(ns_context_tick(NS_TICKS / 16, err)); /* a try takes microseconds */
        NS_TRY(attempt(a, hot * pow(cold / hot, (double)(i - first) / (double)(end - first)), err));
    }
    return NS_OK;
}

static ns_status run(annealing *a, ns_error *err)
{
    const int64_t tries = tries_of(a->placer, a->options);
    NS_TRY(measure(a, &a->time, err));
    for (int32_t q = 0; q < a->placer->site.parts; q++)
        a->cut += cut_of(a->placer, q) / 2;
    a->first_time = a->time > 0 ? a->time : 1;
    a->first_cut = a->cut > 0 ? a->cut : 1;
    a->best_time = a->time;
    a->best_cut = a->cut;
    memcpy(a->best, a->placer->site.node_of, (size_t)a->placer->site.parts * sizeof *a->best);
    for (int round = 0; round < ROUNDS && a->placer->nodes > 1; round++)
        NS_TRY(run_round(a, round, tries, err));
    return ns_placer_put(a->placer, a->best, err);
}

ns_status ns_placer_anneal(ns_placer *placer, const ns_anneal_options *options, double *seconds, ns_error *err)
{
    ns_anneal_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_anneal_options, room, &given, err));
    NS_TRY(check(placer, &given, err));
    annealing a = {.placer = placer,
                   .options = &given,
                   .state = given.seed,
                   .best = ns_malloc(ns_size_mul((size_t)placer->site.parts, sizeof *a.best))};
    ns_status status = a.best != NULL ? run(&a, err) : ns_no_memory(err);
    ns_free(a.best);
    return status == NS_OK ? ns_placer_price(placer, seconds, err) : status;
}
