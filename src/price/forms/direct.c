/* direct.c -- every process with nearly every other at once: start-ups hide behind bytes
 *
 *     off node   max(a (1 - h + h n), S / R, sum b s)
 *     on node    max(h sum a_on k, m s_on)
 *     crowding   x k^2 where the messages on the node have 8 KiB and more
 *     packing    K p
 *
 * Of one process in a step, of what it sends and receives that which takes longer: n messages off node, k and s_on
 * bytes on it, s bytes off node by class, p bytes bundled; S: bytes out of and into its node.  a: half a round trip
 * at the most pairs at once; a message that follows another costs the share h of it.  R: the rate of a node with the
 * most pairs.  m: time of a byte that all processes of a node move at once inside it, out of cold memory; x: k long
 * messages in flight on a node find each other.  The library's own all-to-all of long messages is of this kind; of a
 * process with few partners, or where each message pays its own start-up beside the bytes, the full form is better.
 */
#include "price/forms/pay.h"

enum { ALPHA, BETA, RATE, HIDING, MEMORY, MEETING, PACK, LONG };

static const ns_form_row rows[] = {
    [ALPHA] = {.path = {{"<memory>.exchange.<locality>.alpha", 0}, {"<memory>.<locality>.<protocol>.alpha", 0}},
               .unit = "us",
               .doc = "half a round trip of a message while the most pairs of processes have one in flight",
               .by_class = true},
    [BETA] = NS_ROW_OFF_BETA,
    [RATE] = {.path = {{"<memory>.injection.<protocol>.inverse_R", 0}, {"<memory>.injection.inverse_R_N", 0}},
              .unit = "ns/B",
              .doc = "inverse of the rate of a node's off-node bytes, out and in, while the most pairs send",
              .by_class = true,
              .amount = "bytes out of and into the node"},
    [HIDING] = {.path = {{"<memory>.exchange.direct.share", 0}},
                .unit = "1",
                .doc = "share of a start-up that each message after the first costs",
                .fallback = {0.5, 0.5},
                .amount = "start-ups of messages after the first",
                .times = "start-ups"},
    [MEMORY] = {.path = {{"<memory>.exchange.direct.memory", 0}},
                .unit = "ns/B",
                .doc = "time of a byte that a process exchanges on its node while all others do",
                .fallback = {0.12e-9, 0.12e-9},
                .amount = "bytes on the node"},
    [MEETING] = {.path = {{"<memory>.exchange.direct.meeting", 0}},
                 .unit = "us",
                 .doc = "k messages of 8 KiB and more on the node at once: time for each pair of them",
                 .fallback = {0.12e-6, 0.12e-6},
                 .amount = "long messages on the node, k^2",
                 .times = "k^2"},
    [PACK] = {.path = {{"<memory>.exchange.direct.packing", 0}, {"<memory>.exchange.packing.beta", 0}},
              .unit = "ns/B",
              .doc = "time per byte that a process gathers into a message or takes out of one",
              .fallback = {0.5e-9, 0.5e-9},
              .amount = "bytes packed and unpacked"},
    [LONG] = {.path = {{"<memory>.exchange.direct.long", 0}},
              .unit = "B",
              .doc = "mean size from which messages on the node have to meet",
              .fallback = {8192, 8192},
              .amount = "sizes"},
    {.doc = NULL},
};

static const char *const terms[] = {"off_node", "on_node", "crowding", "packing", NULL};

typedef struct side {
    double messages, bytes, alphas_s, line_s; /* of a locality: its messages, bytes, start-ups and bytes in seconds */
} side;

static side side_of(const ns_form_values *v, const ns_class_load of[NS_PROTOCOLS], int locality)
{
    side s = {0, 0, 0, 0};
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        const int class = NS_PROTOCOLS * locality + c;
        s.messages += of[c].messages;
        s.bytes += of[c].bytes;
        s.alphas_s += of[c].messages * v->value[v->first[ALPHA] + class];
        s.line_s += of[c].bytes * v->value[v->first[BETA] + class];
    }
    return s;
}

static void note(const ns_payer *p, int locality, const ns_class_load of[NS_PROTOCOLS])
{
    for (int c = 0; c < NS_PROTOCOLS; c++)
        ns_paid_for(p, locality, c, of[c].messages, of[c].bytes);
}

/* The first message pays its start-up whole, each other the share h. */
static double start_ups(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], int locality, const side *s,
                        bool first)
{
    const double mean = s->messages > 0 ? s->alphas_s / s->messages : 0, alone = first && s->messages > 0 ? 1 : 0;
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++) /* the first, shared by class as the messages are */
        sum += ns_pay_class(p, ALPHA, locality, c, s->messages > 0 ? of[c].messages / s->messages * alone : 0);
    return sum + ns_pay(p, HIDING, mean * (s->messages - alone));
}

/* The node's bytes at its rates: of each protocol as many as the process has. */
static double node_s(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], double bytes, double node, bool paid)
{
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS && bytes > 0; c++) {
        const double part = node * of[c].bytes / bytes;
        sum += paid ? ns_pay_class(p, RATE, NS_OFF_NODE, c, part)
                    : part * p->values->value[p->values->first[RATE] + NS_PROTOCOLS * NS_OFF_NODE + c];
    }
    return sum;
}

/* What the messages of a side between nodes take. */
static double off_s(const ns_payer *p, const ns_class_load of[NS_PROTOCOLS], side *s, double *starts, double *shared)
{
    const double h = ns_value_of(p, HIDING);
    *s = side_of(p->values, of, NS_OFF_NODE);
    *starts = s->messages > 0 ? s->alphas_s * (h + (1 - h) / s->messages) : 0;
    *shared = node_s(p, of, s->bytes, p->load->node_out + p->load->node_in, false);
    return s->messages == 0 && s->bytes == 0 ? 0 : fmax(*starts, fmax(*shared, s->line_s));
}

static double off_node(const ns_payer *p, double *starting)
{
    side s;
    double starts, shared;
    const ns_class_load *out = p->load->out[NS_OFF_NODE], *in = p->load->in[NS_OFF_NODE],
                        *of = off_s(p, in, &s, &starts, &shared) > off_s(p, out, &s, &starts, &shared) ? in : out;
    if (off_s(p, of, &s, &starts, &shared) == 0)
        return 0;
    note(p, NS_OFF_NODE, of);
    p->step->leaves = true;
    p->step->injection = shared > s.line_s && shared > starts;
    if (p->step->injection)
        return node_s(p, of, s.bytes, p->load->node_out + p->load->node_in, true);
    if (starts > s.line_s) {
        *starting = start_ups(p, of, NS_OFF_NODE, &s, true);
        return *starting;
    }
    double sum = 0;
    for (int c = 0; c < NS_PROTOCOLS; c++)
        sum += ns_pay_class(p, BETA, NS_OFF_NODE, c, of[c].bytes);
    return sum;
}

/* The same on the node, and what its long messages lose where they meet. */
static double on_s(const ns_payer *p, const ns_class_load (*of)[NS_PROTOCOLS], side *s, double *meeting)
{
    *s = (side){0, 0, 0, 0};
    for (int l = 0; l < NS_OFF_NODE; l++) {
        const side one = side_of(p->values, of[l], l);
        s->messages += one.messages;
        s->bytes += one.bytes;
        s->alphas_s += one.alphas_s;
    }
    *meeting = s->messages > 0 && s->bytes >= ns_value_of(p, LONG) * s->messages ? s->messages * s->messages : 0;
    return fmax(ns_value_of(p, HIDING) * s->alphas_s, s->bytes * ns_value_of(p, MEMORY)) +
           *meeting * ns_value_of(p, MEETING);
}

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    double meeting, starting = 0;
    side all;
    const bool received = on_s(&p, load->in, &all, &meeting) > on_s(&p, load->out, &all, &meeting);
    const ns_class_load(*of)[NS_PROTOCOLS] = received ? load->in : load->out;
    (void)on_s(&p, of, &all, &meeting);
    step->term[0] = off_node(&p, &starting);
    if (ns_value_of(&p, HIDING) * all.alphas_s > all.bytes * ns_value_of(&p, MEMORY))
        for (int l = 0; l < NS_OFF_NODE; l++) {
            const side s = side_of(values, of[l], l);
            step->term[1] += start_ups(&p, of[l], l, &s, false);
        }
    else
        step->term[1] = ns_pay(&p, MEMORY, all.bytes);
    for (int l = 0; l < NS_OFF_NODE; l++)
        note(&p, l, of[l]);
    step->term[2] = ns_pay(&p, MEETING, meeting);
    step->term[3] = ns_pay(&p, PACK, load->bundled);
    step->waits_s = starting;
    step->bytes_s = step->term[0] + step->term[1] - starting;
}

const ns_form ns_form_direct = {
    .name = "direct",
    .title = "every process with nearly every other at once: start-ups hide behind bytes",
    .source = "docs/accuracy.md",
    .rows = rows,
    .terms = terms,
    .uncalibrated = 0.8,
    .rank = 6,
    .price = price,
};
