/* full.c -- messages of a whole exchange: in flight together, both ways, in a node that shares its memory and links
 *
 *     off node   max(a_off n, o (n_out + n_in)) + max((S_out + S_in) (1 + c log2(n / d)) / R, sum b s)
 *     on node    sum (a (n_out + n_in) + max(b s, L M))
 *     queue      gamma n_off^2
 *     handshake  h in each step that has a rendezvous message
 *     packing    max(p k, P K)
 *     fixed      once an exchange between nodes: what the floor T0 + T1 (steps - 1) is longer than all that moves bytes
 *
 * Of one process in a step: n messages and s bytes, sent or received, whichever takes longer; S the off-node bytes of
 * its node, which count both ways: in half the round trip of a ping-pong the node's link carries half of them.  R is
 * the rate on shared links or, where only the injection rate is known, R_N, which crowding slows down: c for each
 * doubling of the n off-node messages to d other nodes.  Bytes of one process cannot pass faster than over its own
 * line.  A start-up off node is that of a message in flight, a_off, or the processor's at either end, o; inside the
 * node it is paid at both ends, as the processor copies.  M: bytes of a class that move inside the node, by all of its
 * processes, at the memory's limit L.  k, K: bytes off node that are gathered into messages and taken out of them, by
 * the process and by its node.
 */
#include "price/parts/full.h"
#include "model/parts/max_rate.h"
#include "price/forms/pay.h"

#define ALWAYS static inline __attribute__((always_inline))

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

static const ns_form_row rows[] = {
    [NS_FULL_ALPHA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.alpha", 1 << NS_FULL_IN_FLIGHT},
                                {"<memory>.exchange.<locality>.alpha", 1 << NS_FULL_START_UP},
                                {"<memory>.<locality>.<protocol>.alpha", 0}},
                       .unit = "us",
                       .doc = "start-up, at either end, of each of many messages in flight",
                       .by_class = true},
    [NS_FULL_BETA] = {.path = {{"<memory>.exchange.<locality>.<protocol>.beta", 1 << NS_FULL_IN_FLIGHT},
                               {"<memory>.<locality>.<protocol>.beta", 0}},
                      .unit = "ns/B",
                      .doc = "time per byte of many messages in flight",
                      .by_class = true},
    [NS_FULL_LIMIT] = {.path = {{"<memory>.exchange.<locality>.<protocol>.inverse_R", 1 << NS_FULL_MEMORY}},
                       .unit = "ns/B",
                       .doc = "inverse of the rate at which a node moves such bytes while all of its processes send",
                       .by_class = true},
    [NS_FULL_OVERHEAD] = {.path = {{"<memory>.exchange.off-node.overhead", 1 << NS_FULL_START_UP}},
                          .unit = "us",
                          .doc = "time of the processor for each message off node, at either end",
                          .amount = "messages off node, sent and received"},
    [NS_FULL_R] = {.path = {{"<memory>.exchange.inverse_R", 1 << NS_FULL_SHARED_RATE}},
                   .unit = "ns/B",
                   .doc = "inverse of the rate of a node's off-node bytes, out and in, on shared links",
                   .inverse = "R",
                   .amount = "bytes out of and into the node"},
    [NS_FULL_R_N] = {.path = {{"<memory>.injection.inverse_R_N", 0}},
                     .unit = "ns/B",
                     .doc = "inverse of the rate at which a node injects into the network",
                     .amount = "bytes out of and into the node"},
    [NS_FULL_CROWDING] = {.path = {{"<memory>.exchange.crowding", 1 << NS_FULL_CROWDED}},
                          .unit = "1",
                          .doc = "slowdown of the injection rate for each doubling of a process' messages to a node",
                          .fallback = {[NS_HOST] = 0.05},
                          .amount = "crowded bytes at R_N",
                          .times = "time x doublings"},
    [NS_FULL_GAMMA] = {.path = {{"<memory>.exchange.gamma", 1 << NS_FULL_QUEUE}},
                       .unit = "ns",
                       .doc = "crowding at the receiver: a process with n off-node messages spends gamma n^2",
                       .fallback = {[NS_HOST] = 7e-9},
                       .amount = "queue search, n^2",
                       .times = "n^2"},
    [NS_FULL_HANDSHAKE] = {.path = {{"<memory>.exchange.handshake", 1 << NS_FULL_HANDSHAKES},
                                    {"<memory>.off-node.rendezvous.alpha", 1 << NS_FULL_HANDSHAKES}},
                           .unit = "us",
                           .doc = "handshake of a step that has a rendezvous message",
                           .amount = "handshake",
                           .times = "rendezvous steps"},
    [NS_FULL_PACK] = {.path = {{"<memory>.exchange.packing.beta", 1 << NS_FULL_PACKED}},
                      .unit = "ns/B",
                      .doc = "time per byte that a process gathers into a message or takes out of one",
                      .amount = "bytes packed and unpacked"},
    [NS_FULL_NODE_PACK] = {.path = {{"<memory>.exchange.packing.inverse_R", 1 << NS_FULL_PACKED}},
                           .unit = "ns/B",
                           .doc = "the same of all processes of a node at once",
                           .amount = "bytes packed and unpacked on the node"},
    [NS_FULL_FLOOR] = {.path = {{"<memory>.exchange.floor", 1 << NS_FULL_FLOOR_PART}},
                       .unit = "us",
                       .doc = "shortest time of a whole exchange between nodes; bytes move meanwhile",
                       .amount = "floor beyond the bytes",
                       .times = "part beyond the bytes",
                       .once = true},
    [NS_FULL_FLOOR_STEP] = {.path = {{"<memory>.exchange.floor_step", 1 << NS_FULL_FLOOR_PART}},
                            .unit = "us",
                            .doc = "what the floor gains with each step after the first",
                            .amount = "steps after the first",
                            .times = "part beyond the bytes x later steps",
                            .once = true},
    [NS_FULL_DIRECTIONS] =
        {.path = {{"<memory>.injection.directions", 0}},
         .unit = "1",
         .doc = "ways that bytes went while the injection rate was measured: 2 for pairs of ping-pongs, 1 for "
                "streams",
         .fallback = {2, 2},
         .amount = "ways"},
    [NS_FULL_PAIRS] = {.path = {{"<memory>.injection.unlimited_pairs", 0}},
                       .unit = "1",
                       .doc = "pairs of processes between two nodes that did not reach the injection limit",
                       .amount = "pairs"},
    {.doc = NULL},
};

enum { OFF_NODE, ON_NODE, QUEUE_SEARCH, HANDSHAKE_TIME, PACKING, FIXED };
static const char *const terms[] = {"off_node", "on_node", "queue", "handshake", "packing", "fixed", NULL};

/* ---- terms ------------------------------------------------------------------------------------------------------- */

enum { CLASSES = NS_LOCALITIES * NS_PROTOCOLS, ON_CLASSES = NS_OFF_NODE * NS_PROTOCOLS };

/* Bits of classes that may have anything. */
ALWAYS unsigned classes_of(const ns_payer *p)
{
    return ~p->load->idle & ((1u << CLASSES) - 1);
}

/* What was sent, or received if that is more: both ways together would make messages look half as long. */
ALWAYS void note_way(const ns_payer *p, int l, int c)
{
    const ns_class_load *out = &p->load->out[l][c], *in = &p->load->in[l][c],
                        *more = out->bytes > in->bytes || (out->bytes == in->bytes && out->messages > 0) ? out : in;
    ns_paid_for(p, l, c, more->messages, more->bytes);
}

ALWAYS double on_class(const ns_payer *p, int l, int c)
{
    const ns_class_load *out = &p->load->out[l][c], *in = &p->load->in[l][c];
    if (out->messages + in->messages == 0 && out->bytes + in->bytes == 0)
        return 0;
    const double ends =
        ns_without(p, NS_FULL_BOTH_ENDS) ? ns_larger(out->messages, in->messages) : out->messages + in->messages;
    const double bytes = ns_larger(out->bytes, in->bytes);
    note_way(p, l, c);
    const double own = bytes * p->values->value[ns_class_slot(p->values, NS_FULL_BETA, l, c)];
    const double all = p->load->node_on[l][c] * p->values->value[ns_class_slot(p->values, NS_FULL_LIMIT, l, c)];
    const double moving = all > own ? ns_pay_class(p, NS_FULL_LIMIT, l, c, p->load->node_on[l][c])
                                    : ns_pay_class(p, NS_FULL_BETA, l, c, bytes);
    p->step->bytes_s += moving;
    const double starting = ns_pay_class(p, NS_FULL_ALPHA, l, c, ends);
    p->step->waits_s += starting;
    return starting + moving;
}

ALWAYS double on_node(const ns_payer *p)
{
    double sum = 0;
    for (unsigned bits = classes_of(p) & ((1u << ON_CLASSES) - 1); bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctz(bits);
        sum += on_class(p, class / NS_PROTOCOLS, class % NS_PROTOCOLS);
    }
    return sum;
}

/* What a way of a process, out or in, takes between nodes: its start-ups, or its bytes over its own line. */
ALWAYS double way_s(const ns_payer *p, const ns_class_load way[NS_PROTOCOLS], int row)
{
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += (row == NS_FULL_ALPHA ? way[c].messages : way[c].bytes) *
               p->values->value[ns_class_slot(p->values, row, NS_OFF_NODE, c)];
    return sum;
}

/* The way that takes longer: the other one passes meanwhile. */
ALWAYS const ns_class_load *longer_way(const ns_payer *p, int row)
{
    const ns_class_load *out = p->load->out[NS_OFF_NODE], *in = p->load->in[NS_OFF_NODE];
    return way_s(p, in, row) > way_s(p, out, row) ? in : out;
}

/* Bytes that one process moves over its own line: of device memory both ways, where no rate of the node was measured
 * for it, since they share the way to the network. */
ALWAYS double own_bytes(const ns_payer *p, const ns_class_load *way, int c)
{
    return p->values->one_way ? p->load->out[NS_OFF_NODE][c].bytes + p->load->in[NS_OFF_NODE][c].bytes : way[c].bytes;
}

ALWAYS double own_lines(const ns_payer *p, const ns_class_load *way)
{
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += own_bytes(p, way, c) * p->values->value[ns_class_slot(p->values, NS_FULL_BETA, NS_OFF_NODE, c)];
    return sum;
}

/* Bytes out of and into the node at its rate; crowding is paid beside it, so that each parameter has its amount. */
ALWAYS double transfer(const ns_payer *p, double messages)
{
    const ns_load *load = p->load;
    const bool shared = ns_value_of(p, NS_FULL_R) > 0;
    const double node =
        ns_without(p, NS_FULL_BOTH_WAYS) ? ns_larger(load->node_out, load->node_in) : load->node_out + load->node_in;
    const ns_class_load *way = longer_way(p, NS_FULL_BETA);
    const double rate = ns_value_of(p, shared ? NS_FULL_R : NS_FULL_R_N), own = own_lines(p, way);
    const double doublings =
        !shared && messages > load->partners && load->partners > 0 ? log2(messages / load->partners) : 0;
    const double crowded = node * rate * doublings;
    const double limit = node * rate + crowded * ns_value_of(p, NS_FULL_CROWDING);
    p->step->injection = ns_max_rate_transfer(own, limit) > own;
    if (p->step->injection)
        return ns_pay(p, shared ? NS_FULL_R : NS_FULL_R_N, node) + ns_pay(p, NS_FULL_CROWDING, crowded);
    for (int c = 0; c < NS_PROTOCOLS; c++)
        (void)ns_pay_class(p, NS_FULL_BETA, NS_OFF_NODE, c, own_bytes(p, way, c));
    return own;
}

/* The start-ups of one way, or the processor's at both ends. */
ALWAYS double start_ups(const ns_payer *p, double both)
{
    const ns_class_load *way = longer_way(p, NS_FULL_ALPHA);
    double sum = 0;
    if (both * ns_value_of(p, NS_FULL_OVERHEAD) > way_s(p, way, NS_FULL_ALPHA))
        return ns_pay(p, NS_FULL_OVERHEAD, both);
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += ns_pay_class(p, NS_FULL_ALPHA, NS_OFF_NODE, c, way[c].messages);
    return sum;
}

ALWAYS double off_node(const ns_payer *p, double *messages)
{
    double out = 0, in = 0, bytes = 0;
    if (classes_of(p) >> ON_CLASSES == 0)
        return 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        const ns_class_load *sent = &p->load->out[NS_OFF_NODE][c], *received = &p->load->in[NS_OFF_NODE][c];
        note_way(p, NS_OFF_NODE, c);
        out += sent->messages;
        in += received->messages;
        bytes += sent->bytes + received->bytes;
    }
    *messages = ns_larger(out, in);
    if (*messages == 0 && bytes == 0) /* maxima of a row may be those of processes apart */
        return 0;
    const double moving = transfer(p, *messages), starting = start_ups(p, out + in);
    p->step->bytes_s += moving;
    p->step->waits_s += starting;
    return starting + moving;
}

ALWAYS double packing(const ns_payer *p)
{
    const double own = p->load->bundled * ns_value_of(p, NS_FULL_PACK),
                 node = p->load->node_bundled * ns_value_of(p, NS_FULL_NODE_PACK);
    return p->load->bundled == 0 ? 0
           : node > own          ? ns_pay(p, NS_FULL_NODE_PACK, p->load->node_bundled)
                                 : ns_pay(p, NS_FULL_PACK, p->load->bundled);
}

ALWAYS void price_as(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    double messages = 0;
    step->term[OFF_NODE] = off_node(&p, &messages);
    step->term[ON_NODE] = on_node(&p);
    step->leaves = step->leaves || messages > 0;
    step->term[QUEUE_SEARCH] = ns_pay(&p, NS_FULL_GAMMA, messages * messages);
    step->term[HANDSHAKE_TIME] = ns_pay(&p, NS_FULL_HANDSHAKE, load->handshakes);
    step->term[PACKING] = packing(&p);
    step->waits_s += step->term[QUEUE_SEARCH] + step->term[HANDSHAKE_TIME] + step->term[PACKING];
}

/* Two of it: most loads are priced without their amounts, which is twice as fast where it is known. */
static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    if (amounts)
        price_as(values, load, true, step);
    else
        price_as(values, load, false, step);
}

/* The floor of an exchange between nodes hides behind the bytes: only what it is longer is paid. */
static void finish(const ns_form_values *v, ns_step_price *step, int steps, double later)
{
    double bytes = 0;
    bool leaves = false;
    for (int i = 0; i < steps; i++) {
        bytes += step[i].bytes_s;
        leaves = leaves || step[i].leaves;
    }
    const int once = v->first[NS_FULL_FLOOR], each = v->first[NS_FULL_FLOOR_STEP];
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
    .source = "docs/accuracy.md",
    .rows = rows,
    .terms = terms,
    .parts = parts,
    .error = "<memory>.exchange.model_error",
    .uncalibrated = 0.8, /* 90 % within a factor of 2.5: of ten machines without their exchanges, docs/accuracy.md */
    .rank = 5,
    .automatic = true,
    .needs_queue = true,
    .needs_total = true,
    .whole = true,
    .derive = ns_full_derive,
    .rising = true,
    .price = price,
    .finish = finish,
};
