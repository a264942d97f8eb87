/* test_needs.c -- exchanges from own ranges and need-lists: to the bit those of the whole matrix; what is refused */

#include <nsmodel/needs.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/shared.h"
#include "support/test.h"

/* What every process of a matrix in equal blocks owns and needs: every column of its rows, own ones and repeats too. */
typedef struct hosts {
    int32_t processes;
    ns_process_needs *of;
    int64_t *wide;
    int32_t *narrow;
} hosts;

static int64_t block(int64_t p, int64_t n, int64_t processes)
{
    return p * n / processes;
}

static void open_hosts(const oracle_matrix *a, int32_t processes, bool wide, bool falling, hosts *h)
{
    *h = (hosts){.processes = processes,
                 .of = ns_calloc((size_t)processes, sizeof *h->of),
                 .wide = ns_calloc((size_t)a->entries + 1, sizeof *h->wide),
                 .narrow = ns_calloc((size_t)a->entries + 1, sizeof *h->narrow)};
    for (int32_t p = 0; p < processes; p++) {
        const int64_t from = a->row_start[block(p, a->rows, processes)],
                      end = a->row_start[block(p + 1, a->rows, processes)];
        for (int64_t i = from; i < end; i++) {
            h->wide[i] = a->col_of[falling ? from + end - 1 - i : i];
            h->narrow[i] = (int32_t)h->wide[i];
        }
        h->of[p] = (ns_process_needs){.first = block(p, a->cols, processes),
                                      .last = block(p + 1, a->cols, processes),
                                      .count = end - from,
                                      .column_32 = wide ? NULL : h->narrow + from,
                                      .column_64 = wide ? h->wide + from : NULL};
    }
}

static void close_hosts(hosts *h)
{
    ns_free(h->of);
    ns_free(h->wide);
    ns_free(h->narrow);
}

static void same_bytes(const void *a, const void *b, int64_t count, size_t size, const char *what)
{
    ck_assert_msg(count == 0 || memcmp(a, b, (size_t)count * size) == 0, "%s differ", what);
}

static void same(const ns_exchange *a, const ns_exchange *b)
{
    ck_assert_int_eq(a->parts, b->parts);
    ck_assert_int_eq(a->nodes, b->nodes);
    ck_assert_int_eq(a->width, b->width);
    ck_assert_int_eq(a->routes, b->routes);
    ck_assert_int_eq(a->pairs, b->pairs);
    ck_assert_int_eq(a->runs, b->runs);
    ck_assert_int_eq(a->needers, b->needers);
    for (int64_t i = 0; i < a->routes; i++)
        ck_assert(a->route[i].from == b->route[i].from && a->route[i].to == b->route[i].to &&
                  a->route[i].entries == b->route[i].entries);
    same_bytes(a->pair, b->pair, a->pairs, sizeof *a->pair, "pairs");
    same_bytes(a->run, b->run, a->runs, sizeof *a->run, "runs");
    same_bytes(a->needer, b->needer, a->needers, sizeof *a->needer, "needers");
    same_bytes(a->need, b->need, a->parts, sizeof *a->need, "needs");
    same_bytes(&a->pattern, &b->pattern, 1, sizeof a->pattern, "patterns");
}

/* Blocks, and a map that jumps between nodes and leaves one empty. */
static ns_site *site_of(int32_t processes, int kind)
{
    ns_site *site = NULL;
    int32_t *node = ns_calloc((size_t)processes, sizeof *node);
    for (int32_t p = 0; p < processes; p++)
        node[p] = p * p % 7 == 3 ? 0 : p * p % 7;
    ck_assert(kind == 0 ? ns_site_blocks(processes, 4, 0, &site, NULL) == NS_OK
                        : ns_site_from_map(processes, 7, node, 0, NULL, &site, NULL) == NS_OK);
    ns_free(node);
    return site;
}

static void compare_on(const oracle_matrix *a, int32_t processes, int kind, bool wide, bool falling)
{
    hosts h;
    ns_error err = {0};
    ns_exchange *expected = NULL, *got = NULL;
    ns_site *site = site_of(processes, kind);
    const ns_exchange_options options = {.width = 16, .site = kind == 0 ? NULL : site};
    ck_assert_msg(ns_exchange_from_csr(a->rows, a->cols, a->row_start, a->col_of, (ns_layout){processes, 4}, &options,
                                       &expected, &err) == NS_OK,
                  "%s", err.text);
    open_hosts(a, processes, wide, falling, &h);
    ck_assert_msg(ns_exchange_from_needs(h.of, site, 16, NULL, &got, &err) == NS_OK, "%s", err.text);
    same(expected, got);
    ns_exchange_free(got);
    ns_exchange_free(expected);
    ns_site_free(site);
    close_hosts(&h);
}

static const int32_t processes_of[] = {1, 2, 3, 7, 16, 31, 64};
enum { SIZES = sizeof processes_of / sizeof *processes_of };

TEST_EACH(random_matrices, 60)
{
    oracle_random random = {(uint64_t)_i};
    oracle_matrix a;
    const int64_t rows = 1 + oracle_below(&random, 400), cols = 1 + oracle_below(&random, 400);
    oracle_random_matrix(&random, rows, cols, oracle_below(&random, 3000), (int)oracle_below(&random, 2), &a);
    for (int i = 0; i < SIZES; i++)
        for (int how = 0; how < 8; how++)
            compare_on(&a, processes_of[i], how & 1, (how & 2) != 0, (how & 4) != 0);
    oracle_matrix_free(&a);
}

static const char *const real[] = {"data/matrices/xenon1.mtx.gz", "data/matrices/fast0507.mtx.gz",
                                   "data/matrices/NotreDame_www.mtx.gz"};

TEST_EACH(real_matrices, sizeof real / sizeof *real)
{
    char path[4096];
    oracle_matrix a;
    if (!shared_path("needs", real[_i], path, sizeof path))
        return;
    ck_assert(oracle_read(path, &a));
    for (int i = 0; i < SIZES; i++)
        compare_on(&a, processes_of[i], i & 1, (i & 2) != 0, false);
    oracle_matrix_free(&a);
}

/* Ranges say the same as the columns one by one, and processes may come in any order. */
TEST(ranges_in_any_order)
{
    static const int64_t list[] = {30, 31, 32, 5, 6, 7, 8, 12};
    static const ns_column_range ranges[] = {{30, 2}, {31, 2}, {5, 4}, {12, 1}, {3, 0}};
    ns_site *site = NULL;
    ns_needs *needs[2] = {NULL, NULL};
    ns_exchange *x[2] = {NULL, NULL};
    ck_assert(ns_site_blocks(3, 1, 0, &site, NULL) == NS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert(ns_needs_begin(site, 0, NULL, &needs[i], NULL) == NS_OK);
        ck_assert(ns_needs_add_32(needs[i], 2, 0, 10, NULL, 0, NULL) == NS_OK);
        ck_assert((i == 0 ? ns_needs_add_64(needs[i], 0, 10, 20, list, 8, NULL)
                          : ns_needs_add_ranges(needs[i], 0, 10, 20, ranges, 5, NULL)) == NS_OK);
        ck_assert(ns_needs_add_32(needs[i], 1, 20, 40, NULL, 0, NULL) == NS_OK);
        ck_assert(ns_needs_finish(needs[i], &x[i], NULL) == NS_OK);
    }
    same(x[0], x[1]);
    ck_assert_int_eq(x[0]->routes, 2);
    ck_assert(x[0]->route[0].from == 1 && x[0]->route[0].entries == 3 && x[0]->route[1].entries == 4);
    ck_assert_int_eq(x[0]->width, 8);
    for (int i = 0; i < 2; i++) {
        ns_exchange_free(x[i]);
        ns_needs_free(needs[i]);
    }
    ns_site_free(site);
}

static void says(ns_status got, ns_status expected, ns_error *err, const char *text)
{
    ck_assert_int_eq(got, expected);
    ck_assert_str_eq(err->text, text);
    *err = (ns_error){0};
}

TEST(refused)
{
    static const int32_t narrow[] = {3, -5};
    static const int64_t wide[] = {25, 90};
    static const ns_column_range far[] = {{4, INT64_MAX}};
    ns_site *site = NULL;
    ns_needs *n = NULL;
    ns_exchange *x = NULL;
    ns_error err = {0};
    ck_assert(ns_site_blocks(3, 1, 0, &site, NULL) == NS_OK);
    says(ns_needs_begin(site, -1, NULL, &n, &err), NS_ERR_RANGE, &err,
         "the width of an entry has to be 1 B to 2 GB, got -1");
    ck_assert(ns_needs_begin(site, 8, NULL, &n, &err) == NS_OK);
    says(ns_needs_add_32(n, 3, 0, 1, NULL, 0, &err), NS_ERR_RANGE, &err, "process 3: the site has processes 0 to 2");
    says(ns_needs_add_32(n, 1, 7, 5, NULL, 0, &err), NS_ERR_RANGE, &err,
         "process 1 owns columns 7 to before 5, which is no range");
    says(ns_needs_add_32(n, 1, 10, 20, narrow, 2, &err), NS_ERR_RANGE, &err,
         "item 1 of what process 1 needs is column -5: columns go from 0");
    says(ns_needs_add_ranges(n, 1, 10, 20, far, 1, &err), NS_ERR_RANGE, &err,
         "item 0 of what process 1 needs is column 4 on: columns go from 0");
    says(ns_needs_add_64(n, 1, 10, 20, NULL, 2, &err), NS_ERR_RANGE, &err, "process 1 needs 2 columns of no list");
    ck_assert(ns_needs_add_64(n, 1, 10, 20, wide, 2, &err) == NS_OK);
    says(ns_needs_add_32(n, 1, 10, 20, NULL, 0, &err), NS_ERR_DATA, &err, "process 1 is added a second time");
    ck_assert(ns_needs_add_32(n, 0, 0, 10, NULL, 0, &err) == NS_OK);
    says(ns_needs_finish(n, &x, &err), NS_ERR_DATA, &err, "process 2 of 3 was not added");
    ck_assert(ns_needs_add_32(n, 2, 20, 30, NULL, 0, &err) == NS_OK);
    says(ns_needs_finish(n, &x, &err), NS_ERR_DATA, &err, "process 1 needs column 90, which no process owns");
    ns_needs_free(n);
    ck_assert(ns_needs_begin(site, 8, NULL, &n, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 0, 0, 10, NULL, 0, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 1, 10, 20, NULL, 0, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 2, 9, 9, NULL, 0, &err) == NS_OK); /* owns none */
    ck_assert(ns_needs_finish(n, &x, &err) == NS_OK);
    ns_exchange_free(x);
    ns_needs_free(n);
    ck_assert(ns_needs_begin(site, 8, NULL, &n, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 0, 0, 10, NULL, 0, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 1, 10, 20, NULL, 0, &err) == NS_OK);
    ck_assert(ns_needs_add_32(n, 2, 19, 30, NULL, 0, &err) == NS_OK);
    x = NULL;
    says(ns_needs_finish(n, &x, &err), NS_ERR_DATA, &err, "processes 1 and 2 both own column 19");
    ck_assert_ptr_null(x);
    ns_needs_free(n);
    ns_site_free(site);
}

TEST(limits)
{
    static const int64_t some[] = {11, 13, 15, 25};
    const ns_limits few_routes = {.max_work = 1}, little = {.max_memory = 200};
    const ns_process_needs of[] = {{0, 10, 4, NULL, some}, {10, 20, 0, NULL, NULL}, {20, 30, 0, NULL, NULL}};
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    ns_error err = {0};
    ck_assert(ns_site_blocks(3, 1, 0, &site, NULL) == NS_OK);
    ck_assert_int_eq(ns_exchange_from_needs(of, site, 8, &few_routes, &x, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_WORK);
    err = (ns_error){0};
    ck_assert_int_eq(ns_exchange_from_needs(of, site, 8, &little, &x, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    ck_assert_ptr_null(x);
    ns_site_free(site);
}

TEST_TIMEOUT(120)
