/* check.c -- an existing machine's lines against new logs
 *
 * A class is stale when its predictions are off by more than 15 % in the median and by more than the samples scatter.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>

#include "num/order.h"

static const double tolerance = 0.15;

typedef struct want {
    ns_memory memory;
    ns_locality locality;
    double from, to;
} want;

static bool is_wanted(const ns_sample *s, const void *context)
{
    const want *w = context;
    return s->kind == NS_PING_PONG && s->memory == w->memory && s->locality == w->locality && s->bytes >= w->from && s->bytes < w->to;
}

static void score_curve(const ns_line *line, const ns_curve *curve, ns_fit_score *s)
{
    size_t count = 0;
    double *error = curve->y; /* the curve is ours: its times become errors */
    for (size_t i = 0; i < curve->count; i++)
        error[count++] = (line->alpha + line->beta * curve->x[i]) / curve->y[i] - 1;
    s->bias = ns_median(error, count);
    for (size_t i = 0; i < count; i++)
        error[i] = fabs(error[i]);
    s->median_error = ns_median(error, count);
    s->p95_error = ns_order_quantile(error, count, 0.95);
    s->scatter = curve->scatter;
    s->stale = s->median_error > tolerance && s->median_error > 2 * curve->scatter;
}

static ns_status score_class(const ns_log *log, const want *w, const ns_line *line, ns_statistic statistic, ns_fit_score *s,
                             ns_error *err)
{
    ns_columns columns;
    ns_curve curve = {0};
    NS_TRY(ns_columns_collect(log, is_wanted, w, &columns, err));
    s->samples = columns.count;
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, statistic, &curve, err);
    if (status == NS_OK && columns.count > 0) {
        s->sizes = curve.sizes;
        score_curve(line, &curve, s);
    }
    ns_curve_free(&curve);
    ns_columns_free(&columns);
    return status;
}

static double next_from(const ns_line *lines, int protocol)
{
    for (int p = protocol + 1; p < NS_PROTOCOLS; p++)
        if (lines[p].given)
            return lines[p].from;
    return INFINITY;
}

ns_status ns_fit_check(const ns_machine *machine, const ns_log *log, ns_statistic statistic, ns_fit_score **score, size_t *scores,
                       ns_error *err)
{
    ns_fit_score *made = calloc((size_t)NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS, sizeof *made);
    size_t count = 0;
    ns_status status = made != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (int i = 0; i < NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS && status == NS_OK; i++) {
        const int p = i % NS_PROTOCOLS, l = i / NS_PROTOCOLS % NS_LOCALITIES, m = i / (NS_PROTOCOLS * NS_LOCALITIES);
        const ns_line *line = &machine->line[m][l][p];
        if (!line->given)
            continue;
        const want w = {(ns_memory)m, (ns_locality)l, line->from, next_from(machine->line[m][l], p)};
        made[count] = (ns_fit_score){.memory = w.memory, .locality = w.locality, .protocol = (ns_protocol)p};
        status = score_class(log, &w, line, statistic, &made[count], err);
        count += made[count].samples > 0;
    }
    if (status == NS_OK && count == 0)
        status = ns_fail(err, NS_ERR_DATA, "the logs hold no ping-pong of a class that machine \"%s\" knows", machine->name);
    if (status != NS_OK) {
        free(made);
        return status;
    }
    *score = made;
    *scores = count;
    return NS_OK;
}
