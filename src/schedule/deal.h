/* deal.h -- dealing messages to the processes of a node: each to the one with the fewest entries so far
 *
 * (ties: lowest rank).  The largest are dealt first.
 */
#ifndef NS_SCHEDULE_DEAL_H
#define NS_SCHEDULE_DEAL_H

#include <stdbool.h>
#include <stdint.h>

/* A process of a node by local index, with the entries that it has been dealt. */
typedef struct ns_hand {
    int64_t entries;
    int32_t rank;
} ns_hand;

static inline bool ns_hand_is_before(const ns_hand *a, const ns_hand *b)
{
    return a->entries != b->entries ? a->entries < b->entries : a->rank < b->rank;
}

/* A heap of the processes of a node, none of which was dealt anything. */
static inline void ns_deal_open(ns_hand *heap, int32_t size)
{
    for (int32_t i = 0; i < size; i++)
        heap[i] = (ns_hand){0, i};
}

/* So few hands are looked through. */
enum { NS_FEW_HANDS = 8 };

/* Hands of few processes stand by their rank. */
static inline int32_t ns_deal_few(ns_hand *hand, int32_t size, int64_t entries)
{
    int64_t least = hand[0].entries;
    int32_t rank = 0;
    for (int32_t i = 1; i < size; i++) {
        const bool less = hand[i].entries < least;
        least = less ? hand[i].entries : least;
        rank = less ? i : rank;
    }
    hand[rank].entries = least + entries;
    return rank;
}

/* Deal so many entries; returns to whom.  The first hand of the heap took more: it sinks to its place. */
static inline int32_t ns_deal_next(ns_hand *heap, int32_t size, int64_t entries)
{
    if (size <= NS_FEW_HANDS)
        return ns_deal_few(heap, size, entries);
    const ns_hand one = {heap[0].entries + entries, heap[0].rank};
    int32_t at = 0;
    for (int32_t child = 1; child < size; child = 2 * at + 1) {
        child += child + 1 < size && ns_hand_is_before(&heap[child + 1], &heap[child]);
        if (!ns_hand_is_before(&heap[child], &one))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = one;
    return one.rank;
}

#endif
