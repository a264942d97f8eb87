/* fit_report.c -- the answer of fit: classes, injection, copies, collectives, warnings, and the machine's file
 * inside */
#include "cli/inputs/fit.h"

#include <math.h>
#include <string.h>

/* A relative error: null where it is not known. */
static void fraction(ns_value *row, const char *name, double value)
{
    if (isnan(value))
        ns_value_null(row, name);
    else
        ns_value_count(row, name, value);
}

static void error_of(ns_value *row, const char *name, double se, ns_dim dim)
{
    ns_value_flag(se > 0 ? ns_value_number(row, name, se, dim) : ns_value_null(row, name), NS_V_NO_TABLE);
}

/* "2.266 us ± 0.012" for people, two numbers for programs. */
static void with_error(ns_value *row, const char *word, const char *name, const char *se_name, double value, double se,
                       ns_dim dim)
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
    ns_value *text =
        se > 0 && factor > 0
            ? ns_value_textf(row, word, "%s ± %s", a,
                              ns_quantity_format(se / factor, NS_DIMENSIONLESS, 2, b, sizeof b))
            : ns_value_text(row, word, a);
    ns_value_flag(text, NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_flag(ns_value_number(row, name, value, dim), NS_V_NO_TABLE);
    error_of(row, se_name, se, dim);
}

static void line_with_errors(ns_value *row, const ns_line_estimate *line)
{
    with_error(row, "alpha", "alpha_s", "alpha_se", line->alpha, line->alpha_se, NS_SECOND);
    with_error(row, "beta", "beta_s_per_B", "beta_se", line->beta, line->beta_se, NS_SECOND_PER_BYTE);
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static void add_class(const ns_fit_group *g, const ns_fit_class *c, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "locality", ns_locality_words[g->locality]);
    ns_value_text(row, "memory", ns_memory_words[g->memory]);
    ns_value_text(row, "protocol", ns_protocol_words[c->protocol]);
    ns_value_text(row, "kind", ns_sample_kind_words[g->kind]);
    line_with_errors(row, &c->line);
    ns_value_flag(ns_value_number(row, "covariance_s2_per_B", c->line.covariance, (ns_dim){2, -1, 0}), NS_V_NO_TABLE);
    ns_value_number(row, "from_B", c->from, NS_BYTE);
    ns_value_number(row, "to_B", c->most, NS_BYTE);
    ns_value_count(row, "sizes", (double)c->sizes);
    ns_value_count(row, "samples", (double)c->samples);
    ns_value_count(row, "outliers", (double)c->line.outliers);
    fraction(row, "median_rel_error", c->median_error);
    fraction(row, "p95_rel_error", c->p95_error);
    ns_value_count(row, "pair_spread", c->spread);
    ns_value_flag(ns_value_bool(row, "in_machine", g->in_machine), NS_V_NO_TABLE);
}

/* The machine's classes first. */
static void add_classes(const ns_fit *fit, ns_value *result)
{
    ns_value *list = ns_value_list(result, "classes");
    ns_value_flag(list, NS_V_ROWS);
    for (int in_machine = 1; in_machine >= 0; in_machine--)
        for (size_t g = 0; g < fit->groups; g++)
            for (int c = 0; c < fit->group[g].classes; c++)
                if (fit->group[g].in_machine == (in_machine != 0))
                    add_class(&fit->group[g], &fit->group[g].of[c], list);
}

/* ---- injection --------------------------------------------------------------------------------------------------- */

static void add_injection(const ns_fit_injection *r, ns_value *object)
{
    ns_value *i = ns_value_object(object, ns_memory_words[r->memory]);
    ns_value_number(i, "inverse_R_N_s_per_B", r->inverse_R_N, NS_SECOND_PER_BYTE);
    ns_value_flag(ns_value_number(i, "inverse_R_N_se", r->se, NS_SECOND_PER_BYTE), NS_V_NO_TABLE);
    ns_value_number(i, "R_N_B_per_s", 1 / r->inverse_R_N, NS_BYTE_PER_SECOND);
    ns_value_text(i, "kind", ns_sample_kind_words[r->kind]);
    ns_value_bool(i, "bound", r->bound);
    ns_value_number(i, "from_B", r->from, NS_BYTE);
    ns_value_count(i, "samples", (double)r->samples);
    ns_value_count(i, "best_pairs", r->best_pairs);
    ns_value_count(i, "rate_falls_by", r->fall);
}

/* One table for both memories. */
static void add_rates(const ns_fit *fit, ns_value *result)
{
    ns_value *list = NULL;
    for (int m = 0; m < NS_MEMORIES; m++) {
        const ns_fit_injection *r = &fit->injection[m];
        for (size_t k = 0; r->given && k < r->rates; k++) {
            if (list == NULL)
                ns_value_flag(list = ns_value_list(result, "injection_by_pairs"), NS_V_NO_CSV);
            ns_value *row = ns_value_object(list, NULL);
            ns_value_text(row, "memory", ns_memory_words[m]);
            ns_value_count(row, "pairs", r->rate[k].pairs);
            ns_value_number(row, "rate_B_per_s", r->rate[k].bytes_per_s, NS_BYTE_PER_SECOND);
        }
    }
}

static void add_injections(const ns_fit *fit, ns_value *result)
{
    ns_value *object = ns_value_object(result, "injection");
    for (int m = 0; m < NS_MEMORIES; m++)
        if (fit->injection[m].given)
            add_injection(&fit->injection[m], object);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void add_number(ns_value *parent, const char *name, const ns_fit_number *number, ns_dim dim)
{
    if (!number->given)
        return;
    ns_value *object = ns_value_object(parent, name);
    ns_value_number(object, "value", number->value, dim);
    if (number->se > 0)
        ns_value_number(object, "se", number->se, dim);
    else
        ns_value_null(object, "se"); /* measured once */
    ns_value_count(object, "samples", (double)number->samples);
}

static void add_numbers(const ns_fit *fit, ns_value *result)
{
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
}

static void add_copies(const ns_fit *fit, ns_value *result)
{
    ns_value *list = fit->copies > 0 ? ns_value_list(result, "copies") : NULL;
    ns_value_flag(list, NS_V_NO_CSV);
    for (size_t i = 0; i < fit->copies; i++) {
        const ns_fit_copy *c = &fit->copy[i];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_count(row, "processes", c->processes);
        ns_value_text(row, "direction", ns_direction_words[c->direction]);
        line_with_errors(row, &c->line);
        ns_value_number(row, "from_B", c->least, NS_BYTE);
        ns_value_number(row, "to_B", c->most, NS_BYTE);
        ns_value_count(row, "sizes", (double)c->sizes);
        ns_value_count(row, "samples", (double)c->samples);
        fraction(row, "median_rel_error", c->median_error);
        fraction(row, "p95_rel_error", c->p95_error);
    }
}

static void add_collectives(const ns_fit *fit, ns_value *result)
{
    ns_value *list = ns_value_list(result, "collectives");
    ns_value_flag(list, NS_V_NO_CSV | (fit->collectives == 0 ? NS_V_NO_TABLE : 0));
    for (size_t i = 0; i < fit->collectives; i++) {
        const ns_fit_collective *c = &fit->collective[i];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", c->name);
        ns_value_text(row, "memory", ns_memory_words[c->memory]);
        ns_value_count(row, "processes", c->processes);
        if (c->fitted)
            line_with_errors(row, &c->line);
        ns_value_number(row, "from_B", c->least, NS_BYTE);
        ns_value_number(row, "to_B", c->most, NS_BYTE);
        ns_value_number(row, "first_s", c->first_s, NS_SECOND);
        ns_value_number(row, "last_s", c->last_s, NS_SECOND);
        ns_value_count(row, "sizes", (double)c->sizes);
        ns_value_count(row, "samples", (double)c->samples);
        fraction(row, "median_rel_error", c->median_error);
        fraction(row, "p95_rel_error", c->p95_error);
    }
}

static void add_warnings(const ns_fit *fit, const ns_log *log, ns_value *result)
{
    char text[NS_FIT_WARNING];
    ns_value *list = ns_value_list(result, "warnings");
    ns_value_flag(list, NS_V_JSON_ONLY);
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

/* Whole files, tables and values that no sample was made of; the warnings say which. */
static void add_left_out(const ns_log *log, char *text, size_t size, ns_value *result)
{
    *text = '\0';
    append(text, size, log->files_out, "file");
    append(text, size, log->tables_out, "table");
    append(text, size, log->values_out, "value");
    ns_value *object = ns_value_object(result, "left_out");
    ns_value_flag(object, NS_V_JSON_ONLY);
    ns_value_count(object, "files", (double)log->files_out);
    ns_value_count(object, "tables", (double)log->tables_out);
    ns_value_count(object, "values", (double)log->values_out);
}

/* The samples of a file stand together. */
static void add_summary(const ns_log *log, ns_value *result)
{
    int used = 0;
    char out[120];
    const char *tool = "";
    for (size_t i = 0; i < log->samples; i++) {
        used += i == 0 || log->sample[i].file != log->sample[i - 1].file;
        tool = log->tool[log->sample[i].file];
    }
    add_left_out(log, out, sizeof out, result);
    ns_value *note = log->files == 1 ? ns_value_textf(result, "summary", "%zu samples from %s (%s)%s", log->samples,
                                                      log->file[0], tool, out)
                                     : ns_value_textf(result, "summary", "%zu samples from %d of %d files%s",
                                                      log->samples, used, log->files, out);
    ns_value_flag(note, NS_V_NOTE);
}

ns_status ns_fit_report(const ns_fit *fit, const ns_log *log, ns_value *result, ns_error *err)
{
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/fit/1"), NS_V_JSON_ONLY);
    add_summary(log, result);
    ns_value *machine = ns_value_object(result, "machine");
    ns_value_flag(machine, NS_V_JSON_ONLY);
    NS_TRY(ns_fit_machine(fit, log, machine, err));
    add_classes(fit, result);
    add_injections(fit, result);
    add_rates(fit, result);
    add_numbers(fit, result);
    add_copies(fit, result);
    add_collectives(fit, result);
    add_warnings(fit, log, result);
    return NS_OK;
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

static void add_score(const ns_fit_score *s, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    if (s->processes > 0) {
        ns_value_count(row, "processes", s->processes);
        ns_value_text(row, "direction", ns_direction_words[s->direction]);
    } else {
        ns_value_text(row, "locality", ns_locality_words[s->locality]);
        ns_value_text(row, "memory", ns_memory_words[s->memory]);
        ns_value_text(row, "protocol", ns_protocol_words[s->protocol]);
    }
    ns_value_count(row, "sizes", (double)s->sizes);
    ns_value_count(row, "samples", (double)s->samples);
    ns_value_count(row, "bias", s->bias);
    ns_value_count(row, "median_rel_error", s->median_error);
    ns_value_count(row, "p95_rel_error", s->p95_error);
    ns_value_count(row, "scatter", s->scatter);
    ns_value_text(row, "verdict", s->stale ? "stale" : "current");
}

void ns_fit_report_check(const ns_machine *machine, const ns_log *log, const ns_fit_score *score, size_t scores,
                         ns_value *result)
{
    bool stale = false;
    for (size_t i = 0; i < scores; i++)
        stale = stale || score[i].stale;
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/fit-check/1"), NS_V_JSON_ONLY);
    add_summary(log, result);
    ns_value_text(result, "machine", machine->name);
    ns_value_text(result, "verdict", stale ? "stale" : "current");
    ns_value_flag(ns_value_bool(result, "stale", stale), NS_V_NO_TABLE);
    ns_value *classes = ns_value_list(result, "classes"), *copies = NULL;
    ns_value_flag(classes, NS_V_ROWS);
    for (size_t i = 0; i < scores; i++) {
        if (score[i].processes > 0 && copies == NULL) {
            copies = ns_value_list(result, "copies");
            ns_value_flag(copies, NS_V_NO_CSV);
        }
        add_score(&score[i], score[i].processes > 0 ? copies : classes);
    }
    add_warnings(NULL, log, result);
}
