/* held_out.c -- k-fold cross-validation of a line over the sizes, k = 5 or the number of sizes when that is less */
#include "num/held_out.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "num/order.h"

enum { FOLDS = 5 };

typedef struct validation {
    const double *x, *y;
    size_t count, sizes;
    double *train_x, *train_y;
    double *error; /* [sizes] */
} validation;

static void score(validation *v, size_t fold, size_t folds, const ns_line_estimate *line)
{
    for (size_t from = 0, to, size = 0; from < v->count; from = to, size++) {
        double sum = 0;
        for (to = from; to < v->count && v->x[to] == v->x[from]; to++)
            sum += v->y[to];
        const double mean = sum / (double)(to - from);
        if (size % folds == fold)
            v->error[size] = fabs(line->alpha + line->beta * v->x[from] - mean) / mean;
    }
}

static ns_status validate(validation *v, ns_weights weights, ns_noise noise, ns_error *err)
{
    const size_t folds = v->sizes < FOLDS ? v->sizes : FOLDS;
    for (size_t fold = 0; fold < folds; fold++) {
        ns_line_estimate line;
        size_t kept = 0, size = 0;
        for (size_t i = 0; i < v->count; i++) {
            size += i > 0 && v->x[i] != v->x[i - 1];
            if (size % folds == fold)
                continue;
            v->train_x[kept] = v->x[i];
            v->train_y[kept++] = v->y[i];
        }
        NS_TRY(ns_line_fit(v->train_x, v->train_y, kept, weights, noise, &line, err));
        score(v, fold, folds, &line);
    }
    return NS_OK;
}

ns_status ns_held_out(const ns_curve *curve, ns_weights weights, ns_held_out_errors *errors, ns_error *err)
{
    validation v = {
        .x = curve->x, .y = curve->y, .count = curve->count, .sizes = curve->sizes, .error = errors->of_size};
    errors->count = 0;
    errors->median = errors->p95 = NAN;
    if (v.sizes < 3)
        return NS_OK;
    v.train_x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(2, v.count), v.sizes), sizeof *v.train_x));
    if (v.train_x == NULL)
        return ns_no_memory(err);
    v.train_y = v.train_x + v.count;
    double *sorted = v.train_y + v.count;
    ns_status status = validate(&v, weights, curve->noise, err);
    if (status == NS_OK) {
        memcpy(sorted, v.error, v.sizes * sizeof *sorted);
        errors->count = v.sizes;
        errors->median = ns_median(sorted, v.sizes);
        errors->p95 = ns_order_quantile(sorted, v.sizes, 0.95);
    }
    ns_free(v.train_x);
    return status;
}
