/* collectives.c -- collectives by name, memory and number of processes */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"

#include <math.h>
#include <string.h>

static bool is_same(const ns_sample *s, const void *context)
{
    const ns_sample *like = context;
    return s->kind == NS_COLLECTIVE && s->memory == like->memory && s->pairs == like->pairs &&
           strcmp(s->name, like->name) == 0;
}

ns_status ns_fit_collectives(ns_fit *fit, const ns_log *log, ns_error *err)
{
    size_t room = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        bool listed = s->kind != NS_COLLECTIVE;
        for (size_t k = 0; k < fit->collectives && !listed; k++) {
            const ns_fit_collective *c = &fit->collective[k];
            listed = c->memory == s->memory && c->processes == s->pairs && strcmp(c->name, s->name) == 0;
        }
        if (listed)
            continue;
        if (fit->collectives == room) {
            room = 2 * room + 8;
            ns_fit_collective *grown = ns_realloc(fit->collective, ns_size_mul(room, sizeof *grown));
            if (grown == NULL)
                return ns_no_memory(err);
            fit->collective = grown;
        }
        NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
        ns_fit_collective c = {.name = s->name, .memory = s->memory, .processes = s->pairs};
        NS_TRY(ns_fit_curve(log, is_same, s, fit->options.statistic, &curve, &c.samples, err));
        c.sizes = curve.sizes;
        c.least = curve.x[0];
        c.most = curve.x[curve.count - 1];
        c.first_s = curve.y[0];
        c.last_s = curve.y[curve.count - 1];
        c.median_error = c.p95_error = NAN;
        c.fitted = curve.sizes >= 3;
        if (c.fitted) {
            NS_TRY(ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, &c.line, err));
            NS_TRY(ns_fit_held_out(fit, &curve, &c.median_error, &c.p95_error, err));
        }
        fit->collective[fit->collectives++] = c;
    }
    return NS_OK;
}
