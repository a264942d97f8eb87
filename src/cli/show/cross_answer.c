/* cross_answer.c -- reigns and crossings as a value tree, and as a plot */
#include "cli/show/cross.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static ns_status value_at(const void *context, int curve, double x, double *value, ns_error *err)
{
    const ns_crossing_search *c = context;
    const ns_setting setting = {.name = c->over, .number = x};
    return ns_curve_value(c->set, curve, &setting, 1, value, err);
}

static ns_value *rows(ns_value *result, const char *name)
{
    ns_value *list = ns_value_list(result, name);
    if (list != NULL)
        list->flags |= NS_V_ROWS;
    return list;
}

/* Equal to what just ended, to the left of a border: from the side of the reign that ends there. */
static ns_status add_reigns(const ns_crossing_search *c, ns_value *result, ns_error *err)
{
    ns_value *list = rows(result, "reigns");
    for (int i = 0; i < c->reigns; i++) {
        double last;
        const ns_reign *r = &c->reign[i];
        const double before = i + 1 < c->reigns ? r->to - 2e-12 * fabs(r->to) : r->to;
        NS_TRY(value_at(c, r->winner, before > r->from ? before : r->from, &last, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_number(row, "from", r->from, c->over_dim);
        ns_value_number(row, "to", r->to, c->over_dim);
        ns_value_text(row, "winner", c->set->curve[r->winner].label);
        ns_value_number(row, "at_from", r->value, c->dim);
        ns_value_number(row, "at_to", last, c->dim);
    }
    return NS_OK;
}

static bool is_border(const ns_crossing_search *c, const ns_crossing *x)
{
    for (int i = 1; i < c->reigns; i++) {
        const int old = c->reign[i - 1].winner, new = c->reign[i].winner;
        if (fabs(c->reign[i].from - x->x) <= 1e-9 * fabs(x->x) && (x->a == old || x->b == old) &&
            (x->a == new || x->b == new))
            return true;
    }
    return false;
}

static void add_crossings(const ns_crossing_search *c, ns_value *result)
{
    ns_value *list = rows(result, "crossovers");
    for (int i = 0; i < c->crossings; i++) {
        const ns_crossing *x = &c->crossing[i];
        const bool border = is_border(c, x);
        ns_value *row = ns_value_object(list, NULL);
        if (row != NULL && border)
            row->flags |= NS_V_MARK;
        ns_value_number(row, "at", x->x, c->over_dim);
        ns_value_text(row, "a", c->set->curve[x->a].label);
        ns_value_text(row, "b", c->set->curve[x->b].label);
        ns_value_number(row, "value", x->value, c->dim);
        ns_value_text(row, "meeting", ns_meeting_words[x->meeting]);
        if (x->below >= 0)
            ns_value_text(row, "below_after", c->set->curve[x->below].label);
        else
            ns_value_null(row, "below_after");
        ns_value *front = ns_value_bool(row, "changes_winner", border);
        if (front != NULL)
            front->flags |= NS_V_NO_TABLE;
    }
}

ns_status ns_cross_answer(ns_crossing_search *c, ns_value *result, ns_error *err)
{
    NS_TRY(ns_cross_values(value_at, c, c->set->count, c->lo, c->hi, c->reign, &c->reigns, err));
    NS_TRY(ns_crossings_find(value_at, c, c->set->count, c->lo, c->hi, c->crossing, &c->crossings, err));
    ns_value_text(result, "over", c->over);
    NS_TRY(add_reigns(c, result, err));
    add_crossings(c, result);
    return NS_OK;
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

enum { POINTS = 121 };

static double sample(const ns_crossing_search *c, int i)
{
    const double t = (double)i / (POINTS - 1);
    return i == POINTS - 1                   ? c->hi
           : c->lo > 0 && c->hi > 10 * c->lo ? c->lo * pow(c->hi / c->lo, t)
                                             : c->lo + (c->hi - c->lo) * t;
}

static ns_status fill(const ns_crossing_search *c, double *x, double *y, ns_series *series, ns_error *err)
{
    for (int i = 0; i < POINTS; i++)
        x[i] = sample(c, i);
    for (int k = 0; k < c->set->count; k++) {
        const ns_cli_curve *curve = &c->set->curve[k];
        double *own = y + k * POINTS;
        for (int i = 0; i < POINTS; i++)
            NS_TRY(value_at(c, k, x[i], &own[i], err));
        series[k] = (ns_series){.label = curve->label,
                                .bare = true,
                                .points = POINTS,
                                .x = x,
                                .y = own,
                                .colour = curve->strategy != NULL ? curve->strategy->rank : k,
                                .dashed = curve->strategy != NULL ? curve->transport == NS_VIA_DEVICE : k >= 7};
    }
    return NS_OK;
}

/* Rings where the winner changes. */
static void ring(const ns_crossing_search *c, double *x, double *y, ns_series *series)
{
    for (int i = 1; i < c->reigns; i++) {
        x[i - 1] = c->reign[i].from;
        y[i - 1] = c->reign[i].value;
    }
    *series =
        (ns_series){.label = "the winner changes", .rings = true, .points = (size_t)(c->reigns - 1), .x = x, .y = y};
}

static ns_status draw(const ns_crossing_search *c, const ns_args *args, double *numbers, ns_series *series,
                      ns_value *result, ns_error *err)
{
    const size_t curves = (size_t)c->set->count;
    double *borders = numbers + (curves + 1) * POINTS;
    char x_label[120], title[160], x_unit[24], y_unit[24];
    NS_TRY(fill(c, numbers, numbers + POINTS, series, err));
    ring(c, borders, borders + NS_REIGNS, &series[curves]);
    bool positive = true;
    for (size_t i = 0; i < curves * POINTS; i++)
        positive = positive && numbers[POINTS + i] > 0;
    snprintf(title, sizeof title, "%s along %s%s%s", c->set->output, c->over, c->set->machine != NULL ? " on " : "",
             c->set->machine != NULL ? c->set->machine->name : "");
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(c->set, c->over, x_label, sizeof x_label),
                            .y_label = c->set->output,
                            .log_x = c->lo > 0 && c->hi > 10 * c->lo,
                            .log_y = positive,
                            .series = curves + (c->reigns > 1),
                            .of = series,
                            .x_unit = ns_dim_unit(c->over_dim, x_unit, sizeof x_unit),
                            .y_unit = ns_dim_unit(c->dim, y_unit, sizeof y_unit)};
    return ns_draw(args, &chart, 1, 1, result, err);
}

ns_status ns_cross_plot(const ns_crossing_search *c, const ns_args *args, ns_value *result, ns_error *err)
{
    const size_t curves = (size_t)c->set->count;
    double *numbers = malloc(((curves + 1) * POINTS + 2 * NS_REIGNS) * sizeof *numbers);
    ns_series *series = calloc(ns_size_add(curves, 1), sizeof *series);
    ns_status status =
        numbers != NULL && series != NULL ? draw(c, args, numbers, series, result, err) : ns_no_memory(err);
    free(numbers);
    free(series);
    return status;
}
