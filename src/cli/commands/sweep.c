/* sweep.c -- models over one or two inputs, or the best strategy over sizes, messages and nodes */
#include "cli/front/own.h"
#include "cli/front/progress.h"
#include "cli/inputs/cases.h"
#include "cli/inputs/curves.h"
#include "cli/show/draw.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/refuse.h"
#include "report/columns.h"
#include "report/report.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ns_sweep_request {
    const ns_args *args; /* for its words and --over */
    const char *of, *machine, *plot;
    int price;                  /* NS_SWEEP_SCHEDULE unless ... */
    bool over_strategy, priced; /* ... --price is given */
} ns_sweep_request;

enum { NS_SWEEP_SCHEDULE, NS_SWEEP_PUBLISHED, NS_SWEEP_CORRECTED };

/* The curves and axes of a sweep. */
typedef struct ns_sweep_question {
    ns_machine *machine; /* or NULL */
    ns_curves *curves;
    ns_axis *axis[NS_AXES];
    int axes;
} ns_sweep_question;

/* ---- every point of one or two axes: terms of one model, or several curves side by side -------------------------- */

/* A sweep that reports its progress.  receive: as in ns_sweep_options. */
static ns_status ns_sweep_watched(ns_progress *progress, const ns_sweep_question *q, bool schedules,
                                  ns_sweep_receive *receive, void *receiver, ns_sweep **sweep, ns_error *err)
{
    const ns_axis *given[NS_AXES] = {NULL};
    ns_progress_job job = {progress, "sweeping", "points"};
    for (int i = 0; i < q->axes; i++)
        given[i] = q->axis[i];
    const ns_sweep_options options = {.watch = ns_progress_tell,
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

static ns_status show(const ns_sweep *sweep, size_t points, size_t lines, ns_value *result, ns_error *err)
{
    const ns_curves *curves = sweep->curves;
    ns_value *over = ns_value_list(result, "over");
    for (int i = 0; i < sweep->axes; i++)
        ns_value_text(over, NULL, sweep->axis[i]->name);
    ns_value_text(result, "of", curves->output);
    ns_value *labels = ns_value_list(result, "curves");
    for (int i = 0; i < curves->count; i++)
        ns_value_text(labels, NULL, curves->curve[i].label);
    if (curves->machine != NULL)
        ns_value_text(result, "machine", curves->machine->name);
    ns_value *list = ns_put_rows(result, "rows", NS_EVERYWHERE);
    for (size_t at = 0; at < lines * points; at++) {
        const size_t i = at % points, j = at / points, point = point_at(sweep, i, j);
        ns_value *row = ns_value_object(list, NULL);
        ns_axis_value(sweep->axis[0], i, row);
        if (sweep->axes > 1)
            ns_axis_value(sweep->axis[1], j, row);
        /* One model: all its outputs, the terms among them. */
        for (size_t k = 0; k < sweep->outputs; k++) {
            const ns_field *field = &curves->curve[0].model->outputs[k];
            double factor;
            ns_dim dim;
            NS_TRY(ns_unit_parse(field->unit, &factor, &dim, err));
            ns_value_number(row, field->name, ns_sweep_output(sweep, point, k), dim);
        }
        if (sweep->outputs > 0)
            continue;
        /* Several curves: one column each, and which of them is the smallest. */
        const ns_ranking ranking = ns_sweep_rank(sweep, point);
        for (int k = 0; k < curves->count; k++)
            ns_value_number(row, curves->curve[k].label, ns_sweep_value(sweep, point, k), curves->dim);
        ns_value_text(row, "best", curves->curve[ranking.best].label);
    }
    return NS_OK;
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

/* --plot: the output against the first axis, a line per curve and value of the second axis, the minima ringed.  Colours
 * distinguish the values of the second axis, dashes the curves after the first; strategies keep their own styles. */
static ns_status plot(const ns_sweep *sweep, const char *path, ns_value *result, ns_error *err)
{
    const ns_axis *axis = sweep->axis[0], *second = sweep->axes > 1 ? sweep->axis[1] : NULL;
    const ns_curves *set = sweep->curves;
    const ns_machine *machine = set->machine;
    const size_t points = axis->count, curves = (size_t)set->count, lines = across(sweep) * curves;
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_mul(ns_size_add(lines, 2), points), sizeof *x));
    NS_OWN(ns_free) ns_series *series = ns_calloc(ns_size_add(lines, 1), sizeof *series);
    NS_OWN(ns_free) char(*label)[256] = ns_malloc(ns_size_mul(lines, sizeof *label));
    if (x == NULL || series == NULL || label == NULL)
        return ns_no_memory(err);
    double *least = x + points;
    bool positive = true;
    for (size_t i = 0; i < points; i++) {
        x[i] = axis->number != NULL ? axis->number[i] : (double)i + 1;
        least[i] = NAN;
    }
    for (size_t line = 0; line < lines; line++) {
        const size_t j = line / curves, k = line % curves;
        const ns_curve_info *curve = &set->curve[k];
        double *y = least + (line + 1) * points;
        char value[64];
        for (size_t i = 0; i < points; i++) {
            y[i] = ns_sweep_value(sweep, point_at(sweep, i, j), (int)k);
            least[i] = fmin(least[i], y[i]);
            positive = positive && y[i] > 0;
        }
        if (second != NULL && second->word != NULL)
            snprintf(value, sizeof value, "%.60s", second->word[j]);
        else if (second != NULL)
            ns_quantity_format(second->number[j], second->dim, 6, value, sizeof value);
        if (second == NULL)
            snprintf(label[line], sizeof *label, "%s", curve->label);
        else if (curves > 1)
            snprintf(label[line], sizeof *label, "%.90s, %.60s = %.60s", curve->label, second->name, value);
        else
            snprintf(label[line], sizeof *label, "%.60s = %.60s", second->name, value);
        const bool own = curve->strategy != NULL;
        series[line] = (ns_series){.label = label[line],
                                   .colour = own ? curve->strategy->rank : (int)(second != NULL ? j : k),
                                   .dashed = own ? curve->transport == NS_VIA_DEVICE : second != NULL && k > 0,
                                   .points = points,
                                   .x = x,
                                   .y = y};
    }
    series[lines] = (ns_series){.label = "smallest", .rings = true, .points = points, .x = x, .y = least};
    char title[200], x_label[120], x_unit[24], y_unit[24];
    snprintf(title, sizeof title, "%s%s%s", curves == 1 ? set->curve[0].label : set->output,
             machine != NULL ? " on " : "", machine != NULL ? machine->name : "");
    const bool sized = axis->number != NULL && !ns_dim_equal(axis->dim, NS_DIMENSIONLESS);
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(set, axis->name, x_label, sizeof x_label),
                            .y_label = set->output,
                            .log_x = ns_axis_is_log(axis),
                            .log_y = positive,
                            .series = lines + (lines > 1),
                            .of = series,
                            .tick = axis->word,
                            .ticks = axis->word != NULL ? axis->count : 0,
                            .x_unit = sized ? ns_dim_unit(axis->dim, x_unit, sizeof x_unit) : NULL,
                            .y_unit = ns_dim_unit(set->dim, y_unit, sizeof y_unit)};
    return ns_draw(path, &chart, 1, 1, result, err);
}

/* ---- a sweep's points as CSV, one after another, in memory that does not depend on their number
 *
 * The header and the cells before every row's own are those of ns_report_csv, taken from the first point's result: the
 * output is the same in every byte. */

enum { KEPT_MOST = 1000000, BUFFER = 1 << 16 };

/* Texts that occur repeatedly, as CSV writes them. */
typedef struct texts {
    char *all;
    size_t *end; /* text i is all[end[i - 1]] to all[end[i]] */
} texts;

typedef struct csv {
    FILE *out;
    texts axis[NS_AXES], label;
    char *head; /* the header and its newline, then the common beginning of each row */
    size_t header, prefix;
    bool failed;
    size_t used;
    char buffer[BUFFER];
} csv;

static void csv_free(csv *c)
{
    for (int a = 0; c != NULL && a < NS_AXES; a++) {
        free(c->axis[a].all);
        ns_free(c->axis[a].end);
    }
    if (c != NULL) {
        free(c->label.all);
        ns_free(c->label.end);
        free(c->head);
    }
    ns_free(c);
}
NS_FREED_BY(csv_free, csv)

static void put(csv *c, const char *text, size_t length)
{
    if (c->used + length > BUFFER) {
        c->failed |= fwrite(c->buffer, 1, c->used, c->out) != c->used;
        c->used = 0;
    }
    if (length > BUFFER) {
        c->failed |= fwrite(text, 1, length, c->out) != length;
        return;
    }
    memcpy(c->buffer + c->used, text, length);
    c->used += length;
}

static void put_text(csv *c, const texts *t, size_t i)
{
    const size_t begin = i > 0 ? t->end[i - 1] : 0;
    put(c, t->all + begin, t->end[i] - begin);
}

static void put_number(csv *c, double value)
{
    char text[NS_NUMBER_MAX + 1] = ",";
    put(c, text, 1 + ns_double_write(value, text + 1));
}

/* The cells of one row, and its end. */
static void put_cells(csv *c, const ns_sweep *sweep, size_t point)
{
    size_t rest = point;
    for (int a = 0; a < sweep->axes; a++) {
        if (a > 0)
            put(c, ",", 1);
        put_text(c, &c->axis[a], rest % sweep->axis[a]->count);
        rest /= sweep->axis[a]->count;
    }
    for (size_t k = 0; k < sweep->outputs; k++)
        put_number(c, ns_sweep_output(sweep, point, k));
    for (int k = 0; k < sweep->curves->count && sweep->outputs == 0; k++)
        put_number(c, ns_sweep_value(sweep, point, k));
    if (sweep->outputs == 0) {
        const ns_ranking ranking = ns_sweep_rank(sweep, point);
        put(c, ",", 1);
        put_text(c, &c->label, (size_t)ranking.best);
    }
    put(c, "\n", 1);
}

static ns_status put_rows(void *receiver, const ns_sweep *sweep, size_t first, size_t count, ns_error *err)
{
    csv *c = receiver;
    if (first == 0)
        put(c, c->head, c->header);
    for (size_t i = first; i < first + count; i++) {
        put(c, c->head + c->header, c->prefix);
        put_cells(c, sweep, i);
    }
    return c->failed ? ns_fail(err, NS_ERR_FILE, "the result could not be written") : NS_OK;
}

/* ---- before the rows --------------------------------------------------------------------------------------------- */

typedef const char *text_of(const void *from, size_t i, char *buffer);

static const char *text_of_axis(const void *from, size_t i, char *buffer)
{
    const ns_axis *axis = from;
    if (axis->word != NULL)
        return axis->word[i];
    ns_double_write(axis->number[i], buffer);
    return buffer;
}

static const char *text_of_curve(const void *from, size_t i, char *buffer)
{
    (void)buffer;
    return ((const ns_curves *)from)->curve[i].label;
}

static ns_status open_texts(texts *t, size_t count, text_of *text, const void *from, ns_error *err)
{
    char number[NS_NUMBER_MAX];
    size_t size;
    t->end = ns_malloc(ns_size_mul(count, sizeof *t->end));
    FILE *arena = t->end != NULL ? open_memstream(&t->all, &size) : NULL;
    if (arena == NULL)
        return ns_no_memory(err);
    for (size_t i = 0, end = 0; i < count; i++) {
        end += ns_csv_field(text(from, i, number), arena);
        t->end[i] = end;
    }
    return fclose(arena) == 0 && t->all != NULL ? NS_OK : ns_no_memory(err); /* its last realloc may leave it NULL */
}

/* The rows as CSV; *done false: this writer does not support the rows. */
static ns_status write_csv(ns_progress *progress, const ns_sweep_question *q, FILE *out, bool *done, ns_error *err)
{
    NS_OWN(csv_free) csv *c = ns_calloc(1, sizeof *c);
    NS_OWN(ns_value_free) ns_value *result = ns_value_new();
    NS_OWN(ns_sweep_free) ns_sweep *one = NULL;
    NS_OWN(ns_sweep_free) ns_sweep *sweep = NULL;
    ns_axis first[NS_AXES];
    const ns_axis *axes[NS_AXES];
    size_t size;
    double points = 1;
    if (c == NULL || result == NULL)
        return ns_no_memory(err);
    c->out = out;
    for (int a = 0; a < q->axes; a++) {
        NS_TRY(open_texts(&c->axis[a], q->axis[a]->count, text_of_axis, q->axis[a], err));
        first[a] = *q->axis[a];
        first[a].count = 1;
        axes[a] = &first[a];
        points *= (double)q->axis[a]->count;
    }
    NS_TRY(open_texts(&c->label, (size_t)q->curves->count, text_of_curve, q->curves, err));
    /* A sweep of the first point alone gives the common cells; its row has to end in the same cells as this writer
     * gives. */
    NS_TRY(ns_sweep_run(q->curves, axes, q->axes, NULL, &one, err));
    NS_TRY(show(one, 1, 1, result, err));
    FILE *text = open_memstream(&c->head, &size);
    ns_status status =
        text != NULL && ns_value_complete(result) ? ns_report_csv(result, text, err) : ns_no_memory(err);
    if (text != NULL && (fclose(text) != 0 || c->head == NULL) && status == NS_OK)
        status = ns_no_memory(err);
    NS_TRY(status);
    put_cells(c, one, 0);
    const char *row = strchr(c->head, '\n');
    c->header = row != NULL ? (size_t)(row + 1 - c->head) : size;
    *done = size - c->header >= c->used && memcmp(c->head + size - c->used, c->buffer, c->used) == 0;
    if (!*done)
        return NS_OK;
    c->prefix = size - c->header - c->used;
    c->used = 0;
    /* When a result could keep all points, evaluate them all before writing the first, so that a failure writes
     * none. */
    const bool kept = points <= KEPT_MOST;
    NS_TRY(ns_sweep_watched(progress, q, false, kept ? NULL : put_rows, c, &sweep, err));
    if (kept)
        NS_TRY(put_rows(c, sweep, 0, sweep->points, err));
    c->failed |= fwrite(c->buffer, 1, c->used, c->out) != c->used;
    return c->failed ? ns_fail(err, NS_ERR_FILE, "the result could not be written") : NS_OK;
}

/* ---- sweep --over strategy: [NA] Figure 4.3 for any machine and layout, as a table and as a plot
 *
 * The schedules of the strategies, or their closed forms (corrected), for nodes that send a number of messages of one
 * size to a number of nodes.  A panel per number of nodes and of messages; the circled minima are the paper's. */

enum { NODES, MESSAGES, SIZES }; /* axes */

static const char *const ns_sweep_prices[] = {"schedule", "published", "corrected", NULL};

static int axis_of(const char *assignment)
{
    static const char *const names[NS_AXES] = {"nodes=", "messages=", "s="};
    for (int i = 0; i < NS_AXES; i++)
        if (strncmp(assignment, names[i], strlen(names[i])) == 0)
            return i;
    return -1;
}

static ns_status take(ns_sweep_question *q, const char *assignment, ns_error *err)
{
    const int axis = axis_of(assignment);
    if (axis < 0)
        return ns_curves_assign(q->curves, assignment, err);
    if (q->axis[axis] != NULL)
        return ns_fail(err, NS_ERR_USAGE, "%s is given twice", q->axis[axis]->name);
    return ns_axis_open(q->curves, assignment, &q->axis[axis], err);
}

static size_t point_of(const ns_sweep *sweep, size_t n, size_t m, size_t i)
{
    const size_t at[NS_AXES] = {[NODES] = n, [MESSAGES] = m, [SIZES] = i};
    return ns_sweep_point(sweep, at);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void add_size(const ns_sweep *sweep, bool schedules, size_t point, size_t i, ns_value *list)
{
    const ns_curves *curves = sweep->curves;
    const ns_ranking ranking = ns_sweep_rank(sweep, point);
    const ns_curve_info *best = &curves->curve[ranking.best];
    ns_value *row = ns_value_object(list, NULL);
    ns_axis_value(sweep->axis[SIZES], i, row);
    ns_value_text(row, "strategy", best->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[best->transport]);
    ns_value_number(row, "time_s", ns_sweep_value(sweep, point, ranking.best), NS_SECOND);
    if (ranking.second >= 0) {
        ns_value_text(row, "next", curves->curve[ranking.second].label);
        ns_value_number(row, "next_s", ns_sweep_value(sweep, point, ranking.second), NS_SECOND);
        ns_value_text(row, "verdict", ns_verdict_words[ranking.verdict]);
    }
    /* "p_best": of every strategy; in CSV one column for each. */
    char name[120];
    const bool likely = schedules && ns_sweep_p_best(sweep, point, 0) >= 0;
    ns_value *all = likely ? ns_put_object(row, "p_best", NS_IN_JSON) : NULL;
    for (int k = 0; likely && k < curves->count; k++) {
        const double p = ns_sweep_p_best(sweep, point, k);
        ns_value_count(all, curves->curve[k].label, p);
        snprintf(name, sizeof name, "p_best %s", curves->curve[k].label);
        ns_put_count(row, name, NS_NOT_IN_JSON, p);
    }
    all = ns_put_object(row, "times_s", NS_IN_JSON);
    for (int k = 0; k < curves->count; k++)
        ns_value_number(all, curves->curve[k].label, ns_sweep_value(sweep, point, k), NS_SECOND);
}

/* A time that falls as messages grow is a property of the machine and is reported: where any way takes at least 2 %
 * less time for the next larger size.  Fits are no more accurate than that. */
static void add_drops(const ns_sweep *sweep, ns_value *result)
{
    const ns_machine *machine = sweep->curves->machine;
    bool any = false;
    for (int k = 0; k < sweep->curves->count; k++)
        for (size_t n = 0; n < sweep->axis[NODES]->count; n++)
            for (size_t m = 0; m < sweep->axis[MESSAGES]->count; m++)
                for (size_t i = 1; i < sweep->axis[SIZES]->count && !any; i++)
                    any = ns_sweep_value(sweep, point_of(sweep, n, m, i), k) <
                          0.98 * ns_sweep_value(sweep, point_of(sweep, n, m, i - 1), k);
    ns_machine_drop drop;
    char size[48], before[48], after[48];
    for (size_t i = 0; any && ns_machine_drop_at(machine, i, &drop); i++) {
        if (drop.after_s > 0.98 * drop.before_s || drop.size < sweep->axis[SIZES]->number[0])
            continue;
        ns_note(result,
                "times may fall as sizes grow: on %s %s messages in %s memory take %s just below %s (%s) "
                "and %s from there on (%s)",
                machine->name, ns_locality_words[drop.locality], ns_memory_words[drop.memory],
                ns_quantity_format(drop.before_s, NS_SECOND, 3, before, sizeof before),
                ns_quantity_format(drop.size, NS_BYTE, 3, size, sizeof size), ns_protocol_words[drop.from],
                ns_quantity_format(drop.after_s, NS_SECOND, 3, after, sizeof after), ns_protocol_words[drop.to]);
    }
}

/* ---- plot ------------------------------------------------------------------------------------------------------- */

/* A panel per number of nodes and of messages: a series per curve, and the smallest of them. */
static ns_status plot_strategies(const ns_sweep *sweep, const char *path, ns_value *result, ns_error *err)
{
    enum { PANELS_MOST = 12 };
    const ns_axis *nodes = sweep->axis[NODES], *messages = sweep->axis[MESSAGES], *size = sweep->axis[SIZES];
    const size_t panels = nodes->count * messages->count, curves = (size_t)sweep->curves->count, sizes = size->count;
    if (panels > PANELS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu panels are too many for one plot; at most %d", panels, (int)PANELS_MOST);
    NS_OWN(ns_free) ns_chart *chart = ns_calloc(panels, sizeof *chart);
    NS_OWN(ns_free) ns_series *series = ns_calloc(ns_size_mul(panels, ns_size_add(curves, 1)), sizeof *series);
    NS_OWN(ns_free) double *y =
        ns_malloc(ns_size_mul(ns_size_mul(panels, ns_size_add(curves, 1)), ns_size_mul(sizes, sizeof *y)));
    NS_OWN(ns_free) char(*title)[80] = ns_malloc(ns_size_mul(panels, sizeof *title));
    if (chart == NULL || series == NULL || y == NULL || title == NULL)
        return ns_no_memory(err);
    for (size_t panel = 0; panel < panels; panel++) {
        const size_t n = panel / messages->count, m = panel % messages->count;
        ns_series *of = series + panel * (curves + 1);
        double *own = y + panel * (curves + 1) * sizes, *least = own + curves * sizes;
        for (size_t k = 0; k < curves; k++, own += sizes) {
            const ns_curve_info *c = &sweep->curves->curve[k];
            for (size_t i = 0; i < sizes; i++) {
                own[i] = ns_sweep_value(sweep, point_of(sweep, n, m, i), (int)k);
                least[i] = k == 0 ? own[i] : fmin(least[i], own[i]);
            }
            of[k] = (ns_series){.label = c->label,
                                .colour = c->strategy->rank,
                                .dashed = c->transport == NS_VIA_DEVICE,
                                .points = sizes,
                                .x = size->number,
                                .y = own};
        }
        of[curves] = (ns_series){.label = "fastest", .rings = true, .points = sizes, .x = size->number, .y = least};
        snprintf(title[panel], sizeof *title, "%.6g messages to %.6g nodes, %s", messages->number[m], nodes->number[n],
                 sweep->curves->machine->name);
        chart[panel] = (ns_chart){.title = title[panel],
                                  .x_label = "message size",
                                  .y_label = "time of one exchange",
                                  .log_x = ns_axis_is_log(size),
                                  .log_y = true,
                                  .series = curves + 1,
                                  .of = of,
                                  .x_unit = "B",
                                  .y_unit = "s"};
    }
    return ns_draw(path, chart, panels, messages->count, result, err);
}

/* sweep --over strategy: the best one per size, messages and nodes. */
static ns_status answer_strategies(const ns_sweep_request *r, ns_sweep_question *q, ns_value *result, ns_error *err)
{
    /* Curves come first: the scenario's descriptors decide which words are valid. */
    const ns_args *args = r->args;
    static const char *const defaults[] = {"s=16B:1MiB:x2", "messages=32,256", "nodes=4,16"}; /* as in Figure 4.3 */
    const char *over;
    NS_OWN(ns_sweep_free) ns_sweep *sweep = NULL;
    if (q->curves->count == 0)
        NS_TRY(ns_curves_add(q->curves, "strategies", err));
    if (q->curves->strategies < q->curves->count)
        return ns_fail(err, NS_ERR_USAGE, "--over strategy compares strategies, not models");
    for (int i = 1; (over = ns_args_at(args, "over", i)) != NULL; i++)
        NS_TRY(take(q, over, err));
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(take(q, args->word[i], err));
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (q->axis[axis_of(defaults[i])] == NULL)
            NS_TRY(take(q, defaults[i], err));
    q->axes = NS_AXES;
    NS_TRY(ns_curves_ready(q->curves, err));
    /* only the closed forms have duplicates */
    const double duplicates = q->curves->scenario.duplicates;
    const int price = !r->priced && duplicates > 0 ? NS_SWEEP_CORRECTED : r->price;
    const bool schedules = price == NS_SWEEP_SCHEDULE;
    if (price == NS_SWEEP_PUBLISHED)
        q->curves->printed = true;
    NS_TRY(ns_sweep_watched(args->progress, q, schedules, NULL, NULL, &sweep, err));
    const ns_machine *machine = q->curves->machine;
    const double parts = q->curves->scenario.per_node;
    ns_value_text(result, "machine", machine->name);
    ns_value_count(result, "per_node", parts > 0 ? parts : ns_machine_parts(machine));
    ns_value_count(result, "duplicates", duplicates);
    ns_value_text(result, "price", ns_sweep_prices[price]);
    ns_note(result, "%s",
            schedules ? "best strategy by its schedule; ~ before one that is not the best with 90 %"
                      : "best strategy by its closed form; ~ before one that leads by less than 10 %");
    add_drops(sweep, result);
    const ns_axis *nodes = q->axis[NODES], *messages = q->axis[MESSAGES], *size = q->axis[SIZES];
    ns_value *cases = ns_put_rows(result, "cases", NS_IN_DATA);
    for (size_t n = 0; n < nodes->count; n++)
        for (size_t m = 0; m < messages->count; m++) {
            ns_value *one = ns_value_object(cases, NULL);
            ns_axis_value(nodes, n, one);
            ns_axis_value(messages, m, one);
            ns_value *rows = ns_put_rows(one, "rows", NS_EVERYWHERE);
            for (size_t i = 0; i < size->count; i++)
                add_size(sweep, schedules, point_of(sweep, n, m, i), i, rows);
        }
    /* For people: sizes down, nodes and messages across, "~" before a tie. */
    ns_value *grid = ns_put_rows(result, "best", NS_IN_TABLE);
    for (size_t i = 0; i < size->count; i++) {
        ns_value *row = ns_value_object(grid, NULL);
        ns_axis_value(size, i, row);
        for (size_t n = 0; n < nodes->count; n++)
            for (size_t m = 0; m < messages->count; m++) {
                char name[80], time[40];
                const size_t point = point_of(sweep, n, m, i);
                const ns_ranking ranking = ns_sweep_rank(sweep, point);
                ns_quantity_format(ns_sweep_value(sweep, point, ranking.best), NS_SECOND, 3, time, sizeof time);
                snprintf(name, sizeof name, "%.6g msgs to %.6g nodes", messages->number[m], nodes->number[n]);
                ns_value_textf(row, name, "%s%s %s", ranking.verdict == NS_TIE ? "~" : "",
                               q->curves->curve[ranking.best].label, time);
            }
    }
    return r->plot != NULL ? plot_strategies(sweep, r->plot, result, err) : NS_OK;
}

static const ns_option options[] = {
    {"over", 0, "NAME=RANGE", NULL, "what to vary, once or twice: s=1B:1MiB:x2, ppn=1,8,40; or strategy",
     .repeats = true},
    {"of", 0, "NAME", NULL, "the output that is tabled and compared; the smallest wins [time, or the last]",
     NS_OPT(ns_sweep_request, of)},
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine [strategy: " NS_MACHINE_DEFAULT "]",
     NS_OPT(ns_sweep_request, machine)},
    {"price", 0, "WHAT", "schedule",
     "of --over strategy: schedule prices what each really sends, published takes its closed form as printed, "
     "corrected the same without its mistakes",
     NS_OPT(ns_sweep_request, price), .words = ns_sweep_prices},
    NS_OPTION_SET,
    NS_OPTION_PLOT_OF(ns_sweep_request),
    {NULL},
};

enum { AXES_MOST = 2 };

static ns_status add_axis(ns_sweep_question *q, const char *assignment, ns_error *err)
{
    if (q->axes == AXES_MOST)
        return ns_fail(err, NS_ERR_USAGE, "sweep varies at most two inputs; \"%s\" would be the third", assignment);
    NS_TRY(ns_axis_open(q->curves, assignment, &q->axis[q->axes], err));
    q->axes++;
    return q->axes < 2 || strcmp(q->axis[0]->name, q->axis[1]->name) != 0
               ? NS_OK
               : ns_fail(err, NS_ERR_USAGE, "%s is varied twice", q->axis[0]->name);
}

/* Open the curves, and for a sweep of models also the axes and inputs. */
static ns_status open_question(const ns_sweep_request *r, ns_sweep_question *q, ns_error *err)
{
    const ns_args *args = r->args;
    const char *over;
    NS_TRY(ns_machine_if_named(args, r->over_strategy, &q->machine, err));
    NS_TRY(ns_curves_open(q->machine, r->of, &q->curves, err));
    NS_TRY(ns_curves_read(args, q->curves, err));
    if (r->over_strategy)
        return NS_OK;
    if (q->curves->count == 0)
        return ns_fail(err, NS_ERR_USAGE, "sweep wants a model, or --over strategy");
    for (int i = 0; (over = ns_args_at(args, "over", i)) != NULL; i++)
        NS_TRY(add_axis(q, over, err));
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_is_range(q->curves, args->word[i]) ? add_axis(q, args->word[i], err)
                                                                : ns_curves_assign(q->curves, args->word[i], err));
    if (q->axes == 0)
        return ns_fail(err, NS_ERR_USAGE,
                       "sweep wants something to vary: --over NAME=RANGE, for example --over s=1B:1MiB:x2");
    return ns_curves_ready(q->curves, err);
}

static void question_free(ns_sweep_question *q)
{
    for (int i = 0; i < NS_AXES; i++)
        ns_axis_free(q->axis[i]);
    ns_free(q->curves);
    ns_machine_free(q->machine);
}

static ns_status read_request(const ns_args *args, ns_sweep_request *r, ns_error *err)
{
    const char *over = ns_args_at(args, "over", 0);
    r->args = args;
    r->over_strategy = over != NULL && strcmp(over, "strategy") == 0;
    r->priced = ns_args_has(args, "price");
    if (!r->over_strategy && r->priced)
        return ns_fail(err, NS_ERR_USAGE, "--price is for --over strategy; other curves are closed forms");
    return ns_args_read(args, r, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_sweep_request r;
    NS_CLOSE(question_free) ns_sweep_question q = {.axes = 0};
    NS_OWN(ns_sweep_free) ns_sweep *sweep = NULL;
    NS_TRY(read_request(args, &r, err));
    NS_TRY(open_question(&r, &q, err));
    if (r.over_strategy) {
        NS_TRY(answer_strategies(&r, &q, result, err));
        ns_warn_inside(q.machine, "node-aware strategies", context->err);
        return NS_OK;
    }
    NS_TRY(ns_sweep_watched(args->progress, &q, false, NULL, NULL, &sweep, err));
    NS_TRY(show(sweep, sweep->axis[0]->count, across(sweep), result, err));
    return r.plot != NULL ? plot(sweep, r.plot, result, err) : NS_OK;
}

static ns_status stream(const ns_args *args, FILE *out, bool *done, ns_error *err)
{
    ns_sweep_request r;
    NS_CLOSE(question_free) ns_sweep_question q = {.axes = 0};
    *done = false;
    NS_TRY(read_request(args, &r, err));
    if (r.over_strategy || r.plot != NULL)
        return NS_OK;
    NS_TRY(open_question(&r, &q, err));
    return write_csv(args->progress, &q, out, done, err);
}

const ns_command ns_command_sweep = {
    .name = "sweep",
    .summary = "models over one or two inputs, or the best strategy over sizes, messages and nodes",
    .usage = "MODEL... NAME=VALUE... --over NAME=RANGE | --over strategy",
    .options = options,
    .example = "nsmodel sweep max-rate --machine lassen m=1 --over s=1KiB:1MiB:x4 --over ppn=1,40",
    .about =
        "A range is a list (1B,4KiB), first:last:xF (each F times the last), first:last:+D (each D more), "
        "first:last:N (N values, in\n"
        "equal ratios over two decades or more, else in equal steps; Nlog and Nlin say which), or first:last (25 "
        "values).\n"
        "A curve is MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT, or strategies for all that the "
        "machine runs.\n"
        "Strategies take s, messages (of one node), nodes (that it sends to), per_node and duplicates.\n"
        "--over strategy tables the best of them by size, messages and nodes: by their schedules for such an "
        "exchange, or with\n"
        "--price published by the closed forms as the paper prints them, --price corrected (and where duplicates are "
        "given) by these without their mistakes.",
    .most = NS_ARGS_MAX,
    .rank = 5,
    .run = run,
    .stream = stream,
};
