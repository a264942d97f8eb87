/* sweep.c -- every point of one or two axes: terms of one model, or several curves side by side */
#include "cli/show/sweep.h"
#include "cli/front/progress.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>

ns_status ns_sweep_watched(ns_progress *progress, const ns_sweep_question *q, bool schedules, ns_sweep_receive *receive,
                           void *receiver, ns_sweep **sweep, ns_error *err)
{
    const ns_axis *given[NS_AXES] = {NULL};
    ns_progress_job job = {progress, "sweeping", "points"};
    for (int i = 0; i < q->axes; i++)
        given[i] = q->axis[i];
    const ns_sweep_options options = {.size = sizeof options,
                                      .watch = ns_progress_tell,
                                      .watcher = &job,
                                      .schedules = schedules,
                                      .receive = receive,
                                      .receiver = receiver};
    return ns_sweep_run(q->curves, given, q->axes, &options, sweep, err);
}

/* Points of the second axis; 1 without one. */
static size_t across(const ns_sweep *sweep)
{
    return sweep->axes > 1 ? sweep->axis[1]->count : 1;
}

static size_t point_at(const ns_sweep *sweep, size_t i, size_t j)
{
    return ns_sweep_point(sweep, (const size_t[NS_AXES]){i, j});
}

/* One model: all its outputs, the terms among them. */
static ns_status add_outputs(const ns_sweep *sweep, size_t point, ns_value *row, ns_error *err)
{
    const ns_field *field = ns_curves_at(sweep->curves, 0)->model->outputs;
    for (size_t k = 0; k < sweep->outputs; k++) {
        double factor;
        ns_dim dim;
        NS_TRY(ns_unit_parse(field[k].unit, &factor, &dim, err));
        ns_value_number(row, field[k].name, ns_sweep_output(sweep, point, k), dim);
    }
    return NS_OK;
}

static ns_status add_point(const ns_sweep *sweep, size_t i, size_t j, ns_value *list, ns_error *err)
{
    const size_t point = point_at(sweep, i, j);
    ns_value *row = ns_value_object(list, NULL);
    ns_axis_value(sweep->axis[0], i, row);
    if (sweep->axes > 1)
        ns_axis_value(sweep->axis[1], j, row);
    if (sweep->outputs > 0)
        return add_outputs(sweep, point, row, err);
    /* several curves: one column each, and which is the smallest */
    ns_ranking ranking = {.size = sizeof ranking};
    const ns_curves *curves = sweep->curves;
    for (int k = 0; k < curves->count; k++)
        ns_value_number(row, ns_curves_at(curves, k)->label, ns_sweep_value(sweep, point, k), curves->dim);
    ns_sweep_rank(sweep, point, &ranking, NULL);
    ns_value_text(row, "best", ns_curves_at(curves, ranking.best)->label);
    return NS_OK;
}

static void add_head(const ns_sweep *sweep, ns_value *result)
{
    ns_value *over = ns_value_list(result, "over");
    for (int i = 0; i < sweep->axes; i++)
        ns_value_text(over, NULL, sweep->axis[i]->name);
    ns_value_text(result, "of", sweep->curves->output);
    ns_value *curves = ns_value_list(result, "curves");
    for (int i = 0; i < sweep->curves->count; i++)
        ns_value_text(curves, NULL, ns_curves_at(sweep->curves, i)->label);
    if (sweep->curves->machine != NULL)
        ns_value_text(result, "machine", sweep->curves->machine->name);
}

static ns_status show(const ns_sweep *sweep, size_t points, size_t lines, ns_value *result, ns_error *err)
{
    add_head(sweep, result);
    ns_value *list = ns_put_rows(result, "rows", NS_EVERYWHERE);
    for (size_t j = 0; j < lines; j++)
        for (size_t i = 0; i < points; i++)
            NS_TRY(add_point(sweep, i, j, list, err));
    return NS_OK;
}

ns_status ns_sweep_show(const ns_sweep *sweep, ns_value *result, ns_error *err)
{
    return show(sweep, sweep->axis[0]->count, across(sweep), result, err);
}

ns_status ns_sweep_first(const ns_sweep *sweep, ns_value *result, ns_error *err)
{
    return show(sweep, 1, 1, result, err);
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

typedef struct picture {
    size_t lines, points;
    double *x, *y, *least;   /* [points], [lines * points], [points] */
    ns_series *series;       /* [lines + 1] */
    char (*label)[256];      /* [lines] */
    const char *const *tick; /* words of the first axis, or NULL */
} picture;

static void name_line(const ns_sweep *sweep, size_t j, const ns_curve_info *curve, char *label, size_t size)
{
    char value[64];
    const ns_axis *axis = sweep->axis[1];
    if (sweep->axes < 2) {
        snprintf(label, size, "%s", curve->label);
        return;
    }
    if (axis->word != NULL)
        snprintf(value, sizeof value, "%.60s", axis->word[j]);
    else
        ns_quantity_format(axis->number[j], axis->dim, 6, value, sizeof value);
    if (sweep->curves->count > 1)
        snprintf(label, size, "%.90s, %.60s = %.60s", curve->label, axis->name, value);
    else
        snprintf(label, size, "%.60s = %.60s", axis->name, value);
}

/* Colours tell values of the second axis apart, dashes curves beyond the first; strategies keep their own looks. */
static void style_line(const ns_sweep *sweep, size_t j, size_t k, const ns_curve_info *curve, ns_series *series)
{
    if (curve->strategy != NULL) {
        series->colour = curve->strategy->rank;
        series->dashed = curve->transport == NS_VIA_DEVICE;
        return;
    }
    series->colour = (int)(sweep->axes > 1 ? j : k);
    series->dashed = sweep->axes > 1 && k > 0;
}

static void fill(const ns_sweep *sweep, picture *p)
{
    const size_t values = across(sweep), curves = (size_t)sweep->curves->count;
    for (size_t i = 0; i < p->points; i++) {
        p->x[i] = sweep->axis[0]->number != NULL ? sweep->axis[0]->number[i] : (double)i + 1;
        p->least[i] = NAN;
    }
    for (size_t j = 0; j < values; j++)
        for (size_t k = 0; k < curves; k++) {
            const size_t line = j * curves + k;
            double *y = p->y + line * p->points;
            for (size_t i = 0; i < p->points; i++) {
                y[i] = ns_sweep_value(sweep, point_at(sweep, i, j), (int)k);
                p->least[i] = fmin(p->least[i], y[i]);
            }
            name_line(sweep, j, ns_curves_at(sweep->curves, (int)k), p->label[line], sizeof *p->label);
            p->series[line] = (ns_series){.label = p->label[line], .points = p->points, .x = p->x, .y = y};
            style_line(sweep, j, k, ns_curves_at(sweep->curves, (int)k), &p->series[line]);
        }
    p->series[p->lines] =
        (ns_series){.label = "smallest", .rings = true, .points = p->points, .x = p->x, .y = p->least};
}

static bool all_positive(const picture *p)
{
    for (size_t i = 0; i < p->lines * p->points; i++)
        if (!(p->y[i] > 0))
            return false;
    return true;
}

static ns_status draw(const ns_sweep *sweep, const picture *p, const char *path, ns_value *result, ns_error *err)
{
    char title[200], x_label[120], x_unit[24], y_unit[24];
    const ns_axis *axis = sweep->axis[0];
    const ns_machine *machine = sweep->curves->machine;
    snprintf(title, sizeof title, "%s%s%s",
             sweep->curves->count == 1 ? ns_curves_at(sweep->curves, 0)->label : sweep->curves->output,
             machine != NULL ? " on " : "", machine != NULL ? machine->name : "");
    const bool sized = axis->number != NULL && !ns_dim_equal(axis->dim, NS_DIMENSIONLESS);
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(sweep->curves, axis->name, x_label, sizeof x_label),
                            .y_label = sweep->curves->output,
                            .log_x = ns_axis_is_log(axis),
                            .log_y = all_positive(p),
                            .series = p->lines + (p->lines > 1),
                            .of = p->series,
                            .tick = axis->word,
                            .ticks = axis->word != NULL ? axis->count : 0,
                            .x_unit = sized ? ns_dim_unit(axis->dim, x_unit, sizeof x_unit) : NULL,
                            .y_unit = ns_dim_unit(sweep->curves->dim, y_unit, sizeof y_unit)};
    return ns_draw(path, &chart, 1, 1, result, err);
}

ns_status ns_sweep_plot(const ns_sweep *sweep, const char *path, ns_value *result, ns_error *err)
{
    picture p = {.points = sweep->axis[0]->count, .lines = across(sweep) * (size_t)sweep->curves->count};
    p.x = ns_malloc(ns_size_mul(ns_size_mul(ns_size_add(p.lines, 2), p.points), sizeof *p.x));
    p.series = ns_calloc(ns_size_add(p.lines, 1), sizeof *p.series);
    p.label = ns_malloc(ns_size_mul(p.lines, sizeof *p.label));
    ns_status status = ns_no_memory(p.x != NULL && p.series != NULL && p.label != NULL ? NULL : err);
    if (p.x != NULL && p.series != NULL && p.label != NULL) {
        p.y = p.x + p.points;
        p.least = p.y + p.lines * p.points;
        fill(sweep, &p);
        status = draw(sweep, &p, path, result, err);
    }
    ns_free(p.x);
    ns_free(p.series);
    ns_free(p.label);
    return status;
}
