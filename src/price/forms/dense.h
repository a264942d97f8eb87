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
    [NS_DENSE_BETA] = NS_ROW_OFF_BETA,                                                                                 \
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

/* What a process sends or receives, by locality: between nodes, or on its own node. */
typedef struct ns_dense_side {
    double messages, bytes, alphas_s, line_s; /* counts; start-ups and bytes in seconds */
    double stalled;                           /* short messages of the node beyond those in flight: each one waits */
    double meeting;                           /* long messages on the node, squared */
    double starts_s, node_s; /* start-ups that are not hidden, and waits; the node's bytes at its rates */
    double seconds;
} ns_dense_side;

static inline void ns_dense_add(const ns_form_values *v, const ns_class_load of[NS_PROTOCOLS], int locality,
                                ns_dense_side *s)
{
    double alphas_s = 0, line_s = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        s->messages += of[c].messages;
        s->bytes += of[c].bytes;
        alphas_s += of[c].messages * v->value[ns_slot(v, NS_DENSE_ALPHA, locality, c)];
        line_s += of[c].bytes * v->value[ns_slot(v, NS_DENSE_BETA, locality, c)];
    }
    s->alphas_s += alphas_s;
    s->line_s += line_s;
}

/* The first message costs its full start-up, each of the others h times that. */
static inline double ns_dense_start_ups(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], int locality,
                                        const ns_dense_side *s, bool first)
{
    const double mean = s->messages > 0 ? s->alphas_s / s->messages : 0, alone = first && s->messages > 0 ? 1 : 0;
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) /* the first, split over the classes in proportion to the messages */
        sum += ns_pay_class(p, NS_DENSE_ALPHA, locality, c, s->messages > 0 ? of[c].messages / s->messages * alone : 0);
    return sum + ns_pay(p, NS_DENSE_HIDING, mean * (s->messages - alone));
}

/* The node's bytes at its rates, split over the protocols in the proportions of the process' bytes. */
static inline double ns_dense_node_s(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], double bytes)
{
    const double node = (p->load->node_out + p->load->node_in) * ns_value_of(p, NS_DENSE_SLOWING);
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS && bytes > 0; c++)
        sum += ns_pay_class(p, NS_DENSE_RATE, NS_OFF_NODE, c, node * of[c].bytes / bytes);
    return sum;
}

/* The cost of one side's messages between nodes; in a form with stalls, short messages beyond those in flight wait. */
static inline ns_dense_side ns_dense_off(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], bool stalls)
{
    const ns_payer unpaid = {p->values, p->load, p->step, false};
    const double h = ns_value_of(p, NS_DENSE_HIDING);
    ns_dense_side s = {0};
    ns_dense_add(p->values, of, NS_OFF_NODE, &s);
    s.starts_s = s.messages > 0 ? s.alphas_s * (h + (1 - h) / s.messages) : 0;
    if (stalls) {
        s.stalled = ns_node_processes(p) * ns_larger(0, of[NS_SHORT].messages - ns_value_of(p, NS_DENSE_FLIGHT));
        s.starts_s += s.stalled * ns_value_of(p, NS_DENSE_STALL);
    }
    s.node_s = ns_dense_node_s(&unpaid, of, s.bytes);
    s.seconds = s.messages == 0 && s.bytes == 0 ? 0 : fmax(s.starts_s, fmax(s.node_s, s.line_s));
    return s;
}

/* The same on the node, plus what its long messages lose by interfering. */
static inline ns_dense_side ns_dense_on(const ns_payer *p, const ns_class_load (*of)[NS_PROTOCOLS])
{
    ns_dense_side s = {0};
    for (int l = 0; l < NS_OFF_NODE; l++)
        ns_dense_add(p->values, of[l], l, &s);
    if (s.messages > 0 && s.bytes >= ns_value_of(p, NS_DENSE_LONG) * s.messages)
        s.meeting = s.messages * s.messages;
    s.starts_s = ns_value_of(p, NS_DENSE_HIDING) * s.alphas_s;
    s.node_s = s.bytes * ns_value_of(p, NS_DENSE_MEMORY);
    s.seconds = fmax(s.starts_s, s.node_s) + s.meeting * ns_value_of(p, NS_DENSE_MEETING);
    return s;
}

/* The `price` function of the forms of single messages.  Messages stall only in a form that has that as its one part,
 * unless the part is left out. */
static inline void ns_dense_price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    const bool stalls = values->form->parts != NULL && (values->without & 1) == 0;
    const ns_dense_side sent = ns_dense_off(&p, load->out[NS_OFF_NODE], stalls),
                        received = ns_dense_off(&p, load->in[NS_OFF_NODE], stalls), out = ns_dense_on(&p, load->out),
                        in = ns_dense_on(&p, load->in);
    const ns_dense_side *off = received.seconds > sent.seconds ? &received : &sent,
                        *on = in.seconds > out.seconds ? &in : &out;
    const ns_class_load *off_of = (off == &sent ? load->out : load->in)[NS_OFF_NODE],
                        (*on_of)[NS_PROTOCOLS] = on == &out ? load->out : load->in;
    double starting = 0;
    if (off->seconds > 0) {
        step->leaves = true;
        step->injection = off->node_s > off->line_s && off->node_s > off->starts_s;
        if (step->injection)
            step->term[0] = ns_dense_node_s(&p, off_of, off->bytes);
        else if (off->starts_s > off->line_s) {
            starting = ns_dense_start_ups(&p, off_of, NS_OFF_NODE, off, true);
            if (off->stalled > 0)
                starting += ns_pay(&p, NS_DENSE_STALL, off->stalled);
            step->term[0] = starting;
        } else
            for (int c = 0; c < NS_PROTOCOLS; c++)
                step->term[0] += ns_pay_class(&p, NS_DENSE_BETA, NS_OFF_NODE, c, off_of[c].bytes);
        for (int c = 0; c < NS_PROTOCOLS; c++)
            ns_paid_for(&p, NS_OFF_NODE, c, off_of[c].messages, off_of[c].bytes);
    }
    for (int l = 0; l < NS_OFF_NODE; l++) {
        if (on->starts_s > on->node_s) {
            ns_dense_side s = {0};
            ns_dense_add(values, on_of[l], l, &s);
            step->term[1] += ns_dense_start_ups(&p, on_of[l], l, &s, false);
        }
        for (int c = 0; c < NS_PROTOCOLS; c++)
            ns_paid_for(&p, l, c, on_of[l][c].messages, on_of[l][c].bytes);
    }
    if (!(on->starts_s > on->node_s))
        step->term[1] = ns_pay(&p, NS_DENSE_MEMORY, on->bytes);
    step->term[2] = ns_pay(&p, NS_DENSE_MEETING, on->meeting);
    step->term[3] = ns_pay(&p, NS_DENSE_PACK, load->bundled);
    step->waits_s = starting;
    step->bytes_s = step->term[0] + step->term[1] - starting;
}

#endif
