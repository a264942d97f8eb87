/* test_lengths.c -- lengths of rows and columns: by hand, and of real matrices against the catalogue's */

#include "api/library.h"
#include "support/cli.h"
#include "support/shared.h"
#include "support/test.h"

static ns_catalogue *catalogue;

static int agreed;

static void near(double counted, double published, const char *what, const char *path)
{
    ck_assert_msg(fabs(counted - published) <= 1e-6 * fabs(published) + 1e-6, "%s: %s: counted %.9g, catalogue %.9g",
                  path, what, counted, published);
}

static void compare_spread(const ns_spread *a, const ns_spread *b, const char *path)
{
    near(a->min, b->min, "min", path);
    near(a->q1, b->q1, "q1", path);
    near(a->median, b->median, "median", path);
    near(a->q3, b->q3, "q3", path);
    near(a->max, b->max, "max", path);
    near(a->mean, b->mean, "mean", path);
    near(a->variance, b->variance, "variance", path);
    near(a->skewness, b->skewness, "skewness", path);
}

static void compare_file(const char *path)
{
    ns_matrix *matrix;
    const ns_catalogue_entry *e;
    ns_catalogue_detail d;
    ns_spread row, col;
    int64_t entries;
    if (strstr(path, ".gz") == NULL || strstr(path, "/malformed/") != NULL || strstr(path, "/small/") != NULL)
        return;
    ck_assert_int_eq(ns_matrix_open(path, &matrix, NULL), NS_OK);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    if (ns_catalogue_matches(catalogue, info->name, &e) == 1 && e->rows == info->rows && e->cols == info->cols) {
        ck_assert_int_eq(ns_catalogue_details(catalogue, e, &d, NULL), NS_OK);
        ck_assert_int_eq(ns_matrix_lengths(matrix, 0, &row, &col, &entries, NULL), NS_OK);
        if (d.counted == entries) { /* else a copy without its explicit zeros */
            compare_spread(&row, &d.row, path);
            compare_spread(&col, &d.col, path);
            agreed++;
        }
    }
    ns_matrix_free(matrix);
}

TEST(test_real_matrices)
{
    char path[600];
    if (!shared_path("test_real_matrices", "data/matrices", path, sizeof path))
        return;
    ck_assert_int_eq(ns_catalogue_open(&catalogue, NULL), NS_OK);
    shared_walk(path, compare_file);
    ns_catalogue_free(catalogue);
    ck_assert_int_ge(agreed, 25);
}

/* Rows of 1, 2, ... n entries: the third method of the article "Quartile", which the source of the lengths follows. */
static const struct {
    int n;
    double q1, median, q3;
} quartiles[] = {
    {1, 1, 1, 1},   {2, 1, 1.5, 2},     {3, 1.25, 2, 2.75}, {4, 1.5, 2.5, 3.5},  {5, 1.75, 3, 4.25},
    {6, 2, 3.5, 5}, {7, 2.25, 4, 5.75}, {8, 2.5, 4.5, 6.5}, {11, 3.25, 6, 8.75},
};

TEST_EACH(test_quartiles, (int)(sizeof quartiles / sizeof *quartiles))
{
    char text[2000];
    const int n = quartiles[_i].n;
    int used = snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", n, n,
                        n * (n + 1) / 2);
    ns_matrix *matrix;
    ns_spread row, col;
    int64_t entries;
    for (int i = n; i >= 1; i--)
        for (int j = 1; j <= i; j++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%d %d\n", i, j);
    ck_assert_int_eq(ns_matrix_open(scratch_file("quartiles.mtx", text, (size_t)used), &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_matrix_lengths(matrix, 0, &row, &col, &entries, NULL), NS_OK);
    ck_assert_double_eq(row.q1, quartiles[_i].q1);
    ck_assert_double_eq(row.median, quartiles[_i].median);
    ck_assert_double_eq(row.q3, quartiles[_i].q3);
    ck_assert_double_eq(col.q1, quartiles[_i].q1); /* columns have n, n - 1, ... 1 */
    ck_assert_double_eq_tol(row.variance, (n * n - 1) / 12.0, 1e-12);
    ck_assert_double_eq_tol(row.skewness, 0, 1e-12);
    ns_matrix_free(matrix);
}

TEST(test_lengths_limits)
{
    ns_matrix *matrix;
    ns_spread row, col;
    int64_t entries = -7;
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_matrix_open("stencil9:100x100", &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_matrix_lengths(matrix, 1000, &row, &col, &entries, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(entries, -7);
    ck_assert_ptr_nonnull(strstr(err.text, "more than the limit of 1 kB"));
    ck_assert_int_eq(ns_matrix_lengths(matrix, 200000, &row, &col, &entries, NULL), NS_OK);
    ck_assert_int_eq(entries, 298 * 298);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
