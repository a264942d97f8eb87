/* order.c -- chunks by node and size, in time linear in their number
 *
 * Chunks are sorted by pair and first entry, and pairs by receiving and then sending node.  So those of a node come in
 * the order of the other node and the first entry, and a stable sort by falling size leaves ties so.
 */
#include "schedule/strategy.h"

#include <string.h>

enum { FEW = 16, DIGIT = 6, MOST_BITS = 9, CROWD = 16 };

static void insert_sort(const int64_t *entries, int64_t count, int32_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && entries[order[at - 1]] < entries[i]; at--)
            order[at] = order[at - 1];
        order[at] = (int32_t)i;
    }
}

static int bits_of(uint64_t x)
{
    return x > 0 ? 64 - __builtin_clzll(x) : 0;
}

/* How often each value of some bits comes, and from that where the first of it goes; returns the most. */
static uint32_t count_values(const uint64_t *key, int64_t count, int shift, int bits, uint32_t *at)
{
    const uint32_t values = UINT32_C(1) << bits;
    uint32_t most = 0;
    memset(at, 0, values * sizeof *at);
    for (int64_t i = 0; i < count; i++)
        at[key[i] >> shift & (values - 1)]++;
    for (uint32_t v = 0, before = 0, here; v < values; v++, before += here) {
        here = at[v];
        at[v] = before;
        most = here > most ? here : most;
    }
    return most;
}

static void place_keys(const uint64_t *key, uint64_t *to, int64_t count, int shift, int bits, uint32_t *at)
{
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    for (int64_t i = 0; i < count; i++)
        to[at[key[i] >> shift & mask]++] = key[i];
}

static void settle(uint64_t *key, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const uint64_t one = key[i];
        int64_t at = i;
        for (; at > 0 && key[at - 1] > one; at--)
            key[at] = key[at - 1];
        key[at] = one;
    }
}

/* Keys by their lowest `low + high` bits, of which the `high` upper ones tell their order.  By the first of these
 * almost all find their places, unless many begin alike; then a digit after the other.  Returns where they are. */
static uint64_t *sort_keys(uint64_t *key, uint64_t *other, int64_t count, int low, int high)
{
    uint32_t at[1 << MOST_BITS];
    const int fit = bits_of((uint64_t)count) < MOST_BITS ? bits_of((uint64_t)count) : MOST_BITS,
              bits = high < fit ? high : fit;
    if (count_values(key, count, low + high - bits, bits, at) <= CROWD || bits == high) {
        place_keys(key, other, count, low + high - bits, bits, at);
        if (bits < high)
            settle(other, count);
        return other;
    }
    for (int shift = low; shift < low + high; shift += DIGIT) {
        (void)count_values(key, count, shift, DIGIT, at);
        place_keys(key, other, count, shift, DIGIT, at);
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
    return key;
}

void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order)
{
    int64_t least = INT64_MAX, most = 0;
    for (int64_t i = 0; i < count; i++) {
        least = entries[i] < least ? entries[i] : least;
        most = entries[i] > most ? entries[i] : most;
    }
    const int low = bits_of((uint64_t)count), high = count > 0 ? bits_of((uint64_t)(most - least)) : 0;
    if (count <= FEW ||
        low + high > 64 - DIGIT) { /* else a key has how much smaller it is than the largest, and its index */
        insert_sort(entries, count, order);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        room[i] = (uint64_t)(most - entries[i]) << low | (uint64_t)i;
    const uint64_t *sorted = sort_keys(room, room + count, count, low, high);
    for (int64_t i = 0; i < count; i++)
        order[i] = (int32_t)(sorted[i] & ((UINT64_C(1) << low) - 1));
}
