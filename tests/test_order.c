/* test_order.c -- chunks by size: the largest first, and those of one size as they come */
#include <stdlib.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "schedule/strategy.h"
#include "support/test.h"

typedef struct sized {
    int64_t entries, at;
} sized;

static int by_size(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->entries != y->entries)
        return x->entries > y->entries ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void check_order(const int64_t *entries, int64_t count)
{
    sized *expected = oracle_alloc(count, sizeof *expected);
    uint64_t *room = oracle_alloc(2 * count, sizeof *room);
    int32_t *order = oracle_alloc(count, sizeof *order);
    for (int64_t i = 0; i < count; i++)
        expected[i] = (sized){entries[i], i};
    qsort(expected, (size_t)count, sizeof *expected, by_size);
    ns_order_by_size(entries, count, room, order);
    for (int64_t i = 0; i < count; i++)
        ck_assert_int_eq(order[i], expected[i].at);
    ns_free(expected);
    ns_free(room);
    ns_free(order);
}

/* Few and many, sizes near each other and far apart, and all alike. */
TEST_EACH(largest_first, 8)
{
    static const int64_t widest[] = {1, 3, 300, INT64_C(1) << 40};
    oracle_random random = {(uint64_t)_i + 12};
    for (int64_t count = 0; count < 5000; count = 2 * count + 1 + oracle_below(&random, 3)) {
        int64_t *entries = oracle_alloc(count, sizeof *entries);
        const int64_t least = _i % 2 == 0 ? 1 : widest[_i / 2];
        for (int64_t i = 0; i < count; i++)
            entries[i] = least + oracle_below(&random, widest[_i / 2]);
        check_order(entries, count);
        ns_free(entries);
    }
}
