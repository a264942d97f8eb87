/* test_stencil.c -- grids by name against the definition: two nodes are neighbours when their coordinates are near
 *
 * The oracle looks at every pair of unknowns.  Counts of the large ones: the closed forms at the head of stencil.c and,
 * for stencil27:68x68x68x3, 202^3 x 9 = 74,181,672.
 */

#include <nsmodel/matrix.h>

#include "support/slow_matrix.h"
#include "support/test.h"

typedef struct grid {
    const char *spec;
    int points;
    int64_t extent[3], unknowns;
} grid;

static const grid grids[] = {
    {"stencil5:4x3", 5, {1, 4, 3}, 1},         {"stencil5:1x1", 5, {1, 1, 1}, 1},
    {"stencil5:1x5", 5, {1, 1, 5}, 1},         {"stencil9:3x5", 9, {1, 3, 5}, 1},
    {"stencil9:2x2", 9, {1, 2, 2}, 1},         {"stencil9:5x1x2", 9, {1, 5, 1}, 2},
    {"stencil5:3x2x3", 5, {1, 3, 2}, 3},       {"stencil7:3x4x2", 7, {3, 4, 2}, 1},
    {"stencil7:2x1x3x2", 7, {2, 1, 3}, 2},     {"stencil27:3x4x5", 27, {3, 4, 5}, 1},
    {"stencil27:2x3x2x3", 27, {2, 3, 2}, 3},   {"stencil27:1x1x1x4", 27, {1, 1, 1}, 4},
    {"stencil27:10x9x8x2", 27, {10, 9, 8}, 2},
};

static bool near(const grid *g, int64_t a, int64_t b)
{
    int64_t distance = 0, widest = 0;
    for (int d = 2; d >= 0; a /= g->extent[d], b /= g->extent[d], d--) { /* the last dimension is the fastest */
        int64_t apart = llabs(a % g->extent[d] - b % g->extent[d]);
        distance += apart;
        widest = apart > widest ? apart : widest;
    }
    return g->points == 9 || g->points == 27 ? widest <= 1 : distance <= 1;
}

static ns_status open_spec(const char *spec, ns_matrix **matrix, ns_error *err)
{
    *err = (ns_error){.code = NS_OK};
    return ns_matrix_open(spec, matrix, err);
}

TEST_EACH(entries_by_definition, (int)(sizeof grids / sizeof *grids))
{
    const grid *g = &grids[_i];
    ns_matrix *matrix;
    ns_error err;
    ck_assert_msg(open_spec(g->spec, &matrix, &err) == NS_OK, "%s", err.text);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    const int64_t rows = g->extent[0] * g->extent[1] * g->extent[2] * g->unknowns;
    ck_assert(info->rows == rows && info->cols == rows && info->source == NS_GENERATED && info->symmetry == NS_GENERAL);
    ck_assert_str_eq(info->name, g->spec);
    ck_assert_ptr_null(info->note);
    for (int pass = 0; pass < 2; pass++) {
        entry_list list = {.at = NULL};
        size_t at = 0;
        ck_assert_int_eq(ns_matrix_scan(matrix, entry_list_receive, &list, &err), NS_OK);
        for (int64_t row = 0; row < rows; row++)
            for (int64_t col = 0; col < rows; col++)
                if (near(g, row / g->unknowns, col / g->unknowns)) {
                    if (at >= list.count || list.at[at].row != row || list.at[at].col != col)
                        ck_abort_msg("%s: entry %zu is not (%lld, %lld)", g->spec, at, (long long)row, (long long)col);
                    at++;
                }
        ck_assert_uint_eq(list.count, at);
        ck_assert_int_eq(info->stored, (int64_t)at);
        entry_list_free(&list);
    }
    ns_matrix_free(matrix);
}

static const struct {
    const char *spec;
    int64_t rows, entries;
} counts[] = {
    {"stencil27:68x68x68x3", 943296, 74181672},
    {"stencil9:3200x3200", 10240000, 92121604},      /* 9598^2 */
    {"stencil5:1000x2000", 2000000, 9994000},        /* 5 AB - 2 (A + B) */
    {"stencil7:100x200x300x2", 12000000, 167120000}, /* (7 ABC - 2 (AB + AC + BC)) k^2 */
    {"stencil5:1x1000000000000", 1000000000000, 2999999999998},
};

TEST_EACH(large_counts, (int)(sizeof counts / sizeof *counts))
{
    ns_matrix *matrix;
    ns_error err;
    ck_assert_int_eq(open_spec(counts[_i].spec, &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_matrix_describe(matrix)->rows, counts[_i].rows);
    ck_assert_int_eq(ns_matrix_describe(matrix)->stored, counts[_i].entries);
    ns_matrix_free(matrix);
}

typedef struct tally {
    int64_t count;
    ns_entry last;
    bool ascending;
} tally;

static ns_status receive_tally(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    tally *t = context;
    (void)err;
    t->count += (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        t->ascending &= entries[i].row > t->last.row || (entries[i].row == t->last.row && entries[i].col > t->last.col);
        t->last = entries[i];
    }
    return NS_OK;
}

TEST(large_scan_ascends)
{
    ns_matrix *matrix;
    ns_error err;
    tally t = {.last = {-1, -1}, .ascending = true};
    ck_assert_int_eq(open_spec("stencil27:40x41x42x2", &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_matrix_scan(matrix, receive_tally, &t, &err), NS_OK);
    ck_assert_int_eq(t.count, INT64_C(118) * 121 * 124 * 4);
    ck_assert(t.ascending);
    ns_matrix_free(matrix);
}

static const struct {
    const char *spec;
    ns_status status;
    const char *words;
} bad[] = {
    {"stencil13:4x4", NS_ERR_NAME, "unknown stencil \"stencil13:4x4\""},
    {"stencil:4x4", NS_ERR_NAME, "unknown stencil"},
    {"stencil9", NS_ERR_NAME, "unknown stencil"},
    {"stencil99999999999999999999:4x4", NS_ERR_NAME, "unknown stencil"},
    {"stencil9:", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:0x4", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:4x0", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:4x4x0", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:-4x4", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:4x", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:4xx4", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:99999999999999999999x4", NS_ERR_RANGE, "whole numbers from 1"},
    {"stencil9:4", NS_ERR_SYNTAX, "wanted 2 extents"},
    {"stencil9:4x4x2x2", NS_ERR_SYNTAX, "wanted 2 extents"},
    {"stencil7:4x4", NS_ERR_SYNTAX, "wanted 3 extents"},
    {"stencil27:4x4x4x3x2", NS_ERR_SYNTAX, "wanted 3 extents"},
    {"stencil9:4,4", NS_ERR_SYNTAX, "wanted 2 extents"},
    {"stencil9:4x4 ", NS_ERR_SYNTAX, "wanted 2 extents"},
    {"stencil9:4000000000x4000000000", NS_ERR_RANGE, "more rows or entries than 63 bits"},
    {"stencil9:3100000000x2900000000", NS_ERR_RANGE, "more rows or entries than 63 bits"},
    {"stencil5:2000000000x2000000000", NS_ERR_RANGE, "more rows or entries than 63 bits"},
    {"stencil5:10x10x9000000000000", NS_ERR_RANGE, "more rows or entries than 63 bits"},
    {"stencil27:9000000000000000000x1x1", NS_ERR_RANGE, "more rows or entries than 63 bits"},
};

TEST_EACH(bad_specs, (int)(sizeof bad / sizeof *bad))
{
    ns_matrix *matrix;
    ns_error err;
    ck_assert_int_eq(open_spec(bad[_i].spec, &matrix, &err), bad[_i].status);
    ck_assert_msg(strstr(err.text, bad[_i].words) != NULL, "%s", err.text);
}

static ns_status refuse(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)context, (void)entries, (void)count;
    return ns_fail(err, NS_ERR_LIMIT, "enough");
}

TEST(receiver_ends_the_scan)
{
    ns_matrix *matrix;
    ns_error err;
    ck_assert_int_eq(open_spec("stencil9:300x300", &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_matrix_scan(matrix, refuse, NULL, &err), NS_ERR_LIMIT);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
