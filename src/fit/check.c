/* check.c -- an existing machine's lines and copies against new logs
 *
 * A class is stale when the median error of its predictions exceeds both 15 % and the scatter of the samples.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"

#include <math.h>

#include "num/num.h"

static const double tolerance = 0.15;

typedef struct want {
    ns_memory memory;
    ns_locality locality;
    double from, to;
} want;

static bool is_wanted(const ns_sample *s, const void *context)
{
    const want *w = context;
    return s->kind == NS_PING_PONG && ns_sample_moves(s) && s->memory == w->memory && s->locality == w->locality &&
           s->bytes >= w->from && s->bytes < w->to;
}

static bool is_copy(const ns_sample *s, const void *context)
{
    const ns_fit_score *copy = context;
    return s->kind == NS_COPY_SAMPLE && (s->pairs > 1 ? s->pairs : 1) == copy->processes &&
           s->direction == copy->direction;
}

typedef struct scores {
    const ns_log *log;
    ns_statistic statistic;
    ns_fit_score *of;
    size_t count;
} scores;

/* Keep the score if any of the log's samples pass the filter. */
static ns_status add_score(scores *all, ns_sample_filter filter, const void *context, double alpha, double beta,
                           ns_fit_score s, ns_error *err)
{
    NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
    NS_TRY(ns_fit_curve(all->log, filter, context, all->statistic, &curve, &s.samples, err));
    if (s.samples == 0)
        return NS_OK;
    double *error = curve.y; /* the curve is a private copy: its times are overwritten with errors */
    for (size_t i = 0; i < curve.count; i++)
        error[i] = (alpha + beta * curve.x[i]) / curve.y[i] - 1;
    s.sizes = curve.sizes;
    s.bias = ns_median(error, curve.count);
    for (size_t i = 0; i < curve.count; i++)
        error[i] = fabs(error[i]);
    s.median_error = ns_median(error, curve.count);
    s.p95_error = ns_order_quantile(error, curve.count, 0.95);
    s.scatter = curve.scatter;
    s.stale = s.median_error > tolerance && s.median_error > 2 * curve.scatter;
    all->of[all->count++] = s;
    return NS_OK;
}

ns_status ns_fit_check(const ns_machine *machine, const ns_log *log, ns_statistic statistic, ns_fit_score **score,
                       size_t *count, ns_error *err)
{
    enum { MOST = NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS + NS_COPY_LEVELS * NS_DIRECTIONS };
    NS_OWN(ns_free) ns_fit_score *of = ns_calloc(MOST, sizeof *of);
    scores all = {.log = log, .statistic = statistic, .of = of};
    if (of == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS; i++) {
        const int p = i % NS_PROTOCOLS, l = i / NS_PROTOCOLS % NS_LOCALITIES, m = i / (NS_PROTOCOLS * NS_LOCALITIES);
        const ns_line *lines = machine->line[m][l], *line = &lines[p];
        want w = {(ns_memory)m, (ns_locality)l, line->from, INFINITY};
        for (int later = NS_PROTOCOLS - 1; later > p; later--)
            w.to = lines[later].given ? lines[later].from : w.to;
        const ns_fit_score line_score = {.memory = w.memory, .locality = w.locality, .protocol = (ns_protocol)p};
        if (line->given)
            NS_TRY(add_score(&all, is_wanted, &w, line->alpha, line->beta, line_score, err));
    }
    for (int i = 0; i < machine->copy_levels; i++)
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            const ns_copy_line *level = &machine->copy[i];
            const ns_fit_score copy_score = {
                .memory = NS_DEVICE, .processes = level->processes, .direction = (ns_direction)d};
            NS_TRY(add_score(&all, is_copy, &copy_score, level->alpha[d], level->beta[d], copy_score, err));
        }
    if (all.count == 0)
        return ns_fail(err, NS_ERR_DATA,
                       "the logs hold no ping-pong and no copies of a class that machine \"%s\" knows", machine->name);
    *score = of;
    *count = all.count;
    of = NULL;
    return NS_OK;
}
