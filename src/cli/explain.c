/* explain.c -- predict --explain: every term with its formula, its inputs and where each parameter came from */
#include "cli/predict.h"

#include <string.h>

static const ns_dim SECOND = {1, 0, 0}, BYTE = {0, 1, 0};

typedef struct explainer {
    const ns_case *c;
    const ns_choice *choice;
    const char *step;
    ns_value *list;
} explainer;

static ns_value *new_row(const explainer *e, const char *term)
{
    ns_value *row = ns_value_object(e->list, NULL);
    if (e->c->machine != NULL)
        ns_value_text(row, "machine", e->c->machine->name);
    ns_value_count(row, "gpus", e->c->exchange->parts);
    ns_value_text(row, "strategy", e->choice->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[e->choice->transport]);
    ns_value_text(row, "step", e->step);
    ns_value_text(row, "term", term);
    return row;
}

/* amount x parameter. */
static void add_product(const explainer *e, const char *term, double amount, ns_dim dim, const char *path)
{
    ns_value *row = new_row(e, term);
    const ns_parameter *p = ns_machine_parameter(e->c->machine, path);
    const char *last = strrchr(path, '.');
    ns_value_textf(row, "formula", "%s x %s", ns_dim_equal(dim, BYTE) ? "bytes" : "messages", last != NULL ? last + 1 : path);
    ns_value_number(row, "amount", amount, dim);
    if (p != NULL)
        ns_value_number(row, "value", p->value, p->dim);
    else
        ns_value_null(row, "value");
    ns_value_number(row, "time_s", p != NULL ? amount * p->value : 0, SECOND);
    ns_value_text(row, "parameter", path);
    ns_value_text(row, "source", p != NULL ? p->source : "");
}

static void add_step(explainer *e, const ns_step_price *step, ns_memory memory)
{
    const ns_machine *m = e->c->machine;
    const ns_form form = e->choice->price.form;
    char path[100], term[80];
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_class_load *load = &step->load[l][p];
            if (load->messages == 0)
                continue;
            snprintf(term, sizeof term, "%s %s", ns_locality_words[l], ns_protocol_words[p]);
            ns_cost_path(m, memory, form, (ns_locality)l, (ns_protocol)p, false, path, sizeof path);
            add_product(e, term, load->messages, NS_DIMENSIONLESS, path);
            ns_cost_path(m, memory, form, (ns_locality)l, (ns_protocol)p, true, path, sizeof path);
            if (l != NS_OFF_NODE || !step->injection)
                add_product(e, term, load->bytes, BYTE, path);
        }
    if (step->injection)
        add_product(e, form == NS_FORM_FULL ? "bytes out of and into the node" : step->receiving ? "bytes into the node" : "bytes out of the node",
                    step->node_bytes, BYTE, ns_cost_injection_path(m, memory, form, path, sizeof path));
    snprintf(path, sizeof path, "%s.queue.gamma", ns_memory_words[memory]);
    if (step->queue_s > 0)
        add_product(e, "queue search, n^2", step->queue_squares, NS_DIMENSIONLESS, path);
    if (step->contention_s > 0)
        add_product(e, "bytes that share links", step->link_bytes, BYTE, "network.contention.delta");
}

static void add_copies(explainer *e)
{
    const ns_price *price = &e->choice->price;
    const ns_copy_line *line = ns_machine_copy(e->c->machine, price->copy_processes);
    e->step = "copy";
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

static void add_published(explainer *e)
{
    const ns_model *model = ns_model_find(e->choice->strategy->model);
    if (e->choice->published_s < 0 || model == NULL)
        return;
    e->step = "published";
    ns_value *row = new_row(e, model->name);
    ns_value_textf(row, "formula", "model %s of the pattern's maxima", model->name);
    ns_value_null(row, "amount");
    ns_value_null(row, "value");
    ns_value_number(row, "time_s", e->choice->published_s, SECOND);
    ns_value_textf(row, "parameter", "nsmodel models %s", model->name);
    ns_value_text(row, "source", model->source);
}

void ns_explain_terms(const ns_case *c, const ns_comparison *comparison, ns_value *list)
{
    for (int i = 0; i < comparison->choices; i++) {
        explainer e = {c, &comparison->choice[i], "", list};
        ns_memory memory = e.choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
        for (int s = 0; s < e.choice->price.steps; s++) {
            char name[60];
            const ns_step_price *step = &e.choice->price.step[s];
            if (step->process < 0)
                continue;
            snprintf(name, sizeof name, "%d, process %d %s", s + 1, (int)step->process, step->receiving ? "receives" : "sends");
            e.step = name;
            add_step(&e, step, memory);
        }
        add_copies(&e);
        add_published(&e);
    }
}

ns_status ns_explain_parameters(const ns_machine *machine, const ns_case *cases, const ns_comparison *comparisons, size_t count,
                                const ns_selection *selection, ns_value *list, ns_error *err)
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
