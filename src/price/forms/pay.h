/* pay.h -- what forms share: charging an amount of a parameter, rows that several forms use, and one side of a process
 * under the node's limit, as in published forms
 */
#ifndef NS_FORMS_PAY_H
#define NS_FORMS_PAY_H

#include "machine/form.h"
#include "model/parts/max_rate.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The state of a form while it prices one load. */
typedef struct ns_payer {
    const ns_form_values *values;
    const ns_load *load;
    ns_step_price *step;
    bool amounts;
} ns_payer;

/* The slot of a class in a row with a number for each class; in any other row, the slot of class 0, 0. */
static inline int ns_slot(const ns_form_values *v, int row, int locality, int protocol)
{
    return v->first[row] + NS_PROTOCOLS * locality + protocol;
}

/* The seconds that an amount costs at a row's number. */
static inline double ns_pay_class(const ns_payer *p, int row, int locality, int protocol, double amount)
{
    const int slot = ns_slot(p->values, row, locality, protocol);
    if (p->amounts)
        p->step->amount[slot] += amount;
    return amount * p->values->value[slot];
}

static inline double ns_pay(const ns_payer *p, int row, double amount)
{
    return ns_pay_class(p, row, 0, 0, amount);
}

static inline double ns_value_of(const ns_payer *p, int row)
{
    return p->values->value[p->values->first[row]];
}

/* fmax for numbers that are not NaN, without a function call. */
static inline double ns_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Messages and bytes of a class that are charged. */
static inline void ns_paid_for(const ns_payer *p, int locality, int protocol, double messages, double bytes)
{
    if (p->amounts)
        p->step->load[locality][protocol] = (ns_class_load){messages, bytes};
}

static inline double ns_node_processes(const ns_payer *p)
{
    return ns_larger(1, p->values->machine->host_processes);
}

#define NS_ROW_ALPHA(locality)                                                                                         \
    .path = {{"<memory>." locality ".<protocol>.alpha", 0}}, .unit = "us", .doc = "start-up time of a message",        \
    .by_class = true
#define NS_ROW_BETA(locality)                                                                                          \
    .path = {{"<memory>." locality ".<protocol>.beta", 0}}, .unit = "ns/B", .doc = "time per byte of a message",       \
    .by_class = true
#define NS_ROW_R_N                                                                                                     \
    .path = {{"<memory>.injection.inverse_R_N", 0}}, .unit = "ns/B",                                                   \
    .doc = "inverse of the rate at which a node injects into the network", .amount = "bytes out of the node",          \
    .received = "bytes into the node"
#define NS_ROW_GAMMA                                                                                                   \
    .path = {{"<memory>.queue.gamma", 0}}, .unit = "ns",                                                               \
    .doc = "queue search: a process with n messages in flight spends gamma n^2", .amount = "queue search, n^2",        \
    .times = "n^2"
/* A process' messages beyond those of NS_ROW_IN_FLIGHT wait for the node; all of its processes are taken to have as
 * many. */
#define NS_ROW_STALL(parts, default_s)                                                                                 \
    .path = {{"<memory>.exchange.stall", parts}}, .unit = "us",                                                        \
    .doc = "wait for each message off node, of all processes of a node, beyond exchange.in_flight of each",            \
    .fallback = {default_s, default_s}, .amount = "messages of the node beyond those in flight"
#define NS_ROW_IN_FLIGHT                                                                                               \
    .path = {{"<memory>.exchange.in_flight", 0}}, .unit = "1",                                                         \
    .doc = "messages off node that a process has on their way before others wait", .fallback = {128, 128},             \
    .amount = "messages"

/* Set a slot to `factor` times a number of the machine, or times another slot, based on the same number of the
 * machine; a slot without a number and a default is 0. */
static inline void ns_take_number(ns_form_values *v, int slot, const ns_parameter *number, double factor)
{
    v->from[slot] = number;
    v->value[slot] = factor * number->value;
    v->se[slot] = factor * number->se;
}

static inline void ns_take_slot(ns_form_values *v, int slot, int from, double factor)
{
    v->from[slot] = v->from[from];
    v->value[slot] = factor * v->value[from];
    v->se[slot] = factor * v->se[from];
}

/* A number of the machine for a memory, or NULL. */
static inline const ns_parameter *ns_number_of(const ns_form_values *v, int memory, const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "%s.%s", ns_memory_words[memory], name);
    return ns_machine_parameter(v->machine, path);
}

/* The machine's number for the rate of a node's bytes, out and in together, and its factor: for streams, which were
 * measured in one direction, half the time; where there is none, the host's number is used.  NULL: the rate is that of
 * several processes over their own lines, as many as did not reach the rate, or as there are network interfaces, at
 * least two; the factor is their share. */
static inline const ns_parameter *ns_node_rate(const ns_form_values *v, double *factor)
{
    for (int m = (int)v->memory; m >= (int)NS_HOST; m--) {
        const ns_parameter *rate = ns_number_of(v, m, "injection.inverse_R_N"),
                           *ways = ns_number_of(v, m, "injection.directions");
        *factor = ways != NULL ? ways->value / 2 : 1;
        if (rate != NULL)
            return rate;
    }
    const ns_parameter *reached_by = ns_number_of(v, (int)v->memory, "injection.unlimited_pairs"),
                       *nics = ns_machine_parameter(v->machine, "topology.nics");
    *factor = 1 / fmax(fmax(2, reached_by != NULL ? reached_by->value : 0), nics != NULL ? nics->value : 0);
    return NULL;
}

/* Pay for what a process sends or for what it receives, whichever takes longer.  `side` sets the terms of one of the
 * two, and returns the seconds that are compared. */
static inline void ns_pay_longer(const ns_payer *p, double (*side)(const ns_payer *p, bool receiving))
{
    const ns_payer unpaid = {p->values, p->load, p->step, false};
    const double received = side(&unpaid, true), sent = side(&unpaid, false);
    if (p->amounts || received > sent)
        (void)side(p, received > sent);
}

/* ---- one side of a process, sending or receiving, under the node's limit -------------------------------------------
 *
 *     sum_on (alpha + beta s) + sum_off alpha + max(sum_off beta s, S / R_N)
 */

/* Rows and terms in the order of a published form, which may have only the first of them. */
enum { NS_SIDE_ALPHA, NS_SIDE_BETA, NS_SIDE_R_N, NS_SIDE_GAMMA, NS_SIDE_DELTA };
enum { NS_SIDE_OFF_NODE, NS_SIDE_ON_NODE, NS_SIDE_QUEUE, NS_SIDE_CONTENTION };

/* One side; in a form with one table for all messages, which has no node's rate, only the bytes' own lines count. */
static inline double ns_side(const ns_payer *p, bool receiving)
{
    const ns_load *load = p->load;
    const ns_form *form = p->values->form;
    const ns_class_load(*of)[NS_PROTOCOLS] = receiving ? load->in : load->out;
    double *term = p->step->term, messages = 0, starting = 0, on_node = 0, own = 0, past = 0;
    const double *betas = &p->values->value[ns_slot(p->values, NS_SIDE_BETA, NS_OFF_NODE, 0)];
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            const ns_class_load *one = &of[l][c];
            ns_paid_for(p, l, c, one->messages, one->bytes);
            const double start_ups = ns_pay_class(p, NS_SIDE_ALPHA, l, c, one->messages);
            if (l < NS_OFF_NODE) {
                on_node += start_ups + ns_pay_class(p, NS_SIDE_BETA, l, c, one->bytes);
                continue;
            }
            starting += start_ups;
            messages += one->messages;
            *(load->unlimited[c] ? &past : &own) += one->bytes * betas[c];
        }
    const double node = receiving ? load->node_in : load->node_out,
                 shared = form->one_table ? 0 : node * ns_value_of(p, NS_SIDE_R_N);
    const bool leaves = messages > 0 || own > 0; /* the maxima of a row may come from different processes */
    p->step->receiving = receiving;
    p->step->injection = leaves && shared > own;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        if (!p->step->injection || load->unlimited[c])
            (void)ns_pay_class(p, NS_SIDE_BETA, NS_OFF_NODE, c, of[NS_OFF_NODE][c].bytes);
    if (p->step->injection)
        (void)ns_pay(p, NS_SIDE_R_N, node);
    term[NS_SIDE_OFF_NODE] = starting + past + (leaves ? ns_max_rate_transfer(own, shared) : own);
    term[NS_SIDE_ON_NODE] = on_node;
    if (form->needs_queue)
        term[NS_SIDE_QUEUE] = ns_pay(p, NS_SIDE_GAMMA, receiving ? load->in_squares : load->out_squares);
    if (form->needs_hops)
        term[NS_SIDE_CONTENTION] = ns_pay(p, NS_SIDE_DELTA, load->link_bytes);
    return term[NS_SIDE_OFF_NODE] + term[NS_SIDE_ON_NODE] + term[NS_SIDE_QUEUE] + term[NS_SIDE_CONTENTION];
}

/* The `price` function of such forms. */
static inline void ns_price_sides(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    ns_pay_longer(&(ns_payer){values, load, step, amounts}, ns_side);
}

#endif
