/* queue.c -- extra cost of many messages at once: gamma of the queue search, delta of contention
 *
 *     T = n (alpha + beta s) + gamma n^2               receives posted in the worst order
 *     T = n (alpha + beta s) + gamma n^2 + delta l     l = bytes on the busiest link, of all pairs of a line of nodes
 *
 * [11] of [NA].  As its authors do, contention is fitted up to 16 messages, where the queue cost does not mask it, and
 * against lines fitted to every number of pairs.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"

enum { CONTENTION_MESSAGES = 16 };

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
    return ns_kind_is_latency(s->kind) && s->memory == w->memory && s->locality == NS_OFF_NODE && s->bytes >= w->from &&
           s->bytes < w->to;
}

/* The class for a sample's size; for contention it is fitted again to every number of pairs, without an injection
 * limit. */
typedef struct base {
    const ns_fit_class *of;
    ns_line_estimate line;
} base;
enum { BASES = NS_MEMORIES * NS_LOCALITIES * NS_SEGMENTS_MAX };

/* Residuals of the columns' times over n (alpha + beta s): *count of them, as rows x, y and their scale. */
static ns_status residuals_of(const ns_fit *fit, const ns_log *log, const ns_columns *columns, double gamma, double *x,
                              double *y, double *scale, size_t *count, ns_error *err)
{
    base seen[BASES];
    int bases = 0;
    *count = 0;
    for (size_t i = 0; i < columns->count; i++) {
        const ns_sample *s = columns->sample[i];
        const ns_fit_class *c = ns_fit_line(fit, s->memory, s->locality, s->bytes);
        const bool contention = s->kind == NS_CONTENTION;
        const double n = s->messages;
        int at = 0;
        if (c == NULL)
            continue;
        while (at < bases && seen[at].of != c)
            at++;
        if (at == bases) {
            seen[bases] = (base){c, c->line};
            if (contention) {
                const few_or_many w = {s->memory, c->least, c->most + 1};
                NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
                size_t samples;
                NS_TRY(ns_fit_curve(log, is_off_node_latency, &w, fit->options.statistic, &curve, &samples, err));
                if (curve.sizes > 1)
                    NS_TRY(ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise,
                                       &seen[at].line, err));
            }
            bases++;
        }
        const ns_line_estimate *line = &seen[at].line;
        x[*count] = contention ? n * s->bytes * (s->pairs > 1 ? s->pairs : 1) : n * n;
        y[*count] = s->seconds - n * (line->alpha + line->beta * s->bytes) - (contention ? gamma * n * n : 0);
        scale[(*count)++] = s->seconds;
    }
    return NS_OK;
}

static ns_status fit_kind(ns_fit *fit, const ns_log *log, ns_sample_kind kind, double gamma, const char *name,
                          ns_fit_number *number, ns_error *err)
{
    NS_CLOSE(ns_columns_free) ns_columns columns = {.count = 0};
    NS_TRY(ns_columns_collect(log, is_kind, &kind, &columns, err));
    const size_t all = columns.count;
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(3, all), 1), sizeof *x));
    if (x == NULL)
        return ns_no_memory(err);
    NS_TRY(residuals_of(fit, log, &columns, gamma, x, x + all, x + 2 * all, &number->samples, err));
    if (number->samples > 1) {
        const double *scale = fit->options.weights == NS_WEIGHTS_RELATIVE ? x + 2 * all : NULL;
        NS_TRY(ns_ray_fit(x, x + all, scale, number->samples, &number->value, &number->se, err));
        for (size_t i = 0; i < all; i++)
            if (columns.sample[i]->messages > number->most_messages)
                number->most_messages = columns.sample[i]->messages;
        number->given = true;
    }
    if (all > 0 && !number->given)
        return ns_fit_warn(fit, err, "%s wants ping-pong data of the same memory and locality beside the %s data", name,
                           ns_sample_kind_words[kind]);
    if (!number->given || number->value >= 0)
        return NS_OK;
    number->given = false;
    return ns_fit_warn(fit, err,
                       "%s would be negative (%.3g): the messages take no longer than their own time; left out", name,
                       number->value);
}

ns_status ns_fit_queue(ns_fit *fit, const ns_log *log, ns_error *err)
{
    NS_TRY(fit_kind(fit, log, NS_QUEUE_REVERSED, 0, "gamma", &fit->gamma, err));
    NS_TRY(fit_kind(fit, log, NS_QUEUE_IN_ORDER, 0, "gamma in order", &fit->gamma_in_order, err));
    return fit_kind(fit, log, NS_CONTENTION, fit->gamma.given ? fit->gamma.value : 0, "delta", &fit->delta, err);
}
