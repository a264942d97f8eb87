/* explain_choice.c -- why an estimate is what it is */
#include "network/network.h"
#include "study/explanation.h"

#include <stdio.h>
#include <string.h>

/* ---- every term of an estimate with its formula, its inputs and where each parameter came from ------------------- */

typedef struct explainer {
    ns_explanation *to;
    const ns_machine *machine;
    const ns_choice *choice;
    const ns_form_values *values; /* of its form, on that machine */
} explainer;

/* amount x parameter, the parameter by its path; times: what there is so much of, where it is not messages or bytes. */
static ns_term *add_product(const explainer *e, const char *name, const char *times, double amount, ns_dim dim,
                            const char *path)
{
    ns_term *term = ns_explanation_add(e->to, 2, "%s", name);
    const char *last = strrchr(path, '.'), *usual = ns_dim_equal(dim, NS_BYTE) ? "bytes" : "messages";
    term->formula =
        ns_explanation_text(e->to, "%s x %s", times != NULL ? times : usual, last != NULL ? last + 1 : path);
    term->has_amount = true;
    term->amount = amount;
    term->amount_dim = dim;
    if (ns_term_set_parameter(e->to, term, e->machine, path))
        ns_term_set_value(term, amount * term->parameter, NS_SECOND, true);
    return term;
}

/* Larger messages than any that the line was fitted to, where the machine says. */
static const char *warn_range(const explainer *e, const char *stem, const ns_class_load *load)
{
    char path[120], mean[48], most[48];
    const double bytes = load->bytes / load->messages;
    snprintf(path, sizeof path, "%s.to", stem);
    const ns_parameter *to = ns_machine_parameter(e->machine, path);
    if (to == NULL || bytes <= to->value)
        return "";
    return ns_explanation_text(e->to, "messages of %s on average; the line was fitted up to %s",
                               ns_quantity_format(bytes, NS_BYTE, 4, mean, sizeof mean),
                               ns_quantity_format(to->value, NS_BYTE, 4, most, sizeof most));
}

/* The same of a form's parameter; where the machine has none, the form's own default. */
static ns_term *add_slot(const explainer *e, const ns_step_price *step, const char *name, int row, int slot)
{
    const ns_form_values *v = e->values;
    const ns_form_row *r = &v->form->rows[row];
    const double amount = step->amount[slot], seconds = amount * v->value[slot];
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    if (seconds == 0 || ns_unit_parse(r->unit, &factor, &dim, NULL) != NS_OK)
        return NULL;
    const ns_dim times = {(signed char)(1 - dim.second), (signed char)-dim.byte, (signed char)-dim.flop};
    bool derived;
    char path[120];
    ns_form_slot_path(v, slot, &derived, path, sizeof path);
    ns_term *term = add_product(e, name, r->times, amount, times, v->from[slot] != NULL ? v->from[slot]->path : path);
    term->has_parameter = true;
    term->parameter = v->value[slot];
    term->parameter_dim = dim;
    term->source = v->from[slot] != NULL ? v->from[slot]->source : r->doc;
    ns_term_set_value(term, seconds, NS_SECOND, true);
    return term;
}

static void add_class(const explainer *e, const ns_step_price *step, int l, int p)
{
    const ns_form_values *v = e->values;
    char name[80];
    ns_term *last = NULL;
    snprintf(name, sizeof name, "%s %s", ns_locality_words[l], ns_protocol_words[p]);
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (v->form->rows[r].by_class) {
            ns_term *term = add_slot(e, step, name, r, v->first[r] + NS_PROTOCOLS * l + p);
            last = term != NULL ? term : last;
        }
    snprintf(name, sizeof name, "%s.%s.%s", ns_memory_words[v->memory], ns_locality_words[l], ns_protocol_words[p]);
    if (step->load[l][p].messages > 0 && last != NULL)
        last->warning = warn_range(e, name, &step->load[l][p]);
}

/* Seconds of a step that belong to the exchange as a whole. */
static double once_s(const ns_form_values *v, const ns_step_price *step)
{
    double sum = 0;
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (v->form->rows[r].once)
            sum += step->amount[v->first[r]] * v->value[v->first[r]];
    return sum;
}

/* They are kept with the first step, which may have no messages. */
static void add_once(const explainer *e)
{
    const ns_form_values *v = e->values;
    const ns_step_price *first = &e->choice->price.step[0];
    const double seconds = e->choice->price.steps > 0 ? once_s(v, first) : 0;
    if (seconds <= 0)
        return;
    ns_term_set_value(ns_explanation_add(e->to, 1, "fixed, once an exchange"), seconds, NS_SECOND, true);
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (v->form->rows[r].once)
            add_slot(e, first, v->form->rows[r].amount, r, v->first[r]);
}

static void add_copies(const explainer *e)
{
    const ns_price *price = &e->choice->price;
    const ns_copy_line *line = ns_machine_copy(e->machine, price->copy_processes);
    if (price->copy_s <= 0)
        return;
    ns_term_set_value(ns_explanation_add(e->to, 1, "copy"), price->copy_s, NS_SECOND, true);
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        char path[80];
        if (price->copy_processes == 0 || price->copy_bytes[d] == 0)
            continue;
        if (price->copy_waits[d]) {
            snprintf(path, sizeof path, "copy.%d.%s.wait", line->processes, ns_direction_words[d]);
            add_product(e, ns_direction_words[d], "copies that wait for their turn", 1, NS_DIMENSIONLESS, path);
            continue;
        }
        snprintf(path, sizeof path, "copy.%d.%s.alpha", line->processes, ns_direction_words[d]);
        add_product(e, ns_direction_words[d], "copies", 1, NS_DIMENSIONLESS, path);
        snprintf(path, sizeof path, "copy.%d.%s.beta", line->processes, ns_direction_words[d]);
        add_product(e, ns_direction_words[d], NULL, price->copy_bytes[d], NS_BYTE, path);
    }
}

static void add_closed(const explainer *e, const char *name, const char *form, double seconds)
{
    const ns_model *model = e->choice->strategy->model != NULL ? ns_model_find(e->choice->strategy->model) : NULL;
    if (seconds < 0 || model == NULL)
        return;
    ns_term *term = ns_explanation_add(e->to, 1, "%s, for comparison", name);
    ns_term_set_value(term, seconds, NS_SECOND, false);
    term->formula = ns_explanation_text(e->to, "model %s, form=%s, of the pattern's maxima", model->name, form);
    term->model = model;
    term->source = model->source;
}

/* Steps, what is paid once, and copies of a choice's price, below the last term of depth 0. */
static void ns_explain_steps(ns_explanation *explanation, const ns_machine *machine, const ns_choice *choice,
                             ns_memory memory)
{
    ns_form_values values;
    const explainer e = {explanation, machine, choice, &values};
    ns_form_take(choice->price.form, machine, memory, 0, &values);
    for (int s = 0; s < choice->price.steps; s++) {
        const ns_step_price *step = &choice->price.step[s];
        if (step->process < 0)
            continue;
        ns_term_set_value(ns_explanation_add(explanation, 1, "step %d, process %d %s", s + 1, (int)step->process,
                                             step->receiving ? "receives" : "sends"),
                          ns_step_price_seconds(step) - once_s(&values, step), NS_SECOND, true);
        const ns_form_values *v = e.values;
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++)
                add_class(&e, step, l, p);
        for (int r = 0; v->form->rows[r].doc != NULL; r++) {
            const ns_form_row *row = &v->form->rows[r];
            if (!row->by_class && !row->once)
                add_slot(&e, step, step->receiving && row->received != NULL ? row->received : row->amount, r,
                         v->first[r]);
        }
    }
    add_once(&e);
    add_copies(&e);
    /* The factor is of all terms together. */
    const ns_price *price = &e.choice->price;
    const double others = price->estimate_s - price->learnt_s - price->copy_s;
    if (e.values->residual == NULL || !(others > 0))
        return;
    const ns_residual *r = e.values->residual;
    const double percent = 100 * price->learnt_s / others;
    bool ranked = false;
    for (size_t i = 0; i < r->ratios && !ranked; i++)
        ranked = strcmp(r->ratio[i].way, e.choice->strategy->name) == 0;
    if (!ranked && r->points == 0)
        return;
    ns_term *term = ranked ? ns_explanation_add(e.to, 1, "learnt from published rankings: %+.3g %%", percent)
                           : ns_explanation_add(e.to, 1, "learnt from measured exchanges: %+.3g %%, %zu point%s",
                                                percent, r->points, r->points == 1 ? "" : "s");
    ns_term_set_value(term, price->learnt_s, NS_SECOND, true);
}

ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err)
{
    const explainer e = {explanation, machine, choice, NULL};
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s", choice->strategy->name,
                                         ns_transport_words[choice->transport], (int)exchange->parts, machine->name),
                      choice->price.estimate_s, NS_SECOND, true);
    ns_explain_steps(explanation, machine, choice, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    add_closed(&e, "corrected", "corrected", choice->corrected_s);
    add_closed(&e, "published", "printed", choice->published_s);
    return ns_explanation_check(explanation, err);
}

/* What no time of the node that ends last can be shorter than. */
static void add_bound(ns_explanation *to, const char *name, const char *formula, const char *model, double seconds)
{
    ns_term *term = ns_explanation_add(to, 2, "%s", name);
    ns_term_set_value(term, seconds, NS_SECOND, false);
    term->formula = formula;
    term->model = ns_model_find(model);
    term->source = term->model->source;
}

static void add_collective_step(ns_explanation *to, const ns_step_result *step, ns_mechanism mechanism)
{
    ns_term *term = ns_explanation_add(to, 2, "whole exchange after %s", ns_mechanism_words[mechanism]);
    ns_term_set_value(term, step->time, NS_SECOND, false);
    term->formula = "mechanisms one after another";
    term->model = ns_model_find("netsparse-speedup");
    term->source = term->model->source;
}

static void add_network(ns_explanation *to, const ns_networked *n)
{
    const ns_gathering *g = &n->gathering;
    const ns_netsparse_result *r = g->result;
    ns_term *term = ns_explanation_add(to, 1, "between nodes%s%s", r != NULL ? ", limited by " : "",
                                       r != NULL ? ns_limit_words[r->step[NS_SWITCH].limit] : "");
    ns_term_set_value(term, g->network_s, NS_SECOND, true);
    term->source = n->fabric->kind->source;
    if (r == NULL)
        return;
    const ns_step_result *last = &r->step[NS_SWITCH];
    add_bound(to, "line", "busier direction / (B s)", "rig-batch", last->tail.line);
    add_bound(to, "RIG units", "Z/(Ua f) and commands", "rig-batch", last->tail.generate);
    add_bound(to, "pending tables", "Q RTT/(Ua E)", "rig-batch", last->tail.pending);
    add_bound(to, "last round of batches", "beyond the pace of all units", "rig-batch", last->tail.tail);
    add_bound(to, "links between switches", "bytes x hops/(links B)", "netsparse-hops", last->network);
    for (int i = 0; i < NS_MECHANISMS; i++)
        add_collective_step(to, &r->step[i], (ns_mechanism)i);
}

ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err)
{
    const ns_machine *machine = ns_networked_machine(networked, choice);
    const ns_choice *of = &comparison->choice[choice];
    if (choice != networked->gather)
        return ns_explain_choice(explanation, machine, exchange, of, err);
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s with %s", of->strategy->name,
                                         ns_transport_words[of->transport], (int)exchange->parts, machine->name,
                                         networked->fabric->kind->name),
                      of->price.estimate_s, NS_SECOND, true);
    add_network(explanation, networked);
    ns_explain_steps(explanation, machine, of, networked->gathering.inside == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    return ns_explanation_check(explanation, err);
}
