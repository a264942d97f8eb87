/* order.c -- chunks by node and size, in time linear in their number
 *
 * Chunks are sorted by pair and first entry, and pairs by receiving and then sending node.  So those of a node come in
 * the order of the other node and the first entry, and a stable sort by falling size leaves ties so.
 */
#include "core/memory.h"
#include "schedule/rule.h"

#include <string.h>

enum { FEW = 16, DIGIT = 6, DIGITS = 1 << DIGIT, MOST_DIGITS = 64 / DIGIT };

static void insert_sort(const int64_t *entries, int64_t count, int32_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && entries[order[at - 1]] < entries[i]; at--)
            order[at] = order[at - 1];
        order[at] = (int32_t)i;
    }
}

/* How often each value of each digit comes, and from that where the first of it goes. */
static void count_digits(const uint64_t *key, int64_t count, int shift, int digits, uint32_t at[][DIGITS])
{
    memset(at, 0, (size_t)digits * sizeof *at);
    for (int64_t i = 0; i < count; i++)
        for (int d = 0; d < digits; d++)
            at[d][key[i] >> (shift + d * DIGIT) & (DIGITS - 1)]++;
    for (int d = 0; d < digits; d++)
        for (uint32_t v = 0, before = 0, here; v < DIGITS; v++, before += here) {
            here = at[d][v];
            at[d][v] = before;
        }
}

/* Keys by the bits from `shift` on, a digit after the other; returns where they are then. */
static uint64_t *sort_keys(uint64_t *key, uint64_t *other, int64_t count, int shift, int digits)
{
    uint32_t at[MOST_DIGITS + 1][DIGITS];
    count_digits(key, count, shift, digits, at);
    for (int d = 0; d < digits; d++, shift += DIGIT) {
        for (int64_t i = 0; i < count; i++)
            other[at[d][key[i] >> shift & (DIGITS - 1)]++] = key[i];
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
    return key;
}

static int bits_of(uint64_t x)
{
    return x > 0 ? 64 - __builtin_clzll(x) : 0;
}

void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order)
{
    int64_t least = INT64_MAX, most = 0;
    for (int64_t i = 0; i < count; i++) {
        least = entries[i] < least ? entries[i] : least;
        most = entries[i] > most ? entries[i] : most;
    }
    const int low = bits_of((uint64_t)count), high = count > 0 ? bits_of((uint64_t)(most - least)) : 0;
    if (count <= FEW || low + high > 64) { /* else a key has how much smaller it is than the largest, and its index */
        insert_sort(entries, count, order);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        room[i] = (uint64_t)(most - entries[i]) << low | (uint64_t)i;
    const uint64_t *sorted = sort_keys(room, room + count, count, low, (high + DIGIT - 1) / DIGIT);
    for (int64_t i = 0; i < count; i++)
        order[i] = (int32_t)(sorted[i] & ((UINT64_C(1) << low) - 1));
}

static int32_t node_of(const ns_exchange *x, const ns_chunk *chunk, bool receiving)
{
    const ns_pair *pair = &x->pair[chunk->pair];
    return receiving ? pair->to : pair->from;
}

ns_status ns_chunks_by_node(ns_sink *sink, const ns_exchange *x, const ns_chunk *chunk, int64_t chunks, bool receiving,
                            int64_t **list, int64_t **offsets, ns_error *err)
{
    const size_t nodes = (size_t)x->nodes;
    void *memory;
    NS_TRY(ns_sink_room(sink, nodes + 2, sizeof **offsets, &memory, err));
    int64_t *first = memory; /* from its second on while it counts: filling moves each to where the next begins */
    memset(first, 0, (nodes + 2) * sizeof *first);
    NS_TRY(ns_sink_room(sink, (size_t)chunks, sizeof **list, &memory, err));
    int64_t *of = memory;
    for (int64_t i = 0; i < chunks; i++)
        first[node_of(x, &chunk[i], receiving) + 2]++;
    for (size_t k = 2; k < nodes + 2; k++)
        first[k] += first[k - 1];
    for (int64_t i = 0; i < chunks; i++)
        of[first[node_of(x, &chunk[i], receiving) + 1]++] = i;
    *list = of;
    *offsets = first;
    return NS_OK;
}
