/* columns.c -- samples that pass a filter, as columns for the numerics */
#include "core/memory.h"
#include "fit/fit.h"

bool ns_sample_moves(const ns_sample *s)
{
    return s->memory != NS_DEVICE || s->bytes > 0;
}

bool ns_sample_is_latency(const ns_sample *s)
{
    return s->kind == NS_PING_PONG || s->kind == NS_NODE_PONG;
}

bool ns_sample_is_window(const ns_sample *s)
{
    return s->kind == NS_STREAMING || s->kind == NS_MESSAGE_RATE || s->kind == NS_BIDIRECTIONAL;
}

/* The filter is asked once a sample: logs are long. */
static ns_status pick(const ns_log *log, ns_sample_filter filter, const void *context, ns_columns *c, ns_error *err)
{
    size_t room = 0;
    for (size_t i = 0; i < log->samples; i++) {
        if (!filter(&log->sample[i], context))
            continue;
        if (c->count == room) {
            room = 2 * room + 64;
            const ns_sample **grown = ns_realloc(c->sample, ns_size_mul(room, sizeof *grown));
            if (grown == NULL)
                return ns_no_memory(err);
            c->sample = grown;
        }
        c->sample[c->count++] = &log->sample[i];
    }
    return NS_OK;
}

ns_status ns_columns_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_columns *columns,
                             ns_error *err)
{
    ns_columns c = {.count = 0};
    ns_status status = pick(log, filter, context, &c, err);
    if (status == NS_OK && (c.x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(2, c.count), 1), sizeof *c.x))) == NULL)
        status = ns_no_memory(err);
    if (status != NS_OK) {
        ns_columns_free(&c);
        return status;
    }
    c.y = c.x + c.count;
    for (size_t i = 0; i < c.count; i++) {
        c.x[i] = c.sample[i]->bytes;
        c.y[i] = c.sample[i]->seconds / (c.sample[i]->messages > 1 ? c.sample[i]->messages : 1);
    }
    *columns = c;
    return NS_OK;
}

void ns_columns_free(ns_columns *columns)
{
    ns_free(columns->x);
    ns_free(columns->sample);
    *columns = (ns_columns){0};
}

ns_status ns_fit_held_out(const ns_fit *fit, const ns_curve *curve, double *median, double *p95, ns_error *err)
{
    ns_held_out_errors errors = {.of_size =
                                     ns_malloc(ns_size_mul(ns_size_add(curve->sizes, 1), sizeof *errors.of_size))};
    if (errors.of_size == NULL)
        return ns_no_memory(err);
    ns_status status = ns_held_out(curve, fit->options.weights, &errors, err);
    ns_free(errors.of_size);
    if (status == NS_OK) {
        *median = errors.median;
        *p95 = errors.p95;
    }
    return status;
}
