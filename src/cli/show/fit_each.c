/* fit_each.c -- fit --each: every log by itself, how well a part of it predicts the rest, and why not better
 *
 * The errors of a log are those of the lines that would make a machine: of single messages in flight, or what stands
 * for them.
 */
#include "cli/inputs/fit.h"
#include "core/memory.h"
#include "num/order.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_median = 0.05, most_p95 = 0.15; /* what a log has to keep to be called good */

typedef struct survey {
    const ns_fit *fit;
    const ns_log *log;
    double *error; /* held-out, of all classes */
    size_t errors, classes;
    bool latency;              /* of single messages in flight */
    const ns_fit_group *worst; /* where the largest error is */
    double worst_error;
    size_t worst_size; /* index of it among the sizes of its group */
} survey;

static bool is_latency(const ns_fit_group *g)
{
    return ns_sample_is_latency(&(ns_sample){.kind = g->kind});
}

static void take_group(survey *s, const ns_fit_group *g)
{
    s->classes += (size_t)g->classes;
    for (size_t i = 0; g->classes > 0 && i < g->curve.sizes; i++) {
        if (isnan(g->error[i]))
            continue;
        s->error[s->errors++] = g->error[i];
        if (g->error[i] > s->worst_error || s->worst == NULL) {
            s->worst = g;
            s->worst_error = g->error[i];
            s->worst_size = i;
        }
    }
}

/* Streams stand for messages only in a log that has no messages. */
static ns_status gather(survey *s, ns_error *err)
{
    size_t room = 1;
    for (size_t g = 0; g < s->fit->groups; g++) {
        room += s->fit->group[g].curve.sizes;
        s->latency = s->latency || (s->fit->group[g].in_machine && is_latency(&s->fit->group[g]));
    }
    s->error = ns_malloc(ns_size_mul(room, sizeof *s->error));
    if (s->error == NULL)
        return ns_no_memory(err);
    for (size_t g = 0; g < s->fit->groups; g++)
        if (s->fit->group[g].in_machine && is_latency(&s->fit->group[g]) == s->latency)
            take_group(s, &s->fit->group[g]);
    return NS_OK;
}

static const ns_fit_class *class_of(const ns_fit_group *g, double bytes)
{
    const ns_fit_class *c = &g->of[0];
    for (int i = 1; i < g->classes; i++)
        if (bytes >= g->of[i].from)
            c = &g->of[i];
    return c;
}

/* Why the worst size is not predicted by the others. */
static void explain(const survey *s, char *text, size_t size)
{
    const ns_curve *c = &s->worst->curve;
    const size_t i = s->worst_size;
    const ns_fit_class *of = class_of(s->worst, c->x[i]);
    const double before = i > 0 ? c->y[i - 1] : 0, after = i + 1 < c->count ? c->y[i + 1] : INFINITY;
    const char *why = "the times do not lie on a line there";
    if (c->x[i] > s->worst->of[s->worst->classes - 1].most)
        why = "a last size alone, far above where the others point";
    else if (i > 0 && c->y[i] > 1.2 * fmax(before, after) && isfinite(after))
        why = "slower than both sizes beside it";
    else if (c->y[i] < 0.9 * before)
        why = "faster than the smaller size before it";
    else if (of->spread > 0.5)
        why = "the repeats of a size scatter by half or more";
    else if (c->x[i] == of->least || c->x[i] == of->most)
        why = of->sizes < 5 ? "the end of a short protocol, predicted from beyond"
                            : "the end of a protocol, predicted from beyond";
    snprintf(text, size, "%.0f %% at %.0f B %s %s: %s", 100 * s->worst_error, c->x[i],
             ns_memory_words[s->worst->memory], ns_locality_words[s->worst->locality], why);
}

/* What stands for the log in the row. */
static const char *kind_of(const survey *s)
{
    return s->classes > 0            ? s->latency ? "ping-pong" : "other"
           : s->fit->copies > 0      ? "copies"
           : s->fit->collectives > 0 ? "collectives"
                                     : "none";
}

/* Over all logs. */
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

static void take_survey(survey *s, tally *all, log_row *row)
{
    if (s->errors > 0) {
        row->median = ns_median(s->error, s->errors);
        row->p95 = ns_order_quantile(s->error, s->errors, 0.95);
    }
    const bool good = !(row->median > most_median || row->p95 > most_p95);
    if (!good && s->worst != NULL && s->worst->curve.count == s->worst->curve.sizes)
        explain(s, row->remark, sizeof row->remark);
    if (s->latency && !isnan(row->median)) {
        all->median[all->ping_pongs] = row->median;
        all->p95[all->ping_pongs++] = row->p95;
        all->good += good;
    }
    row->kind = kind_of(s);
    row->classes = s->classes;
    row->copies = s->fit->copies;
    row->collectives = s->fit->collectives;
}

static ns_status fit_one(const ns_log *log, const ns_fit_options *options, tally *all, log_row *row, ns_error *err)
{
    ns_fit *fit;
    NS_TRY(ns_fit_log(log, options, &fit, err));
    survey s = {.fit = fit, .log = log};
    const ns_status status = gather(&s, err);
    row->samples = log->samples;
    if (status == NS_OK)
        take_survey(&s, all, row);
    ns_free(s.error);
    ns_fit_free(fit);
    return status;
}

static ns_status one_log(const char *path, const ns_log_options *reading, const ns_fit_options *fitting, tally *all,
                         ns_value *list, ns_command_context *context, ns_error *err)
{
    ns_log *log;
    ns_error why = {0};
    log_row row = {.file = path, .tool = "-", .kind = "refused", .median = NAN, .p95 = NAN};
    ns_status status = ns_log_read(&path, 1, reading, &log, &why);
    if (status == NS_ERR_MEMORY || status == NS_ERR_NAME)
        return ns_fail(err, status, "%s", why.text);
    if (status == NS_ERR_FILE) { /* says nothing of the log */
        fprintf(context->err, "nsmodel: %s: %s\n", path, why.text);
        context->exit = 1;
    }
    all->refused += status != NS_OK;
    all->fitted += status == NS_OK;
    if (status != NS_OK) {
        char place[32] = "";
        if (why.line > 0)
            snprintf(place, sizeof place, "line %ld: ", why.line);
        snprintf(row.remark, sizeof row.remark, "%s%s", place, why.text);
        ns_put_row(list, columns, &row);
        return NS_OK;
    }
    row.tool = log->tool[0];
    status = fit_one(log, fitting, all, &row, err);
    if (status == NS_OK)
        ns_put_row(list, columns, &row);
    ns_log_free(log);
    return status;
}

ns_status ns_fit_each(const ns_args *args, const ns_fit_request *request, ns_value *result, ns_command_context *context,
                      ns_error *err)
{
    ns_fit_files files;
    NS_TRY(ns_fit_files_list(args, &files, err));
    tally all = {.median =
                     ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add((size_t)files.count, 1)), sizeof *all.median))};
    ns_status status = all.median != NULL ? NS_OK : ns_no_memory(err);
    all.p95 = all.median + files.count + 1;
    ns_put_schema(result, "nsmodel/fit-each/1");
    ns_value *summary = ns_put_object(result, "summary", NS_NOT_IN_CSV);
    ns_value *list = ns_put_rows(result, "logs", NS_EVERYWHERE);
    for (int i = 0; i < files.count && status == NS_OK; i++) {
        ns_log_options reading = request->reading;
        ns_fit_options fitting = request->fitting;
        reading.watch = fitting.watch = NULL; /* one line for all */
        ns_progress_show(args->progress, "fitting each", " files", i, files.count);
        reading.kind_of_file = files.kind + i;
        reading.locality_of_file = files.locality + i;
        reading.memory_of_file = files.memory + i;
        status = one_log(files.path[i], &reading, &fitting, &all, list, context, err);
    }
    if (status == NS_OK) {
        ns_value_count(summary, "fitted", (double)all.fitted);
        ns_value_count(summary, "refused", (double)all.refused);
        ns_value_count(summary, "ping_pong_logs", (double)all.ping_pongs);
    }
    if (status == NS_OK && all.ping_pongs > 0) {
        ns_value_count(summary, "median_of_median_rel_error", ns_median(all.median, all.ping_pongs));
        ns_value_count(summary, "median_of_p95_rel_error", ns_median(all.p95, all.ping_pongs));
        ns_value_count(summary, "within_both", (double)all.good);
    }
    ns_free(all.median);
    ns_fit_files_free(&files);
    return status;
}
