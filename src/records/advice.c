/* advice.c -- compare the ways to do one exchange: is the one predicted to be fastest also measured as fastest?
 *
 * Rows that describe the same exchange form a case; the same ways in several files or repeats are one case, by their
 * distinct exchanges.
 */
#include "core/memory.h"
#include "price/choice.h"
#include "records/calibrate.h"
#include "records/judge.h"
#include "records/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = sizeof((ns_keyed *)0)->key, CASE_WAYS = 8 };

/* Ways to do one exchange: ascending indices into the list. */
typedef struct one_case {
    size_t ways;
    size_t of[CASE_WAYS];
} one_case;

static int by_ways(const void *a, const void *b)
{
    const one_case *x = a, *y = b;
    if (x->ways != y->ways)
        return x->ways < y->ways ? -1 : 1;
    for (size_t i = 0; i < x->ways; i++)
        if (x->of[i] != y->of[i])
            return x->of[i] < y->of[i] ? -1 : 1;
    return 0;
}

typedef struct fastest {
    const ns_scored *first, *second;
} fastest;

static double time_of(const ns_scored *s, bool measured)
{
    return measured ? s->measured_s : s->price.estimate_s;
}

static fastest find(const ns_scored *list, const one_case *c, bool measured)
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

/* Distinct cases with at least two ways; free *cases. */
static ns_status make_cases(const ns_records *records, const ns_scored *list, size_t count, one_case **cases,
                            size_t *made, ns_error *err)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += list[i].repeats;
    ns_keyed *row = ns_malloc(ns_size_mul(ns_size_add(rows, 1), sizeof *row));
    one_case *c = ns_calloc(ns_size_add(rows, 1), sizeof *c);
    if (row == NULL || c == NULL) {
        ns_free(row);
        ns_free(c);
        return ns_no_memory(err);
    }
    for (size_t i = 0, n = 0; i < count; i++)
        for (size_t k = 0; k < list[i].repeats; k++) {
            row[n].scored = i;
            /* The columns in which the ways to do one exchange agree. */
            char *const key = row[n++].key;
            static const char *const usual[] = {"file",      "run",         "level",     "width",
                                                "processes", "aggregation", "operation", NULL};
            const char *const *columns = ns_records_are_dense(records) ? ns_dense_columns : usual;
            const bool spmv = *ns_record_text(records, list[i].rows[k], "max_n") != '\0';
            size_t used = 0;
            for (size_t j = 0; columns[j] != NULL && (!spmv || columns[j + 1] != NULL) && used < KEY - 1; j++)
                used += (size_t)snprintf(key + used, KEY - used, "%.80s|",
                                         ns_record_text(records, list[i].rows[k], columns[j]));
        }
    ns_keyed_sort(row, rows);
    /* A case has the rows of one key, each distinct exchange once; of equal cases one is kept. */
    size_t all = 0;
    for (size_t k = 0; k < rows; k++) {
        if (k == 0 || strcmp(row[k].key, row[k - 1].key) != 0)
            c[all++].ways = 0;
        one_case *one = &c[all - 1];
        if (one->ways < CASE_WAYS && (one->ways == 0 || one->of[one->ways - 1] != row[k].scored))
            one->of[one->ways++] = row[k].scored;
    }
    size_t kept = 0;
    qsort(c, all, sizeof *c, by_ways);
    for (size_t k = 0; k < all; k++)
        if (c[k].ways > 1 && (kept == 0 || by_ways(&c[k], &c[kept - 1]) != 0))
            c[kept++] = c[k];
    *made = kept;
    *cases = c;
    ns_free(row);
    return NS_OK;
}

ns_status ns_advice_list(const ns_records *records, const ns_scored *list, size_t count, double confidence,
                         ns_advice *advice, ns_error *err)
{
    one_case *c;
    size_t cases;
    NS_TRY(ns_confidence_check(confidence, err));
    NS_TRY(make_cases(records, list, count, &c, &cases, err));
    double *value = ns_malloc(ns_size_mul(ns_size_add(cases, 1), sizeof *value));
    if (value == NULL) {
        ns_free(c);
        return ns_no_memory(err);
    }
    *advice = (ns_advice){0};
    /* The spread of the ratio of the two fastest ways, over all cases. */
    for (size_t i = 0; i < cases; i++) {
        const fastest m = find(list, &c[i], true);
        assert(m.first != NULL && m.second != NULL); /* a case has at least two ways */
        value[i] = fabs(log2(m.first->price.estimate_s / m.second->price.estimate_s) -
                        log2(m.first->measured_s / m.second->measured_s));
    }
    ns_score_sort(value, cases);
    advice->between = cases > 0 ? ns_score_quantile(value, cases, 0.9) / ns_normal_width(0.9) : 0;
    size_t right = 0, clear_right = 0;
    for (size_t i = 0; i < cases; i++) {
        const fastest m = find(list, &c[i], true), p = find(list, &c[i], false);
        assert(m.second != NULL && p.second != NULL);
        if (m.second->measured_s <= 1.1 * m.first->measured_s)
            continue;
        const double lost = p.first->measured_s / m.first->measured_s - 1;
        const bool clear = log2(p.second->price.estimate_s / p.first->price.estimate_s) >
                           ns_normal_width(confidence) * advice->between;
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
    ns_free(c);
    ns_free(value);
    return NS_OK;
}

ns_status ns_tried_make(const ns_records *records, const ns_scored *list, size_t count, ns_tried **tried, size_t *made,
                        ns_error *err)
{
    one_case *c;
    size_t cases, used = 0;
    NS_TRY(make_cases(records, list, count, &c, &cases, err));
    ns_tried *all = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(cases, CASE_WAYS), 1), sizeof *all));
    for (size_t i = 0; i < cases && all != NULL; i++) {
        size_t now = used; /* the ways of a case, each once */
        for (size_t k = 0; k < c[i].ways; k++) {
            const ns_scored *s = &list[c[i].of[k]];
            const ns_strategy *strategy;
            ns_transport transport;
            if (ns_record_way(records, s->rows[0], &strategy, &transport, NULL) != NS_OK)
                continue;
            const int way = ns_way_number(strategy, transport);
            bool there = false;
            for (size_t t = used; t < now; t++)
                there = there || all[t].way == way;
            if (there || !(s->price.estimate_s > 0))
                continue;
            int at = 0;
            while (strcmp(ns_strategy_nest(ns_strategies()[at]), ns_strategy_nest(strategy)) != 0)
                at++;
            all[now++] = (ns_tried){.at = i,
                                    .way = way,
                                    .nest = at,
                                    .predicted_s = s->price.estimate_s,
                                    .measured_s = s->measured_s,
                                    .of = c[i].of[k]};
        }
        used = now - used > 1 ? now : used;
    }
    ns_free(c);
    if (all == NULL)
        return ns_no_memory(err);
    *tried = all;
    *made = used;
    return NS_OK;
}
