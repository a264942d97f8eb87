/* pieces.c -- locates the entries of lists in buffers
 *
 * L(M,N) lists entries by owning part and column, and D(q, p) is by column.  So the entries of D(q, p) are, in the same
 * order, those of L that q owns and that have p among their needers: runs give the position of each of them.
 */
#include "schedule/pieces.h"

#include "core/memory.h"
#include "core/own.h"

#include <stdlib.h>

/* Advance `at` to the first index below `end` for which `before` does not hold; it must not hold for any later index
 * either. */
#define FIND(at, end, i, before)                                                                                       \
    for (int64_t high = (end), i; at < high;) {                                                                        \
        i = at + (high - at) / 2;                                                                                      \
        if (before)                                                                                                    \
            at = i + 1;                                                                                                \
        else                                                                                                           \
            high = i;                                                                                                  \
    }

ns_status ns_pieces_add(ns_pieces *pieces, ns_piece piece, ns_error *err)
{
    ns_piece *last = pieces->count > 0 ? &pieces->piece[pieces->count - 1] : NULL;
    if (piece.entries == 0)
        return NS_OK;
    if (last != NULL && last->key == piece.key && last->first + last->entries == piece.first &&
        last->buffer == piece.buffer && last->offset + last->entries == piece.offset) {
        last->entries += piece.entries;
        return NS_OK;
    }
    NS_TRY(ns_grow((void **)&pieces->piece, &pieces->capacity, pieces->count + 1, sizeof piece, &(ns_budget){0}, err));
    pieces->piece[pieces->count++] = piece;
    return NS_OK;
}

static int by_place(const void *a, const void *b)
{
    const ns_piece *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->buffer != y->buffer ? (x->buffer > y->buffer) - (x->buffer < y->buffer)
                                  : (x->offset > y->offset) - (x->offset < y->offset);
}

void ns_pieces_sort(ns_pieces *pieces)
{
    int64_t kept = 0;
    if (pieces->count > 1)
        qsort(pieces->piece, (size_t)pieces->count, sizeof *pieces->piece, by_place);
    for (int64_t i = 0; i < pieces->count; i++) {
        ns_piece one = pieces->piece[i];
        const ns_piece *last = kept > 0 ? &pieces->piece[kept - 1] : NULL;
        const int64_t known = last != NULL && last->key == one.key ? last->first + last->entries - one.first : 0;
        if (known > 0) {
            one.first += known;
            one.offset += known;
            one.entries -= known;
        }
        if (one.entries > 0)
            pieces->piece[kept++] = one;
    }
    pieces->count = kept;
}

ns_piece ns_pieces_from(const ns_pieces *pieces, int64_t key, int64_t at, int64_t most)
{
    const ns_piece *piece = pieces->piece;
    int64_t low = 0; /* the first piece that ends after `at` */
    FIND(low, pieces->count, i, piece[i].key < key || (piece[i].key == key && piece[i].first + piece[i].entries <= at));
    ns_piece found = {.key = key, .first = at, .entries = most, .offset = -1, .buffer = (ns_buffer)-1};
    if (low == pieces->count || piece[low].key != key)
        return found;
    const ns_piece *p = &piece[low];
    const int64_t until = p->first <= at ? p->first + p->entries : p->first;
    if (until - at < most)
        found.entries = until - at;
    if (p->first <= at) {
        found.buffer = p->buffer;
        found.offset = p->offset + at - p->first;
    }
    return found;
}

void ns_pieces_free(ns_pieces *pieces)
{
    ns_free(pieces->piece);
    *pieces = (ns_pieces){0};
}

/* ---- looking into the exchange ----------------------------------------------------------------------------------- */

/* The index of the exchange's route, or pair, with these ends, or -1.  Both structures begin with their ends, and are
 * sorted by `to`, then `from`. */
static int64_t find(const void *list, int64_t count, size_t size, int32_t from, int32_t to)
{
    const int32_t *ends = list;
    const int64_t stride = (int64_t)(size / sizeof *ends);
    int64_t at = 0;
    FIND(at, count, i, ends[i * stride + 1] < to || (ends[i * stride + 1] == to && ends[i * stride] < from));
    return at < count && ends[at * stride] == from && ends[at * stride + 1] == to ? at : -1;
}

static bool is_needer(const ns_exchange *x, const ns_run *run, int32_t part)
{
    const int32_t *list = x->needer + run->needer;
    int64_t at = 0;
    FIND(at, run->needers, i, list[i] < part);
    return at < run->needers && list[at] == part;
}

/* The first run of a part in a pair: origins are in ascending order of their places on the node. */
static int64_t run_of(const ns_exchange *x, const ns_pair *pair, int32_t origin)
{
    const int32_t *local_of = x->site->local_of;
    int64_t at = pair->run;
    FIND(at, pair->run + pair->runs, i, local_of[x->run[i].origin] < local_of[origin]);
    return at;
}

/* Add the D of a route between nodes, which begins at an offset of a buffer, as entries of L. */
static ns_status add_crossing(const ns_exchange *x, const ns_slice *s, int64_t begin, ns_buffer buffer,
                              ns_pieces *pieces, ns_error *err)
{
    const int64_t end = s->first + s->entries,
                  key = find(x->pair, x->pairs, sizeof *x->pair, x->site->node_of[s->from], x->site->node_of[s->to]);
    const ns_pair *pair = &x->pair[key];
    int64_t passed = 0;
    for (int64_t r = run_of(x, pair, s->from); passed < end && r < pair->run + pair->runs; r++) {
        const ns_run *run = &x->run[r];
        if (!is_needer(x, run, s->to))
            continue;
        const int64_t from = passed > s->first ? passed : s->first,
                      to = passed + run->entries < end ? passed + run->entries : end;
        if (from < to)
            NS_TRY(ns_pieces_add(pieces, (ns_piece){key, run->first + from - passed, to - from, begin + from, buffer},
                                 err));
        passed += run->entries;
    }
    return NS_OK;
}

/* ---- a part's buffers -------------------------------------------------------------------------------------------- */

/* The entries of L that the part owns: each is located where its first needer has it.  passed[parts] counts the entries
 * before these in D to each needer, all of which are from the same L. */
static ns_status place_sent(const ns_exchange *x, int32_t part, int64_t key, int64_t *passed, ns_piece_offsets *offsets,
                            ns_error *err)
{
    const ns_pair *pair = &x->pair[key];
    const ns_run *run = &x->run[run_of(x, pair, part)], *end = &x->run[pair->run + pair->runs];
    for (; run < end && run->origin == part; run++) {
        const int32_t *needer = &x->needer[run->needer];
        const int64_t offset = offsets->at[needer[0]] + passed[needer[0]];
        NS_TRY(ns_pieces_add(&offsets->lists, (ns_piece){key, run->first, run->entries, offset, NS_BUFFER_SEND}, err));
        for (int32_t i = 0; i < run->needers; i++)
            passed[needer[i]] += run->entries;
    }
    return NS_OK;
}

ns_status ns_piece_offsets_open(const ns_exchange *x, int32_t part, bool sending, ns_piece_offsets *offsets,
                                ns_error *err)
{
    const int32_t here = x->site->node_of[part];
    NS_OWN(ns_free) int64_t *passed = ns_calloc((size_t)x->parts, sizeof *passed);
    *offsets = (ns_piece_offsets){.at = ns_calloc((size_t)x->parts + 1, sizeof *offsets->at)};
    if (passed == NULL || offsets->at == NULL)
        return ns_no_memory(err);
    for (int32_t other = 0; other < x->parts; other++) {
        const int64_t route =
            find(x->route, x->routes, sizeof *x->route, sending ? part : other, sending ? other : part);
        const ns_slice all = {
            .pair = -1, .entries = route >= 0 ? x->route[route].entries : 0, .from = other, .to = part};
        offsets->at[other + 1] = offsets->at[other] + all.entries;
        if (!sending && route >= 0 && x->site->node_of[other] != here)
            NS_TRY(add_crossing(x, &all, offsets->at[other], NS_BUFFER_RECEIVE, &offsets->lists, err));
    }
    for (int32_t node = 0; node < x->nodes && sending; node++) {
        const int64_t key = find(x->pair, x->pairs, sizeof *x->pair, here, node);
        if (key >= 0)
            NS_TRY(place_sent(x, part, key, passed, offsets, err));
    }
    ns_pieces_sort(&offsets->lists);
    return NS_OK;
}

void ns_piece_offsets_free(ns_piece_offsets *offsets)
{
    ns_free(offsets->at);
    ns_pieces_free(&offsets->lists);
    *offsets = (ns_piece_offsets){0};
}

/* ---- what a slice names ------------------------------------------------------------------------------------------ */

ns_status ns_slice_pieces(const ns_exchange *x, const ns_slice *s, ns_pieces *pieces, ns_error *err)
{
    const int64_t route = s->pair < 0 ? find(x->route, x->routes, sizeof *x->route, s->from, s->to) : -1,
                  key = s->pair >= 0 ? s->pair : -1 - route, end = s->first + s->entries;
    const int64_t length = s->pair >= 0 ? (s->pair < x->pairs ? x->pair[s->pair].entries : 0)
                           : route >= 0 ? x->route[route].entries
                                        : 0;
    if (s->first < 0 || s->entries < 0 || s->entries > length - s->first)
        return ns_fail(err, NS_ERR_DATA, "a slice has entries %lld to %lld of %s, which has fewer", (long long)s->first,
                       (long long)(s->first + s->entries - 1), s->pair < 0 ? "a route" : "a pair of nodes");
    if (s->pair < 0 && x->site->node_of[s->from] != x->site->node_of[s->to])
        return add_crossing(x, s, 0, NS_BUFFER_SEND, pieces, err);
    if (s->pair < 0 || s->only < 0)
        return ns_pieces_add(pieces, (ns_piece){key, s->first, s->entries, s->first, NS_BUFFER_SEND}, err);
    const ns_pair *pair = &x->pair[key]; /* the pair of L that one part needs */
    int64_t r = pair->run;
    FIND(r, pair->run + pair->runs, i, x->run[i].first + x->run[i].entries <= s->first);
    for (; r < pair->run + pair->runs && x->run[r].first < end; r++) {
        const ns_run *run = &x->run[r];
        const int64_t from = run->first > s->first ? run->first : s->first,
                      to = run->first + run->entries < end ? run->first + run->entries : end;
        if (is_needer(x, run, s->only))
            NS_TRY(ns_pieces_add(pieces, (ns_piece){key, from, to - from, from, NS_BUFFER_SEND}, err));
    }
    return NS_OK;
}
