/* cost.c -- what a form takes from a machine, and the cost of one process (the forms stand in strategy.h) */
#include "price/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ns_price_form_words[] = {"auto", "postal", "max-rate", "queue", "contention", "full", NULL};

ns_status ns_form_get(const char *word, ns_form *form, ns_error *err)
{
    for (int i = 0; i < NS_FORMS; i++)
        if (strcmp(word, ns_price_form_words[i]) == 0) {
            *form = (ns_form)i;
            return NS_OK;
        }
    return ns_fail(err, NS_ERR_NAME, "no model \"%.40s\"; there are postal, max-rate, queue, contention, full and auto", word);
}

ns_form ns_form_of(const ns_machine *machine, ns_memory memory, ns_form form)
{
    if (form != NS_FORM_AUTO)
        return form;
    return machine->exchange[memory].given ? NS_FORM_FULL : NS_FORM_MAX_RATE;
}

static ns_line exchange_line(const ns_machine *machine, ns_memory memory, int locality, int protocol)
{
    const ns_exchange_line *x = &machine->exchange[memory];
    ns_line line = machine->line[memory][locality][protocol];
    const double to = line.to;
    if (locality != NS_OFF_NODE && x->on[locality][protocol].given)
        line = x->on[locality][protocol];
    if (locality == NS_OFF_NODE && x->off_alpha > 0)
        line.alpha = x->off_alpha, line.alpha_se = x->off_alpha_se;
    line.to = to;
    return line;
}

static ns_line line_of(const ns_machine *machine, ns_memory memory, ns_form form, int locality, int protocol)
{
    if (form == NS_FORM_FULL)
        return exchange_line(machine, memory, locality, protocol);
    return machine->line[memory][form == NS_FORM_POSTAL ? NS_OFF_NODE : locality][protocol];
}

void ns_cost_make(const ns_machine *machine, ns_memory memory, ns_form form, ns_cost *cost)
{
    const ns_exchange_line *x = &machine->exchange[memory];
    *cost = (ns_cost){.form = ns_form_of(machine, memory, form)};
    form = cost->form;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_line line = line_of(machine, memory, form, l, p);
            cost->alpha[l][p] = (ns_rate){line.alpha, line.alpha_se};
            cost->beta[l][p] = (ns_rate){line.beta, line.beta_se};
            cost->to[l][p] = line.to;
        }
    cost->both_ways = form == NS_FORM_FULL;
    cost->rate_replaces = form == NS_FORM_FULL && x->inverse_R > 0;
    if (cost->rate_replaces)
        cost->inverse_rate = (ns_rate){x->inverse_R, x->inverse_R_se};
    else if (form != NS_FORM_POSTAL)
        cost->inverse_rate = (ns_rate){machine->inverse_R_N[memory], machine->inverse_R_N_se[memory]};
    if (form >= NS_FORM_QUEUE && memory == NS_HOST)
        cost->gamma = (ns_rate){machine->queue_gamma, machine->queue_gamma_se};
    if (form == NS_FORM_CONTENTION)
        cost->delta = (ns_rate){machine->contention_delta, machine->contention_delta_se};
    const bool calibrated = form == NS_FORM_FULL && x->error > 0;
    cost->error = calibrated ? x->error : NS_ERROR_UNCALIBRATED;
    cost->error_between = calibrated && x->error_between > 0 ? x->error_between : NS_ERROR_BETWEEN_UNCALIBRATED;
}

const char *ns_cost_path(const ns_machine *machine, ns_memory memory, ns_form form, ns_locality locality, ns_protocol protocol,
                         bool rate, char *path, size_t size)
{
    const ns_exchange_line *x = &machine->exchange[memory];
    const char *m = ns_memory_words[memory], *what = rate ? "beta" : "alpha";
    const char *l = ns_locality_words[form == NS_FORM_POSTAL ? NS_OFF_NODE : locality];
    const bool full = form == NS_FORM_FULL;
    if (full && locality == NS_OFF_NODE && !rate && x->off_alpha > 0)
        snprintf(path, size, "%s.exchange.%s.alpha", m, l);
    else if (full && locality != NS_OFF_NODE && x->on[locality][protocol].given)
        snprintf(path, size, "%s.exchange.%s.%s.%s", m, l, ns_protocol_words[protocol], what);
    else
        snprintf(path, size, "%s.%s.%s.%s", m, l, ns_protocol_words[protocol], what);
    return path;
}

const char *ns_cost_injection_path(const ns_machine *machine, ns_memory memory, ns_form form, char *path, size_t size)
{
    const bool shared = form == NS_FORM_FULL && machine->exchange[memory].inverse_R > 0;
    snprintf(path, size, "%s.%s", ns_memory_words[memory], shared ? "exchange.inverse_R" : "injection.inverse_R_N");
    return path;
}

void ns_cost_side(const ns_cost *cost, const bool *limited, ns_step_price *side)
{
    double start_up = 0, off = 0, own = 0, free_bytes = 0; /* own: bytes' time that the node's rate is compared with */
    side->on_node_s = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_class_load *load = &side->load[l][p];
            const double alpha = load->messages * cost->alpha[l][p].value, beta = load->bytes * cost->beta[l][p].value;
            if (l != NS_OFF_NODE) {
                side->on_node_s += alpha + beta;
                continue;
            }
            start_up += alpha;
            off += load->messages;
            if (limited == NULL || limited[p])
                own += beta;
            else
                free_bytes += beta;
        }
    const double shared = side->node_bytes * cost->inverse_rate.value;
    side->injection = cost->rate_replaces ? shared > 0 && off > 0 : off > 0 && shared > own;
    side->off_node_s = start_up + (cost->rate_replaces ? 0 : free_bytes) + (side->injection ? shared : cost->rate_replaces ? 0 : own);
    side->queue_s = cost->gamma.value * side->queue_squares;
    side->contention_s = cost->delta.value * side->link_bytes;
}

double ns_step_seconds(const ns_step_price *step)
{
    return step->on_node_s + step->off_node_s + step->queue_s + step->contention_s;
}
