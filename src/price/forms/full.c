/* full.c -- messages of a whole exchange: in flight together, and both ways
 *
 *     a_off n_off + (S_out + S_in) / R + a_on (n_on,out + n_on,in) + sum_on b_on s + gamma n^2
 *
 * A start-up off node, a_off, does not depend on the protocol; bytes off node share the node's rate R, out and in, and
 * on the links' way; a message inside the node costs its start-up at both ends.  Constants from measurements with many
 * messages in flight; what a machine does not give stands as in max-rate.  n: messages received in the step.
 */
#include "model/parts/max_rate.h"
#include "price/forms/pay.h"

enum { QUEUE, BOTH_ENDS, BOTH_WAYS, SHARED_RATE, START_UP, IN_FLIGHT, STEPS };
static const ns_form_part parts[] = {
    {"queue", "no queue search"},
    {"both-ends", "start-up inside the node paid at one end"},
    {"both-ways", "a node's bytes one way only"},
    {"shared-rate", "R_N and beta of single messages in flight instead of R"},
    {"start-up", "each protocol's own start-up off node, of single messages"},
    {"in-flight", "inside the node, lines of single messages in flight"},
    {"steps", "maxima by class as they stand, whatever the most of a step"},
    {NULL, NULL},
};

enum { ALPHA, BETA, R, R_N, GAMMA };
static const ns_form_row rows[] = {
    {.path = {{"<memory>.exchange.<locality>.<protocol>.alpha", 1 << IN_FLIGHT},
              {"<memory>.exchange.<locality>.alpha", 1 << START_UP},
              {"<memory>.<locality>.<protocol>.alpha", 0}},
     .unit = "us",
     .doc = "start-up, at either end, of each of many messages in flight",
     .by_class = true,
     .decides = true},
    {.path = {{"<memory>.exchange.<locality>.<protocol>.beta", 1 << IN_FLIGHT},
              {"<memory>.<locality>.<protocol>.beta", 0}},
     .unit = "ns/B",
     .doc = "time per byte of many messages in flight",
     .by_class = true},
    {.path = {{"<memory>.exchange.inverse_R", 1 << SHARED_RATE}},
     .unit = "ns/B",
     .doc = "inverse of the rate of a node's off-node bytes, out and in, on shared links",
     .amount = "bytes out of and into the node",
     .decides = true},
    NS_ROW_R_N,
    {.path = {{"host.queue.gamma", 1 << QUEUE}},
     .unit = "ns",
     .doc = "queue search: a process with n messages in flight spends gamma n^2",
     .amount = "queue search, n^2"},
    {.doc = NULL},
};

enum { OFF_NODE, ON_NODE, QUEUE_SEARCH };
static const char *const terms[] = {"off_node", "on_node", "queue", NULL};

static double on_node(const ns_payer *p)
{
    double sum = 0;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            const ns_class_load *out = &p->load->out[l][c], *in = &p->load->in[l][c];
            const double ends =
                ns_without(p, BOTH_ENDS) ? fmax(out->messages, in->messages) : out->messages + in->messages;
            const double bytes = fmax(out->bytes, in->bytes);
            ns_paid_for(p, l, c, ends, bytes);
            sum += ns_pay_class(p, ALPHA, l, c, ends) + ns_pay_class(p, BETA, l, c, bytes);
        }
    return sum;
}

static double off_node(const ns_payer *p)
{
    const ns_load *load = p->load;
    const bool shared = ns_value_of(p, R) > 0;
    const int beta = p->values->first[BETA] + NS_PROTOCOLS * NS_OFF_NODE;
    double start_up = 0, messages = 0, own = 0;
    double bytes[NS_PROTOCOLS];
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        const ns_class_load *out = &load->out[NS_OFF_NODE][c], *in = &load->in[NS_OFF_NODE][c];
        const double n = fmax(out->messages, in->messages);
        bytes[c] = fmax(out->bytes, in->bytes);
        ns_paid_for(p, NS_OFF_NODE, c, n, bytes[c]);
        start_up += ns_pay_class(p, ALPHA, NS_OFF_NODE, c, n);
        own += bytes[c] * p->values->value[beta + c];
        messages += n;
    }
    const double node = shared && !ns_without(p, BOTH_WAYS) ? load->node_out + load->node_in
                                                            : fmax(load->node_out, load->node_in);
    const double limit = node * ns_value_of(p, shared ? R : R_N);
    p->step->injection = (messages > 0 || own > 0) && limit > (shared ? 0 : own);
    if (p->step->injection)
        return start_up + ns_pay(p, shared ? R : R_N, node);
    for (int c = 0; c < NS_PROTOCOLS && !shared; c++)
        (void)ns_pay_class(p, BETA, NS_OFF_NODE, c, bytes[c]);
    return start_up + (shared ? 0 : ns_max_rate_transfer(own, 0));
}

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer p = {values, load, step, amounts};
    step->term[ON_NODE] = on_node(&p);
    step->term[OFF_NODE] = off_node(&p);
    step->term[QUEUE_SEARCH] = values->memory == NS_HOST ? ns_pay(&p, GAMMA, load->in_squares) : 0;
}

const ns_form ns_form_full = {
    .name = "full",
    .title = "messages of a whole exchange: in flight together, and both ways",
    .source = "docs/accuracy.md",
    .rows = rows,
    .terms = terms,
    .parts = parts,
    .error = "<memory>.exchange.model_error",
    .rank = 5,
    .automatic = true,
    .needs_queue = true,
    .needs_total = true,
    .whole = true,
    .price = price,
};
