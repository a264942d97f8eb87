/* sensitivity_report.c -- what moves the answer most, and what to measure next, as a table and as a tornado */
#include "cli/show/sensitivity.h"

#include <math.h>

#include "core/number.h"

enum { BARS = 16 };

static bool any_winner(const ns_sensitivity *s)
{
    for (size_t i = 0; i < s->moves; i++)
        if (*ns_sensitivity_move(s, i)->low_winner != '\0' || *ns_sensitivity_move(s, i)->high_winner != '\0')
            return true;
    return false;
}

static void add_end(ns_value *row, const char *name, bool given, double value, ns_dim dim)
{
    if (given)
        ns_value_number(row, name, value, dim);
    else
        ns_value_null(row, name);
}

static double share(const ns_sensitivity *s, const ns_move *m)
{
    return s->variance > 0 ? m->error * m->error / s->variance : 0;
}

static void add_errors(const ns_sensitivity *s, const ns_move *m, ns_value *row)
{
    const unsigned hidden = s->variance > 0 ? 0 : NS_V_NO_TABLE;
    if (m->se > 0) {
        ns_value_flag(ns_value_number(row, "se", m->se, m->dim), hidden);
        ns_value_flag(ns_value_count(row, "share_of_variance", share(s, m)), hidden);
        return;
    }
    ns_value_flag(ns_value_null(row, "se"), hidden);
    ns_value_flag(ns_value_null(row, "share_of_variance"), hidden);
}

static void add_move(const ns_sensitivity *s, const ns_move *m, bool winners, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "parameter", m->name);
    ns_value_flag(ns_value_text(row, "kind", m->parameter != NULL ? "machine" : "input"), NS_V_NO_TABLE);
    ns_value_number(row, "value", m->value, m->dim);
    if (m->sloped)
        ns_value_count(row, "elasticity", ns_round_digits(m->slope, 9));
    else
        ns_value_null(row, "elasticity");
    ns_value_flag(ns_value_bool(row, "kink", m->kink), NS_V_NO_TABLE);
    ns_value_flag(ns_value_bool(row, "jump", m->jump), NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(row, "", m->jump ? "jump" : m->kink ? "kink" : ""), NS_V_NO_JSON | NS_V_NO_CSV);
    add_end(row, "if_lower", m->has_low, m->low, s->dim);
    add_end(row, "if_higher", m->has_high, m->high, s->dim);
    ns_value_flag(ns_value_text(row, "winner_if_lower", m->low_winner), winners ? 0 : NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(row, "winner_if_higher", m->high_winner), winners ? 0 : NS_V_NO_TABLE);
    add_errors(s, m, row);
    ns_value_text(row, "source", m->source);
}

static void add_advice(const ns_sensitivity *s, ns_value *result)
{
    char error[64];
    if (s->least_certain >= 0) {
        const ns_move *next = ns_sensitivity_move(s, (size_t)s->least_certain);
        ns_value_textf(
            result, "measure_next",
            "%s: its standard error makes %.0f %% of the variance of %s (one standard error of the whole: %s)",
            next->name, 100 * next->error * next->error / s->variance, s->output,
            ns_quantity_format(s->error, s->dim, 3, error, sizeof error));
    } else if (s->steepest >= 0 && s->machine != NULL) { /* whose parameter it is */
        const ns_move *steep = ns_sensitivity_move(s, (size_t)s->steepest);
        ns_value_textf(result, "measure_next",
                       "%s: 1 %% of it moves %s by %.3g %%; machine %s gives no standard errors for these parameters",
                       steep->name, s->output, fabs(steep->slope), s->machine->name);
    } else {
        ns_value_null(result, "measure_next");
    }
}

/* The answer's error is one thing; whether another strategy should be taken is what advise asks. */
static void add_pointer(const ns_sensitivity *s, ns_value *result)
{
    if (s->of_exchange)
        ns_value_flag(ns_value_text(result, "advise_line",
                              "what would change the choice of a strategy, and the benchmark for it: nsmodel advise"),
                NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

void ns_sensitivity_show(const ns_sensitivity *s, ns_value *result)
{
    const bool winners = any_winner(s);
    ns_value_text(result, "subject", s->title);
    if (s->machine != NULL)
        ns_value_text(result, "machine", s->machine->name);
    ns_value_text(result, "of", s->output);
    if (s->moves > 0)
        ns_value_number(result, "base", s->base, s->dim);
    ns_value_count(result, "by", s->by);
    add_advice(s, result);
    add_pointer(s, result);
    ns_value *list = ns_value_flag(ns_value_list(result, "moves"), NS_V_ROWS);
    for (size_t i = 0; i < s->moves; i++)
        add_move(s, ns_sensitivity_move(s, i), winners, list);
}

/* ---- the tornado ------------------------------------------------------------------------------------------------ */

ns_status ns_sensitivity_plot(const ns_sensitivity *s, const ns_args *args, ns_value *result, ns_error *err)
{
    double x[BARS][2], y[BARS][2];
    ns_series series[BARS];
    const char *name[BARS];
    char title[200], unit[24];
    size_t bars = 0;
    for (; bars < s->moves && bars < BARS; bars++) {
        const ns_move *m = ns_sensitivity_move(s, bars);
        x[bars][0] = m->has_low ? m->low : s->base;
        x[bars][1] = m->has_high ? m->high : s->base;
        y[bars][0] = y[bars][1] = (double)bars + 1;
        name[bars] = m->name;
        series[bars] = (ns_series){.label = name[bars], .points = 2, .x = x[bars], .y = y[bars]};
    }
    if (bars == 0)
        return ns_fail(err, NS_ERR_DATA, "nothing moves %s: there is no tornado to draw", s->output);
    snprintf(title, sizeof title, "%.120s: each %.3g %% lower and higher", s->title, 100 * s->by);
    const ns_chart chart = {.title = title,
                            .x_label = s->output,
                            .y_label = "",
                            .series = bars,
                            .of = series,
                            .tick = name,
                            .ticks = bars,
                            .x_unit = ns_dim_unit(s->dim, unit, sizeof unit),
                            .bars = true,
                            .centre = s->base};
    return ns_draw(args, &chart, 1, 1, result, err);
}
