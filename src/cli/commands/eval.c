/* eval.c -- one model for given inputs, term by term */
#include "cli/front/own.h"
#include "cli/inputs/inputs.h"
#include "cli/show/answer.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *machine;
    bool explain;
} request;

static const ns_option options[] = {
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine [NSMODEL_MACHINE, if set]",
     NS_OPT(request, machine)},
    NS_OPTION_SET,
    NS_OPTION_EXPLAIN_OF(request),
    {NULL},
};

/* ---- the first screen -------------------------------------------------------------------------------------------- */

enum { TERMS_SHOWN = 6, TERMS_MOST = 64 };

/* The units of a model's descriptors are always valid (tests/test_every_model.c); a word has none. */
static ns_dim dim_of(const ns_field *f)
{
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    (void)ns_unit_parse(f->unit, &factor, &dim, NULL);
    return dim;
}

static void add_line(const ns_field *f, const void *out, double total, ns_value *rows)
{
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, f->kind == NS_FIELD_TERM ? "term" : "output", f->name);
    ns_value_number(row, "value", ns_field_number(f, out), dim_of(f));
    if (f->kind == NS_FIELD_TERM)
        ns_value_textf(row, "share", "%.2g %%", total != 0 ? 100 * ns_field_number(f, out) / total : 0);
    ns_value_text(row, "what", f->doc);
}

/* The total and its largest terms, down to a thousandth of it, or all outputs of a model without terms; and a pointer
 * to the rest. */
static void add_screen(const ns_model *model, const ns_machine *machine, const void *out, ns_value *result)
{
    const ns_field *term[TERMS_MOST], *total = model->outputs; /* the last */
    /* The terms that are not zero, largest first; how many there are. */
    size_t terms = 0;
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        const double value = ns_field_number(f, out);
        total = f;
        if (f->kind != NS_FIELD_TERM || value == 0 || terms == TERMS_MOST)
            continue;
        size_t at = terms++;
        for (; at > 0 && fabs(ns_field_number(term[at - 1], out)) < fabs(value); at--)
            term[at] = term[at - 1];
        term[at] = f;
    }
    char number[64];
    if (terms > 0)
        ns_sentence(result, "total", NS_IN_NARROW | NS_NOT_IN_JSON, "%s of %s%s%s: %s", total->name, model->name,
                    machine != NULL ? " on " : "", machine != NULL ? machine->name : "",
                    ns_quantity_format(ns_field_number(total, out), dim_of(total), 4, number, sizeof number));
    ns_value *rows = ns_put_rows(result, "screen", NS_IN_NARROW);
    const double whole = ns_field_number(total, out);
    for (size_t i = 0; i < terms && i < TERMS_SHOWN && fabs(ns_field_number(term[i], out)) >= fabs(whole) / 1000; i++)
        add_line(term[i], out, whole, rows);
    for (const ns_field *f = model->outputs; terms == 0 && f->kind != NS_FIELD_END; f++)
        add_line(f, out, 0, rows);
    ns_sentence(result, "more", NS_IN_NARROW | NS_NOT_IN_JSON,
                "inputs and every output: --wide; where each number comes from: --explain");
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    const ns_model *model;
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_explanation_free) ns_explanation *explanation = NULL;
    ns_binding binding;
    ns_model_buffer out;
    request r;
    NS_TRY(ns_args_read(args, &r, err));
    NS_TRY(ns_model_get(args->word[0], &model, err));
    const char *usual = getenv("NSMODEL_MACHINE");
    NS_TRY(r.machine == NULL && usual != NULL && *usual != '\0' ? ns_machine_only(args, &machine, err)
                                                                : ns_machine_if_named(args, false, &machine, err));
    ns_bind_open(&binding, model, machine);
    for (int i = 1; i < args->words; i++)
        NS_TRY(ns_bind_text(&binding, args->word[i], err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &out, err));
    char note[200];
    if (*ns_bind_beyond(&binding, note, sizeof note) != '\0')
        fprintf(context->err, "nsmodel: note: %s\n", note);
    if (*ns_bind_assumed(&binding, note, sizeof note) != '\0')
        fprintf(context->err, "nsmodel: note: %s\n", note);
    const unsigned wide = r.explain ? NS_EVERYWHERE : NS_IN_WIDE;
    ns_put_text(result, "model", wide, model->name);
    if (machine != NULL)
        ns_put_text(result, "machine", wide, machine->name);
    if (!r.explain)
        add_screen(model, machine, &out, result);
    ns_value *inputs = ns_put_object(result, "inputs", wide);
    for (int i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *field = &binding.model->inputs[i];
        const ns_dim dim = dim_of(field);
        char unit[24], origin[512];
        ns_value *row = ns_value_object(inputs, field->name);
        if (field->kind == NS_FIELD_WORD) {
            int word;
            memcpy(&word, binding.in.bytes + field->offset, sizeof word);
            ns_value_text(row, "value", field->words[word]);
            ns_put_text(row, "unit", NS_IN_DATA, "");
        } else if (field->kind == NS_FIELD_NUMBER) {
            ns_value_number(row, "value", ns_field_number(field, binding.in.bytes), dim);
            ns_put_text(row, "unit", NS_IN_DATA, ns_dim_unit(dim, unit, sizeof unit));
        } else if (field->kind == NS_FIELD_LIST) {
            const ns_numbers *list = (const ns_numbers *)(const void *)(binding.in.bytes + field->offset);
            ns_value *values = ns_value_list(row, "value");
            for (size_t k = 0; k < list->count; k++)
                ns_value_number(values, NULL, list->at[k], dim);
            ns_value_text(row, "unit", ns_dim_unit(dim, unit, sizeof unit));
        }
        if (r.explain) /* its origin, in words */
            ns_value_text(row, "from", ns_explain_origin(&binding, i, origin, sizeof origin));
    }
    ns_value *terms = ns_put_object(result, "terms", wide), *outputs = ns_put_object(result, "outputs", wide);
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        const double value = ns_field_number(f, &out);
        const ns_dim dim = dim_of(f);
        char unit[24];
        if (f->kind == NS_FIELD_TERM)
            ns_value_number(terms, f->name, value, dim);
        ns_value *row = ns_put_object(outputs, f->name, f->kind == NS_FIELD_TERM ? NS_IN_DATA : NS_EVERYWHERE);
        ns_value_number(row, "value", value, dim);
        ns_put_text(row, "unit", NS_IN_DATA, ns_dim_unit(dim, unit, sizeof unit));
    }
    if (!r.explain)
        return NS_OK;
    char warning[200];
    ns_explain_range(&binding, warning, sizeof warning);
    ns_put_text(result, "warning", *warning == '\0' ? NS_IN_JSON : NS_EVERYWHERE, warning);
    NS_TRY(ns_explanation_open(&explanation, err));
    NS_TRY(ns_explain_model(explanation, &binding, &out, err));
    ns_terms_show(explanation, result);
    return NS_OK;
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
