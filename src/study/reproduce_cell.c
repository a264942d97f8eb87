/* reproduce_cell.c -- one computed value: a parameter of a machine, a model's output, or a gain of NetSparse */
#include "study/reproduce.h"

#include <stdio.h>
#include <string.h>

#include "core/embedded.h"
#include "core/memory.h"
#include "model/binding.h"

static const ns_embedded *embedded(const char *path)
{
    const ns_embedded *file = ns_embedded_files;
    while (file->path != NULL && strcmp(file->path, path) != 0)
        file++;
    return file->path != NULL ? file : NULL;
}

ns_status ns_published_machine(ns_published *t, const char *name, const char *path, ns_error *err)
{
    char file[100], text[200], at[80];
    if (t->machine != NULL && strcmp(t->machine->name, name) == 0)
        return NS_OK;
    snprintf(file, sizeof file, "params/%.60s.json", name);
    snprintf(text, sizeof text, "no shipped machine \"%.60s\"", name);
    snprintf(at, sizeof at, "%.60s.machine", path);
    const ns_embedded *data = embedded(file);
    if (data == NULL)
        return ns_published_refuse(t, NS_ERR_NAME, at, text, err);
    ns_machine_free(t->machine);
    t->machine = NULL;
    return ns_machine_parse((const char *)data->data, file, &t->machine, err);
}

/* Inputs are given as a person types them: a bare number has no dimension. */
static ns_status bind_inputs(ns_binding *binding, const ns_value *inputs, ns_error *err)
{
    char assignment[300], number[64];
    for (const ns_value *v = inputs != NULL ? inputs->first : NULL; v != NULL; v = v->next) {
        if (v->kind != NS_TEXT && v->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_SYNTAX, "%s wants a text or a number", v->name);
        snprintf(assignment, sizeof assignment, "%.80s=%.200s", v->name,
                 v->kind == NS_TEXT ? v->text : ns_double_format(v->number, number, sizeof number));
        NS_TRY(ns_bind_text(binding, assignment, err));
    }
    return ns_bind_close(binding, err);
}

static ns_status compute_model(const ns_published *t, const ns_value *row, const ns_machine *machine, const char *path,
                               ns_published_cell *result, ns_error *err)
{
    const ns_model *model;
    ns_binding binding;
    ns_model_buffer out;
    ns_error inner = {0};
    double factor;
    if (ns_model_get(ns_published_text(row, "model"), &model, &inner) != NS_OK)
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    const char *name = ns_published_text(row, "output");
    const ns_field *output = name != NULL ? ns_field_find(model->outputs, name) : NULL;
    if (output == NULL) {
        (void)ns_fail(&inner, NS_ERR_NAME, "%s has no output \"%s\"", model->name, name != NULL ? name : "");
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    }
    ns_bind_open(&binding, model, machine);
    if (bind_inputs(&binding, ns_value_get(row, "inputs"), &inner) != NS_OK)
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    NS_TRY(ns_unit_parse(output->unit, &factor, &result->dim, err));
    result->given = ns_model_eval(&binding, &out, &inner) == NS_OK;
    if (!result->given && ns_value_get(row, "published")->kind != NS_NULL)
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    result->value = result->given ? ns_field_number(output, &out) : 0;
    return NS_OK;
}

static ns_status compute_gain(const ns_published *t, const ns_value *netsparse, const char *path,
                              ns_published_cell *result, ns_error *err)
{
    ns_error inner = {0};
    if (ns_published_gain(netsparse, t->machine, &result->value, &inner) != NS_OK)
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    result->given = true;
    return NS_OK;
}

ns_status ns_published_compute(ns_published *t, const ns_value *row, const char *path, ns_published_cell *result,
                               ns_error *err)
{
    const char *machine = ns_published_text(row, "machine"), *parameter = ns_published_text(row, "parameter");
    char text[300];
    if (machine != NULL)
        NS_TRY(ns_published_machine(t, machine, path, err));
    const ns_value *netsparse = ns_value_get(row, "netsparse");
    const bool given[] = {parameter != NULL, ns_published_text(row, "model") != NULL, netsparse != NULL};
    if (given[0] + given[1] + given[2] != 1 || (!given[1] && machine == NULL))
        return ns_published_refuse(t, NS_ERR_DATA, path,
                                   "a row wants a model, or a machine and a parameter or \"netsparse\"", err);
    *result = (ns_published_cell){0};
    if (netsparse != NULL)
        return compute_gain(t, netsparse, path, result, err);
    if (parameter == NULL)
        return compute_model(t, row, machine != NULL ? t->machine : NULL, path, result, err);
    result->given = ns_machine_number(t->machine, parameter, &result->value, &result->dim, NULL);
    if (result->given || ns_value_get(row, "published")->kind == NS_NULL)
        return NS_OK;
    snprintf(text, sizeof text, "machine %s has no parameter \"%.160s\"", machine, parameter);
    return ns_published_refuse(t, NS_ERR_NAME, path, text, err);
}
