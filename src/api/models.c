/* models.c -- what a model is, and bindings that the library allocates */
#include "core/memory.h"
#include "core/sized.h"
#include "model/binding.h"

static size_t rows_of(const ns_field *field)
{
    size_t rows = 0;
    while (field[rows].kind != NS_FIELD_END)
        rows++;
    return rows;
}

ns_status ns_model_describe(const ns_model *model, ns_model_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_model_info known = {.name = model->name,
                                 .title = model->title,
                                 .source = model->source,
                                 .notes = model->notes != NULL ? model->notes : "",
                                 .inputs = rows_of(model->inputs),
                                 .outputs = rows_of(model->outputs),
                                 .wants_machine = model->wants_machine};
    return ns_sized_give(info, &known, sizeof known, err);
}

static ns_status describe_row(const ns_model *model, const ns_field *field, size_t index, const char *what,
                              ns_field_info *info, ns_error *err)
{
    const size_t rows = rows_of(field);
    if (index >= rows)
        return ns_fail(err, NS_ERR_RANGE, "no %s %zu of %s, which has %zu", what, index, model->name, rows);
    const ns_field *row = &field[index];
    const ns_field_info known = {.name = row->name,
                                 .unit = row->unit,
                                 .doc = row->doc,
                                 .kind = row->kind,
                                 .words = row->words,
                                 .least = row->least,
                                 .most = row->most,
                                 .has_default = row->has_default,
                                 .neutral = row->neutral};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_model_input(const ns_model *model, size_t index, ns_field_info *info, ns_error *err)
{
    ns_error_clear(err);
    return describe_row(model, model->inputs, index, "input", info, err);
}

ns_status ns_model_output(const ns_model *model, size_t index, ns_field_info *info, ns_error *err)
{
    ns_error_clear(err);
    return describe_row(model, model->outputs, index, "output", info, err);
}

ns_status ns_binding_open(const ns_model *model, const ns_machine *machine, ns_binding **binding, ns_error *err)
{
    ns_error_clear(err);
    ns_binding *made = ns_malloc(sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    ns_bind_open(made, model, machine);
    *binding = made;
    return NS_OK;
}

void ns_binding_free(ns_binding *binding)
{
    ns_free(binding);
}

ns_status ns_binding_eval(const ns_binding *binding, double *output, ns_error *err)
{
    ns_error_clear(err);
    ns_model_buffer out;
    NS_TRY(ns_model_eval(binding, &out, err));
    const size_t outputs = ns_model_outputs(binding->model);
    for (size_t i = 0; i < outputs; i++)
        output[i] = ns_field_number(&binding->model->outputs[i], &out);
    return NS_OK;
}
