/* node_sums.c -- what the processes of one node send to other nodes and receive from them, by a rule or by routes
 *
 * Chunks come in the order of the other node, and there of their entries, so that a process meets a node's messages one
 * after the other.
 */
#include "price/nodes.h"

#include <string.h>

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static bool is_cut(const ns_visit *v, const int64_t *entries, const int32_t *other, int64_t pairs, int side)
{
    for (int64_t i = 0; i < pairs && v->cap != NULL; i++)
        if (entries[i] > v->cap[side == NS_OUT ? other[i] : v->node])
            return true;
    return false;
}

static int64_t cut(const ns_visit *v, const int64_t *entries, const int32_t *other, int64_t pairs, int side)
{
    const ns_chunk_room *to = &v->room[side];
    int64_t count = 0;
    for (int64_t i = 0; i < pairs; i++) {
        const int64_t cap = v->cap[side == NS_OUT ? other[i] : v->node];
        for (int64_t rest = entries[i]; rest > 0; rest -= to->entries[count++]) {
            to->entries[count] = rest < cap ? rest : cap;
            to->other[count] = other[i];
        }
    }
    return count;
}

/* What the node has for each other, or they for it: pairs, or parts of them. */
static void deal_end(ns_visit *v, int side)
{
    const ns_ends *e = v->ends;
    const ns_chunk_room *room = &v->room[side];
    const int64_t first = e->first[side][v->node], pairs = e->first[side][v->node + 1] - first;
    ns_chunk_end *end = &v->end[side];
    ns_chunk_list list = {pairs, e->entries[side] + first, e->order[side] + first, v->size, side == NS_IN};
    end->other = e->other[side] + first;
    end->cut = is_cut(v, list.entries, end->other, pairs, side);
    if (end->cut) {
        list.count = cut(v, list.entries, end->other, pairs, side);
        ns_order_by_size(room->entries, list.count, room->key, room->sorted);
        list.entries = room->entries;
        list.order = room->sorted;
        end->other = room->other;
    }
    end->entries = list.entries;
    end->order = list.order;
    end->count = list.count;
    v->rule->deal(&list, v->hand, end->local);
}

/* A chunk of each origin, which sends it: those that the node receives. */
static void list_origins(ns_visit *v)
{
    const ns_exchange *x = v->ends->exchange;
    const ns_site *processes = v->variant[0].task.processes;
    const ns_chunk_room *room = &v->room[NS_IN];
    ns_chunk_end *end = &v->end[NS_IN];
    int64_t count = 0;
    for (int64_t i = v->ends->first[NS_IN][v->node]; i < v->ends->first[NS_IN][v->node + 1]; i++)
        for (int64_t r = 0; r < x->pair[i].runs; r++) {
            const ns_run *run = &x->run[x->pair[i].run + r];
            if (r > 0 && run->origin == run[-1].origin) {
                room->entries[count - 1] += run->entries;
                continue;
            }
            room->entries[count] = run->entries;
            room->other[count] = x->pair[i].from;
            end->local[count++] = v->rule->takes(processes, run->origin, v->node);
        }
    end->entries = room->entries;
    end->other = room->other;
    end->count = count;
}

void ns_node_deal(ns_visit *v)
{
    if (v->rule == NULL)
        return;
    if (v->rule->deal == NULL) {
        list_origins(v);
        return;
    }
    deal_end(v, NS_OUT);
    deal_end(v, NS_IN);
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

static const ns_strand *strands(const ns_visit *v, const ns_strands *of, const ns_strand **end)
{
    *end = of->strand + of->first[v->node + 1];
    return of->strand + of->first[v->node];
}

void ns_node_far(ns_visit *v)
{
    const ns_ends *e = v->ends;
    const int64_t width = e->exchange->width;
    const ns_strand *end, *of = strands(v, v->rule != NULL ? &e->runs : &e->routes, &end);
    for (; of < end; of++)
        ns_far_add(&v->far, v->cube, v->node, of->to, of->entries * width);
}

/* What sums of messages between nodes are added to, at hand. */
typedef struct between {
    ns_class_sum *row;
    ns_meeting *meeting;
    const ns_sizes *sizes;
    int64_t stride, width, bytes;
    int base;
} between;

static inline between between_of(ns_visit *v, int side)
{
    return (between){v->row + side * (1 + (int64_t)v->rows.classes),
                     v->meeting + side,
                     &v->sizes,
                     NS_SIDES * (1 + (int64_t)v->rows.classes),
                     v->ends->exchange->width,
                     0,
                     v->rows.base[NS_OFF_NODE]};
}

/* A message of a process and another node; *met is `meets` if it met that node before. */
NS_COMPILED void add_between(between *b, int32_t local, int64_t entries, int32_t *met, int32_t meets)
{
    const int64_t bytes = entries * b->width;
    ns_meeting *meeting = &b->meeting[NS_SIDES * (int64_t)local];
    ns_row_add(b->row + local * b->stride, b->base + ns_size_class(b->sizes, NS_OFF_NODE, bytes), bytes);
    meeting->partners += *met != meets;
    *met = meets;
    b->bytes += bytes;
}

/* Messages in the order of the other node. */
NS_COMPILED void add_in_order(between *b, int32_t local, int64_t entries, int32_t other)
{
    add_between(b, local, entries, &b->meeting[NS_SIDES * (int64_t)local].last, other + 1);
}

static void add_chunks(ns_visit *v, int side)
{
    const ns_chunk_end end = v->end[side];
    between b = between_of(v, side);
    for (int64_t i = 0; i < end.count; i++)
        add_in_order(&b, end.local[i], end.entries[i], end.other[i]);
    v->node_bytes[side] = b.bytes;
}

/* Chunks by their size are so by class. */
static void add_dealt(ns_visit *v, int side)
{
    const ns_chunk_end end = v->end[side];
    const int64_t width = v->ends->exchange->width, stride = NS_SIDES * (1 + (int64_t)v->rows.classes);
    ns_class_sum *rows = v->row + side * (1 + (int64_t)v->rows.classes);
    int64_t all = 0;
    for (int64_t i = 0, class = v->sizes.count[NS_OFF_NODE] - 1; i < end.count; class --) {
        const int64_t from = v->sizes.from[NS_OFF_NODE][class];
        for (int64_t bytes; i < end.count && (bytes = end.entries[end.order[i]] * width) >= from; i++) {
            ns_row_add(rows + end.local[end.order[i]] * stride, v->rows.base[NS_OFF_NODE] + (int)class, bytes);
            all += bytes;
        }
    }
    v->node_bytes[side] = all;
}

static int64_t messages_of(const ns_class_sum *row)
{
    int64_t messages = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1)
        messages += row[1 + __builtin_ctzll(bits)].messages;
    return messages;
}

/* Nodes that a process' chunks are for, or from: of chunks that are pairs, another for each. */
static void count_partners(ns_visit *v, int side)
{
    const ns_chunk_end end = v->end[side];
    ns_meeting *meeting = v->meeting + side;
    for (int32_t i = 0; i < v->size && !end.cut; i++)
        meeting[NS_SIDES * (int64_t)i].partners = (int32_t)messages_of(ns_node_row(v, i, side));
    for (int64_t i = 0; i < end.count && end.cut; i++) {
        ns_meeting *met = &meeting[NS_SIDES * (int64_t)end.local[i]];
        met->partners += met->last != end.other[i] + 1;
        met->last = end.other[i] + 1;
    }
}

/* A message of each part to each node, or by its routes. */
NS_COMPILED void add_strands(ns_visit *v, const ns_strands *of, bool joined)
{
    between b = between_of(v, NS_OUT);
    const ns_strand *end, *at = strands(v, of, &end);
    for (int64_t entries = 0; at < end; at++) {
        entries += at->entries;
        if (joined && at + 1 < end && at[1].local == at->local && at[1].to == at->to)
            continue;
        add_in_order(&b, at->local, entries, at->to);
        entries = 0;
    }
    v->node_bytes[NS_OUT] = b.bytes;
}

static void add_sent(ns_visit *v)
{
    if (v->rule != NULL)
        add_strands(v, &v->ends->runs, true);
    else
        add_strands(v, &v->ends->routes, false);
}

static void add_routed(ns_visit *v)
{
    const ns_exchange *x = v->ends->exchange;
    const int32_t *node_of = x->site->node_of;
    between b = between_of(v, NS_IN);
    for (int32_t i = 0; i < v->size; i++) {
        const int32_t part = v->process[i];
        const int64_t end = v->ends->first_route[part + 1];
        for (int64_t r = v->ends->first_route[part]; r < end; r++) {
            const int32_t other = node_of[x->route[r].from];
            if (other != v->node)
                add_between(&b, i, x->route[r].entries, &v->met[other], part + 1);
        }
    }
    v->node_bytes[NS_IN] = b.bytes;
}

/* All that is between nodes stands. */
static void note_between(ns_visit *v)
{
    for (int32_t i = 0; i < v->size; i++) {
        for (int side = 0; side < NS_SIDES; side++)
            ns_row_raise(v->most[side], ns_node_row(v, i, side));
        const int32_t partners = ns_node_partners(v, i);
        const int64_t messages = messages_of(ns_node_row(v, i, NS_OUT));
        if (partners > 0 && (v->most_partners == 0 || partners < v->most_partners))
            v->most_partners = partners;
        if (messages > v->messages_off_node_max)
            v->messages_off_node_max = messages;
    }
}

void ns_node_exchange(ns_visit *v)
{
    if (v->exchange_step > 0) {
        for (int side = 0; side < NS_SIDES; side++) {
            add_dealt(v, side);
            count_partners(v, side);
        }
        note_between(v);
        return; /* what stays is gathered with the rest */
    }
    add_sent(v);
    if (v->rule != NULL)
        add_chunks(v, NS_IN);
    else
        add_routed(v);
    note_between(v);
    ns_node_add_stay(v);
}

void ns_node_clean(ns_visit *v)
{
    const int64_t rows = NS_SIDES * (int64_t)v->size, stride = 1 + v->rows.classes;
    for (int64_t i = 0; i < rows; i++)
        v->row[i * stride].messages = 0;
    memset(v->meeting, 0, (size_t)rows * sizeof *v->meeting);
    for (int side = 0; side < NS_SIDES; side++)
        memset(v->most[side], 0, (size_t)stride * sizeof *v->most[side]);
    v->most_partners = 0;
    memset(v->node_bytes, 0, sizeof v->node_bytes);
    memset(v->inside, 0, sizeof v->inside);
}
