/* scored.c -- distinct measured exchanges, and the errors of predictions: a ratio predicted / measured counts by its
 * logarithm, so that half and twice are equally wrong */

#include "core/memory.h"
#include "price/choice.h"
#include "records/judge.h"
#include "records/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 9 };

typedef struct member {
    const char *cell[CELLS]; /* columns in which repeats of one exchange agree, closed by NULL if there are fewer */
    int way;                 /* of a dense exchange */
    bool alone;
    size_t row;
    double measured;
} member;

static int by_exchange(const member *x, const member *y)
{
    for (int i = 0; i < CELLS && x->cell[i] != NULL; i++) {
        const int order = strcmp(x->cell[i], y->cell[i]);
        if (order != 0)
            return order;
    }
    return (x->way > y->way) - (x->way < y->way);
}

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int order = by_exchange(x, y);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const ns_scored *x = a, *y = b;
    return (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

ns_status ns_scored_make(const ns_records *records, ns_row_filter filter, const void *context, ns_scored **scored,
                         size_t *count, ns_error *err)
{
    member *list = ns_malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *list));
    double *scratch = ns_malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *scratch));
    /* the rows of every group are stored after the list itself: one block, freed with it */
    ns_scored *made = ns_calloc(ns_size_add(records->rows, 1), sizeof *made + sizeof(size_t));
    if (list == NULL || scratch == NULL || made == NULL) {
        ns_free(list);
        ns_free(scratch);
        ns_free(made);
        return ns_no_memory(err);
    }
    size_t *rows = (size_t *)(void *)(made + records->rows + 1);
    /* Rows with a measured time that pass the filter, sorted by group. */
    const bool dense = ns_records_are_dense(records);
    size_t members = 0;
    for (size_t row = 0; row < records->rows; row++) {
        member m = {.row = row};
        if (records->row[row].problem != NULL || !ns_record_measured(records, row, &m.measured) ||
            (filter != NULL && !filter(records, row, context)))
            continue;
        const ns_strategy *strategy;
        ns_transport transport;
        for (int i = 0; dense && ns_dense_columns[i] != NULL; i++)
            m.cell[i] = ns_record_text(records, row, ns_dense_columns[i]);
        if (dense) {
            if (ns_dense_way(records, row, &strategy, &transport, NULL) != NS_OK)
                continue; /* not one of this library's ways */
            m.way = ns_way_number(strategy, transport);
        } else {
            m.cell[0] = ns_record_text(records, row, "group");
            m.alone = *m.cell[0] == '\0';
        }
        list[members++] = m;
    }
    qsort(list, members, sizeof *list, by_group);
    size_t groups = 0;
    for (size_t i = 0, end; i < members; i = end) {
        for (end = i + 1; end < members && !list[i].alone && by_exchange(&list[end], &list[i]) == 0;)
            end++;
        for (size_t k = i; k < end; k++) {
            rows[k] = list[k].row;
            scratch[k - i] = list[k].measured;
        }
        ns_score_sort(scratch, end - i);
        const double median = ns_score_quantile(scratch, end - i, 0.5); /* of repeats and variants of one way */
        made[groups++] = (ns_scored){.rows = rows + i, .repeats = end - i, .measured_s = median};
    }
    qsort(made, groups, sizeof *made, by_row);
    ns_free(list);
    ns_free(scratch);
    *scored = made;
    *count = groups;
    return NS_OK;
}

/* ---- scores ------------------------------------------------------------------------------------------------------ */

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

size_t ns_score_outliers(double *value, size_t count)
{
    size_t outliers = 0;
    ns_score_sort(value, count);
    const double median = ns_score_quantile(value, count, 0.5);
    for (size_t i = 0; i < count; i++)
        value[i] = fabs(value[i] - median);
    ns_score_sort(value, count);
    const double limit = 3 * 1.4826 * ns_score_quantile(value, count, 0.5);
    for (size_t i = 0; i < count; i++)
        outliers += value[i] > limit;
    return outliers;
}

/* log2 ratios of the exchanges that pass; free *value. */
static ns_status collect(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context,
                         double **value, size_t *values, ns_error *err)
{
    double *taken = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *taken));
    if (taken == NULL)
        return ns_no_memory(err);
    *values = 0;
    for (size_t i = 0; i < count; i++)
        if ((filter == NULL || filter(&list[i], context)) && list[i].price.estimate_s > 0)
            taken[(*values)++] = log2(list[i].price.estimate_s / list[i].measured_s);
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
        size_t inside = 0;
        for (size_t i = 0; i < count; i++)
            if ((filter == NULL || filter(&list[i], context)) && list[i].price.estimate_s > 0)
                inside += list[i].measured_s >= list[i].price.lo_s && list[i].measured_s <= list[i].price.hi_s;
        score->covered = (double)inside / (double)n;
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
    const double rank = ceil(p * ((double)n + 1)); /* a new value lies below it with probability p, for any n */
    *error = n > 0 ? value[rank < (double)n ? (size_t)fmax(rank, 1) - 1 : n - 1] / ns_normal_width(p) : 0;
    ns_free(value);
    return NS_OK;
}
