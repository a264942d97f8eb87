/* fit.c -- measured logs in, a machine file out: every number with its error, its range and its source */
#include "cli/inputs/fit.h"
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "cli/show/draw.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "num/num.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

NS_FREED_BY(ns_fit_free, ns_fit)
NS_FREED_BY(ns_log_free, ns_log)

/* ---- fit --each: every log by itself, how well a part of it predicts the rest, and why not better
 *
 * The errors of a log are those of the lines that would make a machine: for single messages in flight, or for what
 * replaces them. */

static const double most_median = 0.05, most_p95 = 0.15; /* the largest errors of a log that is called good */

/* The class of a size; NULL below the first. */
static const ns_fit_class *class_of(const ns_fit_group *g, double bytes)
{
    const ns_fit_class *found = NULL;
    for (int i = 0; i < g->classes; i++)
        if (bytes >= g->of[i].from)
            found = &g->of[i];
    return found;
}

/* Why a size is not predicted by the others. */
static const char *reason(const ns_fit_group *g, size_t i)
{
    const ns_curve *c = &g->curve;
    const ns_fit_class *of = class_of(g, c->x[i]);
    const double before = i > 0 ? c->y[i - 1] : 0, after = i + 1 < c->count ? c->y[i + 1] : INFINITY;
    if (of == NULL)
        of = &g->of[0];
    if (c->x[i] > g->of[g->classes - 1].most)
        return "a last size alone, far above where the others point";
    if (i > 0 && c->y[i] > 1.2 * fmax(before, after) && isfinite(after))
        return "slower than both sizes beside it";
    if (c->y[i] < 0.9 * before)
        return "faster than the smaller size before it";
    if (of->spread > 0.5)
        return "the repeats of a size scatter by half or more";
    if (c->x[i] == of->least || c->x[i] == of->most)
        return of->sizes < 5 ? "the end of a short protocol, predicted from beyond"
                             : "the end of a protocol, predicted from beyond";
    return "the times do not lie on a line there";
}

/* Totals over all logs. */
typedef struct tally {
    double *median, *p95; /* of ping-pong logs */
    size_t fitted, refused, ping_pongs, good;
} tally;

typedef struct log_row {
    const char *file, *tool, *kind;
    size_t samples, classes, copies, collectives;
    double median, p95;
    char remark[1100];
} log_row;

static const ns_table_column columns[] = {{"file", NS_COL(log_row, file)},
                                          {"tool", NS_COL(log_row, tool)},
                                          {"samples", NS_COL(log_row, samples)},
                                          {"kind", NS_COL(log_row, kind)},
                                          {"classes", NS_COL(log_row, classes)},
                                          {"copies", NS_COL(log_row, copies)},
                                          {"collectives", NS_COL(log_row, collectives)},
                                          {"median_rel_error", NS_COL(log_row, median)},
                                          {"p95_rel_error", NS_COL(log_row, p95)},
                                          {"remark", NS_COL(log_row, remark)},
                                          {NULL}};

static ns_status fit_one(const ns_log *log, const ns_fit_options *options, tally *all, log_row *row, ns_error *err)
{
    NS_OWN(ns_fit_free) ns_fit *fit = NULL;
    NS_TRY(ns_fit_log(log, options, &fit, err));
    size_t room = 1, errors = 0, worst_size = 0;
    double worst_error = 0;
    const ns_fit_group *worst = NULL;
    bool latency = false; /* streams replace messages only in a log that has no messages */
    for (size_t i = 0; i < fit->groups; i++) {
        room += fit->group[i].curve.sizes;
        latency = latency || (fit->group[i].in_machine && ns_kind_is_latency(fit->group[i].kind));
    }
    NS_OWN(ns_free) double *error = ns_malloc(ns_size_mul(room, sizeof *error)); /* held-out, of all classes */
    if (error == NULL)
        return ns_no_memory(err);
    for (size_t k = 0; k < fit->groups; k++) {
        const ns_fit_group *g = &fit->group[k];
        if (!g->in_machine || ns_kind_is_latency(g->kind) != latency)
            continue;
        row->classes += (size_t)g->classes;
        for (size_t i = 0; g->classes > 0 && i < g->curve.sizes; i++) {
            if (isnan(g->error[i]))
                continue;
            error[errors++] = g->error[i];
            if (g->error[i] > worst_error || worst == NULL) {
                worst = g;
                worst_error = g->error[i];
                worst_size = i;
            }
        }
    }
    if (errors > 0) {
        row->median = ns_median(error, errors);
        row->p95 = ns_order_quantile(error, errors, 0.95);
    }
    const bool good = !(row->median > most_median || row->p95 > most_p95);
    if (!good && worst != NULL && worst->curve.count == worst->curve.sizes)
        snprintf(row->remark, sizeof row->remark, "%.0f %% at %.0f B %s %s: %s", 100 * worst_error,
                 worst->curve.x[worst_size], ns_memory_words[worst->memory], ns_locality_words[worst->locality],
                 reason(worst, worst_size));
    if (latency && !isnan(row->median)) {
        all->median[all->ping_pongs] = row->median;
        all->p95[all->ping_pongs++] = row->p95;
        all->good += good;
    }
    row->kind = row->classes > 0       ? latency ? "ping-pong" : "other"
                : fit->copies > 0      ? "copies"
                : fit->collectives > 0 ? "collectives"
                                       : "none";
    row->samples = log->samples;
    row->copies = fit->copies;
    row->collectives = fit->collectives;
    return NS_OK;
}

/* Fit every log separately: one row each.  A file that cannot be read gets a row, too, and makes the exit code 1. */
static ns_status fit_each(const ns_args *args, const ns_fit_request *request, ns_value *result,
                          ns_command_context *context, ns_error *err)
{
    NS_CLOSE(ns_fit_files_free) ns_fit_files files = {0};
    NS_TRY(ns_fit_files_list(args, request, &files, err));
    const size_t room = ns_size_add((size_t)files.count, 1);
    NS_OWN(ns_free) double *errors = ns_malloc(ns_size_mul(ns_size_mul(2, room), sizeof *errors));
    if (errors == NULL)
        return ns_no_memory(err);
    tally all = {.median = errors, .p95 = errors + room};
    ns_put_schema(result, "nsmodel/fit-each/1");
    ns_value *summary = ns_put_object(result, "summary", NS_NOT_IN_CSV);
    ns_value *list = ns_put_rows(result, "logs", NS_EVERYWHERE);
    for (int i = 0; i < files.count; i++) {
        NS_OWN(ns_log_free) ns_log *log = NULL;
        ns_error why = {0};
        log_row row = {.file = files.path[i], .tool = "-", .kind = "refused", .median = NAN, .p95 = NAN};
        ns_log_options reading = request->reading;
        ns_fit_options fitting = request->fitting;
        reading.watch = fitting.watch = NULL; /* one progress line for all */
        ns_progress_show(args->progress, "fitting each", " files", i, files.count);
        reading.kind_of_file = files.kind + i;
        reading.locality_of_file = files.locality + i;
        reading.memory_of_file = files.memory + i;
        const ns_status read = ns_log_read((const char *const *)&files.path[i], 1, &reading, &log, &why);
        if (read == NS_OK) {
            all.fitted++;
            row.tool = log->tool[0];
            NS_TRY(fit_one(log, &fitting, &all, &row, err));
        } else if (read == NS_ERR_MEMORY || read == NS_ERR_NAME) {
            return ns_fail(err, read, "%s", why.text);
        } else {
            all.refused++;
            if (read == NS_ERR_FILE) { /* the file cannot be read, which is no finding about the log */
                fprintf(context->err, "nsmodel: %s: %s\n", files.path[i], why.text);
                context->exit = 1;
            }
            if (why.line > 0)
                snprintf(row.remark, sizeof row.remark, "line %ld: %s", why.line, why.text);
            else
                snprintf(row.remark, sizeof row.remark, "%s", why.text);
        }
        ns_put_row(list, columns, &row);
    }
    ns_value_count(summary, "fitted", (double)all.fitted);
    ns_value_count(summary, "refused", (double)all.refused);
    ns_value_count(summary, "ping_pong_logs", (double)all.ping_pongs);
    if (all.ping_pongs > 0) {
        ns_value_count(summary, "median_of_median_rel_error", ns_median(all.median, all.ping_pongs));
        ns_value_count(summary, "median_of_p95_rel_error", ns_median(all.p95, all.ping_pongs));
        ns_value_count(summary, "within_both", (double)all.good);
    }
    return NS_OK;
}

/* ---- fit --plot: measurements, fitted segments, their borders, and the relative residuals below ------------------ */

enum { LINE_POINTS = 24 };

/* A logarithmic axis cannot show 0 B. */
static double shown(double bytes)
{
    return bytes > 0 ? bytes : NAN;
}

static double time_of(const ns_fit_class *c, double bytes)
{
    return c->line.alpha + c->line.beta * bytes;
}

/* The upper panel has the points of all groups, their segments, and one series of rings; the lower one has
 * residuals. */
static ns_status plot(const ns_fit *fit, const char *path, ns_value *result, ns_error *err)
{
    const size_t groups = fit->groups;
    size_t numbers = 1, rings = 0;
    char title[200];
    if (groups == 0)
        return ns_fail(err, NS_ERR_DATA, "no curve to plot");
    for (size_t g = 0; g < groups; g++) {
        numbers += 3 * fit->group[g].curve.count + (size_t)fit->group[g].classes * (2 * LINE_POINTS + 4);
        rings += fit->group[g].classes > 1 ? (size_t)fit->group[g].classes - 1 : 0;
    }
    NS_OWN(ns_free) double *number = ns_malloc(ns_size_mul(numbers, sizeof *number));
    NS_OWN(ns_free) ns_series *data = ns_calloc(ns_size_add(ns_size_mul(3, groups), 1), sizeof *data);
    NS_OWN(ns_free) char(*label)[80] = ns_malloc(ns_size_mul(groups, sizeof *label));
    if (number == NULL || data == NULL || label == NULL)
        return ns_no_memory(err);
    double *next = number;
    ns_series *rest = data + 2 * groups + 1;
    for (size_t k = 0; k < groups; k++) {
        const ns_fit_group *g = &fit->group[k];
        const size_t count = g->curve.count, points = (size_t)g->classes * (LINE_POINTS + 1);
        double *x = next, *y = x + count, *residual = y + count, *line_x = residual + count, *line_y = line_x + points;
        next = line_y + points;
        for (size_t i = 0; i < count; i++) {
            const ns_fit_class *c = class_of(g, g->curve.x[i]);
            x[i] = shown(g->curve.x[i]);
            y[i] = g->curve.y[i];
            residual[i] = c != NULL ? 100 * (y[i] / time_of(c, g->curve.x[i]) - 1) : NAN;
        }
        /* One series for all segments, separated by gaps; the colour identifies the group. */
        for (int c = 0, at = 0; c < g->classes; c++) {
            const double least = fmax(g->of[c].least, 1), most = fmax(g->of[c].most, 1);
            for (int i = 0; i < LINE_POINTS; i++, at++) {
                line_x[at] = least * pow(most / least, i / (LINE_POINTS - 1.0));
                line_y[at] = time_of(&g->of[c], line_x[at]);
            }
            line_x[at] = line_y[at] = NAN;
            at++;
        }
        snprintf(label[k], sizeof *label, "%s %s%s%s", ns_memory_words[g->memory], ns_locality_words[g->locality],
                 g->in_machine ? "" : ", ", g->in_machine ? "" : ns_sample_kind_words[g->kind]);
        data[k] = (ns_series){.label = label[k], .colour = (int)k, .dots = true, .points = count, .x = x, .y = y};
        rest[k] = (ns_series){.label = "", .colour = (int)k, .dots = true, .points = count, .x = x, .y = residual};
        data[groups + k] =
            (ns_series){.label = "", .colour = (int)k, .bare = true, .points = points, .x = line_x, .y = line_y};
    }
    /* Rings where a protocol starts, last in the legend. */
    double *x = next, *y = x + rings;
    for (size_t g = 0, at = 0; g < groups; g++)
        for (int i = 1; i < fit->group[g].classes; i++, at++) {
            x[at] = shown(fit->group[g].of[i].least);
            y[at] = time_of(&fit->group[g].of[i], fit->group[g].of[i].least);
        }
    data[2 * groups] = (ns_series){.label = "switch point", .rings = true, .points = rings, .x = x, .y = y};
    snprintf(title, sizeof title, "%s: %s of the measured times, and the fitted lines", fit->name,
             fit->options.statistic == NS_STATISTIC_ALL ? "all" : ns_statistic_words[fit->options.statistic]);
    const ns_chart below = {.title = "",
                            .x_label = "message size",
                            .y_label = "residual",
                            .x_unit = "B",
                            .y_unit = "%",
                            .log_x = true,
                            .series = groups,
                            .of = rest};
    const ns_chart chart = {.title = title,
                            .x_label = "message size",
                            .y_label = "time of a message",
                            .x_unit = "B",
                            .y_unit = "s",
                            .log_x = true,
                            .log_y = true,
                            .series = 2 * groups + 1,
                            .of = data,
                            .below = &below};
    return ns_draw(path, &chart, 1, 1, result, err);
}

/* ---- the answer of fit: classes, injection, copies, collectives, warnings, and the machine's file ---------------- */

/* ---- lines with their errors ------------------------------------------------------------------------------------- */

/* "2.266 us ± 0.012" for people, two numbers for programs. */
static const char *with_error(double value, double se, ns_dim dim, char *text)
{
    char a[40], b[40];
    double factor = 0;
    ns_dim same;
    ns_quantity_format(value > 0 ? value : se, dim, 4, a, sizeof a);
    const char *unit = strchr(a, ' ');
    if (unit != NULL && ns_unit_parse(unit + 1, &factor, &same, NULL) != NS_OK)
        factor = 0;
    if (value <= 0 && unit != NULL) { /* in the unit of its error: "0 us ± 130" */
        a[0] = '0';
        memmove(a + 1, unit, strlen(unit) + 1);
    }
    if (se > 0 && factor > 0)
        snprintf(text, NS_COL_ROOM, "%s ± %s", a, ns_quantity_format(se / factor, NS_DIMENSIONLESS, 2, b, sizeof b));
    else
        snprintf(text, NS_COL_ROOM, "%s", a);
    return text;
}

static const char *alpha_of(const void *line, char room[NS_COL_ROOM])
{
    const ns_line_estimate *l = line;
    return with_error(l->alpha, l->alpha_se, NS_SECOND, room);
}

static const char *beta_of(const void *line, char room[NS_COL_ROOM])
{
    const ns_line_estimate *l = line;
    return with_error(l->beta, l->beta_se, NS_SECOND_PER_BYTE, room);
}

static double alpha_se(const void *line)
{
    const ns_line_estimate *l = line;
    return l->alpha_se > 0 ? l->alpha_se : (double)NAN;
}

static double beta_se(const void *line)
{
    const ns_line_estimate *l = line;
    return l->beta_se > 0 ? l->beta_se : (double)NAN;
}

static const ns_table_column of_line[] = {
    {"alpha", .text = alpha_of, .shows = NS_IN_TABLE},
    {"alpha_s", NS_COL(ns_line_estimate, alpha), .unit = "s", .shows = NS_IN_DATA},
    {"alpha_se", .number = alpha_se, .unit = "s", .shows = NS_IN_DATA},
    {"beta", .text = beta_of, .shows = NS_IN_TABLE},
    {"beta_s_per_B", NS_COL(ns_line_estimate, beta), .unit = "s/B", .shows = NS_IN_DATA},
    {"beta_se", .number = beta_se, .unit = "s/B", .shows = NS_IN_DATA},
    {NULL}};

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static const ns_table_column of_group[] = {{"locality", NS_COL(ns_fit_group, locality), .words = ns_locality_words},
                                           {"memory", NS_COL(ns_fit_group, memory), .words = ns_memory_words},
                                           {NULL}};
static const ns_table_column of_class[] = {
    {"covariance_s2_per_B", NS_COL(ns_fit_class, line.covariance), .unit = "s^2/B", .shows = NS_IN_DATA},
    {"from_B", NS_COL(ns_fit_class, from), .unit = "B"},
    {"to_B", NS_COL(ns_fit_class, most), .unit = "B"},
    {"sizes", NS_COL(ns_fit_class, sizes)},
    {"samples", NS_COL(ns_fit_class, samples)},
    {"outliers", NS_COL(ns_fit_class, line.outliers)},
    {"median_rel_error", NS_COL(ns_fit_class, median_error)},
    {"p95_rel_error", NS_COL(ns_fit_class, p95_error)},
    {"pair_spread", NS_COL(ns_fit_class, spread)},
    {NULL}};

/* ---- injection --------------------------------------------------------------------------------------------------- */

static double rate_of(const void *injection)
{
    return 1 / ((const ns_fit_injection *)injection)->inverse_R_N;
}

static const ns_table_column of_injection[] = {
    {"inverse_R_N_s_per_B", NS_COL(ns_fit_injection, inverse_R_N), .unit = "s/B"},
    {"inverse_R_N_se", NS_COL(ns_fit_injection, se), .unit = "s/B", .shows = NS_IN_DATA},
    {"R_N_B_per_s", .number = rate_of, .unit = "B/s"},
    {"kind", NS_COL(ns_fit_injection, kind), .words = ns_sample_kind_words},
    {"bound", NS_COL(ns_fit_injection, bound)},
    {"from_B", NS_COL(ns_fit_injection, from), .unit = "B"},
    {"samples", NS_COL(ns_fit_injection, samples)},
    {"best_pairs", NS_COL(ns_fit_injection, best_pairs)},
    {"rate_falls_by", NS_COL(ns_fit_injection, fall)},
    {NULL}};
static const ns_table_column of_rate[] = {
    {"pairs", NS_COL(ns_fit_rate, pairs)}, {"rate_B_per_s", NS_COL(ns_fit_rate, bytes_per_s), .unit = "B/s"}, {NULL}};

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void add_number(ns_value *parent, const char *name, const ns_fit_number *number, ns_dim dim)
{
    if (!number->given)
        return;
    ns_value *object = ns_value_object(parent, name);
    ns_value_number(object, "value", number->value, dim);
    ns_put_number(object, "se", NS_EVERYWHERE, number->se > 0 ? number->se : (double)NAN, dim); /* measured once */
    ns_value_count(object, "samples", (double)number->samples);
}

static const ns_table_column of_copy[] = {{"from_B", NS_COL(ns_fit_copy, least), .unit = "B"},
                                          {"to_B", NS_COL(ns_fit_copy, most), .unit = "B"},
                                          {"sizes", NS_COL(ns_fit_copy, sizes)},
                                          {"samples", NS_COL(ns_fit_copy, samples)},
                                          {"median_rel_error", NS_COL(ns_fit_copy, median_error)},
                                          {"p95_rel_error", NS_COL(ns_fit_copy, p95_error)},
                                          {NULL}};

static const ns_table_column of_operation[] = {{"name", NS_COL(ns_fit_collective, name)},
                                               {"memory", NS_COL(ns_fit_collective, memory), .words = ns_memory_words},
                                               {"processes", NS_COL(ns_fit_collective, processes)},
                                               {NULL}};
static const ns_table_column of_collective[] = {{"from_B", NS_COL(ns_fit_collective, least), .unit = "B"},
                                                {"to_B", NS_COL(ns_fit_collective, most), .unit = "B"},
                                                {"first_s", NS_COL(ns_fit_collective, first_s), .unit = "s"},
                                                {"last_s", NS_COL(ns_fit_collective, last_s), .unit = "s"},
                                                {"sizes", NS_COL(ns_fit_collective, sizes)},
                                                {"samples", NS_COL(ns_fit_collective, samples)},
                                                {"median_rel_error", NS_COL(ns_fit_collective, median_error)},
                                                {"p95_rel_error", NS_COL(ns_fit_collective, p95_error)},
                                                {NULL}};

static void add_warnings(const ns_fit *fit, const ns_log *log, ns_value *result)
{
    char text[NS_FIT_WARNING];
    ns_value *list = ns_put_list(result, "warnings", NS_IN_JSON);
    for (size_t i = 0; i < log->warnings; i++) {
        ns_fit_log_warning(log, &log->warning[i], text);
        ns_value_text(list, NULL, text);
    }
    for (size_t i = 0; fit != NULL && i < fit->warnings; i++)
        ns_value_text(list, NULL, fit->warning[i]);
}

/* Print to err what was left out and what the reader should beware of. */
static void ns_fit_say_warnings(const ns_fit *fit, const ns_log *log, FILE *err)
{
    char text[NS_FIT_WARNING];
    for (size_t at = 0; ns_fit_warning_line(fit, log, &at, text);)
        fprintf(err, "nsmodel: warning: %s\n", text);
}

static void append(char *text, size_t size, size_t count, const char *of)
{
    const size_t used = strlen(text);
    if (count > 0)
        snprintf(text + used, size - used, "%s%zu %s%s", used > 0 ? ", " : "; left out: ", count, of,
                 count == 1 ? "" : "s");
}

/* What the samples are from; files, tables and values that gave no sample are named in the warnings. */
static void add_summary(const ns_log *log, ns_value *result)
{
    int used = 0;
    char out[120] = "";
    const char *tool = "";
    for (size_t i = 0; i < log->samples; i++) { /* the samples of one file are adjacent */
        used += i == 0 || log->sample[i].file != log->sample[i - 1].file;
        tool = log->tool[log->sample[i].file];
    }
    append(out, sizeof out, log->files_out, "file");
    append(out, sizeof out, log->tables_out, "table");
    append(out, sizeof out, log->values_out, "value");
    ns_value *object = ns_put_object(result, "left_out", NS_IN_JSON);
    ns_value_count(object, "files", (double)log->files_out);
    ns_value_count(object, "tables", (double)log->tables_out);
    ns_value_count(object, "values", (double)log->values_out);
    if (log->files == 1)
        ns_sentence(result, "summary", NS_EVERYWHERE, "%zu samples from %s (%s)%s", log->samples, log->file[0], tool,
                    out);
    else
        ns_sentence(result, "summary", NS_EVERYWHERE, "%zu samples from %d of %d files%s", log->samples, used,
                    log->files, out);
}

/* The result: data under fixed keys, and text for people. */
static ns_status ns_fit_report(const ns_fit *fit, const ns_log *log, ns_value *result, ns_error *err)
{
    ns_put_schema(result, "nsmodel/fit/1");
    add_summary(log, result);
    NS_TRY(ns_fit_machine(fit, log, ns_put_object(result, "machine", NS_IN_JSON), err));
    /* The machine's classes come first. */
    ns_value *classes = ns_put_rows(result, "classes", NS_EVERYWHERE);
    for (int in_machine = 1; in_machine >= 0; in_machine--)
        for (size_t i = 0; i < fit->groups; i++)
            for (int c = 0; c < fit->group[i].classes; c++) {
                const ns_fit_group *g = &fit->group[i];
                if (g->in_machine != (in_machine != 0))
                    continue;
                ns_value *row = ns_put_row(classes, of_group, g);
                ns_value_text(row, "protocol", ns_protocol_words[g->of[c].protocol]);
                ns_value_text(row, "kind", ns_sample_kind_words[g->kind]);
                ns_put_columns(row, of_line, &g->of[c].line);
                ns_put_columns(row, of_class, &g->of[c]);
                ns_put_bool(row, "in_machine", NS_IN_DATA, g->in_machine);
            }
    /* an object for each memory, and one common table */
    ns_value *object = ns_value_object(result, "injection"), *list = NULL;
    for (int m = 0; m < NS_MEMORIES; m++) {
        const ns_fit_injection *r = &fit->injection[m];
        if (r->given)
            ns_put_columns(ns_value_object(object, ns_memory_words[r->memory]), of_injection, r);
        for (size_t k = 0; r->given && k < r->rates; k++) {
            list = list != NULL ? list : ns_put_list(result, "injection_by_pairs", NS_NOT_IN_CSV);
            ns_value *row = ns_value_object(list, NULL);
            ns_value_text(row, "memory", ns_memory_words[m]);
            ns_put_columns(row, of_rate, &r->rate[k]);
        }
    }
    static const char *const names[NS_LOGGP_NUMBERS] = {"L", "o", "g", "G"};
    add_number(result, "queue_gamma", &fit->gamma, NS_SECOND);
    add_number(result, "queue_gamma_in_order", &fit->gamma_in_order, NS_SECOND);
    add_number(result, "contention_delta", &fit->delta, NS_SECOND_PER_BYTE);
    bool any = false;
    for (int i = 0; i < NS_LOGGP_NUMBERS; i++)
        any = any || fit->loggp[i].given;
    ns_value *loggp = any ? ns_value_object(result, "loggp") : NULL;
    if (any)
        ns_value_bool(loggp, "derived", fit->loggp_derived);
    for (int i = 0; any && i < NS_LOGGP_NUMBERS; i++)
        add_number(loggp, names[i], &fit->loggp[i], i == NS_LOGGP_G_BYTE ? NS_SECOND_PER_BYTE : NS_SECOND);
    ns_value *copies = fit->copies > 0 ? ns_put_list(result, "copies", NS_NOT_IN_CSV) : NULL;
    for (size_t i = 0; i < fit->copies; i++) {
        const ns_fit_copy *c = &fit->copy[i];
        ns_value *row = ns_value_object(copies, NULL);
        ns_value_count(row, "processes", c->processes);
        ns_value_text(row, "direction", ns_direction_words[c->direction]);
        ns_put_columns(row, of_line, &c->line);
        ns_put_columns(row, of_copy, c);
    }
    ns_value *collectives =
        ns_put_list(result, "collectives", NS_NOT_IN_CSV | (fit->collectives == 0 ? NS_IN_DATA : NS_EVERYWHERE));
    for (size_t i = 0; i < fit->collectives; i++) {
        const ns_fit_collective *c = &fit->collective[i];
        ns_value *row = ns_put_row(collectives, of_operation, c);
        if (c->fitted)
            ns_put_columns(row, of_line, &c->line);
        ns_put_columns(row, of_collective, c);
    }
    add_warnings(fit, log, result);
    return NS_OK;
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

static const char *verdict_of(const void *score, char room[NS_COL_ROOM])
{
    (void)room;
    return ((const ns_fit_score *)score)->stale ? "stale" : "current";
}

static const ns_table_column of_checked_copy[] = {
    {"processes", NS_COL(ns_fit_score, processes)},
    {"direction", NS_COL(ns_fit_score, direction), .words = ns_direction_words},
    {NULL}};
static const ns_table_column of_checked_class[] = {
    {"locality", NS_COL(ns_fit_score, locality), .words = ns_locality_words},
    {"memory", NS_COL(ns_fit_score, memory), .words = ns_memory_words},
    {"protocol", NS_COL(ns_fit_score, protocol), .words = ns_protocol_words},
    {NULL}};
static const ns_table_column of_score[] = {{"sizes", NS_COL(ns_fit_score, sizes)},
                                           {"samples", NS_COL(ns_fit_score, samples)},
                                           {"bias", NS_COL(ns_fit_score, bias)},
                                           {"median_rel_error", NS_COL(ns_fit_score, median_error)},
                                           {"p95_rel_error", NS_COL(ns_fit_score, p95_error)},
                                           {"scatter", NS_COL(ns_fit_score, scatter)},
                                           {"verdict", .text = verdict_of},
                                           {NULL}};

static const ns_option options[] = {
    {"tool", 0, "TOOL", "auto", "the benchmark that printed the logs; auto finds it from the content",
     NS_OPT(ns_fit_said, tool)},
    {"kind", 0, "K", NULL,
     "for logs that do not tell: node-pong, maxrate, 3step, device-aware, in-order, reversed, contention...; "
     "FILE=K or FOLDER/=K speaks of a part",
     .repeats = true},
    {"per-node", 0, "G", NULL, "ranks per node: rank r is on node r / G", NS_OPT(ns_fit_said, per_node), .least = 1,
     .most = 1 << 20},
    {"sockets", 0, "S", "2",
     "sockets of a node, which its ranks fill in order; unsaid, the machine's file has 2 where messages were measured "
     "on a socket and between sockets, else 1",
     NS_OPT(ns_fit_said, sockets), .least = 1, .most = 1 << 10},
    {"rank-order", 0, "block|cyclic", "block", "whether ranks fill a node first, or take the nodes in turn",
     NS_OPT(ns_fit_said, rank_order)},
    {"round-trip", 0, "full|half", NULL, "times are of a round trip, or of half one: for logs that do not tell",
     NS_OPT(ns_fit_said, round_trip)},
    {"locality", 0, "L", NULL,
     "on-socket, on-node or off-node: what the logs measured; FILE=L or FOLDER/=L speaks of a part", .repeats = true},
    {"memory", 0, "M", NULL, "host or device: what the logs measured; FILE=M or FOLDER/=M of a part", .repeats = true},
    {"statistic", 0, "median|min|all", "median", "of the repeats of a size: one statistic, or every sample",
     NS_OPT(ns_fit_said, statistic)},
    {"weights", 0, "relative|none", "relative", "relative residuals, robust; or plain least squares in seconds",
     NS_OPT(ns_fit_said, weights)},
    {"switch", 0, "LIST", NULL,
     "first sizes of the second and third protocol, as 500,8000; 0 for none; device=16384 speaks of one memory [found "
     "in the data]",
     .repeats = true},
    {"name", 0, "NAME", NULL, "name of the machine [that of -o's file]", NS_OPT(ns_fit_said, name)},
    {"title", 0, "TEXT", NULL, "what the machine is, for its file", NS_OPT(ns_fit_said, title)},
    {"cite", 0, "TEXT", NULL, "where the logs come from, for its file", NS_OPT(ns_fit_said, cite)},
    {"gpus", 0, "N", NULL, "GPUs of a node, for the machine's file [--per-node where there is device data]",
     NS_OPT(ns_fit_said, gpus), .most = 1 << 10},
    {"processes", 0, "N", NULL, "host processes of a node, for the machine's file [the most that were active]",
     NS_OPT(ns_fit_said, processes), .least = 1, .most = 1 << 20},
    {"interfaces", 0, "N", NULL,
     "network interfaces of a node: where the logs do not reach its rate, it sends as fast as so many messages alone",
     NS_OPT(ns_fit_said, interfaces), .least = 1, .most = 1 << 10},
    {"records", 0, "FILE", NULL,
     "measured exchanges, rows of CSV or wisdom, that calibrate the error, the choice and, with GPUs, the floor",
     NS_OPT(ns_fit_said, records)},
    {"rankings", 0, "FILE.csv", NULL,
     "published winners: what they tell of ways that --records has no exchange of; the paper's of Lassen are "
     "evidence/rankings/node-aware.csv, without a file, too",
     NS_OPT(ns_fit_said, rankings)},
    {"no-residual", 0, NULL, NULL, "--records gives widths and floors only, and moves no prediction beyond them",
     NS_OPT(ns_fit_said, no_residual)},
    {"where", 0, "COLUMN=VALUE", NULL, "of --records, only these rows; may be repeated", .repeats = true},
    {"max-memory", 0, "SIZE", NULL,
     "leave out dense exchanges of --records that need more memory [half of what the machine, cgroups and ulimit -v "
     "allow]"},
    {"max-work", 0, "N", "4e6", "leave out dense exchanges of --records of more than N messages"},
    {"check", 0, "MACHINE", NULL, "fit nothing: score this machine against the logs and say whether it is stale",
     NS_OPT(ns_fit_said, check)},
    {"each", 0, NULL, NULL, "every log by itself: a row with its held-out errors, or why it is refused",
     NS_OPT(ns_fit_said, each)},
    {"keep-going", 0, NULL, NULL, "a log that is refused is a warning, as long as another one is good",
     NS_OPT(ns_fit_said, keep_going)},
    {"plot", 0, "[FILE]", NULL,
     "data, fitted segments, switch points and residuals as .svg, .png, .pdf or .gp; without FILE as text",
     NS_OPT(ns_fit_said, plot)},
    {NULL},
};

/* -o writes the machine; only the extension of a table format requests the result instead. */
static bool is_machine_file(const char *path)
{
    static const char *const tables[] = {".csv", ".txt", ".md", ".nsp"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof tables / sizeof *tables; i++)
        if (strcmp(ending, tables[i]) == 0)
            return false;
    return true;
}

static ns_status save_machine(const ns_args *args, const ns_fit_said *r, const ns_fit *fit, const ns_log *log,
                              FILE *words, ns_error *err)
{
    if (r->rankings != NULL && r->records == NULL)
        return ns_fail(err, NS_ERR_USAGE, "--rankings wants --records: only measured exchanges tell how far times err");
    if (args->output == NULL)
        return r->records == NULL
                   ? NS_OK
                   : ns_fail(err, NS_ERR_USAGE, "--records calibrates a machine's file: it wants -o FILE.json");
    /* a file without any number measured would not describe a machine */
    bool any = fit->copies > 0 || fit->gamma.given || fit->delta.given || fit->loggp[NS_LOGGP_L].given;
    for (size_t g = 0; g < fit->groups; g++)
        any = any || fit->group[g].in_machine;
    for (int m = 0; m < NS_MEMORIES; m++)
        any = any || fit->injection[m].given;
    if (!any)
        return ns_fail(err, NS_ERR_DATA,
                       "the logs hold %s: nothing that a machine file could say; wanted a ping-pong, such as: mpirun "
                       "-np 2 --map-by ppr:1:node osu_latency > off-node.log",
                       fit->collectives > 0 ? "collectives only" : "no two sizes of any kind of message");
    NS_OWN(ns_value_free) ns_value *root = ns_value_new();
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_free) ns_machine_check *check = NULL;
    if (root == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_fit_machine(fit, log, root, err));
    if (r->records != NULL)
        NS_TRY(ns_fit_calibrate(args, r, fit->options.floor, root, err));
    /* the file has to be valid for every other command; what it lacks is reported */
    NS_TRY(ns_fit_machine_of(root, &machine, err));
    NS_TRY(ns_machine_check_make(machine, &check, err));
    const size_t assumed = check->count[NS_STANDING_ASSUMED], missing = check->count[NS_STANDING_MISSING];
    if (assumed + missing > 0)
        fprintf(words,
                "nsmodel: note: of what predictions use, %s has %zu measured, %zu assumed and %zu missing: `nsmodel "
                "machines %s --check` says what measures them\n",
                args->output, check->count[NS_STANDING_MEASURED] + check->count[NS_STANDING_CALIBRATED], assumed,
                missing, args->output);
    return ns_save_json(root, args->output, err);
}

static ns_status check_machine(const char *name, ns_statistic statistic, const ns_log *log, ns_value *result,
                               ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_free) ns_fit_score *score = NULL;
    size_t scores;
    bool stale = false;
    NS_TRY(ns_machine_find(name, &machine, err));
    NS_TRY(ns_fit_check(machine, log, statistic, &score, &scores, err));
    for (size_t i = 0; i < scores; i++)
        stale = stale || score[i].stale;
    ns_put_schema(result, "nsmodel/fit-check/1");
    add_summary(log, result);
    ns_value_text(result, "machine", machine->name);
    ns_value_text(result, "verdict", stale ? "stale" : "current");
    ns_put_bool(result, "stale", NS_IN_DATA, stale);
    ns_value *classes = ns_put_rows(result, "classes", NS_EVERYWHERE), *copies = NULL;
    for (size_t i = 0; i < scores; i++) {
        const bool copy = score[i].processes > 0;
        if (copy && copies == NULL)
            copies = ns_put_list(result, "copies", NS_NOT_IN_CSV);
        ns_put_columns(ns_put_row(copy ? copies : classes, copy ? of_checked_copy : of_checked_class, &score[i]),
                       of_score, &score[i]);
    }
    add_warnings(NULL, log, result);
    ns_fit_say_warnings(NULL, log, context->err);
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    /* options that only fitting uses */
    static const char *const fitting[] = {"output",     "plot",     "switch",     "weights",   "name",    "title",
                                          "cite",       "gpus",     "where",      "processes", "records", "rankings",
                                          "max-memory", "max-work", "interfaces", NULL};
    ns_fit_said r;
    ns_fit_request logs;
    NS_OWN(ns_log_free) ns_log *log = NULL;
    NS_OWN(ns_fit_free) ns_fit *fit = NULL;
    NS_TRY(ns_args_read(args, &r, err));
    r.usual_sockets = !ns_args_has(args, "sockets");
    r.no_gpus = !ns_args_has(args, "gpus");
    NS_TRY(ns_fit_request_parse(args, &r, &logs, err));
    const char *output = args->output;
    if (r.each && (r.check != NULL || r.plot != NULL || (output != NULL && is_machine_file(output))))
        return ns_fail(err, NS_ERR_USAGE,
                       "--each makes no machine: there is nothing for --check, --plot or -o but a .csv, .txt or .md");
    for (int i = 0; r.check != NULL && fitting[i] != NULL; i++)
        if (ns_args_has(args, fitting[i]))
            return ns_fail(err, NS_ERR_USAGE, "--check fits no machine: there is nothing for --%s", fitting[i]);
    if (r.each)
        return fit_each(args, &logs, result, context, err);
    NS_TRY(ns_fit_read(args, &logs, &log, err));
    if (r.check != NULL)
        return check_machine(r.check, logs.fitting.statistic, log, result, context, err);
    NS_TRY(ns_fit_floors(args, r.records, logs.fitting.floor, err));
    NS_TRY(ns_fit_log(log, &logs.fitting, &fit, err));
    NS_TRY(ns_fit_report(fit, log, result, err));
    NS_TRY(save_machine(args, &r, fit, log, context->err, err));
    if (r.plot != NULL)
        NS_TRY(plot(fit, r.plot, result, err));
    ns_fit_say_warnings(fit, log, context->err);
    return NS_OK;
}

const ns_command ns_command_fit = {
    .name = "fit",
    .summary = "a machine file from ping-pong logs",
    .usage = "LOG... [-o machine.json]",
    .options = options,
    .example = "nsmodel fit osu_latency.log --locality off-node -o mycluster.json",
    .about = "Reads what ping-pong, node-pong and injection benchmarks print, finds the protocol switches, fits "
             "start-up time and time per\n"
             "byte with their errors, and writes a machine file that every other command takes. Errors are held-out.",
    .least = 1,
    .needs = "at least one log file",
    .most = NS_ARGS_MAX,
    .rank = 6,
    .owns_output = is_machine_file,
    .run = run,
};
