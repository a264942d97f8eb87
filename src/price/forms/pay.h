/* pay.h -- what forms share: paying for an amount of a parameter, rows that several forms take, and one side of a
 * process under the node's limit, as published forms have it
 */
#ifndef NS_FORMS_PAY_H
#define NS_FORMS_PAY_H

#include "machine/form.h"
#include "model/parts/max_rate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A form while it prices one load. */
typedef struct ns_payer {
    const ns_form_values *values;
    const ns_load *load;
    ns_step_price *step;
    bool amounts;
} ns_payer;

/* Seconds of an amount of a row's number. */
static inline double ns_pay(const ns_payer *p, int row, double amount)
{
    const int slot = p->values->first[row];
    if (p->amounts)
        p->step->amount[slot] += amount;
    return amount * p->values->value[slot];
}

/* The same of a row with a number for each class. */
static inline double ns_pay_class(const ns_payer *p, int row, int locality, int protocol, double amount)
{
    const int slot = p->values->first[row] + NS_PROTOCOLS * locality + protocol;
    if (p->amounts)
        p->step->amount[slot] += amount;
    return amount * p->values->value[slot];
}

static inline double ns_value_of(const ns_payer *p, int row)
{
    return p->values->value[p->values->first[row]];
}

/* fmax of numbers, without a call. */
static inline double ns_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Messages and bytes of a class that are paid for. */
static inline void ns_paid_for(const ns_payer *p, int locality, int protocol, double messages, double bytes)
{
    if (!p->amounts)
        return;
    p->step->load[locality][protocol] = (ns_class_load){messages, bytes};
}

static inline double ns_node_processes(const ns_payer *p)
{
    return ns_larger(1, p->values->machine->host_processes);
}

#define NS_ROW_ALPHA                                                                                                   \
    {                                                                                                                  \
        .path = {{"<memory>.<locality>.<protocol>.alpha", 0}}, .unit = "us", .doc = "start-up time of a message",      \
        .by_class = true                                                                                               \
    }
#define NS_ROW_BETA                                                                                                    \
    {                                                                                                                  \
        .path = {{"<memory>.<locality>.<protocol>.beta", 0}}, .unit = "ns/B", .doc = "time per byte of a message",     \
        .by_class = true                                                                                               \
    }
#define NS_ROW_OFF_ALPHA                                                                                               \
    {                                                                                                                  \
        .path = {{"<memory>.off-node.<protocol>.alpha", 0}}, .unit = "us", .doc = "start-up time of a message",        \
        .by_class = true                                                                                               \
    }
#define NS_ROW_OFF_BETA                                                                                                \
    {                                                                                                                  \
        .path = {{"<memory>.off-node.<protocol>.beta", 0}}, .unit = "ns/B", .doc = "time per byte of a message",       \
        .by_class = true                                                                                               \
    }
#define NS_ROW_R_N                                                                                                     \
    {                                                                                                                  \
        .path = {{"<memory>.injection.inverse_R_N", 0}}, .unit = "ns/B",                                               \
        .doc = "inverse of the rate at which a node injects into the network", .amount = "bytes out of the node",      \
        .received = "bytes into the node"                                                                              \
    }
#define NS_ROW_GAMMA                                                                                                   \
    {                                                                                                                  \
        .path = {{"<memory>.queue.gamma", 0}}, .unit = "ns",                                                           \
        .doc = "queue search: a process with n messages in flight spends gamma n^2", .amount = "queue search, n^2",    \
        .times = "n^2"                                                                                                 \
    }
/* Messages of a process beyond those of NS_ROW_IN_FLIGHT wait for the node, all of whose processes have as many. */
#define NS_ROW_STALL(parts, default_s)                                                                                 \
    {                                                                                                                  \
        .path = {{"<memory>.exchange.stall", parts}}, .unit = "us",                                                    \
        .doc = "wait for each message off node, of all processes of a node, beyond exchange.in_flight of each",        \
        .fallback = {default_s, default_s}, .amount = "messages of the node beyond those in flight"                    \
    }
#define NS_ROW_IN_FLIGHT                                                                                               \
    {                                                                                                                  \
        .path = {{"<memory>.exchange.in_flight", 0}}, .unit = "1",                                                     \
        .doc = "messages off node that a process has on their way before others wait", .fallback = {128, 128},         \
        .amount = "messages"                                                                                           \
    }
#define NS_ROW_DELTA                                                                                                   \
    {                                                                                                                  \
        .path = {{"network.contention.delta", 0}}, .unit = "ns/B",                                                     \
        .doc = "contention: time per byte that shares the busiest link", .amount = "bytes that share links"            \
    }

/* ---- one side of a process, sending or receiving, under the node's limit -------------------------------------------
 *
 *     sum_on (alpha + beta s) + sum_off alpha + max(sum_off beta s, S / R_N)
 */

/* Rows and terms in the order that a published form has them; it may stop early. */
enum { NS_SIDE_ALPHA, NS_SIDE_BETA, NS_SIDE_R_N, NS_SIDE_GAMMA, NS_SIDE_DELTA };
enum { NS_SIDE_OFF_NODE, NS_SIDE_ON_NODE, NS_SIDE_QUEUE, NS_SIDE_CONTENTION };

static inline double ns_side_on(const ns_payer *p, const ns_class_load (*load)[NS_PROTOCOLS])
{
    double sum = 0;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            ns_paid_for(p, l, c, load[l][c].messages, load[l][c].bytes);
            sum += ns_pay_class(p, NS_SIDE_ALPHA, l, c, load[l][c].messages) +
                   ns_pay_class(p, NS_SIDE_BETA, l, c, load[l][c].bytes);
        }
    return sum;
}

/* limited: there is a row of the node's rate. */
static inline double ns_side_off(const ns_payer *p, const ns_class_load *load, double node_bytes, bool limited)
{
    double start_up = 0, messages = 0, own = 0, past = 0;
    const int first = p->values->first[NS_SIDE_BETA] + NS_PROTOCOLS * NS_OFF_NODE;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        ns_paid_for(p, NS_OFF_NODE, c, load[c].messages, load[c].bytes);
        start_up += ns_pay_class(p, NS_SIDE_ALPHA, NS_OFF_NODE, c, load[c].messages);
        messages += load[c].messages;
        *(p->load->unlimited[c] ? &past : &own) += load[c].bytes * p->values->value[first + c];
    }
    const double shared = limited ? node_bytes * ns_value_of(p, NS_SIDE_R_N) : 0;
    const bool leaves = messages > 0 || own > 0; /* maxima of a row may be those of processes apart */
    p->step->injection = leaves && shared > own;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        if (!p->step->injection || p->load->unlimited[c])
            (void)ns_pay_class(p, NS_SIDE_BETA, NS_OFF_NODE, c, load[c].bytes);
    if (p->step->injection)
        (void)ns_pay(p, NS_SIDE_R_N, node_bytes);
    return start_up + past + (leaves ? ns_max_rate_transfer(own, shared) : own);
}

/* Max-rate of one side. */
static inline void ns_side_max_rate(const ns_payer *p, bool receiving)
{
    const ns_load *load = p->load;
    const ns_class_load(*of)[NS_PROTOCOLS] = receiving ? load->in : load->out;
    p->step->term[NS_SIDE_ON_NODE] = ns_side_on(p, of);
    p->step->term[NS_SIDE_OFF_NODE] = ns_side_off(p, of[NS_OFF_NODE], receiving ? load->node_in : load->node_out, true);
}

/* The same and the search of the receive queue. */
static inline void ns_side_queue(const ns_payer *p, bool receiving)
{
    ns_side_max_rate(p, receiving);
    p->step->term[NS_SIDE_QUEUE] = ns_pay(p, NS_SIDE_GAMMA, receiving ? p->load->in_squares : p->load->out_squares);
}

/* The side that takes longer: side is called for both, amounts are kept of the one that counts. */
typedef void ns_side_fn(const ns_payer *payer, bool receiving);
static inline void ns_larger_side(const ns_form_values *values, const ns_load *load, bool amounts, ns_side_fn *side,
                                  ns_step_price *step)
{
    const size_t used = amounts ? sizeof *step : offsetof(ns_step_price, amount); /* the rest is not looked at */
    ns_step_price in;
    memcpy(&in, step, used);
    double sum[2] = {0, 0};
    side(&(ns_payer){values, load, step, amounts}, false);
    side(&(ns_payer){values, load, &in, amounts}, true);
    for (int t = 0; t < NS_FORM_TERMS; t++)
        sum[0] += step->term[t], sum[1] += in.term[t];
    if (sum[1] > sum[0])
        memcpy(step, &in, used);
    step->receiving = sum[1] > sum[0];
}

#endif
