/* columns.c -- samples that pass a filter, as columns for the numerics */
#include "fit/fit.h"

#include <stdlib.h>

bool ns_sample_moves(const ns_sample *s)
{
    return s->memory != NS_DEVICE || s->bytes > 0;
}

bool ns_sample_is_latency(const ns_sample *s)
{
    return s->kind == NS_PING_PONG || s->kind == NS_NODE_PONG;
}

ns_status ns_columns_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_columns *columns,
                             ns_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < log->samples; i++)
        count += filter(&log->sample[i], context);
    ns_columns c = {.x = malloc((2 * count + 1) * sizeof *c.x), .sample = malloc((count + 1) * sizeof *c.sample)};
    if (c.x == NULL || c.sample == NULL) {
        free(c.x);
        free(c.sample);
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    c.y = c.x + count;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (!filter(s, context))
            continue;
        c.sample[c.count] = s;
        c.x[c.count] = s->bytes;
        c.y[c.count++] = s->seconds / (s->messages > 1 ? s->messages : 1);
    }
    *columns = c;
    return NS_OK;
}

void ns_columns_free(ns_columns *columns)
{
    free(columns->x);
    free(columns->sample);
    *columns = (ns_columns){0};
}

ns_status ns_fit_held_out(const ns_fit *fit, const ns_curve *curve, double *median, double *p95, ns_error *err)
{
    ns_held_out_errors errors = {.of_size = malloc((curve->sizes + 1) * sizeof *errors.of_size)};
    if (errors.of_size == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    ns_status status = ns_held_out(curve, fit->options.weights, &errors, err);
    free(errors.of_size);
    *median = errors.median;
    *p95 = errors.p95;
    return status;
}
