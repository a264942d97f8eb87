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
    return ns_fail(err, NS_ERR_NAME, "no model \"%.40s\"; there are postal, max-rate, queue, contention, full and auto",
                   word);
}

ns_status ns_confidence_check(double confidence, ns_error *err)
{
    return confidence >= 0 && confidence < 1
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "confidence wants a number between 0 and 1, got %g", confidence);
}

ns_status ns_price_options_check(const ns_price_options *options, ns_error *err)
{
    if ((unsigned)options->form >= NS_FORMS)
        return ns_fail(err, NS_ERR_RANGE, "no form %d of the cost function; they go from 0 to %d", (int)options->form,
                       NS_FORMS - 1);
    return ns_confidence_check(options->confidence, err);
}

ns_form ns_form_of(const ns_machine *machine, ns_form form)
{
    if (form != NS_FORM_AUTO)
        return form;
    for (int m = 0; m < NS_MEMORIES; m++)
        if (machine->exchange[m].given)
            return NS_FORM_FULL;
    return NS_FORM_MAX_RATE;
}

const ns_form_term ns_form_terms[] = {
    {NS_TERM_QUEUE, "queue", "no queue search"},
    {NS_TERM_BOTH_ENDS, "both-ends", "start-up inside the node paid at one end"},
    {NS_TERM_BOTH_WAYS, "both-ways", "a node's bytes one way only"},
    {NS_TERM_SHARED_RATE, "shared-rate", "R_N and beta of single messages in flight instead of R"},
    {NS_TERM_START_UP, "start-up", "each protocol's own start-up off node, of single messages"},
    {NS_TERM_IN_FLIGHT, "in-flight", "inside the node, lines of single messages in flight"},
    {NS_TERM_STEPS, "steps", "maxima by class as they stand, whatever the most of a step"},
    {0, NULL, NULL},
};

static ns_line exchange_line(const ns_machine *machine, ns_memory memory, unsigned without, int locality, int protocol)
{
    const ns_exchange_line *x = &machine->exchange[memory];
    ns_line line = machine->line[memory][locality][protocol];
    if (locality != NS_OFF_NODE && x->on[locality][protocol].given && (without & NS_TERM_IN_FLIGHT) == 0)
        line = x->on[locality][protocol];
    if (locality == NS_OFF_NODE && x->off_alpha > 0 && (without & NS_TERM_START_UP) == 0)
        line.alpha = x->off_alpha, line.alpha_se = x->off_alpha_se, line.correlation = 0; /* beta: of another fit */
    return line;
}

static void take_lines(const ns_machine *machine, ns_memory memory, unsigned without, ns_cost *cost)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_line line = cost->form == NS_FORM_FULL
                                     ? exchange_line(machine, memory, without, l, p)
                                     : machine->line[memory][cost->form == NS_FORM_POSTAL ? NS_OFF_NODE : l][p];
            cost->alpha[l][p] = (ns_rate){line.alpha, line.alpha_se};
            cost->beta[l][p] = (ns_rate){line.beta, line.beta_se};
            cost->correlation[l][p] = line.correlation;
            cost->to[l] = fmax(cost->to[l], machine->line[memory][l][p].to);
        }
}

void ns_cost_make(const ns_machine *machine, ns_memory memory, const ns_price_options *options, ns_cost *cost)
{
    const ns_exchange_line *x = &machine->exchange[memory];
    *cost = (ns_cost){.form = ns_form_of(machine, options->form)};
    const bool full = cost->form == NS_FORM_FULL;
    const unsigned without = full ? options->without : 0;
    take_lines(machine, memory, without, cost);
    cost->both_sides = full;
    cost->both_ends = full && (without & NS_TERM_BOTH_ENDS) == 0;
    cost->both_ways = full && (without & NS_TERM_BOTH_WAYS) == 0;
    cost->steps = full && (without & NS_TERM_STEPS) == 0;
    cost->rate_replaces = full && x->inverse_R > 0 && (without & NS_TERM_SHARED_RATE) == 0;
    if (cost->rate_replaces)
        cost->inverse_rate = (ns_rate){x->inverse_R, x->inverse_R_se};
    else if (cost->form != NS_FORM_POSTAL)
        cost->inverse_rate = (ns_rate){machine->inverse_R_N[memory], machine->inverse_R_N_se[memory]};
    if (cost->form >= NS_FORM_QUEUE && memory == NS_HOST && (without & NS_TERM_QUEUE) == 0)
        cost->gamma = (ns_rate){machine->queue_gamma, machine->queue_gamma_se};
    if (cost->form == NS_FORM_CONTENTION)
        cost->delta = (ns_rate){machine->contention_delta, machine->contention_delta_se};
    cost->error = full && x->error > 0 ? x->error : NS_ERROR_UNCALIBRATED;
    cost->error_between = full && x->error_between > 0 ? x->error_between : NS_ERROR_BETWEEN_UNCALIBRATED;
}

const char *ns_cost_path(const ns_machine *machine, ns_memory memory, ns_form form, ns_locality locality,
                         ns_protocol protocol, bool rate, char *path, size_t size)
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
    const bool leaves = off > 0 || own > 0; /* maxima of a row may be those of processes apart */
    side->injection = leaves && shared > (cost->rate_replaces ? 0 : own);
    side->off_node_s = start_up + (cost->rate_replaces ? 0 : free_bytes) +
                       (side->injection       ? shared
                        : cost->rate_replaces ? 0
                                              : own);
    side->queue_s = cost->gamma.value * side->queue_squares;
    side->contention_s = cost->delta.value * side->link_bytes;
}

double ns_step_seconds(const ns_step_price *step)
{
    return step->on_node_s + step->off_node_s + step->queue_s + step->contention_s;
}
