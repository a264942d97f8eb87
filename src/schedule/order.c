/* order.c -- chunks by node and size, in time linear in their number
 *
 * Chunks come by pair and first entry, and pairs by receiving and then sending node.  So a stable sort by a node, and
 * there by falling size, leaves ties in the order of the other node and the first entry.
 */
#include "core/memory.h"
#include "schedule/schedule.h"

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

static void sort_largest_first(ns_ticket *ticket, ns_ticket *other, int64_t count)
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

/* How many chunks each node has, in of->first from its second on; or, once these are sums, the list. */
static void pass_chunks(ns_chunks_of_nodes *of, const ns_exchange *x, int64_t chunks, bool receiving)
{
    for (int64_t i = 0, pair = 0, at = 0; i < chunks; i++) {
        const int64_t node = receiving ? x->pair[pair].to : x->pair[pair].from;
        if (of->list == NULL)
            of->first[node + 2]++;
        else
            of->list[of->first[node + 1]++] = i; /* filling moves each to where the next begins */
        at += of->chunk[i].entries;
        if (at == x->pair[pair].entries)
            pair++, at = 0;
    }
}

ns_status ns_chunks_by_node(ns_sink *sink, const ns_exchange *x, const ns_chunk *chunk, int64_t chunks, bool receiving,
                            ns_chunks_of_nodes *of, ns_error *err)
{
    const size_t nodes = (size_t)x->nodes;
    ns_chunks_of_nodes made = {.chunk = chunk};
    int64_t most = 0;
    void *memory;
    NS_TRY(ns_sink_room(sink, nodes + 2, sizeof *made.first, &memory, err));
    made.first = memory;
    memset(made.first, 0, (nodes + 2) * sizeof *made.first);
    pass_chunks(&made, x, chunks, receiving);
    for (size_t k = 2; k < nodes + 2; k++) {
        most = made.first[k] > most ? made.first[k] : most;
        made.first[k] += made.first[k - 1];
    }
    if (receiving)
        made.first++;
    else {
        NS_TRY(ns_sink_room(sink, (size_t)chunks, sizeof *made.list, &memory, err));
        made.list = memory;
        pass_chunks(&made, x, chunks, receiving);
    }
    NS_TRY(ns_sink_room(sink, ns_size_mul(2, (size_t)most), sizeof *made.ticket, &memory, err));
    made.ticket = memory;
    made.other = made.ticket + most;
    *of = made;
    return NS_OK;
}

int64_t ns_tickets_of(ns_chunks_of_nodes *of, int32_t node)
{
    const int64_t first = of->first[node], count = of->first[node + 1] - first;
    for (int64_t i = 0; i < count; i++) {
        const int64_t chunk = of->list != NULL ? of->list[first + i] : first + i;
        of->ticket[i] = (ns_ticket){of->chunk[chunk].entries, chunk};
    }
    sort_largest_first(of->ticket, of->other, count);
    return count;
}
