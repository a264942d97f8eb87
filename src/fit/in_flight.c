/* in_flight.c -- several messages of one process in flight, each to another one
 *
 *     T = L + n a + n b s       off node, by protocol: n messages of s bytes
 *
 * medians of the repeats, relative least squares, without those that lie three times the usual distance off.  Sending
 * and receiving take turns in such a benchmark and half a round trip counts: a of the shortest messages is what the
 * processor spends on one at either end; later a is the gap between two of one way.  A slope above two thirds of the
 * time of a message alone is no overlap: they went one after the other.
 */
#include "core/memory.h"
#include "fit/cells.h"
#include "num/plane_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3, ROUNDS = 4 };
static const double ALONE = 2.0 / 3, FAR = 3 * 1.4826; /* median distances */

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

/* Columns 1, n, n s against T; those whose rate was negative are left out. */
static ns_status fit_columns(const ns_cell *c, size_t count, const bool used[COLUMNS], double rate[COLUMNS],
                             double se[COLUMNS], ns_error *err)
{
    double *x = ns_malloc(ns_size_mul(ns_size_mul(COLUMNS + 1, count), sizeof *x)), r[COLUMNS], e[COLUMNS];
    size_t columns = 0;
    if (x == NULL)
        return ns_no_memory(err);
    for (int k = 0; k < COLUMNS; k++) {
        rate[k] = se[k] = 0;
        if (!used[k])
            continue;
        for (size_t i = 0; i < count; i++)
            x[columns * count + i] = k == 0 ? 1 : k == 1 ? c[i].messages : c[i].messages * c[i].bytes;
        columns++;
    }
    double *y = x + COLUMNS * count;
    for (size_t i = 0; i < count; i++)
        y[i] = c[i].messages * c[i].seconds;
    const ns_status status = ns_plane_fit(x, y, count, columns, r, e, err);
    for (int k = 0, at = 0; k < COLUMNS && status == NS_OK; k++)
        if (used[k]) {
            rate[k] = r[at];
            se[k] = e[at++];
        }
    ns_free(x);
    return status;
}

static ns_status fit_not_negative(const ns_cell *c, size_t count, double rate[COLUMNS], double se[COLUMNS],
                                  ns_error *err)
{
    bool used[COLUMNS] = {true, true, true}, again = true;
    while (again) {
        again = false;
        NS_TRY(fit_columns(c, count, used, rate, se, err));
        for (int k = 0; k < COLUMNS; k += 2)
            if (rate[k] < 0) {
                used[k] = false;
                again = true;
            }
    }
    return NS_OK;
}

static double distance(const ns_cell *c, const double rate[COLUMNS])
{
    const double t = c->messages * c->seconds;
    return fabs((rate[0] + c->messages * (rate[1] + c->bytes * rate[2])) / t - 1);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fit, leave out what lies far off, fit again. */
static ns_status fit_robust(const ns_cell *all, size_t count, ns_cell *near, double *scratch, double rate[COLUMNS],
                            double se[COLUMNS], ns_error *err)
{
    size_t kept = count;
    memcpy(near, all, count * sizeof *near);
    for (int round = 0; round < ROUNDS; round++) {
        NS_TRY(fit_not_negative(near, kept, rate, se, err));
        for (size_t i = 0; i < count; i++)
            scratch[i] = distance(&all[i], rate);
        qsort(scratch, count, sizeof *scratch, by_value);
        const double most = FAR * scratch[count / 2] + 1e-9;
        kept = 0;
        for (size_t i = 0; i < count; i++)
            if (distance(&all[i], rate) <= most)
                near[kept++] = all[i];
    }
    return fit_not_negative(near, kept, rate, se, err);
}

static ns_status fit_cells(const ns_cell *c, size_t count, double rate[COLUMNS], double se[COLUMNS], ns_error *err)
{
    ns_cell *near = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *near));
    double *scratch = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *scratch));
    const ns_status status =
        near != NULL && scratch != NULL ? fit_robust(c, count, near, scratch, rate, se, err) : ns_no_memory(err);
    ns_free(near);
    ns_free(scratch);
    return status;
}

static ns_status fit_protocol(ns_fit *fit, const ns_log *log, ns_memory memory, const ns_fit_class *class,
                              ns_error *err)
{
    const protocol_of w = {memory, class->from, ns_fit_end_of(fit, memory, NS_OFF_NODE, class->from)};
    ns_error poor = {0}; /* too few cells: no line */
    double rate[COLUMNS], se[COLUMNS], least = INFINITY;
    ns_cell *c;
    size_t count, samples;
    NS_TRY(ns_cells_collect(log, is_of, &w, &c, &count, &samples, err));
    const ns_status status = fit_cells(c, count, rate, se, &poor);
    for (size_t i = 0; i < count; i++)
        least = fmin(least, c[i].bytes);
    ns_free(c);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    if (status != NS_OK || rate[1] <= 0)
        return NS_OK;
    const double slope = rate[1] + least * rate[2];
    if (slope > ALONE * (rate[0] + slope))
        return ns_fit_warn(fit, err,
                           "%s off-node: %s messages in flight take %.2g us each where one alone takes %.2g us: they "
                           "went one after the other; left out",
                           ns_memory_words[memory], ns_protocol_words[class->protocol], 1e6 * slope,
                           1e6 * (rate[0] + slope));
    fit->in_flight[memory][class->protocol] =
        (ns_fit_in_flight){true, rate[0], rate[1], se[1], rate[2], se[2], samples};
    return NS_OK;
}

ns_status ns_fit_in_flights(ns_fit *fit, const ns_log *log, ns_error *err)
{
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_fit_class *class = ns_fit_class_of(fit, (ns_memory)m, NS_OFF_NODE, (ns_protocol)p);
            if (class != NULL)
                NS_TRY(fit_protocol(fit, log, (ns_memory)m, class, err));
        }
    return NS_OK;
}
