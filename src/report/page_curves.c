/* page_curves.c -- the figures of a report: times of the strategies on each machine, machines side by side, NetSparse's
 * steps */
#include "core/memory.h"
#include "report/page.h"

#include <math.h>
#include <string.h>

typedef struct curves {
    size_t lines, points;
    double *x, *y;   /* [points], [lines * points] */
    double *lo, *hi; /* [lines * points] */
    char (*label)[96];
    ns_series *series;
    const char **tick;
} curves;

static void curves_close(curves *c)
{
    ns_free(c->x);
    ns_free(c->y);
    ns_free(c->lo);
    ns_free(c->hi);
    ns_free(c->label);
    ns_free(c->series);
    ns_free(c->tick);
}

static ns_status curves_open(size_t lines, size_t points, curves *c, ns_error *err)
{
    *c = (curves){.lines = lines,
                  .points = points,
                  .x = ns_calloc(ns_size_add(points, 1), sizeof *c->x),
                  .y = ns_calloc(ns_size_add(ns_size_mul(lines, points), 1), sizeof *c->y),
                  .lo = ns_calloc(ns_size_add(ns_size_mul(lines, points), 1), sizeof *c->lo),
                  .hi = ns_calloc(ns_size_add(ns_size_mul(lines, points), 1), sizeof *c->hi),
                  .label = ns_calloc(ns_size_add(lines, 1), sizeof *c->label),
                  .series = ns_calloc(ns_size_add(lines, 1), sizeof *c->series),
                  .tick = ns_calloc(ns_size_add(points, 1), sizeof *c->tick)};
    if (c->x != NULL && c->y != NULL && c->lo != NULL && c->hi != NULL && c->label != NULL && c->series != NULL &&
        c->tick != NULL)
        return NS_OK;
    curves_close(c);
    return ns_no_memory(err);
}

static double *set_line(curves *c, size_t line, int colour, bool dashed)
{
    double *y = c->y + line * c->points;
    c->series[line] = (ns_series){
        .label = c->label[line], .colour = colour, .dashed = dashed, .points = c->points, .x = c->x, .y = y};
    return y;
}

static const ns_value *nth(const ns_value *list, size_t index)
{
    const ns_value *one = list != NULL ? list->first : NULL;
    while (one != NULL && index-- > 0)
        one = one->next;
    return one;
}

static void exchange(double *list, size_t a, size_t b)
{
    const double held = list[a];
    list[a] = list[b];
    list[b] = held;
}

/* An estimate with its interval. */
static void set_point(curves *c, size_t line, size_t i, const ns_value *row, double *y)
{
    const ns_value *pair = row != NULL ? ns_value_get(row, "interval_s") : NULL;
    y[i] = ns_page_number(row, "estimate_s", NAN);
    if (pair == NULL || pair->first == NULL || pair->last->kind != NS_NUMBER)
        return;
    c->lo[line * c->points + i] = pair->first->number;
    c->hi[line * c->points + i] = pair->last->number;
}

/* ---- one machine: a line per strategy and transport -------------------------------------------------------------- */

static ns_status put_times(ns_page *page, curves *c, const char *title, const char *x_label, const char *parts)
{
    /* lines run from left to right, whatever the order in which the parts were asked for */
    for (size_t i = 1; i < c->points; i++)
        for (size_t k = i; k > 0 && c->x[k] < c->x[k - 1]; k--) {
            exchange(c->x, k, k - 1);
            for (size_t line = 0; line < c->lines; line++) {
                exchange(c->y + line * c->points, k, k - 1);
                exchange(c->lo + line * c->points, k, k - 1);
                exchange(c->hi + line * c->points, k, k - 1);
            }
        }
    const ns_html_figure figure = {.chart = {.title = title,
                                             .x_label = x_label,
                                             .y_label = "time of one exchange",
                                             .log_x = true,
                                             .log_y = true,
                                             .series = c->lines,
                                             .of = c->series},
                                   .dim = NS_SECOND,
                                   .x_name = parts,
                                   .lo = c->lo,
                                   .hi = c->hi,
                                   .best = "fastest",
                                   .values = "the tables of strategies",
                                   .number = page->figures++};
    return ns_html_figure_write(page->out, &figure, page->err);
}

static ns_status put_machine(ns_page *page, const ns_value *machine, size_t number)
{
    char title[200], x_label[80];
    curves c;
    size_t count;
    const ns_value *cases = ns_page_cases(page, number, &count);
    if (cases == NULL)
        return NS_OK;
    NS_TRY(curves_open(ns_page_count(ns_value_get(cases, "strategies")), count, &c, page->err));
    int colour = -1;
    const char *before = NULL;
    const ns_value *one = cases;
    for (size_t i = 0; i < c.points; i++, one = one->next)
        c.x[i] = ns_page_number(one, "gpus", NAN);
    for (size_t k = 0; k < c.lines; k++) {
        const ns_value *row = nth(ns_value_get(cases, "strategies"), k);
        const char *strategy = ns_page_text(row, "strategy"), *transport = ns_page_text(row, "transport");
        colour += before == NULL || strcmp(strategy, before) != 0;
        before = strategy;
        snprintf(c.label[k], sizeof *c.label, "%s, %s", strategy, transport);
        double *y = set_line(&c, k, colour, strcmp(transport, "device") == 0);
        one = cases;
        for (size_t i = 0; i < c.points; i++, one = one->next)
            set_point(&c, k, i, nth(ns_value_get(one, "strategies"), k), y);
    }
    snprintf(title, sizeof title, "Estimated time of one exchange on %.80s", ns_page_text(machine, "name"));
    snprintf(x_label, sizeof x_label, "%s (%.0f a node)", ns_page_parts(machine), ns_page_number(cases, "per_node", 1));
    ns_status status = put_times(page, &c, title, x_label, ns_page_parts(machine));
    curves_close(&c);
    return status;
}

/* ---- machines side by side: the fastest of each ------------------------------------------------------------------ */

static const ns_value *fastest(const ns_value *one)
{
    const ns_value *best = NULL, *rows = ns_value_get(one, "strategies");
    for (const ns_value *row = rows != NULL ? rows->first : NULL; row != NULL; row = row->next)
        if (best == NULL || ns_page_number(row, "estimate_s", INFINITY) < ns_page_number(best, "estimate_s", INFINITY))
            best = row;
    return best;
}

static ns_status put_machines(ns_page *page, const ns_value *machines)
{
    curves c;
    size_t count, number = 0;
    const ns_value *machine = machines->first;
    (void)ns_page_cases(page, 0, &count);
    NS_TRY(curves_open(ns_page_count(machines), count, &c, page->err));
    for (; machine != NULL; machine = machine->next, number++) {
        const ns_value *one = ns_page_cases(page, number, &count);
        double *y = set_line(&c, number, (int)number, number % 2 == 1);
        snprintf(c.label[number], sizeof *c.label, "%.80s", ns_page_text(machine, "name"));
        for (size_t i = 0; i < count && one != NULL; i++, one = one->next) {
            c.x[i] = ns_page_number(one, "gpus", NAN);
            set_point(&c, number, i, fastest(one), y);
        }
    }
    ns_status status = put_times(page, &c, "The fastest strategy of each machine", "parts", "parts");
    curves_close(&c);
    return status;
}

ns_status ns_page_times(ns_page *page)
{
    size_t number = 0;
    const ns_value *machines = ns_value_get(page->report, "machines");
    fputs("<p>Estimate: the price of the messages and copies that a strategy really performs for this pattern.</p>\n",
          page->out);
    if (machines->first != machines->last)
        NS_TRY(put_machines(page, machines));
    for (const ns_value *machine = machines->first; machine != NULL; machine = machine->next)
        NS_TRY(put_machine(page, machine, number++));
    return NS_OK;
}

/* ---- NetSparse: a line per K ------------------------------------------------------------------------------------- */

static void fill_steps(curves *c, const ns_value *one, size_t line)
{
    double *y = set_line(c, line, (int)line, false);
    const ns_value *row = nth(ns_value_get(one, "steps"), 0);
    snprintf(c->label[line], sizeof *c->label, "K = %.0f", ns_page_number(one, "k", 0));
    for (size_t i = 0; i < c->points; i++, row = row != NULL ? row->next : NULL) {
        c->x[i] = (double)i + 1;
        y[i] = ns_page_number(row, "speedup", NAN);
        c->tick[i] = ns_page_text(row, "step");
    }
}

ns_status ns_page_steps(ns_page *page)
{
    curves c;
    size_t line = 0;
    size_t count;
    const ns_value *one = ns_page_gathers(page, &count);
    NS_TRY(curves_open(count, ns_page_count(ns_value_get(one, "steps")), &c, page->err));
    for (; line < count; line++, one = one->next)
        fill_steps(&c, one, line);
    const ns_html_figure figure = {.chart = {.title = "Speedup over SUOpt, mechanism by mechanism",
                                             .x_label = "mechanisms, cumulative",
                                             .y_label = "speedup of the tail node",
                                             .log_y = true,
                                             .series = c.lines,
                                             .of = c.series,
                                             .tick = c.tick,
                                             .ticks = c.points},
                                   .x_name = "",
                                   .values = "the table of the ablation",
                                   .number = page->figures++};
    ns_status status = ns_html_figure_write(page->out, &figure, page->err);
    curves_close(&c);
    return status;
}
