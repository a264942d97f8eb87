/* stitch_pack.c -- fewest flits for a traffic mix: exact bin packing with one exemption per bin
 *
 *     a set of flits can share one flit if   sum used + o max(0, tails - 1) <= F,   o = bytes of ID and Size
 *
 * since a tail that is the parent needs no ID and Size.  Greedy packing (largest first) reaches the lower bound for
 * most mixes of any size; where it does not, a depth-first search over maximal fillings of the flit with the largest
 * remaining piece gives the answer.  Maximal fillings are sufficient: moving a piece into a flit with free space never
 * invalidates the flit that it leaves.
 */
#include "model/parts/traffic.h"

#include <math.h>

enum { PIECES_MOST = 48, NODES_MOST = 2000000 };

typedef struct search {
    double flit, id_size;
    size_t classes;
    ns_flit_class piece[NS_FLIT_CLASSES]; /* largest first, tails before whole packets of the same size */
    double best;                          /* flits of the best packing so far */
    long nodes;
} search;

/* A flit being filled. */
typedef struct filling {
    double used;
    int tails;
} filling;

static double cost(const search *s, const filling *f, size_t i)
{
    return s->piece[i].used + (s->piece[i].tail && f->tails > 0 ? s->id_size : 0);
}

static bool has_room(const search *s, const filling *f, size_t i)
{
    return f->used + cost(s, f, i) <= s->flit;
}

static void put(const search *s, filling *f, size_t i)
{
    f->used += cost(s, f, i);
    f->tails += s->piece[i].tail;
}

/* Lower bound: least n with n F + o min(n, tails) >= the bytes, and no two pieces above half a flit together. */
static double bound(const search *s)
{
    double bytes = 0, tails = 0, halves = 0;
    for (size_t i = 0; i < s->classes; i++) {
        const ns_flit_class *c = &s->piece[i];
        bytes += c->count * (c->used + (c->tail ? s->id_size : 0));
        tails += c->tail ? c->count : 0;
        halves += 2 * c->used > s->flit ? c->count : 0;
    }
    double flits = ceil(bytes / (s->flit + s->id_size));
    if (flits > tails)
        flits = fmax(tails, ceil((bytes - tails * s->id_size) / s->flit));
    return fmax(flits, halves);
}

/* Put as many pieces of class i as possible into the flit; the first tail is the parent and needs no ID and Size. */
static double put_all(const search *s, filling *f, size_t i, double most)
{
    double count = 0;
    while (count < most && count < 2 && has_room(s, f, i)) {
        put(s, f, i);
        count++;
    }
    if (count < 2)
        return count;
    const double each = cost(s, f, i), more = fmin(most - count, floor((s->flit - f->used) / each));
    f->used = fmin(s->flit, f->used + more * each);
    return count + more;
}

/* Largest first, flit by flit; equal flits are counted, not repeated. */
static double greedy(search s)
{
    double flits = 0;
    for (size_t first = 0; first < s.classes;) {
        filling f = {0, 0};
        double times = INFINITY, in[NS_FLIT_CLASSES] = {0};
        for (size_t i = first; i < s.classes; i++) {
            in[i] = put_all(&s, &f, i, s.piece[i].count);
            if (in[i] > 0)
                times = fmin(times, floor(s.piece[i].count / in[i]));
        }
        for (size_t i = first; i < s.classes; i++)
            s.piece[i].count -= times * in[i];
        flits += times;
        while (first < s.classes && s.piece[first].count < 1)
            first++;
    }
    return flits;
}

static bool explore(search *s, double flits);

/* Fill from class i on; a filling with space for a remaining piece is not maximal and is skipped. */
static bool fill(search *s, size_t i, filling f, double flits)
{
    if (i == s->classes) {
        for (size_t j = 0; j < s->classes; j++)
            if (s->piece[j].count > 0 && has_room(s, &f, j))
                return true;
        return explore(s, flits + 1);
    }
    int taken = 0;
    bool within = true;
    filling now = f;
    while (s->piece[i].count > 0 && has_room(s, &now, i)) {
        put(s, &now, i);
        s->piece[i].count--;
        taken++;
    }
    for (;; taken--) {
        filling step = f;
        for (int k = 0; k < taken; k++)
            put(s, &step, i);
        within = fill(s, i + 1, step, flits);
        if (!within || taken == 0)
            break;
        s->piece[i].count++;
    }
    s->piece[i].count += taken;
    return within;
}

/* False when the search takes too long. */
static bool explore(search *s, double flits)
{
    size_t first = 0;
    if (++s->nodes > NODES_MOST)
        return false;
    while (first < s->classes && s->piece[first].count < 1)
        first++;
    if (first == s->classes) {
        s->best = fmin(s->best, flits);
        return true;
    }
    if (flits + bound(s) >= s->best)
        return true;
    filling f = {0, 0};
    put(s, &f, first);
    s->piece[first].count--;
    const bool within = fill(s, first, f, flits);
    s->piece[first].count++;
    return within;
}

ns_status ns_stitch_best(const ns_flit_mix *mix, double id_size, double *flits, ns_error *err)
{
    search s = {.flit = mix->flit, .id_size = id_size};
    double pieces = 0;
    for (size_t i = 0; i < mix->classes; i++) {
        const double count = mix->partial[i].count;
        if (count != floor(count) || count > 0x1p53)
            return ns_fail(err, NS_ERR_RANGE, "%g packets of a kind: the best packing wants whole numbers up to 2^53",
                           count);
        pieces += count;
        const ns_flit_class c = mix->partial[i];
        size_t at = s.classes++;
        for (; at > 0; at--) {
            const ns_flit_class *before = &s.piece[at - 1];
            if (before->used > c.used || (before->used == c.used && before->tail >= c.tail))
                break;
            s.piece[at] = *before;
        }
        s.piece[at] = c;
    }
    s.best = greedy(s);
    if (s.best > bound(&s)) {
        if (pieces > PIECES_MOST)
            return ns_fail(err, NS_ERR_LIMIT, "%g partly filled flits are too many for the exact packing: at most %d",
                           pieces, (int)PIECES_MOST);
        if (!explore(&s, 0))
            return ns_fail(err, NS_ERR_LIMIT, "the exact packing of these %g partly filled flits takes too long",
                           pieces);
    }
    *flits = mix->flits - pieces + s.best;
    return NS_OK;
}
