/* sweep_strategies.c -- sweep --over strategy: [NA] Figure 4.3 for any machine and layout, as a table and as a plot
 *
 * The schedules of the strategies, or their closed forms (corrected), for nodes that send so many messages of one size
 * to so many nodes.  A panel per number of nodes and of messages; the circled minima are the paper's.
 */
#include "cli/show/sweep.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "report/columns.h"
#include "study/curves.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NODES, MESSAGES, SIZES }; /* axes */

const char *const ns_sweep_prices[] = {"schedule", "published", "corrected", NULL};

typedef struct study {
    ns_curves *curves;
    ns_axis *axis[NS_AXES];
    ns_sweep *sweep;
    const char *price; /* schedule; or the closed forms: published, as printed, or corrected */
    bool schedules;
} study;

/* ---- the command line ------------------------------------------------------------------------------------------- */

static int axis_of(const char *assignment)
{
    static const char *const names[NS_AXES] = {"nodes=", "messages=", "s="};
    for (int i = 0; i < NS_AXES; i++)
        if (strncmp(assignment, names[i], strlen(names[i])) == 0)
            return i;
    return -1;
}

static ns_status take(study *t, const char *assignment, ns_error *err)
{
    const int axis = axis_of(assignment);
    if (axis < 0)
        return ns_curves_assign(t->curves, assignment, err);
    if (t->axis[axis] != NULL)
        return ns_fail(err, NS_ERR_USAGE, "%s is given twice", t->axis[axis]->name);
    return ns_axis_open(t->curves, assignment, &t->axis[axis], err);
}

/* Curves first: the rows of the scenario say what the words may be. */
static ns_status read_words(const ns_args *args, study *t, ns_error *err)
{
    static const char *const defaults[] = {"s=16B:1MiB:x2", "messages=32,256", "nodes=4,16"}; /* of Figure 4.3 */
    const char *over;
    NS_TRY(ns_curves_read(args, t->curves, err));
    if (t->curves->count == 0)
        NS_TRY(ns_curves_add(t->curves, "strategies", err));
    if (t->curves->strategies < t->curves->count)
        return ns_fail(err, NS_ERR_USAGE, "--over strategy compares strategies, not models");
    for (int i = 1; (over = ns_args_at(args, "over", i)) != NULL; i++)
        NS_TRY(take(t, over, err));
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(take(t, args->word[i], err));
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const int axis = axis_of(defaults[i]);
        assert(axis >= 0);
        if (t->axis[axis] == NULL)
            NS_TRY(take(t, defaults[i], err));
    }
    return NS_OK;
}

static size_t point_at(const study *t, size_t n, size_t m, size_t i)
{
    const size_t at[NS_AXES] = {[NODES] = n, [MESSAGES] = m, [SIZES] = i};
    return ns_sweep_point(t->sweep, at);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

/* "p_best": of every strategy; in CSV a column for each. */
static void add_p_best(const study *t, size_t point, ns_value *row)
{
    char name[120];
    if (!t->schedules || ns_sweep_p_best(t->sweep, point, 0) < 0)
        return;
    ns_value *all = ns_put_object(row, "p_best", NS_IN_JSON);
    for (int k = 0; k < t->curves->count; k++) {
        const double p = ns_sweep_p_best(t->sweep, point, k);
        ns_value_count(all, ns_curves_at(t->curves, k)->label, p);
        snprintf(name, sizeof name, "p_best %s", ns_curves_at(t->curves, k)->label);
        ns_put_count(row, name, NS_NOT_IN_JSON, p);
    }
}

static void add_size(const study *t, size_t n, size_t m, size_t i, ns_value *list)
{
    ns_ranking ranking = {.size = sizeof ranking};
    const size_t point = point_at(t, n, m, i);
    ns_sweep_rank(t->sweep, point, &ranking, NULL);
    const ns_curve_info *best = ns_curves_at(t->curves, ranking.best);
    const ns_curve_info *second = ns_curves_at(t->curves, ranking.second);
    ns_value *row = ns_value_object(list, NULL);
    ns_axis_value(t->axis[SIZES], i, row);
    ns_value_text(row, "strategy", best->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[best->transport]);
    ns_value_number(row, "time_s", ns_sweep_value(t->sweep, point, ranking.best), NS_SECOND);
    if (second != NULL) {
        ns_value_text(row, "next", second->label);
        ns_value_number(row, "next_s", ns_sweep_value(t->sweep, point, ranking.second), NS_SECOND);
        ns_value_text(row, "verdict", ns_verdict_words[ranking.verdict]);
    }
    add_p_best(t, point, row);
    ns_value *all = ns_put_object(row, "times_s", NS_IN_JSON);
    for (int k = 0; k < t->curves->count; k++)
        ns_value_number(all, ns_curves_at(t->curves, k)->label, ns_sweep_value(t->sweep, point, k), NS_SECOND);
}

/* For people: sizes down, nodes and messages across, "~" before a tie. */
static void add_grid(const study *t, ns_value *result)
{
    ns_value *grid = ns_put_rows(result, "best", NS_IN_TABLE);
    for (size_t i = 0; i < t->axis[SIZES]->count; i++) {
        ns_value *row = ns_value_object(grid, NULL);
        ns_axis_value(t->axis[SIZES], i, row);
        for (size_t n = 0; n < t->axis[NODES]->count; n++)
            for (size_t m = 0; m < t->axis[MESSAGES]->count; m++) {
                char name[80], time[40];
                ns_ranking ranking = {.size = sizeof ranking};
                const size_t point = point_at(t, n, m, i);
                ns_sweep_rank(t->sweep, point, &ranking, NULL);
                ns_quantity_format(ns_sweep_value(t->sweep, point, ranking.best), NS_SECOND, 3, time, sizeof time);
                snprintf(name, sizeof name, "%.6g msgs to %.6g nodes", t->axis[MESSAGES]->number[m],
                         t->axis[NODES]->number[n]);
                ns_value_textf(row, name, "%s%s %s", ranking.verdict == NS_TIE ? "~" : "",
                               ns_curves_at(t->curves, ranking.best)->label, time);
            }
    }
}

/* Does any way take at least 2 % less for the next larger size?  Fits are no better than that. */
static bool falls(const study *t)
{
    for (int k = 0; k < t->curves->count; k++)
        for (size_t n = 0; n < t->axis[NODES]->count; n++)
            for (size_t m = 0; m < t->axis[MESSAGES]->count; m++)
                for (size_t i = 1; i < t->axis[SIZES]->count; i++)
                    if (ns_sweep_value(t->sweep, point_at(t, n, m, i), k) <
                        0.98 * ns_sweep_value(t->sweep, point_at(t, n, m, i - 1), k))
                        return true;
    return false;
}

/* A time that falls as messages grow is the machine's, and said so. */
static void add_drops(const study *t, ns_value *result)
{
    const ns_machine *machine = t->curves->machine;
    ns_machine_drop drop;
    char size[48], before[48], after[48];
    for (size_t i = 0; falls(t) && ns_machine_drop_at(machine, i, &drop); i++) {
        if (drop.after_s > 0.98 * drop.before_s || drop.size < t->axis[SIZES]->number[0])
            continue;
        const ns_dim seconds = {1, 0, 0}, bytes = {0, 1, 0};
        ns_note(result,
                "times may fall as sizes grow: on %s %s messages in %s memory take %s just below %s (%s) "
                "and %s from there on (%s)",
                machine->name, ns_locality_words[drop.locality], ns_memory_words[drop.memory],
                ns_quantity_format(drop.before_s, seconds, 3, before, sizeof before),
                ns_quantity_format(drop.size, bytes, 3, size, sizeof size), ns_protocol_words[drop.from],
                ns_quantity_format(drop.after_s, seconds, 3, after, sizeof after), ns_protocol_words[drop.to]);
    }
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

typedef struct gallery {
    ns_chart *chart;   /* [panels] */
    ns_series *series; /* [panels][curves + 1] */
    double *y, *least; /* [panels][curves][s], [panels][s] */
    char (*title)[80];
} gallery;

static void draw_panel(const study *t, gallery *g, size_t n, size_t m)
{
    const size_t panel = n * t->axis[MESSAGES]->count + m, curves = (size_t)t->curves->count,
                 sizes = t->axis[SIZES]->count;
    ns_series *series = g->series + panel * (curves + 1);
    double *least = g->least + panel * sizes;
    for (size_t k = 0; k < curves; k++) {
        double *y = g->y + (panel * curves + k) * sizes;
        for (size_t i = 0; i < sizes; i++) {
            y[i] = ns_sweep_value(t->sweep, point_at(t, n, m, i), (int)k);
            least[i] = k == 0 ? y[i] : fmin(least[i], y[i]);
        }
        const ns_curve_info *c = ns_curves_at(t->curves, (int)k);
        series[k] = (ns_series){.label = c->label,
                                .colour = c->strategy->rank,
                                .dashed = c->transport == NS_VIA_DEVICE,
                                .points = sizes,
                                .x = t->axis[SIZES]->number,
                                .y = y};
    }
    series[curves] =
        (ns_series){.label = "fastest", .rings = true, .points = sizes, .x = t->axis[SIZES]->number, .y = least};
    snprintf(g->title[panel], sizeof *g->title, "%.6g messages to %.6g nodes, %s", t->axis[MESSAGES]->number[m],
             t->axis[NODES]->number[n], t->curves->machine->name);
    g->chart[panel] = (ns_chart){.title = g->title[panel],
                                 .x_label = "message size",
                                 .y_label = "time of one exchange",
                                 .log_x = ns_axis_is_log(t->axis[SIZES]),
                                 .log_y = true,
                                 .series = curves + 1,
                                 .of = series,
                                 .x_unit = "B",
                                 .y_unit = "s"};
}

static ns_status plot(const study *t, const char *path, ns_value *result, ns_error *err)
{
    enum { PANELS_MOST = 12 };
    const size_t panels = t->axis[NODES]->count * t->axis[MESSAGES]->count, curves = (size_t)t->curves->count;
    if (panels > PANELS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu panels are too many for one plot; at most %d", panels, (int)PANELS_MOST);
    gallery g = {
        .chart = ns_calloc(panels, sizeof *g.chart),
        .series = ns_calloc(ns_size_mul(panels, ns_size_add(curves, 1)), sizeof *g.series),
        .y = ns_malloc(ns_size_mul(ns_size_mul(panels, curves), ns_size_mul(t->axis[SIZES]->count, sizeof *g.y))),
        .least = ns_malloc(ns_size_mul(ns_size_mul(panels, t->axis[SIZES]->count), sizeof *g.least)),
        .title = ns_malloc(ns_size_mul(panels, sizeof *g.title))};
    ns_status status = NS_OK;
    if (g.chart == NULL || g.series == NULL || g.y == NULL || g.least == NULL || g.title == NULL)
        status = ns_no_memory(err);
    for (size_t n = 0; n < t->axis[NODES]->count && status == NS_OK; n++)
        for (size_t m = 0; m < t->axis[MESSAGES]->count; m++)
            draw_panel(t, &g, n, m);
    if (status == NS_OK)
        status = ns_draw(path, g.chart, panels, t->axis[MESSAGES]->count, result, err);
    ns_free(g.chart);
    ns_free(g.series);
    ns_free(g.y);
    ns_free(g.least);
    ns_free(g.title);
    return status;
}

static ns_status answer(const ns_sweep_request *r, study *t, ns_value *result, ns_error *err)
{
    NS_TRY(read_words(r->args, t, err));
    NS_TRY(ns_curves_ready(t->curves, err));
    /* duplicates are of the closed forms alone */
    const int price = !r->priced && ns_curves_scenario(t->curves)->duplicates > 0 ? NS_SWEEP_CORRECTED : r->price;
    t->price = ns_sweep_prices[price];
    t->schedules = price == NS_SWEEP_SCHEDULE;
    if (price == NS_SWEEP_PUBLISHED)
        ns_curves_use_printed(t->curves);
    ns_sweep_question q = {.curves = t->curves, .axes = NS_AXES};
    memcpy(q.axis, t->axis, sizeof q.axis);
    NS_TRY(ns_sweep_watched(r->args->progress, &q, t->schedules, NULL, NULL, &t->sweep, err));
    const ns_machine *machine = t->curves->machine;
    const double parts = ns_curves_scenario(t->curves)->per_node;
    const int own = machine->gpus > 0 ? machine->gpus : machine->host_processes;
    ns_value_text(result, "machine", machine->name);
    ns_value_count(result, "per_node", parts > 0 ? parts : own);
    ns_value_count(result, "duplicates", ns_curves_scenario(t->curves)->duplicates);
    ns_value_text(result, "price", t->price);
    ns_note(result, "%s",
            t->schedules ? "best strategy by its schedule; ~ before one that is not the best with 90 %"
                         : "best strategy by its closed form; ~ before one that leads by less than 10 %");
    add_drops(t, result);
    ns_value *cases = ns_put_rows(result, "cases", NS_IN_DATA);
    for (size_t n = 0; n < t->axis[NODES]->count; n++)
        for (size_t m = 0; m < t->axis[MESSAGES]->count; m++) {
            ns_value *one = ns_value_object(cases, NULL);
            ns_axis_value(t->axis[NODES], n, one);
            ns_axis_value(t->axis[MESSAGES], m, one);
            ns_value *rows = ns_put_rows(one, "rows", NS_EVERYWHERE);
            for (size_t i = 0; i < t->axis[SIZES]->count; i++)
                add_size(t, n, m, i, rows);
        }
    add_grid(t, result);
    return r->plot != NULL ? plot(t, r->plot, result, err) : NS_OK;
}

ns_status ns_sweep_strategies(const ns_sweep_request *r, const ns_machine *machine, ns_value *result, ns_error *err)
{
    study t = {.curves = NULL};
    NS_TRY(ns_curves_open(machine, r->of, &t.curves, err));
    ns_status status = answer(r, &t, result, err);
    ns_sweep_free(t.sweep);
    for (int i = 0; i < NS_AXES; i++)
        ns_axis_free(t.axis[i]);
    ns_curves_free(t.curves);
    return status;
}
