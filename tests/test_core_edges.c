/* test_core_edges.c -- the lowest rooms at their bounds: errors, memory that is no more, threads, words too long
 *
 * How many processors there are, and whether a lock can be made, is said here, in front of the C library.
 */
#define _GNU_SOURCE

#include "core/arena.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "core/value.h"
#include "core/work.h"
#include "support/allocations.h"

#include <nsmodel/quantity.h>

#include "support/test.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

static long processors;
static bool no_lock;

long sysconf(int name)
{
    long (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_NPROCESSORS_ONLN && processors != 0 ? processors : real(name);
}

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *how)
{
    int (*real)(pthread_mutex_t *, const pthread_mutexattr_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_init");
    return no_lock ? EAGAIN : real(lock, how);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The first message stays, and what it was a matter of. */
TEST(first_error_stays)
{
    const ns_work work = {.entries = 3, .limit = 2};
    const ns_budget budget = {.used = 3, .limit = 2};
    const char *const names[] = {"one", "two"};
    ns_error err = {0};
    ck_assert_int_eq(ns_work_check(&work, NULL), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_budget_check(&budget, 0, NULL), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_refuse_name_for(NULL, "no number", "ten", names, 2, (ns_remedy)0, ""), NS_ERR_NAME);
    ns_fail(&err, NS_ERR_DATA, "the first\x7f\x1f one");
    ck_assert_str_eq(err.text, "the first?? one");
    ck_assert_int_eq(ns_work_check(&work, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_budget_check(&budget, 0, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_refuse_name_for(&err, "no number", "ten", names, 2, (ns_remedy)1, "x"), NS_ERR_NAME);
    ck_assert_int_eq(err.code, NS_ERR_DATA);
    ck_assert_int_eq(err.limit, 0);
    ck_assert_str_eq(err.text, "the first?? one");
}

TEST(status_names)
{
    ck_assert_str_eq(ns_status_name(NS_ERR_USAGE), "usage");
    ck_assert_str_eq(ns_status_name((ns_status)99), "unknown");
    ck_assert_str_eq(ns_status_name((ns_status)-1), "unknown");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

TEST(arena_without_memory)
{
    ns_arena arena = {0};
    void *room = &arena;
    ck_assert_int_eq(ns_arena_take(&arena, SIZE_MAX / 2, 3, &room, NULL), NS_ERR_MEMORY);
    if (allocations() > 0) { /* a sanitizer has memory of its own, and ends at such a size */
        ck_assert_int_eq(ns_arena_zeroed(&arena, SIZE_MAX - 20, 1, &room, NULL), NS_ERR_MEMORY);
        allocations_limit(1);
        const ns_status status = ns_arena_zeroed(&arena, 10, 10, &room, NULL);
        allocations_limit(-1);
        ck_assert_int_eq(status, NS_ERR_MEMORY);
    }
    ck_assert_ptr_eq(room, &arena);
    ck_assert_uint_eq(arena.kept, 0);
    ck_assert_int_eq(ns_arena_zeroed(&arena, 0, 8, &room, NULL), NS_OK);
    ck_assert_int_eq(*(char *)room, 0);
    ns_arena_reset(&arena); /* a single block stays */
    ck_assert_ptr_nonnull(arena.block);
    ns_arena_free(&arena);
    ck_assert_ptr_null(arena.block);
}

/* A leaf holds nothing, what is no object has no members. */
TEST(value_trees)
{
    ns_value *root = ns_value_new(), *other = ns_value_new();
    ns_value *leaf = ns_value_count(root, "a", 1);
    ck_assert_ptr_null(ns_value_get(leaf, "x"));
    ck_assert_ptr_null(ns_value_get(NULL, "x"));
    ck_assert_ptr_null(ns_value_at(root, "a.b"));
    ck_assert_ptr_eq(ns_value_at(root, "a"), leaf);
    ck_assert_ptr_nonnull(ns_value_count(root, NULL, 2)); /* a member without a name */
    ck_assert_double_eq(ns_value_get(root, "")->number, 2);
    ck_assert(ns_value_complete(root));
    ck_assert_ptr_null(ns_value_count(leaf, "x", 1));
    ck_assert(!ns_value_complete(root) && !ns_value_complete(NULL));
    ck_assert_ptr_null(ns_value_textf(NULL, "x", "%d", 1));
    ck_assert_ptr_null(ns_value_flag(NULL, 1));
    ns_value_free(root);
    ns_value_free(other);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static ns_status one_fails(void *context, int64_t item, int worker, ns_error *err)
{
    (void)worker;
    __atomic_add_fetch((int64_t *)context, 1, __ATOMIC_RELAXED);
    return item == 5 ? ns_fail(err, NS_ERR_DATA, "item %d", (int)item) : NS_OK;
}

TEST(threads)
{
    static const struct {
        long processors;
        int wanted, threads;
    } rows[] = {{1, 0, 1},   {-1, 0, 1}, {3, 0, 3},   {7, 0, 7},  {8, 0, 8},
                {500, 0, 8}, {1, 5, 5},  {1, 64, 64}, {1, 65, 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        processors = rows[i].processors;
        ck_assert_int_eq(ns_threads(rows[i].wanted), rows[i].threads);
    }
    for (int way = 0; way < 4; way++) {
        const bool told = way != 3;
        int64_t done = 0;
        ns_error err = {0};
        no_lock = way == 1;
        if (way == 2)
            ns_fail(&err, NS_ERR_UNIT, "before");
        ck_assert_int_eq(ns_parallel(9, way == 0 ? 1000 : 3, one_fails, &done, told ? &err : NULL), NS_ERR_DATA);
        ck_assert_int_ge(done, 6);
        if (told)
            ck_assert_str_eq(err.text, way == 2 ? "before" : "item 5");
        if (no_lock)
            ck_assert_int_eq(done, 6); /* one after the other */
    }
}

/* ---- words and numbers ------------------------------------------------------------------------------------------- */

TEST(closest)
{
    char far_too_long[1000];
    memset(far_too_long, 'x', sizeof far_too_long - 1);
    far_too_long[sizeof far_too_long - 1] = '\0';
    const char *const names[] = {far_too_long, "", "alpha", "b"};
    ck_assert_str_eq(ns_closest("alhpa", names, 4), "alpha");
    ck_assert_ptr_null(ns_closest(far_too_long, names, 4));
    ck_assert_str_eq(ns_closest("", names, 4), "");
    ck_assert_ptr_null(ns_closest("c", names, 4)); /* no letter of it is right */
    ck_assert_ptr_null(ns_closest("c", names, 0));
}

TEST(numbers)
{
    ck_assert(isnan(ns_round_digits(NAN, 3)) && isinf(ns_round_digits(-INFINITY, 3)));
    ck_assert_double_eq(ns_round_digits(1.23456, 3), 1.23);
    ck_assert(isinf(ns_scaled_decimal("1e999999999", 11, -6)));
    ck_assert_double_eq(ns_scaled_decimal("1e-999999999", 12, 6), 0);
    ck_assert_double_eq(ns_scaled_decimal("0e999999999", 11, 0), 0);
    ck_assert_double_eq(ns_scaled_decimal("1.7E2", 5, -6), 1.7e-4);
}

/* Text of a quantity, and the column and words of what is wrong with it. */
static const struct {
    const char *text, *unit;
    double value;
    const char *words;
} quantities[] = {
    {"\t 5 us \t", "us", 5e-6, NULL},
    {"5\tus", "us", 5e-6, NULL},
    {"2 s^2/s", "s", 2, NULL},
    {"2 B^9/B^8", "B", 2, NULL},
    {"2 s^0", "s", 0, "x: unknown unit \"s^0\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"2 s^:", "s", 0, "x: unknown unit \"s^:\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"2 ^2", "s", 0, "x: unknown unit \"^2\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"2 /", "s", 0, "x: unit \"/\" lacks a part"},
    {"2 s/", "s", 0, "x: unit \"s/\" lacks a part"},
    {"2 Gb", "B", 0, "x: b is ambiguous in \"Gb\": write B for bytes or bit"},
    {"2 xb", "B", 0, "x: unknown unit \"xb\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"2 MS", "s", 0, "x: unknown unit \"MS\", write \"ms\""},
    {"1e308 GB", "B", 0, "x: \"1e308\" is too large in this unit"},
    {"5", "nonsense", 0, "unknown unit \"nonsense\", wants one like \"us\", \"KiB\" or \"GB/s\""},
};

TEST_EACH(quantity, sizeof quantities / sizeof *quantities)
{
    double value = -7;
    ns_error err = {0};
    const ns_status status = ns_quantity_parse_as(quantities[_i].text, "x", quantities[_i].unit, &value, &err);
    ck_assert_str_eq(err.text, quantities[_i].words != NULL ? quantities[_i].words : "");
    ck_assert_int_eq(status == NS_OK, quantities[_i].words == NULL);
    ck_assert_double_eq(value, quantities[_i].words == NULL ? quantities[_i].value : -7);
}

/* Ranges by number of values, and by step. */
static const struct {
    const char *text, *unit;
    size_t count;
    double second, last;
    const char *words; /* the beginning */
} ranges[] = {
    {"1:9:5", "1", 5, 3, 9, NULL},
    {"1:9:5lin", "1", 5, 3, 9, NULL},
    {"1:16:5log", "1", 5, 2, 16, NULL},
    {"0:1MiB:+1KiB", "B", 1025, 1024, 1048576, NULL},
    {"1:9:5lio", "1", 0, 0, 0, "x: \"5lio\" is no step"},
    {"1:9:5/", "1", 0, 0, 0, "x: \"5/\" is no step"},
    {"1:9:5:", "1", 0, 0, 0, "x: "},
    {"1:9:", "1", 0, 0, 0, "x: "},
    {"1:9:1", "1", 0, 0, 0, "x: a range wants 2 to "},
    {"1:9:99999999999999999999999999", "1", 0, 0, 0, "x: a range wants 2 to "},
    {"9:1:5", "1", 0, 0, 0, "x: range \"9:1:5\" does not rise"},
    {"-1e308:1e308:3", "1", 0, 0, 0, "x: range \"-1e308:1e308:3\" is too wide"},
    {"1e-308:1e308:3", "1", 0, 0, 0, "x: range \"1e-308:1e308:3\" is too wide"},
    {"0:9:3log", "1", 0, 0, 0, "x: equal ratios want a first value above 0"},
    {"1:9q:3", "1", 0, 0, 0, "x: "},
    {"1q:9:3", "1", 0, 0, 0, "x: "},
    {"0:1MiB:+1e308", "B", 0, 0, 0, "x wants a size"},
};

TEST_EACH(range, sizeof ranges / sizeof *ranges)
{
    double *values = NULL;
    size_t count = 0;
    ns_error err = {0};
    const ns_status status = ns_range_parse(ranges[_i].text, "x", ranges[_i].unit, 5, &values, &count, &err);
    ck_assert_msg((status == NS_OK) == (ranges[_i].words == NULL), "%s: %s", ranges[_i].text, err.text);
    ck_assert_uint_eq(count, ranges[_i].count);
    if (status != NS_OK)
        ck_assert_msg(strncmp(err.text, ranges[_i].words, strlen(ranges[_i].words)) == 0, "%s", err.text);
    else {
        ck_assert_double_eq_tol(values[1], ranges[_i].second, 1e-12);
        ck_assert_double_eq(values[count - 1], ranges[_i].last);
    }
    ns_list_free(values);
}

static void setup(void)
{
    processors = 0;
    no_lock = false;
}

TEST_FIXTURE(setup, setup)
