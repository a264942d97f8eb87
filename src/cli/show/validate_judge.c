/* validate_judge.c -- validate: is the advice worth following, and do its probabilities hold? */
#include "cli/show/validate.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static ns_status add_beliefs(ns_validation *v, ns_error *err)
{
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

ns_status ns_validate_try(ns_validation *v, ns_error *err)
{
    NS_TRY(ns_tried_make(v->records, v->scored, v->count, &v->tried, &v->tries, err));
    return add_beliefs(v, err);
}

static const char *text_of(const ns_validation *v, const ns_tried *t, const char *column)
{
    return ns_record_text(v->records, v->scored[t->of].rows[0], column);
}

/* The cases whose first way has this machine in its row; *part: free it. */
static ns_status cases_of(const ns_validation *v, const char *machine, ns_tried **part, size_t *count, ns_error *err)
{
    ns_tried *list = ns_malloc(ns_size_mul(ns_size_add(v->tries, 1), sizeof *list));
    bool take = false;
    if (list == NULL)
        return ns_no_memory(err);
    *count = 0;
    for (size_t i = 0; i < v->tries; i++) {
        if (i == 0 || v->tried[i].at != v->tried[i - 1].at)
            take = strcmp(text_of(v, &v->tried[i], "machine"), machine) == 0;
        if (take)
            list[(*count)++] = v->tried[i];
    }
    *part = list;
    return NS_OK;
}

/* Do something for every machine that has cases. */
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
    const char **machine;
    size_t machines;
    NS_TRY(ns_validate_values(j->v, "machine", &machine, &machines, err));
    ns_status status = NS_OK;
    for (size_t i = 0; status == NS_OK && i < machines; i++) {
        ns_tried *part = NULL;
        size_t count = 0;
        j->machine = machine[i];
        status = cases_of(j->v, machine[i], &part, &count, err);
        if (status != NS_OK)
            break;
        if (count > 0)
            status = j->run(j, part, count, err);
        ns_free(part);
    }
    ns_free(machine);
    return status;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static ns_status add_rule(const job *j, const char *name, int rule, const ns_tried *part, size_t count, ns_error *err)
{
    ns_rule_score apart, all;
    NS_TRY(ns_judge_rule(part, count, NS_WHICH_APART, rule, &apart, err));
    NS_TRY(ns_judge_rule(part, count, NS_WHICH_ALL, rule, &all, err));
    ns_value *row = ns_value_object(j->list, NULL);
    ns_value_text(row, "machine", j->machine);
    ns_value_text(row, "rule", name);
    ns_value_count(row, "cases", (double)apart.cases);
    ns_value_count(row, "right", apart.right);
    ns_value_count(row, "lost_mean", apart.lost_mean);
    ns_value_count(row, "lost_q90", apart.lost_q90);
    ns_value_count(row, "lost_worst", apart.lost_worst);
    ns_value_count(row, "advice_lost_mean", apart.advice_lost_mean);
    ns_value_count(row, "all_cases", (double)all.cases);
    ns_value_count(row, "all_right", all.right);
    ns_value_count(row, "all_lost_mean", all.lost_mean);
    ns_value_count(row, "all_lost_q90", all.lost_q90);
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

static ns_status add_calibration(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    ns_judged_calibration s;
    NS_TRY(ns_judge_calibration(part, count, NS_WHICH_ALL, &s, err));
    ns_value *row = ns_value_object(j->calibration, NULL);
    ns_value_text(row, "machine", j->machine);
    ns_value_text(row, "kappa_from", j->basis);
    ns_value_count(row, "kappa", s.kappa);
    ns_value_count(row, "lambda", s.lambda);
    ns_value_count(row, "cases", (double)s.cases);
    ns_value_count(row, "brier", s.brier);
    ns_value_count(row, "brier_uniform", s.brier_uniform);
    ns_value_count(row, "log_loss", s.log_loss);
    ns_value_count(row, "log_loss_uniform", s.log_loss_uniform);
    ns_value_count(row, "q90_covers", s.q90_covers);
    ns_value_count(row, "q90_should", s.q90_should);
    ns_value_count(row, "ratios", (double)s.ratios);
    ns_value_count(row, "ratio_covers", s.ratio_covers);
    return NS_OK;
}

static ns_status add_reliability(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    ns_reliability bin[NS_RELIABILITY_BINS];
    NS_TRY(ns_judge_reliability(part, count, NS_WHICH_ALL, bin, err));
    for (int b = 0; b < NS_RELIABILITY_BINS; b++) {
        if (bin[b].ways == 0)
            continue;
        ns_value *row = ns_value_object(j->reliability, NULL);
        ns_value_text(row, "machine", j->machine);
        ns_value_text(row, "kappa_from", j->basis);
        ns_value_count(row, "p_from", bin[b].from);
        ns_value_count(row, "p_to", bin[b].to);
        ns_value_count(row, "ways", (double)bin[b].ways);
        ns_value_count(row, "p_mean", bin[b].p_mean);
        ns_value_count(row, "fastest", bin[b].fastest);
        ns_value_count(row, "choices", (double)bin[b].choices);
        ns_value_count(row, "choice_p_mean", bin[b].choice_p_mean);
        ns_value_count(row, "choice_fastest", bin[b].choice_fastest);
    }
    return NS_OK;
}

static const char machine_file[] = "machine";

ns_status ns_validate_calibration(const ns_validation *v, ns_value *list, ns_error *err)
{
    job j = {.v = v, .basis = machine_file, .calibration = list, .run = add_calibration};
    return for_machines(&j, err);
}

ns_status ns_validate_reliability(const ns_validation *v, ns_value *list, ns_error *err)
{
    job j = {.v = v, .basis = machine_file, .reliability = list, .run = add_reliability};
    return for_machines(&j, err);
}

/* ---- kappa without a group --------------------------------------------------------------------------------------- */

/* A case belongs to the group of its first way. */
static size_t number_groups(const job *j, ns_tried *part, size_t count)
{
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
    return (size_t)groups;
}

static ns_status add_group(const job *j, const ns_tried *part, size_t count, int group, ns_error *err)
{
    ns_tried *own = ns_calloc(ns_size_add(count, 1), sizeof *own);
    ns_judged_calibration s;
    size_t tries = 0;
    if (own == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++)
        if (part[i].group == group)
            own[tries++] = part[i];
    const ns_status status = ns_judge_calibration(own, tries, NS_WHICH_ALL, &s, err);
    if (status == NS_OK) {
        ns_value *row = ns_value_object(j->list, NULL);
        ns_value_text(row, "machine", j->machine);
        ns_value_text(row, j->column, text_of(j->v, own, j->column));
        ns_value_count(row, "kappa_of_others", s.kappa);
        ns_value_count(row, "lambda_of_others", s.lambda);
        ns_value_count(row, "cases", (double)s.cases);
        ns_value_count(row, "brier", s.brier);
        ns_value_count(row, "log_loss", s.log_loss);
        ns_value_count(row, "log_loss_uniform", s.log_loss_uniform);
        ns_value_count(row, "q90_covers", s.q90_covers);
        ns_value_count(row, "q90_should", s.q90_should);
        ns_value_count(row, "ratio_covers", s.ratio_covers);
    }
    ns_free(own);
    return status;
}

static ns_status add_choice(const job *j, ns_tried *part, size_t count, ns_error *err)
{
    const size_t groups = number_groups(j, part, count);
    if (groups < 2)
        return NS_OK;
    NS_TRY(ns_choice_leave_out(part, count, err));
    for (size_t g = 0; g < groups; g++)
        NS_TRY(add_group(j, part, count, (int)g, err));
    NS_TRY(add_calibration(j, part, count, err));
    return add_reliability(j, part, count, err);
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

void ns_validate_leave(const ns_records *records, size_t row, const char *reason, ns_value *left_out)
{
    ns_value *object = ns_value_object(left_out, NULL);
    ns_row_id(records, row, object);
    ns_value_count(object, "line", (double)records->row[row].line);
    ns_value_text(object, "reason", reason);
}

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
            ns_validate_leave(v->records, row, problem.text, left_out);
    }
}

static bool is_first(const ns_value *list, const ns_value *row)
{
    const char *reason = ns_value_get(row, "reason")->text;
    for (const ns_value *one = list->first; one != row; one = one->next)
        if (strcmp(ns_value_get(one, "reason")->text, reason) == 0)
            return false;
    return true;
}

void ns_validate_leave_notes(const ns_value *left_out, ns_value *result)
{
    if (left_out == NULL || !ns_value_complete(left_out))
        return;
    for (const ns_value *row = left_out->first; row != NULL; row = row->next) {
        const char *reason = ns_value_get(row, "reason")->text;
        size_t rows = 0;
        if (!is_first(left_out, row))
            continue;
        for (const ns_value *one = row; one != NULL; one = one->next)
            rows += strcmp(ns_value_get(one, "reason")->text, reason) == 0;
        ns_note(result, "left out   %zu row%s: %s", rows, rows == 1 ? "" : "s", reason);
    }
}
