/* eval.c -- one model for given inputs, term by term */
#include "cli/inputs/inputs.h"
#include "cli/show/terms.h"

#include <string.h>

static const ns_option options[] = {
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine", false},
    NS_OPTION_SET,
    NS_OPTION_EXPLAIN,
    {NULL, 0, NULL, NULL, NULL, false},
};

/* Where an input came from, in words. */
static void add_origin(const ns_binding *binding, int i, ns_value *row)
{
    char text[512];
    ns_value_text(row, "from", ns_explain_origin(binding, i, text, sizeof text));
}

static void add_input(const ns_binding *binding, int i, ns_value *inputs, bool explain)
{
    const ns_field *field = &binding->model->inputs[i];
    char unit[24];
    double factor;
    ns_dim dim;
    ns_value *row = ns_value_object(inputs, field->name);
    if (field->kind == NS_FIELD_WORD) {
        int word;
        memcpy(&word, binding->in.bytes + field->offset, sizeof word);
        ns_value_text(row, "value", field->words[word]);
        ns_value *none = ns_value_text(row, "unit", "");
        ns_value_flag(none, NS_V_NO_TABLE);
    } else if (field->kind == NS_FIELD_NUMBER && ns_unit_parse(field->unit, &factor, &dim, NULL) == NS_OK) {
        ns_value_number(row, "value", ns_field_number(field, binding->in.bytes), dim);
        ns_value *si = ns_value_text(row, "unit", ns_dim_unit(dim, unit, sizeof unit));
        ns_value_flag(si, NS_V_NO_TABLE);
    } else if (field->kind == NS_FIELD_LIST && ns_unit_parse(field->unit, &factor, &dim, NULL) == NS_OK) {
        const ns_numbers *list = (const ns_numbers *)(const void *)(binding->in.bytes + field->offset);
        ns_value *values = ns_value_list(row, "value");
        for (size_t k = 0; k < list->count; k++)
            ns_value_number(values, NULL, list->at[k], dim);
        ns_value_text(row, "unit", ns_dim_unit(dim, unit, sizeof unit));
    }
    if (explain)
        add_origin(binding, i, row);
}

static void add_outputs(const ns_model *model, const void *out, ns_value *result)
{
    ns_value *terms = ns_value_object(result, "terms"), *outputs = ns_value_object(result, "outputs");
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        double factor;
        ns_dim dim;
        char unit[24];
        if (ns_unit_parse(f->unit, &factor, &dim, NULL) != NS_OK)
            continue;
        double value = ns_field_number(f, out);
        if (f->kind == NS_FIELD_TERM)
            ns_value_number(terms, f->name, value, dim);
        ns_value *row = ns_value_object(outputs, f->name);
        if (f->kind == NS_FIELD_TERM && row != NULL)
            row->flags |= NS_V_NO_TABLE;
        ns_value_number(row, "value", value, dim);
        ns_value *si = ns_value_text(row, "unit", ns_dim_unit(dim, unit, sizeof unit));
        ns_value_flag(si, NS_V_NO_TABLE);
    }
}

/* The tree; in JSON, a warning by name. */
static ns_status explain(const ns_args *args, const ns_binding *binding, const ns_model_buffer *out, ns_value *result,
                         ns_error *err)
{
    ns_explanation *terms;
    char title[120], warning[200];
    ns_value *text = ns_value_text(result, "warning", ns_explain_range(binding, warning, sizeof warning));
    ns_value_flag(text, *warning == '\0' ? NS_V_NO_TABLE | NS_V_NO_CSV : 0);
    snprintf(title, sizeof title, "%.100s", binding->model->title);
    NS_TRY(ns_explanation_open(&terms, err));
    ns_status status = ns_explain_model(terms, binding, out, err);
    if (status == NS_OK)
        status = ns_terms_show(terms, ns_explain_style_of(ns_args_get(args, "explain")), title, result, err);
    ns_explanation_free(terms);
    return status;
}

static ns_status evaluate(const ns_args *args, const ns_model *model, const ns_machine *machine, ns_value *result,
                          ns_error *err)
{
    ns_binding binding;
    ns_model_buffer out;
    ns_bind_open(&binding, model, machine);
    for (int i = 1; i < args->words; i++)
        NS_TRY(ns_bind_text(&binding, args->word[i], err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &out, err));
    ns_value_text(result, "model", model->name);
    if (machine != NULL)
        ns_value_text(result, "machine", machine->name);
    ns_value *inputs = ns_value_object(result, "inputs");
    for (int i = 0; model->inputs[i].kind != NS_FIELD_END; i++)
        add_input(&binding, i, inputs, ns_args_has(args, "explain"));
    add_outputs(model, &out, result);
    return ns_args_has(args, "explain") ? explain(args, &binding, &out, result, err) : NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    (void)context;
    const ns_model *model;
    ns_machine **machine = NULL;
    size_t machines = 0;
    NS_TRY(ns_model_get(args->word[0], &model, err));
    if (ns_args_get(args, "machine") != NULL)
        NS_TRY(ns_machines_open(args, &machine, &machines, err));
    else if (ns_args_has(args, "set"))
        return ns_fail(err, NS_ERR_USAGE, "--set changes a machine: give --machine as well");
    ns_status status = machines > 1 ? ns_fail(err, NS_ERR_USAGE, "eval takes one machine")
                                    : evaluate(args, model, machines == 1 ? machine[0] : NULL, result, err);
    ns_machines_close(machine, machines);
    return status;
}

const ns_command ns_command_eval = {
    .name = "eval",
    .summary = "one model for given inputs, term by term",
    .usage = "MODEL NAME=VALUE...",
    .options = options,
    .example = "nsmodel eval max-rate --machine lassen m=10 s=1MiB ppn=40",
    .about = "Inputs that are not given come from the machine, by the paths that `nsmodel models MODEL` shows;\n"
             "locality=, memory= and protocol= choose the row of its tables.",
    .least = 1,
    .needs = "the name of a model",
    .most = NS_ARGS_MAX,
    .rank = 3,
    .run = run,
};
