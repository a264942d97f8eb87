/* validate_judge.c -- validate: whether the advice is worth following, and whether its probabilities are calibrated */
#include "cli/show/validate.h"
#include "core/memory.h"
#include "core/own.h"
#include "records/calibrate.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what validate prints, from the library's scores ------------------------------------------------------------- */

/* A cell of the first row; for a dense exchange whose algorithm names a variant of the standard way, that variant. */
static const char *first_text(const ns_records *records, const ns_scored *s, const char *column)
{
    const ns_strategy *of =
        strcmp(column, "strategy") == 0 && ns_records_are_dense(records) ? ns_scored_strategy(records, s) : NULL;
    if (of != NULL && of->forms != NULL)
        return of->name;
    return ns_record_text(records, s->rows[0], column);
}

bool ns_is_of_value(const ns_scored *scored, const void *of_value)
{
    const ns_of_value *of = of_value;
    return strcmp(first_text(of->records, scored, of->column), of->value) == 0;
}

ns_status ns_validate_price(ns_validation *v, const ns_price_options *options, ns_value *left_out, FILE *words,
                            ns_error *err)
{
    ns_error first = {0};
    ns_dense *dense = NULL;
    ns_status status = NS_OK;
    size_t kept = 0;
    for (size_t i = 0; i < v->count && status != NS_ERR_MEMORY; i++) {
        ns_error problem = {0};
        ns_scored s = v->scored[i];
        const ns_machine *machine;
        status = ns_row_machine_get(&v->machines, v->records, s.rows[0], &machine, &problem);
        if (status == NS_OK)
            status = ns_row_price(&dense, v->records, s.rows[0], machine, options, &v->limits, &s.price, &problem);
        if (status == NS_OK && s.price.estimate_s > 0) {
            v->scored[kept++] = s;
            continue;
        }
        if (status != NS_OK && words != NULL)
            ns_row_left_out(v->records, s.rows[0], &problem, left_out,
                            ns_records_are_dense(v->records) ? NULL : words);
        first = first.code == NS_OK ? problem : first;
    }
    ns_dense_free(dense);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    if (kept == 0)
        return ns_fail_at(err, first.code != NS_OK ? first.code : NS_ERR_DATA, first.file, first.line, 0,
                          "none of the measured rows can be priced; the first: %s", first.text);
    v->count = kept;
    return NS_OK;
}

ns_status ns_validate_values(const ns_validation *v, const char *column, const char ***text, size_t *count,
                             ns_error *err)
{
    const char **list = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *list));
    if (list == NULL)
        return ns_no_memory(err);
    *count = 0;
    for (size_t i = 0; i < v->count; i++) {
        const char *value = first_text(v->records, &v->scored[i], column);
        bool seen = false;
        for (size_t k = 0; k < *count && !seen; k++)
            seen = strcmp(list[k], value) == 0;
        if (!seen)
            list[(*count)++] = value;
    }
    *text = list;
    return NS_OK;
}

static const ns_table_column of_score[] = {{"exchanges", NS_COL(ns_score, count)},
                                           {"log2_error", NS_COL(ns_score, log2_median)},
                                           {"ratio_10", NS_COL(ns_score, ratio[0])},
                                           {"ratio_50", NS_COL(ns_score, ratio[1])},
                                           {"ratio_90", NS_COL(ns_score, ratio[2])},
                                           {"within_2x", NS_COL(ns_score, within_2)},
                                           {"within_25", NS_COL(ns_score, within_25)},
                                           {"covered", NS_COL(ns_score, covered)},
                                           {NULL}};

ns_status ns_validate_by(const ns_validation *v, const char *column, ns_value *list, ns_error *err)
{
    NS_OWN(ns_free) const char **value = NULL;
    size_t values;
    NS_TRY(ns_validate_values(v, column, &value, &values, err));
    for (size_t i = 0; i < values; i++) {
        const ns_of_value of = {v->records, column, value[i]};
        ns_score score;
        NS_TRY(ns_score_list(v->scored, v->count, ns_is_of_value, &of, &score, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "column", column);
        ns_value_text(row, "value", value[i]);
        ns_put_columns(row, of_score, &score);
    }
    return NS_OK;
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* The advice over the rows that have a value. */
static ns_status find_advice(const ns_validation *v, const ns_of_value *of, ns_advice *advice, ns_error *err)
{
    ns_scored *part = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *part));
    size_t count = 0;
    if (part == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < v->count; i++)
        if (ns_is_of_value(&v->scored[i], of))
            part[count++] = v->scored[i];
    const ns_status status = ns_advice_list(v->records, part, count, v->options.confidence, advice, err);
    ns_free(part);
    return status;
}

static const ns_table_column of_advice[] = {{"cases", NS_COL(ns_advice, cases)},
                                            {"right", NS_COL(ns_advice, right)},
                                            {"lost_mean", NS_COL(ns_advice, lost_mean)},
                                            {"lost_worst", NS_COL(ns_advice, lost_worst)},
                                            {"error_between", NS_COL(ns_advice, between)},
                                            {"clear", NS_COL(ns_advice, clear)},
                                            {"clear_right", NS_COL(ns_advice, clear_right)},
                                            {NULL}};

ns_status ns_validate_advice(const ns_validation *v, ns_value *list, ns_error *err)
{
    static const char *const columns[] = {"machine", "class"};
    ns_status status = NS_OK;
    const size_t used =
        ns_records_are_dense(v->records) ? 1 : sizeof columns / sizeof *columns; /* these have no class */
    for (size_t c = 0; c < used && status == NS_OK; c++) {
        const char **value;
        size_t values;
        NS_TRY(ns_validate_values(v, columns[c], &value, &values, err));
        for (size_t i = 0; status == NS_OK && i < values; i++) {
            const ns_of_value of = {v->records, columns[c], value[i]};
            ns_advice advice;
            status = find_advice(v, &of, &advice, err);
            if (status != NS_OK || advice.cases == 0)
                continue;
            ns_value *row = ns_value_object(list, NULL);
            ns_value_text(row, "column", columns[c]);
            ns_value_text(row, "value", value[i]);
            ns_put_columns(row, of_advice, &advice);
        }
        ns_free(value);
    }
    return status;
}

/* ---- worst ------------------------------------------------------------------------------------------------------- */

static double miss(const ns_scored *s)
{
    return fabs(log2(s->price.estimate_s / s->measured_s));
}

static int by_miss(const void *a, const void *b)
{
    const ns_scored *x = *(const ns_scored *const *)a, *y = *(const ns_scored *const *)b;
    return miss(x) > miss(y) ? -1 : miss(x) < miss(y) ? 1 : (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

ns_status ns_validate_worst(const ns_validation *v, int32_t most, ns_value *list, ns_error *err)
{
    const ns_scored **order = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *order));
    double *p = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *p));
    double *of_tried = ns_malloc(ns_size_mul(ns_size_add(v->tries, 1), sizeof *of_tried));
    ns_status status = order != NULL && p != NULL && of_tried != NULL
                           ? ns_judge_p_best(v->tried, v->tries, of_tried, err)
                           : ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < v->count; i++) {
        order[i] = &v->scored[i];
        p[i] = NAN; /* probability of each to be the fastest way of its exchange; none where it is the only one */
    }
    for (size_t i = v->tries; status == NS_OK && i-- > 0;)
        p[v->tried[i].of] = of_tried[i];
    if (status == NS_OK)
        qsort(order, v->count, sizeof *order, by_miss);
    for (size_t i = 0; status == NS_OK && i < v->count && i < (size_t)most; i++) {
        const ns_scored *s = order[i];
        ns_value *row = ns_value_object(list, NULL);
        ns_row_id(v->records, s->rows[0], row);
        ns_value_text(row, "strategy", first_text(v->records, s, "strategy"));
        ns_value_text(row, "transport", first_text(v->records, s, "transport"));
        ns_value_number(row, "measured_s", s->measured_s, NS_SECOND);
        ns_value_number(row, "predicted_s", s->price.estimate_s, NS_SECOND);
        ns_value_count(row, "ratio", s->price.estimate_s / s->measured_s);
        ns_put_count(row, "p_best", NS_EVERYWHERE, p[s - v->scored]);
        ns_price_terms(&s->price, 0, row);
    }
    ns_free(order);
    ns_free(p);
    ns_free(of_tried);
    return status;
}

/* ---- forms and ablations ----------------------------------------------------------------------------------------- */

/* The quality of a cost model on each machine: its error, and whether its choices can be followed. */
static ns_status add_form(ns_validation *v, const ns_price_options *options, const char *name, const char *meaning,
                          ns_value *list, ns_error *err)
{
    NS_OWN(ns_free) const char **machine = NULL;
    NS_OWN(ns_free) ns_scored *scored = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *scored));
    size_t machines = 0;
    ns_validation copy = *v;
    copy.scored = scored;
    if (scored == NULL)
        return ns_no_memory(err);
    memcpy(copy.scored, v->scored, v->count * sizeof *copy.scored);
    ns_status status = ns_validate_price(&copy, options, NULL, NULL, err);
    if (status == NS_OK)
        status = ns_validate_values(&copy, "machine", &machine, &machines, err);
    v->machines = copy.machines;
    NS_TRY(status);
    for (size_t i = 0; i < machines; i++) {
        const ns_of_value of = {v->records, "machine", machine[i]};
        ns_score score;
        ns_advice advice;
        NS_TRY(ns_score_list(scored, copy.count, ns_is_of_value, &of, &score, err));
        NS_TRY(find_advice(&copy, &of, &advice, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "machine", machine[i]);
        ns_value_text(row, "form", name);
        ns_put_columns(row, of_score, &score);
        ns_put_count(row, "right", NS_EVERYWHERE, advice.cases > 0 ? advice.right : (double)NAN);
        ns_put_count(row, "lost_mean", NS_EVERYWHERE, advice.cases > 0 ? advice.lost_mean : (double)NAN);
        ns_value_text(row, "instead", meaning);
    }
    return NS_OK;
}

ns_status ns_validate_forms(ns_validation *v, ns_value *list, ns_error *err)
{
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    for (size_t i = 0; i < count; i++)
        NS_TRY(add_form(v, &(ns_price_options){.form = forms[i], .confidence = v->options.confidence}, forms[i]->name,
                        "", list, err));
    for (size_t i = 0; i < count; i++)
        for (int part = 0; forms[i]->parts != NULL && forms[i]->parts[part].name != NULL; part++) {
            const ns_price_options options = {
                .form = forms[i], .confidence = v->options.confidence, .without = 1u << part};
            char name[60];
            snprintf(name, sizeof name, "%s without %s", forms[i]->name, forms[i]->parts[part].name);
            NS_TRY(add_form(v, &options, name, forms[i]->parts[part].without, list, err));
        }
    return NS_OK;
}

/* ---- leave one out ----------------------------------------------------------------------------------------------- */

/* Rows of one machine and transport, with or without a value of a column: they share their model error. */
typedef struct fold {
    ns_of_value machine, transport, of;
    bool without;
} fold;

static bool is_in_fold(const ns_scored *scored, const void *context)
{
    const fold *f = context;
    return ns_is_of_value(scored, &f->machine) && ns_is_of_value(scored, &f->transport) &&
           ns_is_of_value(scored, &f->of) != f->without;
}

static ns_status leave_out(const ns_validation *v, fold *f, ns_scored *part, ns_value *list, ns_error *err)
{
    double error;
    ns_score score, taught;
    size_t count = 0;
    f->without = true;
    NS_TRY(ns_model_error(v->scored, v->count, is_in_fold, f, v->options.confidence, &error, err));
    f->without = false;
    for (size_t i = 0; i < v->count && error > 0; i++)
        if (is_in_fold(&v->scored[i], f)) {
            part[count] = v->scored[i];
            ns_price_widen(&part[count++].price, error, ns_price_width(v->options.confidence));
        }
    NS_TRY(ns_score_list(part, count, NULL, NULL, &score, err));
    if (count == 0)
        return NS_OK;
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", f->machine.value);
    ns_value_text(row, "transport", f->transport.value);
    ns_value_text(row, f->of.column, f->of.value);
    ns_value_count(row, "error_of_others", error);
    ns_put_columns(row, of_score, &score);
    if (part[0].price.form->error == NULL) /* a form without a model error learns nothing */
        return NS_OK;
    /* The median |log2(predicted / measured)| of the rows left out, using the calibration from the others. */
    ns_residual_found found[NS_MEMORIES];
    NS_OWN(ns_free) ns_scored *others = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *others));
    size_t n = 0;
    if (others == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < v->count; i++)
        if (ns_is_of_value(&v->scored[i], &f->machine) && !ns_is_of_value(&v->scored[i], &f->of))
            others[n++] = v->scored[i];
    NS_TRY(ns_residual_learn(v->records, others, n, found, err));
    for (size_t i = 0; i < count; i++)
        part[i].price.estimate_s *= exp(ns_residual_found_shift(&found[ns_scored_memory(v->records, &part[i])],
                                                                ns_scored_strategy(v->records, &part[i]),
                                                                &part[i].price));
    NS_TRY(ns_score_list(part, count, NULL, NULL, &taught, err));
    ns_value_count(row, "log2_taught", taught.log2_median);
    return NS_OK;
}

ns_status ns_validate_leave_out(const ns_validation *v, const char *column, ns_value *list, ns_error *err)
{
    const char *const columns[] = {"machine", "transport", column};
    const char **text[3] = {NULL, NULL, NULL};
    size_t count[3] = {0, 0, 0};
    ns_scored *part = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *part));
    ns_status status = part != NULL ? NS_OK : ns_no_memory(err);
    for (size_t i = 0; i < 3 && status == NS_OK; i++)
        status = ns_validate_values(v, columns[i], &text[i], &count[i], err);
    for (size_t i = 0; status == NS_OK && i < count[0] * count[1] * count[2]; i++) {
        fold f = {{v->records, columns[0], text[0][i / count[2] / count[1]]},
                  {v->records, columns[1], text[1][i / count[2] % count[1]]},
                  {v->records, columns[2], text[2][i % count[2]]},
                  false};
        status = leave_out(v, &f, part, list, err);
    }
    ns_free(part);
    for (size_t i = 0; i < 3; i++)
        ns_free(text[i]);
    return status;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

ns_status ns_validate_try(ns_validation *v, ns_error *err)
{
    NS_TRY(ns_tried_make(v->records, v->scored, v->count, &v->tried, &v->tries, err));
    for (size_t i = 0; i < v->tries; i++) {
        ns_tried *t = &v->tried[i];
        const ns_scored *s = &v->scored[t->of];
        const ns_machine *machine;
        if (i > 0 && t->at == t[-1].at) {
            t->kappa = t[-1].kappa;
            t->doubt = t[-1].doubt;
            t->lambda = t[-1].lambda;
            continue;
        }
        NS_TRY(ns_row_machine_get(&v->machines, v->records, s->rows[0], &machine, err));
        const ns_belief belief = ns_belief_of(machine, s->price.form);
        ns_way ways[NS_WAYS];
        ns_way_of of[NS_WAYS];
        size_t count = 0;
        for (; count < NS_WAYS && i + count < v->tries && t[count].at == t->at; count++) {
            ways[count] = (ns_way){t[count].predicted_s, t[count].nest, 0};
            of[count] = (ns_way_of){ns_strategies()[t[count].way / NS_TRANSPORTS],
                                    (ns_transport)(t[count].way % NS_TRANSPORTS)};
        }
        t->kappa = belief.kappa;
        t->doubt = ns_belief_doubt(&belief, machine, ways, of, count);
        t->lambda = belief.lambda;
    }
    return NS_OK;
}

static const char *text_of(const ns_validation *v, const ns_tried *t, const char *column)
{
    return ns_record_text(v->records, v->scored[t->of].rows[0], column);
}

/* A computation over the cases of every machine that has some: a case belongs to the machine of its first way's row. */
typedef struct job job;
struct job {
    const ns_validation *v;
    const char *machine, *basis, *column;
    int incumbent;
    ns_value *list, *calibration, *reliability;
    ns_status (*run)(const job *j, ns_tried *part, size_t count, ns_error *err);
};

static ns_status for_machines(job *j, ns_error *err)
{
    const ns_validation *v = j->v;
    NS_OWN(ns_free) const char **machine = NULL;
    NS_OWN(ns_free) ns_tried *part = ns_malloc(ns_size_mul(ns_size_add(v->tries, 1), sizeof *part));
    size_t machines = 0;
    if (part == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_validate_values(v, "machine", &machine, &machines, err));
    for (size_t m = 0; m < machines; m++) {
        size_t count = 0;
        bool take = false;
        for (size_t i = 0; i < v->tries; i++) {
            if (i == 0 || v->tried[i].at != v->tried[i - 1].at)
                take = strcmp(text_of(v, &v->tried[i], "machine"), machine[m]) == 0;
            if (take)
                part[count++] = v->tried[i];
        }
        j->machine = machine[m];
        if (count > 0)
            NS_TRY(j->run(j, part, count, err));
    }
    return NS_OK;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

typedef struct rule_row {
    const char *machine, *rule;
    ns_rule_score apart, all;
} rule_row;

static const ns_table_column of_rule[] = {{"machine", NS_COL(rule_row, machine)},
                                          {"rule", NS_COL(rule_row, rule)},
                                          {"cases", NS_COL(rule_row, apart.cases)},
                                          {"right", NS_COL(rule_row, apart.right)},
                                          {"lost_mean", NS_COL(rule_row, apart.lost_mean)},
                                          {"lost_q90", NS_COL(rule_row, apart.lost_q90)},
                                          {"lost_worst", NS_COL(rule_row, apart.lost_worst)},
                                          {"advice_lost_mean", NS_COL(rule_row, apart.advice_lost_mean)},
                                          {"all_cases", NS_COL(rule_row, all.cases)},
                                          {"all_right", NS_COL(rule_row, all.right)},
                                          {"all_lost_mean", NS_COL(rule_row, all.lost_mean)},
                                          {"all_lost_q90", NS_COL(rule_row, all.lost_q90)},
                                          {NULL}};

static ns_status add_rule(const job *j, const char *name, int rule, const ns_tried *part, size_t count, ns_error *err)
{
    rule_row row = {.machine = j->machine, .rule = name};
    NS_TRY(ns_judge_rule(part, count, NS_WHICH_APART, rule, &row.apart, err));
    NS_TRY(ns_judge_rule(part, count, NS_WHICH_ALL, rule, &row.all, err));
    ns_put_row(j->list, of_rule, &row);
    return NS_OK;
}

static bool was_tried(const ns_tried *part, size_t count, int way)
{
    for (size_t i = 0; i < count; i++)
        if (part[i].way == way)
            return true;
    return false;
}

static ns_status add_rules(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    const ns_strategy *strategy[NS_CHOICES];
    size_t strategies = 0;
    while (ns_strategies()[strategies] != NULL)
        strategies++;
    strategies = ns_strategies_sort(ns_strategies(), strategies, strategy, NS_CHOICES);
    char name[80], way_name[60];
    NS_TRY(add_rule(j, "the advice", NS_RULE_ADVICE, part, count, err));
    for (size_t i = 0; i < NS_TRANSPORTS * strategies; i++) {
        const int way = ns_way_number(strategy[i / NS_TRANSPORTS], (ns_transport)(i % NS_TRANSPORTS));
        if (!was_tried(part, count, way))
            continue;
        snprintf(name, sizeof name, "always %s%s", ns_way_name(way, way_name, sizeof way_name),
                 way == j->incumbent ? " (incumbent)" : "");
        NS_TRY(add_rule(j, name, way, part, count, err));
    }
    return NS_OK;
}

ns_status ns_validate_rules(const ns_validation *v, int incumbent, ns_value *list, ns_error *err)
{
    char name[60];
    if (incumbent >= 0 && !was_tried(v->tried, v->tries, incumbent))
        return ns_fail_at(err, NS_ERR_DATA, v->records->file, 0, 0,
                          "%s, which is in use, was measured in no exchange that was done in several ways",
                          ns_way_name(incumbent, name, sizeof name));
    job j = {.v = v, .incumbent = incumbent, .list = list, .run = add_rules};
    return for_machines(&j, err);
}

/* ---- calibration ------------------------------------------------------------------------------------------------- */

/* The evaluation of all cases, and under the group's name that of the left-out cases. */
static const ns_table_column of_all[] = {{"kappa", NS_COL(ns_judged_calibration, kappa)},
                                         {"lambda", NS_COL(ns_judged_calibration, lambda)},
                                         {"cases", NS_COL(ns_judged_calibration, cases)},
                                         {"brier", NS_COL(ns_judged_calibration, brier)},
                                         {"brier_uniform", NS_COL(ns_judged_calibration, brier_uniform)},
                                         {"log_loss", NS_COL(ns_judged_calibration, log_loss)},
                                         {"log_loss_uniform", NS_COL(ns_judged_calibration, log_loss_uniform)},
                                         {"q90_covers", NS_COL(ns_judged_calibration, q90_covers)},
                                         {"q90_should", NS_COL(ns_judged_calibration, q90_should)},
                                         {"ratios", NS_COL(ns_judged_calibration, ratios)},
                                         {"ratio_covers", NS_COL(ns_judged_calibration, ratio_covers)},
                                         {NULL}};
static const ns_table_column of_group[] = {{"kappa_of_others", NS_COL(ns_judged_calibration, kappa)},
                                           {"lambda_of_others", NS_COL(ns_judged_calibration, lambda)},
                                           {"cases", NS_COL(ns_judged_calibration, cases)},
                                           {"brier", NS_COL(ns_judged_calibration, brier)},
                                           {"log_loss", NS_COL(ns_judged_calibration, log_loss)},
                                           {"log_loss_uniform", NS_COL(ns_judged_calibration, log_loss_uniform)},
                                           {"q90_covers", NS_COL(ns_judged_calibration, q90_covers)},
                                           {"q90_should", NS_COL(ns_judged_calibration, q90_should)},
                                           {"ratio_covers", NS_COL(ns_judged_calibration, ratio_covers)},
                                           {NULL}};
static const ns_table_column of_bin[] = {{"p_from", NS_COL(ns_reliability, from)},
                                         {"p_to", NS_COL(ns_reliability, to)},
                                         {"ways", NS_COL(ns_reliability, ways)},
                                         {"p_mean", NS_COL(ns_reliability, p_mean)},
                                         {"fastest", NS_COL(ns_reliability, fastest)},
                                         {"choices", NS_COL(ns_reliability, choices)},
                                         {"choice_p_mean", NS_COL(ns_reliability, choice_p_mean)},
                                         {"choice_fastest", NS_COL(ns_reliability, choice_fastest)},
                                         {NULL}};

static ns_value *add_row(const job *j, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", j->machine);
    ns_value_text(row, "kappa_from", j->basis);
    return row;
}

static ns_status add_calibration(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    ns_judged_calibration s;
    ns_reliability bin[NS_RELIABILITY_BINS];
    NS_TRY(ns_judge_calibration(part, count, NS_WHICH_ALL, &s, err));
    ns_put_columns(add_row(j, j->calibration), of_all, &s);
    NS_TRY(ns_judge_reliability(part, count, NS_WHICH_ALL, bin, err));
    for (int b = 0; b < NS_RELIABILITY_BINS; b++)
        if (bin[b].ways > 0)
            ns_put_columns(add_row(j, j->reliability), of_bin, &bin[b]);
    return NS_OK;
}

ns_status ns_validate_calibration(const ns_validation *v, ns_value *calibration, ns_value *reliability, ns_error *err)
{
    job j = {.v = v,
             .basis = "machine", /* from the machine's file */
             .calibration = calibration,
             .reliability = reliability,
             .run = add_calibration};
    return for_machines(&j, err);
}

/* ---- kappa without a group --------------------------------------------------------------------------------------- */

static ns_status add_choice(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    /* A case belongs to the group of its first way; groups are numbered in order of appearance. */
    int groups = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        if (i > 0 && part[i].at == part[i - 1].at) {
            part[i].group = part[i - 1].group;
            continue;
        }
        while (k < i && strcmp(text_of(j->v, &part[k], j->column), text_of(j->v, &part[i], j->column)) != 0)
            k++;
        while (k > 0 && k < i && part[k].at == part[k - 1].at)
            k--;
        part[i].group = k < i ? part[k].group : groups++;
    }
    if (groups < 2)
        return NS_OK;
    NS_TRY(ns_choice_leave_out(part, count, err));
    ns_tried *own = ns_calloc(ns_size_add(count, 1), sizeof *own);
    ns_status status = own != NULL ? NS_OK : ns_no_memory(err);
    for (int group = 0; group < groups && status == NS_OK; group++) {
        ns_judged_calibration s;
        size_t tries = 0;
        for (size_t i = 0; i < count; i++)
            if (part[i].group == group)
                own[tries++] = part[i];
        status = ns_judge_calibration(own, tries, NS_WHICH_ALL, &s, err);
        if (status != NS_OK)
            break;
        ns_value *row = ns_value_object(j->list, NULL);
        ns_value_text(row, "machine", j->machine);
        ns_value_text(row, j->column, text_of(j->v, own, j->column));
        ns_put_columns(row, of_group, &s);
    }
    ns_free(own);
    NS_TRY(status);
    return add_calibration(j, part, count, err);
}

ns_status ns_validate_choice(const ns_validation *v, const char *column, ns_value *list, ns_value *calibration,
                             ns_value *reliability, ns_error *err)
{
    char basis[100];
    snprintf(basis, sizeof basis, "other %.80s", column);
    job j = {.v = v,
             .basis = basis,
             .column = column,
             .list = list,
             .calibration = calibration,
             .reliability = reliability,
             .run = add_choice};
    return for_machines(&j, err);
}

/* ---- what dense rows leave out ----------------------------------------------------------------------------------- */

void ns_validate_leave_ways(const ns_validation *v, ns_value *left_out)
{
    for (size_t row = 0; row < v->records->rows; row++) {
        const ns_strategy *strategy;
        ns_transport transport;
        ns_error problem = {0};
        double measured;
        if (v->records->row[row].problem == NULL && ns_row_is_wanted(v->records, row, v->args) &&
            ns_record_measured(v->records, row, &measured) &&
            ns_record_way(v->records, row, &strategy, &transport, &problem) != NS_OK)
            ns_row_left_out(v->records, row, &problem, left_out, NULL);
    }
}

void ns_validate_leave_notes(const ns_value *left_out, ns_value *result)
{
    if (left_out == NULL || !ns_value_complete(left_out))
        return;
    for (const ns_value *row = left_out->first; row != NULL; row = row->next) {
        const char *reason = ns_value_get(row, "reason")->text;
        size_t rows = 0;
        const ns_value *first = NULL; /* that has it */
        for (const ns_value *one = left_out->first; one != NULL; one = one->next)
            if (strcmp(ns_value_get(one, "reason")->text, reason) == 0) {
                first = first != NULL ? first : one;
                rows++;
            }
        if (first == row)
            ns_note(result, "left out   %zu row%s: %s", rows, rows == 1 ? "" : "s", reason);
    }
}
