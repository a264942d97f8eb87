/* curves.c -- models and strategies as functions of named inputs */
#include "cli/inputs/curves.h"
#include "core/refuse.h"

#include <stdlib.h>
#include <string.h>

bool ns_is_assignment(const char *word)
{
    return strcspn(word, "=") < strcspn(word, ":/");
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

static ns_status new_curve(ns_curve_set *set, const char *label, ns_cli_curve **curve, ns_error *err)
{
    if (set->count == NS_CURVES)
        return ns_fail(err, NS_ERR_LIMIT, "at most %d curves", (int)NS_CURVES);
    *curve = &set->curve[set->count++];
    snprintf((*curve)->label, sizeof(*curve)->label, "%s", label);
    return NS_OK;
}

/* Length of the first assignment of a list: to the comma that another NAME= follows ("B=1GB/s,2GB/s,s=1B" has two). */
static size_t first_assignment(const char *list)
{
    size_t length = strcspn(list, ",");
    while (list[length] == ',' && strcspn(list + length + 1, "=") >= strcspn(list + length + 1, ","))
        length += 1 + strcspn(list + length + 1, ",");
    return length;
}

static ns_status add_model(ns_curve_set *set, const char *word, ns_error *err)
{
    char name[64], assignment[200];
    const ns_model *model;
    ns_cli_curve *curve = NULL;
    const char *rest = word + strcspn(word, ":");
    snprintf(name, sizeof name, "%.*s", (int)(rest - word), word);
    NS_TRY(ns_model_get(name, &model, err));
    NS_TRY(new_curve(set, word, &curve, err));
    ns_bind_open(&curve->binding, model, set->machine);
    while (*rest != '\0') {
        const size_t length = first_assignment(++rest);
        if (length >= sizeof assignment)
            return ns_fail(err, NS_ERR_LIMIT, "\"%.40s...\" is too long", rest);
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, rest);
        NS_TRY(ns_bind_text(&curve->binding, assignment, err));
        rest += length;
    }
    return NS_OK;
}

static ns_status add_strategy(ns_curve_set *set, const ns_strategy *strategy, ns_transport transport, ns_error *err)
{
    char label[96];
    ns_cli_curve *curve = NULL;
    snprintf(label, sizeof label, "%s/%s", strategy->name, ns_transport_words[transport]);
    NS_TRY(new_curve(set, label, &curve, err));
    curve->strategy = strategy;
    curve->transport = transport;
    set->strategies++;
    return NS_OK;
}

static ns_status add_named_strategy(ns_curve_set *set, const char *word, ns_error *err)
{
    char name[64];
    const size_t length = strcspn(word, "/");
    const ns_strategy *strategy;
    const char *transport = word[length] == '/' ? word + length + 1 : ns_transport_words[NS_VIA_HOST];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    NS_TRY(ns_strategy_get(name, &strategy, err));
    if (strategy->model == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s has no published closed form to draw", name);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (strcmp(ns_transport_words[t], transport) == 0)
            return ns_strategy_runs(strategy, (ns_transport)t, set->machine)
                       ? add_strategy(set, strategy, (ns_transport)t, err)
                       : ns_fail(err, NS_ERR_DATA, "machine %s does not run %s", set->machine->name, word);
    return ns_refuse_name(err, "no transport", transport, ns_transport_words, NS_TRANSPORTS);
}

static ns_status add_all_strategies(ns_curve_set *set, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
    const int before = set->count;
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (list[i]->model != NULL && ns_strategy_runs(list[i], (ns_transport)t, set->machine))
                NS_TRY(add_strategy(set, list[i], (ns_transport)t, err));
    return set->count > before
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA, "machine %s runs no strategy with a closed form", set->machine->name);
}

static bool names_strategy(const char *word)
{
    if (strcspn(word, "/") < strcspn(word, ":="))
        return true;
    const ns_strategy *strategy;
    return ns_model_find(word) == NULL && ns_strategy_get(word, &strategy, NULL) == NS_OK;
}

ns_status ns_curves_add(ns_curve_set *set, const char *word, ns_error *err)
{
    const bool all = strcmp(word, "strategies") == 0;
    if (!all && !names_strategy(word))
        return add_model(set, word, err);
    if (set->machine == NULL)
        return ns_fail(err, NS_ERR_USAGE, "strategies read a machine's tables: give --machine NAME");
    if (set->strategies == 0)
        set->scenario = ns_scenario_default;
    return all ? add_all_strategies(set, err) : add_named_strategy(set, word, err);
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static ns_status set_scenario(ns_scenario *scenario, const char *name, double value, ns_error *err)
{
    const ns_field *field = ns_field_find(ns_scenario_fields, name);
    if (field == NULL)
        return ns_fail(err, NS_ERR_NAME,
                       "strategies have no input \"%s\"; there are s, messages, nodes, per_node and duplicates", name);
    if (value > field->most || value < field->least || (field->open && value == field->least))
        return ns_fail(err, NS_ERR_RANGE, "%s has to be %s %g%s%s, got %.10g", name,
                       field->open ? "more than" : "at least", field->least,
                       field->most < NS_MOST ? " and at most 1" : "", *field->unit == 'B' ? " B" : "", value);
    memcpy((char *)scenario + field->offset, &value, sizeof value);
    return NS_OK;
}

static ns_status assign_scenario(ns_scenario *scenario, const char *assignment, ns_error *err)
{
    char name[64];
    double value = 0;
    const size_t length = strcspn(assignment, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), assignment);
    const ns_field *field = ns_field_find(ns_scenario_fields, name);
    if (field != NULL)
        NS_TRY(ns_quantity_parse_as(assignment + length + 1, name, field->unit, &value, err));
    return set_scenario(scenario, name, value, err);
}

/* A name that this curve lacks is for another one. */
static ns_status merge(ns_status status, const ns_error *inner, int *taken, ns_error *first)
{
    if (status == NS_OK)
        ++*taken;
    else if (first->code == NS_OK)
        *first = *inner;
    return status == NS_OK || status == NS_ERR_NAME ? NS_OK : status;
}

ns_status ns_curves_assign(ns_curve_set *set, const char *assignment, ns_error *err)
{
    int taken = 0;
    ns_error first = {0};
    ns_status status = NS_OK;
    for (int i = 0; i < set->count && status == NS_OK; i++) {
        ns_error inner = {0};
        if (set->curve[i].strategy == NULL)
            status = merge(ns_bind_text(&set->curve[i].binding, assignment, &inner), &inner, &taken, &first);
    }
    if (set->strategies > 0 && status == NS_OK) {
        ns_error inner = {0};
        status = merge(assign_scenario(&set->scenario, assignment, &inner), &inner, &taken, &first);
    }
    if (status == NS_OK && taken > 0)
        return NS_OK;
    return ns_fail_at(err, first.code, first.file, first.line, first.column, "%s", first.text);
}

const ns_field *ns_curves_field(const ns_curve_set *set, const char *name)
{
    const ns_field *field = set->strategies > 0 ? ns_field_find(ns_scenario_fields, name) : NULL;
    for (int i = 0; i < set->count && field == NULL; i++)
        if (set->curve[i].strategy == NULL)
            field = ns_field_find(set->curve[i].binding.model->inputs, name);
    return field;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static ns_status find_output(const ns_curve_set *set, const ns_model *model, const ns_field **field, ns_error *err)
{
    const char *names[64];
    size_t count = 0;
    for (*field = model->outputs; (*field)->kind != NS_FIELD_END; ++*field) {
        if (strcmp((*field)->name, set->output) == 0)
            return NS_OK;
        if (count < 64)
            names[count++] = (*field)->name;
    }
    const char *near = ns_closest(set->output, names, count);
    return near != NULL ? ns_fail(err, NS_ERR_NAME, "%s has no output \"%s\"; did you mean \"%s\"?", model->name,
                                  set->output, near)
                        : ns_fail(err, NS_ERR_NAME, "%s has no output \"%s\"; `nsmodel models %s` lists its outputs",
                                  model->name, set->output, model->name);
}

static const char *usual_output(const ns_curve_set *set)
{
    if (set->strategies > 0 || ns_field_find(set->curve[0].binding.model->outputs, "time") != NULL)
        return "time";
    const ns_field *last = set->curve[0].binding.model->outputs;
    while (last[1].kind != NS_FIELD_END)
        last++;
    return last->name;
}

ns_status ns_curves_dim(ns_curve_set *set, ns_dim *dim, ns_error *err)
{
    double factor;
    *dim = (ns_dim){.second = 1};
    if (set->output == NULL)
        set->output = usual_output(set);
    if (set->strategies > 0 && strcmp(set->output, "time") != 0)
        return ns_fail(err, NS_ERR_NAME, "strategies have one output, time; got --of %s", set->output);
    for (int i = 0; i < set->count; i++) {
        const ns_field *field;
        ns_dim own;
        if (set->curve[i].strategy != NULL)
            own = (ns_dim){.second = 1};
        else {
            NS_TRY(find_output(set, set->curve[i].binding.model, &field, err));
            NS_TRY(ns_unit_parse(field->unit, &factor, &own, err));
        }
        if (i > 0 && !ns_dim_equal(own, *dim))
            return ns_fail(err, NS_ERR_UNIT, "%s of %s and of %s have different dimensions", set->output,
                           set->curve[0].label, set->curve[i].label);
        *dim = own;
    }
    return NS_OK;
}

/* With several curves, an input may be known to some of them only. */
static ns_status give(const ns_curve_set *set, ns_binding *binding, const ns_setting *setting, ns_error *err)
{
    char assignment[160];
    if (setting->word != NULL) {
        snprintf(assignment, sizeof assignment, "%s=%s", setting->name, setting->word);
        return ns_bind_text(binding, assignment, err);
    }
    if (set->count > 1 && ns_field_find(binding->model->inputs, setting->name) == NULL)
        return NS_OK;
    return ns_bind_number(binding, setting->name, setting->number, err);
}

ns_status ns_curve_eval(const ns_curve_set *set, int curve, const ns_setting *setting, int settings, ns_binding *closed,
                        ns_model_buffer *out, ns_error *err)
{
    *closed = set->curve[curve].binding;
    for (int i = 0; i < settings; i++)
        NS_TRY(give(set, closed, &setting[i], err));
    NS_TRY(ns_bind_close(closed, err));
    return ns_model_eval(closed, out, err);
}

ns_status ns_curve_value(const ns_curve_set *set, int curve, const ns_setting *setting, int settings, double *value,
                         ns_error *err)
{
    const ns_cli_curve *c = &set->curve[curve];
    if (c->strategy != NULL) {
        ns_scenario scenario = set->scenario;
        for (int i = 0; i < settings; i++)
            NS_TRY(set_scenario(&scenario, setting[i].name, setting[i].number, err));
        return ns_scenario_time(&scenario, c->strategy, c->transport, set->machine, value, err);
    }
    ns_binding closed;
    ns_model_buffer out;
    const ns_field *field;
    NS_TRY(ns_curve_eval(set, curve, setting, settings, &closed, &out, err));
    NS_TRY(find_output(set, c->binding.model, &field, err));
    *value = ns_field_number(field, &out);
    return NS_OK;
}
