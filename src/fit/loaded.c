/* loaded.c -- ping-pongs of many pairs at once: the limits that all processes of a node share
 *
 *     T = a + 2 p L s          inside the node, below rendezvous: L, time per byte of all that the node moves
 *
 *     T, median up to 512 B    off node: the start-up of a message while every process sends
 *
 * from the table with the most pairs p, at least NS_FIT_INJECTION_PAIRS, if more than half of the node's processes take
 * part: with fewer, the memory is not shared by as many as in an exchange.  There are 2 p processes, since half of
 * them send at a time here and all send in an exchange.  The limit is used where it exceeds the time per byte of the
 * fewest pairs, for the node's processes together, and where no line of as many pairs with messages in flight already
 * contains it.
 *
 *     T / s                    packing: of the longest copies into buffers allocated anew, by the most processes of a
 *                              node at once
 */
#include "core/memory.h"
#include "fit/cells.h"
#include "num/num.h"

#include <math.h>

enum { SMALL = 512 /* B */ };
static const double SHOWS = 1.1; /* a limit closer to the line of the fewest pairs is not significant */

typedef struct table {
    ns_memory memory;
    ns_locality locality;
    int pairs;
    double to; /* B, exclusive upper bound of the sizes */
} table;

/* A ping-pong whose log does not give the pairs has one pair. */
static int pairs_of(const ns_sample *s)
{
    return s->kind == NS_PING_PONG ? 1 : s->pairs;
}

static bool is_of(const ns_sample *s, const void *context)
{
    const table *t = context;
    return ns_kind_is_latency(s->kind) && s->messages <= 1 && ns_sample_moves(s) && s->memory == t->memory &&
           s->locality == t->locality && pairs_of(s) == t->pairs && s->bytes < t->to && s->seconds > 0;
}

static int extreme_pairs(const ns_log *log, ns_memory memory, ns_locality locality, bool most)
{
    int found = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (ns_kind_is_latency(s->kind) && s->memory == memory && s->locality == locality && pairs_of(s) > 0 &&
            (found == 0 || (pairs_of(s) > found) == most))
            found = pairs_of(s);
    }
    return found;
}

/* Fit the line of a table below rendezvous; 0 samples: too few sizes. */
static ns_status fit_table(const ns_log *log, const table *t, ns_line_estimate *line, size_t *samples, ns_error *err)
{
    ns_error poor = {0};
    ns_cell *c;
    size_t count;
    NS_TRY(ns_cells_collect(log, is_of, t, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &c, &count, samples, err));
    const ns_status status = ns_cells_line(c, count, line, &poor);
    ns_free(c);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    *samples = status == NS_OK ? *samples : 0;
    return NS_OK;
}

static ns_status fit_limit(ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_error *err)
{
    const int processes = ns_fit_processes(fit);
    const int pairs = extreme_pairs(log, memory, locality, true);
    const ns_fit_class *rendezvous = ns_fit_class_of(fit, memory, locality, NS_RENDEZVOUS);
    table t = {memory, locality, pairs, rendezvous != NULL ? rendezvous->from : INFINITY};
    ns_line_estimate line, fewest;
    size_t samples, alone;
    bool in_the_line = false; /* as many pairs with messages in flight: their line includes the node's load */
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        in_the_line =
            in_the_line || ((s->kind == NS_MULTI_MESSAGE || s->kind == NS_QUEUE_IN_ORDER) && s->memory == memory &&
                            s->locality == locality && s->pairs >= pairs && s->messages > 1);
    }
    if (pairs < NS_FIT_INJECTION_PAIRS || 2 * pairs <= processes / 2 || in_the_line)
        return NS_OK;
    NS_TRY(fit_table(log, &t, &line, &samples, err));
    t.pairs = extreme_pairs(log, memory, locality, false);
    if (samples == 0 || t.pairs == pairs)
        return NS_OK;
    NS_TRY(fit_table(log, &t, &fewest, &alone, err));
    const double limit = line.beta / (2 * pairs);
    if (alone > 0 && limit * processes > SHOWS * fewest.beta)
        fit->limit[memory][locality] = (ns_fit_loaded){
            {.given = true, .value = limit, .se = line.beta_se / (2 * pairs), .samples = samples}, pairs};
    return NS_OK;
}

/* Median of times and its error, from the median absolute deviation. */
static ns_fit_number median_of(double *value, size_t count, size_t samples)
{
    const double of_normal = 1.4826, of_median = 1.2533;
    ns_fit_number n = {.given = true, .samples = samples};
    ns_sort(value, count);
    n.value = 0.5 * (value[(count - 1) / 2] + value[count / 2]);
    for (size_t i = 0; i < count; i++)
        value[i] = fabs(value[i] - n.value);
    ns_sort(value, count);
    n.se = of_normal * of_median * 0.5 * (value[(count - 1) / 2] + value[count / 2]) / sqrt((double)count);
    return n;
}

ns_status ns_fit_loaded_tables(ns_fit *fit, const ns_log *log, ns_error *err)
{
    for (int m = 0; m < NS_MEMORIES; m++) {
        for (int l = 0; l < NS_OFF_NODE; l++)
            NS_TRY(fit_limit(fit, log, (ns_memory)m, (ns_locality)l, err));
        const int pairs = extreme_pairs(log, (ns_memory)m, NS_OFF_NODE, true);
        const table t = {(ns_memory)m, NS_OFF_NODE, pairs, SMALL + 1};
        ns_cell *c;
        size_t cells, samples;
        if (pairs < NS_FIT_INJECTION_PAIRS || 2 * pairs <= ns_fit_processes(fit))
            continue;
        NS_TRY(ns_cells_collect(log, is_of, &t, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &c, &cells, &samples, err));
        double *start_up = ns_malloc(ns_size_mul(ns_size_add(cells, 1), sizeof *start_up));
        for (size_t i = 0; start_up != NULL && i < cells; i++)
            start_up[i] = c[i].seconds;
        ns_free(c);
        if (start_up == NULL)
            return ns_no_memory(err);
        if (cells > 2)
            fit->start_up[m] = (ns_fit_loaded){median_of(start_up, cells, samples), pairs};
        ns_free(start_up);
    }
    /* Use the time per byte of the longest copies: shorter ones stay in caches, which are not warm in exchanges. */
    const ns_sample *most = NULL;
    size_t count = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->kind == NS_PACKING && s->seconds > 0 && s->bytes > 0 &&
            (most == NULL || s->pairs > most->pairs || (s->pairs == most->pairs && s->bytes > most->bytes)))
            most = s;
    }
    if (most == NULL || most->pairs <= ns_fit_processes(fit) / 2)
        return NS_OK;
    double *value = ns_malloc(ns_size_mul(log->samples, sizeof *value));
    if (value == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->kind == NS_PACKING && s->seconds > 0 && s->pairs == most->pairs && s->bytes == most->bytes)
            value[count++] = s->seconds / s->bytes;
    }
    fit->packing = (ns_fit_loaded){median_of(value, count, count), most->pairs};
    ns_free(value);
    return NS_OK;
}
