/* explain.c -- predict --explain: every term with its formula, its inputs and where each parameter came from */
#include "cli/show/predict.h"

#include <string.h>

static void add_row(const ns_case *c, const ns_choice *choice, const ns_explanation *terms, size_t i, const char *step,
                    ns_value *list)
{
    const ns_term *term = ns_explanation_term(terms, i);
    const double share = ns_explanation_share(terms, i);
    char place[200];
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", c->machine->name);
    ns_value_count(row, "gpus", c->exchange->parts);
    ns_value_text(row, "strategy", choice->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[choice->transport]);
    ns_value_text(row, "step", term->counts ? step : "published");
    if (term->counts)
        ns_value_text(row, "term", term->name);
    else
        ns_value_textf(row, "term", "%s%s", choice->strategy->model,
                       strncmp(term->name, "corrected", 9) == 0 ? ", corrected" : "");
    ns_value_text(row, "formula", term->formula);
    if (term->has_amount)
        ns_value_number(row, "amount", term->amount, term->amount_dim);
    else
        ns_value_null(row, "amount");
    if (term->has_parameter)
        ns_value_number(row, "value", term->parameter, term->parameter_dim);
    else
        ns_value_null(row, "value");
    ns_value_number(row, "time_s", term->value, NS_SECOND);
    if (share >= 0)
        ns_value_count(row, "share", share);
    else
        ns_value_null(row, "share");
    ns_value_text(row, "parameter", ns_term_place(term, place, sizeof place));
    ns_value_text(row, "source", term->source);
    ns_value_text(row, "warning", term->warning);
}

ns_status ns_explain_rows(const ns_case *c, const ns_choice *choice, ns_value *list, ns_error *err)
{
    ns_explanation *terms;
    const char *step = "";
    NS_TRY(ns_explanation_open(&terms, err));
    ns_status status = ns_explain_choice(terms, c->machine, c->exchange, choice, err);
    for (size_t i = 0; status == NS_OK && i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        if (ns_term_has_children(terms, i))
            step = term->name;
        else if (term->depth > 0)
            add_row(c, choice, terms, i, step, list);
    }
    ns_explanation_free(terms);
    return status;
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
