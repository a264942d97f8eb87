/* explain_choice.c -- every term of an estimate with its formula, its inputs and where each parameter came from */
#include "price/cost.h"
#include "study/explanation.h"

#include <stdio.h>
#include <string.h>

static const ns_dim SECOND = {1, 0, 0}, BYTE = {0, 1, 0};

typedef struct explainer {
    ns_explanation *to;
    const ns_machine *machine;
    const ns_choice *choice;
} explainer;

/* amount x parameter. */
static ns_term *add_product(const explainer *e, const char *name, double amount, ns_dim dim, const char *path)
{
    ns_term *term = ns_explanation_add(e->to, 2, "%s", name);
    const char *last = strrchr(path, '.');
    term->formula = ns_explanation_text(e->to, "%s x %s", ns_dim_equal(dim, BYTE) ? "bytes" : "messages",
                                        last != NULL ? last + 1 : path);
    term->has_amount = true;
    term->amount = amount;
    term->amount_dim = dim;
    if (ns_term_set_parameter(e->to, term, e->machine, path))
        ns_term_set_value(term, amount * term->parameter, SECOND, true);
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
                               ns_quantity_format(bytes, BYTE, 4, mean, sizeof mean),
                               ns_quantity_format(to->value, BYTE, 4, most, sizeof most));
}

/* Start-ups and bytes of one class at the process that decides. */
static void add_class(const explainer *e, const ns_step_price *step, ns_memory memory, ns_locality l, ns_protocol p)
{
    const ns_machine *m = e->machine;
    const ns_form form = e->choice->price.form;
    const ns_class_load *load = &step->load[l][p];
    char stem[80], path[100], name[80];
    snprintf(name, sizeof name, "%s %s", ns_locality_words[l], ns_protocol_words[p]);
    ns_term *term = add_product(e, name, load->messages, NS_DIMENSIONLESS,
                                ns_cost_path(m, memory, form, l, p, false, path, sizeof path));
    if (l != NS_OFF_NODE || !step->injection)
        term = add_product(e, name, load->bytes, BYTE, ns_cost_path(m, memory, form, l, p, true, path, sizeof path));
    snprintf(stem, sizeof stem, "%s.%s.%s", ns_memory_words[memory], ns_locality_words[l], ns_protocol_words[p]);
    term->warning = warn_range(e, stem, load);
}

static void add_step(const explainer *e, const ns_step_price *step, ns_memory memory)
{
    const ns_form form = e->choice->price.form;
    char path[100];
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (step->load[l][p].messages != 0)
                add_class(e, step, memory, (ns_locality)l, (ns_protocol)p);
    if (step->injection)
        add_product(e,
                    form == NS_FORM_FULL ? "bytes out of and into the node"
                    : step->receiving    ? "bytes into the node"
                                         : "bytes out of the node",
                    step->node_bytes, BYTE, ns_cost_injection_path(e->machine, memory, form, path, sizeof path));
    snprintf(path, sizeof path, "%s.queue.gamma", ns_memory_words[memory]);
    if (step->queue_s > 0)
        add_product(e, "queue search, n^2", step->queue_squares, NS_DIMENSIONLESS, path);
    if (step->contention_s > 0)
        add_product(e, "bytes that share links", step->link_bytes, BYTE, "network.contention.delta");
}

static void add_copies(const explainer *e)
{
    const ns_price *price = &e->choice->price;
    const ns_copy_line *line = ns_machine_copy(e->machine, price->copy_processes);
    if (price->copy_s <= 0)
        return;
    ns_term_set_value(ns_explanation_add(e->to, 1, "copy"), price->copy_s, SECOND, true);
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
    const ns_model *model = ns_model_find(e->choice->strategy->model);
    if (e->choice->published_s < 0 || model == NULL)
        return;
    ns_term *term = ns_explanation_add(e->to, 1, "published, for comparison");
    ns_term_set_value(term, e->choice->published_s, SECOND, false);
    term->formula = ns_explanation_text(e->to, "model %s of the pattern's maxima", model->name);
    term->model = model;
    term->source = model->source;
}

ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err)
{
    const explainer e = {explanation, machine, choice};
    const ns_memory memory = choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s", choice->strategy->name,
                                         ns_transport_words[choice->transport], (int)exchange->parts, machine->name),
                      choice->price.estimate_s, SECOND, true);
    for (int s = 0; s < choice->price.steps; s++) {
        const ns_step_price *step = &choice->price.step[s];
        if (step->process < 0)
            continue;
        ns_term_set_value(ns_explanation_add(explanation, 1, "step %d, process %d %s", s + 1, (int)step->process,
                                             step->receiving ? "receives" : "sends"),
                          ns_step_seconds(step), SECOND, true);
        add_step(&e, step, memory);
    }
    add_copies(&e);
    add_published(&e);
    return ns_explanation_check(explanation, err);
}
