/* advice.c -- does the way that is predicted fastest turn out fastest?
 *
 * Rows that describe the same exchange make a case; the same ways in several files or repeats are one case, by their
 * distinct exchanges.
 */
#include "core/memory.h"
#include "price/choice.h"
#include "records/calibrate.h"
#include "records/dense.h"
#include "records/record.h"
#include "records/score.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 400 };

typedef struct keyed {
    size_t scored;
    char key[KEY];
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->scored > y->scored) - (x->scored < y->scored);
}

static int by_ways(const void *a, const void *b)
{
    const ns_case *x = a, *y = b;
    if (x->ways != y->ways)
        return x->ways < y->ways ? -1 : 1;
    for (size_t i = 0; i < x->ways; i++)
        if (x->of[i] != y->of[i])
            return x->of[i] < y->of[i] ? -1 : 1;
    return 0;
}

/* What the ways to do one exchange agree in. */
static void write_key(const ns_records *records, size_t row, char *key)
{
    static const char *const usual[] = {"file", "run", "level", "width", "processes", "aggregation", "operation", NULL};
    const char *const *columns = ns_records_are_dense(records) ? ns_dense_columns : usual;
    const bool spmv = *ns_record_text(records, row, "max_n") != '\0';
    size_t used = 0;
    for (size_t i = 0; columns[i] != NULL && (!spmv || columns[i + 1] != NULL) && used < KEY - 1; i++)
        used += (size_t)snprintf(key + used, KEY - used, "%.80s|", ns_record_text(records, row, columns[i]));
}

/* Rows of one key, its distinct exchanges once. */
static size_t make_cases(const keyed *row, size_t rows, ns_case *list)
{
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || strcmp(row[i].key, row[i - 1].key) != 0)
            list[count++].ways = 0;
        ns_case *c = &list[count - 1];
        if (c->ways < NS_CASE_WAYS && (c->ways == 0 || c->of[c->ways - 1] != row[i].scored))
            c->of[c->ways++] = row[i].scored;
    }
    return count;
}

static size_t distinct(ns_case *list, size_t count)
{
    size_t kept = 0;
    qsort(list, count, sizeof *list, by_ways);
    for (size_t i = 0; i < count; i++)
        if (list[i].ways > 1 && (kept == 0 || by_ways(&list[i], &list[kept - 1]) != 0))
            list[kept++] = list[i];
    return kept;
}

typedef struct fastest {
    const ns_scored *first, *second;
} fastest;

static double time_of(const ns_scored *s, bool measured)
{
    return measured ? s->measured_s : s->price.estimate_s;
}

static fastest find(const ns_scored *list, const ns_case *c, bool measured)
{
    fastest f = {NULL, NULL};
    for (size_t i = 0; i < c->ways; i++) {
        const ns_scored *s = &list[c->of[i]];
        if (f.first == NULL || time_of(s, measured) < time_of(f.first, measured)) {
            f.second = f.first;
            f.first = s;
        } else if (f.second == NULL || time_of(s, measured) < time_of(f.second, measured)) {
            f.second = s;
        }
    }
    return f;
}

/* Spread of the ratio of the two fastest, over all cases. */
static void spread(const ns_scored *list, const ns_case *c, size_t cases, double *value, ns_advice *advice)
{
    for (size_t i = 0; i < cases; i++) {
        const fastest m = find(list, &c[i], true);
        assert(m.first != NULL && m.second != NULL); /* a case has two ways at least */
        value[i] = fabs(log2(m.first->price.estimate_s / m.second->price.estimate_s) -
                        log2(m.first->measured_s / m.second->measured_s));
    }
    ns_score_sort(value, cases);
    advice->between = cases > 0 ? ns_score_quantile(value, cases, 0.9) / ns_normal_width(0.9) : 0;
}

static void judge(const ns_scored *list, const ns_case *c, size_t cases, double width, ns_advice *advice)
{
    size_t right = 0, clear_right = 0;
    for (size_t i = 0; i < cases; i++) {
        const fastest m = find(list, &c[i], true), p = find(list, &c[i], false);
        assert(m.second != NULL && p.second != NULL);
        if (m.second->measured_s <= 1.1 * m.first->measured_s)
            continue;
        const double lost = p.first->measured_s / m.first->measured_s - 1;
        const bool clear = log2(p.second->price.estimate_s / p.first->price.estimate_s) > width;
        advice->cases++;
        advice->lost_mean += lost;
        advice->lost_worst = fmax(advice->lost_worst, lost);
        advice->clear += clear;
        right += lost <= 0;
        clear_right += clear && lost <= 0;
    }
    advice->right = advice->cases > 0 ? (double)right / (double)advice->cases : 0;
    advice->clear_right = advice->clear > 0 ? (double)clear_right / (double)advice->clear : 0;
    advice->lost_mean /= advice->cases > 0 ? (double)advice->cases : 1;
}

ns_status ns_cases_make(const ns_records *records, const ns_scored *list, size_t count, ns_case **cases, size_t *made,
                        ns_error *err)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += list[i].repeats;
    keyed *row = ns_malloc(ns_size_mul(ns_size_add(rows, 1), sizeof *row));
    ns_case *c = ns_calloc(ns_size_add(rows, 1), sizeof *c);
    if (row == NULL || c == NULL) {
        ns_free(row);
        ns_free(c);
        return ns_no_memory(err);
    }
    for (size_t i = 0, n = 0; i < count; i++)
        for (size_t k = 0; k < list[i].repeats; k++) {
            row[n].scored = i;
            write_key(records, list[i].rows[k], row[n++].key);
        }
    qsort(row, rows, sizeof *row, by_key);
    *made = distinct(c, make_cases(row, rows, c));
    *cases = c;
    ns_free(row);
    return NS_OK;
}

ns_status ns_advice_list(const ns_records *records, const ns_scored *list, size_t count, double confidence,
                         ns_advice *advice, ns_error *err)
{
    ns_case *c;
    size_t cases;
    NS_TRY(ns_confidence_check(confidence, err));
    NS_TRY(ns_cases_make(records, list, count, &c, &cases, err));
    double *value = ns_malloc(ns_size_mul(ns_size_add(cases, 1), sizeof *value));
    if (value != NULL) {
        *advice = (ns_advice){0};
        spread(list, c, cases, value, advice);
        judge(list, c, cases, ns_normal_width(confidence) * advice->between, advice);
    }
    ns_free(c);
    if (value == NULL)
        return ns_no_memory(err);
    ns_free(value);
    return NS_OK;
}
