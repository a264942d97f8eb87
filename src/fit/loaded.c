/* loaded.c -- ping-pongs of many pairs at once: what all processes of a node share
 *
 *     T = a + 2 p L s          inside the node, below rendezvous: L, time per byte of all that the node moves
 *
 *     T, median up to 512 B    off node: the start-up of a message while every process sends
 *
 * of the table with most pairs p, if more than half of the node's processes take part in it: with fewer the memory is
 * not shared by as many as in an exchange.  2 p processes, since half of them send at a time and all do in an exchange.
 * The limit counts where it is more than the line of a single pair, the node's processes together.
 */
#include "core/memory.h"
#include "fit/cells.h"

#include <math.h>
#include <stdlib.h>

enum { SMALL = 512 /* B */ };
static const double SHOWS = 1.25; /* a limit that is nearer to the single pair's line is none */

typedef struct table {
    ns_memory memory;
    ns_locality locality;
    int pairs;
    double to; /* B, sizes below */
} table;

static bool is_of(const ns_sample *s, const void *context)
{
    const table *t = context;
    return s->kind == NS_NODE_PONG && s->messages <= 1 && ns_sample_moves(s) && s->memory == t->memory &&
           s->locality == t->locality && s->pairs == t->pairs && s->bytes < t->to && s->seconds > 0;
}

static int most_pairs(const ns_log *log, ns_memory memory, ns_locality locality)
{
    int most = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->kind == NS_NODE_PONG && s->memory == memory && s->locality == locality && s->pairs > most)
            most = s->pairs;
    }
    return most;
}

static double rendezvous_from(const ns_fit *fit, ns_memory memory, ns_locality locality)
{
    const ns_fit_class *c = ns_fit_class_of(fit, memory, locality, NS_RENDEZVOUS);
    return c != NULL ? c->from : INFINITY;
}

/* What a byte of the last protocol below rendezvous costs a single pair. */
static double single(const ns_fit *fit, ns_memory memory, ns_locality locality)
{
    const ns_fit_class *eager = ns_fit_class_of(fit, memory, locality, NS_EAGER),
                       *first = ns_fit_class_of(fit, memory, locality, NS_SHORT);
    return eager != NULL ? eager->line.beta : first != NULL ? first->line.beta : 0;
}

static ns_status fit_limit(ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_error *err)
{
    const int pairs = most_pairs(log, memory, locality), processes = ns_fit_processes(fit);
    const table t = {memory, locality, pairs, rendezvous_from(fit, memory, locality)};
    ns_line_estimate line;
    ns_error poor = {0}; /* too few sizes: no limit */
    ns_cell *c;
    size_t count, samples;
    if (2 * pairs <= processes / 2)
        return NS_OK;
    NS_TRY(ns_cells_collect(log, is_of, &t, &c, &count, &samples, err));
    const ns_status status = ns_cells_line(c, count, &line, &poor);
    free(c);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    const double limit = status == NS_OK ? line.beta / (2 * pairs) : 0;
    if (limit * processes > SHOWS * single(fit, memory, locality))
        fit->limit[memory][locality] = (ns_fit_loaded){
            {.given = true, .value = limit, .se = line.beta_se / (2 * pairs), .samples = samples}, pairs};
    return NS_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of times and its error, from the median distance to it. */
static ns_fit_number median_of(double *value, size_t count, size_t samples)
{
    const double of_normal = 1.4826, of_median = 1.2533;
    ns_fit_number n = {.given = true, .samples = samples};
    qsort(value, count, sizeof *value, by_value);
    n.value = 0.5 * (value[(count - 1) / 2] + value[count / 2]);
    for (size_t i = 0; i < count; i++)
        value[i] = fabs(value[i] - n.value);
    qsort(value, count, sizeof *value, by_value);
    n.se = of_normal * of_median * 0.5 * (value[(count - 1) / 2] + value[count / 2]) / sqrt((double)count);
    return n;
}

static ns_status fit_start_up(ns_fit *fit, const ns_log *log, ns_memory memory, ns_error *err)
{
    const int pairs = most_pairs(log, memory, NS_OFF_NODE);
    const table t = {memory, NS_OFF_NODE, pairs, SMALL + 1};
    ns_cell *c;
    size_t count, samples;
    if (2 * pairs <= ns_fit_processes(fit))
        return NS_OK;
    NS_TRY(ns_cells_collect(log, is_of, &t, &c, &count, &samples, err));
    double *value = malloc(ns_size_mul(ns_size_add(count, 1), sizeof *value));
    for (size_t i = 0; value != NULL && i < count; i++)
        value[i] = c[i].seconds;
    free(c);
    if (value == NULL)
        return ns_no_memory(err);
    if (count > 2)
        fit->start_up[memory] = (ns_fit_loaded){median_of(value, count, samples), pairs};
    free(value);
    return NS_OK;
}

ns_status ns_fit_loaded_tables(ns_fit *fit, const ns_log *log, ns_error *err)
{
    for (int m = 0; m < NS_MEMORIES; m++) {
        for (int l = 0; l < NS_OFF_NODE; l++)
            NS_TRY(fit_limit(fit, log, (ns_memory)m, (ns_locality)l, err));
        NS_TRY(fit_start_up(fit, log, (ns_memory)m, err));
    }
    return NS_OK;
}
