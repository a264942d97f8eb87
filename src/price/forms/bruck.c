/* bruck.c -- a dense exchange of short messages by Bruck's algorithm: few combined messages
 *
 * Of P = n + k + 1 processes, p = k + 1 of them on a node, each sends in round i half of all blocks, P / 2 of b bytes,
 * to the process 2^i ranks further on: log2 p rounds inside the node and log2 (P / p) between nodes, of B = P b / 2
 * bytes.
 *
 *     off node   log2 (P / p) max(a, S_i / R, b B)        S_i = 2 p B
 *     on node    log2 p max(a_on, m B)
 *     packing    K (2 + log2 P) 2 B + e (2 + log2 P) P
 *
 * Blocks are rotated before and after, and gathered and taken out in each round.  a, R, b, m and K are those of the
 * form "direct"; e: time of a block in addition to its bytes.  The form is a lower bound for a library that has this
 * algorithm; it does not apply to long messages or to a process with few partners.
 */
#include "price/forms/dense.h"

enum { BLOCK = NS_DENSE_HIDING, TO = NS_DENSE_MEETING }; /* these rows take the places of two others */

static const ns_form_row rows[] = {
    NS_DENSE_ROWS("<memory>.exchange.direct.slowing", 1),
    [BLOCK] = {.path = {{"<memory>.exchange.bruck.block", 0}},
               .unit = "ns",
               .doc = "time of a block that is gathered into a message and taken out of it, beside its bytes",
               .fallback = {17e-9, 17e-9},
               .amount = "blocks packed and unpacked",
               .times = "blocks"},
    [TO] = {.path = {{"<memory>.exchange.bruck.to", 0}},
            .unit = "B",
            .doc = "longest message that the library's all-to-all sends by this algorithm and no other",
            .fallback = {256, 256}}, /* the default of MPICH's MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE */
    {.doc = NULL},
};

static const char *const terms[] = {"off_node", "on_node", "packing", NULL};

typedef struct blocks {
    double processes, per_node, round_bytes; /* P, p, B */
    int inner;                               /* the most distant locality of the node with messages */
} blocks;

static blocks blocks_of(const ns_class_load (*of)[NS_PROTOCOLS])
{
    double bytes = 0, all = 0, on = 0;
    int inner = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        double messages = 0;
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            messages += of[l][c].messages;
            bytes += of[l][c].bytes;
        }
        all += messages;
        on = l < NS_OFF_NODE ? all : on;
        inner = l < NS_OFF_NODE && messages > 0 ? l : inner;
    }
    return (blocks){all + 1, on + 1, all > 0 ? bytes / all * (all + 1) / 2 : 0, inner};
}

/* The rounds of a locality: their start-ups, and the bytes over the process' own line or, between nodes, at the node's
 * rate. */
static double rounds_s(const ns_payer *p, const blocks *b, int locality, double rounds)
{
    const int class = NS_EAGER; /* a combined message is neither among the shortest nor among the longest */
    const ns_form_values *v = p->values;
    const bool off = locality == NS_OFF_NODE;
    const double slowing = 2 * b->per_node * ns_value_of(p, NS_DENSE_SLOWING), bytes = rounds * b->round_bytes,
                 start = v->value[ns_slot(v, NS_DENSE_ALPHA, locality, class)],
                 line = off ? v->value[ns_slot(v, NS_DENSE_BETA, locality, class)] : ns_value_of(p, NS_DENSE_MEMORY),
                 node = off ? slowing * v->value[ns_slot(v, NS_DENSE_RATE, locality, class)] : 0;
    if (rounds <= 0)
        return 0;
    ns_paid_for(p, locality, class, rounds, bytes);
    if (start >= b->round_bytes * ns_larger(line, node))
        return ns_pay_class(p, NS_DENSE_ALPHA, locality, class, rounds);
    if (off)
        p->step->injection = node > line;
    const double moving = !off          ? ns_pay(p, NS_DENSE_MEMORY, bytes)
                          : node > line ? ns_pay_class(p, NS_DENSE_RATE, locality, class, slowing * bytes)
                                        : ns_pay_class(p, NS_DENSE_BETA, locality, class, bytes);
    p->step->bytes_s += moving;
    return moving;
}

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    const blocks out = blocks_of(load->out), in = blocks_of(load->in);
    const blocks b = in.processes * in.round_bytes > out.processes * out.round_bytes ? in : out;
    if (b.processes <= 1)
        return;
    const double off = log2(b.processes / b.per_node), on = log2(b.per_node), turns = 2 + log2(b.processes);
    step->term[0] = rounds_s(&p, &b, NS_OFF_NODE, off);
    step->term[1] = rounds_s(&p, &b, out.inner > in.inner ? out.inner : in.inner, on);
    step->term[2] = ns_pay(&p, NS_DENSE_PACK, turns * 2 * b.round_bytes) + ns_pay(&p, BLOCK, turns * b.processes);
}

const ns_form ns_form_bruck = {
    .name = "bruck",
    .title = "a dense exchange of short messages, combined in log2 P rounds",
    .source = "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, IEEE TPDS 8(11), 1997; "
              "docs/evidence/accuracy.md",
    .rows = rows,
    .terms = terms,
    .uncalibrated = 0.8,
    .alone_to = 1 + TO,
    .rank = 8,
    .derive = ns_dense_derive,
    .price = price,
};
