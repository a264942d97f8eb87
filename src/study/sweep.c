/* sweep.c -- every point of some axes, the first of them running fastest */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "study/curves.h"

enum { POINTS_MOST = 1000000, BLOCK = 4096 };
static const double TIE = 0.10; /* closed forms have no interval: two times that differ by less are a tie */

/* Points `first` and on stand in the arrays: all of them, or one block after another. */
typedef struct store {
    ns_sweep seen; /* first: what callers have */
    size_t first, room;
    double *value;             /* [room][curves], then [room][outputs] */
    double *output;            /* behind the values */
    double *p_best;            /* [room][curves] behind those; of schedules */
    unsigned char *verdict;    /* [room]; of schedules */
    ns_comparison *comparison; /* the last one; of schedules */
    bool numbers;              /* every axis is of numbers */
    double *column[NS_AXES];   /* [BLOCK] of each axis */
    double *answer;            /* [BLOCK][most outputs of a model] */
} store;

static const store *look(const ns_sweep *sweep)
{
    return (const store *)(const void *)sweep;
}

/* ---- one point --------------------------------------------------------------------------------------------------- */

static double *value_at(const store *s, size_t point)
{
    return s->value + (point - s->first) * (size_t)s->seen.curves->count;
}

static void settings_of(const store *s, size_t point, ns_setting setting[NS_AXES])
{
    for (int a = 0; a < s->seen.axes; a++) {
        setting[a] = ns_axis_setting(s->seen.axis[a], point % s->seen.axis[a]->count);
        point /= s->seen.axis[a]->count;
    }
}

/* ---- blocks of points -------------------------------------------------------------------------------------------- */

static ns_status evaluate_one(const store *s, int curve, size_t begin, size_t count, size_t *done, ns_error *err)
{
    if (s->numbers && ns_curves_binding(s->seen.curves, curve) != NULL) {
        /* A model over numbers alone.  With several curves, an input may be known to some of them only. */
        const ns_binding *binding = ns_curves_binding(s->seen.curves, curve);
        const size_t outputs = ns_model_outputs(binding->model), at = ns_curves_output(s->seen.curves, curve);
        ns_column column[NS_AXES];
        size_t columns = 0;
        double *answer = s->seen.outputs > 0 ? s->output + (begin - s->first) * outputs : s->answer;
        for (int a = 0; a < s->seen.axes; a++)
            if (s->seen.curves->count == 1 || ns_field_find(binding->model->inputs, s->seen.axis[a]->name) != NULL)
                column[columns++] = (ns_column){s->seen.axis[a]->name, s->column[a]};
        const ns_status status = ns_eval_batch(binding, column, columns, count, answer, done, err);
        for (size_t i = 0; i < *done; i++)
            value_at(s, begin + i)[curve] = answer[i * outputs + at];
        return status;
    }
    for (*done = 0; *done < count; ++*done) {
        /* One curve; all outputs of a model that is alone, the terms among them. */
        size_t point = begin + *done;
        ns_setting setting[NS_AXES];
        ns_binding closed;
        ns_model_buffer out;
        double *output = s->output + (point - s->first) * s->seen.outputs;
        settings_of(s, point, setting);
        NS_TRY(ns_curves_value(s->seen.curves, curve, setting, s->seen.axes, value_at(s, point) + curve, err));
        if (s->seen.outputs != 0) {
            NS_TRY(ns_curves_eval(s->seen.curves, curve, setting, s->seen.axes, &closed, &out, err));
            for (size_t i = 0; i < s->seen.outputs; i++)
                output[i] = ns_field_number(&closed.model->outputs[i], &out);
        }
    }
    return NS_OK;
}

/* The failure of the first point counts, and of that point that of the first curve. */
static ns_status evaluate(const store *s, size_t begin, size_t count, ns_error *err)
{
    ns_status status = NS_OK;
    ns_error first = {0};
    if (s->seen.schedules) {
        for (size_t i = 0; i < count; i++) {
            /* The strategies of a point side by side, by their schedules. */
            size_t point = begin + i;
            ns_setting setting[NS_AXES];
            ns_scenario scenario = *ns_curves_scenario(s->seen.curves);
            const size_t curves = (size_t)s->seen.curves->count;
            const ns_comparison *c = s->comparison;
            settings_of(s, point, setting);
            for (int a = 0; a < s->seen.axes; a++)
                NS_TRY(ns_scenario_set(&scenario, setting[a].name, setting[a].number, err));
            NS_TRY(ns_scenario_compare(&scenario, s->seen.curves, s->comparison, err));
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
        for (int a = 0; a < s->seen.axes; stride *= s->seen.axis[a++]->count) {
            const ns_axis *axis = s->seen.axis[a];
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
    for (int k = 0; k < s->seen.curves->count && count > 0; k++) {
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

static ns_status run(store *s, const ns_sweep_options *options, ns_error *err)
{
    ns_sweep_receive *receive = options->receive;
    const size_t most = s->seen.schedules ? 1 : BLOCK; /* a schedule takes its time */
    const size_t points_most = receive != NULL ? SIZE_MAX : POINTS_MOST;
    s->seen.points = 1;
    for (int a = 0; a < s->seen.axes; a++) {
        const size_t count = s->seen.axis[a]->count;
        if (count == 0)
            return ns_fail(err, NS_ERR_DATA, "%s has no value to vary over", s->seen.axis[a]->name);
        if (s->seen.points > SIZE_MAX / count || s->seen.points * count > points_most)
            return ns_fail(err, NS_ERR_LIMIT, "%zu points are too many; at most %zu",
                           s->seen.points > SIZE_MAX / count ? SIZE_MAX : s->seen.points * count, points_most);
        s->seen.points *= count;
    }
    s->room = receive == NULL || s->seen.points < BLOCK ? s->seen.points : BLOCK;
    const ns_curves *curves = s->seen.curves;
    size_t outputs = 1;
    s->numbers = true;
    for (int a = 0; a < s->seen.axes; a++)
        s->numbers = s->numbers && s->seen.axis[a]->number != NULL && s->seen.axis[a]->word == NULL;
    for (int k = 0; k < curves->count; k++) {
        const ns_binding *binding = ns_curves_binding(curves, k);
        if (binding != NULL && ns_model_outputs(binding->model) > outputs)
            outputs = ns_model_outputs(binding->model);
    }
    const size_t both = s->seen.schedules ? 2 : 1, width = both * (size_t)curves->count + s->seen.outputs;
    s->value = ns_malloc(ns_size_mul(ns_size_mul(s->room, width), sizeof *s->value));
    s->verdict = ns_calloc(s->room, 1);
    s->comparison = ns_calloc(1, sizeof *s->comparison);
    s->answer = ns_malloc(ns_size_mul(ns_size_mul(BLOCK, outputs + NS_AXES), sizeof *s->answer));
    if (s->value == NULL || s->verdict == NULL || s->comparison == NULL || s->answer == NULL)
        return ns_no_memory(err);
    s->output = s->value + s->room * (size_t)curves->count;
    s->p_best = s->output + s->room * s->seen.outputs;
    for (int a = 0; a < NS_AXES; a++)
        s->column[a] = s->answer + BLOCK * (outputs + (size_t)a);
    for (size_t i = 0; i < s->seen.points;) {
        const size_t count = s->seen.points - i < most ? s->seen.points - i : most;
        NS_TRY(ns_context_ask(err));
        s->first = receive != NULL ? i : 0;
        NS_TRY(evaluate(s, i, count, err));
        if (receive != NULL)
            NS_TRY(receive(options->receiver, &s->seen, i, count, err));
        i += count;
        if (options->watch != NULL)
            options->watch(options->watcher, (double)i, (double)s->seen.points);
    }
    return NS_OK;
}

ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes, const ns_sweep_options *options,
                       ns_sweep **sweep, ns_error *err)
{
    ns_error_clear(err);
    if (axes < 1 || axes > NS_AXES)
        return ns_fail(err, NS_ERR_RANGE, "a sweep has 1 to %d axes, got %d", (int)NS_AXES, axes);
    ns_sweep_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_sweep_options, receiver, &given, err));
    NS_TRY(ns_curves_check(curves, 0, err));
    store *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    const ns_model *model = ns_curves_at(curves, 0)->model;
    size_t count = 0;
    while (curves->count == 1 && model != NULL && model->outputs[count].kind != NS_FIELD_END)
        count++;
    s->seen = (ns_sweep){.size = sizeof s->seen, .curves = curves, .axes = axes, .outputs = count};
    s->seen.schedules = given.schedules;
    for (int a = 0; a < axes; a++)
        s->seen.axis[a] = axis[a];
    ns_status status = run(s, &given, err);
    if (status == NS_OK)
        *sweep = &s->seen;
    else
        ns_sweep_free(&s->seen);
    return status;
}

void ns_sweep_free(ns_sweep *sweep)
{
    if (sweep != NULL) {
        ns_free(look(sweep)->value);
        ns_free(look(sweep)->verdict);
        ns_free(look(sweep)->comparison);
        ns_free(look(sweep)->answer);
    }
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
    return value_at(look(sweep), point)[curve];
}

double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve)
{
    return sweep->schedules
               ? look(sweep)->p_best[(point - look(sweep)->first) * (size_t)sweep->curves->count + (size_t)curve]
               : -1;
}

double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index)
{
    return look(sweep)->output[(point - look(sweep)->first) * sweep->outputs + index];
}

ns_status ns_sweep_rank(const ns_sweep *sweep, size_t point, ns_ranking *ranking, ns_error *err)
{
    ns_error_clear(err);
    const int curves = sweep->curves->count;
    const double *value = value_at(look(sweep), point);
    int best = 0, second = -1;
    for (int k = 1; k < curves; k++)
        if (value[k] < value[best])
            best = k;
    for (int k = 0; k < curves; k++)
        if (k != best && (second < 0 || value[k] < value[second]))
            second = k;
    const bool tie = second >= 0 && value[second] - value[best] < TIE * value[best];
    const ns_ranking known = {.best = best,
                              .second = second,
                              .verdict = sweep->schedules ? (ns_verdict)look(sweep)->verdict[point - look(sweep)->first]
                                         : tie            ? NS_TIE
                                                          : NS_CLEAR};
    return ns_sized_give(ranking, &known, sizeof known, err);
}
