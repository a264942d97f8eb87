/* search.c -- a fast placement: recursive bisection of the graph, then swaps and moves that are priced
 *
 * A time is a maximum over processes, so most swaps leave it as it is: they tell a search nothing of which way to go.
 * Bytes between nodes do.  So some placements are made by recursive bisection: a set of parts is cut in two of given
 * sizes by passes of Fiduccia and Mattheyses (1982).  A pass moves each part once, the part of the largest gain first,
 * and then takes back all moves after the least cut.  A pass that begins with one part on a side grows that side, so
 * that it makes the first cut too; and a pass over the parts of two nodes, as Kernighan and Lin exchange them (1970),
 * mends what the earlier cuts did.
 *
 * But the least cut is not the least time: where messages inside a node are slow, neighbours are better apart.  So
 * these placements, blocks and cyclic ones compete.  In each round, each is changed by random swaps and moves, priced
 * by its own fastest choice alone.  A change stays where it is slower than the best so far by no more than a slack that
 * falls from round to round to nothing (Dueck's record-to-record travel, 1993).  Then all choices are priced, and the
 * faster half goes on to the next round.
 */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "pattern/graph.h"
#include "price/choice.h"

#include <nsmodel/search.h>

#include <string.h>

enum {
    BISECTED = 4,         /* placements made by bisection, at most */
    SEEDS = 4,            /* first cuts of each set, at most */
    BISECTION = 1000000,  /* ties above which there are fewer of both */
    PASSES = 10,          /* over one set, or over all pairs of nodes, at most */
    PATIENCE = 50,        /* moves of a pass without a better cut */
    ROUNDS = 4,           /* of swaps */
    STARTS = BISECTED + 4 /* what stands, blocks, cyclic, packed */
};

/* Swaps and moves: by the number of parts, at least and at most; less where a price has many routes to add up. */
enum { TRIES_EACH = 200, TRIES_MANY = 20000, TRIES_MOST = 100000, TRIES_LEAST = 2000, TRIES_WORK = 3000000 };
/* And where each is quoted anew. */
enum { QUOTED_ROUTES = 1000000, QUOTED_TRIES = 1000 };
static const double SLACK = 0.05; /* of the first round; the last has none */
enum { WATCHED = 256, OUTSIDE = -1, TAKEN = -1 };

/* What a part exchanges with another, one way. */
typedef struct tie {
    int64_t bytes;
    int32_t other;
} tie;

typedef struct start {
    int32_t *node_of; /* [parts] */
    double time;      /* of its fastest choice */
    int choice;       /* that one */
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
    /* A set that is cut in two. */
    int8_t *side, *best_side;   /* [parts] 0 or 1; OUTSIDE of the set */
    int64_t *gain;              /* [parts] how much less is cut when the part changes sides */
    uint64_t *luck;             /* [parts] which of equals is first */
    int32_t *heap[2], heaps[2]; /* parts of a side that have not moved, the largest gain on top */
    int32_t *at;                /* [parts] where a part stands in its heap, or TAKEN */
    int32_t *moved;             /* [parts] in the order of moves */
    int32_t *set, *pair;        /* [parts] by node; of two nodes */
    bool *meets;                /* [nodes] nodes that have something for the one that is looked at */
    /* Places: a node's parts stand first among its places. */
    int32_t *room, *size; /* [nodes] */
    int64_t *place;       /* [nodes + 1] the first of each node */
    int32_t *part;        /* [places] */
    int64_t *place_of;    /* [parts] */
    int64_t done, tries;
    double slack;      /* how much slower than the best a placement may be that stands, as a part */
    ns_placer *placer; /* of all choices */
    start start[STARTS];
    int starts;
} search;

/* splitmix64 */
static uint64_t next(search *s)
{
    uint64_t z = s->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int64_t below(search *s, int64_t n)
{
    return (int64_t)(next(s) % (uint64_t)n);
}

static void make_ties(search *s)
{
    const ns_graph *g = s->graph;
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
}

/* ---- a heap of parts by gain ------------------------------------------------------------------------------------- */

static bool precedes(const search *s, int32_t a, int32_t b)
{
    return s->gain[a] != s->gain[b] ? s->gain[a] > s->gain[b] : s->luck[a] > s->luck[b];
}

static void put(search *s, int h, int32_t at, int32_t part)
{
    s->heap[h][at] = part;
    s->at[part] = at;
}

/* The part at a position, whose gain has changed, to its position. */
static void sift(search *s, int h, int32_t at)
{
    const int32_t *heap = s->heap[h], part = heap[at];
    for (; at > 0 && precedes(s, part, heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(s, h, at, heap[(at - 1) / 2]);
    for (;;) {
        int32_t child = 2 * at + 1;
        child += child + 1 < s->heaps[h] && precedes(s, heap[child + 1], heap[child]);
        if (child >= s->heaps[h] || !precedes(s, heap[child], part))
            break;
        put(s, h, at, heap[child]);
        at = child;
    }
    put(s, h, at, part);
}

static int32_t pop(search *s, int h)
{
    const int32_t part = s->heap[h][0], last = s->heap[h][--s->heaps[h]];
    if (last != part) {
        put(s, h, 0, last);
        sift(s, h, 0);
    }
    s->at[part] = TAKEN;
    return part;
}

/* ---- bisection --------------------------------------------------------------------------------------------------- */

static void fill_heaps(search *s, const int32_t *set, int32_t n)
{
    s->heaps[0] = s->heaps[1] = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t p = set[i];
        const int h = s->side[p]; /* NOLINT(bugprone-signed-char-misuse): 0 or 1 */
        s->luck[p] = next(s);
        s->gain[p] = 0;
        for (int64_t k = s->first[p]; k < s->first[p + 1]; k++)
            if (s->side[s->tie[k].other] != OUTSIDE)
                s->gain[p] += s->side[s->tie[k].other] != h ? s->tie[k].bytes : -s->tie[k].bytes;
        put(s, h, s->heaps[h]++, p);
        sift(s, h, s->heaps[h] - 1);
    }
}

/* To the other side; what it exchanges with has other gains. */
static void change_side(search *s, int32_t part)
{
    const int from = s->side[part]; /* NOLINT(bugprone-signed-char-misuse): 0 or 1 */
    s->side[part] = (int8_t)(1 - from);
    for (int64_t k = s->first[part]; k < s->first[part + 1]; k++) {
        const int32_t q = s->tie[k].other;
        if (s->side[q] == OUTSIDE || s->at[q] == TAKEN)
            continue;
        s->gain[q] += s->side[q] == from ? 2 * s->tie[k].bytes : -2 * s->tie[k].bytes;
        sift(s, s->side[q], s->at[q]);
    }
}

/* One pass over a set: of its parts `have` are on side 0, wanted are `want`.  Returns by how much less is cut; where
 * the sizes were not those wanted, that may be negative. */
static int64_t pass(search *s, const int32_t *set, int32_t n, int32_t have, int32_t want)
{
    int32_t moves = 0, best_moves = 0;
    int64_t fell = 0, best = have == want ? 0 : INT64_MIN;
    fill_heaps(s, set, n);
    while (best == INT64_MIN || moves - best_moves < PATIENCE + n / 10) {
        int from = have > want ? 0 : 1;
        if (have == want) {
            if (s->heaps[0] == 0 || s->heaps[1] == 0)
                break;
            from = precedes(s, s->heap[0][0], s->heap[1][0]) ? 0 : 1;
        }
        if (s->heaps[from] == 0)
            break;
        const int32_t part = pop(s, from);
        fell += s->gain[part];
        change_side(s, part);
        have += from == 0 ? -1 : 1;
        s->moved[moves++] = part;
        if (have == want && fell > best) {
            best = fell;
            best_moves = moves;
        }
    }
    while (moves > best_moves) {
        const int32_t part = s->moved[--moves];
        s->side[part] = (int8_t)(1 - s->side[part]);
    }
    return best;
}

/* Reorder a set so that its first `want` parts, and the others, have little for each other. */
static ns_status bisect(search *s, int32_t *set, int32_t n, int32_t want, int seeds, ns_error *err)
{
    int64_t least = INT64_MAX;
    for (int k = 0; k < seeds && want > 0 && want < n; k++) {
        for (int32_t i = 0; i < n; i++)
            s->side[set[i]] = 1;
        s->side[set[below(s, n)]] = 0;
        int64_t cut = 0;
        (void)pass(s, set, n, 1, want);
        for (int again = 0; again < PASSES && pass(s, set, n, want, want) > 0; again++)
            NS_TRY(ns_context_tick(n, err));
        for (int32_t i = 0; i < n; i++)
            for (int64_t j = s->first[set[i]]; j < s->first[set[i] + 1] && s->side[set[i]] == 0; j++)
                cut += s->side[s->tie[j].other] == 1 ? s->tie[j].bytes : 0;
        if (cut < least)
            for (int32_t i = 0; i < n; i++)
                s->best_side[set[i]] = s->side[set[i]];
        least = cut < least ? cut : least;
        NS_TRY(ns_context_tick(n, err));
    }
    if (least == INT64_MAX)
        return NS_OK;
    int32_t to[2] = {0, want};
    for (int32_t i = 0; i < n; i++)
        s->moved[to[s->best_side[set[i]]]++] = set[i];
    memcpy(set, s->moved, (size_t)n * sizeof *set);
    for (int32_t i = 0; i < n; i++)
        s->side[set[i]] = OUTSIDE;
    return NS_OK;
}

/* A set in the order of the nodes from `from` on, of s->size parts each. */
static ns_status split(search *s, int32_t *set, int32_t from, int32_t to, int seeds, ns_error *err)
{
    const int32_t middle = from + (to - from) / 2;
    int32_t n = 0, want = 0;
    if (to - from < 2)
        return NS_OK;
    for (int32_t node = from; node < to; node++) {
        n += s->size[node];
        want += node < middle ? s->size[node] : 0;
    }
    NS_TRY(bisect(s, set, n, want, seeds, err));
    NS_TRY(split(s, set, from, middle, seeds, err));
    return split(s, set + want, middle, to, seeds, err);
}

/* Passes over the parts of two nodes; returns whether less is cut. */
static bool mend_pair(search *s, int32_t *a, int32_t as, int32_t *b, int32_t bs)
{
    memcpy(s->pair, a, (size_t)as * sizeof *a);
    memcpy(s->pair + as, b, (size_t)bs * sizeof *b);
    for (int32_t i = 0; i < as + bs; i++)
        s->side[s->pair[i]] = (int8_t)(i >= as);
    bool better = false;
    for (int again = 0; again < PASSES && pass(s, s->pair, as + bs, as, as) > 0; again++)
        better = true;
    for (int32_t i = 0; i < as + bs; i++) {
        *(s->side[s->pair[i]] == 0 ? a++ : b++) = s->pair[i];
        s->side[s->pair[i]] = OUTSIDE;
    }
    return better;
}

static void read_set(const search *s, int32_t *node_of)
{
    for (int32_t node = 0, i = 0; node < s->nodes; node++)
        for (int32_t k = 0; k < s->size[node]; k++)
            node_of[s->set[i++]] = node;
}

/* All pairs of nodes that have something for each other, until none gets better. */
static ns_status mend_pairs(search *s, int32_t *node_of, ns_error *err)
{
    bool better = true;
    for (int round = 0; round < PASSES && better; round++) {
        better = false;
        for (int32_t a = 0, *of_a = s->set; a < s->nodes; of_a += s->size[a++]) {
            read_set(s, node_of);
            memset(s->meets, 0, (size_t)s->nodes * sizeof *s->meets);
            for (int32_t i = 0; i < s->size[a]; i++)
                for (int64_t k = s->first[of_a[i]]; k < s->first[of_a[i] + 1]; k++)
                    s->meets[node_of[s->tie[k].other]] = true;
            int32_t *of_b = of_a + s->size[a];
            for (int32_t b = a + 1; b < s->nodes; of_b += s->size[b++])
                if (s->meets[b])
                    better = mend_pair(s, of_a, s->size[a], of_b, s->size[b]) || better;
            NS_TRY(ns_context_tick(s->parts / 16 + s->size[a], err));
        }
    }
    read_set(s, node_of);
    return NS_OK;
}

/* ---- what the search starts from --------------------------------------------------------------------------------- */

/* Sizes of nodes: as even as the places allow, or one node filled after the other. */
static void share_out(search *s, bool packed)
{
    int32_t left = s->parts;
    memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
    while (left > 0)
        for (int32_t node = 0; node < s->nodes && left > 0; node++) {
            const int32_t free = s->room[node] - s->size[node], more = packed && free < left ? free : packed ? left : 1;
            if (free > 0) {
                s->size[node] += more;
                left -= more;
            }
        }
}

static bool fits(const search *s, const int32_t *node_of)
{
    bool all = true;
    memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
    for (int32_t p = 0; p < s->parts; p++)
        all = ++s->size[node_of[p]] <= s->room[node_of[p]] && all;
    return all;
}

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

static ns_status bisect_all(search *s, bool packed, int seeds, ns_error *err)
{
    start *one = &s->start[s->starts];
    share_out(s, packed);
    for (int32_t p = 0; p < s->parts; p++)
        s->set[p] = p;
    NS_TRY(split(s, s->set, 0, s->nodes, seeds, err));
    read_set(s, one->node_of);
    if (seeds > 1)
        NS_TRY(mend_pairs(s, one->node_of, err));
    s->starts++;
    return price(s, one, err);
}

static ns_status add_even(search *s, void (*place)(int32_t, int32_t, int32_t *), ns_error *err)
{
    start *one = &s->start[s->starts];
    place(s->parts, s->nodes, one->node_of);
    if (!fits(s, one->node_of))
        return NS_OK;
    s->starts++;
    return price(s, one, err);
}

static ns_status make_starts(search *s, const int32_t *node_of, ns_error *err)
{
    const int64_t ties = 2 * s->graph->routes + 1, affordable = BISECTION / ties;
    const int seeds = affordable < 1       ? 1
                      : affordable < SEEDS ? (int)affordable
                                           : SEEDS,
              bisected = seeds < BISECTED ? seeds : BISECTED;
    int64_t places = 0;
    memcpy(s->start[0].node_of, node_of, (size_t)s->parts * sizeof *node_of);
    s->starts = 1;
    NS_TRY(price(s, &s->start[0], err));
    NS_TRY(add_even(s, ns_place_blocks, err));
    NS_TRY(add_even(s, ns_place_cyclic, err));
    for (int i = 0; i < bisected; i++)
        NS_TRY(bisect_all(s, false, seeds, err));
    for (int32_t node = 0; node < s->nodes; node++)
        places += s->room[node];
    return places > s->parts ? bisect_all(s, true, seeds, err) : NS_OK;
}

/* ---- swaps and moves --------------------------------------------------------------------------------------------- */

/* A part goes to a node; or, with another that stands there, they change places. */
typedef struct change {
    int32_t part, other; /* other: -1 for a move */
    int32_t from, to;
} change;

static void take_places(search *s, const int32_t *node_of)
{
    memset(s->size, 0, (size_t)s->nodes * sizeof *s->size);
    for (int32_t p = 0; p < s->parts; p++) {
        s->place_of[p] = s->place[node_of[p]] + s->size[node_of[p]]++;
        s->part[s->place_of[p]] = p;
    }
}

/* To the node of one that the part exchanges with, or to any node. */
static bool choose(search *s, const int32_t *node_of, change *c)
{
    const int32_t p = (int32_t)below(s, s->parts);
    const int64_t ties = s->first[p + 1] - s->first[p];
    const int32_t to = ties == 0 || below(s, 4) == 0 ? (int32_t)below(s, s->nodes)
                                                     : node_of[s->tie[s->first[p] + below(s, ties)].other];
    *c = (change){.part = p, .other = -1, .from = node_of[p], .to = to};
    if (to == c->from || s->room[to] == 0)
        return false;
    if (s->size[to] > 0 && (s->size[to] == s->room[to] || below(s, 2) == 0))
        c->other = s->part[s->place[to] + below(s, s->size[to])];
    return true;
}

static ns_status make(const change *c, int32_t node, ns_placer *placer, ns_error *err)
{
    return c->other >= 0 ? ns_placer_swap(placer, c->part, c->other, err) : ns_placer_move(placer, c->part, node, err);
}

/* Places of a change that stays. */
static void settle(search *s, const change *c)
{
    const int64_t left = s->place_of[c->part];
    const int32_t heir = c->other >= 0 ? c->other : s->part[s->place[c->from] + --s->size[c->from]];
    s->place_of[c->part] = c->other >= 0 ? s->place_of[c->other] : s->place[c->to] + s->size[c->to]++;
    s->part[s->place_of[c->part]] = c->part;
    if (heir == c->part)
        return;
    s->place_of[heir] = left;
    s->part[left] = heir;
}

/* So many swaps and moves from a placement, priced by one choice; the best that was met is what it becomes. */
static ns_status improve_by(search *s, ns_placer *placer, start *one, int64_t tries, ns_error *err)
{
    double time, now;
    NS_TRY(ns_placer_batch(placer, one->node_of, 1, &time, err));
    take_places(s, one->node_of);
    double most = time * (1 + s->slack);
    for (int64_t i = 0; i < tries; i++, s->done++) {
        change c;
        if (s->options->watch != NULL && s->done % WATCHED == 0)
            s->options->watch(s->options->context, s->done, s->tries);
        NS_TRY(ns_context_tick(NS_TICKS / 16, err)); /* a try takes microseconds */
        if (!choose(s, ns_placer_node_of(placer), &c))
            continue;
        NS_TRY(make(&c, c.to, placer, err));
        NS_TRY(ns_placer_price(placer, &now, err));
        if (now > most) {
            NS_TRY(make(&c, c.from, placer, err));
            continue;
        }
        settle(s, &c);
        if (now > time)
            continue;
        time = now;
        most = time * (1 + s->slack);
        memcpy(one->node_of, ns_placer_node_of(placer), (size_t)s->parts * sizeof *one->node_of);
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
    const ns_status status = improve_by(s, placer, one, choice->by_difference || tries < few ? tries : few, err);
    ns_placer_free(placer);
    return status;
}

static int64_t tries_of(const search *s)
{
    if (s->options->tries > 0)
        return s->options->tries;
    const int64_t by_size = TRIES_EACH * (int64_t)s->parts, tries = by_size < TRIES_MANY   ? TRIES_MANY
                                                                    : by_size > TRIES_MOST ? TRIES_MOST
                                                                                           : by_size;
    const double by_work = TRIES_WORK / (1 + (double)s->graph->routes / s->nodes); /* a try adds up some nodes */
    return by_work < TRIES_LEAST ? TRIES_LEAST : by_work < (double)tries ? (int64_t)by_work : tries;
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

static ns_status run(search *s, int32_t *node_of, ns_error *err)
{
    s->tries = tries_of(s);
    make_ties(s);
    NS_TRY(ns_placer_open(s->graph, s->nodes, s->machine, s->selection, s->limits, &s->placer, err));
    NS_TRY(make_starts(s, node_of, err));
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

/* ------------------------------------------------------------------------------------------------------------------ */

static ns_status check(const search *s, const int32_t *node_of, ns_error *err)
{
    if (s->nodes < 1)
        return ns_fail(err, NS_ERR_RANGE, "a search wants a number of nodes of 1 or more, got %d", (int)s->nodes);
    if (s->options->tries < 0 || s->options->per_node < 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "a search wants numbers of tries and of parts per node that are not negative");
    for (int32_t p = 0; p < s->parts; p++)
        if (node_of[p] < 0 || node_of[p] >= s->nodes)
            return ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d", (int)p,
                           (int)node_of[p], (int)s->nodes - 1);
    return NS_OK;
}

/* How many parts each node has room for; more than there are parts is of no use. */
static ns_status read_room(search *s, const int32_t *node_of, ns_error *err)
{
    int32_t fullest = (s->parts - 1) / s->nodes + 1;
    for (int32_t p = 0; p < s->parts; p++)
        s->size[node_of[p]]++;
    for (int32_t node = 0; node < s->nodes; node++)
        fullest = s->size[node] > fullest ? s->size[node] : fullest;
    for (int32_t node = 0; node < s->nodes; node++) {
        const int32_t per_node = s->options->per_node > 0   ? s->options->per_node
                                 : s->options->room != NULL ? s->parts
                                                            : fullest,
                      own = s->options->room != NULL ? s->options->room[node] : per_node;
        const int32_t room = own < per_node ? own : per_node;
        if (s->size[node] > room)
            return ns_fail(err, NS_ERR_RANGE, "%d parts stand on node %d, which has room for %d", (int)s->size[node],
                           (int)node, (int)room);
        s->room[node] = room < s->parts ? room : s->parts;
        s->place[node + 1] = s->place[node] + s->room[node];
    }
    s->part = ns_calloc((size_t)s->place[s->nodes], sizeof *s->part);
    return s->part != NULL ? NS_OK : ns_no_memory(err);
}

static bool take_memory(search *s)
{
    const size_t parts = (size_t)s->parts, nodes = (size_t)s->nodes;
    s->first = ns_calloc(parts + 1, sizeof *s->first);
    s->tie = ns_calloc(2 * (size_t)s->graph->routes + 1, sizeof *s->tie);
    s->side = ns_malloc(parts);
    s->best_side = ns_malloc(parts);
    s->gain = ns_calloc(parts, sizeof *s->gain);
    s->luck = ns_calloc(parts, sizeof *s->luck);
    s->heap[0] = ns_calloc(parts, sizeof *s->heap[0]);
    s->heap[1] = ns_calloc(parts, sizeof *s->heap[1]);
    s->at = ns_calloc(parts, sizeof *s->at);
    s->moved = ns_calloc(parts, sizeof *s->moved);
    s->set = ns_calloc(parts, sizeof *s->set);
    s->pair = ns_calloc(parts, sizeof *s->pair);
    s->meets = ns_calloc(nodes, sizeof *s->meets);
    s->room = ns_calloc(nodes, sizeof *s->room);
    s->size = ns_calloc(nodes, sizeof *s->size);
    s->place = ns_calloc(nodes + 1, sizeof *s->place);
    s->place_of = ns_calloc(parts, sizeof *s->place_of);
    bool all = s->first != NULL && s->tie != NULL && s->side != NULL && s->best_side != NULL && s->gain != NULL &&
               s->luck != NULL && s->heap[0] != NULL && s->heap[1] != NULL && s->at != NULL && s->moved != NULL &&
               s->set != NULL && s->pair != NULL && s->meets != NULL && s->room != NULL && s->size != NULL &&
               s->place != NULL && s->place_of != NULL;
    for (int i = 0; i < STARTS && all; i++)
        all = (s->start[i].node_of = ns_calloc(parts, sizeof *s->start[i].node_of)) != NULL;
    if (all)
        memset(s->side, OUTSIDE, parts);
    return all;
}

static void free_memory(search *s)
{
    void *const block[] = {s->first,   s->tie,     s->side, s->best_side, s->gain, s->luck,
                           s->heap[0], s->heap[1], s->at,   s->moved,     s->set,  s->pair,
                           s->meets,   s->room,    s->size, s->place,     s->part, s->place_of};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ns_free(block[i]);
    for (int i = 0; i < STARTS; i++)
        ns_free(s->start[i].node_of);
    ns_placer_free(s->placer);
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
    NS_TRY(check(&s, node_of, err));
    ns_status status = take_memory(&s) ? read_room(&s, node_of, err) : ns_no_memory(err);
    if (status == NS_OK)
        status = run(&s, node_of, err);
    free_memory(&s);
    return status;
}
