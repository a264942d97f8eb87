/* exchange.c -- constants of whole exchanges, from benchmarks with many messages in flight (strategy.h, form full)
 *
 *     T = n (a + b s)                        inside the node, by protocol: a and b; off node between the fewest
 *                                            nodes, short messages: a
 *
 *     T = a' n + n s ppn / R + gamma' n^2    off node, lines of nodes whose pairs cross the same links, every
 *                                            protocol: R
 *
 * n messages of s bytes in flight of each pair, in order or of an order unknown; medians of the repeats, relative
 * residuals.  The first is robust and goes up to FEW messages, since the queue search shows from there on and has its
 * own constant.  The start-up off node is taken where nothing is shared, if later protocols have about the same; the
 * node's rate where at least SHARING nodes a side send over the same links, as neighbours in a job do.  Such lines lie
 * along every direction of the network, which differ by design: no robust fit there.
 */
#include "fit/exchange.h"
#include "core/memory.h"
#include "fit/machine_file.h"
#include "num/plane_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 64, SHARING = 4, ANY = 1 << 30 };
static const double APART = 2; /* protocols whose start-ups in flight differ by more have no common one */

/* Median time per message of one number of pairs, messages and size. */
typedef struct cell {
    int pairs, messages;
    double bytes, seconds;
} cell;

typedef struct choice {
    ns_memory memory;
    ns_locality locality;
    int least_pairs, most_pairs;
    int messages;    /* at most */
    double from, to; /* B, from <= s < to */
} choice;

static bool in_flight(const ns_sample *s, ns_memory memory)
{
    const bool many = s->kind == NS_MULTI_MESSAGE || s->kind == NS_QUEUE_IN_ORDER || s->kind == NS_CONTENTION;
    return many && s->memory == memory && s->seconds > 0;
}

static bool fits(const ns_sample *s, const choice *w)
{
    return in_flight(s, w->memory) && s->locality == w->locality && s->pairs >= w->least_pairs &&
           s->pairs <= w->most_pairs && s->messages <= w->messages && s->bytes >= w->from && s->bytes < w->to;
}

static int by_cell(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->pairs != y->pairs)
        return x->pairs < y->pairs ? -1 : 1;
    if (x->messages != y->messages)
        return x->messages < y->messages ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static bool same_cell(const cell *a, const cell *b)
{
    return a->pairs == b->pairs && a->messages == b->messages && a->bytes == b->bytes;
}

/* Cells, their medians first in the list; *list: free it. */
static ns_status cells_of(const ns_log *log, const choice *w, cell **list, size_t *count, size_t *samples,
                          ns_error *err)
{
    cell *c = malloc(ns_size_mul(ns_size_add(log->samples, 1), sizeof *c));
    if (c == NULL)
        return ns_no_memory(err);
    *samples = *count = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (fits(s, w))
            c[(*samples)++] = (cell){s->pairs, s->messages, s->bytes, s->seconds / s->messages};
    }
    qsort(c, *samples, sizeof *c, by_cell);
    for (size_t i = 0, end; i < *samples; i = end) {
        for (end = i + 1; end < *samples && same_cell(&c[i], &c[end]);)
            end++;
        cell middle = c[i];
        middle.seconds = 0.5 * (c[(i + end - 1) / 2].seconds + c[(i + end) / 2].seconds);
        c[(*count)++] = middle;
    }
    *list = c;
    return NS_OK;
}

static size_t sizes_of(const double *x, size_t count)
{
    size_t sizes = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = x[k] == x[i];
        sizes += !seen;
    }
    return sizes;
}

/* time of a message = alpha + beta s through the cells; *given: there are enough sizes for a line. */
static ns_status fit_cells(const ns_log *log, const choice *w, ns_line_estimate *line, size_t *samples, bool *given,
                           ns_error *err)
{
    cell *c = NULL;
    size_t count = 0;
    NS_TRY(cells_of(log, w, &c, &count, samples, err));
    double *x = malloc(ns_size_mul(ns_size_add(ns_size_mul(2, count), 1), sizeof *x));
    ns_status status = x != NULL ? NS_OK : ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < count; i++) {
        x[i] = c[i].bytes;
        x[count + i] = c[i].seconds;
    }
    *given = status == NS_OK && sizes_of(x, count) > 2;
    if (*given)
        status = ns_line_fit(x, x + count, count, NS_WEIGHTS_RELATIVE, (ns_noise){0, 0}, line, err);
    free(x);
    free(c);
    return status;
}

/* ---- into the machine file --------------------------------------------------------------------------------------- */

static const ns_dim second = {1, 0, 0}, second_per_byte = {1, -1, 0};

/* The fewest pairs that have many messages in flight off node. */
static int fewest_pairs(const ns_log *log, ns_memory memory)
{
    int fewest = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (in_flight(s, memory) && s->locality == NS_OFF_NODE && s->messages > 1 && (fewest == 0 || s->pairs < fewest))
            fewest = s->pairs;
    }
    return fewest;
}

/* First size of the protocol after a class. */
static double end_of(const ns_fit *fit, ns_memory memory, ns_locality locality, double from)
{
    double end = INFINITY;
    for (size_t g = 0; g < fit->groups; g++)
        for (int c = 0; c < fit->group[g].classes; c++) {
            const ns_fit_group *group = &fit->group[g];
            if (group->in_machine && group->memory == memory && group->locality == locality && group->of[c].from > from)
                end = fmin(end, group->of[c].from);
        }
    return end;
}

/* The largest start-up in flight of the later protocols: one start-up for all is only as good as they agree. */
static ns_status later_start_up(const ns_fit *fit, const ns_log *log, ns_memory memory, int pairs, double *alpha,
                                ns_error *err)
{
    double largest = 0;
    for (double from = end_of(fit, memory, NS_OFF_NODE, 0); isfinite(from);
         from = end_of(fit, memory, NS_OFF_NODE, from)) {
        const choice w = {memory, NS_OFF_NODE, pairs, pairs, FEW, from, end_of(fit, memory, NS_OFF_NODE, from)};
        ns_line_estimate line;
        size_t samples;
        bool given;
        NS_TRY(fit_cells(log, &w, &line, &samples, &given, err));
        if (given)
            largest = fmax(largest, line.alpha);
    }
    *alpha = largest;
    return NS_OK;
}

static ns_status off_node(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *x, ns_error *err)
{
    const int pairs = fewest_pairs(log, memory);
    const choice w = {memory, NS_OFF_NODE, pairs, pairs, FEW, 0, end_of(fit, memory, NS_OFF_NODE, 0)};
    ns_line_estimate line;
    size_t samples;
    bool given;
    double later;
    NS_TRY(fit_cells(log, &w, &line, &samples, &given, err));
    NS_TRY(later_start_up(fit, log, memory, pairs, &later, err));
    if (!given || line.alpha <= 0 || later > APART * line.alpha)
        return NS_OK;
    ns_value *object = ns_value_object(x, ns_locality_words[NS_OFF_NODE]);
    ns_fit_put(object, "alpha", line.alpha, line.alpha_se, second);
    ns_value_textf(object, "source",
                   "nsmodel fit, up to %d messages in flight of %d pairs, %.0f B at most, %zu samples", (int)FEW, pairs,
                   isfinite(w.to) ? w.to - 1 : 0, samples);
    return NS_OK;
}

/* Columns n, n s ppn, n^2 against T of the cells. */
static ns_status fit_lines(const cell *c, size_t count, int ppn, double rate[3], double se[3], ns_error *err)
{
    double *x = malloc(ns_size_mul(ns_size_add(ns_size_mul(4, count), 1), sizeof *x));
    if (x == NULL)
        return ns_no_memory(err);
    double *y = x + 3 * count;
    for (size_t i = 0; i < count; i++) {
        const double n = c[i].messages;
        x[i] = n;
        x[count + i] = n * c[i].bytes * ppn;
        x[2 * count + i] = n * n;
        y[i] = n * c[i].seconds;
    }
    const ns_status status = ns_plane_fit(x, y, count, 3, rate, se, err);
    free(x);
    return status;
}

static ns_status shared_rate(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *x, ns_error *err)
{
    const int ppn = fit->options.per_node;
    const choice w = {memory, NS_OFF_NODE, SHARING * ppn, ANY, ANY, 0, INFINITY};
    ns_error poor = {0}; /* too few messages or sizes: no rate */
    cell *c;
    size_t count, samples;
    double rate[3], se[3];
    if (ppn < 1)
        return NS_OK;
    NS_TRY(cells_of(log, &w, &c, &count, &samples, err));
    const ns_status status = fit_lines(c, count, ppn, rate, se, &poor);
    free(c);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    if (status != NS_OK || rate[1] <= 0)
        return NS_OK;
    ns_fit_put(x, "inverse_R", rate[1], se[1], second_per_byte);
    ns_value_textf(x, "note", "inverse_R: lines of at least %d nodes a side, %d processes a node, %zu samples",
                   (int)SHARING, ppn, samples);
    return NS_OK;
}

static ns_status on_node(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_value *x,
                         ns_error *err)
{
    ns_value *object = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_fit_class *c = NULL;
        for (size_t g = 0; g < fit->groups; g++)
            for (int k = 0; k < fit->group[g].classes; k++)
                if (fit->group[g].in_machine && fit->group[g].memory == memory && fit->group[g].locality == locality &&
                    (int)fit->group[g].of[k].protocol == p)
                    c = &fit->group[g].of[k];
        if (c == NULL)
            continue;
        const choice w = {memory, locality, 0, ANY, FEW, c->from, end_of(fit, memory, locality, c->from)};
        ns_line_estimate line;
        size_t samples;
        bool given;
        NS_TRY(fit_cells(log, &w, &line, &samples, &given, err));
        if (!given)
            continue;
        object = object != NULL ? object : ns_value_object(x, ns_locality_words[locality]);
        ns_value *row = ns_value_object(object, ns_protocol_words[p]);
        ns_fit_put_line(row, &line);
        ns_value_textf(row, "note", "up to %d messages in flight, %zu samples", (int)FEW, samples);
    }
    return NS_OK;
}

bool ns_fit_has_exchange(const ns_log *log, ns_memory memory)
{
    for (size_t i = 0; i < log->samples; i++)
        if (in_flight(&log->sample[i], memory) && log->sample[i].messages > 1)
            return true;
    return false;
}

ns_status ns_fit_exchange(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *object, ns_error *err)
{
    if (!ns_fit_has_exchange(log, memory))
        return NS_OK;
    ns_value *x = ns_value_object(object, "exchange");
    NS_TRY(off_node(fit, log, memory, x, err));
    NS_TRY(shared_rate(fit, log, memory, x, err));
    NS_TRY(on_node(fit, log, memory, NS_ON_NODE, x, err));
    NS_TRY(on_node(fit, log, memory, NS_ON_SOCKET, x, err));
    const bool any = x != NULL && x->first != NULL;
    ns_value_text(
        x, any ? "source" : "note",
        any ? "nsmodel fit, many messages in flight: medians, relative residuals"
            : "messages in flight were measured, but protocols have no common start-up: single messages stand");
    return NS_OK;
}
