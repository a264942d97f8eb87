/* sensitivity_report.c -- what moves the answer most, and what to measure next, as a table and as a tornado */
#include "cli/show/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

enum { BARS = 16 };

static ns_value *flagged(ns_value *value, unsigned flags)
{
    if (value != NULL)
        value->flags |= flags;
    return value;
}

/* Standard error of the answer from this knob's alone; 0 where it is unknown. */
static double uncertainty(const ns_move *move)
{
    return move->e.sloped ? fabs(move->e.slope * move->e.base) * (move->knob.se / fabs(move->knob.value)) : 0;
}

/* The parts of single knobs: sum (dT/dx se)^2. */
static double variance_of(const ns_move *move, size_t moves)
{
    double sum = 0;
    for (size_t i = 0; i < moves; i++)
        sum += uncertainty(&move[i]) * uncertainty(&move[i]);
    return sum;
}

/* 2 rho (dT/dalpha se) (dT/dbeta se), where the move is the alpha of a line whose errors are correlated. */
static double covariance_of(const ns_machine *machine, const ns_move *move, size_t moves, const ns_move *alpha)
{
    const size_t length = strlen(alpha->knob.name), stem = length > 6 ? length - 6 : 0;
    char beta[200], path[200];
    double rho;
    if (machine == NULL || stem == 0 || stem > 180 || strcmp(alpha->knob.name + stem, ".alpha") != 0)
        return 0;
    snprintf(path, sizeof path, "%.*s.correlation", (int)stem, alpha->knob.name);
    snprintf(beta, sizeof beta, "%.*s.beta", (int)stem, alpha->knob.name);
    if (!ns_machine_number(machine, path, &rho, NULL, NULL))
        return 0;
    for (size_t i = 0; i < moves; i++)
        if (strcmp(move[i].knob.name, beta) == 0)
            return copysign(2 * rho, rho * alpha->e.slope * move[i].e.slope) * uncertainty(alpha) *
                   uncertainty(&move[i]);
    return 0;
}

/* Standard error of the answer: alpha and beta of a line err together, all else by itself. */
static double whole_error(const ns_machine *machine, const ns_move *move, size_t moves)
{
    double variance = variance_of(move, moves);
    for (size_t i = 0; i < moves; i++)
        variance += covariance_of(machine, move, moves, &move[i]);
    return sqrt(fmax(variance, 0));
}

static const ns_move *least_certain(const ns_move *move, size_t moves)
{
    const ns_move *found = NULL;
    for (size_t i = 0; i < moves; i++)
        if (uncertainty(&move[i]) > 0 && (found == NULL || uncertainty(&move[i]) > uncertainty(found)))
            found = &move[i];
    return found;
}

static bool any_winner(const ns_move *move, size_t moves)
{
    for (size_t i = 0; i < moves; i++)
        if (*move[i].low_winner != '\0' || *move[i].high_winner != '\0')
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

static void add_errors(ns_value *row, const ns_move *m, double variance)
{
    const unsigned hidden = variance > 0 ? 0 : NS_V_NO_TABLE;
    if (m->knob.se > 0) {
        flagged(ns_value_number(row, "se", m->knob.se, m->knob.dim), hidden);
        flagged(ns_value_count(row, "share_of_variance", variance > 0 ? uncertainty(m) * uncertainty(m) / variance : 0),
                hidden);
        return;
    }
    flagged(ns_value_null(row, "se"), hidden);
    flagged(ns_value_null(row, "share_of_variance"), hidden);
}

static void add_move(const ns_subject *subject, const ns_move *m, double variance, bool winners, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "parameter", m->knob.name);
    flagged(ns_value_text(row, "kind", m->knob.parameter != NULL ? "machine" : "input"), NS_V_NO_TABLE);
    ns_value_number(row, "value", m->knob.value, m->knob.dim);
    if (m->e.sloped)
        ns_value_count(row, "elasticity", ns_round_digits(m->e.slope, 9));
    else
        ns_value_null(row, "elasticity");
    flagged(ns_value_bool(row, "kink", m->e.kink), NS_V_NO_TABLE);
    flagged(ns_value_bool(row, "jump", m->e.jump), NS_V_NO_TABLE);
    flagged(ns_value_text(row, "", m->e.jump ? "jump" : m->e.kink ? "kink" : ""), NS_V_NO_JSON | NS_V_NO_CSV);
    add_end(row, "if_lower", m->e.has_low, m->e.low, subject->dim);
    add_end(row, "if_higher", m->e.has_high, m->e.high, subject->dim);
    flagged(ns_value_text(row, "winner_if_lower", m->low_winner), winners ? 0 : NS_V_NO_TABLE);
    flagged(ns_value_text(row, "winner_if_higher", m->high_winner), winners ? 0 : NS_V_NO_TABLE);
    add_errors(row, m, variance);
    ns_value_text(row, "source", m->knob.source);
}

/* The largest elasticity of a parameter that can be measured. */
static const ns_move *steepest(const ns_move *move, size_t moves)
{
    const ns_move *found = NULL;
    for (size_t i = 0; i < moves; i++)
        if (move[i].knob.parameter != NULL && move[i].e.sloped &&
            (found == NULL || fabs(move[i].e.slope) > fabs(found->e.slope)))
            found = &move[i];
    return found;
}

static void add_advice(const ns_subject *subject, const ns_move *move, size_t moves, double variance, ns_value *result)
{
    const ns_move *next = least_certain(move, moves), *steep = steepest(move, moves);
    char error[64];
    if (next != NULL) {
        ns_value_textf(
            result, "measure_next",
            "%s: its standard error makes %.0f %% of the variance of %s (one standard error of the whole: %s)",
            next->knob.name, 100 * uncertainty(next) * uncertainty(next) / variance, subject->output,
            ns_quantity_format(whole_error(subject->machine, move, moves), subject->dim, 3, error, sizeof error));
    } else if (steep != NULL && subject->machine != NULL) { /* whose parameter it is */
        ns_value_textf(result, "measure_next",
                       "%s: 1 %% of it moves %s by %.3g %%; machine %s states no standard error that counts here",
                       steep->knob.name, subject->output, fabs(steep->e.slope), subject->machine->name);
    } else {
        ns_value_null(result, "measure_next");
    }
}

void ns_sensitivity_report(const ns_subject *subject, const ns_move *move, size_t moves, double by, ns_value *result)
{
    const double variance = variance_of(move, moves);
    const bool winners = any_winner(move, moves);
    ns_value_text(result, "subject", subject->title);
    if (subject->machine != NULL)
        ns_value_text(result, "machine", subject->machine->name);
    ns_value_text(result, "of", subject->output);
    if (moves > 0)
        ns_value_number(result, "base", move[0].e.base, subject->dim);
    ns_value_count(result, "by", by);
    add_advice(subject, move, moves, variance, result);
    ns_value *list = flagged(ns_value_list(result, "moves"), NS_V_ROWS);
    for (size_t i = 0; i < moves; i++)
        add_move(subject, &move[i], variance, winners, list);
}

/* ---- the tornado ------------------------------------------------------------------------------------------------ */

ns_status ns_sensitivity_plot(const ns_subject *subject, const ns_move *move, size_t moves, double by,
                              const ns_args *args, ns_value *result, ns_error *err)
{
    double x[BARS][2], y[BARS][2];
    ns_series series[BARS];
    const char *name[BARS];
    char title[200], unit[24];
    size_t bars = 0;
    for (; bars < moves && bars < BARS; bars++) {
        const ns_elasticity *e = &move[bars].e;
        x[bars][0] = e->has_low ? e->low : e->base;
        x[bars][1] = e->has_high ? e->high : e->base;
        y[bars][0] = y[bars][1] = (double)bars + 1;
        name[bars] = move[bars].knob.name;
        series[bars] = (ns_series){.label = name[bars], .points = 2, .x = x[bars], .y = y[bars]};
    }
    if (bars == 0)
        return ns_fail(err, NS_ERR_DATA, "nothing moves %s: there is no tornado to draw", subject->output);
    snprintf(title, sizeof title, "%.120s: each %.3g %% lower and higher", subject->title, 100 * by);
    const ns_chart chart = {.title = title,
                            .x_label = subject->output,
                            .y_label = "",
                            .series = bars,
                            .of = series,
                            .tick = name,
                            .ticks = bars,
                            .x_unit = ns_dim_unit(subject->dim, unit, sizeof unit),
                            .bars = true,
                            .centre = move[0].e.base};
    return ns_draw(args, &chart, 1, 1, result, err);
}
