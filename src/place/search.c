/* search.c -- a fast placement: recursive bisection of the graph, then swaps and moves that are priced
 *
 * A time is a maximum over processes, so most swaps leave it unchanged and give a search no direction.  Bytes between
 * nodes do give one.  So some placements are made by recursive bisection: a set of parts is cut in two of given sizes
 * by passes of Fiduccia and Mattheyses (1982).  A pass moves each part once, the part of the largest gain first, and
 * then takes back all moves after the least cut.  A pass that begins with one part on a side grows that side, so that
 * it makes the first cut too.
 *
 * But the least cut is not the least time: where messages inside a node are slow, neighbours are better apart.  So
 * these placements, blocks and cyclic ones compete.  In each round, each is changed by random swaps and moves, priced
 * by its own fastest choice alone.  A change is accepted if it is slower than the best so far by no more than a slack,
 * which falls to zero over the rounds (Dueck's record-to-record travel, 1993).  Then all choices are priced, and the
 * faster half goes on to the next round.
 */
#include "core/arena.h"
#include "core/context.h"
#include "core/own.h"
#include "core/sized.h"
#include "pattern/graph.h"
#include "price/choice.h"

#include <nsmodel/search.h>

#include <math.h>
#include <string.h>

NS_FREED_BY(ns_placer_free, ns_placer)

enum {
    BISECTED = 4,         /* most placements made by bisection */
    BISECTION = 4000000,  /* most ties over all of them, except the first */
    PASSES = 10,          /* most passes over one set */
    PATIENCE = 50,        /* moves of a pass without a better cut */
    ROUNDS = 4,           /* of swaps */
    STARTS = BISECTED + 3 /* the given placement, blocks, cyclic */
};

/* Number of swaps and moves: per part, at least, and at most; fewer where a price has many routes to sum. */
enum { TRIES_EACH = 200, TRIES_MANY = 20000, TRIES_MOST = 100000, TRIES_LEAST = 2000, TRIES_WORK = 3000000 };
/* The limits where each placement is quoted in full. */
enum { QUOTED_ROUTES = 1000000, QUOTED_TRIES = 1000 };
static const double SLACK = 0.05; /* in the first round; 0 in the last */
enum { WATCHED = 256, OUTSIDE = -1, NONE = -1 };

/* The data that a part exchanges with another, in one direction. */
typedef struct tie {
    int64_t bytes;
    int32_t other;
} tie;

typedef struct start {
    int32_t *node_of; /* [parts] */
    double time;      /* of its fastest choice */
    int choice;       /* its index */
} start;

typedef struct search {
    const ns_graph *graph;
    const ns_machine *machine;
    const ns_selection *selection;
    const ns_limits *limits;
    const ns_search_options *options;
    int32_t parts, nodes;
    uint64_t state;
    int64_t *first; /* [parts + 1] ties of part p: first[p] to first[p + 1] - 1 */
    tie *tie;       /* [2 routes] */
    /* The set that is cut in two. */
    int32_t *set;       /* [parts] by node */
    int8_t *side;       /* [parts] 0 or 1; OUTSIDE: not in the set */
    int64_t *gain;      /* [parts] decrease of the cut when the part changes sides */
    int32_t *leaf;      /* [parts] its leaf in a tree; NONE: it has moved */
    int32_t (*best)[2]; /* [4 parts] tournament trees, by side: parts that have not moved, by gain */
    int32_t *moved;     /* [parts] in the order of moves */
    /* Places: the parts of a node come first among its places. */
    int32_t *room, *size; /* [nodes] */
    int64_t *place;       /* [nodes + 1] the first of each node */
    int32_t *part;        /* [places] */
    int64_t *place_of;    /* [parts] */
    int64_t done, tries;
    double slack;      /* how much slower than the best an accepted placement may be, as a share */
    ns_placer *placer; /* of all choices */
    start start[STARTS];
    int starts;
} search;

/* By splitmix64. */
static int64_t below(search *s, int64_t n)
{
    uint64_t z = s->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((z ^ z >> 31) % (uint64_t)n);
}

/* ---- bisection --------------------------------------------------------------------------------------------------- */

/* The part with the larger gain; of equal ones, the first. */
static int32_t better(const search *s, int32_t a, int32_t b)
{
    return a == NONE || (b != NONE && s->gain[b] > s->gain[a]) ? b : a;
}

/* Insert a part in a tree, remove it (NONE), or update its gain. */
static void play(search *s, int side, int32_t leaf, int32_t part)
{
    s->best[leaf][side] = part;
    for (int32_t at = leaf / 2; at > 0; at /= 2)
        s->best[at][side] = better(s, s->best[2 * at][side], s->best[2 * at + 1][side]);
}

/* One pass over a set: `have` of its parts are on side 0, and `want` of them should be.  Returns the decrease of the
 * cut, which may be negative if the sizes were not the wanted ones. */
static int64_t pass(search *s, const int32_t *set, int32_t n, int32_t have, int32_t want)
{
    int32_t leaves = 1, moves = 0, best_moves = 0;
    int64_t fell = 0, least = have == want ? 0 : INT64_MIN;
    while (leaves < n)
        leaves *= 2;
    memset(s->best, NONE, 2 * (size_t)leaves * sizeof *s->best);
    for (int32_t i = 0; i < n; i++) {
        const int32_t p = set[i];
        s->gain[p] = 0;
        for (const tie *t = &s->tie[s->first[p]]; t < &s->tie[s->first[p + 1]]; t++)
            if (s->side[t->other] != OUTSIDE)
                s->gain[p] += s->side[t->other] != s->side[p] ? t->bytes : -t->bytes;
        s->leaf[p] = leaves + i;
        play(s, s->side[p], s->leaf[p], p);
    }
    while (least == INT64_MIN || moves - best_moves < PATIENCE + n / 10) {
        const int32_t a = s->best[1][0], b = s->best[1][1];
        const int from = have != want ? have < want : better(s, a, b) != a;
        const int32_t part = from == 0 ? a : b;
        if (part == NONE || (have == want && (a == NONE || b == NONE)))
            break;
        play(s, from, s->leaf[part], NONE);
        s->leaf[part] = NONE;
        fell += s->gain[part];
        s->side[part] = (int8_t)(1 - from);
        for (const tie *t = &s->tie[s->first[part]]; t < &s->tie[s->first[part + 1]]; t++) {
            const int32_t q = t->other;
            if (s->side[q] == OUTSIDE || s->leaf[q] == NONE)
                continue;
            s->gain[q] += s->side[q] == from ? 2 * t->bytes : -2 * t->bytes;
            play(s, s->side[q], s->leaf[q], q);
        }
        have += from == 0 ? -1 : 1;
        s->moved[moves++] = part;
        if (have == want && fell > least) {
            least = fell;
            best_moves = moves;
        }
    }
    while (moves > best_moves) {
        const int32_t part = s->moved[--moves];
        s->side[part] = (int8_t)(1 - s->side[part]);
    }
    return least;
}

/* Sort a set of n parts in the order of the nodes from `from` to `to`, with s->size parts each, so that the first half
 * of the nodes and the other half exchange little, and so on within either half. */
static ns_status bisect(search *s, int32_t *set, int32_t n, int32_t from, int32_t to, ns_error *err)
{
    const int32_t middle = from + (to - from) / 2;
    int32_t want = 0;
    if (to - from < 2)
        return NS_OK;
    for (int32_t node = from; node < middle; node++)
        want += s->size[node];
    if (want > 0 && want < n) {
        for (int32_t i = 0; i < n; i++)
            s->side[set[i]] = 1;
        s->side[set[below(s, n)]] = 0;
        (void)pass(s, set, n, 1, want);
        for (int again = 0; again < PASSES && pass(s, set, n, want, want) > 0; again++)
            NS_TRY(ns_context_tick(n, err));
        int32_t at[2] = {0, want};
        for (int32_t i = 0; i < n; i++) {
            s->moved[at[(int)s->side[set[i]]]++] = set[i];
            s->side[set[i]] = OUTSIDE;
        }
        memcpy(set, s->moved, (size_t)n * sizeof *set);
    }
    NS_TRY(bisect(s, set, want, from, middle, err));
    return bisect(s, set + want, n - want, middle, to, err);
}

/* ---- what the search starts from --------------------------------------------------------------------------------- */

/* Price a start by all choices, and put it before the slower ones among those that stand before it. */
static ns_status price(search *s, start *one, ns_error *err)
{
    double seconds[NS_CHOICES];
    NS_TRY(ns_placer_batch(s->placer, one->node_of, 1, seconds, err));
    one->choice = 0;
    for (int c = 1; c < ns_placer_choices(s->placer); c++)
        if (seconds[c] < seconds[one->choice])
            one->choice = c;
    one->time = seconds[one->choice];
    const start priced = *one;
    for (; one > s->start && priced.time < one[-1].time; one--)
        *one = one[-1];
    *one = priced;
    return NS_OK;
}

/* Add a start, unless a node would have more parts than it has places. */
static ns_status add_start(search *s, ns_error *err)
{
    const start *one = &s->start[s->starts];
    NS_TRY(ns_placer_put(s->placer, one->node_of, err));
    for (int32_t node = 0; node < s->nodes; node++)
        if (ns_placer_size(s->placer, node) > s->room[node])
            return NS_OK;
    return price(s, &s->start[s->starts++], err);
}

/* ---- swaps and moves --------------------------------------------------------------------------------------------- */

/* Move a part to a node, or swap it with another part of that node. */
static ns_status make(ns_placer *placer, int32_t part, int32_t other, int32_t node, ns_error *err)
{
    return other != NONE ? ns_placer_swap(placer, part, other, err) : ns_placer_move(placer, part, node, err);
}

/* Try the given number of swaps and moves from a placement, priced by its fastest choice alone, and keep the best
 * placement found. */
static ns_status improve(search *s, start *one, int64_t tries, ns_error *err)
{
    const ns_placed *choice = ns_placer_choice(s->placer, one->choice);
    ns_selection alone = s->selection != NULL ? *s->selection : (ns_selection){.strategies = 0};
    NS_OWN(ns_placer_free) ns_placer *placer = NULL;
    double time, now;
    alone.strategy = &choice->strategy;
    alone.strategies = 1;
    alone.transports = 1u << choice->transport;
    NS_TRY(ns_placer_open(s->graph, s->nodes, s->machine, &alone, s->limits, &placer, err));
    if (!ns_placer_choice(placer, 0)->by_difference) {
        const int64_t affordable = QUOTED_ROUTES / (s->graph->routes + s->parts),
                      few = (affordable < QUOTED_TRIES ? affordable : QUOTED_TRIES) / ROUNDS;
        tries = few < tries ? few : tries;
    }
    const int32_t *node_of = ns_placer_node_of(placer);
    NS_TRY(ns_placer_batch(placer, one->node_of, 1, &time, err));
    memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
    for (int32_t p = 0; p < s->parts; p++) {
        const int32_t node = one->node_of[p];
        s->place_of[p] = s->place[node] + s->size[node]++;
        s->part[s->place_of[p]] = p;
    }
    double most = time * (1 + s->slack);
    for (int64_t i = 0; i < tries; i++, s->done++) {
        if (s->options->watch != NULL && s->done % WATCHED == 0)
            s->options->watch(s->options->context, s->done, s->tries);
        NS_TRY(ns_context_tick(NS_TICKS / 16, err)); /* a try takes microseconds */
        /* To the node of one that the part exchanges with, or to any node. */
        const int32_t part = (int32_t)below(s, s->parts), from = node_of[part];
        const int64_t ties = s->first[part + 1] - s->first[part];
        const int32_t to = ties == 0 || below(s, 4) == 0 ? (int32_t)below(s, s->nodes)
                                                         : node_of[s->tie[s->first[part] + below(s, ties)].other];
        int32_t other = NONE;
        if (to == from || s->room[to] == 0)
            continue;
        if (s->size[to] > 0 && (s->size[to] == s->room[to] || below(s, 2) == 0))
            other = s->part[s->place[to] + below(s, s->size[to])];
        NS_TRY(make(placer, part, other, to, err));
        NS_TRY(ns_placer_price(placer, &now, err));
        if (now > most) {
            NS_TRY(make(placer, part, other, from, err));
            continue;
        }
        /* Accepted: the other part, or the last one of its node, takes the place that it leaves. */
        const int64_t left = s->place_of[part],
                      taken = other != NONE ? s->place_of[other] : s->place[to] + s->size[to]++;
        const int32_t heir = other != NONE ? other : s->part[s->place[from] + --s->size[from]];
        s->part[left] = heir;
        s->place_of[heir] = left;
        s->part[taken] = part;
        s->place_of[part] = taken;
        if (now > time)
            continue;
        time = now;
        most = time * (1 + s->slack);
        memcpy(one->node_of, node_of, (size_t)s->parts * sizeof *one->node_of);
    }
    return price(s, one, err);
}

/* ------------------------------------------------------------------------------------------------------------------ */

#define TAKE(array, count) NS_TRY(ns_arena_zeroed(&arena, (size_t)(count), sizeof *(array), (void **)&(array), err))

ns_status ns_place_search(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                          const ns_selection *selection, const ns_limits *limits, const ns_search_options *options,
                          int32_t *node_of, ns_error *err)
{
    ns_error_clear(err);
    const int32_t parts = graph->parts;
    ns_search_options given;
    NS_OWN(ns_placer_free) ns_placer *placer = NULL;
    NS_CLOSE(ns_arena_free) ns_arena arena = {NULL, 0};
    NS_TRY(NS_TAKE_OPTIONS(options, ns_search_options, room, &given, err));
    if (given.tries < 0 || given.per_node < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "a search wants numbers of tries and of parts per node that are not negative");
    NS_TRY(ns_placer_open(graph, nodes, machine, selection, limits, &placer, err));
    search s = {.graph = graph,
                .machine = machine,
                .selection = selection,
                .limits = limits,
                .options = &given,
                .parts = parts,
                .nodes = nodes,
                .state = given.seed,
                .placer = placer};
    TAKE(s.first, parts + INT64_C(1));
    TAKE(s.tie, 2 * graph->routes);
    TAKE(s.set, parts);
    TAKE(s.side, parts);
    TAKE(s.gain, parts);
    TAKE(s.leaf, parts);
    TAKE(s.best, 4 * (int64_t)parts);
    TAKE(s.moved, parts);
    TAKE(s.room, nodes);
    TAKE(s.size, nodes);
    TAKE(s.place, nodes + INT64_C(1));
    TAKE(s.place_of, parts);
    for (int i = 0; i < STARTS; i++)
        TAKE(s.start[i].node_of, parts);
    memset(s.side, OUTSIDE, (size_t)parts * sizeof *s.side);

    /* The number of parts that fit on each node; it need not exceed the number of parts. */
    int32_t fullest = (parts - 1) / nodes + 1;
    NS_TRY(ns_placer_put(placer, node_of, err));
    for (int32_t node = 0; node < nodes; node++)
        fullest = ns_placer_size(placer, node) > fullest ? ns_placer_size(placer, node) : fullest;
    int32_t most = given.per_node > 0 ? given.per_node : given.room != NULL ? parts : fullest;
    most = most < parts ? most : parts;
    for (int32_t node = 0; node < nodes; node++) {
        s.room[node] = given.room != NULL && given.room[node] < most ? given.room[node] : most;
        if (ns_placer_size(placer, node) > s.room[node])
            return ns_fail(err, NS_ERR_RANGE, "%d parts stand on node %d, which has room for %d",
                           (int)ns_placer_size(placer, node), (int)node, (int)s.room[node]);
        s.place[node + 1] = s.place[node] + s.room[node];
    }
    TAKE(s.part, s.place[nodes]);

    const double many = fmin(fmax(TRIES_EACH * (double)parts, TRIES_MANY), TRIES_MOST),
                 by_work = TRIES_WORK / (1 + (double)graph->routes / nodes); /* a try adds up some nodes */
    s.tries = given.tries > 0 ? given.tries : (int64_t)fmin(fmax(by_work, TRIES_LEAST), many);
    for (int64_t i = 0; i < graph->routes; i++) {
        s.first[graph->route[i].from]++;
        s.first[graph->route[i].to]++;
    }
    for (int32_t p = 0; p < parts; p++)
        s.first[p + 1] += s.first[p];
    for (int64_t i = graph->routes; i-- > 0;) { /* backwards, first[p] falls from the end of p's ties to their start */
        const ns_route *r = &graph->route[i];
        s.tie[--s.first[r->from]] = (tie){r->entries * graph->width, r->to};
        s.tie[--s.first[r->to]] = (tie){r->entries * graph->width, r->from};
    }

    /* What the search starts from: the given placement, blocks, cyclic, and bisections. */
    memcpy(s.start[0].node_of, node_of, (size_t)parts * sizeof *node_of);
    NS_TRY(add_start(&s, err));
    ns_place_blocks(parts, nodes, s.start[s.starts].node_of);
    NS_TRY(add_start(&s, err));
    ns_place_cyclic(parts, nodes, s.start[s.starts].node_of);
    NS_TRY(add_start(&s, err));
    for (int32_t left = parts, node = 0; left > 0; node = (node + 1) % nodes) /* as even as the places allow */
        if (s.size[node] < s.room[node]) {
            s.size[node]++;
            left--;
        }
    for (int64_t i = 0; i < BISECTED && (i == 0 || (i + 1) * (2 * graph->routes + 1) < BISECTION); i++) {
        for (int32_t p = 0; p < parts; p++)
            s.set[p] = p;
        NS_TRY(bisect(&s, s.set, parts, 0, nodes, err));
        const int32_t *part = s.set;
        for (int32_t node = 0; node < nodes; node++)
            for (int32_t k = 0; k < s.size[node]; k++)
                s.start[s.starts].node_of[*part++] = node;
        NS_TRY(add_start(&s, err));
    }
    for (int round = 0, alive = s.starts; round < ROUNDS && nodes > 1; round++, alive = (alive + 1) / 2) {
        s.slack = SLACK * (ROUNDS - 1 - round) / ROUNDS;
        const int64_t share = s.tries / ROUNDS / alive;
        for (int i = 0; i < alive; i++)
            NS_TRY(improve(&s, &s.start[i], share > 0 ? share : 1, err));
    }
    memcpy(node_of, s.start[0].node_of, (size_t)parts * sizeof *node_of);
    return NS_OK;
}
