/* sweep.c -- every point of some axes, the first of them running fastest */
#include "core/memory.h"
#include "study/curves.h"

#include <stdlib.h>

enum { POINTS_MOST = 1000000 };
static const double TIE = 0.10; /* closed forms have no interval: two times that differ by less are a tie */

typedef struct store {
    ns_sweep seen;             /* first: what callers have */
    double *value;             /* [points][curves], then [points][outputs] */
    double *output;            /* behind the values */
    double *p_best;            /* [points][curves] behind those; of schedules */
    unsigned char *verdict;    /* [points]; of schedules */
    ns_comparison *comparison; /* the last one; of schedules */
} store;

static const store *look(const ns_sweep *sweep)
{
    return (const store *)(const void *)sweep;
}

static size_t count_outputs(const ns_curves *curves)
{
    const ns_model *model = ns_curves_at(curves, 0)->model;
    size_t count = 0;
    while (curves->count == 1 && model != NULL && model->outputs[count].kind != NS_FIELD_END)
        count++;
    return count;
}

/* All its outputs, the terms among them. */
static ns_status evaluate_outputs(const store *s, size_t point, const ns_setting *setting, ns_error *err)
{
    ns_binding closed;
    ns_model_buffer out;
    double *output = s->output + point * s->seen.outputs;
    if (s->seen.outputs == 0)
        return NS_OK;
    NS_TRY(ns_curves_eval(s->seen.curves, 0, setting, s->seen.axes, &closed, &out, err));
    for (size_t i = 0; i < s->seen.outputs; i++)
        output[i] = ns_field_number(&closed.model->outputs[i], &out);
    return NS_OK;
}

/* The strategies of a point side by side, by their schedules. */
static ns_status evaluate_schedules(const store *s, size_t point, const ns_setting *setting, ns_error *err)
{
    ns_scenario scenario = *ns_curves_scenario(s->seen.curves);
    const size_t curves = (size_t)s->seen.curves->count;
    const ns_comparison *c = s->comparison;
    for (int a = 0; a < s->seen.axes; a++)
        NS_TRY(ns_scenario_set(&scenario, setting[a].name, setting[a].number, err));
    NS_TRY(ns_scenario_compare(&scenario, s->seen.curves, s->comparison, err));
    for (size_t k = 0; k < curves; k++) {
        s->value[point * curves + k] = c->choice[k].price.estimate_s;
        s->p_best[point * curves + k] = c->decision.best >= 0 ? c->decision.p_best[k] : -1;
    }
    s->verdict[point] = (unsigned char)c->verdict;
    return NS_OK;
}

static ns_status evaluate(const store *s, size_t point, ns_error *err)
{
    ns_setting setting[NS_AXES];
    const size_t curves = (size_t)s->seen.curves->count;
    size_t rest = point;
    for (int a = 0; a < s->seen.axes; a++) {
        setting[a] = ns_axis_setting(s->seen.axis[a], rest % s->seen.axis[a]->count);
        rest /= s->seen.axis[a]->count;
    }
    if (s->seen.schedules)
        return evaluate_schedules(s, point, setting, err);
    for (size_t k = 0; k < curves; k++)
        NS_TRY(ns_curves_value(s->seen.curves, (int)k, setting, s->seen.axes, &s->value[point * curves + k], err));
    return evaluate_outputs(s, point, setting, err);
}

static ns_status count_points(store *s, ns_error *err)
{
    s->seen.points = 1;
    for (int a = 0; a < s->seen.axes; a++) {
        const size_t count = s->seen.axis[a]->count;
        if (count == 0)
            return ns_fail(err, NS_ERR_DATA, "%s has no value to vary over", s->seen.axis[a]->name);
        if (s->seen.points > SIZE_MAX / count || s->seen.points * count > POINTS_MOST)
            return ns_fail(err, NS_ERR_LIMIT, "%zu points are too many; at most %d",
                           s->seen.points > SIZE_MAX / count ? SIZE_MAX : s->seen.points * count, (int)POINTS_MOST);
        s->seen.points *= count;
    }
    return NS_OK;
}

static ns_status run(store *s, const ns_sweep_options *options, ns_error *err)
{
    NS_TRY(count_points(s, err));
    const size_t curves = (size_t)s->seen.curves->count, points = s->seen.points;
    s->value = malloc(ns_size_mul(ns_size_mul(points, 2 * curves + s->seen.outputs), sizeof *s->value));
    s->verdict = calloc(points, 1);
    s->comparison = calloc(1, sizeof *s->comparison);
    if (s->value == NULL || s->verdict == NULL || s->comparison == NULL)
        return ns_no_memory(err);
    s->output = s->value + points * curves;
    s->p_best = s->output + points * s->seen.outputs;
    for (size_t i = 0; i < points; i++) {
        NS_TRY(evaluate(s, i, err));
        if (options != NULL && options->watch != NULL)
            options->watch(options->watcher, (double)(i + 1), (double)points);
    }
    return NS_OK;
}

ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes, const ns_sweep_options *options,
                       ns_sweep **sweep, ns_error *err)
{
    if (axes < 1 || axes > NS_AXES)
        return ns_fail(err, NS_ERR_RANGE, "a sweep has 1 to %d axes, got %d", (int)NS_AXES, axes);
    NS_TRY(ns_curves_check(curves, 0, err));
    store *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->seen = (ns_sweep){.size = sizeof s->seen, .curves = curves, .axes = axes, .outputs = count_outputs(curves)};
    s->seen.schedules = options != NULL && options->schedules;
    for (int a = 0; a < axes; a++)
        s->seen.axis[a] = axis[a];
    ns_status status = run(s, options, err);
    if (status == NS_OK)
        *sweep = &s->seen;
    else
        ns_sweep_free(&s->seen);
    return status;
}

void ns_sweep_free(ns_sweep *sweep)
{
    if (sweep != NULL) {
        free(look(sweep)->value);
        free(look(sweep)->verdict);
        free(look(sweep)->comparison);
    }
    free(sweep);
}

size_t ns_sweep_point(const ns_sweep *sweep, const size_t *at)
{
    size_t point = 0;
    for (int a = sweep->axes - 1; a >= 0; a--)
        point = point * sweep->axis[a]->count + at[a];
    return point;
}

double ns_sweep_value(const ns_sweep *sweep, size_t point, int curve)
{
    return look(sweep)->value[point * (size_t)sweep->curves->count + (size_t)curve];
}

double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve)
{
    return sweep->schedules ? look(sweep)->p_best[point * (size_t)sweep->curves->count + (size_t)curve] : -1;
}

double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index)
{
    return look(sweep)->output[point * sweep->outputs + index];
}

void ns_sweep_rank(const ns_sweep *sweep, size_t point, ns_ranking *ranking)
{
    const int curves = sweep->curves->count;
    const double *value = look(sweep)->value + point * (size_t)curves;
    int best = 0, second = -1;
    for (int k = 1; k < curves; k++)
        if (value[k] < value[best])
            best = k;
    for (int k = 0; k < curves; k++)
        if (k != best && (second < 0 || value[k] < value[second]))
            second = k;
    const bool tie = second >= 0 && value[second] - value[best] < TIE * value[best];
    *ranking = (ns_ranking){.size = sizeof *ranking,
                            .best = best,
                            .second = second,
                            .verdict = sweep->schedules ? (ns_verdict)look(sweep)->verdict[point]
                                       : tie            ? NS_TIE
                                                        : NS_CLEAR};
}
