/* sweep.c -- every point of one or two axes: terms of one model, or several curves side by side */
#include "cli/front/progress.h"
#include "cli/show/sweep.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_MOST = 1000000 };

size_t ns_sweep_across(const ns_sweep *sweep)
{
    return sweep->axes > 1 ? sweep->axis[1].count : 1;
}

static void settings_at(const ns_sweep *sweep, size_t i, size_t j, ns_setting setting[NS_AXES])
{
    setting[0] = ns_axis_setting(&sweep->axis[0], i);
    if (sweep->axes > 1)
        setting[1] = ns_axis_setting(&sweep->axis[1], j);
}

/* One model: all its outputs, the terms among them. */
static ns_status add_outputs(const ns_sweep *sweep, const ns_setting *setting, ns_value *row, ns_error *err)
{
    ns_binding closed;
    ns_model_buffer out;
    NS_TRY(ns_curve_eval(sweep->set, 0, setting, sweep->axes, &closed, &out, err));
    for (const ns_field *f = closed.model->outputs; f->kind != NS_FIELD_END; f++) {
        double factor;
        ns_dim dim;
        NS_TRY(ns_unit_parse(f->unit, &factor, &dim, err));
        ns_value_number(row, f->name, ns_field_number(f, &out), dim);
    }
    return NS_OK;
}

/* Several curves: one column each, and which is the smallest. */
static void add_curves(const ns_sweep *sweep, const double *value, ns_value *row)
{
    int best = 0;
    for (int k = 0; k < sweep->set->count; k++) {
        ns_value_number(row, sweep->set->curve[k].label, value[k], sweep->dim);
        if (value[k] < value[best])
            best = k;
    }
    ns_value_text(row, "best", sweep->set->curve[best].label);
}

static ns_status add_point(ns_sweep *sweep, size_t i, size_t j, ns_value *list, ns_error *err)
{
    ns_setting setting[NS_AXES];
    const size_t curves = (size_t)sweep->set->count;
    double *value = sweep->value + (i * ns_sweep_across(sweep) + j) * curves;
    settings_at(sweep, i, j, setting);
    for (size_t k = 0; k < curves; k++)
        NS_TRY(ns_curve_value(sweep->set, (int)k, setting, sweep->axes, &value[k], err));
    ns_value *row = ns_value_object(list, NULL);
    ns_axis_value(&sweep->axis[0], i, row);
    if (sweep->axes > 1)
        ns_axis_value(&sweep->axis[1], j, row);
    if (curves == 1 && sweep->set->strategies == 0)
        return add_outputs(sweep, setting, row, err);
    add_curves(sweep, value, row);
    return NS_OK;
}

static void add_head(const ns_sweep *sweep, ns_value *result)
{
    ns_value *over = ns_value_list(result, "over");
    for (int i = 0; i < sweep->axes; i++)
        ns_value_text(over, NULL, sweep->axis[i].name);
    ns_value_text(result, "of", sweep->set->output);
    ns_value *curves = ns_value_list(result, "curves");
    for (int i = 0; i < sweep->set->count; i++)
        ns_value_text(curves, NULL, sweep->set->curve[i].label);
    if (sweep->set->machine != NULL)
        ns_value_text(result, "machine", sweep->set->machine->name);
}

ns_status ns_sweep_answer(ns_sweep *sweep, ns_value *result, ns_error *err)
{
    const size_t across = ns_sweep_across(sweep), points = sweep->axis[0].count * across;
    if (points > POINTS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu points are too many; at most %d", points, (int)POINTS_MOST);
    sweep->value = malloc(ns_size_mul(ns_size_mul(points, (size_t)sweep->set->count), sizeof *sweep->value));
    if (sweep->value == NULL)
        return ns_no_memory(err);
    add_head(sweep, result);
    ns_value *list = ns_value_list(result, "rows");
    if (list != NULL)
        list->flags |= NS_V_ROWS;
    for (size_t j = 0; j < across; j++)
        for (size_t i = 0; i < sweep->axis[0].count; i++) {
            NS_TRY(add_point(sweep, i, j, list, err));
            ns_progress_show(sweep->progress, "sweeping", "points", (double)(j * sweep->axis[0].count + i + 1),
                             (double)points);
        }
    return NS_OK;
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

typedef struct picture {
    size_t lines, points;
    double *x, *y, *least; /* [points], [lines * points], [points] */
    ns_series *series;     /* [lines + 1] */
    char (*label)[256];    /* [lines] */
    const char **tick;     /* words of the first axis, or NULL */
} picture;

static void name_line(const ns_sweep *sweep, size_t j, const ns_cli_curve *curve, char *label, size_t size)
{
    char value[64];
    const ns_axis *axis = &sweep->axis[1];
    if (sweep->axes < 2) {
        snprintf(label, size, "%s", curve->label);
        return;
    }
    if (axis->word != NULL)
        snprintf(value, sizeof value, "%.60s", axis->word[j]);
    else
        ns_quantity_format(axis->number[j], axis->dim, 6, value, sizeof value);
    if (sweep->set->count > 1)
        snprintf(label, size, "%.90s, %.60s = %.60s", curve->label, axis->name, value);
    else
        snprintf(label, size, "%.60s = %.60s", axis->name, value);
}

/* Colours tell values of the second axis apart, dashes curves beyond the first; strategies keep their own looks. */
static void style_line(const ns_sweep *sweep, size_t j, size_t k, const ns_cli_curve *curve, ns_series *series)
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
    const size_t across = ns_sweep_across(sweep), curves = (size_t)sweep->set->count;
    for (size_t i = 0; i < p->points; i++) {
        p->x[i] = sweep->axis[0].number != NULL ? sweep->axis[0].number[i] : (double)i + 1;
        p->least[i] = NAN;
    }
    for (size_t j = 0; j < across; j++)
        for (size_t k = 0; k < curves; k++) {
            const size_t line = j * curves + k;
            double *y = p->y + line * p->points;
            for (size_t i = 0; i < p->points; i++) {
                y[i] = sweep->value[(i * across + j) * curves + k];
                p->least[i] = fmin(p->least[i], y[i]);
            }
            name_line(sweep, j, &sweep->set->curve[k], p->label[line], sizeof *p->label);
            p->series[line] = (ns_series){.label = p->label[line], .points = p->points, .x = p->x, .y = y};
            style_line(sweep, j, k, &sweep->set->curve[k], &p->series[line]);
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

static ns_status draw(const ns_sweep *sweep, const picture *p, const ns_args *args, ns_value *result, ns_error *err)
{
    char title[200], x_label[120], x_unit[24], y_unit[24];
    const ns_axis *axis = &sweep->axis[0];
    const ns_machine *machine = sweep->set->machine;
    snprintf(title, sizeof title, "%s%s%s", sweep->set->count == 1 ? sweep->set->curve[0].label : sweep->set->output,
             machine != NULL ? " on " : "", machine != NULL ? machine->name : "");
    const bool sized = axis->number != NULL && !ns_dim_equal(axis->dim, NS_DIMENSIONLESS);
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(sweep->set, axis->name, x_label, sizeof x_label),
                            .y_label = sweep->set->output,
                            .log_x = ns_axis_is_log(axis),
                            .log_y = all_positive(p),
                            .series = p->lines + (p->lines > 1),
                            .of = p->series,
                            .tick = axis->word,
                            .ticks = axis->word != NULL ? axis->count : 0,
                            .x_unit = sized ? ns_dim_unit(axis->dim, x_unit, sizeof x_unit) : NULL,
                            .y_unit = ns_dim_unit(sweep->dim, y_unit, sizeof y_unit)};
    return ns_draw(args, &chart, 1, 1, result, err);
}

ns_status ns_sweep_plot(const ns_sweep *sweep, const ns_args *args, ns_value *result, ns_error *err)
{
    picture p = {.points = sweep->axis[0].count, .lines = ns_sweep_across(sweep) * (size_t)sweep->set->count};
    p.x = malloc(ns_size_mul(ns_size_mul(ns_size_add(p.lines, 2), p.points), sizeof *p.x));
    p.series = calloc(ns_size_add(p.lines, 1), sizeof *p.series);
    p.label = malloc(ns_size_mul(p.lines, sizeof *p.label));
    ns_status status =
        ns_no_memory(p.x != NULL && p.series != NULL && p.label != NULL ? NULL : err);
    if (p.x != NULL && p.series != NULL && p.label != NULL) {
        p.y = p.x + p.points;
        p.least = p.y + p.lines * p.points;
        fill(sweep, &p);
        status = draw(sweep, &p, args, result, err);
    }
    free(p.x);
    free(p.series);
    free(p.label);
    return status;
}
