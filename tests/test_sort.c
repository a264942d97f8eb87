/* test_sort.c -- sorting in pieces is sorting, at every size around a piece's, and it can be stopped */
#include "core/memory.h"
#include "core/sort.h"
#include "support/test.h"

typedef struct item {
    int64_t key, from;
} item;

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->from > y->from) - (x->from < y->from);
}

static item *make(int64_t count)
{
    item *all = ns_malloc((size_t)(count + 1) * sizeof *all);
    uint64_t state = 7;
    for (int64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        all[i] = (item){(int64_t)(state >> 44) % (1 + count / 3), i};
    }
    return all;
}

static const int64_t counts[] = {0, 1, 2, 8191, 8192, 8193, 16384, 16385, 24576, 30000, 40961, 100000};

TEST_EACH(as_qsort, (int)(sizeof counts / sizeof *counts))
{
    const int64_t count = counts[_i];
    item *ours = make(count), *wanted = make(count);
    qsort(wanted, (size_t)count, sizeof *wanted, by_key);
    ck_assert_int_eq(ns_sort_items(ours, count, sizeof *ours, by_key, NULL), NS_OK);
    for (int64_t i = 0; i < count; i++)
        ck_assert_msg(by_key(&ours[i], &wanted[i]) == 0, "%lld of %lld", (long long)i, (long long)count);
    ns_free(ours);
    ns_free(wanted);
}

static int stop(void *user)
{
    return --*(int *)user <= 0;
}

/* One ask a piece at least. */
TEST(stopped)
{
    enum { COUNT = 100000 };
    item *all = make(COUNT);
    for (int asks = 1; asks <= COUNT / 8192; asks++) {
        int left = asks;
        const ns_context_options options = {.size = sizeof options, .stop = stop, .user = &left};
        ns_context *context;
        ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_OK);
        ns_context_use(context);
        ck_assert_int_eq(ns_sort_items(all, COUNT, sizeof *all, by_key, NULL), NS_ERR_CANCELLED);
        ns_context_use(NULL);
        ns_context_free(context);
    }
    ns_free(all);
}
