/* lengths.c -- numbers of entries of rows and columns: quartiles and moments from a histogram of the lengths */
#include <nsmodel/catalogue.h>

#include <math.h>

#include "core/memory.h"

typedef struct tally {
    int64_t *row, *col, entries;
} tally;

static ns_status count(void *context, const ns_entry *entries, size_t n, ns_error *err)
{
    tally *t = context;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        t->row[entries[i].row]++;
        t->col[entries[i].col]++;
    }
    t->entries += (int64_t)n;
    return NS_OK;
}

/* The length of line number `rank` (from 0) in the order of length. */
static double ranked(const int64_t *histogram, int64_t rank)
{
    int64_t length = 0;
    for (; rank >= histogram[length]; length++)
        rank -= histogram[length];
    return (double)length;
}

static ns_status describe(const int64_t *length, int64_t lines, int64_t entries, ns_budget *budget, ns_spread *spread,
                          ns_error *err)
{
    int64_t least = length[0], most = length[0], *histogram;
    for (int64_t i = 1; i < lines; i++) {
        least = length[i] < least ? length[i] : least;
        most = length[i] > most ? length[i] : most;
    }
    NS_TRY(ns_take(&histogram, ns_count_add(most, 1), sizeof *histogram, budget, err));
    for (int64_t i = 0; i < lines; i++)
        histogram[length[i]]++;
    const double n = (double)lines, mean = (double)entries / n;
    double second = 0, third = 0;
    for (int64_t k = least; k <= most; k++) {
        double off = (double)k - mean, times = (double)histogram[k] / n;
        second += times * off * off;
        third += times * off * off * off;
    }
    *spread = (ns_spread){.min = (double)least,
                          .max = (double)most,
                          .mean = mean,
                          .variance = second,
                          .skewness = second > 0 ? third / (second * sqrt(second)) : 0};
    /* medians of the two halves; a middle line counts half for each (as in ginkgo-data) */
    static const double weight[] = {0.5, 0.25, 0, 0.75}; /* by lines % 4, of the first of two neighbours */
    const int64_t q = lines / 4, r = lines % 4, first = r < 2 ? q - 1 : q, next = r == 3 ? q + 1 : q, last = lines - 1;
    spread->median = (ranked(histogram, last / 2) + ranked(histogram, lines / 2)) / 2;
    spread->q1 = spread->q3 = spread->median;
    if (lines > 1) {
        spread->q1 = weight[r] * ranked(histogram, first) + (1 - weight[r]) * ranked(histogram, next);
        spread->q3 = weight[r] * ranked(histogram, last - first) + (1 - weight[r]) * ranked(histogram, last - next);
    }
    ns_give_back(histogram, most + 1, sizeof *histogram, budget);
    return NS_OK;
}

ns_status ns_matrix_lengths(ns_matrix *matrix, int64_t max_memory, ns_spread *row, ns_spread *col, int64_t *entries,
                            ns_error *err)
{
    ns_error_clear(err);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ns_budget budget = {.limit = max_memory};
    tally t = {.entries = 0};
    ns_spread rows, cols;
    if (info->rows < 1 || info->cols < 1)
        return ns_fail(err, NS_ERR_DATA, "%s has no rows or no columns", info->name);
    ns_status status = ns_take(&t.row, info->rows, sizeof *t.row, &budget, err);
    if (status == NS_OK)
        status = ns_take(&t.col, info->cols, sizeof *t.col, &budget, err);
    if (status == NS_OK)
        status = ns_matrix_scan(matrix, count, &t, err);
    if (status == NS_OK)
        status = describe(t.row, info->rows, t.entries, &budget, &rows, err);
    if (status == NS_OK)
        status = describe(t.col, info->cols, t.entries, &budget, &cols, err);
    ns_free(t.row);
    ns_free(t.col);
    if (status == NS_OK) {
        *row = rows;
        *col = cols;
        *entries = t.entries;
    }
    return status;
}
