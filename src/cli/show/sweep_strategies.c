/* sweep_strategies.c -- sweep --over strategy: [NA] Figure 4.3 for any machine and layout, as a table and as a plot
 *
 * The closed forms of the strategies (their corrected forms), for a node that sends so many messages of one size to so
 * many nodes.  A panel per number of nodes and of messages; the circled minima are the paper's.
 */
#include "cli/show/sweep.h"
#include "core/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct study {
    ns_curve_set *set;
    ns_axis s, messages, nodes;
    double *value; /* [nodes][messages][s][curves] */
} study;

static const double TIE = 0.10; /* closed forms have no interval: two times that differ by less are a tie */

/* ---- the command line ------------------------------------------------------------------------------------------- */

static ns_axis *axis_of(study *t, const char *assignment)
{
    static const struct {
        const char *name;
        size_t offset;
    } names[] = {
        {"s=", offsetof(study, s)}, {"messages=", offsetof(study, messages)}, {"nodes=", offsetof(study, nodes)}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(assignment, names[i].name, strlen(names[i].name)) == 0)
            return (ns_axis *)(void *)((char *)t + names[i].offset);
    return NULL;
}

static ns_status take(study *t, const char *assignment, ns_error *err)
{
    ns_axis *axis = axis_of(t, assignment);
    if (axis == NULL)
        return ns_curves_assign(t->set, assignment, err);
    if (axis->count > 0)
        return ns_fail(err, NS_ERR_USAGE, "%s is given twice", axis->name);
    return ns_axis_open(axis, assignment, t->set, err);
}

/* Curves first: the rows of the scenario say what the words may be. */
static ns_status read_words(const ns_args *args, study *t, ns_error *err)
{
    static const char *const defaults[] = {"s=16B:1MiB:x2", "messages=32,256", "nodes=4,16"}; /* of Figure 4.3 */
    const char *over;
    for (int i = 0; i < args->words; i++)
        if (!ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_add(t->set, args->word[i], err));
    if (t->set->count == 0)
        NS_TRY(ns_curves_add(t->set, "strategies", err));
    if (t->set->strategies < t->set->count)
        return ns_fail(err, NS_ERR_USAGE, "--over strategy compares strategies, not models");
    for (int i = 1; (over = ns_args_at(args, "over", i)) != NULL; i++)
        NS_TRY(take(t, over, err));
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(take(t, args->word[i], err));
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        ns_axis *axis = axis_of(t, defaults[i]);
        assert(axis != NULL);
        if (axis->count == 0)
            NS_TRY(ns_axis_open(axis, defaults[i], t->set, err));
    }
    return NS_OK;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static double *values_at(const study *t, size_t n, size_t m, size_t i)
{
    return t->value + ((n * t->messages.count + m) * t->s.count + i) * (size_t)t->set->count;
}

static ns_status evaluate(study *t, ns_error *err)
{
    enum { MOST = 4000000 };
    const size_t points = t->nodes.count * t->messages.count * t->s.count * (size_t)t->set->count;
    if (points > MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu values are too many", points);
    t->value = malloc(ns_size_mul(points, sizeof *t->value));
    if (t->value == NULL)
        return ns_no_memory(err);
    for (size_t n = 0; n < t->nodes.count; n++)
        for (size_t m = 0; m < t->messages.count; m++)
            for (size_t i = 0; i < t->s.count; i++) {
                const ns_setting setting[] = {ns_axis_setting(&t->nodes, n), ns_axis_setting(&t->messages, m),
                                              ns_axis_setting(&t->s, i)};
                for (int k = 0; k < t->set->count; k++)
                    NS_TRY(ns_curve_value(t->set, k, setting, 3, &values_at(t, n, m, i)[k], err));
            }
    return NS_OK;
}

/* The smallest and, or -1, the one after it. */
static void rank(const study *t, const double *value, int *best, int *second)
{
    *best = 0;
    *second = -1;
    for (int k = 1; k < t->set->count; k++)
        if (value[k] < value[*best])
            *best = k;
    for (int k = 0; k < t->set->count; k++)
        if (k != *best && (*second < 0 || value[k] < value[*second]))
            *second = k;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const ns_dim SECOND = {1, 0, 0};

static ns_value *flagged(ns_value *value, unsigned flags)
{
    if (value != NULL)
        value->flags |= flags;
    return value;
}

static void add_size(const study *t, size_t n, size_t m, size_t i, ns_value *list)
{
    int best, second;
    const double *value = values_at(t, n, m, i);
    rank(t, value, &best, &second);
    ns_value *row = ns_value_object(list, NULL);
    ns_axis_value(&t->s, i, row);
    ns_value_text(row, "strategy", t->set->curve[best].strategy->name);
    ns_value_text(row, "transport", ns_transport_words[t->set->curve[best].transport]);
    ns_value_number(row, "time_s", value[best], SECOND);
    if (second >= 0) {
        ns_value_text(row, "next", t->set->curve[second].label);
        ns_value_number(row, "next_s", value[second], SECOND);
        ns_value_text(row, "verdict",
                      ns_verdict_words[value[second] - value[best] < TIE * value[best] ? NS_TIE : NS_CLEAR]);
    }
    ns_value *all = flagged(ns_value_object(row, "times_s"), NS_V_JSON_ONLY);
    for (int k = 0; k < t->set->count; k++)
        ns_value_number(all, t->set->curve[k].label, value[k], SECOND);
}

static void add_cases(const study *t, ns_value *result)
{
    ns_value *cases = flagged(ns_value_list(result, "cases"), NS_V_ROWS | NS_V_NO_TABLE);
    for (size_t n = 0; n < t->nodes.count; n++)
        for (size_t m = 0; m < t->messages.count; m++) {
            ns_value *one = ns_value_object(cases, NULL);
            ns_axis_value(&t->nodes, n, one);
            ns_axis_value(&t->messages, m, one);
            ns_value *rows = flagged(ns_value_list(one, "rows"), NS_V_ROWS);
            for (size_t i = 0; i < t->s.count; i++)
                add_size(t, n, m, i, rows);
        }
}

/* For people: sizes down, nodes and messages across, "~" before a tie. */
static void add_grid(const study *t, ns_value *result)
{
    ns_value *grid = flagged(ns_value_list(result, "best"), NS_V_ROWS | NS_V_NO_JSON | NS_V_NO_CSV);
    for (size_t i = 0; i < t->s.count; i++) {
        ns_value *row = ns_value_object(grid, NULL);
        ns_axis_value(&t->s, i, row);
        for (size_t n = 0; n < t->nodes.count; n++)
            for (size_t m = 0; m < t->messages.count; m++) {
                char name[80], time[40];
                int best, second;
                const double *value = values_at(t, n, m, i);
                rank(t, value, &best, &second);
                const bool tie = second >= 0 && value[second] - value[best] < TIE * value[best];
                snprintf(name, sizeof name, "%.6g msgs to %.6g nodes", t->messages.number[m], t->nodes.number[n]);
                ns_value_textf(row, name, "%s%s %s", tie ? "~" : "", t->set->curve[best].label,
                               ns_quantity_format(value[best], SECOND, 3, time, sizeof time));
            }
    }
}

static void add_head(const study *t, ns_value *result)
{
    const ns_machine *machine = t->set->machine;
    const double parts = t->set->scenario.per_node;
    const int own = machine->gpus > 0 ? machine->gpus : machine->host_processes;
    ns_value_text(result, "machine", machine->name);
    ns_value_count(result, "per_node", parts > 0 ? parts : own);
    ns_value_count(result, "duplicates", t->set->scenario.duplicates);
    flagged(
        ns_value_text(result, "line", "best strategy by its closed form; ~ before one that leads by less than 10 %"),
        NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
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
    const size_t panel = n * t->messages.count + m, curves = (size_t)t->set->count, sizes = t->s.count;
    ns_series *series = g->series + panel * (curves + 1);
    double *least = g->least + panel * sizes;
    for (size_t k = 0; k < curves; k++) {
        double *y = g->y + (panel * curves + k) * sizes;
        for (size_t i = 0; i < sizes; i++) {
            y[i] = values_at(t, n, m, i)[k];
            least[i] = k == 0 ? y[i] : fmin(least[i], y[i]);
        }
        const ns_cli_curve *c = &t->set->curve[k];
        series[k] = (ns_series){.label = c->label,
                                .colour = c->strategy->rank,
                                .dashed = c->transport == NS_VIA_DEVICE,
                                .points = sizes,
                                .x = t->s.number,
                                .y = y};
    }
    series[curves] = (ns_series){.label = "fastest", .rings = true, .points = sizes, .x = t->s.number, .y = least};
    snprintf(g->title[panel], sizeof *g->title, "%.6g messages to %.6g nodes, %s", t->messages.number[m],
             t->nodes.number[n], t->set->machine->name);
    g->chart[panel] = (ns_chart){.title = g->title[panel],
                                 .x_label = "message size",
                                 .y_label = "time of one exchange",
                                 .log_x = ns_axis_is_log(&t->s),
                                 .log_y = true,
                                 .series = curves + 1,
                                 .of = series,
                                 .x_unit = "B",
                                 .y_unit = "s"};
}

static ns_status plot(const study *t, const ns_args *args, ns_value *result, ns_error *err)
{
    enum { PANELS_MOST = 12 };
    const size_t panels = t->nodes.count * t->messages.count, curves = (size_t)t->set->count;
    if (panels > PANELS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu panels are too many for one plot; at most %d", panels, (int)PANELS_MOST);
    gallery g = {.chart = calloc(panels, sizeof *g.chart),
                 .series = calloc(ns_size_mul(panels, ns_size_add(curves, 1)), sizeof *g.series),
                 .y = malloc(ns_size_mul(ns_size_mul(panels, curves), ns_size_mul(t->s.count, sizeof *g.y))),
                 .least = malloc(ns_size_mul(ns_size_mul(panels, t->s.count), sizeof *g.least)),
                 .title = malloc(ns_size_mul(panels, sizeof *g.title))};
    ns_status status = NS_OK;
    if (g.chart == NULL || g.series == NULL || g.y == NULL || g.least == NULL || g.title == NULL)
        status = ns_no_memory(err);
    for (size_t n = 0; n < t->nodes.count && status == NS_OK; n++)
        for (size_t m = 0; m < t->messages.count; m++)
            draw_panel(t, &g, n, m);
    if (status == NS_OK)
        status = ns_draw(args, g.chart, panels, t->messages.count, result, err);
    free(g.chart);
    free(g.series);
    free(g.y);
    free(g.least);
    free(g.title);
    return status;
}

ns_status ns_sweep_strategies(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err)
{
    study t = {.set = calloc(1, sizeof *t.set)};
    if (t.set == NULL)
        return ns_no_memory(err);
    t.set->machine = machine;
    t.set->output = ns_args_get(args, "of");
    ns_dim dim;
    ns_status status = read_words(args, &t, err);
    if (status == NS_OK)
        status = ns_curves_dim(t.set, &dim, err);
    if (status == NS_OK)
        status = evaluate(&t, err);
    if (status == NS_OK) {
        add_head(&t, result);
        add_cases(&t, result);
        add_grid(&t, result);
        if (ns_args_has(args, "plot"))
            status = plot(&t, args, result, err);
    }
    ns_axis_close(&t.s);
    ns_axis_close(&t.messages);
    ns_axis_close(&t.nodes);
    free(t.value);
    free(t.set);
    return status;
}
