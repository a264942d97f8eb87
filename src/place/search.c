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
#include "core/sized.h"
#include "pattern/graph.h"
#include "price/choice.h"

#include <nsmodel/search.h>

#include <string.h>

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
    ns_arena arena; /* memory of all arrays */
    int32_t parts, nodes;
    uint64_t state;
    int64_t *first; /* [parts + 1] ties of part p: first[p] to first[p + 1] - 1 */
    tie *tie;       /* [2 routes] */
    /* The set that is cut in two. */
    int32_t *set;     /* [parts] by node */
    int8_t *side;     /* [parts] 0 or 1; OUTSIDE: not in the set */
    int64_t *gain;    /* [parts] decrease of the cut when the part changes sides */
    int32_t *leaf;    /* [parts] its leaf in a tree; NONE: it has moved */
    int32_t *best[2]; /* [4 parts] tournament trees: parts of a side that have not moved, by gain */
    int32_t *moved;   /* [parts] in the order of moves */
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
    int32_t *best = s->best[side];
    best[leaf] = part;
    for (int32_t at = leaf / 2; at > 0; at /= 2)
        best[at] = better(s, best[2 * at], best[2 * at + 1]);
}

/* One pass over a set: `have` of its parts are on side 0, and `want` of them should be.  Returns the decrease of the
 * cut, which may be negative if the sizes were not the wanted ones. */
static int64_t pass(search *s, const int32_t *set, int32_t n, int32_t have, int32_t want)
{
    int32_t leaves = 1, moves = 0, best_moves = 0;
    int64_t fell = 0, least = have == want ? 0 : INT64_MIN;
    while (leaves < n)
        leaves *= 2;
    memset(s->best[0], NONE, 2 * (size_t)leaves * sizeof *s->best[0]);
    memset(s->best[1], NONE, 2 * (size_t)leaves * sizeof *s->best[1]);
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
        const int32_t a = s->best[0][1], b = s->best[1][1];
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

/* Sort a set in the order of the nodes from `from` on, with s->size parts each, so that the first half of the nodes and
 * the other half exchange little, and so on within either half. */
static ns_status bisect(search *s, int32_t *set, int32_t from, int32_t to, ns_error *err)
{
    const int32_t middle = from + (to - from) / 2;
    int32_t n = 0, want = 0;
    if (to - from < 2)
        return NS_OK;
    for (int32_t node = from; node < to; node++) {
        n += s->size[node];
        want += node < middle ? s->size[node] : 0;
    }
    if (want > 0 && want < n) {
        for (int32_t i = 0; i < n; i++)
            s->side[set[i]] = 1;
        s->side[set[below(s, n)]] = 0;
        (void)pass(s, set, n, 1, want);
        for (int again = 0; again < PASSES && pass(s, set, n, want, want) > 0; again++)
            NS_TRY(ns_context_tick(n, err));
        int32_t at[2] = {0, want};
        for (int32_t i = 0; i < n; i++)
            s->moved[at[(int)s->side[set[i]]]++] = set[i];
        memcpy(set, s->moved, (size_t)n * sizeof *set);
        for (int32_t i = 0; i < n; i++)
            s->side[set[i]] = OUTSIDE;
    }
    NS_TRY(bisect(s, set, from, middle, err));
    return bisect(s, set + want, middle, to, err);
}

/* ---- what the search starts from --------------------------------------------------------------------------------- */

/* Price the last placement by all choices. */
static ns_status price(search *s, start *one, ns_error *err)
{
    double seconds[NS_CHOICES];
    NS_TRY(ns_placer_batch(s->placer, one->node_of, 1, seconds, err));
    one->choice = 0;
    for (int c = 1; c < ns_placer_choices(s->placer); c++)
        if (seconds[c] < seconds[one->choice])
            one->choice = c;
    one->time = seconds[one->choice];
    return NS_OK;
}

/* Add a start, unless a node would have more parts than it has places. */
static ns_status add_start(search *s, ns_error *err)
{
    start *one = &s->start[s->starts];
    memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
    for (int32_t p = 0; p < s->parts; p++)
        if (++s->size[one->node_of[p]] > s->room[one->node_of[p]])
            return NS_OK;
    s->starts++;
    return price(s, one, err);
}

/* ---- swaps and moves --------------------------------------------------------------------------------------------- */

/* Move a part to a node, or swap it with another part of that node. */
static ns_status make(ns_placer *placer, int32_t part, int32_t other, int32_t node, ns_error *err)
{
    return other != NONE ? ns_placer_swap(placer, part, other, err) : ns_placer_move(placer, part, node, err);
}

/* Try the given number of swaps and moves from a placement, priced by one choice, and keep the best placement found. */
static ns_status improve_by(search *s, ns_placer *placer, start *one, int64_t tries, ns_error *err)
{
    const int32_t *node_of = ns_placer_node_of(placer);
    double time, now;
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
        const int64_t left = s->place_of[part];
        const int32_t heir = other != NONE ? other : s->part[s->place[from] + --s->size[from]];
        s->place_of[part] = other != NONE ? s->place_of[other] : s->place[to] + s->size[to]++;
        s->part[s->place_of[part]] = part;
        if (heir != part) {
            s->place_of[heir] = left;
            s->part[left] = heir;
        }
        if (now > time)
            continue;
        time = now;
        most = time * (1 + s->slack);
        memcpy(one->node_of, node_of, (size_t)s->parts * sizeof *one->node_of);
    }
    return price(s, one, err);
}

static ns_status improve(search *s, start *one, int64_t tries, ns_error *err)
{
    const ns_placed *choice = ns_placer_choice(s->placer, one->choice);
    const int64_t affordable = QUOTED_ROUTES / (s->graph->routes + s->parts) / ROUNDS,
                  few = affordable < QUOTED_TRIES / ROUNDS ? affordable : QUOTED_TRIES / ROUNDS;
    ns_selection alone = s->selection != NULL ? *s->selection : (ns_selection){.strategies = 0};
    ns_placer *placer;
    alone.strategy = &choice->strategy;
    alone.strategies = 1;
    alone.transports = 1u << choice->transport;
    NS_TRY(ns_placer_open(s->graph, s->nodes, s->machine, &alone, s->limits, &placer, err));
    const bool quoted = !ns_placer_choice(placer, 0)->by_difference;
    const ns_status status = improve_by(s, placer, one, quoted && few < tries ? few : tries, err);
    ns_placer_free(placer);
    return status;
}

/* The fastest first; of equals, those that stood first. */
static void sort(start *row, int n)
{
    for (int i = 1; i < n; i++) {
        const start one = row[i];
        int at = i;
        for (; at > 0 && one.time < row[at - 1].time; at--)
            row[at] = row[at - 1];
        row[at] = one;
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

#define TAKE(array, count) NS_TRY(ns_arena_zeroed(&s->arena, (size_t)(count), sizeof *(array), (void **)&(array), err))

static ns_status run(search *s, int32_t *node_of, ns_error *err)
{
    const ns_graph *g = s->graph;
    const ns_search_options *options = s->options;
    if (s->nodes < 1)
        return ns_fail(err, NS_ERR_RANGE, "a search wants a number of nodes of 1 or more, got %d", (int)s->nodes);
    if (options->tries < 0 || options->per_node < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "a search wants numbers of tries and of parts per node that are not negative");
    for (int32_t p = 0; p < s->parts; p++)
        if (node_of[p] < 0 || node_of[p] >= s->nodes)
            return ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d", (int)p,
                           (int)node_of[p], (int)s->nodes - 1);
    TAKE(s->first, s->parts + INT64_C(1));
    TAKE(s->tie, 2 * g->routes);
    TAKE(s->set, s->parts);
    TAKE(s->side, s->parts);
    TAKE(s->gain, s->parts);
    TAKE(s->leaf, s->parts);
    TAKE(s->best[0], 4 * (int64_t)s->parts);
    TAKE(s->best[1], 4 * (int64_t)s->parts);
    TAKE(s->moved, s->parts);
    TAKE(s->room, s->nodes);
    TAKE(s->size, s->nodes);
    TAKE(s->place, s->nodes + INT64_C(1));
    TAKE(s->place_of, s->parts);
    for (int i = 0; i < STARTS; i++)
        TAKE(s->start[i].node_of, s->parts);
    memset(s->side, OUTSIDE, (size_t)s->parts * sizeof *s->side);

    /* The number of parts that fit on each node; it need not exceed the number of parts. */
    int32_t fullest = (s->parts - 1) / s->nodes + 1;
    for (int32_t p = 0; p < s->parts; p++)
        s->size[node_of[p]]++;
    for (int32_t node = 0; node < s->nodes; node++)
        fullest = s->size[node] > fullest ? s->size[node] : fullest;
    for (int32_t node = 0; node < s->nodes; node++) {
        const int32_t per_node = options->per_node > 0   ? options->per_node
                                 : options->room != NULL ? s->parts
                                                         : fullest,
                      own = options->room != NULL ? options->room[node] : per_node;
        const int32_t room = own < per_node ? own : per_node;
        if (s->size[node] > room)
            return ns_fail(err, NS_ERR_RANGE, "%d parts stand on node %d, which has room for %d", (int)s->size[node],
                           (int)node, (int)room);
        s->room[node] = room < s->parts ? room : s->parts;
        s->place[node + 1] = s->place[node] + s->room[node];
    }
    TAKE(s->part, s->place[s->nodes]);

    const int64_t by_size = TRIES_EACH * (int64_t)s->parts, many = by_size < TRIES_MANY   ? TRIES_MANY
                                                                   : by_size > TRIES_MOST ? TRIES_MOST
                                                                                          : by_size;
    const double by_work = TRIES_WORK / (1 + (double)g->routes / s->nodes); /* a try adds up some nodes */
    s->tries = options->tries > 0       ? options->tries
               : by_work < TRIES_LEAST  ? TRIES_LEAST
               : by_work < (double)many ? (int64_t)by_work
                                        : many;
    for (int64_t i = 0; i < g->routes; i++) {
        s->first[g->route[i].from]++;
        s->first[g->route[i].to]++;
    }
    for (int32_t p = 0; p < s->parts; p++)
        s->first[p + 1] += s->first[p];
    for (int64_t i = g->routes; i-- > 0;) { /* backwards, first[p] falls from the end of p's ties to their beginning */
        const ns_route *r = &g->route[i];
        s->tie[--s->first[r->from]] = (tie){r->entries * g->width, r->to};
        s->tie[--s->first[r->to]] = (tie){r->entries * g->width, r->from};
    }
    NS_TRY(ns_placer_open(g, s->nodes, s->machine, s->selection, s->limits, &s->placer, err));

    /* What the search starts from: the given placement, blocks, cyclic, and bisections. */
    memcpy(s->start[0].node_of, node_of, (size_t)s->parts * sizeof *node_of);
    NS_TRY(add_start(s, err));
    ns_place_blocks(s->parts, s->nodes, s->start[s->starts].node_of);
    NS_TRY(add_start(s, err));
    ns_place_cyclic(s->parts, s->nodes, s->start[s->starts].node_of);
    NS_TRY(add_start(s, err));
    for (int64_t i = 0; i < BISECTED && (i == 0 || (i + 1) * (2 * g->routes + 1) < BISECTION); i++) {
        int32_t left = s->parts; /* sizes of nodes as even as the places allow */
        memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
        while (left > 0)
            for (int32_t node = 0; node < s->nodes && left > 0; node++)
                if (s->size[node] < s->room[node]) {
                    s->size[node]++;
                    left--;
                }
        for (int32_t p = 0; p < s->parts; p++)
            s->set[p] = p;
        NS_TRY(bisect(s, s->set, 0, s->nodes, err));
        const int32_t *part = s->set;
        for (int32_t node = 0; node < s->nodes; node++)
            for (int32_t k = 0; k < s->size[node]; k++)
                s->start[s->starts].node_of[*part++] = node;
        NS_TRY(add_start(s, err));
    }
    sort(s->start, s->starts);
    for (int round = 0, alive = s->starts; round < ROUNDS && s->nodes > 1; round++, alive = (alive + 1) / 2) {
        s->slack = SLACK * (ROUNDS - 1 - round) / ROUNDS;
        const int64_t share = s->tries / ROUNDS / alive;
        for (int i = 0; i < alive; i++)
            NS_TRY(improve(s, &s->start[i], share > 0 ? share : 1, err));
        sort(s->start, alive);
    }
    memcpy(node_of, s->start[0].node_of, (size_t)s->parts * sizeof *node_of);
    return NS_OK;
}

ns_status ns_place_search(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                          const ns_selection *selection, const ns_limits *limits, const ns_search_options *options,
                          int32_t *node_of, ns_error *err)
{
    ns_error_clear(err);
    ns_search_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_search_options, room, &given, err));
    search s = {.graph = graph,
                .machine = machine,
                .selection = selection,
                .limits = limits,
                .options = &given,
                .parts = graph->parts,
                .nodes = nodes,
                .state = given.seed};
    const ns_status status = run(&s, node_of, err);
    ns_placer_free(s.placer);
    ns_arena_free(&s.arena);
    return status;
}
