/* fit_report.c -- the answer of fit: classes, injection, copies, collectives, warnings, and the machine's file
 * inside */
#include "cli/inputs/fit.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

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

/* The machine's classes first. */
static void add_classes(const ns_fit *fit, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "classes", NS_EVERYWHERE);
    for (int in_machine = 1; in_machine >= 0; in_machine--)
        for (size_t i = 0; i < fit->groups; i++)
            for (int c = 0; c < fit->group[i].classes; c++) {
                const ns_fit_group *g = &fit->group[i];
                if (g->in_machine != (in_machine != 0))
                    continue;
                ns_value *row = ns_put_row(list, of_group, g);
                ns_value_text(row, "protocol", ns_protocol_words[g->of[c].protocol]);
                ns_value_text(row, "kind", ns_sample_kind_words[g->kind]);
                ns_put_columns(row, of_line, &g->of[c].line);
                ns_put_columns(row, of_class, &g->of[c]);
                ns_put_bool(row, "in_machine", NS_IN_DATA, g->in_machine);
            }
}

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

static void add_copies(const ns_fit *fit, ns_value *result)
{
    ns_value *list = fit->copies > 0 ? ns_put_list(result, "copies", NS_NOT_IN_CSV) : NULL;
    for (size_t i = 0; i < fit->copies; i++) {
        const ns_fit_copy *c = &fit->copy[i];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_count(row, "processes", c->processes);
        ns_value_text(row, "direction", ns_direction_words[c->direction]);
        ns_put_columns(row, of_line, &c->line);
        ns_put_columns(row, of_copy, c);
    }
}

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

static void add_collectives(const ns_fit *fit, ns_value *result)
{
    ns_value *list =
        ns_put_list(result, "collectives", NS_NOT_IN_CSV | (fit->collectives == 0 ? NS_IN_DATA : NS_EVERYWHERE));
    for (size_t i = 0; i < fit->collectives; i++) {
        const ns_fit_collective *c = &fit->collective[i];
        ns_value *row = ns_put_row(list, of_operation, c);
        if (c->fitted)
            ns_put_columns(row, of_line, &c->line);
        ns_put_columns(row, of_collective, c);
    }
}

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

void ns_fit_say_warnings(const ns_fit *fit, const ns_log *log, FILE *err)
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

/* What the samples are from; whole files, tables and values that no sample was made of: the warnings say which. */
static void add_summary(const ns_log *log, ns_value *result)
{
    int used = 0;
    char out[120] = "";
    const char *tool = "";
    for (size_t i = 0; i < log->samples; i++) { /* the samples of a file stand together */
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

ns_status ns_fit_report(const ns_fit *fit, const ns_log *log, ns_value *result, ns_error *err)
{
    ns_put_schema(result, "nsmodel/fit/1");
    add_summary(log, result);
    NS_TRY(ns_fit_machine(fit, log, ns_put_object(result, "machine", NS_IN_JSON), err));
    add_classes(fit, result);
    /* an object for each memory, and one table for both */
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
    add_copies(fit, result);
    add_collectives(fit, result);
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

void ns_fit_report_check(const ns_machine *machine, const ns_log *log, const ns_fit_score *score, size_t scores,
                         ns_value *result)
{
    bool stale = false;
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
}
