/* drop.c -- where longer messages take less time: what of a price lies just past such a size
 *
 * Just past: with every message of a class shortened to the last of the protocol before, the price would be higher, by
 * at least 2 %: the mean message is shorter than the one that takes as long as that.
 */
#include "study/study.h"

#include <math.h>
#include <string.h>

/* Fits are no better than that. */
static const double LEAST = 0.02;

/* The slot of a form's number for a class, by the end of its path; -1 where it has none. */
static int slot_of(const ns_form_values *v, int locality, int protocol, const char *ending)
{
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        const char *last = row->path[0].at != NULL ? strrchr(row->path[0].at, '.') : NULL;
        if (row->by_class && last != NULL && strcmp(last, ending) == 0)
            return v->first[r] + NS_PROTOCOLS * locality + protocol;
    }
    return -1;
}

static double number_of(const ns_form_values *v, int locality, int protocol, const char *ending)
{
    const int slot = slot_of(v, locality, protocol, ending);
    return slot >= 0 ? v->value[slot] : 0;
}

/* A class of messages at the process that decides a step. */
typedef struct class_of {
    const ns_form_values *values;
    const ns_step_price *step;
    int locality, from, to;
    double at, mean;  /* B: first size of `to`; of its messages */
    double ends;      /* start-ups of a message: 2 where a form counts both ends */
    double ways;      /* its bytes: 2 where a form counts those out and in */
    bool bytes_count; /* not where a node's rate decides for all protocols, or a floor hides what moves bytes */
    double hiding;    /* s, that does */
} class_of;

static double start_up(const class_of *c, int protocol)
{
    return c->ends * number_of(c->values, c->locality, protocol, ".alpha");
}

static double moving(const class_of *c, int protocol, double bytes)
{
    return c->ways * number_of(c->values, c->locality, protocol, ".beta") * bytes;
}

/* What the class costs in the price: start-ups, and bytes by its line or by the limit that stands above it. */
static double paid_for(const class_of *c)
{
    const ns_form_values *v = c->values;
    double sum = 0;
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        const int slot = v->first[r] + NS_PROTOCOLS * c->locality + c->to;
        if (row->by_class && (c->bytes_count || strcmp(row->unit, "us") == 0))
            sum += c->step->amount[slot] * v->value[slot];
    }
    return sum;
}

/* The handshake of rendezvous messages, which shorter ones would not need. */
static double handshake(const class_of *c)
{
    const int term = ns_form_term(c->values->form, "handshake");
    return term >= 0 && c->to == NS_RENDEZVOUS ? c->step->term[term] : 0;
}

/* False where the process has none of them, or no protocol comes before. */
static bool take_class(const ns_form_values *v, const ns_price *price, int s, int l, int to, class_of *c)
{
    const ns_step_price *step = &price->step[s];
    const ns_locality table = v->form->one_table ? NS_OFF_NODE : (ns_locality)l;
    const ns_line *line = v->machine->line[v->memory][table];
    const ns_class_load *load = &step->load[l][to];
    int from = to - 1;
    while (from >= 0 && !line[from].given)
        from--;
    ns_protocol longest;
    if (from < 0 || !line[to].given || !(load->messages > 0) || !(load->bytes > 0))
        return false;
    *c = (class_of){.values = v, .step = step, .locality = l, .from = from, .to = to, .at = line[to].from};
    const bool is_longest =
        ns_machine_line(v->machine, v->memory, table, step->message_bytes[l], &longest) != NULL && (int)longest == to;
    c->mean = is_longest ? step->message_bytes[l] : fmax(c->at, load->bytes / load->messages);
    const int alpha = slot_of(v, l, to, ".alpha");
    const double start_ups = alpha >= 0 && step->amount[alpha] > 0 ? step->amount[alpha] : load->messages;
    c->ends = start_ups * c->mean / load->bytes;
    const int beta = slot_of(v, l, to, ".beta");
    c->ways = beta >= 0 && step->amount[beta] > 0 ? step->amount[beta] / load->bytes : 1;
    /* Seconds of a step by the rates of its node. */
    double sum = 0;
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (!v->form->rows[r].by_class && strcmp(v->form->rows[r].unit, "ns/B") == 0)
            sum += step->amount[v->first[r]] * v->value[v->first[r]];
    c->hiding = fmax(step->bytes_s, sum) + ns_price_term(price, "fixed");
    c->bytes_count = !(step->injection && l == NS_OFF_NODE) && !(ns_price_term(price, "fixed") > 0);
    return true;
}

/* Does the class lie there, and does it count? */
static bool lies_past(const class_of *c, double estimate, ns_price_drop *drop)
{
    const ns_class_load *load = &c->step->load[c->locality][c->to];
    *drop = (ns_price_drop){.size = sizeof *drop,
                            .memory = c->values->memory,
                            .locality = (ns_locality)c->locality,
                            .from = (ns_protocol)c->from,
                            .to = (ns_protocol)c->to,
                            .at = c->at,
                            .before_s = start_up(c, c->from) + moving(c, c->from, c->at),
                            .after_s = start_up(c, c->to) + moving(c, c->to, c->at),
                            .message_bytes = c->mean};
    /* So many messages just below the size: their bytes count where they take longer than what hides them. */
    double messages = load->bytes / c->mean;
    const double bytes = messages * moving(c, c->from, c->at);
    const double gained = (messages * start_up(c, c->from) + (c->bytes_count ? bytes : fmax(0, bytes - c->hiding))) -
                          paid_for(c) - handshake(c);
    return drop->after_s < drop->before_s && gained > 0 && gained >= LEAST * estimate;
}

static bool find(const ns_form_values *v, const ns_price *price, int l, int to, ns_price_drop *drop)
{
    class_of c;
    for (int s = 0; s < price->steps; s++)
        if (take_class(v, price, s, l, to, &c) && lies_past(&c, price->estimate_s, drop))
            return true;
    return false;
}

bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop)
{
    ns_form_values v;
    if (choice->transport >= NS_TRANSPORTS)
        return false;
    ns_form_take(choice->price.form, machine, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0, &v);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int to = 1; to < NS_PROTOCOLS; to++) {
            ns_price_drop found;
            if (find(&v, &choice->price, l, to, &found) && index-- == 0) {
                *drop = found;
                return true;
            }
        }
    return false;
}
