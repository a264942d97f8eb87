/* sums.c -- from the sums of a node's processes to the slowest of them */
#include "price/sums.h"

#include <math.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------------------- */

void ns_sums_open(ns_sums *s)
{
    ns_classes *classes = &s->classes;
    unsigned memories = 0; /* bits 1 << ns_memory */
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        memories |= (unsigned)(s->values[t] != NULL) << ns_transport_memory((ns_transport)t);
        s->bounded[t] = s->values[t] != NULL && s->form->rising; /* on parameters that are no less than 0 */
        for (int i = 0; s->bounded[t] && i < s->values[t]->slots; i++)
            s->bounded[t] = s->values[t]->value[i] >= 0;
    }
    classes->all = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = s->form->one_table ? NS_OFF_NODE : (ns_locality)l;
        int64_t *from = classes->from[l]; /* each size once, rising; messages have at least one byte */
        int count = 1;
        from[0] = 1;
        for (int k = 0; k < NS_MEMORIES * NS_PROTOCOLS; k++) {
            const ns_line *of = &s->machine->line[k / NS_PROTOCOLS][line][k % NS_PROTOCOLS];
            int at = count;
            if ((memories >> k / NS_PROTOCOLS & 1) == 0 || !of->given || !(of->from > 1))
                continue;
            const int64_t size = of->from < 0x1p63 ? (int64_t)ceil(of->from) : INT64_MAX;
            while (from[at - 1] > size)
                at--;
            if (from[at - 1] == size)
                continue;
            memmove(from + at + 1, from + at, (size_t)(count - at) * sizeof *from);
            from[at] = size;
            count++;
        }
        for (int i = count; i < NS_SIZES; i++)
            from[i] = INT64_MAX;
        classes->base[l] = classes->all;
        classes->count[l] = count;
        for (int i = 0; i < count; i++, classes->all++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                ns_protocol protocol = NS_SHORT;
                const bool given = ns_machine_line(s->machine, (ns_memory)m, line, (double)from[i], &protocol) != NULL;
                classes->slot[m][classes->all] = (int16_t)(given ? NS_PROTOCOLS * l + (int)protocol : -1);
            }
    }
    s->terms = ns_form_terms(s->form);
    memset(s->lacks, 0, sizeof s->lacks);
}

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

ns_status ns_sums_scratch(ns_sums *s, int32_t nodes, int32_t size, ns_arena *arena, ns_error *err)
{
    const int64_t row = ns_row_length(&s->classes), rows = NS_SIDES * (int64_t)size;
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(ZEROED(s->most[side], row));
    NS_TRY(TAKE(s->socket, size));
    NS_TRY(ZEROED(s->row, rows * row));
    NS_TRY(ZEROED(s->partners, rows));
    NS_TRY(ZEROED(s->met, nodes));
    s->stamp = 0;
    return ZEROED(s->inside, row);
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

void ns_sums_at(ns_sums *s, const ns_site *processes, int32_t node)
{
    s->size = ns_site_node_size(processes, node);
    s->process = &processes->part[processes->first[node]];
    for (int32_t i = 0; i < s->size; i++)
        s->socket[i] = processes->socket_of[s->process[i]];
}

static inline ns_class_sum *row_of(const ns_sums *s, int32_t local, int side)
{
    return s->row + (NS_SIDES * (int64_t)local + side) * ns_row_length(&s->classes);
}

static inline int32_t partners_of(const ns_sums *s, int32_t local)
{
    const struct ns_partners *met = &s->partners[NS_SIDES * (int64_t)local];
    return met[NS_OUT].count > met[NS_IN].count ? met[NS_OUT].count : met[NS_IN].count;
}

int64_t ns_sums_note_between(ns_sums *s)
{
    int64_t most = 0;
    for (int32_t i = 0; i < s->size; i++) {
        const int32_t partners = partners_of(s, i);
        int64_t sent = 0;
        for (int side = 0; side < NS_SIDES; side++) {
            const ns_class_sum *row = row_of(s, i, side);
            for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
                ns_row_raise(s->most[side], row, __builtin_ctzll(bits));
                sent += side == NS_OUT ? row[1 + __builtin_ctzll(bits)].messages : 0;
            }
        }
        if (partners > 0 && (s->fewest_partners == 0 || partners < s->fewest_partners))
            s->fewest_partners = partners;
        most = sent > most ? sent : most;
    }
    return most;
}

/* ---- what a process has to do ------------------------------------------------------------------------------------ */

/* Messages and bytes of both sides by protocol, over those of another process; the node's part of the load is filled
 * already.  Classes of one protocol stand together and are added up as whole numbers. */
static void load_process(ns_sums *s, ns_transport transport, bool packs, const ns_class_sum *const rows[NS_SIDES],
                         int32_t partners, ns_row_load *of)
{
    const ns_classes *classes = &s->classes;
    const int16_t *slot_of = classes->slot[ns_transport_memory(transport)];
    double messages[NS_SIDES];
    for (int side = 0; side < NS_SIDES; side++) {
        const ns_class_sum *row = rows[side];
        ns_class_load *load = side == NS_OUT ? of->load.out[0] : of->load.in[0]; /* by slot */
        int64_t count = 0, bytes = 0, all = 0;
        uint32_t filled = 0;
        int last = -1;
        for (uint32_t bits = of->filled[side]; bits != 0; bits &= bits - 1)
            load[__builtin_ctz(bits)] = (ns_class_load){0, 0};
        for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
            const int class = __builtin_ctzll(bits), slot = slot_of[class];
            const ns_class_sum *sum = &row[1 + class];
            if (slot < 0) {
                s->lacks[transport] |=
                    (uint8_t)(1 << ((class >= classes->base[NS_ON_NODE]) + (class >= classes->base[NS_OFF_NODE])));
                continue;
            }
            count = sum->messages + (slot == last ? count : 0);
            bytes = sum->bytes + (slot == last ? bytes : 0);
            last = slot;
            filled |= 1u << slot;
            load[slot] = (ns_class_load){(double)count, (double)bytes};
            all += sum->messages;
        }
        of->filled[side] = filled;
        messages[side] = (double)all;
    }
    of->load.out_squares = messages[NS_OUT] * messages[NS_OUT];
    of->load.in_squares = messages[NS_IN] * messages[NS_IN];
    of->load.partners = partners;
    of->load.idle = ~(of->filled[NS_OUT] | of->filled[NS_IN]);
    ns_load_complete(packs, &of->load);
}

/* ---- the slowest process ----------------------------------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: none of them takes longer in a cost model that is
 * rising, so that they are priced only where that bound exceeds the slowest process so far.
 */

void ns_slowest_forget(ns_slowest *slowest, int steps)
{
    for (ns_slowest *s = slowest; s < slowest + steps * NS_SLOWEST; s++) {
        s->process = -1;
        s->seconds = s->enough = s->bound = -1;
        s->leaves = false;
    }
}

static double price_load(const ns_sums *s, ns_transport transport, const ns_load *load, ns_step_price *one)
{
    double sum = 0;
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    s->form->price(s->values[transport], load, false, one);
    for (int t = 0; t < s->terms; t++)
        sum += one->term[t];
    return sum;
}

/* By a transport, by each maximum. */
static void compare(ns_sums *s, ns_transport transport, bool packs, ns_row_load *at, ns_slowest *slowest)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    const bool bounded = s->bounded[transport];
    const ns_slowest *end = slowest + ns_maxima_of(s->values[transport]);
    const int16_t *slot_of = s->classes.slot[ns_transport_memory(transport)];
    ns_load *load = &at->load;
    bool any = !bounded;
    ns_step_price one;
    one.leaves = slowest->leaves;
    load->node_out = (double)s->node_bytes[NS_OUT];
    load->node_in = (double)s->node_bytes[NS_IN];
    load->alone = s->size == 1;
    if (s->form->whole) { /* the cost model asks for the bytes that move inside the node, by protocol */
        memset(load->node_on, 0, sizeof load->node_on);
        for (int class = 0; class < s->classes.base[NS_OFF_NODE]; class ++)
            if (slot_of[class] >= 0)
                load->node_on[0][slot_of[class]] += (double)s->inside[class];
    }
    if (bounded) {
        load_process(s, transport, packs, (const ns_class_sum *const[]){s->most[NS_OUT], s->most[NS_IN]},
                     s->fewest_partners, at);
        const double all = price_load(s, transport, load, &one);
        for (ns_slowest *m = slowest; m < end; m++) {
            m->bound = ns_compared_seconds((int)(m - slowest), all, &one) * slack;
            any = any || (m->bound > m->seconds && m->bound > m->enough);
        }
    }
    for (int32_t i = 0; i < s->size && any; i++) {
        const ns_class_sum *const rows[NS_SIDES] = {row_of(s, i, NS_OUT), row_of(s, i, NS_IN)};
        if ((rows[NS_OUT]->messages | rows[NS_IN]->messages) == 0)
            continue;
        load_process(s, transport, packs, rows, partners_of(s, i), at);
        const double all = price_load(s, transport, load, &one);
        for (ns_slowest *m = slowest; m < end; m++) {
            const double seconds = ns_compared_seconds((int)(m - slowest), all, &one);
            if (seconds <= m->seconds || (bounded && m->bound <= m->enough))
                continue;
            m->seconds = seconds;
            m->bytes_s = one.bytes_s;
            m->waits_s = one.waits_s;
            memcpy(m->term, one.term, sizeof one.term);
            m->process = s->process[i];
            m->load = *load;
        }
    }
    for (ns_slowest *m = slowest; m < end; m++)
        m->leaves = one.leaves;
}

void ns_sums_price(ns_sums *s, bool packs, ns_row_load at[NS_TRANSPORTS], ns_slowest slowest[NS_SLOWEST])
{
    const int64_t rows = NS_SIDES * (int64_t)s->size, row = ns_row_length(&s->classes);
    if ((s->most[NS_OUT]->messages | s->most[NS_IN]->messages) != 0)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (s->values[t] != NULL)
                compare(s, (ns_transport)t, packs, &at[t], &slowest[ns_slowest_at(0, t, 0)]);
    for (int64_t i = 0; i < rows; i++)
        s->row[i * row].messages = 0;
    memset(s->partners, 0, (size_t)rows * sizeof *s->partners);
    for (int side = 0; side < NS_SIDES; side++)
        memset(s->most[side], 0, (size_t)row * sizeof *s->most[side]);
    memset(s->inside, 0, (size_t)row * sizeof *s->inside);
    memset(s->node_bytes, 0, sizeof s->node_bytes);
    s->fewest_partners = 0;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_sums_lack(const ns_sums *s, ns_transport transport, ns_error *err)
{
    if (s->lacks[transport] == 0)
        return NS_OK;
    return ns_refuse_no_table(s->machine, ns_transport_memory(transport),
                              s->form->one_table ? NS_OFF_NODE : (ns_locality)__builtin_ctz(s->lacks[transport]), err);
}

ns_status ns_sums_close(const ns_sums *s, ns_transport transport, int steps, const ns_slowest *const *slowest,
                        const ns_copying *copying, double confidence, ns_price *price, ns_error *err)
{
    const ns_form_values *values = s->values[transport];
    ns_step_price waiting[NS_STEPS];
    NS_TRY(ns_sums_lack(s, transport, err));
    memset(price, 0, sizeof *price);
    price->steps = steps;
    if (values->hides)
        memset(waiting, 0, (size_t)steps * sizeof *waiting);
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < ns_maxima_of(values); k++) {
            const ns_slowest *one = &slowest[i][ns_slowest_at(0, (int)transport, k)];
            ns_step_price *step = k == NS_BY_TIME ? &price->step[i] : &waiting[i];
            step->process = one->process;
            if (one->process < 0)
                continue;
            values->form->price(values, &one->load, true, step);
            step->leaves = one->leaves;
            ns_note_sizes(&one->load, step);
        }
    return ns_price_close(values, copying, confidence, values->hides ? waiting : NULL, price, err);
}
