/* test_intervals.c -- need sets out of column ranges are those out of single entries, to the last run
 *
 * The oracle is the library's own path entry by entry, which tests/test_pattern_*.c hold against the definition.
 */

#include "core/memory.h"
#include "matrix/source.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "pattern/needset.h"
#include "support/shared.h"
#include "support/test.h"

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

static void same_exchange(const ns_exchange *a, const ns_exchange *b, const char *what)
{
    ck_assert_msg(memcmp(&a->pattern, &b->pattern, sizeof a->pattern) == 0, "%s: other counts", what);
    ck_assert_msg(a->routes == b->routes && a->pairs == b->pairs && a->runs == b->runs && a->needers == b->needers,
                  "%s: %lld routes, %lld pairs, %lld runs; entry by entry %lld, %lld, %lld", what, (long long)a->routes,
                  (long long)a->pairs, (long long)a->runs, (long long)b->routes, (long long)b->pairs,
                  (long long)b->runs);
    for (int64_t i = 0; i < a->routes; i++)
        ck_assert_msg(a->route[i].from == b->route[i].from && a->route[i].to == b->route[i].to &&
                          a->route[i].entries == b->route[i].entries,
                      "%s: route %lld", what, (long long)i);
    for (int64_t i = 0; i < a->pairs; i++)
        ck_assert_msg(a->pair[i].from == b->pair[i].from && a->pair[i].to == b->pair[i].to &&
                          a->pair[i].entries == b->pair[i].entries && a->pair[i].run == b->pair[i].run &&
                          a->pair[i].runs == b->pair[i].runs,
                      "%s: pair %lld", what, (long long)i);
    for (int64_t i = 0; i < a->runs; i++)
        ck_assert_msg(a->run[i].first == b->run[i].first && a->run[i].entries == b->run[i].entries &&
                          a->run[i].origin == b->run[i].origin && a->run[i].needers == b->run[i].needers &&
                          a->run[i].needer == b->run[i].needer,
                      "%s: run %lld", what, (long long)i);
    for (int64_t i = 0; i < a->needers; i++)
        ck_assert_msg(a->needer[i] == b->needer[i], "%s: needer %lld", what, (long long)i);
    for (int32_t i = 0; i < a->parts; i++)
        ck_assert_msg(a->need[i] == b->need[i], "%s: part %d needs %lld, not %lld", what, i, (long long)a->need[i],
                      (long long)b->need[i]);
}

enum { LAYOUTS = 3 };

/* The same layouts from both ways of asking the matrix. */
static void both_ways(ns_matrix *matrix, const ns_layout *layout, size_t layouts, const ns_exchange_options *options,
                      const char *what)
{
    ns_exchange *told[LAYOUTS], *read[LAYOUTS];
    ns_error err = {0};
    int64_t nonzeros_told = -1, nonzeros_read = -2;
    ck_assert_msg(ns_exchange_from_matrix(matrix, layout, layouts, options, told, &nonzeros_told, &err) == NS_OK,
                  "%s: %s", what, err.text);
    ns_matrix reading = *matrix;
    reading.columns = NULL;
    reading.scan_patches = NULL;
    ck_assert_msg(ns_exchange_from_matrix(&reading, layout, layouts, options, read, &nonzeros_read, &err) == NS_OK,
                  "%s: %s", what, err.text);
    ck_assert_int_eq(nonzeros_told, nonzeros_read);
    for (size_t i = 0; i < layouts; i++) {
        same_exchange(told[i], read[i], what);
        ns_exchange_free(told[i]);
        ns_exchange_free(read[i]);
    }
}

/* Extents from 1, so that axes of one node and grids smaller than the parts come too. */
static ns_matrix *random_stencil(oracle_random *random, char spec[80])
{
    static const int points[] = {5, 9, 7, 27};
    const int64_t which = oracle_below(random, 4), most = oracle_below(random, 2) != 0 ? 5 : which < 2 ? 40 : 14;
    int used = snprintf(spec, 80, "stencil%d", points[which]);
    for (int d = 0; d < (which < 2 ? 2 : 3); d++)
        used +=
            snprintf(spec + used, 80 - (size_t)used, "%c%d", d == 0 ? ':' : 'x', (int)(1 + oracle_below(random, most)));
    if (oracle_below(random, 3) == 0)
        snprintf(spec + used, 80 - (size_t)used, "x%d", (int)(1 + oracle_below(random, 4)));
    ns_matrix *matrix;
    ns_error err = {0};
    ck_assert_msg(ns_matrix_open(spec, &matrix, &err) == NS_OK, "%s: %s", spec, err.text);
    ck_assert(matrix->columns != NULL);
    return matrix;
}

TEST_EACH(blocks, 12)
{
    oracle_random random = {(uint64_t)_i * 1000 + 7};
    for (int i = 0; i < 40; i++) {
        char spec[80], what[160];
        ns_layout layout[LAYOUTS];
        ns_matrix *matrix = random_stencil(&random, spec);
        const int64_t rows = ns_matrix_describe(matrix)->rows;
        for (int l = 0; l < LAYOUTS; l++)
            layout[l] = (ns_layout){(int32_t)(1 + oracle_below(&random, l == 0   ? rows + 3
                                                                        : l == 1 ? 40
                                                                                 : 7)),
                                    (int32_t)(1 + oracle_below(&random, 9))};
        snprintf(what, sizeof what, "%s, %d parts, %d a node", spec, layout[0].parts, layout[0].per_node);
        both_ways(matrix, layout, LAYOUTS, NULL, what);
        ns_matrix_free(matrix);
    }
}

/* Parts stand on nodes in any order: their ranges are sorted by where they stand. */
TEST_EACH(sites, 6)
{
    oracle_random random = {(uint64_t)_i * 1000 + 11};
    for (int i = 0; i < 20; i++) {
        char spec[80];
        int32_t node_of[30];
        ns_site *site;
        ns_error err = {0};
        ns_matrix *matrix = random_stencil(&random, spec);
        const ns_layout layout = {(int32_t)(2 + oracle_below(&random, 29)), 1};
        for (int32_t p = 0; p < layout.parts; p++)
            node_of[p] = (int32_t)oracle_below(&random, 6);
        ck_assert_msg(ns_site_from_map(layout.parts, 6, node_of, 0, NULL, &site, &err) == NS_OK, "%s", err.text);
        both_ways(matrix, &layout, 1, &(ns_exchange_options){.site = site}, spec);
        ns_site_free(site);
        ns_matrix_free(matrix);
    }
}

/* Runs of rows in one part, as partitioners leave them, and single ones. */
TEST_EACH(partitions, 6)
{
    oracle_random random = {(uint64_t)_i * 1000 + 13};
    for (int i = 0; i < 20; i++) {
        char spec[80];
        ns_matrix *matrix = random_stencil(&random, spec);
        const int64_t rows = ns_matrix_describe(matrix)->rows, longest = 1 + oracle_below(&random, 30);
        int32_t *part = oracle_alloc(rows, sizeof *part);
        const ns_layout layout = {(int32_t)(1 + oracle_below(&random, 20)), (int32_t)(1 + oracle_below(&random, 5))};
        for (int64_t row = 0; row < rows;) {
            const int32_t p = (int32_t)oracle_below(&random, layout.parts);
            for (int64_t left = 1 + oracle_below(&random, longest); left > 0 && row < rows; left--)
                part[row++] = p;
        }
        both_ways(matrix, &layout, 1, &(ns_exchange_options){.part = part}, spec);
        ns_free(part);
        ns_matrix_free(matrix);
    }
}

/* ---- patches of .nsp --------------------------------------------------------------------------------------------- */

/* Runs along rows, single entries and repeats, general or symmetric, saved as .nsp. */
static ns_matrix *random_structure(oracle_random *random)
{
    enum { ROOM = 1 << 18, RUNS = 300 };
    static char text[ROOM], body[ROOM];
    const bool symmetric = oracle_below(random, 2) != 0;
    const int64_t rows = 1 + oracle_below(random, 200), cols = symmetric ? rows : 1 + oracle_below(random, 300);
    int entries = 0;
    size_t used = 0;
    for (int64_t i = oracle_below(random, RUNS); i >= 0; i--) {
        const int64_t row = oracle_below(random, rows), most = symmetric ? row + 1 : cols;
        int64_t col = oracle_below(random, most);
        for (int64_t left = 1 + oracle_below(random, i % 3 == 0 ? 1 : 40); left > 0 && col < most; left--, col++)
            used += (size_t)snprintf(body + used, ROOM - used, "%lld %lld\n", (long long)row + 1, (long long)col + 1),
                entries++;
    }
    const int size =
        snprintf(text, ROOM, "%%%%MatrixMarket matrix coordinate pattern %s\n%lld %lld %d\n%.*s",
                 symmetric ? "symmetric" : "general", (long long)rows, (long long)cols, entries, (int)used, body);
    ns_matrix *matrix, *saved;
    ns_error err = {0};
    char path[400];
    ck_assert_msg(ns_matrix_open(scratch_file("runs.mtx", text, (size_t)size), &matrix, &err) == NS_OK, "%s", err.text);
    snprintf(path, sizeof path, "%s", scratch_file("runs.nsp", "", 0));
    ck_assert_msg(ns_matrix_save(matrix, path, 0, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_matrix_open(path, &saved, &err) == NS_OK, "%s", err.text);
    ck_assert(saved->scan_patches != NULL);
    ns_matrix_free(matrix);
    return saved;
}

TEST_EACH(patches, 8)
{
    oracle_random random = {(uint64_t)_i * 1000 + 19};
    for (int i = 0; i < 30; i++) {
        ns_layout layout[LAYOUTS];
        ns_matrix *matrix = random_structure(&random);
        const ns_matrix_info *info = ns_matrix_describe(matrix);
        for (int l = 0; l < LAYOUTS; l++)
            layout[l] = (ns_layout){(int32_t)(1 + oracle_below(&random, l == 0 ? info->rows + 3 : 20)),
                                    (int32_t)(1 + oracle_below(&random, 5))};
        both_ways(matrix, layout, LAYOUTS, NULL, "blocks");
        if (info->rows == info->cols) {
            int32_t *part = oracle_alloc(info->rows, sizeof *part);
            for (int64_t row = 0; row < info->rows; row++)
                part[row] = (int32_t)oracle_below(&random, layout[1].parts);
            both_ways(matrix, &layout[1], 1, &(ns_exchange_options){.part = part}, "a partition");
            ns_free(part);
        }
        ns_matrix_free(matrix);
    }
}

/* Far more rows than could be read: n lines of n nodes in strips of whole lines have one line on each side. */
TEST(huge)
{
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_error err = {0};
    const int64_t n = 300000;
    ck_assert_msg(ns_matrix_open("stencil5:300000x300000", &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, &(ns_layout){1000, 4}, 1, NULL, &exchange, NULL, &err) == NS_OK, "%s",
                  err.text);
    ck_assert_int_eq(exchange->pattern.messages_total, 2 * 999);
    ck_assert_int_eq(exchange->pattern.bytes_total, 2 * 999 * n * 8);
    ck_assert_int_eq(exchange->pattern.unique_bytes_off_node, 2 * 249 * n * 8);
    ck_assert_int_eq(exchange->runs, 2 * 249);
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void same_union(const ns_needset *a, const ns_needset *b, int64_t first, int64_t groups, ns_budget *budget)
{
    ns_needset_scratch x = {0}, y = {0};
    ck_assert(ns_needset_union(a, first, groups, &x, NULL) == NS_OK);
    ck_assert(ns_needset_union(b, first, groups, &y, NULL) == NS_OK);
    ck_assert_int_eq(x.count, y.count);
    for (int64_t i = 0; i < x.count; i++)
        ck_assert(x.word[i].key == y.word[i].key && x.word[i].bits == y.word[i].bits);
    ns_needset_scratch_free(&x, budget);
    ns_needset_scratch_free(&y, budget);
}

/* As a bitmap, and as a hash, which is for more than 32 MiB of bits. */
TEST_EACH(ranges_of_a_set, 6)
{
    oracle_random random = {(uint64_t)_i + 17};
    const int64_t groups = 50, cols = _i % 2 == 0 ? 1000 : INT64_C(20000001);
    ns_budget budget = {0};
    ns_needset ranges, single;
    ck_assert(ns_needset_open(&ranges, groups, cols, &budget, NULL) == NS_OK);
    ck_assert(ns_needset_open(&single, groups, cols, &budget, NULL) == NS_OK);
    ck_assert_int_eq(ranges.bitmap != NULL, _i % 2 == 0);
    for (int i = 0; i < 2000; i++) {
        const int64_t group = oracle_below(&random, groups), first = oracle_below(&random, cols),
                      longest = oracle_below(&random, 2) == 0 ? 5 : 300;
        int64_t count = 1 + oracle_below(&random, longest);
        count = count < cols - first ? count : cols - first;
        ck_assert(ns_needset_add_range(&ranges, group, first, count, NULL) == NS_OK);
        for (int64_t col = first; col < first + count; col++)
            ck_assert(ns_needset_add(&single, group, col, NULL) == NS_OK);
    }
    ck_assert(ns_needset_close(&ranges, NULL) == NS_OK && ns_needset_close(&single, NULL) == NS_OK);
    for (int64_t group = 0; group < groups; group++)
        same_union(&ranges, &single, group, 1, &budget);
    same_union(&ranges, &single, 3, 17, &budget);
    ns_needset_free(&ranges);
    ns_needset_free(&single);
    ck_assert_int_eq(budget.used, 0);
}

TEST_TIMEOUT(120)
