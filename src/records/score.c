/* score.c -- predictions against measured times: how far, how often, and whether the advice was right
 *
 * A ratio predicted / measured counts by its logarithm, so that half and twice are equally wrong.
 */
#include "records/score.h"

#include "core/memory.h"
#include "price/choice.h"
#include "records/record.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ns_score_sort(double *value, size_t count)
{
    qsort(value, count, sizeof *value, by_value);
}

double ns_score_quantile(const double *sorted, size_t count, double p)
{
    const double at = p * (double)(count - 1), low = floor(at);
    const size_t i = (size_t)low;
    return i + 1 < count ? sorted[i] + (at - low) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

static double log_ratio(const ns_scored *s)
{
    return log2(s->price.estimate_s / s->measured_s);
}

/* log2 ratios of what passes; *value: free it. */
static ns_status collect(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context,
                         double **value, size_t *values, ns_error *err)
{
    double *taken = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *taken));
    if (taken == NULL)
        return ns_no_memory(err);
    *values = 0;
    for (size_t i = 0; i < count; i++)
        if ((filter == NULL || filter(&list[i], context)) && list[i].price.estimate_s > 0)
            taken[(*values)++] = log_ratio(&list[i]);
    *value = taken;
    return NS_OK;
}

static double share(const double *value, size_t count, double most)
{
    size_t inside = 0;
    for (size_t i = 0; i < count; i++)
        inside += fabs(value[i]) <= most;
    return (double)inside / (double)count;
}

static double covered(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context, size_t values)
{
    size_t inside = 0;
    for (size_t i = 0; i < count; i++)
        if ((filter == NULL || filter(&list[i], context)) && list[i].price.estimate_s > 0)
            inside += list[i].measured_s >= list[i].price.lo_s && list[i].measured_s <= list[i].price.hi_s;
    return (double)inside / (double)values;
}

ns_status ns_score_list(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context,
                        ns_score *score, ns_error *err)
{
    double *value;
    size_t n;
    NS_TRY(collect(list, count, filter, context, &value, &n, err));
    *score = (ns_score){0};
    if (n > 0) {
        ns_score_sort(value, n);
        score->count = n;
        score->ratio[0] = exp2(ns_score_quantile(value, n, 0.1));
        score->ratio[1] = exp2(ns_score_quantile(value, n, 0.5));
        score->ratio[2] = exp2(ns_score_quantile(value, n, 0.9));
        score->within_2 = share(value, n, 1);
        score->within_25 = share(value, n, log2(1.25));
        score->covered = covered(list, count, filter, context, n);
        for (size_t i = 0; i < n; i++)
            value[i] = fabs(value[i]);
        ns_score_sort(value, n);
        score->log2_median = ns_score_quantile(value, n, 0.5);
    }
    ns_free(value);
    return NS_OK;
}

ns_status ns_model_error(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context, double p,
                         double *error, ns_error *err)
{
    double *value;
    size_t n;
    NS_TRY(ns_confidence_check(p, err));
    NS_TRY(collect(list, count, filter, context, &value, &n, err));
    for (size_t i = 0; i < n; i++)
        value[i] = fabs(value[i]);
    ns_score_sort(value, n);
    const double rank = ceil(p * ((double)n + 1)); /* so that a new one lies below it with p, however few there are */
    *error = n > 0 ? value[rank < (double)n ? (size_t)fmax(rank, 1) - 1 : n - 1] / ns_normal_width(p) : 0;
    ns_free(value);
    return NS_OK;
}
