/* order.c -- the order in which a node's units take its requests, and how filters use the age of each request
 *
 * The age of a request is 0 where it is the first for its column, else 1 more than the number of steps since the first.
 * A filter issues exactly those of an age up to A, the steps that a property takes to arrive: the first is issued for
 * any A.  So ages are computed once for an order, and every schedule compares them with its A.
 *
 * Column numbers do not use all bits of `id`; the free bits hold the code of the age, which, m being the largest code,
 * is
 *
 *     code = min(max(age - base + 1, 0), m):     age <= A  where  code <= A - base + 1,  if 0 <= A - base + 1 < m.
 *
 * Codes with base 0 distinguish all ages up to m - 2; where A exceeds that, they are recomputed with a base near A.
 *
 * Under coalescing only the first request of a unit for its column can be issued.  Those of them with an age up to the
 * stream's reach are stored first, so that no schedule reads the others.
 */
#include "netsparse/trace.h"

#include <string.h>

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void find_stretches(const ns_stream *s, ns_stretch stretch[NS_STRETCHES])
{
    const int64_t round = s->clients * s->batch, rounds = s->requests / round, rest = s->requests % round;
    const int64_t step = rounds * s->batch, at = rounds * round, whole = rest / s->batch, part = rest % s->batch;
    stretch[0] = (ns_stretch){.steps = step, .active = s->clients};
    stretch[1] = (ns_stretch){.at = at, .step = step, .steps = part, .active = (int32_t)whole + 1};
    stretch[2] = (ns_stretch){.at = at + part * (whole + 1),
                              .step = step + part,
                              .steps = whole > 0 ? s->batch - part : 0,
                              .active = (int32_t)whole};
}

void ns_clock_turn(ns_clock *c)
{
    const ns_stretch *next = &c->stretch[++c->now];
    c->end = next->at + next->steps * next->active;
    c->each = next->active > 0 ? 1 / (double)next->active : 0;
}

ns_clock ns_clock_open(const ns_stream *s)
{
    ns_clock c = {.now = -1};
    find_stretches(s, c.stretch);
    ns_clock_turn(&c);
    return c;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

enum { TILE = 16 };

/* Places [first, end) of this many batches of `b` requests, which are in step order from `steps` on and in batch order
 * in `batches`.  Compiled for each direction. */
static inline __attribute__((always_inline)) void turn(uint32_t *steps, uint32_t *batches, int64_t first, int64_t end,
                                                       int64_t units, int64_t b, bool to_steps)
{
    for (int64_t tile = first; tile < end; tile += TILE)
        for (int64_t u = 0; u < units; u++) {
            const int64_t count = tile + TILE < end ? TILE : end - tile;
            uint32_t *step = steps + (tile - first) * units + u, *batch = batches + u * b + tile;
            for (int64_t i = 0; i < count; i++)
                if (to_steps)
                    step[i * units] = batch[i];
                else
                    batch[i] = step[i * units];
        }
}

static void turn_all(ns_stream *s, uint32_t *order, int32_t clients, int64_t b, bool to_steps)
{
    const int64_t round = clients * b;
    for (int64_t e = 0; e < s->requests; e++)
        order[e] = ns_stream_number(s, s->id[e]);
    for (int64_t at = 0; at < s->requests; at += round) {
        /* At most one round: the last of its units may have an incomplete batch. */
        uint32_t *steps = (to_steps ? s->id : order) + at, *batches = (to_steps ? order : s->id) + at;
        const int64_t count = s->requests - at < round ? s->requests - at : round;
        const int64_t whole = count / b, part = count % b, end = whole > 0 ? b : part;
        if (to_steps) {
            turn(steps, batches, 0, part, whole + 1, b, true);
            turn(steps + part * (whole + 1), batches, part, end, whole, b, true);
        } else {
            turn(steps, batches, 0, part, whole + 1, b, false);
            turn(steps + part * (whole + 1), batches, part, end, whole, b, false);
        }
    }
}

void ns_stream_order(ns_stream *s, int32_t clients, int64_t batch, ns_trace_scratch *scratch)
{
    if (s->clients == clients && s->batch == batch)
        return;
    ns_stream_unite(s, scratch);
    if (s->clients > 1)
        turn_all(s, scratch->order, s->clients, s->batch, false);
    if (clients > 1)
        turn_all(s, scratch->order, clients, batch, true);
    s->clients = clients;
    s->batch = batch;
    s->base = -1;
}

/* ---- ages -------------------------------------------------------------------------------------------------------- */

static int64_t most_code(const ns_stream *s)
{
    return UINT32_MAX >> s->number_bits;
}

uint64_t ns_stream_limit(const ns_stream *s, int64_t arrived)
{
    return (uint64_t)(arrived - s->base + 2) << s->number_bits;
}

static bool tells(const ns_stream *s, int64_t arrived)
{
    return s->base >= 0 && arrived - s->base + 1 >= 0 && arrived - s->base + 1 < most_code(s);
}

static void find_ages(ns_stream *s, uint32_t *first)
{
    ns_stretch stretch[NS_STRETCHES];
    uint32_t *id = s->id;
    const int64_t most = most_code(s);
    memset(first, 0xff, (size_t)s->unique * sizeof *first); /* UINT32_MAX: no step has this number */
    find_stretches(s, stretch);
    for (const ns_stretch *now = stretch; now < stretch + NS_STRETCHES; now++)
        for (int64_t step = now->step; step < now->step + now->steps; step++)
            for (int32_t u = 0; u < now->active; u++, id++) {
                const uint32_t number = ns_stream_number(s, *id), since = first[number];
                const bool is_first = since == UINT32_MAX;
                const int64_t age = is_first ? 0 : step - since + 1, code = age - s->base + 1;
                first[number] = is_first ? (uint32_t)step : since;
                *id = (uint32_t)(code < 0 ? 0 : code < most ? code : most) << s->number_bits | number;
            }
}

/* ---- the kept part ----------------------------------------------------------------------------------------------- */

/* Bits of the first requests of a unit for its column, of an age up to the reach: later requests have larger ages. */
static void find_kept(ns_stream *s, uint64_t *units)
{
    ns_stretch stretch[NS_STRETCHES];
    const uint64_t limit = ns_stream_limit(s, s->reach);
    memset(units, 0, (size_t)s->unique * sizeof *units);
    memset(s->kept, 0, (size_t)(s->requests / 64 + 2) * sizeof *s->kept);
    find_stretches(s, stretch);
    for (const ns_stretch *now = stretch; now < stretch + NS_STRETCHES; now++)
        for (int64_t at = now->at; at < now->at + now->steps * now->active; at += now->active) {
            uint64_t kept = 0;
            for (uint64_t left = ns_ids_below(s->id + at, now->active, limit); left != 0; left &= left - 1) {
                uint64_t *met = &units[ns_stream_number(s, s->id[at + __builtin_ctzll(left)])];
                const uint64_t unit = left & -left;
                kept |= unit & ~*met;
                *met |= unit;
            }
            ns_bits_put(s->kept, at, now->active, kept);
        }
}

/* Each request is stored to both places, one of which is overwritten: which of the two counts cannot be predicted by
 * the processor. */
static void split(ns_stream *s, uint32_t *others)
{
    uint32_t *kept = s->id, *other = others;
    for (int64_t at = 0; at < s->requests; at += 64) {
        uint64_t bits = s->kept[at >> 6];
        const int64_t end = at + 64 < s->requests ? at + 64 : s->requests;
        for (int64_t e = at; e < end; e++, bits >>= 1) {
            const uint32_t id = s->id[e];
            *kept = *other = id;
            kept += bits & 1;
            other += ~bits & 1;
        }
    }
    memcpy(kept, others, (size_t)(other - others) * sizeof *others);
    s->split = true;
}

void ns_stream_unite(ns_stream *s, ns_trace_scratch *scratch)
{
    if (!s->split)
        return;
    const uint32_t *kept = scratch->order, *other = kept;
    for (int64_t i = 0; i < s->requests / 64 + 1; i++)
        other += ns_bits_count(s->kept[i]);
    memcpy(scratch->order, s->id, (size_t)s->requests * sizeof *s->id);
    for (int64_t at = 0; at < s->requests; at += 64) {
        uint64_t bits = s->kept[at >> 6];
        const int64_t end = at + 64 < s->requests ? at + 64 : s->requests;
        for (int64_t e = at; e < end; e++, bits >>= 1) {
            s->id[e] = (bits & 1) != 0 ? *kept : *other;
            kept += bits & 1;
            other += ~bits & 1;
        }
    }
    s->split = false;
}

void ns_stream_age(ns_stream *s, int64_t arrived, bool wanted_split, ns_trace_scratch *scratch)
{
    if (!wanted_split || arrived > s->reach || !tells(s, arrived))
        ns_stream_unite(s, scratch);
    if (!tells(s, arrived)) {
        s->base = arrived + 1 < most_code(s) ? 0 : arrived + 1 - most_code(s) / 2;
        find_ages(s, scratch->first);
    }
    if (!wanted_split || s->split)
        return;
    /* Rounds differ in what has arrived: one split should serve them all. */
    enum { TIMES = 8, LEAST = 4096 };
    const int64_t most = s->base + most_code(s) - 2, wanted = arrived < LEAST / TIMES ? LEAST : TIMES * arrived;
    s->reach = wanted < most ? wanted : most;
    find_kept(s, scratch->units);
    split(s, scratch->order);
}
