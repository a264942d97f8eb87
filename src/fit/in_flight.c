/* in_flight.c -- several messages of one process in flight, each to another one
 *
 *     T = L + n a + n b s       off node, by protocol: n messages of s bytes
 *
 * medians of the repeats, relative least squares, without outliers beyond three times the usual distance.  Such a
 * benchmark alternates between sending and receiving, and half a round trip counts: a of the shortest messages is the
 * processor's time for one at either end; for later protocols a is the gap between two in one direction.  A slope
 * above two thirds of the time of a single message means no overlap: the messages were sent one after the other.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/cells.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 3, ROUNDS = 4 };
static const double ALONE = 2.0 / 3, FAR = 3 * 1.4826; /* multiple of the median distance */

typedef struct protocol_of {
    ns_memory memory;
    double from, to;
} protocol_of;

static bool is_of(const ns_sample *s, const void *context)
{
    const protocol_of *w = context;
    return s->kind == NS_MULTI_MESSAGE && s->pairs == 1 && s->memory == w->memory && s->locality == NS_OFF_NODE &&
           s->seconds > 0 && s->bytes >= w->from && s->bytes < w->to;
}

/* Fit the columns 1, n, n s to T; a latency or a time per byte that would be negative is dropped.  x has space for one
 * column more than that. */
static ns_status fit_not_negative(const ns_cell *c, size_t count, double *x, double rate[COLUMNS], double se[COLUMNS],
                                  ns_error *err)
{
    bool used[COLUMNS] = {true, true, true}, again = true;
    double *y = x + COLUMNS * count;
    for (size_t i = 0; i < count; i++)
        y[i] = c[i].messages * c[i].seconds;
    while (again) {
        double r[COLUMNS], e[COLUMNS];
        size_t columns = 0;
        for (int k = 0; k < COLUMNS; k++) {
            for (size_t i = 0; i < count && used[k]; i++)
                x[columns * count + i] = k == 0 ? 1 : k == 1 ? c[i].messages : c[i].messages * c[i].bytes;
            columns += used[k];
        }
        NS_TRY(ns_plane_fit(x, y, count, columns, r, e, err));
        again = false;
        for (int k = 0, at = 0; k < COLUMNS; k++) {
            rate[k] = used[k] ? r[at] : 0;
            se[k] = used[k] ? e[at] : 0;
            at += used[k];
            if (k != 1 && rate[k] < 0) {
                used[k] = false;
                again = true;
            }
        }
    }
    return NS_OK;
}

static double distance(const ns_cell *c, const double rate[COLUMNS])
{
    const double t = c->messages * c->seconds;
    return fabs((rate[0] + c->messages * (rate[1] + c->bytes * rate[2])) / t - 1);
}

/* Fit, drop the outliers, fit again. */
static ns_status fit_cells(const ns_cell *all, size_t count, double rate[COLUMNS], double se[COLUMNS], ns_error *err)
{
    NS_OWN(ns_free) ns_cell *near = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *near));
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_mul(COLUMNS + 2, ns_size_add(count, 1)), sizeof *x));
    size_t kept = count;
    if (near == NULL || x == NULL)
        return ns_no_memory(err);
    memcpy(near, all, count * sizeof *near);
    for (int round = 0;; round++) {
        NS_TRY(fit_not_negative(near, kept, x, rate, se, err));
        if (round == ROUNDS)
            return NS_OK;
        double *off = x + (COLUMNS + 1) * count;
        for (size_t i = 0; i < count; i++)
            off[i] = distance(&all[i], rate);
        ns_sort(off, count);
        const double most = FAR * off[count / 2] + 1e-9;
        kept = 0;
        for (size_t i = 0; i < count; i++)
            if (distance(&all[i], rate) <= most)
                near[kept++] = all[i];
    }
}

ns_status ns_fit_in_flights(ns_fit *fit, const ns_log *log, ns_error *err)
{
    for (int i = 0; i < NS_MEMORIES * NS_PROTOCOLS; i++) {
        const ns_memory memory = (ns_memory)(i / NS_PROTOCOLS);
        const ns_protocol protocol = (ns_protocol)(i % NS_PROTOCOLS);
        const ns_fit_class *class = ns_fit_class_of(fit, memory, NS_OFF_NODE, protocol);
        if (class == NULL)
            continue;
        const protocol_of w = {memory, class->from, ns_fit_end_of(fit, memory, NS_OFF_NODE, class->from)};
        ns_error poor = {0}; /* too few cells: no line */
        double rate[COLUMNS], se[COLUMNS], least = INFINITY;
        NS_OWN(ns_free) ns_cell *c = NULL;
        size_t count, samples;
        NS_TRY(ns_cells_collect(log, is_of, &w, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &c, &count, &samples, err));
        const ns_status status = fit_cells(c, count, rate, se, &poor);
        for (size_t k = 0; k < count; k++)
            least = fmin(least, c[k].bytes);
        if (status == NS_ERR_MEMORY)
            return ns_no_memory(err);
        if (status != NS_OK || rate[1] <= 0)
            continue;
        const double slope = rate[1] + least * rate[2];
        if (slope > ALONE * (rate[0] + slope))
            NS_TRY(ns_fit_warn(fit, err,
                               "%s off-node: %s messages in flight take %.2g us each where one alone takes %.2g us: "
                               "they went one after the other; left out",
                               ns_memory_words[memory], ns_protocol_words[protocol], 1e6 * slope,
                               1e6 * (rate[0] + slope)));
        else
            fit->in_flight[memory][protocol] =
                (ns_fit_in_flight){true, rate[0], rate[1], se[1], rate[2], se[2], samples};
    }
    return NS_OK;
}
