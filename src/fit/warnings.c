/* warnings.c -- what a reader of a fitted class has to know: too few sizes, curves that fall, files that disagree */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "num/order.h"

static const double fall = 0.10, disagreement = 0.15;

static const char *place(const ns_fit_group *g, char *text, size_t size)
{
    snprintf(text, size, "%s %s", ns_memory_words[g->memory], ns_locality_words[g->locality]);
    return text;
}

/* Larger messages that take less time, inside a protocol. */
static ns_status warn_falls(ns_fit *fit, const ns_fit_group *g, const ns_fit_class *c, const char *where, ns_error *err)
{
    const ns_curve *curve = &g->curve;
    int falls = 0;
    double at = 0;
    for (size_t i = 1; i < curve->count && curve->count == curve->sizes; i++)
        if (curve->x[i - 1] >= c->least && curve->x[i] <= c->most && curve->y[i] < (1 - fall) * curve->y[i - 1] && falls++ == 0)
            at = curve->x[i];
    return falls == 0 ? NS_OK
                      : ns_fit_warn(fit, err, "%s: the curve is not monotone: %.0f B take over 10 %% less than the size before (%d such sizes)",
                                    where, at, falls);
}

typedef struct of_file {
    const ns_fit_group *group;
    int file;
} of_file;

static bool is_of_file(const ns_sample *s, const void *context)
{
    const of_file *f = context;
    const bool kind = s->kind == f->group->kind || (f->group->kind == NS_NODE_PONG && s->kind == NS_PING_PONG && s->pairs <= 1);
    return kind && s->file == f->file && s->memory == f->group->memory && s->locality == f->group->locality;
}

/* Median ratio of a file's curve to the group's at the same sizes; 0 when they share none. */
static ns_status ratio_of_file(const ns_log *log, const ns_fit_group *g, int file, double *ratio, ns_error *err)
{
    ns_columns columns;
    ns_curve curve = {0};
    size_t shared = 0;
    const of_file context = {g, file};
    *ratio = 0;
    NS_TRY(ns_columns_collect(log, is_of_file, &context, &columns, err));
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, NS_STATISTIC_MEDIAN, &curve, err);
    for (size_t i = 0, j = 0; status == NS_OK && i < curve.count; i++) {
        while (j < g->curve.count && g->curve.x[j] < curve.x[i])
            j++;
        if (j < g->curve.count && g->curve.x[j] == curve.x[i])
            columns.y[shared++] = curve.y[i] / g->curve.y[j];
    }
    if (status == NS_OK && shared > 0)
        *ratio = ns_median(columns.y, shared);
    ns_curve_free(&curve);
    ns_columns_free(&columns);
    return status;
}

static ns_status warn_disagreement(ns_fit *fit, const ns_log *log, const ns_fit_group *g, const char *where, ns_error *err)
{
    double least = INFINITY, most = 0;
    int low = -1, high = -1;
    if (log->files < 2 || g->curve.count != g->curve.sizes || fit->options.statistic != NS_STATISTIC_MEDIAN)
        return NS_OK;
    for (int f = 0; f < log->files; f++) {
        double ratio;
        NS_TRY(ratio_of_file(log, g, f, &ratio, err));
        if (ratio > 0 && ratio < least)
            least = ratio, low = f;
        if (ratio > most)
            most = ratio, high = f;
    }
    if (low < 0 || high < 0 || most / least <= 1 + disagreement)
        return NS_OK;
    return ns_fit_warn(fit, err, "%s: files disagree: %s takes %.2f times as long as %s", where, log->file[high], most / least,
                       log->file[low]);
}

ns_status ns_fit_group_warnings(ns_fit *fit, const ns_log *log, const ns_fit_group *g, ns_error *err)
{
    char where[60];
    place(g, where, sizeof where);
    if (g->curve.sizes < NS_FIT_SIZES_WANTED)
        NS_TRY(ns_fit_warn(fit, err, "%s: too few sizes, %zu; at least %d are wanted", where, g->curve.sizes, NS_FIT_SIZES_WANTED));
    for (int i = 0; i < g->classes; i++) {
        const ns_fit_class *c = &g->of[i];
        if (c->sizes < 3)
            NS_TRY(ns_fit_warn(fit, err, "%s %s: two sizes make a line that nothing checks", where, ns_protocol_words[c->protocol]));
        if (c->line.bound)
            NS_TRY(ns_fit_warn(fit, err, "%s %s: %s is held at 0, the data would have it negative", where,
                               ns_protocol_words[c->protocol], c->line.alpha > 0 ? "beta" : "alpha"));
        NS_TRY(warn_falls(fit, g, c, where, err));
    }
    return warn_disagreement(fit, log, g, where, err);
}
