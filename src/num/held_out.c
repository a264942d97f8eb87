/* held_out.c -- k-fold cross-validation of a line over the sizes, k = 5 or the number of sizes when that is less */
#include "num/num.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/own.h"

enum { FOLDS = 5 };

ns_status ns_held_out(const ns_curve *curve, ns_weights weights, ns_held_out_errors *errors, ns_error *err)
{
    const double *x = curve->x, *y = curve->y;
    const size_t count = curve->count, sizes = curve->sizes, folds = sizes < FOLDS ? sizes : FOLDS;
    errors->count = 0;
    errors->median = errors->p95 = NAN;
    if (sizes < 3)
        return NS_OK;
    NS_OWN(ns_free) double *train_x =
        ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(2, count), sizes), sizeof *train_x));
    if (train_x == NULL)
        return ns_no_memory(err);
    double *train_y = train_x + count, *sorted = train_y + count;
    for (size_t fold = 0; fold < folds; fold++) {
        ns_line_estimate line;
        size_t kept = 0, size = 0;
        for (size_t i = 0; i < count; i++) {
            size += i > 0 && x[i] != x[i - 1];
            if (size % folds == fold)
                continue;
            train_x[kept] = x[i];
            train_y[kept++] = y[i];
        }
        NS_TRY(ns_line_fit(train_x, train_y, kept, weights, curve->noise, &line, err));
        size = 0;
        for (size_t from = 0, to; from < count; from = to, size++) {
            double sum = 0;
            for (to = from; to < count && x[to] == x[from]; to++)
                sum += y[to];
            const double mean = sum / (double)(to - from);
            if (size % folds == fold)
                errors->of_size[size] = fabs(line.alpha + line.beta * x[from] - mean) / mean;
        }
    }
    memcpy(sorted, errors->of_size, sizes * sizeof *sorted);
    errors->count = sizes;
    errors->median = ns_median(sorted, sizes);
    errors->p95 = ns_order_quantile(sorted, sizes, 0.95);
    return NS_OK;
}
