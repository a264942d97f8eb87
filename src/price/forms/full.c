/* full.c -- messages of a whole exchange: in flight together, both ways, in a node that shares its memory and links
 *
 *     off node   max(a_off n, o (n_out + n_in)) + max((S_out + S_in) (1 + c log2(n / d)) / R, sum b s)
 *     on node    sum (a (n_out + n_in) + max(b s, L M))
 *     queue      gamma n_off^2
 *     handshake  h in each step that has a rendezvous message
 *     packing    max(p k, P K)
 *     fixed      once an exchange: what the floor T0 + T1 (steps - 1) is longer than all that moves bytes
 *
 * Of one process in a step: n messages and s bytes, the larger of sent and received; S the off-node bytes of its node,
 * which count both ways: in half the round trip of a ping-pong the node's link carries half of them.  R is the rate on
 * shared links or, where only the injection rate is known, R_N, which crowding slows down: c for each doubling of the n
 * off-node messages to d other nodes.  Bytes of one process cannot pass faster than over its own line.  A start-up off
 * node is that of a message in flight, a_off, or the processor's at either end, o; inside the node it is paid at both
 * ends, as the processor copies.  M: bytes of a class that move inside the node, by all of its processes, at the memory's limit L.  k, K: bytes
 * off node that are gathered into messages and taken out of them, by the process and by its node.
 */
#include "model/parts/max_rate.h"
#include "price/forms/pay.h"

#include <stdio.h>
#include <string.h>

enum { QUEUE, BOTH_ENDS, BOTH_WAYS, SHARED_RATE, START_UP, IN_FLIGHT, STEPS, MEMORY, HANDSHAKES, PACKED, CROWDED, FLOOR_PART };
static const ns_form_part parts[] = {
    {"queue", "no queue search"},
    {"both-ends", "start-up inside the node paid at one end"},
    {"both-ways", "a node's bytes one way only"},
    {"shared-rate", "R_N of ping-pongs instead of the rate on shared links"},
    {"start-up", "the start-up of single messages off node"},
    {"in-flight", "inside the node, lines of single messages in flight"},
    {"steps", "maxima by class as they stand, whatever the most of a step"},
    {"memory", "no limit of the node's memory"},
    {"handshakes", "no handshake of a step"},
    {"packing", "bundling is free"},
    {"crowding", "as much from many messages to a node as from one"},
    {"floor", "no floor of an exchange"},
    {NULL, NULL},
};

enum { ALPHA, BETA, LIMIT, OVERHEAD, R, R_N, CROWDING, GAMMA, HANDSHAKE, PACK, NODE_PACK, FLOOR, FLOOR_STEP, DIRECTIONS, PAIRS };
static const ns_form_row rows[] = {
    [ALPHA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.alpha", 1 << IN_FLIGHT},
                        {"<memory>.exchange.<locality>.alpha", 1 << START_UP},
                        {"<memory>.<locality>.<protocol>.alpha", 0}},
               .unit = "us",
               .doc = "start-up, at either end, of each of many messages in flight",
               .by_class = true},
    [BETA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.beta", 1 << IN_FLIGHT},
                       {"<memory>.<locality>.<protocol>.beta", 0}},
              .unit = "ns/B",
              .doc = "time per byte of many messages in flight",
              .by_class = true},
    [LIMIT] = {.path = {{"<memory>.exchange.<locality>.<protocol>.inverse_R", 1 << MEMORY}},
               .unit = "ns/B",
               .doc = "inverse of the rate at which a node moves such bytes while all of its processes send",
               .by_class = true},
    [OVERHEAD] = {.path = {{"<memory>.exchange.off-node.overhead", 1 << START_UP}},
                  .unit = "us",
                  .doc = "time of the processor for each message off node, at either end",
                  .amount = "messages off node, sent and received"},
    [R] = {.path = {{"<memory>.exchange.inverse_R", 1 << SHARED_RATE}},
           .unit = "ns/B",
           .doc = "inverse of the rate of a node's off-node bytes, out and in, on shared links",
           .inverse = "R",
           .amount = "bytes out of and into the node"},
    [R_N] = {.path = {{"<memory>.injection.inverse_R_N", 0}},
             .unit = "ns/B",
             .doc = "inverse of the rate at which a node injects into the network",
             .amount = "bytes out of and into the node"},
    [CROWDING] = {.path = {{"<memory>.exchange.crowding", 1 << CROWDED}},
                  .unit = "1",
                  .doc = "slowdown of the injection rate for each doubling of a process' messages to a node",
                  .fallback = {[NS_HOST] = 0.05},
                  .amount = "crowded bytes at R_N"},
    [GAMMA] = {.path = {{"<memory>.exchange.gamma", 1 << QUEUE}},
               .unit = "ns",
               .doc = "crowding at the receiver: a process with n off-node messages spends gamma n^2",
               .fallback = {[NS_HOST] = 7e-9},
               .amount = "queue search, n^2"},
    [HANDSHAKE] = {.path = {{"<memory>.exchange.handshake", 1 << HANDSHAKES},
                            {"<memory>.off-node.rendezvous.alpha", 1 << HANDSHAKES}},
                   .unit = "us",
                   .doc = "handshake of a step that has a rendezvous message",
                   .amount = "handshake"},
    [PACK] = {.path = {{"<memory>.exchange.packing.beta", 1 << PACKED}},
              .unit = "ns/B",
              .doc = "time per byte that a process gathers into a message or takes out of one",
              .amount = "bytes packed and unpacked"},
    [NODE_PACK] = {.path = {{"<memory>.exchange.packing.inverse_R", 1 << PACKED}},
                   .unit = "ns/B",
                   .doc = "the same of all processes of a node at once",
                   .amount = "bytes packed and unpacked on the node"},
    [FLOOR] = {.path = {{"<memory>.exchange.floor", 1 << FLOOR_PART}},
               .unit = "us",
               .doc = "shortest time of a whole exchange between nodes; bytes move meanwhile",
               .amount = "floor beyond the bytes"},
    [FLOOR_STEP] = {.path = {{"<memory>.exchange.floor_step", 1 << FLOOR_PART}},
                    .unit = "us",
                    .doc = "what the floor gains with each step after the first",
                    .amount = "steps after the first"},
    [DIRECTIONS] = {.path = {{"<memory>.injection.directions", 0}},
                    .unit = "1",
                    .doc = "ways that bytes went while the injection rate was measured: 2 for pairs of ping-pongs, 1 for "
                           "streams",
                    .fallback = {2, 2},
                    .amount = "ways"},
    [PAIRS] = {.path = {{"<memory>.injection.unlimited_pairs", 0}},
               .unit = "1",
               .doc = "pairs of processes between two nodes that did not reach the injection limit",
               .amount = "pairs"},
    {.doc = NULL},
};

enum { OFF_NODE, ON_NODE, QUEUE_SEARCH, HANDSHAKE_TIME, PACKING, FIXED };
static const char *const terms[] = {"off_node", "on_node", "queue", "handshake", "packing", "fixed", NULL};

/* ---- what a machine lacks ---------------------------------------------------------------------------------------- */

static int class_slot(const ns_form_values *v, int row, int locality, int protocol)
{
    return v->first[row] + NS_PROTOCOLS * locality + protocol;
}

static bool is_left_out(const ns_form_values *v, int part)
{
    return (v->without >> part & 1) != 0;
}

/* Slot `to` becomes `factor` times slot `from`, on the same number of the machine. */
static void take_from(ns_form_values *v, int to, int from, double factor)
{
    v->value[to] = factor * v->value[from];
    v->se[to] = factor * v->se[from];
    v->from[to] = v->from[from];
}

/* The first line of some protocols that the machine has, or -1. */
static int first_given(const ns_form_values *v, int row, int locality, int from)
{
    for (int p = from; p < NS_PROTOCOLS; p++)
        if (v->from[class_slot(v, row, locality, p)] != NULL)
            return class_slot(v, row, locality, p);
    return -1;
}

/* The number was measured with many messages in flight. */
static bool is_in_flight(const ns_form_values *v, int slot)
{
    return v->from[slot] != NULL && strstr(v->from[slot]->path, ".exchange.") != NULL;
}

/* The start-up of single messages also where those in flight are known by protocol. */
static void take_single(ns_form_values *v)
{
    char path[80];
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const int slot = class_slot(v, ALPHA, NS_OFF_NODE, p);
        snprintf(path, sizeof path, "%s.off-node.%s.alpha", ns_memory_words[v->memory], ns_protocol_words[p]);
        const ns_parameter *single = ns_machine_parameter(v->machine, path);
        if (!is_in_flight(v, slot) || single == NULL)
            continue;
        v->from[slot] = single;
        v->value[slot] = single->value;
        v->se[slot] = single->se;
    }
}

/* Where only single messages were measured, off node the start-up of messages in flight is that of the smallest,
 * whatever their protocol.  With GPUs it stays whole: its latency stands for what keeps an exchange waiting there. */
static void derive_start_up(ns_form_values *v)
{
    const int first = first_given(v, ALPHA, NS_OFF_NODE, NS_SHORT);
    for (int p = 0; p < NS_PROTOCOLS && first >= 0 && v->machine->gpus == 0; p++) {
        const int slot = class_slot(v, ALPHA, NS_OFF_NODE, p);
        if (v->from[slot] != NULL && !is_in_flight(v, slot))
            take_from(v, slot, first, 1);
    }
}

/* Inside a node a ping-pong's start-up holds both ends of a message: half of it falls to each.  Where all cores of a node
 * take part each end pays it whole: that is what Dane's exchanges take, and twice what a few processes beside GPUs do. */
static void derive_ends(ns_form_values *v)
{
    for (int l = 0; l < NS_OFF_NODE && v->machine->gpus > 0; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const int slot = class_slot(v, ALPHA, l, p);
            if (v->from[slot] != NULL && !is_in_flight(v, slot))
                take_from(v, slot, slot, 0.5);
        }
}

/* A rate that was not measured: of as many processes as did not reach it, or of the network interfaces; at least of
 * two. */
static double pairs_at_least(const ns_form_values *v)
{
    const ns_parameter *nics = ns_machine_parameter(v->machine, "topology.nics");
    return fmax(fmax(2, v->value[v->first[PAIRS]]), nics != NULL ? nics->value : 0);
}

/* The node's rate is that of bytes out and in together: of streams, which went one way, half the time.  Where there is
 * none the host's stands for it, or that of several processes by their own lines. */
static void derive_rate(ns_form_values *v)
{
    char path[60];
    const int slot = v->first[R_N];
    for (int m = v->memory; m >= NS_HOST; m--) {
        snprintf(path, sizeof path, "%s.injection.inverse_R_N", ns_memory_words[m]);
        const ns_parameter *rate = ns_machine_parameter(v->machine, path);
        snprintf(path, sizeof path, "%s.injection.directions", ns_memory_words[m]);
        const ns_parameter *ways = ns_machine_parameter(v->machine, path);
        if (rate == NULL)
            continue;
        const double half = ways != NULL ? ways->value / 2 : 1;
        v->from[slot] = rate;
        v->value[slot] = half * rate->value;
        v->se[slot] = half * rate->se;
        return;
    }
    for (int p = NS_PROTOCOLS - 1; p >= 0; p--)
        if (v->from[class_slot(v, BETA, NS_OFF_NODE, p)] != NULL) {
            take_from(v, slot, class_slot(v, BETA, NS_OFF_NODE, p), 1 / pairs_at_least(v));
            return;
        }
}

/* A machine with GPUs whose whole exchanges were not measured: a handshake off node and one on it. */
static void derive_floor(ns_form_values *v)
{
    double off = 0, on = 0;
    const int floor = v->first[FLOOR];
    if (v->machine->gpus == 0 || v->from[floor] != NULL)
        return;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        off = fmax(off, v->machine->line[v->memory][NS_OFF_NODE][p].alpha);
        for (int l = 0; l < NS_OFF_NODE; l++)
            on = fmax(on, v->machine->line[v->memory][l][p].alpha);
    }
    v->value[floor] = off + on;
}

/* In a ping-pong half of the processes send at a time: all at once take twice as long, where its line is the memory's
 * rate. */
static void derive_limit(ns_form_values *v)
{
    for (int l = 0; l < NS_OFF_NODE; l++) {
        const int limit = class_slot(v, LIMIT, l, NS_RENDEZVOUS), beta = class_slot(v, BETA, l, NS_RENDEZVOUS);
        if (v->from[limit] == NULL && v->from[beta] != NULL)
            take_from(v, limit, beta, 2.0 / v->machine->host_processes);
    }
}

/* An eager message inside a node is copied twice. */
static void derive_packing(ns_form_values *v)
{
    const int own = v->first[PACK], node = v->first[NODE_PACK];
    const int copied = first_given(v, BETA, NS_ON_SOCKET, NS_EAGER);
    const int limited = class_slot(v, LIMIT, NS_ON_NODE, NS_EAGER);
    if (v->from[own] == NULL && copied >= 0)
        take_from(v, own, copied, 0.5);
    if (v->from[node] == NULL && v->from[limited] != NULL)
        take_from(v, node, limited, 0.5);
}

/* A queue that was measured to be slower than the default counts.  The default stands for nodes all of whose cores are
 * busy: on Lassen, where four processes a node stage for four GPUs, eighty messages show none of it. */
static void derive_gamma(ns_form_values *v)
{
    const int slot = v->first[GAMMA];
    if (v->from[slot] == NULL && v->machine->gpus > 0)
        v->value[slot] = 0;
    const ns_parameter *queue = ns_machine_parameter(v->machine, "host.queue.gamma");
    if (v->from[slot] != NULL || queue == NULL || !(queue->value > v->value[slot]))
        return;
    v->from[slot] = queue;
    v->value[slot] = queue->value;
    v->se[slot] = queue->se;
}

/* A step's handshake; where a floor stands for the whole exchange it is in that. */
static void derive_handshake(ns_form_values *v)
{
    const int slot = v->first[HANDSHAKE];
    if (v->machine->gpus > 0 && !is_in_flight(v, slot)) {
        v->from[slot] = NULL;
        v->value[slot] = v->se[slot] = 0;
    }
}

static void derive(ns_form_values *v)
{
    if (is_left_out(v, START_UP))
        take_single(v);
    derive_start_up(v);
    derive_ends(v);
    derive_rate(v);
    derive_handshake(v);
    if (!is_left_out(v, FLOOR_PART))
        derive_floor(v);
    if (v->memory != NS_HOST)
        return;
    if (!is_left_out(v, MEMORY))
        derive_limit(v);
    if (!is_left_out(v, PACKED))
        derive_packing(v);
    if (is_left_out(v, QUEUE))
        v->value[v->first[GAMMA]] = 0;
    else
        derive_gamma(v);
    if (is_left_out(v, CROWDED))
        v->value[v->first[CROWDING]] = 0;
}

/* ---- terms ------------------------------------------------------------------------------------------------------- */

static double on_node(const ns_payer *p)
{
    double sum = 0;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            const ns_class_load *out = &p->load->out[l][c], *in = &p->load->in[l][c];
            const double ends =
                ns_without(p, BOTH_ENDS) ? fmax(out->messages, in->messages) : out->messages + in->messages;
            const double bytes = fmax(out->bytes, in->bytes);
            if (ends == 0 && bytes == 0)
                continue;
            ns_paid_for(p, l, c, ends, bytes);
            const double own = bytes * p->values->value[class_slot(p->values, BETA, l, c)];
            const double all = p->load->node_on[l][c] * p->values->value[class_slot(p->values, LIMIT, l, c)];
            const double moving = all > own ? ns_pay_class(p, LIMIT, l, c, p->load->node_on[l][c])
                                            : ns_pay_class(p, BETA, l, c, bytes);
            p->step->bytes_s += moving;
            sum += ns_pay_class(p, ALPHA, l, c, ends) + moving;
        }
    return sum;
}

/* Bytes that one process moves over its own line: of device memory both ways, where no rate of the node was measured
 * for it, since they share the way to the network. */
static double own_bytes(const ns_payer *p, int c)
{
    const ns_parameter *rate = p->values->from[p->values->first[R_N]];
    const double out = p->load->out[NS_OFF_NODE][c].bytes, in = p->load->in[NS_OFF_NODE][c].bytes;
    const bool measured =
        ns_value_of(p, R) > 0 || (rate != NULL && strncmp(rate->path, "device.injection", 16) == 0);
    return p->values->memory == NS_DEVICE && !measured ? out + in : fmax(out, in);
}

static double own_lines(const ns_payer *p)
{
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += own_bytes(p, c) * p->values->value[class_slot(p->values, BETA, NS_OFF_NODE, c)];
    return sum;
}

/* Bytes out of and into the node at its rate; crowding is paid beside it, so that each parameter has its amount. */
static double transfer(const ns_payer *p, double messages)
{
    const ns_load *load = p->load;
    const bool shared = ns_value_of(p, R) > 0;
    const double node = ns_without(p, BOTH_WAYS) ? fmax(load->node_out, load->node_in) : load->node_out + load->node_in;
    const double rate = ns_value_of(p, shared ? R : R_N), own = own_lines(p);
    const double doublings = !shared && messages > load->partners && load->partners > 0
                                 ? log2(messages / load->partners)
                                 : 0;
    const double crowded = node * rate * doublings;
    const double limit = node * rate + crowded * ns_value_of(p, CROWDING);
    p->step->injection = ns_max_rate_transfer(own, limit) > own;
    if (p->step->injection)
        return ns_pay(p, shared ? R : R_N, node) + ns_pay(p, CROWDING, crowded);
    for (int c = 0; c < NS_PROTOCOLS; c++)
        (void)ns_pay_class(p, BETA, NS_OFF_NODE, c, own_bytes(p, c));
    return own;
}

/* The start-ups of one way, or the processor's at both ends. */
static double start_ups(const ns_payer *p, double n[NS_PROTOCOLS])
{
    double one_way = 0, both = 0, sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        one_way += n[c] * p->values->value[class_slot(p->values, ALPHA, NS_OFF_NODE, c)];
        both += p->load->out[NS_OFF_NODE][c].messages + p->load->in[NS_OFF_NODE][c].messages;
    }
    if (both * ns_value_of(p, OVERHEAD) > one_way)
        return ns_pay(p, OVERHEAD, both);
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += ns_pay_class(p, ALPHA, NS_OFF_NODE, c, n[c]);
    return sum;
}

static double off_node(const ns_payer *p, double *messages)
{
    double n[NS_PROTOCOLS], bytes = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        const ns_class_load *out = &p->load->out[NS_OFF_NODE][c], *in = &p->load->in[NS_OFF_NODE][c];
        const double s = fmax(out->bytes, in->bytes);
        n[c] = fmax(out->messages, in->messages);
        ns_paid_for(p, NS_OFF_NODE, c, n[c], s);
        bytes += s;
        *messages += n[c];
    }
    if (*messages == 0 && bytes == 0) /* maxima of a row may be those of processes apart */
        return 0;
    const double moving = transfer(p, *messages);
    p->step->bytes_s += moving;
    return start_ups(p, n) + moving;
}

static double packing(const ns_payer *p)
{
    const double own = p->load->bundled * ns_value_of(p, PACK), node = p->load->node_bundled * ns_value_of(p, NODE_PACK);
    return p->load->bundled == 0 ? 0
           : node > own          ? ns_pay(p, NODE_PACK, p->load->node_bundled)
                                 : ns_pay(p, PACK, p->load->bundled);
}

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    double messages = 0;
    step->term[OFF_NODE] = off_node(&p, &messages);
    step->term[ON_NODE] = on_node(&p);
    step->term[QUEUE_SEARCH] = ns_pay(&p, GAMMA, messages * messages);
    step->term[HANDSHAKE_TIME] = ns_pay(&p, HANDSHAKE, load->handshakes);
    step->term[PACKING] = packing(&p);
}

/* The floor hides behind the bytes: only what it is longer is paid. */
static void finish(const ns_form_values *v, ns_step_price *step, int steps, double later)
{
    double bytes = 0;
    bool any = false;
    for (int i = 0; i < steps; i++) {
        bytes += step[i].bytes_s;
        for (int t = 0; t < NS_FORM_TERMS; t++)
            any = any || step[i].term[t] > 0;
    }
    const int once = v->first[FLOOR], each = v->first[FLOOR_STEP];
    const double floor = v->value[once] + later * v->value[each];
    if (!any || !(floor > bytes))
        return;
    const double share = (floor - bytes) / floor;
    step[0].amount[once] += share;
    step[0].amount[each] += later * share;
    step[0].term[FIXED] += floor - bytes;
}

const ns_form ns_form_full = {
    .name = "full",
    .title = "messages of a whole exchange: in flight together, both ways, sharing memory and links",
    .source = "docs/accuracy.md",
    .rows = rows,
    .terms = terms,
    .parts = parts,
    .error = "<memory>.exchange.model_error",
    .uncalibrated = 0.6, /* 90 % within a factor of 2: Blue Waters from ping-pongs alone, Dane, Lassen's dense exchanges */
    .rank = 5,
    .automatic = true,
    .needs_queue = true,
    .needs_total = true,
    .whole = true,
    .derive = derive,
    .price = price,
    .finish = finish,
};
