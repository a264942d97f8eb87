/* explain.c -- predict --explain: every term with its formula, its inputs and where each parameter came from */
#include "cli/show/predict.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
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
    ns_value_text(row, "step", term->counts || choice->strategy->model == NULL ? step : "published");
    if (term->counts || choice->strategy->model == NULL)
        ns_value_text(row, "term", term->name);
    else
        ns_value_textf(row, "term", "%s%s", choice->strategy->model,
                       strncmp(term->name, "corrected", 9) == 0 ? ", corrected" : "");
    ns_value_text(row, "formula", term->formula);
    ns_put_number(row, "amount", NS_EVERYWHERE, term->has_amount ? term->amount : (double)NAN, term->amount_dim);
    ns_put_number(row, "value", NS_EVERYWHERE, term->has_parameter ? term->parameter : (double)NAN,
                  term->parameter_dim);
    ns_value_number(row, "time_s", term->value, NS_SECOND);
    ns_put_count(row, "share", NS_EVERYWHERE, share >= 0 ? share : (double)NAN);
    ns_value_text(row, "parameter", ns_term_place(term, place, sizeof place));
    ns_value_text(row, "source", term->source);
    ns_value_text(row, "warning", term->warning);
}

ns_status ns_explain_way(ns_explanation *terms, const ns_case *c, const ns_comparison *comparison, int choice,
                         ns_error *err)
{
    return c->network != NULL ? ns_explain_networked(terms, c->network, c->exchange, comparison, choice, err)
                              : ns_explain_choice(terms, c->machine, c->exchange, &comparison->choice[choice], err);
}

ns_status ns_explain_rows(const ns_case *c, const ns_comparison *comparison, int index, ns_value *list, ns_error *err)
{
    const ns_choice *choice = &comparison->choice[index];
    ns_explanation *terms;
    const char *step = "";
    NS_TRY(ns_explanation_open(&terms, err));
    ns_status status = ns_explain_way(terms, c, comparison, index, err);
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

/* Does the number move any way of the case?  On a network a link may stand on it. */
static ns_status moves(const ns_case *c, const ns_comparison *comparison, const ns_selection *selection,
                       const ns_parameter *p, bool *active, ns_error *err)
{
    ns_comparison *own = NULL;
    if (c->network == NULL)
        return ns_parameter_is_active(c->exchange, c->machine, selection, comparison, p, active, err);
    *active = c->network->gather >= 0 && c->network->fabric->link == p;
    if (*active || c->network->gather == 0)
        return NS_OK;
    NS_TRY(ns_compare(c->exchange, c->machine, selection, &own, err));
    const ns_status status = ns_parameter_is_active(c->exchange, c->machine, selection, own, p, active, err);
    ns_comparison_free(own);
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
                NS_TRY(moves(&cases[k], &comparisons[k], selection, p, &active, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "machine", machine->name);
        ns_value_text(row, "parameter", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_value_text(row, "use", active ? "active" : "inactive");
        ns_value_text(row, "source", p->source);
    }
    return NS_OK;
}
