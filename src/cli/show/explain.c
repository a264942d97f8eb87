/* explain.c -- predict --explain: every term with its formula, its inputs and where each parameter came from */
#include "cli/show/predict.h"

#include <string.h>

static const ns_dim SECOND = {1, 0, 0}, BYTE = {0, 1, 0};

typedef struct explainer {
    const ns_case *c;
    const ns_choice *choice;
    ns_terms *terms;
} explainer;

/* amount x parameter, the parameter by its path. */
static ns_term *add_product(const explainer *e, const char *name, double amount, ns_dim dim, const char *path)
{
    ns_term *term = ns_terms_add(e->terms, 2, "%s", name);
    const char *last = strrchr(path, '.');
    snprintf(term->formula, sizeof term->formula, "%s x %s", ns_dim_equal(dim, BYTE) ? "bytes" : "messages",
             last != NULL ? last + 1 : path);
    term->has_amount = true;
    term->amount = amount;
    term->amount_dim = dim;
    if (ns_term_set_parameter(term, e->c->machine, path))
        ns_term_set_value(term, amount * term->parameter, SECOND, true);
    return term;
}

/* The same of a form's parameter; where the machine has none, the form's own default. */
static void add_slot(const explainer *e, const ns_form_values *v, const ns_step_price *step, const char *name, int row,
                     int slot)
{
    const ns_form_row *r = &v->form->rows[row];
    const double amount = step->amount[slot], seconds = amount * v->value[slot];
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    if (seconds == 0 || ns_unit_parse(r->unit, &factor, &dim, NULL) != NS_OK)
        return;
    const ns_dim times = {(signed char)(1 - dim.second), (signed char)-dim.byte, (signed char)-dim.flop};
    ns_term *term = add_product(e, name, amount, times, v->from[slot] != NULL ? v->from[slot]->path : r->path[0].at);
    term->has_parameter = true;
    term->parameter = v->value[slot];
    term->parameter_dim = dim;
    term->source = v->from[slot] != NULL ? v->from[slot]->source : r->doc;
    ns_term_set_value(term, seconds, SECOND, true);
}

/* Larger messages than any that the line was fitted to, where the machine says. */
static void warn_range(const explainer *e, const char *stem, const ns_class_load *load)
{
    char path[120], mean[48], most[48];
    const double bytes = load->bytes / load->messages;
    snprintf(path, sizeof path, "%s.to", stem);
    const ns_parameter *to = ns_machine_parameter(e->c->machine, path);
    if (to == NULL || bytes <= to->value || e->terms->count == 0)
        return;
    ns_term *term = &e->terms->term[e->terms->count - 1];
    snprintf(term->warning, sizeof term->warning, "messages of %s on average; the line was fitted up to %s",
             ns_quantity_format(bytes, BYTE, 4, mean, sizeof mean),
             ns_quantity_format(to->value, BYTE, 4, most, sizeof most));
}

static void add_class(const explainer *e, const ns_form_values *v, const ns_step_price *step, int l, int p)
{
    char name[80];
    snprintf(name, sizeof name, "%s %s", ns_locality_words[l], ns_protocol_words[p]);
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (v->form->rows[r].by_class)
            add_slot(e, v, step, name, r, v->first[r] + NS_PROTOCOLS * l + p);
    snprintf(name, sizeof name, "%s.%s.%s", ns_memory_words[v->memory], ns_locality_words[l], ns_protocol_words[p]);
    if (step->load[l][p].messages > 0)
        warn_range(e, name, &step->load[l][p]);
}

static void add_step(const explainer *e, const ns_form_values *v, const ns_step_price *step)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            add_class(e, v, step, l, p);
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        if (!row->by_class)
            add_slot(e, v, step, step->receiving && row->received != NULL ? row->received : row->amount, r,
                     v->first[r]);
    }
}

static void add_copies(const explainer *e)
{
    const ns_price *price = &e->choice->price;
    const ns_copy_line *line = ns_machine_copy(e->c->machine, price->copy_processes);
    if (price->copy_s <= 0)
        return;
    ns_term_set_value(ns_terms_add(e->terms, 1, "copy"), price->copy_s, SECOND, true);
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        char path[80];
        if (price->copy_processes == 0 || price->copy_bytes[d] == 0)
            continue;
        snprintf(path, sizeof path, "copy.%d.%s.alpha", line->processes, ns_direction_words[d]);
        add_product(e, ns_direction_words[d], 1, NS_DIMENSIONLESS, path);
        snprintf(path, sizeof path, "copy.%d.%s.beta", line->processes, ns_direction_words[d]);
        add_product(e, ns_direction_words[d], price->copy_bytes[d], BYTE, path);
    }
}

static void add_published(const explainer *e)
{
    const char *name = e->choice->strategy->model;
    const ns_model *model = name != NULL ? ns_model_find(name) : NULL;
    if (e->choice->published_s < 0 || model == NULL)
        return;
    ns_term *term = ns_terms_add(e->terms, 1, "published, for comparison");
    ns_term_set_value(term, e->choice->published_s, SECOND, false);
    snprintf(term->formula, sizeof term->formula, "model %s of the pattern's maxima", model->name);
    snprintf(term->path, sizeof term->path, "nsmodel models %s", model->name);
    term->source = model->source;
}

void ns_explain_choice(const ns_case *c, const ns_choice *choice, ns_terms *terms)
{
    const explainer e = {c, choice, terms};
    ns_form_values values;
    ns_form_take(choice->price.form, c->machine, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0, &values);
    ns_term_set_value(ns_terms_add(terms, 0, "%s/%s, %d parts on %s", choice->strategy->name,
                                   ns_transport_words[choice->transport], (int)c->exchange->parts, c->machine->name),
                      choice->price.estimate_s, SECOND, true);
    for (int s = 0; s < choice->price.steps; s++) {
        const ns_step_price *step = &choice->price.step[s];
        if (step->process < 0)
            continue;
        ns_term_set_value(ns_terms_add(terms, 1, "step %d, process %d %s", s + 1, (int)step->process,
                                       step->receiving ? "receives" : "sends"),
                          ns_step_price_seconds(step), SECOND, true);
        add_step(&e, &values, step);
    }
    add_copies(&e);
    add_published(&e);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void add_row(const ns_case *c, const ns_choice *choice, const ns_terms *terms, size_t i, const char *step,
                    ns_value *list)
{
    const ns_term *term = &terms->term[i];
    const double share = ns_terms_share(terms, i);
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", c->machine->name);
    ns_value_count(row, "gpus", c->exchange->parts);
    ns_value_text(row, "strategy", choice->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[choice->transport]);
    ns_value_text(row, "step", term->counts ? step : "published");
    ns_value_text(row, "term", term->counts ? term->name : choice->strategy->model);
    ns_value_text(row, "formula", term->formula);
    if (term->has_amount)
        ns_value_number(row, "amount", term->amount, term->amount_dim);
    else
        ns_value_null(row, "amount");
    if (term->has_parameter)
        ns_value_number(row, "value", term->parameter, term->parameter_dim);
    else
        ns_value_null(row, "value");
    ns_value_number(row, "time_s", term->value, SECOND);
    if (share >= 0)
        ns_value_count(row, "share", share);
    else
        ns_value_null(row, "share");
    ns_value_text(row, "parameter", term->path);
    ns_value_text(row, "source", term->source);
    ns_value_text(row, "warning", term->warning);
}

void ns_explain_rows(const ns_case *c, const ns_choice *choice, const ns_terms *terms, ns_value *list)
{
    const char *step = "";
    for (size_t i = 0; i < terms->count; i++)
        if (ns_terms_has_children(terms, i))
            step = terms->term[i].name;
        else if (terms->term[i].depth > 0)
            add_row(c, choice, terms, i, step, list);
}

ns_status ns_explain_parameters(const ns_machine *machine, const ns_case *cases, const ns_comparison *comparisons,
                                size_t count, const ns_selection *selection, ns_value *list, ns_error *err)
{
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        bool active = false;
        for (size_t k = 0; k < count && !active; k++)
            if (cases[k].machine == machine)
                NS_TRY(ns_parameter_is_active(cases[k].exchange, machine, selection, &comparisons[k], p, &active, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "machine", machine->name);
        ns_value_text(row, "parameter", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_value_text(row, "use", active ? "active" : "inactive");
        ns_value_text(row, "source", p->source);
    }
    return NS_OK;
}
