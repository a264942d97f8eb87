/* curves.c -- models and strategies as functions of named inputs, and ranges of those inputs */
#include "study/study.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "strategy/ways.h"

#include <stdio.h>
#include <string.h>

ns_status ns_curves_open(const ns_machine *machine, const char *output, ns_curves **curves, ns_error *err)
{
    ns_error_clear(err);
    ns_curves *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    made->machine = machine;
    made->output = output;
    made->scenario = ns_scenario_default;
    *curves = made;
    return NS_OK;
}

bool ns_is_assignment(const char *word)
{
    return strcspn(word, "=") < strcspn(word, ":/");
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

/* NULL: the set is full or memory is out. */
static ns_curve_info *new_curve(ns_curves *set, ns_error *err)
{
    if (set->count == NS_CURVES) {
        (void)ns_fail(err, NS_ERR_LIMIT, "at most %d curves", (int)NS_CURVES);
        return NULL;
    }
    set->curve[set->count] = (ns_curve_info){.strategy = NULL};
    return &set->curve[set->count++];
}

static ns_status add_strategy(ns_curves *set, const ns_strategy *strategy, ns_transport transport, ns_error *err)
{
    ns_curve_info *made = new_curve(set, err);
    if (made == NULL)
        return NS_ERR_LIMIT;
    snprintf(made->label, sizeof made->label, "%s/%s", strategy->name, ns_transport_words[transport]);
    made->strategy = strategy;
    made->transport = transport;
    set->strategies++;
    return NS_OK;
}

bool ns_names_strategies(const char *word)
{
    if (strcmp(word, "strategies") == 0 || strcspn(word, "/") < strcspn(word, ":="))
        return true;
    const ns_strategy *strategy;
    return ns_model_find(word) == NULL && ns_strategy_get(word, &strategy, NULL) == NS_OK;
}

static ns_status add(ns_curves *set, const char *word, ns_error *err)
{
    if (!ns_names_strategies(word)) {
        char name[64], assignment[200];
        const ns_model *model;
        const char *rest = word + strcspn(word, ":");
        snprintf(name, sizeof name, "%.*s", (int)(rest - word), word);
        NS_TRY(ns_model_get(name, &model, err));
        ns_curve_info *made = new_curve(set, err);
        if (made == NULL)
            return NS_ERR_LIMIT;
        snprintf(made->label, sizeof made->label, "%s", word);
        made->model = model;
        ns_bind_open(&made->binding, model, set->machine);
        while (*rest != '\0') {
            /* Up to a comma that is followed by another NAME=: "B=1GB/s,2GB/s,s=1B" is two assignments. */
            size_t length = strcspn(++rest, ",");
            while (rest[length] == ',' && strcspn(rest + length + 1, "=") >= strcspn(rest + length + 1, ","))
                length += 1 + strcspn(rest + length + 1, ",");
            if (length >= sizeof assignment)
                return ns_fail(err, NS_ERR_LIMIT, "\"%.40s...\" is too long", rest);
            snprintf(assignment, sizeof assignment, "%.*s", (int)length, rest);
            NS_TRY(ns_bind_text(&made->binding, assignment, err));
            rest += length;
        }
        return NS_OK;
    }
    const ns_machine *machine = set->machine;
    if (machine == NULL)
        return ns_fail(err, NS_ERR_DATA, "strategies read a machine's tables, and no machine is given");
    if (strcmp(word, "strategies") == 0) {
        const ns_strategy *list[NS_CHOICES];
        const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
        const int before = set->count;
        for (size_t i = 0; i < count; i++)
            for (int t = 0; t < NS_TRANSPORTS; t++)
                if (list[i]->model != NULL && ns_strategy_runs(list[i], (ns_transport)t, machine))
                    NS_TRY(add_strategy(set, list[i], (ns_transport)t, err));
        return set->count > before
                   ? NS_OK
                   : ns_fail(err, NS_ERR_DATA, "machine %s runs no strategy with a closed form", machine->name);
    }
    char name[64];
    const size_t length = ns_way_name_length(word);
    const ns_strategy *strategy;
    const char *transport = word[length] == '/' ? word + length + 1 : ns_transport_words[NS_VIA_HOST];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    NS_TRY(ns_strategy_get(name, &strategy, err));
    if (strategy->model == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s has no published closed form to draw", name);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (strcmp(ns_transport_words[t], transport) == 0)
            return ns_strategy_runs(strategy, (ns_transport)t, machine)
                       ? add_strategy(set, strategy, (ns_transport)t, err)
                       : ns_fail(err, NS_ERR_DATA, "machine %s does not run %s", machine->name, word);
    return ns_refuse_name(err, "no transport", transport, ns_transport_words, NS_TRANSPORTS);
}

ns_status ns_curves_add(ns_curves *curves, const char *word, ns_error *err)
{
    ns_error_clear(err);
    const int count = curves->count, strategies = curves->strategies;
    const ns_status status = add(curves, word, err);
    if (status != NS_OK) {
        curves->count = count;
        curves->strategies = strategies;
    }
    return status;
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

/* A name that this curve lacks may belong to another curve. */
static ns_status merge(ns_status status, const ns_error *inner, int *taken, ns_error *first)
{
    if (status == NS_OK)
        ++*taken;
    else if (first->code == NS_OK)
        *first = *inner;
    return status == NS_OK || status == NS_ERR_NAME ? NS_OK : status;
}

ns_status ns_curves_assign(ns_curves *curves, const char *assignment, ns_error *err)
{
    ns_error_clear(err);
    int taken = 0;
    if (curves->count == 0)
        return ns_fail(err, NS_ERR_DATA, "there is no curve to assign an input of");
    ns_error first = {0};
    ns_status status = NS_OK;
    for (int i = 0; i < curves->count && status == NS_OK; i++) {
        ns_error inner = {0};
        if (curves->curve[i].model != NULL)
            status = merge(ns_bind_text(&curves->curve[i].binding, assignment, &inner), &inner, &taken, &first);
    }
    if (curves->strategies > 0 && status == NS_OK) {
        ns_error inner = {0};
        char name[64];
        double value = 0;
        const size_t length = strcspn(assignment, "=");
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), assignment);
        const ns_field *field = ns_field_find(ns_scenario_fields, name);
        if (field != NULL)
            status = ns_quantity_parse_as(assignment + length + 1, name, field->unit, &value, &inner);
        if (status == NS_OK)
            status = ns_scenario_set(&curves->scenario, name, value, &inner);
        status = merge(status, &inner, &taken, &first);
    }
    if (status == NS_OK && taken > 0)
        return NS_OK;
    return ns_fail_at(err, first.code, first.file, first.line, first.column, "%s", first.text);
}

const ns_field *ns_curves_input(const ns_curves *curves, const char *name)
{
    const ns_field *field = curves->strategies > 0 ? ns_field_find(ns_scenario_fields, name) : NULL;
    for (int i = 0; i < curves->count && field == NULL; i++)
        if (curves->curve[i].model != NULL)
            field = ns_field_find(curves->curve[i].model->inputs, name);
    return field;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

ns_status ns_curves_close(ns_curves *curves, ns_error *err)
{
    ns_error_clear(err);
    ns_dim dim = {.second = 1};
    if (curves->count == 0)
        return ns_fail(err, NS_ERR_DATA, "there is no curve");
    const char *output = curves->output;
    const ns_model *first = curves->curve[0].model;
    if (output == NULL && (curves->strategies > 0 || ns_field_find(first->outputs, "time") != NULL))
        output = "time";
    for (const ns_field *f = first != NULL ? first->outputs : NULL; output == NULL; f++) /* the last one */
        output = f[1].kind == NS_FIELD_END ? f->name : NULL;
    if (curves->strategies > 0 && strcmp(output, "time") != 0)
        return ns_fail(err, NS_ERR_NAME, "strategies have one output, time; got \"%s\"", output);
    for (int i = 0; i < curves->count; i++) {
        const ns_model *model = curves->curve[i].model;
        const ns_field *field = model != NULL ? ns_field_find(model->outputs, output) : NULL;
        double factor;
        ns_dim own = {.second = 1};
        if (model != NULL && field == NULL) {
            const char *names[64];
            size_t count = 0;
            for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END && count < 64; f++)
                names[count++] = f->name;
            char what[100];
            snprintf(what, sizeof what, "%s has no output", model->name);
            return ns_refuse_name_or(err, what, output, names, count, "");
        }
        if (model != NULL)
            NS_TRY(ns_unit_parse(field->unit, &factor, &own, err));
        if (i > 0 && !ns_dim_equal(own, dim))
            return ns_fail(err, NS_ERR_UNIT, "%s of %s and of %s have different dimensions", output,
                           curves->curve[0].label, curves->curve[i].label);
        dim = own;
    }
    curves->output = output;
    curves->dim = dim;
    curves->closed = true;
    return NS_OK;
}

ns_status ns_curves_eval(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                         ns_binding *closed, ns_model_buffer *out, ns_error *err)
{
    *closed = curves->curve[curve].binding;
    for (const ns_setting *s = setting; s < setting + settings; s++) {
        char assignment[160];
        if (s->word != NULL) {
            snprintf(assignment, sizeof assignment, "%s=%s", s->name, s->word);
            NS_TRY(ns_bind_text(closed, assignment, err));
        } else if (curves->count == 1 || ns_field_find(closed->model->inputs, s->name) != NULL)
            NS_TRY(ns_bind_number(closed, s->name, s->number, err));
        /* With several curves, an input may exist for only some of them. */
    }
    NS_TRY(ns_bind_close(closed, err));
    return ns_model_eval(closed, out, err);
}

ns_status ns_curves_check(const ns_curves *curves, int curve, ns_error *err)
{
    if (!curves->closed)
        return ns_fail(err, NS_ERR_DATA, "the curves are not closed");
    return curve >= 0 && curve < curves->count ? NS_OK : ns_fail(err, NS_ERR_RANGE, "there is no curve %d", curve);
}

ns_status ns_curves_value(const ns_curves *curves, int curve, const ns_setting *setting, int settings, double *value,
                          ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_curves_check(curves, curve, err));
    const ns_curve_info *one = &curves->curve[curve];
    if (one->strategy != NULL) {
        ns_scenario scenario = curves->scenario;
        for (int i = 0; i < settings; i++)
            NS_TRY(ns_scenario_set(&scenario, setting[i].name, setting[i].number, err));
        return ns_scenario_form(&scenario, one->strategy, one->transport, curves->machine,
                                curves->printed ? "printed" : "corrected", value, err);
    }
    ns_binding closed;
    ns_model_buffer out;
    NS_TRY(ns_curves_eval(curves, curve, setting, settings, &closed, &out, err));
    *value = ns_field_number(ns_field_find(one->model->outputs, curves->output), &out);
    return NS_OK;
}

/* ---- ranges of inputs -------------------------------------------------------------------------------------------- */

enum { POINTS = 25 }; /* of a range that gives no number of points */

ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err)
{
    const long column = inner->column > 0 ? inner->column + (value - assignment) : 0;
    return column > 0 ? ns_fail(err, inner->code, "%s (column %ld of \"%.80s\")", inner->text, column, assignment)
                      : ns_fail(err, inner->code, "%s", inner->text);
}

static bool is_selector(const char *name)
{
    return strcmp(name, "locality") == 0 || strcmp(name, "memory") == 0 || strcmp(name, "protocol") == 0;
}

static ns_status read_axis(ns_axis *axis, const char *assignment, const ns_curves *curves, ns_error *err)
{
    const size_t length = strcspn(assignment, "=");
    if (assignment[length] != '=' || length == 0 || length >= sizeof axis->name)
        return ns_fail(err, NS_ERR_USAGE, "\"%s\" is not NAME=RANGE, for example s=1B:1MiB:x2", assignment);
    memcpy(axis->name, assignment, length);
    const char *value = assignment + length + 1;
    const ns_field *field = ns_curves_input(curves, axis->name);
    if (field != NULL ? field->kind == NS_FIELD_WORD : is_selector(axis->name) && curves->strategies == 0) {
        size_t most = 1;
        for (const char *c = value; *c != '\0'; c++)
            most += *c == ',';
        axis->text = ns_malloc(strlen(value) + 1);
        axis->word = ns_malloc(ns_size_mul(most, sizeof *axis->word));
        if (axis->text == NULL || axis->word == NULL)
            return ns_no_memory(err);
        strcpy(axis->text, value);
        for (char *c = axis->text; c != NULL;) {
            axis->word[axis->count++] = c;
            c = strchr(c, ',');
            if (c != NULL)
                *c++ = '\0';
            if (*axis->word[axis->count - 1] == '\0')
                return ns_fail(err, NS_ERR_SYNTAX, "%s: an empty place in the list, wants a word", axis->name);
        }
        return NS_OK;
    }
    if (field == NULL || field->kind != NS_FIELD_NUMBER) {
        const char *names[256], *near;
        size_t count = 0;
        const ns_curve_info *first = &curves->curve[0];
        const ns_field *f = curves->strategies > 0 ? ns_scenario_fields : first->model->inputs;
        for (; f->kind != NS_FIELD_END && count < 256; f++)
            names[count++] = f->name;
        near = ns_closest(axis->name, names, count);
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary%s%s%s", first->label,
                       axis->name, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                       near != NULL ? "\"?" : "");
    }
    ns_error inner = {0};
    double factor;
    NS_TRY(ns_unit_parse(field->unit, &factor, &axis->dim, err));
    if (ns_range_parse(value, axis->name, field->unit, POINTS, &axis->number, &axis->count, &inner) != NS_OK)
        return ns_axis_refuse(assignment, value, &inner, err);
    return NS_OK;
}

ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err)
{
    ns_error_clear(err);
    if (curves->count == 0)
        return ns_fail(err, NS_ERR_DATA, "there is no curve to vary an input of");
    ns_axis *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    const ns_status status = read_axis(made, assignment, curves, err);
    if (status == NS_OK)
        *axis = made;
    else
        ns_axis_free(made);
    return status;
}

void ns_axis_free(ns_axis *axis)
{
    if (axis == NULL)
        return;
    ns_list_free(axis->number);
    ns_free(axis->word);
    ns_free(axis->text);
    ns_free(axis);
}

bool ns_curves_is_range(const ns_curves *curves, const char *assignment)
{
    char name[64];
    const size_t length = strcspn(assignment, "=");
    if (assignment[length] != '=' || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    const ns_field *field = ns_curves_input(curves, name);
    if (field == NULL ? !is_selector(name) : field->kind == NS_FIELD_LIST)
        return false;
    return strpbrk(assignment + length + 1, field != NULL && field->kind == NS_FIELD_NUMBER ? ",:" : ",") != NULL;
}
