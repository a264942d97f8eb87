/* cross_answer.c -- reigns and crossings as a value tree, and as a plot */
#include "cli/show/cross.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>

static const char *label(const ns_crossings *c, int curve)
{
    return ns_curves_at(c->curves, curve)->label;
}

static void add_reigns(const ns_crossings *c, ns_dim over, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "reigns", NS_EVERYWHERE);
    for (int i = 0; i < c->reigns; i++) {
        const ns_reign_info *r = ns_crossings_reign(c, i);
        ns_value *row = ns_value_object(list, NULL);
        ns_value_number(row, "from", r->from, over);
        ns_value_number(row, "to", r->to, over);
        ns_value_text(row, "winner", label(c, r->winner));
        ns_value_number(row, "at_from", r->at_from, c->curves->dim);
        ns_value_number(row, "at_to", r->at_to, c->curves->dim);
    }
}

static void add_crossings(const ns_crossings *c, ns_dim over, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "crossovers", NS_EVERYWHERE);
    for (int i = 0; i < c->crossings; i++) {
        const ns_crossing *x = ns_crossings_at(c, i);
        ns_value *row = ns_value_object(list, NULL);
        if (row != NULL && x->changes_winner)
            row->flags |= NS_V_MARK;
        ns_value_number(row, "at", x->x, over);
        ns_value_text(row, "a", label(c, x->a));
        ns_value_text(row, "b", label(c, x->b));
        ns_value_number(row, "value", x->value, c->curves->dim);
        ns_value_text(row, "meeting", ns_meeting_words[x->meeting]);
        if (x->below >= 0)
            ns_value_text(row, "below_after", label(c, x->below));
        else
            ns_value_null(row, "below_after");
        ns_put_bool(row, "changes_winner", NS_IN_DATA, x->changes_winner);
    }
}

void ns_cross_show(const ns_crossings *found, const ns_course *course, ns_value *result)
{
    ns_value_text(result, "over", course->over);
    add_reigns(found, course->dim, result);
    add_crossings(found, course->dim, result);
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

enum { POINTS = 121 };

static double sample(const ns_crossings *c, int i)
{
    const double t = (double)i / (POINTS - 1);
    return i == POINTS - 1                   ? c->hi
           : c->lo > 0 && c->hi > 10 * c->lo ? c->lo * pow(c->hi / c->lo, t)
                                             : c->lo + (c->hi - c->lo) * t;
}

static ns_status fill(const ns_crossings *c, const char *over, double *x, double *y, ns_series *series, ns_error *err)
{
    for (int i = 0; i < POINTS; i++)
        x[i] = sample(c, i);
    for (int k = 0; k < c->curves->count; k++) {
        const ns_curve_info *curve = ns_curves_at(c->curves, k);
        double *own = y + k * POINTS;
        for (int i = 0; i < POINTS; i++) {
            const ns_setting setting = {.name = over, .number = x[i]};
            NS_TRY(ns_curves_value(c->curves, k, &setting, 1, &own[i], err));
        }
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
static void ring(const ns_crossings *c, double *x, double *y, ns_series *series)
{
    for (int i = 1; i < c->reigns; i++) {
        x[i - 1] = ns_crossings_reign(c, i)->from;
        y[i - 1] = ns_crossings_reign(c, i)->at_from;
    }
    *series =
        (ns_series){.label = "the winner changes", .rings = true, .points = (size_t)(c->reigns - 1), .x = x, .y = y};
}

static ns_status draw(const ns_crossings *c, const ns_course *course, const ns_args *args, double *numbers,
                      ns_series *series, ns_value *result, ns_error *err)
{
    const ns_curves *set = c->curves;
    const size_t curves = (size_t)set->count;
    double *borders = numbers + (curves + 1) * POINTS;
    char x_label[120], title[160], x_unit[24], y_unit[24];
    NS_TRY(fill(c, course->over, numbers, numbers + POINTS, series, err));
    ring(c, borders, borders + c->reigns, &series[curves]);
    bool positive = true;
    for (size_t i = 0; i < curves * POINTS; i++)
        positive = positive && numbers[POINTS + i] > 0;
    snprintf(title, sizeof title, "%s along %s%s%s", set->output, course->over, set->machine != NULL ? " on " : "",
             set->machine != NULL ? set->machine->name : "");
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(set, course->over, x_label, sizeof x_label),
                            .y_label = set->output,
                            .log_x = c->lo > 0 && c->hi > 10 * c->lo,
                            .log_y = positive,
                            .series = curves + (c->reigns > 1),
                            .of = series,
                            .x_unit = ns_dim_unit(course->dim, x_unit, sizeof x_unit),
                            .y_unit = ns_dim_unit(set->dim, y_unit, sizeof y_unit)};
    return ns_draw(ns_args_get(args, "plot"), &chart, 1, 1, result, err);
}

ns_status ns_cross_plot(const ns_crossings *found, const ns_course *course, const ns_args *args, ns_value *result,
                        ns_error *err)
{
    const size_t curves = (size_t)found->curves->count;
    double *numbers = ns_malloc(((curves + 1) * POINTS + 2 * (size_t)found->reigns) * sizeof *numbers);
    ns_series *series = ns_calloc(ns_size_add(curves, 1), sizeof *series);
    ns_status status =
        numbers != NULL && series != NULL ? draw(found, course, args, numbers, series, result, err) : ns_no_memory(err);
    ns_free(numbers);
    ns_free(series);
    return status;
}
