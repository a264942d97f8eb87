/* cells.c -- samples condensed to one time for each number of pairs, messages and size */
#include "fit/cells.h"
#include "core/memory.h"
#include "core/own.h"

#include <math.h>
#include <stdlib.h>

static int by_cell(const void *a, const void *b)
{
    const ns_cell *x = a, *y = b;
    if (x->pairs != y->pairs)
        return x->pairs < y->pairs ? -1 : 1;
    if (x->messages != y->messages)
        return x->messages < y->messages ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

ns_status ns_cells_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_cells_by by,
                           ns_statistic statistic, ns_cell **list, size_t *count, size_t *samples, ns_error *err)
{
    ns_cell *c = ns_malloc(ns_size_mul(ns_size_add(log->samples, 1), sizeof *c));
    if (c == NULL)
        return ns_no_memory(err);
    *samples = *count = 0;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (filter(s, context))
            c[(*samples)++] = (ns_cell){by == NS_CELLS_BY_PAIRS && s->pairs < 1 ? 1 : s->pairs,
                                        by == NS_CELLS_BY_PAIRS ? 1 : s->messages, s->bytes, s->seconds / s->messages};
    }
    qsort(c, *samples, sizeof *c, by_cell);
    for (size_t i = 0, end; i < *samples; i = end) {
        for (end = i + 1; statistic != NS_STATISTIC_ALL && end < *samples && c[end].pairs == c[i].pairs &&
                          c[end].messages == c[i].messages && c[end].bytes == c[i].bytes;)
            end++;
        ns_cell one = c[i];
        if (statistic == NS_STATISTIC_MEDIAN)
            one.seconds = 0.5 * (c[(i + end - 1) / 2].seconds + c[(i + end) / 2].seconds);
        c[(*count)++] = one;
    }
    *list = c;
    return NS_OK;
}

size_t ns_cells_sizes(const ns_cell *list, size_t count)
{
    size_t sizes = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = list[k].bytes == list[i].bytes;
        sizes += !seen;
    }
    return sizes;
}

ns_status ns_cells_line(const ns_cell *list, size_t count, ns_line_estimate *line, ns_error *err)
{
    if (ns_cells_sizes(list, count) < 3)
        return ns_fail(err, NS_ERR_DATA, "fewer than three sizes");
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_mul(2, count), sizeof *x));
    if (x == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        x[i] = list[i].bytes;
        x[count + i] = list[i].seconds;
    }
    return ns_line_fit(x, x + count, count, NS_WEIGHTS_RELATIVE, (ns_noise){0, 0}, line, err);
}

double ns_fit_end_of(const ns_fit *fit, ns_memory memory, ns_locality locality, double from)
{
    const ns_fit_group *group = ns_fit_group_at(fit, (int)memory, (int)locality);
    double end = INFINITY;
    for (int c = 0; group != NULL && c < group->classes; c++)
        if (group->of[c].from > from)
            end = fmin(end, group->of[c].from);
    return end;
}

const ns_fit_class *ns_fit_class_of(const ns_fit *fit, ns_memory memory, ns_locality locality, ns_protocol protocol)
{
    const ns_fit_group *group = ns_fit_group_at(fit, (int)memory, (int)locality);
    const ns_fit_class *found = NULL;
    for (int c = 0; group != NULL && c < group->classes; c++)
        if (group->of[c].protocol == protocol)
            found = &group->of[c];
    return found;
}
