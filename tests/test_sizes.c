/* test_sizes.c -- sizes and counts that cannot overflow, and files that ask for more than there is */
#include "core/memory.h"
#include "pattern/build.h"
#include "support/cli.h"
#include "support/test.h"

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

static const struct {
    size_t a, b, sum, product;
} sizes[] = {
    {0, 0, 0, 0},
    {3, 5, 8, 15},
    {SIZE_MAX, 0, SIZE_MAX, 0},
    {SIZE_MAX - 1, 1, SIZE_MAX, SIZE_MAX - 1},
    {SIZE_MAX, 1, SIZE_MAX, SIZE_MAX},
    {1, SIZE_MAX, SIZE_MAX, SIZE_MAX},
    {SIZE_MAX / 2 + 1, 2, SIZE_MAX / 2 + 3, SIZE_MAX},
    {SIZE_MAX / 3, 3, SIZE_MAX / 3 + 3, SIZE_MAX},
    {(size_t)1 << 32, (size_t)1 << 32, (size_t)1 << 33, SIZE_MAX},
};

TEST_EACH(sizes_saturate, COUNT(sizes))
{
    ck_assert_uint_eq(ns_size_add(sizes[_i].a, sizes[_i].b), sizes[_i].sum);
    ck_assert_uint_eq(ns_size_mul(sizes[_i].a, sizes[_i].b), sizes[_i].product);
}

static const struct {
    int64_t a, b, sum, product;
} counts[] = {
    {0, 0, 0, 0},
    {3, 5, 8, 15},
    {INT64_MAX, 0, INT64_MAX, 0},
    {INT64_MAX - 1, 1, INT64_MAX, INT64_MAX - 1},
    {INT64_MAX, 1, INT64_MAX, INT64_MAX},
    {1, INT64_MAX, INT64_MAX, INT64_MAX},
    {INT64_C(1) << 32, INT64_C(1) << 32, INT64_C(1) << 33, INT64_MAX},
    {-1, 5, -1, -1},
    {5, -1, -1, -1},
    {INT64_MIN, INT64_MIN, -1, -1},
};

TEST_EACH(counts_saturate, COUNT(counts))
{
    ck_assert_int_eq(ns_count_add(counts[_i].a, counts[_i].b), counts[_i].sum);
    ck_assert_int_eq(ns_count_mul(counts[_i].a, counts[_i].b), counts[_i].product);
}

/* What is refused leaves array, capacity and budget as they were. */
TEST(impossible_counts)
{
    static const int64_t refused[] = {-1, INT64_MIN, INT64_MAX};
    int mine;
    for (int i = 0; i < COUNT(refused); i++) {
        void *array = &mine;
        int64_t capacity = 0;
        ns_budget budget = {0};
        ns_error err = {0};
        const ns_status wanted = refused[i] < 0 ? NS_ERR_RANGE : NS_ERR_LIMIT;
        ck_assert_int_eq(ns_take(&array, refused[i], 8, &budget, &err), wanted);
        ck_assert_int_eq(err.code, wanted);
        err = (ns_error){0};
        ck_assert_int_eq(ns_grow(&array, &capacity, refused[i], 8, &budget, &err), wanted);
        ck_assert_ptr_eq(array, &mine);
        ck_assert_int_eq(capacity, 0);
        ck_assert_int_eq(budget.used, 0);
    }
}

TEST(nothing_is_one_element)
{
    void *array = NULL;
    ns_budget budget = {0};
    ck_assert_int_eq(ns_take(&array, 0, 8, &budget, NULL), NS_OK);
    ck_assert_int_eq(*(int64_t *)array, 0);
    ns_give_back(array, 0, 8, &budget);
    ck_assert_int_eq(budget.used, 0);
}

/* 2^40 entries of 2^31 - 1 bytes. */
TEST(bytes_past_63_bits)
{
    ns_builder builder;
    ns_budget budget = {0};
    ns_error err = {0};
    const int32_t to = 1, first = 0; /* part 1 is the first of node 1 */
    ck_assert_int_eq(ns_builder_open(&builder, (ns_layout){2, 1}, NULL, INT32_MAX, &budget, &err), NS_OK);
    ck_assert_int_eq(ns_builder_route(&builder, 0, to, INT64_C(1) << 40, &err), NS_OK);
    ck_assert_int_eq(ns_builder_entries(&builder, 0, INT64_C(1) << 40, to, &first, 1, &err), NS_OK);
    ck_assert_int_eq(ns_exchange_count(builder.exchange, &err), NS_ERR_LIMIT);
    ck_assert_msg(strstr(err.text, "more bytes than 63 bits count") != NULL, "%s", err.text);
    ns_exchange_free(builder.exchange);
}

/* One entry in a matrix whose rows plus one are no number. */
static const char *const commands[] = {
    "pattern --parts 8",
    "pattern --parts 8 --per-node 2 --format json",
    "netsparse --nodes 8 --k 1",
    "report -o TMP/sizes.html",
};

static const char *const tall[] = {
    "%%MatrixMarket matrix coordinate pattern general\n9223372036854775807 9223372036854775807 1\n1 1\n",
    "%%MatrixMarket matrix coordinate pattern general\n9223372036854775806 9223372036854775806 1\n1 1\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n9223372036854775807 9223372036854775807 1\n2 1\n",
    "%%MatrixMarket matrix coordinate pattern general\n9223372036854775807 3 1\n1 1\n",
};

TEST_EACH(more_rows_than_numbers, COUNT(commands) * COUNT(tall))
{
    char line[200];
    snprintf(line, sizeof line, "%s --matrix %s", commands[_i / COUNT(tall)],
             cli_file("tall.mtx", tall[_i % COUNT(tall)]));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 1, "%s: exit %d", line, r.code);
    ck_assert_msg(strstr(r.err, "of memory, more than the limit of") != NULL || strstr(r.err, "are too many") != NULL ||
                      strstr(r.err, "together (--max-work)") != NULL,
                  "%s: %s", line, r.err);
    cli_free(&r);
}
