/* fit_plot.c -- fit --plot: what was measured, the fitted segments, where they part, and the relative residuals
 * below */
#include "cli/inputs/fit.h"
#include "cli/show/draw.h"
#include "core/memory.h"

#include <math.h>

enum { LINE_POINTS = 24 };

typedef struct drawing {
    ns_series *data, *rest; /* series of the upper and the lower panel */
    size_t series, rests;
    double *number; /* where the next coordinates go */
    char (*label)[80];
    size_t labels;
} drawing;

static size_t switches(const ns_fit *fit)
{
    size_t count = 0;
    for (size_t g = 0; g < fit->groups; g++)
        count += fit->group[g].classes > 1 ? (size_t)fit->group[g].classes - 1 : 0;
    return count;
}

static size_t numbers_wanted(const ns_fit *fit)
{
    size_t wanted = 0;
    for (size_t g = 0; g < fit->groups; g++)
        wanted += 4 * fit->group[g].curve.count + (size_t)fit->group[g].classes * (2 * LINE_POINTS + 4);
    return wanted;
}

static const char *label_of(drawing *d, const ns_fit_group *g)
{
    char *label = d->label[d->labels++];
    snprintf(label, sizeof *d->label, "%s %s%s%s", ns_memory_words[g->memory], ns_locality_words[g->locality],
             g->in_machine ? "" : ", ", g->in_machine ? "" : ns_sample_kind_words[g->kind]);
    return label;
}

/* 0 B has no place on a logarithmic axis. */
static double shown(double bytes)
{
    return bytes > 0 ? bytes : NAN;
}

static void add_points(drawing *d, const ns_fit_group *g, int colour)
{
    ns_series *s = &d->data[d->series++];
    double *x = d->number, *y = x + g->curve.count;
    d->number += 2 * g->curve.count;
    for (size_t i = 0; i < g->curve.count; i++) {
        x[i] = shown(g->curve.x[i]);
        y[i] = g->curve.y[i];
    }
    *s = (ns_series){.label = label_of(d, g), .colour = colour, .dots = true, .points = g->curve.count, .x = x, .y = y};
}

/* One series for all segments, a gap between them; its colour tells whose. */
static void add_segments(drawing *d, const ns_fit_group *g, int colour)
{
    ns_series *s = &d->data[d->series++];
    const size_t points = (size_t)g->classes * (LINE_POINTS + 1);
    double *x = d->number, *y = x + points;
    d->number += 2 * points;
    for (int c = 0, at = 0; c < g->classes; c++) {
        const double least = fmax(g->of[c].least, 1), most = fmax(g->of[c].most, 1);
        for (int i = 0; i < LINE_POINTS; i++, at++) {
            x[at] = least * pow(most / least, i / (LINE_POINTS - 1.0));
            y[at] = g->of[c].line.alpha + g->of[c].line.beta * x[at];
        }
        x[at] = y[at] = NAN;
        at++;
    }
    *s = (ns_series){.label = "", .colour = colour, .bare = true, .points = points, .x = x, .y = y};
}

/* Rings where a protocol starts: one series for all, last in the legend. */
static void add_switches(drawing *d, const ns_fit *fit)
{
    ns_series *s = &d->data[d->series++];
    double *x = d->number, *y = x + switches(fit);
    size_t points = 0;
    d->number += 2 * switches(fit);
    for (size_t g = 0; g < fit->groups; g++)
        for (int i = 1; i < fit->group[g].classes; i++, points++) {
            const ns_fit_class *c = &fit->group[g].of[i];
            x[points] = shown(c->least);
            y[points] = c->line.alpha + c->line.beta * c->least;
        }
    *s = (ns_series){.label = "switch point", .rings = true, .points = points, .x = x, .y = y};
}

static const ns_fit_class *class_at(const ns_fit_group *g, double bytes)
{
    const ns_fit_class *found = NULL;
    for (int c = 0; c < g->classes; c++)
        if (bytes >= g->of[c].from)
            found = &g->of[c];
    return found;
}

static void add_residuals(drawing *d, const ns_fit_group *g, int colour)
{
    ns_series *s = &d->rest[d->rests++];
    double *x = d->number, *y = x + g->curve.count;
    d->number += 2 * g->curve.count;
    for (size_t i = 0; i < g->curve.count; i++) {
        const ns_fit_class *c = class_at(g, g->curve.x[i]);
        x[i] = shown(g->curve.x[i]);
        y[i] = c != NULL ? 100 * (g->curve.y[i] / (c->line.alpha + c->line.beta * g->curve.x[i]) - 1) : NAN;
    }
    *s = (ns_series){.label = "", .colour = colour, .dots = true, .points = g->curve.count, .x = x, .y = y};
}

static ns_status draw(const ns_fit *fit, drawing *d, const char *path, ns_value *result, ns_error *err)
{
    char title[200];
    for (size_t g = 0; g < fit->groups; g++) { /* first, so that both panels count the groups alike */
        add_points(d, &fit->group[g], (int)g);
        add_residuals(d, &fit->group[g], (int)g);
    }
    for (size_t g = 0; g < fit->groups; g++)
        add_segments(d, &fit->group[g], (int)g);
    add_switches(d, fit);
    snprintf(title, sizeof title, "%s: %s of the measured times, and the fitted lines", fit->name,
             fit->options.statistic == NS_STATISTIC_ALL ? "all" : ns_statistic_words[fit->options.statistic]);
    const ns_chart below = {.title = "",
                            .x_label = "message size",
                            .y_label = "residual",
                            .x_unit = "B",
                            .y_unit = "%",
                            .log_x = true,
                            .series = d->rests,
                            .of = d->rest};
    const ns_chart chart = {.title = title,
                            .x_label = "message size",
                            .y_label = "time of a message",
                            .x_unit = "B",
                            .y_unit = "s",
                            .log_x = true,
                            .log_y = true,
                            .series = d->series,
                            .of = d->data,
                            .below = &below};
    return ns_draw(path, &chart, 1, 1, result, err);
}

ns_status ns_fit_plot(const ns_fit *fit, const char *path, ns_value *result, ns_error *err)
{
    drawing d = {0};
    if (fit->groups == 0)
        return ns_fail(err, NS_ERR_DATA, "no curve to plot");
    double *numbers = ns_malloc((numbers_wanted(fit) + 1) * sizeof *numbers);
    d.data = ns_calloc(ns_size_add(ns_size_mul(3, fit->groups), 1), sizeof *d.data);
    d.label = ns_malloc(ns_size_mul(fit->groups, sizeof *d.label));
    d.number = numbers;
    ns_status status = NS_OK;
    if (numbers == NULL || d.data == NULL || d.label == NULL)
        status = ns_no_memory(err);
    if (status == NS_OK) {
        d.rest = d.data + 2 * fit->groups + 1;
        status = draw(fit, &d, path, result, err);
    }
    ns_free(numbers);
    ns_free(d.data);
    ns_free(d.label);
    return status;
}
