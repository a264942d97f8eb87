/* collectives.c -- collectives by name, memory and number of processes */
#include "core/memory.h"
#include "fit/fit.h"

#include <math.h>
#include <string.h>

static bool is_same(const ns_sample *s, const void *context)
{
    const ns_sample *like = context;
    return s->kind == NS_COLLECTIVE && s->memory == like->memory && s->pairs == like->pairs &&
           strcmp(s->name, like->name) == 0;
}

static ns_status describe(const ns_fit *fit, const ns_curve *curve, ns_fit_collective *c, ns_error *err)
{
    c->sizes = curve->sizes;
    c->least = curve->x[0];
    c->most = curve->x[curve->count - 1];
    c->first_s = curve->y[0];
    c->last_s = curve->y[curve->count - 1];
    c->median_error = c->p95_error = NAN;
    if (curve->sizes < 3)
        return NS_OK;
    c->fitted = true;
    NS_TRY(ns_line_fit(curve->x, curve->y, curve->count, fit->options.weights, curve->noise, &c->line, err));
    return ns_fit_held_out(fit, curve, &c->median_error, &c->p95_error, err);
}

static ns_status add_collective(ns_fit *fit, const ns_log *log, const ns_sample *like, ns_error *err)
{
    ns_columns columns;
    ns_curve curve = {0};
    ns_fit_collective c = {.name = like->name, .memory = like->memory, .processes = like->pairs};
    NS_TRY(ns_columns_collect(log, is_same, like, &columns, err));
    c.samples = columns.count;
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, fit->options.statistic, &curve, err);
    ns_columns_free(&columns);
    if (status == NS_OK)
        status = describe(fit, &curve, &c, err);
    ns_curve_free(&curve);
    if (status == NS_OK)
        fit->collective[fit->collectives++] = c;
    return status;
}

static bool is_listed(const ns_fit *fit, const ns_sample *s)
{
    for (size_t i = 0; i < fit->collectives; i++) {
        const ns_fit_collective *c = &fit->collective[i];
        if (c->memory == s->memory && c->processes == s->pairs && strcmp(c->name, s->name) == 0)
            return true;
    }
    return false;
}

ns_status ns_fit_collectives(ns_fit *fit, const ns_log *log, ns_error *err)
{
    size_t room = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->kind != NS_COLLECTIVE || is_listed(fit, s))
            continue;
        if (fit->collectives == room) {
            room = 2 * room + 8;
            ns_fit_collective *grown = ns_realloc(fit->collective, ns_size_mul(room, sizeof *grown));
            if (grown == NULL)
                return ns_no_memory(err);
            fit->collective = grown;
        }
        NS_TRY(add_collective(fit, log, s, err));
    }
    return NS_OK;
}
