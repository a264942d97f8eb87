/* test_needset.c -- the set of pairs of a row group and a column against a table of them, and when it is kept how */

#include "oracle/oracle.h"
#include "pattern/needset.h"
#include "support/test.h"

/* ---- what is in it ----------------------------------------------------------------------------------------------- */

enum { GROUPS = 7, TRIES = 3000 };

/* 2^27 columns and more are hashed, fewer are a bitmap; one of `spread` near either end, so that words repeat. */
static const int64_t columns[] = {1, 63, 64, 65, 640, INT64_C(1) << 27, (INT64_C(1) << 40) - 1};

static int64_t any_column(oracle_random *random, int64_t all)
{
    const int64_t spread = all < 2000 ? all : 2000, at = oracle_below(random, spread);
    return oracle_below(random, 2) == 0 ? at : all - 1 - at;
}

static int by_column(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The columns of groups [first, first + groups), each once, ascending. */
static size_t columns_of(const int64_t pair[][2], size_t pairs, int64_t first, int64_t groups, int64_t *sorted)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < pairs; i++)
        if (pair[i][0] >= first && pair[i][0] < first + groups)
            sorted[count++] = pair[i][1];
    qsort(sorted, count, sizeof *sorted, by_column);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i])
            sorted[kept++] = sorted[i];
    return kept;
}

static void check_union(const ns_needset_scratch *words, const int64_t *sorted, size_t count)
{
    size_t seen = 0;
    bool good = true;
    for (int64_t i = 0; i < words->count; i++) {
        good = good && words->word[i].bits != 0;
        for (int bit = 0; bit < 64; bit++)
            if ((words->word[i].bits >> bit & 1) != 0) {
                good = good && seen < count && (int64_t)words->word[i].key * 64 + bit == sorted[seen];
                seen++;
            }
    }
    ck_assert(good);
    ck_assert_uint_eq(seen, count);
}

TEST_EACH(unions, sizeof columns / sizeof *columns)
{
    static int64_t pair[TRIES][2], sorted[TRIES];
    oracle_random random = {(uint64_t)_i + 7};
    ns_budget budget = {0};
    ns_needset set;
    ns_needset_scratch words = {0};
    ck_assert_int_eq(ns_needset_open(&set, GROUPS, columns[_i], &budget, NULL), NS_OK);
    ck_assert((set.bitmap == NULL) == (columns[_i] > INT64_C(1) << 25));
    for (size_t i = 0; i < TRIES; i++) {
        pair[i][0] = oracle_below(&random, GROUPS - 1); /* the last group stays empty */
        pair[i][1] = any_column(&random, columns[_i]);
        if (ns_needset_add(&set, pair[i][0], pair[i][1], NULL) != NS_OK)
            ck_abort_msg("no room");
    }
    ck_assert_int_eq(ns_needset_close(&set, NULL), NS_OK);
    for (int64_t first = 0; first < GROUPS; first++)
        for (int64_t groups = 0; groups <= GROUPS - first; groups++) {
            const size_t count = columns_of((const int64_t(*)[2])pair, TRIES, first, groups, sorted);
            ck_assert_int_eq(ns_needset_union(&set, first, groups, &words, NULL), NS_OK);
            check_union(&words, sorted, count);
        }
    ns_needset_scratch_free(&words, &budget);
    ck_assert_ptr_null(words.word);
    ns_needset_free(&set);
    ck_assert_int_eq(budget.used, 0);
    ns_needset_free(&set); /* nothing is left to be freed */
}

/* One column in each group, hashed: none is lost, be it of the first group or of the last. */
TEST(one_of_each)
{
    const int64_t spread = INT64_C(1) << 30, far = 12345;
    ns_budget budget = {0};
    ns_needset set;
    ns_needset_scratch words = {0};
    ck_assert_int_eq(ns_needset_open(&set, GROUPS, spread, &budget, NULL), NS_OK);
    ck_assert_ptr_null(set.bitmap);
    for (int64_t g = 0; g < GROUPS; g++)
        ck_assert_int_eq(ns_needset_add(&set, g, far * g, NULL), NS_OK);
    ck_assert_int_eq(ns_needset_close(&set, NULL), NS_OK);
    for (int64_t g = 0; g < GROUPS; g++) {
        const int64_t column = far * g;
        ck_assert_int_eq(ns_needset_union(&set, g, 1, &words, NULL), NS_OK);
        check_union(&words, &column, 1);
    }
    ns_needset_scratch_free(&words, &budget);
    ns_needset_free(&set);
}

/* ---- how it is kept ---------------------------------------------------------------------------------------------- */

/* Up to 32 MiB a bitmap from the beginning, one word more a hash. */
TEST(bitmap_or_hash)
{
    for (int more = 0; more < 2; more++) {
        ns_budget budget = {0};
        ns_needset set;
        ck_assert_int_eq(ns_needset_open(&set, 4 + more, INT64_C(64) << 20, &budget, NULL), NS_OK);
        ck_assert((set.bitmap != NULL) == (more == 0));
        ck_assert_int_eq(budget.used, more == 0 ? INT64_C(32) << 20 : INT64_C(16) << 16);
        ns_needset_free(&set);
        ck_assert_int_eq(budget.used, 0);
    }
    for (int more = 0; more < 2; more++) { /* rounded up to words */
        ns_budget budget = {0};
        ns_needset set;
        ck_assert_int_eq(ns_needset_open(&set, 1, (INT64_C(256) << 20) + more, &budget, NULL), NS_OK);
        ck_assert((set.bitmap != NULL) == (more == 0));
        ns_needset_free(&set);
    }
}

/* One column of each word; a single assertion, as each of them is a call to the kernel. */
static void fill(ns_needset *set, int64_t from, int64_t to)
{
    bool good = true;
    for (int64_t word = from; word < to; word++)
        good = good && ns_needset_add(set, 0, 64 * word + word % 64, NULL) == NS_OK;
    ck_assert(good);
}

/* Slots double when more than 5/8 of them are used, as long as twice as many are less than the bitmap: here of 64 MiB,
 * so at most 2^21 slots of 16 B. */
TEST(growth)
{
    enum { FIRST = 1 << 16, LAST = 1 << 21 };
    ns_budget budget = {0};
    ns_needset set;
    int64_t filled = 0;
    ck_assert_int_eq(ns_needset_open(&set, 1, INT64_C(64) << 23, &budget, NULL), NS_OK);
    for (int64_t slots = FIRST; slots <= LAST; slots *= 2) {
        const int64_t most = slots / 8 * 5;
        fill(&set, filled, most);
        ck_assert_int_eq(set.slots, slots);
        ck_assert_int_eq(set.used, most);
        ck_assert_int_eq(budget.used, 16 * slots);
        fill(&set, 0, 100); /* what is there already takes no room */
        fill(&set, most, most + 1);
        filled = most + 1;
        ck_assert_int_eq(set.slots, slots < LAST ? 2 * slots : 0);
    }
    ck_assert_ptr_nonnull(set.bitmap);
    ck_assert_int_eq(budget.used, INT64_C(64) << 20);
    int64_t good = 0;
    while (good < INT64_C(1) << 23 && set.bitmap[good] == (good < filled ? UINT64_C(1) << good % 64 : 0))
        good++;
    ck_assert_int_eq(good, INT64_C(1) << 23);
    ns_needset_free(&set);
    ck_assert_int_eq(budget.used, 0);
}

/* The beginning of each group, and of one behind the last. */
TEST(closed)
{
    ns_budget budget = {0};
    ns_needset set;
    ck_assert_int_eq(ns_needset_open(&set, 1000, INT64_C(64) << 20, &budget, NULL), NS_OK);
    fill(&set, 0, 3);
    ck_assert_int_eq(ns_needset_close(&set, NULL), NS_OK);
    ck_assert_int_eq(budget.used, 16 * (INT64_C(1) << 16) + 8 * 1001);
    ck_assert_int_eq(set.start[0], 0);
    for (int g = 1; g <= 1000; g++)
        if (set.start[g] != 3)
            ck_abort_msg("group %d", g);
    ns_needset_free(&set);
}

TEST(too_many)
{
    ns_budget budget = {0};
    ns_needset set = {.groups = 5};
    ns_error err = {0};
    ck_assert_int_eq(ns_needset_open(&set, INT64_C(1) << 40, INT64_C(1) << 40, &budget, &err), NS_ERR_LIMIT);
    ck_assert_str_eq(err.text, "1099511627776 row blocks by 1099511627776 columns are too many");
    ck_assert_int_eq(set.groups, 5);
    budget.limit = 1000;
    ck_assert_int_eq(ns_needset_open(&set, 1, 64 * 126, &budget, NULL), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_needset_open(&set, 1, INT64_C(64) << 40, &budget, NULL), NS_ERR_LIMIT);
    ck_assert(set.groups == 5 && budget.used == 0);
    ck_assert_int_eq(ns_needset_open(&set, 1, 64 * 125, &budget, NULL), NS_OK);
    ns_needset_free(&set);
}

/* The limit holds while the hash grows, when it becomes a bitmap and when it is closed. */
TEST_EACH(limit_while_it_grows, 3)
{
    static const struct {
        int64_t limit, words, closes;
    } rows[] = {
        {(INT64_C(16) << 16) + (INT64_C(32) << 16) - 1, (1 << 16) / 8 * 5, 0},
        {(INT64_C(16) << 21) + (INT64_C(64) << 20) - 1, (1 << 21) / 8 * 5, 0},
        {(INT64_C(16) << 16) + 15, 10, 1},
    };
    ns_budget budget = {.limit = rows[_i].limit};
    ns_needset set;
    ns_error err = {0};
    ck_assert_int_eq(ns_needset_open(&set, 1, INT64_C(64) << 23, &budget, &err), NS_OK);
    fill(&set, 0, rows[_i].words);
    ck_assert_int_eq(rows[_i].closes ? ns_needset_close(&set, &err)
                                     : ns_needset_add(&set, 0, 64 * rows[_i].words, &err),
                     NS_ERR_LIMIT);
    ns_needset_free(&set);
    ck_assert_int_eq(budget.used, 0);
}

TEST_TIMEOUT(120)
