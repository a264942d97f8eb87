/* validate_tables.c -- what validate prints, from the library's scores */
#include "cli/show/validate.h"
#include "core/memory.h"
#include "records/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell of the first row; of a dense exchange that says by its algorithm which way of the standard one it is, that. */
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

static ns_status price_row(ns_validation *v, size_t row, const ns_price_options *options, ns_dense **kept,
                           ns_price *price, ns_error *err)
{
    const ns_machine *machine;
    NS_TRY(ns_row_machine_get(&v->machines, v->records, row, &machine, err));
    return ns_row_price(kept, v->records, row, machine, options, &v->limits, price, err);
}

static void leave(const ns_validation *v, size_t row, const ns_error *problem, ns_value *left_out, FILE *words)
{
    if (words == NULL)
        return;
    if (ns_records_are_dense(v->records))
        ns_validate_leave(v->records, row, problem->text, left_out);
    else
        ns_row_left_out(v->records, row, problem, left_out, words);
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
        status = price_row(v, s.rows[0], options, &dense, &s.price, &problem);
        if (status == NS_OK && s.price.estimate_s > 0) {
            v->scored[kept++] = s;
            continue;
        }
        if (status != NS_OK)
            leave(v, s.rows[0], &problem, left_out, words);
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

void ns_score_value(const ns_score *score, ns_value *row)
{
    ns_value_count(row, "exchanges", (double)score->count);
    ns_value_count(row, "log2_error", score->log2_median);
    ns_value_count(row, "ratio_10", score->ratio[0]);
    ns_value_count(row, "ratio_50", score->ratio[1]);
    ns_value_count(row, "ratio_90", score->ratio[2]);
    ns_value_count(row, "within_2x", score->within_2);
    ns_value_count(row, "within_25", score->within_25);
    ns_value_count(row, "covered", score->covered);
}

ns_status ns_validate_by(const ns_validation *v, const char *column, ns_value *list, ns_error *err)
{
    const char **value;
    size_t values;
    NS_TRY(ns_validate_values(v, column, &value, &values, err));
    ns_status status = NS_OK;
    for (size_t i = 0; status == NS_OK && i < values; i++) {
        const ns_of_value of = {v->records, column, value[i]};
        ns_score score;
        status = ns_score_list(v->scored, v->count, ns_is_of_value, &of, &score, err);
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "column", column);
        ns_value_text(row, "value", value[i]);
        ns_score_value(&score, row);
    }
    ns_free(value);
    return status;
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* The advice over the rows of a value. */
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

static ns_status advice_of(const ns_validation *v, const char *column, const char *value, ns_value *list, ns_error *err)
{
    const ns_of_value of = {v->records, column, value};
    ns_advice advice;
    NS_TRY(find_advice(v, &of, &advice, err));
    if (advice.cases == 0)
        return NS_OK;
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "column", column);
    ns_value_text(row, "value", value);
    ns_value_count(row, "cases", (double)advice.cases);
    ns_value_count(row, "right", advice.right);
    ns_value_count(row, "lost_mean", advice.lost_mean);
    ns_value_count(row, "lost_worst", advice.lost_worst);
    ns_value_count(row, "error_between", advice.between);
    ns_value_count(row, "clear", (double)advice.clear);
    ns_value_count(row, "clear_right", advice.clear_right);
    return NS_OK;
}

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
        for (size_t i = 0; status == NS_OK && i < values; i++)
            status = advice_of(v, columns[c], value[i], list, err);
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

/* P of each scored row to be the fastest way of its exchange; -1 where it is the only one. */
static ns_status find_p_best(const ns_validation *v, double *p, ns_error *err)
{
    double *of_tried = ns_malloc(ns_size_mul(ns_size_add(v->tries, 1), sizeof *of_tried));
    if (of_tried == NULL)
        return ns_no_memory(err);
    const ns_status status = ns_judge_p_best(v->tried, v->tries, of_tried, err);
    for (size_t i = 0; i < v->count; i++)
        p[i] = -1;
    for (size_t i = v->tries; status == NS_OK && i-- > 0;)
        p[v->tried[i].of] = of_tried[i];
    ns_free(of_tried);
    return status;
}

static void add_worst(const ns_validation *v, const ns_scored *s, double p_best, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_row_id(v->records, s->rows[0], row);
    ns_value_text(row, "strategy", first_text(v->records, s, "strategy"));
    ns_value_text(row, "transport", first_text(v->records, s, "transport"));
    ns_value_number(row, "measured_s", s->measured_s, NS_SECOND);
    ns_value_number(row, "predicted_s", s->price.estimate_s, NS_SECOND);
    ns_value_count(row, "ratio", s->price.estimate_s / s->measured_s);
    if (p_best >= 0)
        ns_value_count(row, "p_best", p_best);
    else
        ns_value_null(row, "p_best");
    ns_price_terms(&s->price, 0, row);
}

ns_status ns_validate_worst(const ns_validation *v, int32_t most, ns_value *list, ns_error *err)
{
    const ns_scored **order = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *order));
    double *p = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *p));
    ns_status status = order != NULL && p != NULL ? find_p_best(v, p, err) : ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < v->count; i++)
        order[i] = &v->scored[i];
    if (status == NS_OK)
        qsort(order, v->count, sizeof *order, by_miss);
    for (size_t i = 0; status == NS_OK && i < v->count && i < (size_t)most; i++)
        add_worst(v, order[i], p[order[i] - v->scored], list);
    ns_free(order);
    ns_free(p);
    return status;
}

/* ---- forms and ablations ----------------------------------------------------------------------------------------- */

/* What a form is worth on a machine: how far off, and whether one could follow it. */
static ns_status add_form_row(const ns_validation *v, const char *machine, const char *name, const char *meaning,
                              ns_value *list, ns_error *err)
{
    const ns_of_value of = {v->records, "machine", machine};
    ns_score score;
    ns_advice advice;
    NS_TRY(ns_score_list(v->scored, v->count, ns_is_of_value, &of, &score, err));
    NS_TRY(find_advice(v, &of, &advice, err));
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", machine);
    ns_value_text(row, "form", name);
    ns_score_value(&score, row);
    if (advice.cases > 0) {
        ns_value_count(row, "right", advice.right);
        ns_value_count(row, "lost_mean", advice.lost_mean);
    } else {
        ns_value_null(row, "right");
        ns_value_null(row, "lost_mean");
    }
    ns_value_text(row, "instead", meaning);
    return NS_OK;
}

static ns_status add_form(ns_validation *v, const ns_price_options *options, const char *name, const char *meaning,
                          ns_value *list, ns_error *err)
{
    const char **machine = NULL;
    size_t machines;
    ns_validation copy = *v;
    copy.scored = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *copy.scored));
    if (copy.scored == NULL)
        return ns_no_memory(err);
    memcpy(copy.scored, v->scored, v->count * sizeof *copy.scored);
    ns_status status = ns_validate_price(&copy, options, NULL, NULL, err);
    if (status == NS_OK)
        status = ns_validate_values(&copy, "machine", &machine, &machines, err);
    v->machines = copy.machines;
    for (size_t i = 0; status == NS_OK && i < machines; i++)
        status = add_form_row(&copy, machine[i], name, meaning, list, err);
    ns_free(machine);
    ns_free(copy.scored);
    return status;
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

/* The median |log2(predicted / measured)| of those that were left out, with what the others teach. */
static ns_status teach(const ns_validation *v, const fold *f, ns_scored *part, size_t count, ns_score *score,
                       ns_error *err)
{
    ns_residual_found found[NS_MEMORIES];
    ns_scored *others = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *others));
    size_t n = 0;
    if (others == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < v->count; i++)
        if (ns_is_of_value(&v->scored[i], &f->machine) && !ns_is_of_value(&v->scored[i], &f->of))
            others[n++] = v->scored[i];
    ns_status status = ns_residual_learn(v->records, others, n, found, err);
    ns_free(others);
    NS_TRY(status);
    for (size_t i = 0; i < count; i++) {
        const ns_strategy *way;
        ns_transport transport;
        NS_TRY(ns_record_way(v->records, part[i].rows[0], &way, &transport, err));
        part[i].price.estimate_s *=
            exp(ns_residual_found_shift(&found[transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST], way, &part[i].price));
    }
    return ns_score_list(part, count, NULL, NULL, score, err);
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
            ns_price_widen(&part[count++].price, error, v->options.confidence);
        }
    NS_TRY(ns_score_list(part, count, NULL, NULL, &score, err));
    if (count == 0)
        return NS_OK;
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", f->machine.value);
    ns_value_text(row, "transport", f->transport.value);
    ns_value_text(row, f->of.column, f->of.value);
    ns_value_count(row, "error_of_others", error);
    ns_score_value(&score, row);
    if (part[0].price.form->error == NULL) /* another form learns nothing */
        return NS_OK;
    NS_TRY(teach(v, f, part, count, &taught, err));
    ns_value_count(row, "log2_taught", taught.log2_median);
    return NS_OK;
}

typedef struct texts {
    const char **text;
    size_t count;
} texts;

static ns_status leave_out_each(const ns_validation *v, const char *column, const texts *m, const texts *t,
                                const texts *c, ns_value *list, ns_error *err)
{
    ns_scored *part = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *part));
    ns_status status = part != NULL ? NS_OK : ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < m->count * t->count * c->count; i++) {
        fold f = {{v->records, "machine", m->text[i / c->count / t->count]},
                  {v->records, "transport", t->text[i / c->count % t->count]},
                  {v->records, column, c->text[i % c->count]},
                  false};
        status = leave_out(v, &f, part, list, err);
    }
    ns_free(part);
    return status;
}

ns_status ns_validate_leave_out(const ns_validation *v, const char *column, ns_value *list, ns_error *err)
{
    const char *const columns[] = {"machine", "transport", column};
    texts of[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    ns_status status = NS_OK;
    for (size_t i = 0; i < 3 && status == NS_OK; i++)
        status = ns_validate_values(v, columns[i], &of[i].text, &of[i].count, err);
    if (status == NS_OK)
        status = leave_out_each(v, column, &of[0], &of[1], &of[2], list, err);
    for (size_t i = 0; i < 3; i++)
        ns_free(of[i].text);
    return status;
}
