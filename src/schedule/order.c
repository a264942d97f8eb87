/* order.c -- chunks by node and size, in time linear in their number
 *
 * Chunks are sorted by pair and first entry, and pairs by receiving and then sending node.  So those of a node come in
 * the order of the other node and the first entry, and a stable sort by falling size leaves ties so.
 */
#include "schedule/strategy.h"

enum { FEW = 24, DIGIT = 6, VALUES = 1 << DIGIT };

static void insert_sort(const int64_t *entries, int64_t count, int32_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && entries[order[at - 1]] < entries[i]; at--)
            order[at] = order[at - 1];
        order[at] = (int32_t)i;
    }
}

/* Of keys from `shift` on; stable. */
static void sort_by_digit(const uint64_t *key, uint64_t *to, int64_t count, int shift)
{
    uint32_t at[VALUES + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        at[1 + (key[i] >> shift & (VALUES - 1))]++;
    for (int v = 1; v < VALUES; v++)
        at[v] += at[v - 1];
    for (int64_t i = 0; i < count; i++)
        to[at[key[i] >> shift & (VALUES - 1)]++] = key[i];
}

/* A key has how much smaller a chunk is than the largest, and below that, in `low` bits, its index. */
void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order)
{
    int64_t least = INT64_MAX, most = 0;
    int low = 0;
    for (int64_t i = 0; i < count; i++) {
        least = entries[i] < least ? entries[i] : least;
        most = entries[i] > most ? entries[i] : most;
    }
    while (count >> low > 0)
        low++;
    if (count <= FEW || most - least > INT64_MAX >> low) {
        insert_sort(entries, count, order);
        return;
    }
    uint64_t *key = room, *other = room + count;
    for (int64_t i = 0; i < count; i++)
        key[i] = (uint64_t)(most - entries[i]) << low | (uint64_t)i;
    for (int shift = low; shift < 64 && (most - least) >> (shift - low) > 0; shift += DIGIT) {
        sort_by_digit(key, other, count, shift);
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
    for (int64_t i = 0; i < count; i++)
        order[i] = (int32_t)(key[i] & ((UINT64_C(1) << low) - 1));
}
