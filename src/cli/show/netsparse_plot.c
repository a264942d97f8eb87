/* netsparse_plot.c -- netsparse --plot: speedup over SUOpt by step, or along a sweep, one line per K */
#include "cli/show/draw.h"
#include "cli/show/netsparse.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { LINES = 16, POINTS_MOST = 64 };

typedef struct drawing {
    ns_series series[LINES];
    char label[LINES][32];
    double x[POINTS_MOST], y[LINES][POINTS_MOST];
    const char *tick[POINTS_MOST];
    size_t lines, points;
} drawing;

static const ns_value *member(const ns_value *object, const char *one, const char *other)
{
    const ns_value *found = ns_value_get(object, one);
    return found != NULL ? found : ns_value_get(object, other);
}

/* A case's sweep, or else its steps. */
static void add_line(drawing *d, const ns_value *one)
{
    const ns_value *rows = member(one, "points", "steps"), *k = ns_value_get(one, "k");
    if (rows == NULL || k == NULL || d->lines == LINES)
        return;
    size_t count = 0;
    for (const ns_value *row = rows->first; row != NULL && count < POINTS_MOST; row = row->next, count++) {
        const ns_value *speedup = ns_value_get(row, "speedup"), *name = member(row, "point", "step");
        d->x[count] = (double)count + 1;
        d->y[d->lines][count] = speedup != NULL && speedup->kind == NS_NUMBER ? speedup->number : NAN;
        d->tick[count] = name != NULL && name->kind == NS_TEXT ? name->text : "";
    }
    snprintf(d->label[d->lines], sizeof *d->label, "K = %.0f", k->number);
    d->series[d->lines] = (ns_series){
        .label = d->label[d->lines], .colour = (int)d->lines, .points = count, .x = d->x, .y = d->y[d->lines]};
    d->points = count > d->points ? count : d->points;
    d->lines++;
}

ns_status ns_netsparse_plot(const ns_args *args, ns_value *result, const ns_gather_request *request, ns_error *err)
{
    char title[200], x_label[80];
    const ns_value *matrix = ns_value_get(result, "matrix"), *nodes = ns_value_get(result, "nodes");
    drawing *d = ns_calloc(1, sizeof *d);
    if (d == NULL)
        return ns_no_memory(err);
    const ns_value *cases = ns_value_get(result, "cases");
    if (cases == NULL) /* one K: its keys stand at the top */
        add_line(d, result);
    for (const ns_value *one = cases != NULL ? cases->first : NULL; one != NULL; one = one->next)
        add_line(d, one);
    snprintf(title, sizeof title, "NetSparse on %.80s, %.0f nodes, %s", matrix != NULL ? matrix->text : "a matrix",
             nodes != NULL ? nodes->number : 0.0, ns_topology_words[request->topology]);
    snprintf(x_label, sizeof x_label, "%s",
             request->sweep >= 0 ? ns_sweep_words[request->sweep] : "mechanisms, cumulative");
    ns_chart chart = {.title = title,
                      .x_label = x_label,
                      .y_label = "speedup over SUOpt, tail node",
                      .log_y = true,
                      .series = d->lines,
                      .of = d->series,
                      .tick = d->tick,
                      .ticks = d->points};
    ns_status status = ns_draw(args, &chart, 1, 1, result, err);
    ns_free(d);
    return status;
}
