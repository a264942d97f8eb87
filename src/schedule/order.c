/* order.c -- chunks by node and size, in time linear in their number
 *
 * Chunks are sorted by pair and first entry, and pairs by receiving and then sending node.  So a stable sort by a node,
 * and there by falling size, leaves ties in the order of the other node and the first entry.
 */
#include "core/memory.h"
#include "schedule/rule.h"

#include <string.h>

enum { FEW = 40, DIGIT = 6, DIGITS = 1 << DIGIT };

static void insert_sort(ns_ticket *ticket, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const ns_ticket one = ticket[i];
        int64_t at = i;
        for (; at > 0 && ticket[at - 1].entries < one.entries; at--)
            ticket[at] = ticket[at - 1];
        ticket[at] = one;
    }
}

/* One digit of how much smaller than the largest they are: stable, from `from` into `to`. */
static void sort_digit(const ns_ticket *from, ns_ticket *to, int64_t count, int64_t most, int shift)
{
    int64_t at[DIGITS + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        at[((most - from[i].entries) >> shift & (DIGITS - 1)) + 1]++;
    for (int d = 0; d < DIGITS; d++)
        at[d + 1] += at[d];
    for (int64_t i = 0; i < count; i++)
        to[at[(most - from[i].entries) >> shift & (DIGITS - 1)]++] = from[i];
}

void ns_tickets_sort(ns_ticket *ticket, ns_ticket *other, int64_t count)
{
    int64_t least = INT64_MAX, most = 0;
    for (int64_t i = 0; i < count; i++) {
        least = ticket[i].entries < least ? ticket[i].entries : least;
        most = ticket[i].entries > most ? ticket[i].entries : most;
    }
    if (count <= FEW) {
        insert_sort(ticket, count);
        return;
    }
    ns_ticket *from = ticket, *to = other;
    for (int shift = 0; shift < 63 && (most - least) >> shift > 0; shift += DIGIT) {
        sort_digit(from, to, count, most, shift);
        ns_ticket *swap = from;
        from = to;
        to = swap;
    }
    if (from != ticket)
        memcpy(ticket, from, (size_t)count * sizeof *ticket);
}

static int32_t node_of(const ns_exchange *x, const ns_chunk *chunk, bool receiving)
{
    const ns_pair *pair = &x->pair[chunk->pair];
    return receiving ? pair->to : pair->from;
}

ns_status ns_chunks_by_node(ns_sink *sink, const ns_exchange *x, const ns_chunk *chunk, int64_t chunks, bool receiving,
                            ns_ticket **tickets, int64_t **offsets, ns_error *err)
{
    const size_t nodes = (size_t)x->nodes;
    int64_t most = 0;
    void *memory;
    NS_TRY(ns_sink_room(sink, nodes + 2, sizeof **offsets, &memory, err));
    int64_t *first = memory; /* from its second on while it counts: filling moves each to where the next begins */
    memset(first, 0, (nodes + 2) * sizeof *first);
    NS_TRY(ns_sink_room(sink, (size_t)chunks, sizeof **tickets, &memory, err));
    ns_ticket *ticket = memory;
    for (int64_t i = 0; i < chunks; i++)
        first[node_of(x, &chunk[i], receiving) + 2]++;
    for (size_t k = 2; k < nodes + 2; k++) {
        most = first[k] > most ? first[k] : most;
        first[k] += first[k - 1];
    }
    NS_TRY(ns_sink_room(sink, (size_t)most, sizeof *ticket, &memory, err));
    for (int64_t i = 0; i < chunks; i++)
        ticket[first[node_of(x, &chunk[i], receiving) + 1]++] = (ns_ticket){chunk[i].entries, i};
    for (size_t k = 0; k < nodes; k++)
        ns_tickets_sort(ticket + first[k], memory, first[k + 1] - first[k]);
    *tickets = ticket;
    *offsets = first;
    return NS_OK;
}
