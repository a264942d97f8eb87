/* copies.c -- copies between host and device: one line per number of processes and direction
 *
 * Processes that share a GPU without a service that merges them wait for each other, whatever the size.  Where the
 * time falls to less than half from one size to the next, the wait ends: the line is fitted to the sizes from there on,
 * and smaller sizes get the median of their times.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

static bool is_level(const ns_sample *s, const void *context)
{
    const ns_fit_copy *c = context;
    return s->kind == NS_COPY_SAMPLE && (s->pairs > 1 ? s->pairs : 1) == c->processes && s->direction == c->direction;
}

static const double end_of_wait = 0.5;

/* c gives the processes and the direction. */
static ns_status fit_level(ns_fit *fit, const ns_log *log, ns_fit_copy c, ns_error *err)
{
    NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
    size_t from = 0;
    NS_TRY(ns_fit_curve(log, is_level, &c, fit->options.statistic, &curve, &c.samples, err));
    if (curve.sizes < 2)
        return NS_OK;
    /* drop the sizes before the last steep fall from the curve, which has one point per size */
    for (size_t i = 1; i + NS_SEGMENT_SIZES <= curve.count && curve.count == curve.sizes; i++)
        if (curve.y[i] < end_of_wait * curve.y[i - 1])
            from = i;
    if (from > 0) {
        c.fall = curve.y[from - 1] / curve.y[from];
        c.wait = ns_median(curve.y, from);
        curve.count = curve.sizes = curve.count - from;
        memmove(curve.x, curve.x + from, curve.count * sizeof *curve.x);
        memmove(curve.y, curve.y + from, curve.count * sizeof *curve.y);
    }
    c.sizes = curve.sizes;
    c.least = curve.x[0];
    c.most = curve.x[curve.count - 1];
    NS_TRY(ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, &c.line, err));
    NS_TRY(ns_fit_held_out(fit, &curve, &c.median_error, &c.p95_error, err));
    fit->copy[fit->copies++] = c;
    return NS_OK;
}

enum { PROCESSES_MAX = 4096 };

ns_status ns_fit_copies(ns_fit *fit, const ns_log *log, ns_error *err)
{
    NS_OWN(ns_free) bool *seen = ns_calloc((size_t)(PROCESSES_MAX + 1) * NS_DIRECTIONS, sizeof *seen);
    size_t levels = 0;
    if (seen == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        const int processes = s->pairs > 1 ? s->pairs : 1;
        if (s->kind != NS_COPY_SAMPLE || processes > PROCESSES_MAX)
            continue;
        bool *here = &seen[processes * NS_DIRECTIONS + (int)s->direction];
        levels += !*here;
        *here = true;
    }
    fit->copy = ns_calloc(ns_size_add(levels, 1), sizeof *fit->copy);
    if (fit->copy == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < (PROCESSES_MAX + 1) * NS_DIRECTIONS; i++) {
        const ns_fit_copy c = {.processes = i / NS_DIRECTIONS, .direction = (ns_direction)(i % NS_DIRECTIONS)};
        if (seen[i])
            NS_TRY(fit_level(fit, log, c, err));
    }
    int least = 0, most = 0;
    double fall = 0, from = 0;
    for (size_t i = 0; i < fit->copies; i++) {
        const ns_fit_copy *c = &fit->copy[i];
        if (c->fall <= 0)
            continue;
        least = least == 0 ? c->processes : least;
        most = c->processes;
        fall = fmax(fall, c->fall);
        from = fmax(from, c->least);
    }
    return least == 0 ? NS_OK
                      : ns_fit_warn(fit, err,
                                    "copies by %d to %d processes: those below %.0f B take up to %.0f times as long, "
                                    "waiting for their turn",
                                    least, most, from, fall);
}
