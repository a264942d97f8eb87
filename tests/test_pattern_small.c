/* test_pattern_small.c -- the pattern of every small real matrix against the oracle: 7 counts of parts, 3 of parts per
 * node; test_pattern.c has one matrix by hand and random ones
 */

#include <nsmodel/matrix.h>

#include "oracle/oracle.h"
#include "pattern/exchange.h"

#include "support/shared.h"
#include "support/test.h"

enum { PARTS = 7, SIZES = 3, LAYOUTS = PARTS * SIZES };
static const int32_t parts_of[PARTS] = {1, 2, 3, 7, 16, 64, 1000};
static const int32_t per_node_of[SIZES] = {1, 4, 6};

static char **files;
static int file_count;

/* Not Matrix Market, packed otherwise, or an extension of another tool. */
static bool known_refusal(const char *file)
{
    static const char *const endings[] = {".bz2", ".rsa", ".rua", "WeightedMtxExample.mtx"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strlen(file) > strlen(endings[i]) && strcmp(file + strlen(file) - strlen(endings[i]), endings[i]) == 0)
            return true;
    return false;
}

static bool is_note(const char *file)
{
    return strstr(file, "MANIFEST.csv") != NULL || strstr(file, "PROVENANCE.md") != NULL;
}

/* All layouts in one call: patterns, routes, pairs and runs. */
static void check_layouts(ns_matrix *matrix, const oracle_matrix *expected, const char *file)
{
    ns_error err = {0};
    ns_layout layout[LAYOUTS];
    ns_exchange *exchange[LAYOUTS];
    int64_t nonzeros = -1;
    char why[256] = "";
    for (int i = 0; i < LAYOUTS; i++)
        layout[i] = (ns_layout){parts_of[i / SIZES], per_node_of[i % SIZES]};
    ck_assert_msg(ns_exchange_from_matrix(matrix, layout, LAYOUTS, NULL, exchange, &nonzeros, &err) == NS_OK, "%s: %s",
                  file, err.text);
    ck_assert_msg(nonzeros == expected->entries, "%s: %lld entries, expected %lld", file, (long long)nonzeros,
                  (long long)expected->entries);
    for (int i = 0; i < LAYOUTS; i++) {
        oracle_need need;
        ns_pattern pattern;
        oracle_need_of(expected, layout[i].parts, NULL, &need);
        oracle_pattern(&need, layout[i].per_node, 8, &pattern);
        ck_assert_msg(oracle_same_pattern(&pattern, &exchange[i]->pattern, why) &&
                          oracle_same_exchange(&need, exchange[i], why),
                      "%s, %d parts, %d per node: %s", file, layout[i].parts, layout[i].per_node, why);
        oracle_need_free(&need);
        ns_exchange_free(exchange[i]);
    }
}

/* One layout alone: the same, and NetSparse's view. */
static void check_single(ns_matrix *matrix, const oracle_matrix *expected, const char *file)
{
    for (int i = 0; i < PARTS; i++) {
        ns_error err = {0};
        ns_netsparse_view view = {.size = sizeof view}, seen = view;
        ns_exchange_options options = {.view = &view};
        ns_layout layout = {parts_of[i], 1};
        ns_exchange *exchange = NULL;
        oracle_need need;
        ns_pattern pattern;
        char why[256] = "";
        ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, &options, &exchange, NULL, &err) == NS_OK, "%s: %s",
                      file, err.text);
        oracle_need_of(expected, parts_of[i], NULL, &need);
        oracle_pattern(&need, 1, 8, &pattern);
        oracle_netsparse(expected, &need, NULL, 16, &seen);
        ck_assert_msg(oracle_same_pattern(&pattern, &exchange->pattern, why) &&
                          oracle_same_exchange(&need, exchange, why) && oracle_same_view(&seen, &view, why),
                      "%s, %d parts alone: %s", file, parts_of[i], why);
        oracle_need_free(&need);
        ns_exchange_free(exchange);
    }
}

static int find_files(void)
{
    char folder[4096];
    if (!shared_matrices("small matrices"))
        return 0;
    snprintf(folder, sizeof folder, "%s/data/matrices/small", shared_dir());
    files = oracle_walk(folder);
    while (files[file_count] != NULL)
        file_count++;
    return file_count;
}

TEST_EACH(every_small_matrix, find_files())
{
    const char *file = files[_i];
    ns_error err = {0};
    ns_matrix *matrix = NULL;
    oracle_matrix expected;
    if (is_note(file))
        return;
    ns_status opened = ns_matrix_open(file, &matrix, &err);
    if (!oracle_read(file, &expected)) {
        ck_assert_msg(opened != NS_OK, "%s is read, though the oracle cannot", file);
        ck_assert_msg(known_refusal(file), "%s is not known to be unreadable", file);
        return;
    }
    ck_assert_msg(opened == NS_OK, "%s is refused: %s", file, err.text);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ck_assert_msg(info->rows == expected.rows && info->cols == expected.cols, "%s: %lld x %lld, expected %lld x %lld",
                  file, (long long)info->rows, (long long)info->cols, (long long)expected.rows,
                  (long long)expected.cols);
    check_layouts(matrix, &expected, file);
    check_single(matrix, &expected, file);
    ns_matrix_free(matrix);
    oracle_matrix_free(&expected);
}

TEST_TIMEOUT(300)
