/* node_race.c -- the slowest process of a step, without a price for each
 *
 * A load with the largest sums of a node's processes is priced first: none of them takes longer in a form that is
 * rising.  Where that leaves the race open, a process with no larger sum than the slowest so far is passed over.
 */
#include "price/nodes.h"

#include <string.h>

/* All of it; what of it counts in a race (source.h) says ns_race_seconds. */
static double price_load(const ns_visit *v, ns_transport transport, const ns_load *load, ns_step_price *one)
{
    double sum = 0;
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    v->form->price(v->values[transport], load, false, one);
    for (int t = 0; t < v->terms; t++)
        sum += one->term[t];
    return sum;
}

/* A load of two rows; false where there is no table. */
static bool load_rows(const ns_visit *v, const ns_strategy *strategy, ns_transport transport, const ns_class_sum *out,
                      const ns_class_sum *in, ns_row_load *load)
{
    int64_t messages[NS_SIDES];
    return ns_row_load_both(&v->rows, ns_node_memory(transport), strategy, out, in, load, messages) < 0;
}

/* Can the node's processes be compared with the slowest so far: is its own node's load no smaller? */
static bool node_is_within(const ns_visit *v, const ns_slowest *s)
{
    const ns_load *a = &s->at.load, *b = &s->load;
    if (s->process < 0 || a->node_out > b->node_out || a->node_in > b->node_in || (b->alone && !a->alone))
        return false;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++)
            if (a->node_on[l][c] > b->node_on[l][c])
                return false;
    return v->form->rising;
}

/* No sum of a row is larger than the other's.  Between nodes as many messages: functions of their number round. */
static bool row_is_within(const ns_visit *v, const ns_class_sum *row, const ns_class_sum *other)
{
    if ((row->messages & ~other->messages) != 0 || (row->messages ^ other->messages) >> v->rows.base[NS_OFF_NODE] != 0)
        return false;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits);
        const ns_class_sum *a = &row[1 + class], *b = &other[1 + class];
        if (a->bytes > b->bytes || a->messages > b->messages ||
            (class >= v->rows.base[NS_OFF_NODE] && a->messages != b->messages))
            return false;
    }
    return true;
}

static void lead(const ns_visit *v, ns_slowest *s, int32_t local, double seconds)
{
    const size_t row = (1 + (size_t)v->rows.classes) * sizeof(ns_class_sum);
    s->seconds = seconds;
    s->process = v->process[local];
    s->load = s->at.load;
    for (int side = 0; side < NS_SIDES; side++)
        memcpy(s->row[side], ns_node_row(v, local, side), row);
}

/* The bound of some rows by their largest sums and fewest partners, in a race; -1: there is no table. */
static double bound_of(const ns_visit *v, const ns_strategy *strategy, ns_transport transport,
                       ns_class_sum *const most[NS_SIDES], int32_t partners, ns_row_load *load, ns_step_price *one,
                       int which)
{
    static const double slack = 1 + 0x1p-40; /* rounding of a form's own functions */
    if (!load_rows(v, strategy, transport, most[NS_OUT], most[NS_IN], load))
        return -1;
    load->load.partners = partners;
    const double seconds = price_load(v, transport, &load->load, one);
    return ns_race_seconds(which, seconds, one) * slack;
}

static bool race_all(ns_visit *v, const ns_variant *variant, ns_transport transport, ns_slowest *s, ns_step_price *one,
                     int which)
{
    bool within = v->bounded[transport] && node_is_within(v, s);
    for (int32_t i = 0; i < v->size; i++) {
        const ns_class_sum *out = ns_node_row(v, i, NS_OUT), *in = ns_node_row(v, i, NS_IN);
        if ((out->messages | in->messages) == 0)
            continue;
        const int32_t partners = ns_node_partners(v, i);
        if (within && (double)partners == s->load.partners && row_is_within(v, out, s->row[NS_OUT]) &&
            row_is_within(v, in, s->row[NS_IN]))
            continue;
        if (!load_rows(v, variant->strategy, transport, out, in, &s->at))
            return false;
        s->at.load.partners = partners;
        const double all = price_load(v, transport, &s->at.load, one),
                     seconds = ns_race_seconds(which, all, one);
        if (seconds <= s->seconds)
            continue;
        lead(v, s, i, seconds);
        within = v->bounded[transport];
    }
    return true;
}

/* The node's processes in a step, by a transport: none of them takes longer than its bound, if there is one. */
static bool race(ns_visit *v, const ns_variant *variant, ns_transport transport, ns_slowest *s, int which)
{
    ns_step_price one;
    one.leaves = s->leaves;
    s->at.load.node_out = (double)v->node_bytes[NS_OUT];
    s->at.load.node_in = (double)v->node_bytes[NS_IN];
    s->at.load.alone = v->size == 1;
    if (v->form->whole)
        ns_row_load_inside(&v->sizes, ns_node_memory(transport), v->inside, &s->at.load);
    if (v->bounded[transport]) {
        const double bound = bound_of(v, variant->strategy, transport, v->most, v->most_partners, &s->at, &one,
                                      which);
        s->leaves = one.leaves;
        if (bound <= s->seconds)
            return bound >= 0;
    }
    const bool priced = race_all(v, variant, transport, s, &one, which);
    s->leaves = one.leaves;
    return priced;
}

bool ns_node_race(ns_visit *v, ns_variant *variant, int step)
{
    if ((v->most[NS_OUT]->messages | v->most[NS_IN]->messages) == 0)
        return true;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        for (int r = 0; v->values[t] != NULL && r < ns_races_of(v->values[t]); r++)
            if (!race(v, variant, (ns_transport)t, &variant->slowest[r][t][step], r))
                return false;
    return true;
}
