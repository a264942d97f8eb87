/* sort.c -- sorting that a host can stop: pieces sorted by qsort, at most a millisecond each, merged in rounds */
#include "core/sort.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/own.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 8192 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static ns_status merge_pieces(char *array, char *other, int64_t count, size_t size,
                              int (*compare)(const void *, const void *), ns_error *err)
{
    char *from = array, *to = other;
    for (int64_t sorted = PIECE; sorted < count; sorted *= 2) {
        for (int64_t at = 0; at < count; at += 2 * sorted) {
            /* Merge [begin, middle) and [middle, end) of `from`, both sorted, into the same positions of `to`. */
            int64_t middle = smaller(at + sorted, count);
            int64_t end = smaller(at + 2 * sorted, count);
            int64_t left = at, right = middle;
            for (int64_t i = at; i < end; i++) {
                const bool first = right == end || (left < middle && compare(from + (size_t)left * size,
                                                                             from + (size_t)right * size) <= 0);
                memcpy(to + (size_t)i * size, from + (size_t)(first ? left++ : right++) * size, size);
                NS_TRY(ns_context_turn(i, err));
            }
        }
        char *const before = from;
        from = to;
        to = before;
    }
    for (int64_t at = 0; from != array && at < count; at += PIECE) {
        memcpy(array + (size_t)at * size, from + (size_t)at * size, (size_t)smaller(PIECE, count - at) * size);
        NS_TRY(ns_context_ask(err));
    }
    return NS_OK;
}

ns_status ns_sort_items(void *array, int64_t count, size_t size, int (*compare)(const void *, const void *),
                        ns_error *err)
{
    if (count < 2)
        return NS_OK;
    for (int64_t at = 0; at < count; at += PIECE) {
        qsort((char *)array + (size_t)at * size, (size_t)smaller(PIECE, count - at), size, compare);
        NS_TRY(ns_context_ask(err));
    }
    if (count <= PIECE)
        return NS_OK;
    NS_OWN(ns_free) char *other = ns_malloc(ns_size_mul((size_t)count, size));
    if (other == NULL)
        return ns_no_memory(err);
    return merge_pieces(array, other, count, size, compare, err);
}
