/* sweep.c -- every point of some axes; the index of the first axis varies fastest */
#include "core/context.h"
#include "core/memory.h"
#include "study/study.h"

enum { POINTS_MOST = 1000000, BLOCK = 4096 };
static const double TIE = 0.10; /* closed forms have no interval: two times that differ by less than this are a tie */

/* ---- one point --------------------------------------------------------------------------------------------------- */

static double *value_at(const ns_sweep *s, size_t point)
{
    return s->value + (point - s->first) * (size_t)s->curves->count;
}

static void settings_of(const ns_sweep *s, size_t point, ns_setting setting[NS_AXES])
{
    for (int a = 0; a < s->axes; point /= s->axis[a++]->count) {
        const ns_axis *axis = s->axis[a];
        setting[a] = (ns_setting){.name = axis->name};
        if (axis->word != NULL)
            setting[a].word = axis->word[point % axis->count];
        else
            setting[a].number = axis->number[point % axis->count];
    }
}

/* ---- blocks of points -------------------------------------------------------------------------------------------- */

static ns_status evaluate_one(const ns_sweep *s, int curve, size_t begin, size_t count, size_t *done, ns_error *err)
{
    const ns_model *model = s->curves->curve[curve].model;
    if (s->numbers && model != NULL) {
        /* A model over numeric axes only.  With several curves, an input may exist for only some of them. */
        const ns_binding *binding = &s->curves->curve[curve].binding;
        const size_t outputs = ns_model_outputs(model),
                     at = (size_t)(ns_field_find(model->outputs, s->curves->output) - model->outputs);
        ns_column column[NS_AXES];
        size_t columns = 0;
        double *answer = s->outputs > 0 ? s->output + (begin - s->first) * outputs : s->answer;
        for (int a = 0; a < s->axes; a++)
            if (s->curves->count == 1 || ns_field_find(model->inputs, s->axis[a]->name) != NULL)
                column[columns++] = (ns_column){s->axis[a]->name, s->column[a]};
        const ns_status status = ns_eval_batch(binding, column, columns, count, answer, done, err);
        for (size_t i = 0; i < *done; i++)
            value_at(s, begin + i)[curve] = answer[i * outputs + at];
        return status;
    }
    for (*done = 0; *done < count; ++*done) {
        /* One curve; where a model is the only curve, all its outputs, the terms among them. */
        size_t point = begin + *done;
        ns_setting setting[NS_AXES];
        ns_binding closed;
        ns_model_buffer out;
        double *output = s->output + (point - s->first) * s->outputs;
        settings_of(s, point, setting);
        NS_TRY(ns_curves_value(s->curves, curve, setting, s->axes, value_at(s, point) + curve, err));
        if (s->outputs != 0) {
            NS_TRY(ns_curves_eval(s->curves, curve, setting, s->axes, &closed, &out, err));
            for (size_t i = 0; i < s->outputs; i++)
                output[i] = ns_field_number(&closed.model->outputs[i], &out);
        }
    }
    return NS_OK;
}

/* Report the failure of the first point, and at that point the one of the first curve. */
static ns_status evaluate(const ns_sweep *s, size_t begin, size_t count, ns_error *err)
{
    ns_status status = NS_OK;
    ns_error first = {0};
    if (s->schedules) {
        for (size_t i = 0; i < count; i++) {
            /* Compare the strategies of a point by their schedules. */
            size_t point = begin + i;
            ns_setting setting[NS_AXES];
            ns_scenario scenario = s->curves->scenario;
            const size_t curves = (size_t)s->curves->count;
            const ns_comparison *c = s->comparison;
            settings_of(s, point, setting);
            for (int a = 0; a < s->axes; a++)
                NS_TRY(ns_scenario_set(&scenario, setting[a].name, setting[a].number, err));
            NS_TRY(ns_scenario_compare(&scenario, s->curves, s->comparison, err));
            for (size_t k = 0; k < curves; k++) {
                value_at(s, point)[k] = c->choice[k].price.estimate_s;
                s->p_best[(point - s->first) * curves + k] = c->decision.best >= 0 ? c->decision.p_best[k] : -1;
            }
            s->verdict[point - s->first] = (unsigned char)c->verdict;
        }
        return NS_OK;
    }
    if (s->numbers) {
        size_t stride = 1;
        for (int a = 0; a < s->axes; stride *= s->axis[a++]->count) {
            const ns_axis *axis = s->axis[a];
            size_t at = begin / stride % axis->count, rest = stride - begin % stride;
            for (size_t i = 0; i < count; i++) {
                s->column[a][i] = axis->number[at];
                if (--rest == 0) {
                    rest = stride;
                    at = at + 1 < axis->count ? at + 1 : 0;
                }
            }
        }
    }
    for (int k = 0; k < s->curves->count && count > 0; k++) {
        ns_error inner = {0};
        size_t done = 0;
        const ns_status own = evaluate_one(s, k, begin, count, &done, &inner);
        if (own == NS_OK)
            continue;
        status = own;
        first = inner;
        count = done;
    }
    if (status != NS_OK && err != NULL && err->code == NS_OK)
        *err = first;
    return status;
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

static ns_status run(ns_sweep *s, const ns_sweep_options *options, ns_error *err)
{
    ns_sweep_receive *receive = options->receive;
    const size_t most = s->schedules ? 1 : BLOCK; /* a schedule takes longer to price */
    const size_t points_most = receive != NULL ? SIZE_MAX : POINTS_MOST;
    s->points = 1;
    for (int a = 0; a < s->axes; a++) {
        const size_t count = s->axis[a]->count;
        if (count == 0)
            return ns_fail(err, NS_ERR_DATA, "%s has no value to vary over", s->axis[a]->name);
        if (s->points > SIZE_MAX / count || s->points * count > points_most)
            return ns_fail(err, NS_ERR_LIMIT, "%zu points are too many; at most %zu",
                           s->points > SIZE_MAX / count ? SIZE_MAX : s->points * count, points_most);
        s->points *= count;
    }
    const size_t room = receive == NULL || s->points < BLOCK ? s->points : BLOCK;
    const ns_curves *curves = s->curves;
    size_t outputs = 1;
    s->numbers = true;
    for (int a = 0; a < s->axes; a++)
        s->numbers = s->numbers && s->axis[a]->number != NULL && s->axis[a]->word == NULL;
    for (int k = 0; k < curves->count; k++) {
        const ns_model *model = curves->curve[k].model;
        if (model != NULL && ns_model_outputs(model) > outputs)
            outputs = ns_model_outputs(model);
    }
    const size_t both = s->schedules ? 2 : 1, width = both * (size_t)curves->count + s->outputs;
    s->value = ns_malloc(ns_size_mul(ns_size_mul(room, width), sizeof *s->value));
    s->verdict = ns_calloc(room, 1);
    s->comparison = ns_calloc(1, sizeof *s->comparison);
    s->answer = ns_malloc(ns_size_mul(ns_size_mul(BLOCK, outputs + NS_AXES), sizeof *s->answer));
    if (s->value == NULL || s->verdict == NULL || s->comparison == NULL || s->answer == NULL)
        return ns_no_memory(err);
    s->output = s->value + room * (size_t)curves->count;
    s->p_best = s->output + room * s->outputs;
    for (int a = 0; a < NS_AXES; a++)
        s->column[a] = s->answer + BLOCK * (outputs + (size_t)a);
    for (size_t i = 0; i < s->points;) {
        const size_t count = s->points - i < most ? s->points - i : most;
        NS_TRY(ns_context_ask(err));
        s->first = receive != NULL ? i : 0;
        NS_TRY(evaluate(s, i, count, err));
        if (receive != NULL)
            NS_TRY(receive(options->receiver, s, i, count, err));
        i += count;
        if (options->watch != NULL)
            options->watch(options->watcher, (double)i, (double)s->points);
    }
    return NS_OK;
}

ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes, const ns_sweep_options *options,
                       ns_sweep **sweep, ns_error *err)
{
    ns_error_clear(err);
    if (axes < 1 || axes > NS_AXES)
        return ns_fail(err, NS_ERR_RANGE, "a sweep has 1 to %d axes, got %d", (int)NS_AXES, axes);
    NS_TRY(ns_curves_check(curves, 0, err));
    ns_sweep *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    const ns_model *model = curves->curve[0].model;
    s->curves = curves;
    s->axes = axes;
    s->outputs = curves->count == 1 && model != NULL ? ns_model_outputs(model) : 0;
    s->schedules = options != NULL && options->schedules;
    for (int a = 0; a < axes; a++)
        s->axis[a] = axis[a];
    const ns_status status = run(s, options != NULL ? options : &(ns_sweep_options){0}, err);
    if (status == NS_OK)
        *sweep = s;
    else
        ns_sweep_free(s);
    return status;
}

void ns_sweep_free(ns_sweep *sweep)
{
    if (sweep == NULL)
        return;
    ns_free(sweep->value);
    ns_free(sweep->verdict);
    ns_free(sweep->comparison);
    ns_free(sweep->answer);
    ns_free(sweep);
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
    return value_at(sweep, point)[curve];
}

double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve)
{
    const size_t at = (point - sweep->first) * (size_t)sweep->curves->count + (size_t)curve;
    return sweep->schedules ? sweep->p_best[at] : -1;
}

double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index)
{
    return sweep->output[(point - sweep->first) * sweep->outputs + index];
}

ns_ranking ns_sweep_rank(const ns_sweep *sweep, size_t point)
{
    const int curves = sweep->curves->count;
    const double *value = value_at(sweep, point);
    int best = 0, second = -1;
    for (int k = 1; k < curves; k++)
        if (value[k] < value[best])
            best = k;
    for (int k = 0; k < curves; k++)
        if (k != best && (second < 0 || value[k] < value[second]))
            second = k;
    const bool tie = second >= 0 && value[second] - value[best] < TIE * value[best];
    return (ns_ranking){.best = best,
                        .second = second,
                        .verdict = sweep->schedules ? (ns_verdict)sweep->verdict[point - sweep->first]
                                   : tie            ? NS_TIE
                                                    : NS_CLEAR};
}
