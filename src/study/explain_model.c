/* explain_model.c -- what a model's answer is made of
 *
 * Terms as the model declares them; then the inputs, each with its source.  A model that reads the machine's tables
 * itself names no parameter, so every parameter is made a little larger, and those that move an output are listed.
 */
#include "study/explanation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ns_explain_origin(const ns_binding *binding, int i, char *text, size_t size)
{
    const ns_field *field = &binding->model->inputs[i];
    char path[160];
    const ns_parameter *parameter = NULL;
    double value;
    text[0] = '\0';
    switch ((ns_given)binding->given[i]) {
    case NS_GIVEN_MACHINE:
        if (ns_bind_path(binding, field, path, sizeof path) != NULL &&
            ns_machine_number(binding->machine, path, &value, NULL, &parameter))
            snprintf(text, size, "%s of %s: %s", path, binding->machine->name, parameter->source);
        break;
    case NS_GIVEN_SAME:
        snprintf(text, size, "the same as %s", field->from + 1);
        break;
    case NS_GIVEN_DEFAULT:
        snprintf(text, size, "default");
        break;
    default:
        snprintf(text, size, "given");
    }
    return text;
}

const char *ns_explain_range(const ns_binding *binding, char *text, size_t size)
{
    const ns_selectors *s = &binding->selectors;
    const ns_model *model = binding->model;
    char bytes_text[48], from[48], path[120];
    ns_protocol natural;
    double bytes = model->message != NULL ? model->message(binding->in.bytes) : NAN;
    text[0] = '\0';
    if (binding->machine == NULL || !isfinite(bytes) || !binding->used_machine)
        return text;
    const ns_line *line = ns_machine_line(binding->machine, s->memory, s->locality, bytes, &natural);
    ns_quantity_format(bytes, (ns_dim){.byte = 1}, 4, bytes_text, sizeof bytes_text);
    if (line != NULL && s->protocol >= 0 && natural != (ns_protocol)s->protocol) {
        snprintf(text, size, "a message of %s travels by %s on %s (from %s); protocol=%s was forced", bytes_text,
                 ns_protocol_words[natural], binding->machine->name,
                 ns_quantity_format(line->from, (ns_dim){.byte = 1}, 4, from, sizeof from),
                 ns_protocol_words[s->protocol]);
        return text;
    }
    snprintf(path, sizeof path, "%s.%s.%s.to", ns_memory_words[s->memory], ns_locality_words[s->locality],
             ns_protocol_words[binding->used_protocol]);
    const ns_parameter *to = ns_machine_parameter(binding->machine, path);
    if (to != NULL && bytes > to->value)
        snprintf(text, size, "a message of %s; the line was fitted up to %s", bytes_text,
                 ns_quantity_format(to->value, (ns_dim){.byte = 1}, 4, from, sizeof from));
    return text;
}

/* The output that the terms add up to: the last one; NULL where there are no terms. */
static const ns_field *total_of(const ns_model *model)
{
    const ns_field *total = model->outputs;
    bool terms = total->kind == NS_FIELD_TERM;
    while (total[1].kind != NS_FIELD_END) {
        total++;
        terms = terms || total->kind == NS_FIELD_TERM;
    }
    return terms ? total : NULL;
}

static ns_status add_inputs(const ns_binding *binding, ns_explanation *to, ns_error *err)
{
    char path[160];
    ns_explanation_add(to, 1, "inputs");
    for (int i = 0; binding->model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *field = &binding->model->inputs[i];
        double factor;
        if (field->kind != NS_FIELD_NUMBER)
            continue;
        ns_term *term = ns_explanation_add(to, 2, "%s", field->name);
        NS_TRY(ns_unit_parse(field->unit, &factor, &term->parameter_dim, err));
        term->has_parameter = true;
        term->parameter = ns_field_number(field, binding->in.bytes);
        if (binding->given[i] == NS_GIVEN_SAME)
            term->formula = ns_explanation_text(to, "%s", field->from);
        if (binding->given[i] != NS_GIVEN_MACHINE || ns_bind_path(binding, field, path, sizeof path) == NULL ||
            !ns_term_set_parameter(to, term, binding->machine, path))
            term->source = binding->given[i] == NS_GIVEN_USER      ? "given"
                           : binding->given[i] == NS_GIVEN_DEFAULT ? "default"
                                                                   : "";
    }
    return NS_OK;
}

/* Does any output change?  A machine that this parameter alone cannot change counts as unmoved. */
static bool moves(const ns_binding *binding, const ns_model_buffer *out, const ns_parameter *p)
{
    ns_machine *larger;
    ns_model_buffer changed;
    ns_error ignored = {0};
    if (ns_machine_turned(binding->machine, p, 1.1, &larger, &ignored) != NS_OK)
        return false;
    ns_binding other = *binding;
    other.machine = larger;
    for (int i = 0; other.model->inputs[i].kind != NS_FIELD_END; i++)
        if (other.given[i] != NS_GIVEN_USER)
            other.given[i] = NS_GIVEN_NONE;
    bool moved = ns_bind_close(&other, &ignored) == NS_OK && ns_model_eval(&other, &changed, &ignored) == NS_OK;
    bool differs = false;
    for (const ns_field *f = other.model->outputs; moved && f->kind != NS_FIELD_END; f++)
        differs = differs || ns_field_number(f, &changed) != ns_field_number(f, out);
    ns_machine_free(larger);
    return differs;
}

ns_status ns_explain_model(ns_explanation *to, const ns_binding *binding, const ns_model_buffer *out, ns_error *err)
{
    const ns_model *model = binding->model;
    const ns_field *total = total_of(model);
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    char warning[160];
    ns_term *whole =
        ns_explanation_add(to, 0, "%s%s%s", total != NULL ? total->name : "", total != NULL ? " of " : "", model->name);
    if (total != NULL) {
        NS_TRY(ns_unit_parse(total->unit, &factor, &dim, err));
        ns_term_set_value(whole, ns_field_number(total, out), dim, true);
    }
    whole->source = model->source;
    whole->warning = ns_explanation_text(to, "%s", ns_explain_range(binding, warning, sizeof warning));
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        if (f == total)
            continue;
        NS_TRY(ns_unit_parse(f->unit, &factor, &dim, err));
        ns_term *term = ns_explanation_add(to, 1, "%s", f->name);
        ns_term_set_value(term, ns_field_number(f, out), dim, f->kind == NS_FIELD_TERM);
        term->source = f->doc;
    }
    NS_TRY(add_inputs(binding, to, err));
    if (binding->model->wants_machine && binding->machine != NULL) {
        ns_explanation_add(to, 1, "parameters that count");
        for (size_t i = 0; i < binding->machine->parameters; i++) {
            const ns_parameter *p = &binding->machine->parameter[i];
            if (moves(binding, out, p))
                ns_term_set_parameter(to, ns_explanation_add(to, 2, "%s", p->doc), binding->machine, p->path);
        }
    }
    if (binding->model->notes != NULL)
        ns_explanation_add(to, 1, "assumptions")->source = binding->model->notes;
    return ns_explanation_check(to, err);
}
