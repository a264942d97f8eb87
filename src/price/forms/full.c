/* full.c -- messages of a whole exchange: in flight together, both ways, in a node that shares its memory and links
 *
 *     off node   max(a_off n, o (n_out + n_in)) + max((S_out + S_in) (1 + c log2(n / d)) / R, sum b s)
 *     on node    sum (a (n_out + n_in) + max(b s, L M))
 *     queue      gamma n_off^2 + w P B + what W B / (B + F) is longer than the bytes of the step
 *     handshake  h in each step that has a rendezvous message
 *     packing    max(p k, P K)
 *     fixed      once an exchange between nodes: what the floor T0 + T1 (steps - 1) is longer than all that moves bytes
 *
 * For one process in a step: n messages and s bytes, sent or received, whichever takes longer; S the off-node bytes of
 * its node, counted in both directions: in half the round trip of a ping-pong the node's link carries half of them.  R
 * is the rate on shared links or, where only the injection rate is known, R_N, which crowding slows down: c for each
 * doubling of the n off-node messages to d other nodes.  Bytes of one process cannot pass faster than over its own
 * line. A start-up off node is that of a message in flight, a_off, or the processor's at either end, o; inside the node
 * it is paid at both ends, as the processor copies.  M: bytes of a class that move inside the node, by all of its
 * processes, at the memory's limit L. k, K: bytes off node that are gathered into messages and taken out of them, by
 * the process and by its node.  B: short and eager messages off node beyond the F that a process has on their way; each
 * waits w for the messages of all P processes of the node; and in a share B / (B + F) of its repetitions the step waits
 * W until lost messages are sent again.
 *
 * Parameters that a machine lacks are derived from those it has, by the rules under "missing numbers".  Each slot that
 * is filled this way keeps the machine's number from which it was derived, so that its error and its source stay known.
 */
#include "model/parts/max_rate.h"
#include "price/forms/pay.h"

#define ALWAYS static inline __attribute__((always_inline))

enum {
    PART_QUEUE,
    PART_BOTH_ENDS,
    PART_BOTH_WAYS,
    PART_SHARED_RATE,
    PART_START_UP,
    PART_IN_FLIGHT,
    PART_STEPS,
    PART_MEMORY,
    PART_HANDSHAKES,
    PART_PACKING,
    PART_CROWDING,
    PART_FLOOR,
    PART_STALL,
    PARTS
};
static const ns_form_part parts[] = {
    [PART_QUEUE] = {"queue", "no queue search"},
    [PART_BOTH_ENDS] = {"both-ends", "start-up inside the node paid at one end"},
    [PART_BOTH_WAYS] = {"both-ways", "a node's bytes one way only"},
    [PART_SHARED_RATE] = {"shared-rate", "R_N of ping-pongs instead of the rate on shared links"},
    [PART_START_UP] = {"start-up", "the start-up of single messages off node"},
    [PART_IN_FLIGHT] = {"in-flight", "inside the node, lines of single messages in flight"},
    [PART_STEPS] = {"steps", "maxima by class as they stand, whatever the most of a step"},
    [PART_MEMORY] = {"memory", "no limit of the node's memory"},
    [PART_HANDSHAKES] = {"handshakes", "no handshake of a step"},
    [PART_PACKING] = {"packing", "bundling is free"},
    [PART_CROWDING] = {"crowding", "as much from many messages to a node as from one"},
    [PART_FLOOR] = {"floor", "no floor of an exchange"},
    [PART_STALL] = {"stall", "any number of messages on their way"},
    [PARTS] = {NULL, NULL},
};

enum {
    ALPHA,
    BETA,
    LIMIT,
    OVERHEAD,
    R,
    R_N,
    CROWDING,
    GAMMA,
    HANDSHAKE,
    PACK,
    NODE_PACK,
    FLOOR,
    FLOOR_STEP,
    DIRECTIONS,
    PAIRS,
    STALL,
    FLIGHT,
    TIMEOUT
};

static const ns_form_row rows[] = {
    [ALPHA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.alpha", 1 << PART_IN_FLIGHT},
                        {"<memory>.exchange.<locality>.alpha", 1 << PART_START_UP},
                        {"<memory>.<locality>.<protocol>.alpha", 0}},
               .unit = "us",
               .doc = "start-up, at either end, of each of many messages in flight",
               .by_class = true},
    [BETA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.beta", 1 << PART_IN_FLIGHT},
                       {"<memory>.<locality>.<protocol>.beta", 0}},
              .unit = "ns/B",
              .doc = "time per byte of many messages in flight",
              .by_class = true},
    [LIMIT] = {.path = {{"<memory>.exchange.<locality>.<protocol>.inverse_R", 1 << PART_MEMORY}},
               .unit = "ns/B",
               .doc = "inverse of the rate at which a node moves such bytes while all of its processes send",
               .by_class = true},
    [OVERHEAD] = {.path = {{"<memory>.exchange.off-node.overhead", 1 << PART_START_UP}},
                  .unit = "us",
                  .doc = "time of the processor for each message off node, at either end",
                  .amount = "messages off node, sent and received"},
    [R] = {.path = {{"<memory>.exchange.inverse_R", 1 << PART_SHARED_RATE}},
           .unit = "ns/B",
           .doc = "inverse of the rate of a node's off-node bytes, out and in, on shared links",
           .inverse = "R",
           .amount = "bytes out of and into the node"},
    [R_N] = {.path = {{"<memory>.injection.inverse_R_N", 0}},
             .unit = "ns/B",
             .doc = "inverse of the rate at which a node injects into the network",
             .amount = "bytes out of and into the node"},
    [CROWDING] = {.path = {{"<memory>.exchange.crowding", 1 << PART_CROWDING}},
                  .unit = "1",
                  .doc = "slowdown of the injection rate for each doubling of a process' messages to a node",
                  .fallback = {[NS_HOST] = 0.05},
                  .amount = "crowded bytes at R_N",
                  .times = "time x doublings"},
    [GAMMA] = {.path = {{"<memory>.exchange.gamma", 1 << PART_QUEUE}},
               .unit = "ns",
               .doc = "crowding at the receiver: a process with n off-node messages spends gamma n^2",
               .fallback = {[NS_HOST] = 7e-9},
               .amount = "queue search, n^2",
               .times = "n^2"},
    [HANDSHAKE] = {.path = {{"<memory>.exchange.handshake", 1 << PART_HANDSHAKES},
                            {"<memory>.off-node.rendezvous.alpha", 1 << PART_HANDSHAKES}},
                   .unit = "us",
                   .doc = "handshake of a step that has a rendezvous message",
                   .amount = "handshake",
                   .times = "rendezvous steps"},
    [PACK] = {.path = {{"<memory>.exchange.packing.beta", 1 << PART_PACKING}},
              .unit = "ns/B",
              .doc = "time per byte that a process gathers into a message or takes out of one",
              .amount = "bytes packed and unpacked"},
    [NODE_PACK] = {.path = {{"<memory>.exchange.packing.inverse_R", 1 << PART_PACKING}},
                   .unit = "ns/B",
                   .doc = "the same of all processes of a node at once",
                   .amount = "bytes packed and unpacked on the node"},
    [FLOOR] = {.path = {{"<memory>.exchange.floor", 1 << PART_FLOOR}},
               .unit = "us",
               .doc = "shortest time of a whole exchange between nodes; bytes move meanwhile",
               .amount = "floor beyond the bytes",
               .times = "part beyond the bytes",
               .once = true},
    [FLOOR_STEP] = {.path = {{"<memory>.exchange.floor_step", 1 << PART_FLOOR}},
                    .unit = "us",
                    .doc = "what the floor gains with each step after the first",
                    .amount = "steps after the first",
                    .times = "part beyond the bytes x later steps",
                    .once = true},
    [DIRECTIONS] = {.path = {{"<memory>.injection.directions", 0}},
                    .unit = "1",
                    .doc =
                        "ways that bytes went while the injection rate was measured: 2 for pairs of ping-pongs, 1 for "
                        "streams",
                    .fallback = {2, 2},
                    .amount = "ways"},
    [PAIRS] = {.path = {{"<memory>.injection.unlimited_pairs", 0}},
               .unit = "1",
               .doc = "pairs of processes between two nodes that did not reach the injection limit",
               .amount = "pairs"},
    [STALL] = {NS_ROW_STALL(1 << PART_STALL, 0)},
    [FLIGHT] = {NS_ROW_IN_FLIGHT},
    [TIMEOUT] = {.path = {{"<memory>.exchange.timeout", 1 << PART_STALL}},
                 .unit = "us",
                 .doc = "wait for lost messages of a step in which a process has more than exchange.in_flight on their "
                        "way",
                 .amount = "share of the messages beyond those in flight, beyond the bytes",
                 .times = "part beyond the bytes"},
    {.doc = NULL},
};

enum { OFF_NODE, ON_NODE, QUEUE_SEARCH, HANDSHAKE_TIME, PACKING, FIXED };
static const char *const terms[] = {"off_node", "on_node", "queue", "handshake", "packing", "fixed", NULL};

/* ---- missing numbers --------------------------------------------------------------------------------------------- */

static bool is_left_out(const ns_form_values *v, int part)
{
    return (v->without >> part & 1) != 0;
}

/* The first of some protocols for which the machine has a line, or -1. */
static int first_given(const ns_form_values *v, int row, int locality, int from)
{
    for (int p = from; p < NS_PROTOCOLS; p++)
        if (v->from[ns_slot(v, row, locality, p)] != NULL)
            return ns_slot(v, row, locality, p);
    return -1;
}

/* Was the number measured with many messages in flight? */
static bool is_in_flight(const ns_form_values *v, int slot)
{
    return v->from[slot] != NULL && strstr(v->from[slot]->path, ".exchange.") != NULL;
}

/* A line's start-up; 0 where even its shortest message is 64 times as long as the host's first rendezvous message
 * between nodes, about a megabyte: then alpha is the intercept of a line through long messages, and not a time that any
 * process waits.  The rule depends on sizes alone: a larger beta must not make the floor smaller. */
static double waited(const ns_machine *machine, const ns_line *line)
{
    const double LONG = 64, rendezvous = ns_machine_rendezvous_from(machine);
    return rendezvous == 0 || line->from < LONG * rendezvous ? line->alpha : 0;
}

static void derive(ns_form_values *v)
{
    const ns_machine *machine = v->machine;
    const int floor = v->first[FLOOR], gamma = v->first[GAMMA], handshake = v->first[HANDSHAKE];
    double factor;
    /* Off node.  Where only single messages were measured, the start-up of messages in flight is that of the smallest
     * message, whatever their protocol.  For an eager message, whose bytes take less time than those of the last short
     * one, it is as much as all of that one, but not more than its own: so it is not faster, and a rendezvous message
     * includes its handshake.  With GPUs the start-up stays whole: its latency represents what delays an exchange
     * there. */
    for (int p = 0; p < NS_PROTOCOLS && is_left_out(v, PART_START_UP); p++) {
        const int slot = ns_slot(v, ALPHA, NS_OFF_NODE, p);
        char name[40];
        snprintf(name, sizeof name, "off-node.%s.alpha", ns_protocol_words[p]);
        const ns_parameter *single = ns_number_of(v, (int)v->memory, name);
        if (is_in_flight(v, slot) && single != NULL)
            ns_take_number(v, slot, single, 1);
    }
    const int first = first_given(v, ALPHA, NS_OFF_NODE, NS_SHORT), eager = ns_slot(v, ALPHA, NS_OFF_NODE, NS_EAGER);
    for (int p = 0; p < NS_PROTOCOLS && first >= 0 && machine->gpus == 0; p++) {
        const int slot = ns_slot(v, ALPHA, NS_OFF_NODE, p);
        const double own = v->value[slot];
        if (v->from[slot] == NULL || is_in_flight(v, slot))
            continue;
        ns_take_slot(v, slot, first, 1);
        if (slot == eager && first < eager)
            v->value[slot] +=
                fmax(0, fmin(own - v->value[first], v->value[ns_slot(v, BETA, NS_OFF_NODE, NS_SHORT)] *
                                                        machine->line[v->memory][NS_OFF_NODE][NS_EAGER].from));
    }
    for (int l = 0; l < NS_OFF_NODE; l++) /* a ping-pong's start-up contains both ends of a message, half for each */
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const int slot = ns_slot(v, ALPHA, l, p);
            if (!is_in_flight(v, slot))
                ns_take_slot(v, slot, slot, 0.5);
        }
    const ns_parameter *rate = ns_node_rate(v, &factor);
    if (rate != NULL)
        ns_take_number(v, v->first[R_N], rate, factor);
    for (int p = 0; p < NS_PROTOCOLS && rate == NULL; p++) /* the last one counts: that of the longest messages */
        if (v->from[ns_slot(v, BETA, NS_OFF_NODE, p)] != NULL)
            ns_take_slot(v, v->first[R_N], ns_slot(v, BETA, NS_OFF_NODE, p), factor);
    if (machine->gpus > 0 && !is_in_flight(v, handshake)) { /* the floor contains it, once for the whole exchange */
        v->from[handshake] = NULL;
        v->value[handshake] = v->se[handshake] = 0;
    }
    /* The floor of a machine with GPUs whose whole exchanges were not measured: a handshake off node and one on it. */
    if (!is_left_out(v, PART_FLOOR) && machine->gpus > 0 && v->from[floor] == NULL) {
        double off = 0, on = 0;
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            off = fmax(off, waited(machine, &machine->line[v->memory][NS_OFF_NODE][p]));
            for (int l = 0; l < NS_OFF_NODE; l++)
                if (machine->stands_for[v->memory][l] != NS_OFF_NODE)
                    on = fmax(on, waited(machine, &machine->line[v->memory][l][p]));
        }
        v->value[floor] = off + on;
    }
    rate = v->from[v->first[R_N]];
    v->one_way = v->memory == NS_DEVICE && !(v->value[v->first[R]] > 0) && /* no rate of the node was measured for it */
                 (rate == NULL || strncmp(rate->path, "device.injection", 16) != 0);
    v->hides = v->value[floor] > 0 || v->value[v->first[FLOOR_STEP]] > 0;
    if (v->memory != NS_HOST)
        return;
    /* In a ping-pong half of the processes send at a time: all at once take twice as long, where the line is the
     * memory's rate.  A single process was measured alone, and a line between nodes is not the memory's: neither yields
     * a limit. */
    for (int l = 0; l < NS_OFF_NODE && machine->host_processes >= 2 && !is_left_out(v, PART_MEMORY); l++) {
        const int limit = ns_slot(v, LIMIT, l, NS_RENDEZVOUS), beta = ns_slot(v, BETA, l, NS_RENDEZVOUS);
        if (machine->stands_for[v->memory][l] != NS_OFF_NODE && v->from[limit] == NULL)
            ns_take_slot(v, limit, beta, 2.0 / machine->host_processes);
    }
    /* An eager message inside a node is copied twice, and its line shows how fast.  Where that line ends at less than a
     * quarter of the size at which eager messages between nodes end, it is the beginning of a curve, fitted to shorter
     * sizes than what is gathered into those, and the next line includes the copies.  The rule depends on sizes alone:
     * a larger beta must not make packing faster.  Where a line between nodes is used as a substitute, nothing was
     * measured inside the node. */
    if (!is_left_out(v, PART_PACKING) && machine->stands_for[v->memory][NS_ON_SOCKET] != NS_OFF_NODE) {
        const ns_line *next = &machine->line[v->memory][NS_ON_SOCKET][NS_RENDEZVOUS];
        const bool soon = next->given && 4 * next->from < ns_machine_rendezvous_from(machine);
        const int copied = first_given(v, BETA, NS_ON_SOCKET, soon ? NS_RENDEZVOUS : NS_EAGER);
        if (v->from[v->first[PACK]] == NULL && copied >= 0)
            ns_take_slot(v, v->first[PACK], copied, 0.5);
        if (v->from[v->first[NODE_PACK]] == NULL)
            ns_take_slot(v, v->first[NODE_PACK], ns_slot(v, LIMIT, NS_ON_NODE, NS_EAGER), 0.5);
    }
    /* A queue that was measured to be slower than the default is used.  The default is for nodes all of whose cores are
     * busy: on Lassen, where four processes a node stage for four GPUs, eighty messages show no queue cost. */
    const ns_parameter *queue = ns_machine_parameter(machine, "host.queue.gamma");
    if (is_left_out(v, PART_QUEUE) || (v->from[gamma] == NULL && machine->gpus > 0))
        v->value[gamma] = 0;
    if (!is_left_out(v, PART_QUEUE) && v->from[gamma] == NULL && queue != NULL && queue->value > v->value[gamma])
        ns_take_number(v, gamma, queue, 1);
    if (is_left_out(v, PART_CROWDING))
        v->value[v->first[CROWDING]] = 0;
}

/* ---- terms ------------------------------------------------------------------------------------------------------- */

enum { CLASSES = NS_LOCALITIES * NS_PROTOCOLS, ON_CLASSES = NS_OFF_NODE * NS_PROTOCOLS };

/* Note what was sent, or what was received if that is more: both directions together would make messages look half as
 * long. */
ALWAYS void note_way(const ns_payer *p, int l, int c)
{
    const ns_class_load *out = &p->load->out[l][c], *in = &p->load->in[l][c],
                        *more = out->bytes > in->bytes || (out->bytes == in->bytes && out->messages > 0) ? out : in;
    ns_paid_for(p, l, c, more->messages, more->bytes);
}

/* Bytes out of and into the node at its rate, or a process' own bytes over its line, and start-ups; crowding is charged
 * in addition to the rate, so that each parameter has its own amount. */
ALWAYS double off_node(const ns_payer *p, double *messages, double *at_once)
{
    const ns_form_values *v = p->values;
    const ns_load *load = p->load;
    const ns_class_load *sent = load->out[NS_OFF_NODE], *received = load->in[NS_OFF_NODE];
    const double *alpha = &v->value[ns_slot(v, ALPHA, NS_OFF_NODE, 0)],
                 *beta = &v->value[ns_slot(v, BETA, NS_OFF_NODE, 0)];
    double out = 0, in = 0, bytes = 0;
    double out_starts = 0, in_starts = 0, out_bytes_s = 0, in_bytes_s = 0, bytes_s = 0; /* over the process' own line */
    if ((~load->idle & ((1u << CLASSES) - 1)) >> ON_CLASSES == 0)
        return 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        note_way(p, NS_OFF_NODE, c);
        out += sent[c].messages;
        in += received[c].messages;
        bytes += sent[c].bytes + received[c].bytes;
        out_starts += sent[c].messages * alpha[c];
        in_starts += received[c].messages * alpha[c];
        out_bytes_s += sent[c].bytes * beta[c];
        in_bytes_s += received[c].bytes * beta[c];
        bytes_s += (sent[c].bytes + received[c].bytes) * beta[c];
    }
    *messages = ns_larger(out, in);
    *at_once = ns_larger(out - sent[NS_RENDEZVOUS].messages, in - received[NS_RENDEZVOUS].messages);
    if (*messages == 0 && bytes == 0) /* the maxima of a row may come from different processes */
        return 0;

    /* Bytes that one process moves over its own line: in the direction that takes longer, as the other one overlaps
     * with it; for device memory in both directions, where no rate of the node was measured for it, since they share
     * the path to the network. */
    const double own = v->one_way ? bytes_s : ns_larger(out_bytes_s, in_bytes_s);
    const bool shared = ns_value_of(p, R) > 0;
    const double node =
        is_left_out(v, PART_BOTH_WAYS) ? ns_larger(load->node_out, load->node_in) : load->node_out + load->node_in;
    const double rate = ns_value_of(p, shared ? R : R_N);
    const double doublings =
        !shared && *messages > load->partners && load->partners > 0 ? log2(*messages / load->partners) : 0;
    const double crowded = node * rate * doublings, limit = node * rate + crowded * ns_value_of(p, CROWDING);
    double moving = own, starting = 0;
    p->step->injection = ns_max_rate_transfer(own, limit) > own;
    if (p->step->injection)
        moving = ns_pay(p, shared ? R : R_N, node) + ns_pay(p, CROWDING, crowded);
    for (int c = 0; c < NS_PROTOCOLS && !p->step->injection; c++)
        (void)ns_pay_class(p, BETA, NS_OFF_NODE, c,
                           v->one_way                 ? sent[c].bytes + received[c].bytes
                           : in_bytes_s > out_bytes_s ? received[c].bytes
                                                      : sent[c].bytes);
    /* The start-ups of one direction, or the processor's overheads at both ends. */
    if ((out + in) * ns_value_of(p, OVERHEAD) > ns_larger(out_starts, in_starts))
        starting = ns_pay(p, OVERHEAD, out + in);
    else
        for (int c = 0; c < NS_PROTOCOLS; c++)
            starting += ns_pay_class(p, ALPHA, NS_OFF_NODE, c,
                                     in_starts > out_starts ? received[c].messages : sent[c].messages);
    p->step->bytes_s += moving;
    p->step->waits_s += starting;
    return starting + moving;
}

ALWAYS void price_as(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    double messages = 0, at_once = 0, on_node = 0;
    step->term[OFF_NODE] = off_node(&p, &messages, &at_once);
    for (unsigned bits = ~load->idle & ((1u << ON_CLASSES) - 1); bits != 0; bits &= bits - 1) {
        const int l = __builtin_ctz(bits) / NS_PROTOCOLS, c = __builtin_ctz(bits) % NS_PROTOCOLS;
        const ns_class_load *out = &load->out[l][c], *in = &load->in[l][c];
        if (out->messages + in->messages == 0 && out->bytes + in->bytes == 0)
            continue;
        const double ends = is_left_out(values, PART_BOTH_ENDS) ? ns_larger(out->messages, in->messages)
                                                                : out->messages + in->messages,
                     bytes = ns_larger(out->bytes, in->bytes), all = load->node_on[l][c];
        note_way(&p, l, c);
        const bool limited =
            all * values->value[ns_slot(values, LIMIT, l, c)] > bytes * values->value[ns_slot(values, BETA, l, c)];
        const double moving = ns_pay_class(&p, limited ? LIMIT : BETA, l, c, limited ? all : bytes),
                     starting = ns_pay_class(&p, ALPHA, l, c, ends);
        step->bytes_s += moving;
        step->waits_s += starting;
        on_node += starting + moving;
    }
    step->term[ON_NODE] = on_node;
    step->leaves = step->leaves || messages > 0;
    const double beyond = at_once - ns_value_of(&p, FLIGHT);
    step->term[QUEUE_SEARCH] = ns_pay(&p, GAMMA, messages * messages);
    if (beyond > 0) { /* bytes move while lost messages are waited for: only the excess is charged */
        const double share = beyond / at_once, wait = share * ns_value_of(&p, TIMEOUT);
        step->term[QUEUE_SEARCH] +=
            ns_pay(&p, STALL, beyond * ns_node_processes(&p)) +
            (wait > step->bytes_s ? ns_pay(&p, TIMEOUT, share * (1 - step->bytes_s / wait)) : 0);
    }
    step->term[HANDSHAKE_TIME] = ns_pay(&p, HANDSHAKE, load->handshakes);
    const double own = load->bundled * ns_value_of(&p, PACK), node = load->node_bundled * ns_value_of(&p, NODE_PACK);
    step->term[PACKING] = load->bundled == 0 ? 0
                          : node > own       ? ns_pay(&p, NODE_PACK, load->node_bundled)
                                             : ns_pay(&p, PACK, load->bundled);
    step->waits_s += step->term[QUEUE_SEARCH] + step->term[HANDSHAKE_TIME] + step->term[PACKING];
}

/* Two versions: most loads are priced without their amounts, which is twice as fast where that is known at compile
 * time. */
static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    if (amounts)
        price_as(values, load, true, step);
    else
        price_as(values, load, false, step);
}

/* The floor of an exchange between nodes hides behind the bytes: only its excess is charged. */
static void finish(const ns_form_values *v, ns_step_price *step, int steps, double later)
{
    double bytes = 0;
    bool leaves = false;
    for (int i = 0; i < steps; i++) {
        bytes += step[i].bytes_s;
        leaves = leaves || step[i].leaves;
    }
    const int once = v->first[FLOOR], each = v->first[FLOOR_STEP];
    const double floor = v->value[once] + later * v->value[each];
    if (!leaves || !(floor > bytes))
        return;
    const double share = (floor - bytes) / floor;
    step[0].amount[once] += share;
    step[0].amount[each] += later * share;
    step[0].term[FIXED] += floor - bytes;
}

const ns_form ns_form_full = {
    .name = "full",
    .title = "messages of a whole exchange: in flight together, both ways, sharing memory and links",
    .source = "docs/evidence/accuracy.md",
    .rows = rows,
    .terms = terms,
    .parts = parts,
    .error = "<memory>.exchange.model_error",
    .uncalibrated = 0.8, /* 90 % within a factor of 2.5 without own exchanges: docs/evidence/accuracy.md */
    .rank = 5,
    .automatic = true,
    .needs_queue = true,
    .needs_total = true,
    .whole = true,
    .derive = derive,
    .rising = true,
    .price = price,
    .finish = finish,
};
