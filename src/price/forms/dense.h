/* dense.h -- dense exchanges, with nearly every other process: what the forms of all messages at once and of rounds
 * share
 *
 *     off node   max(a (1 - h + h n), f S / R, sum b s)
 *     on node    max(h sum a_on k, m s_on)
 *     crowding   x k^2 where the messages on the node have 8 KiB and more
 *     packing    K p
 *
 * For one process in a step, in the direction (sending or receiving) that takes longer: n messages off node, k messages
 * and s_on bytes on node, s bytes off node by class, p bytes bundled; S: bytes out of and into its node.  a: half a
 * round trip with the largest number of pairs at once; a message that follows another costs h times that.  R: the rate
 * of a node with the largest number of pairs, slowed down f times.  m: time of a byte that all processes of a node move
 * at once inside it, out of cold memory; x: the cost of k long messages in flight on a node interfering with each
 * other.
 */
#ifndef NS_FORMS_DENSE_H
#define NS_FORMS_DENSE_H

#include "price/forms/pay.h"

enum {
    NS_DENSE_ALPHA,
    NS_DENSE_BETA,
    NS_DENSE_RATE,
    NS_DENSE_HIDING,
    NS_DENSE_SLOWING,
    NS_DENSE_MEMORY,
    NS_DENSE_PACK,
    NS_DENSE_MEETING,
    NS_DENSE_LONG,
    NS_DENSE_STALL, /* these two only in the form of all messages at once */
    NS_DENSE_FLIGHT
};

/* The rows that all of these forms have, and the rows of long messages that interfere on a node. */
#define NS_DENSE_ROWS(slowing_path, slowing)                                                                           \
    [NS_DENSE_ALPHA] = {.path = {{"<memory>.exchange.<locality>.alpha", 0},                                            \
                                 {"<memory>.<locality>.<protocol>.alpha", 0}},                                         \
                        .doc = "half a round trip of a message while the most pairs of processes have one in flight",  \
                        .unit = "us", .by_class = true},                                                               \
    [NS_DENSE_BETA] = {NS_ROW_BETA("off-node")},                                                                       \
    [NS_DENSE_RATE] = {.path = {{"<memory>.injection.<protocol>.inverse_R", 0}, {"<memory>.injection.inverse_R_N", 0}},\
                       .doc = "inverse of the rate of a node's off-node bytes, out and in, while the most pairs send", \
                       .unit = "ns/B", .by_class = true, .amount = "bytes out of and into the node"},                  \
    [NS_DENSE_SLOWING] = {.path = {{slowing_path, 0}}, .unit = "1", .fallback = {slowing, slowing},                    \
                          .doc = "how much slower than with the most pairs a node's bytes move", .amount = "times"},   \
    [NS_DENSE_MEMORY] = {.path = {{"<memory>.exchange.direct.memory", 0}}, .unit = "ns/B",                             \
                         .doc = "time of a byte that a process exchanges on its node while all others do",             \
                         .fallback = {0.12e-9, 0.12e-9}, .amount = "bytes on the node"},                               \
    [NS_DENSE_PACK] = {.path = {{"<memory>.exchange.direct.packing", 0}, {"<memory>.exchange.packing.beta", 0}},       \
                       .doc = "time per byte that a process gathers into a message or takes out of one",               \
                       .unit = "ns/B", .fallback = {0.5e-9, 0.5e-9}, .amount = "bytes packed and unpacked"}
#define NS_DENSE_LONG_ROWS                                                                                             \
    [NS_DENSE_MEETING] = {.path = {{"<memory>.exchange.direct.meeting", 0}}, .unit = "us",                             \
                          .doc = "k messages of 8 KiB and more on the node at once: time for each pair of them",       \
                          .fallback = {0.12e-6, 0.12e-6}, .amount = "long messages on the node, k^2", .times = "k^2"}, \
    [NS_DENSE_LONG] = {.path = {{"<memory>.exchange.direct.long", 0}}, .unit = "B", .fallback = {8192, 8192},          \
                       .doc = "mean size from which messages on the node have to meet", .amount = "sizes"}

#define NS_DENSE_TERMS "off_node", "on_node", "crowding", "packing"

/* Rates that the machine lacks are its node's, or those of the process' own line: each protocol's, or a longer one's. A
 * protocol whose messages, with the largest number of pairs together, took less than twice the time of one pair's did
 * not reach the node's rate: the measurement was of start-ups.  The highest rate of any protocol is used instead. */
static inline void ns_dense_derive(ns_form_values *v)
{
    static const double reached = 2;
    const int first = ns_slot(v, NS_DENSE_RATE, NS_OFF_NODE, 0), lines = ns_slot(v, NS_DENSE_BETA, NS_OFF_NODE, 0);
    double factor;
    const ns_parameter *rate = ns_node_rate(v, &factor), *line = NULL;
    for (int c = NS_PROTOCOLS - 1; c >= 0; c--) {
        line = v->from[lines + c] != NULL ? v->from[lines + c] : line;
        const ns_parameter *from = rate != NULL ? rate : line;
        if (from != NULL && (v->from[first + c] == NULL || v->from[first + c] == rate))
            ns_take_number(v, first + c, from, factor);
    }
    int fastest = first;
    for (int c = 1; c < NS_PROTOCOLS; c++)
        if (v->value[first + c] > 0 && (v->value[first + c] < v->value[fastest] || v->value[fastest] <= 0))
            fastest = first + c;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        char name[40];
        snprintf(name, sizeof name, "injection.%s.slowdown", ns_protocol_words[c]);
        const ns_parameter *slowdown = ns_number_of(v, (int)v->memory, name);
        if (slowdown != NULL && slowdown->value < reached)
            ns_take_slot(v, first + c, fastest, 1);
    }
}

/* What a process sends to other nodes, or receives, takes as long as the longest of three: its start-ups, the first
 * message's in full and h times the mean for each other one, and the waits of stalled messages; the node's bytes at its
 * rates, split over the protocols in the proportions of the process' bytes; its bytes over its own line.  Messages
 * stall only in a form that has that as its one part, unless the part is left out. */
static inline double ns_dense_off(const ns_payer *p, bool receiving)
{
    const ns_form_values *v = p->values;
    const ns_class_load *of = (receiving ? p->load->in : p->load->out)[NS_OFF_NODE];
    const double *alpha = &v->value[ns_slot(v, NS_DENSE_ALPHA, NS_OFF_NODE, 0)],
                 *beta = &v->value[ns_slot(v, NS_DENSE_BETA, NS_OFF_NODE, 0)],
                 *rate = &v->value[ns_slot(v, NS_DENSE_RATE, NS_OFF_NODE, 0)];
    const double h = ns_value_of(p, NS_DENSE_HIDING),
                 node = (p->load->node_out + p->load->node_in) * ns_value_of(p, NS_DENSE_SLOWING);
    double messages = 0, bytes = 0, alphas_s = 0, line_s = 0, node_s = 0, stalled = 0, seconds = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        messages += of[c].messages;
        bytes += of[c].bytes;
        alphas_s += of[c].messages * alpha[c];
        line_s += of[c].bytes * beta[c];
        ns_paid_for(p, NS_OFF_NODE, c, of[c].messages, of[c].bytes);
    }
    for (int c = 0; c < NS_PROTOCOLS && bytes > 0; c++)
        node_s += node * of[c].bytes / bytes * rate[c];
    double starts_s = messages > 0 ? alphas_s * (h + (1 - h) / messages) : 0;
    if (v->form->parts != NULL && (v->without & 1) == 0) {
        stalled = ns_node_processes(p) * ns_larger(0, of[NS_SHORT].messages - ns_value_of(p, NS_DENSE_FLIGHT));
        starts_s += stalled * ns_value_of(p, NS_DENSE_STALL);
    }
    p->step->injection = node_s > line_s && node_s > starts_s;
    const bool starts = !p->step->injection && starts_s > line_s;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        seconds += p->step->injection ? ns_pay_class(p, NS_DENSE_RATE, NS_OFF_NODE, c, node * of[c].bytes / bytes)
                   : starts           ? ns_pay_class(p, NS_DENSE_ALPHA, NS_OFF_NODE, c, of[c].messages / messages)
                                      : ns_pay_class(p, NS_DENSE_BETA, NS_OFF_NODE, c, of[c].bytes);
    if (starts)
        seconds += ns_pay(p, NS_DENSE_HIDING, alphas_s / messages * (messages - 1));
    if (starts && stalled > 0)
        seconds += ns_pay(p, NS_DENSE_STALL, stalled);
    p->step->term[0] = seconds;
    p->step->bytes_s = starts ? 0 : seconds;
    return fmax(starts_s, fmax(node_s, line_s));
}

/* On its node: start-ups, h times each one, or bytes through the memory, and what long messages lose by interfering. */
static inline double ns_dense_on(const ns_payer *p, bool receiving)
{
    const ns_class_load(*of)[NS_PROTOCOLS] = receiving ? p->load->in : p->load->out;
    double messages = 0, bytes = 0, alphas_s[NS_OFF_NODE] = {0}, all_s = 0;
    for (int l = 0; l < NS_OFF_NODE; l++) {
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            messages += of[l][c].messages;
            bytes += of[l][c].bytes;
            alphas_s[l] += of[l][c].messages * p->values->value[ns_slot(p->values, NS_DENSE_ALPHA, l, c)];
            ns_paid_for(p, l, c, of[l][c].messages, of[l][c].bytes);
        }
        all_s += alphas_s[l];
    }
    const bool meet = messages > 0 && bytes >= ns_value_of(p, NS_DENSE_LONG) * messages;
    const double starts_s = ns_value_of(p, NS_DENSE_HIDING) * all_s,
                 node_s = bytes * ns_value_of(p, NS_DENSE_MEMORY);
    double *term = p->step->term;
    term[1] = starts_s > node_s ? 0 : ns_pay(p, NS_DENSE_MEMORY, bytes);
    for (int l = 0; l < NS_OFF_NODE && starts_s > node_s; l++)
        term[1] += ns_pay(p, NS_DENSE_HIDING, alphas_s[l]);
    term[2] = ns_pay(p, NS_DENSE_MEETING, meet ? messages * messages : 0);
    return fmax(starts_s, node_s) + term[2];
}

/* The `price` function of the forms of single messages. */
static inline void ns_dense_price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    ns_pay_longer(&p, ns_dense_off);
    ns_pay_longer(&p, ns_dense_on);
    step->term[3] = ns_pay(&p, NS_DENSE_PACK, load->bundled);
    step->bytes_s += step->term[1];
}

#endif
