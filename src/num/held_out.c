/* held_out.c -- k-fold cross-validation of a line over the sizes, k = 5 or the number of sizes when that is less */
#include "num/held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/order.h"

enum { FOLDS = 5 };

typedef struct validation {
    const double *x, *y;
    size_t count, sizes;
    double *train_x, *train_y, *error;
    size_t errors;
} validation;

static size_t count_sizes(const double *x, size_t count)
{
    size_t sizes = count > 0;
    for (size_t i = 1; i < count; i++)
        sizes += x[i] != x[i - 1];
    return sizes;
}

static size_t training_set(const validation *v, size_t fold, size_t folds)
{
    size_t kept = 0, size = 0;
    for (size_t i = 0; i < v->count; i++) {
        size += i > 0 && v->x[i] != v->x[i - 1];
        if (size % folds == fold)
            continue;
        v->train_x[kept] = v->x[i];
        v->train_y[kept++] = v->y[i];
    }
    return kept;
}

static void score(validation *v, size_t fold, size_t folds, const ns_line_estimate *line)
{
    for (size_t from = 0, to, size = 0; from < v->count; from = to, size++) {
        double sum = 0;
        for (to = from; to < v->count && v->x[to] == v->x[from]; to++)
            sum += v->y[to];
        const double mean = sum / (double)(to - from);
        if (size % folds == fold)
            v->error[v->errors++] = fabs(line->alpha + line->beta * v->x[from] - mean) / mean;
    }
}

static ns_status validate(validation *v, ns_weights weights, ns_noise noise, ns_error *err)
{
    const size_t folds = v->sizes < FOLDS ? v->sizes : FOLDS;
    for (size_t fold = 0; fold < folds; fold++) {
        ns_line_estimate line;
        const size_t kept = training_set(v, fold, folds);
        NS_TRY(ns_line_fit(v->train_x, v->train_y, kept, weights, noise, &line, err));
        score(v, fold, folds, &line);
    }
    return NS_OK;
}

ns_status ns_held_out(const double *x, const double *y, size_t count, ns_weights weights, ns_noise noise, double *median,
                      double *p95, ns_error *err)
{
    validation v = {.x = x, .y = y, .count = count, .sizes = count_sizes(x, count)};
    *median = *p95 = NAN;
    if (v.sizes < 3)
        return NS_OK;
    v.train_x = malloc(3 * count * sizeof *v.train_x);
    if (v.train_x == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    v.train_y = v.train_x + count;
    v.error = v.train_y + count;
    ns_status status = validate(&v, weights, noise, err);
    if (status == NS_OK) {
        *median = ns_median(v.error, v.errors);
        *p95 = ns_order_quantile(v.error, v.errors, 0.95);
    }
    free(v.train_x);
    return status;
}
