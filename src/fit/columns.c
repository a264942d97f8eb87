/* columns.c -- samples that pass a filter, as columns for the numerics */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"

bool ns_sample_moves(const ns_sample *s)
{
    return s->memory != NS_DEVICE || s->bytes > 0;
}

bool ns_kind_is_latency(ns_sample_kind kind)
{
    return kind == NS_PING_PONG || kind == NS_NODE_PONG;
}

bool ns_kind_is_window(ns_sample_kind kind)
{
    return kind == NS_STREAMING || kind == NS_MESSAGE_RATE || kind == NS_BIDIRECTIONAL;
}

ns_status ns_columns_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_columns *columns,
                             ns_error *err)
{
    NS_CLOSE(ns_columns_free) ns_columns c = {.count = 0};
    size_t room = 0;
    for (size_t i = 0; i < log->samples; i++) { /* logs are long: call the filter once per sample */
        if (!filter(&log->sample[i], context))
            continue;
        if (c.count == room) {
            room = 2 * room + 64;
            const ns_sample **grown = ns_realloc(c.sample, ns_size_mul(room, sizeof *grown));
            if (grown == NULL)
                return ns_no_memory(err);
            c.sample = grown;
        }
        c.sample[c.count++] = &log->sample[i];
    }
    c.x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(2, c.count), 1), sizeof *c.x));
    if (c.x == NULL)
        return ns_no_memory(err);
    c.y = c.x + c.count;
    for (size_t i = 0; i < c.count; i++) {
        c.x[i] = c.sample[i]->bytes;
        c.y[i] = c.sample[i]->seconds / (c.sample[i]->messages > 1 ? c.sample[i]->messages : 1);
    }
    *columns = c;
    c.x = NULL; /* the caller's now */
    c.sample = NULL;
    return NS_OK;
}

void ns_columns_free(ns_columns *columns)
{
    ns_free(columns->x);
    ns_free(columns->sample);
    *columns = (ns_columns){0};
}

ns_status ns_fit_curve(const ns_log *log, ns_sample_filter filter, const void *context, ns_statistic statistic,
                       ns_curve *curve, size_t *samples, ns_error *err)
{
    NS_CLOSE(ns_columns_free) ns_columns columns = {.count = 0};
    *curve = (ns_curve){.count = 0};
    NS_TRY(ns_columns_collect(log, filter, context, &columns, err));
    *samples = columns.count;
    return ns_curve_make(columns.x, columns.y, columns.count, statistic, curve, err);
}

ns_status ns_fit_held_out(const ns_fit *fit, const ns_curve *curve, double *median, double *p95, ns_error *err)
{
    NS_OWN(ns_free) double *of_size = ns_malloc(ns_size_mul(ns_size_add(curve->sizes, 1), sizeof *of_size));
    ns_held_out_errors errors = {.of_size = of_size};
    if (of_size == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_held_out(curve, fit->options.weights, &errors, err));
    *median = errors.median;
    *p95 = errors.p95;
    return NS_OK;
}
