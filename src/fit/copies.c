/* copies.c -- copies between host and device: one line per number of processes and direction */
#include "fit/fit.h"

#include <stdlib.h>

typedef struct level {
    int processes;
    ns_direction direction;
} level;

static bool is_level(const ns_sample *s, const void *context)
{
    const level *l = context;
    return s->kind == NS_COPY_SAMPLE && (s->pairs > 1 ? s->pairs : 1) == l->processes && s->direction == l->direction;
}

static ns_status fit_level(ns_fit *fit, const ns_log *log, const level *l, ns_error *err)
{
    ns_columns columns;
    ns_curve curve = {0};
    ns_fit_copy c = {.processes = l->processes, .direction = l->direction};
    NS_TRY(ns_columns_collect(log, is_level, l, &columns, err));
    c.samples = columns.count;
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, fit->options.statistic, &curve, err);
    ns_columns_free(&columns);
    if (status == NS_OK && curve.sizes > 1) {
        c.sizes = curve.sizes;
        c.least = curve.x[0];
        c.most = curve.x[curve.count - 1];
        status = ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, &c.line, err);
        if (status == NS_OK)
            status = ns_held_out(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, &c.median_error, &c.p95_error, err);
        fit->copy[fit->copies++] = c;
    }
    ns_curve_free(&curve);
    return status;
}

enum { PROCESSES_MAX = 4096 };

ns_status ns_fit_copies(ns_fit *fit, const ns_log *log, ns_error *err)
{
    bool *seen = calloc((size_t)(PROCESSES_MAX + 1) * NS_DIRECTIONS, sizeof *seen);
    size_t levels = 0;
    if (seen == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        const int processes = s->pairs > 1 ? s->pairs : 1;
        if (s->kind != NS_COPY_SAMPLE || processes > PROCESSES_MAX)
            continue;
        bool *here = &seen[processes * NS_DIRECTIONS + (int)s->direction];
        levels += !*here;
        *here = true;
    }
    fit->copy = malloc((levels + 1) * sizeof *fit->copy);
    ns_status status = fit->copy != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (int i = 0; i < (PROCESSES_MAX + 1) * NS_DIRECTIONS && status == NS_OK; i++)
        if (seen[i])
            status = fit_level(fit, log, &(level){i / NS_DIRECTIONS, (ns_direction)(i % NS_DIRECTIONS)}, err);
    free(seen);
    return status;
}
