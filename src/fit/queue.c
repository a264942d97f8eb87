/* queue.c -- what many messages at once cost on top of their own time: gamma of the queue search, delta of contention
 *
 *     T = n (alpha + beta s) + gamma n^2               receives posted in the worst order
 *     T = n (alpha + beta s) + gamma n^2 + delta l     l = bytes on the busiest link, of all pairs of a line of nodes
 *
 * [11] of [NA].  As its authors do, contention is fitted up to 16 messages, where the queue does not drown it, and
 * against lines through every number of pairs.
 */
#include "core/memory.h"
#include "fit/fit.h"

enum { CONTENTION_MESSAGES = 16 };

typedef struct residuals {
    double *x, *y, *scale;
    size_t count;
} residuals;

static bool is_kind(const ns_sample *s, const void *context)
{
    const ns_sample_kind *kind = context;
    return s->kind == *kind && (*kind != NS_CONTENTION || s->messages <= CONTENTION_MESSAGES);
}

typedef struct few_or_many {
    ns_memory memory;
    double from, to;
} few_or_many;

static bool is_off_node_latency(const ns_sample *s, const void *context)
{
    const few_or_many *w = context;
    return ns_sample_is_latency(s) && s->memory == w->memory && s->locality == NS_OFF_NODE && s->bytes >= w->from &&
           s->bytes < w->to;
}

/* A class fitted again to every number of pairs, without an injection limit. */
static ns_status plain_line(const ns_fit *fit, const ns_log *log, ns_memory memory, const ns_fit_class *c,
                            ns_line_estimate *line, ns_error *err)
{
    ns_columns columns;
    ns_curve curve;
    const few_or_many w = {memory, c->least, c->most + 1};
    NS_TRY(ns_columns_collect(log, is_off_node_latency, &w, &columns, err));
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, fit->options.statistic, &curve, err);
    ns_columns_free(&columns);
    if (status != NS_OK)
        return status;
    status = curve.sizes > 1 ? ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, line, err)
                             : NS_OK;
    ns_curve_free(&curve);
    return status;
}

typedef struct base {
    const ns_fit_class *of;
    ns_line_estimate line;
} base;

static ns_status base_of(const ns_fit *fit, const ns_log *log, const ns_sample *s, base *seen, int *count,
                         const base **found, ns_error *err)
{
    const ns_fit_class *c = ns_fit_line(fit, s->memory, s->locality, s->bytes);
    *found = NULL;
    for (int i = 0; i < *count; i++)
        if (seen[i].of == c)
            *found = &seen[i];
    if (c == NULL || *found != NULL)
        return NS_OK;
    base *b = &seen[*count];
    *b = (base){c, c->line};
    if (s->kind == NS_CONTENTION)
        NS_TRY(plain_line(fit, log, s->memory, c, &b->line, err));
    (*count)++;
    *found = b;
    return NS_OK;
}

enum { BASES = NS_MEMORIES * NS_LOCALITIES * NS_SEGMENTS_MAX };

static ns_status residuals_of(const ns_fit *fit, const ns_log *log, const ns_columns *columns, double gamma,
                              residuals *r, ns_error *err)
{
    base seen[BASES];
    int bases = 0;
    for (size_t i = 0; i < columns->count; i++) {
        const ns_sample *s = columns->sample[i];
        const base *b;
        const double n = s->messages;
        NS_TRY(base_of(fit, log, s, seen, &bases, &b, err));
        if (b == NULL)
            continue;
        r->x[r->count] = s->kind == NS_CONTENTION ? n * s->bytes * (s->pairs > 1 ? s->pairs : 1) : n * n;
        r->y[r->count] =
            s->seconds - n * (b->line.alpha + b->line.beta * s->bytes) - (s->kind == NS_CONTENTION ? gamma * n * n : 0);
        r->scale[r->count++] = s->seconds;
    }
    return NS_OK;
}

static ns_status fit_rate(const ns_fit *fit, const ns_log *log, const ns_columns *columns, double gamma,
                          ns_fit_number *number, ns_error *err)
{
    residuals r = {.x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(3, columns->count), 1), sizeof *r.x))};
    if (r.x == NULL)
        return ns_no_memory(err);
    r.y = r.x + columns->count;
    r.scale = r.y + columns->count;
    ns_status status = residuals_of(fit, log, columns, gamma, &r, err);
    if (status == NS_OK && r.count > 1) {
        const double *scale = fit->options.weights == NS_WEIGHTS_RELATIVE ? r.scale : NULL;
        status = ns_ray_fit(r.x, r.y, scale, r.count, &number->value, &number->se, err);
        number->samples = r.count;
        for (size_t i = 0; i < columns->count; i++)
            if (columns->sample[i]->messages > number->most_messages)
                number->most_messages = columns->sample[i]->messages;
        number->given = status == NS_OK;
    }
    ns_free(r.x);
    return status;
}

static ns_status fit_kind(ns_fit *fit, const ns_log *log, ns_sample_kind kind, double gamma, const char *name,
                          ns_fit_number *number, ns_error *err)
{
    ns_columns columns;
    NS_TRY(ns_columns_collect(log, is_kind, &kind, &columns, err));
    ns_status status = columns.count > 0 ? fit_rate(fit, log, &columns, gamma, number, err) : NS_OK;
    if (status == NS_OK && columns.count > 0 && !number->given)
        status = ns_fit_warn(fit, err, "%s wants ping-pong data of the same memory and locality beside the %s data",
                             name, ns_sample_kind_words[kind]);
    if (status == NS_OK && number->given && number->value < 0) {
        number->given = false;
        status = ns_fit_warn(fit, err,
                             "%s would be negative (%.3g): the messages take no longer than their own time; left out",
                             name, number->value);
    }
    ns_columns_free(&columns);
    return status;
}

ns_status ns_fit_queue(ns_fit *fit, const ns_log *log, ns_error *err)
{
    NS_TRY(fit_kind(fit, log, NS_QUEUE_REVERSED, 0, "gamma", &fit->gamma, err));
    NS_TRY(fit_kind(fit, log, NS_QUEUE_IN_ORDER, 0, "gamma in order", &fit->gamma_in_order, err));
    return fit_kind(fit, log, NS_CONTENTION, fit->gamma.given ? fit->gamma.value : 0, "delta", &fit->delta, err);
}
