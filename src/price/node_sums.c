/* node_sums.c -- what the processes of one node send and receive, by a rule
 *
 * Chunks come in the order of the other node, and there of their entries, so that a process meets a node's messages one
 * after the other.  Slices that are joined are entries of a cell: of a holder of a part's data, and a process.
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
        const int64_t cap = ns_node_cap(v, side == NS_OUT ? other[i] : v->node);
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
    if (is_cut(v, list.entries, end->other, pairs, side)) {
        list.count = cut(v, list.entries, end->other, pairs, side);
        ns_order_by_size(room->entries, list.count, room->key, room->sorted);
        list.entries = room->entries;
        list.order = room->sorted;
        end->other = room->other;
    }
    end->entries = list.entries;
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

/* What sums of messages inside the node are added to, at hand. */
typedef struct sums {
    ns_class_sum *row;
    int64_t stride, *inside;
    const ns_sizes *sizes;
    const int *base;
    const int32_t *socket;
} sums;

static inline sums sums_of(ns_visit *v)
{
    return (sums){v->row, 1 + v->rows.classes, v->inside, v->sizes, v->rows.base, v->socket};
}

NS_COMPILED void add_inside(const sums *s, int32_t from, int32_t to, int64_t bytes)
{
    const ns_locality locality = s->socket[from] == s->socket[to] ? NS_ON_SOCKET : NS_ON_NODE;
    const int class = ns_size_class(s->sizes, locality, bytes), at = s->base[locality] + class;
    ns_row_add(s->row + (NS_SIDES * (int64_t)from + NS_OUT) * s->stride, at, bytes);
    ns_row_add(s->row + (NS_SIDES * (int64_t)to + NS_IN) * s->stride, at, bytes);
    s->inside[(int)locality * NS_SIZES + class] += bytes;
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
                     v->sizes,
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

/* A message of each part to each node, or by its routes. */
static void add_sent(ns_visit *v, const ns_strands *of)
{
    const bool joined = v->rule != NULL;
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

/* The largest of each sum. */
static void raise_most(ns_visit *v)
{
    for (int32_t i = 0; i < v->size; i++)
        for (int side = 0; side < NS_SIDES; side++)
            ns_row_raise(v->most[side], ns_node_row(v, i, side));
}

static int64_t messages_of(const ns_class_sum *row)
{
    int64_t messages = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1)
        messages += row[1 + __builtin_ctzll(bits)].messages;
    return messages;
}

/* All that is between nodes stands. */
static void note_between(ns_visit *v)
{
    for (int32_t i = 0; i < v->size; i++) {
        const int32_t partners = ns_node_partners(v, i);
        const int64_t messages = messages_of(ns_node_row(v, i, NS_OUT));
        if (partners > 0 && (v->most_partners == 0 || partners < v->most_partners))
            v->most_partners = partners;
        if (messages > v->messages_off_node_max)
            v->messages_off_node_max = messages;
    }
}

static void add_stay(ns_visit *v)
{
    const ns_ends *e = v->ends;
    const ns_task *task = &v->variant[0].task;
    const sums of = sums_of(v);
    for (int64_t i = e->first_stay[v->node]; i < e->first_stay[v->node + 1]; i++)
        add_inside(&of, task->processes->local_of[task->home[e->stay[i].from]],
                   task->processes->local_of[task->home[e->stay[i].to]], e->stay[i].entries * e->exchange->width);
}

void ns_node_exchange(ns_visit *v)
{
    if (v->exchange_step > 0)
        add_chunks(v, NS_OUT);
    else
        add_sent(v, v->rule != NULL ? &v->ends->runs : &v->ends->routes);
    if (v->rule != NULL)
        add_chunks(v, NS_IN);
    else
        add_routed(v);
    note_between(v);
    if (v->exchange_step == 0)
        add_stay(v); /* else it is gathered with the rest */
    raise_most(v);
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

/* ---- joined ------------------------------------------------------------------------------------------------------ */

/* Cells at hand. */
typedef struct cells {
    int64_t *cell, spots;
    ns_spot *spot;
    int32_t size;
} cells;

NS_COMPILED void add_cell(cells *c, int32_t slot, int32_t process, int64_t entries)
{
    int64_t *cell = &c->cell[(int64_t)slot * c->size + process];
    const int64_t before = *cell;
    c->spot[c->spots] = (ns_spot){slot, process};
    c->spots += before == 0;
    *cell = before + entries;
}

/* Cells become messages; from a process to itself nothing goes. */
NS_COMPILED void join(ns_visit *v, const cells *c, bool from_holder)
{
    const sums of = sums_of(v);
    const int64_t width = v->ends->exchange->width;
    for (const ns_spot *spot = c->spot; spot < c->spot + c->spots; spot++) {
        const int32_t holder = v->slot[spot->slot], other = spot->process;
        int64_t *cell = &c->cell[(int64_t)spot->slot * c->size + other];
        const int64_t bytes = *cell * width;
        *cell = 0;
        if (holder != other)
            add_inside(&of, from_holder ? holder : other, from_holder ? other : holder, bytes);
    }
    raise_most(v);
}

static ns_stream stream_of(int64_t total, int32_t holders)
{
    return (ns_stream){.total = total, .end = ns_share_end(total, holders, 0)};
}

/* Who holds what: processes of the parts' holders, and shares of which nothing is dealt. */
void ns_node_hold(ns_visit *v, const ns_variant *variant)
{
    const ns_task *task = &variant->task;
    const ns_site *site = v->ends->exchange->site;
    const int32_t parts = ns_site_node_size(site, v->node), *part = &site->part[site->first[v->node]];
    for (int32_t i = 0; i < parts; i++) {
        for (int32_t h = 0; h < task->holders; h++)
            v->slot[i * task->holders + h] = task->processes->local_of[task->home[part[i]]] + h;
        if (task->holders == 1)
            continue;
        v->sent[i] = stream_of(v->ends->sent[part[i]], task->holders);
        v->received[i] = stream_of(v->ends->exchange->need[part[i]], task->holders);
    }
}

/* Entries of a part, which go by shares of its stream, from or to a process. */
NS_COMPILED void add_shares(cells *c, int32_t holders, ns_stream *streams, int32_t local, int32_t process,
                            int64_t entries)
{
    if (holders == 1) {
        add_cell(c, local, process, entries);
        return;
    }
    for (int64_t done = 0, part; done < entries; done += part) {
        int32_t holder;
        part = ns_stream_deal(holders, &streams[local], entries - done, &holder);
        streams[local].at += part;
        add_cell(c, local * holders + holder, process, part);
    }
}

NS_COMPILED void gather_stay(ns_visit *v, cells *c, int32_t holders, const ns_route *route)
{
    const int32_t *local_of = v->ends->exchange->site->local_of;
    const int32_t a = local_of[route->from], b = local_of[route->to];
    for (int64_t done = 0, part; done < route->entries; done += part) {
        int32_t from, to;
        part = ns_stream_deal(holders, &v->received[b],
                              ns_stream_deal(holders, &v->sent[a], route->entries - done, &from), &to);
        v->sent[a].at += part;
        v->received[b].at += part;
        add_cell(c, a * holders + from, v->slot[b * holders + to], part);
    }
}

/* The next entries of a run that are of one chunk; *left: what is left of it. */
static inline int64_t next_of_chunk(const ns_chunk_end *end, int64_t *chunk, int64_t *left, int64_t most)
{
    if (*left == 0)
        *left = end->entries[++*chunk];
    const int64_t part = most < *left ? most : *left;
    *left -= part;
    return part;
}

NS_COMPILED void gather(ns_visit *v, int32_t holders)
{
    const ns_ends *e = v->ends;
    const ns_chunk_end end = v->end[NS_OUT];
    const ns_strand *last, *strand = strands(v, &e->runs, &last);
    ns_stream *sent = v->sent;
    cells c = {v->cell, 0, v->spot, v->size};
    int64_t chunk = -1, left = 0;
    for (int64_t i = e->first_stay[v->node]; i < e->first_stay[v->node + 1]; i++)
        gather_stay(v, &c, holders, &e->stay[i]);
    for (; strand < last; strand++)
        for (int64_t rest = strand->entries, part; rest > 0; rest -= part) {
            part = next_of_chunk(&end, &chunk, &left, rest);
            add_shares(&c, holders, sent, strand->local, end.local[chunk], part);
        }
    join(v, &c, true);
}

NS_COMPILED void scatter(ns_visit *v, int32_t holders)
{
    const ns_exchange *x = v->ends->exchange;
    const ns_chunk_end end = v->end[NS_IN];
    const int32_t *local_of = x->site->local_of, *needers = x->needer;
    const int64_t first = v->ends->first[NS_IN][v->node], pairs = v->ends->first[NS_IN][v->node + 1] - first;
    ns_stream *received = v->received;
    cells c = {v->cell, 0, v->spot, v->size};
    int64_t chunk = -1, left = 0;
    /* Runs of pairs that follow each other do so too. */
    const ns_run *run = pairs > 0 ? &x->run[x->pair[first].run] : NULL,
                 *last = pairs > 0 ? &x->run[x->pair[first + pairs - 1].run + x->pair[first + pairs - 1].runs] : NULL;
    for (; run < last; run++)
        for (int64_t rest = run->entries, part; rest > 0; rest -= part) {
            part = next_of_chunk(&end, &chunk, &left, rest);
            const int32_t *needer = &needers[run->needer], process = end.local[chunk];
            for (int32_t k = 0; k < run->needers; k++)
                add_shares(&c, holders, received, local_of[needer[k]], process, part);
        }
    join(v, &c, false);
}

void ns_node_gather(ns_visit *v, const ns_variant *variant)
{
    if (variant->task.holders == 1)
        gather(v, 1);
    else
        gather(v, variant->task.holders);
}

void ns_node_scatter(ns_visit *v, const ns_variant *variant)
{
    if (variant->task.holders == 1)
        scatter(v, 1);
    else
        scatter(v, variant->task.holders);
}
