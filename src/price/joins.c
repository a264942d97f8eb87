/* joins.c -- messages that slices are joined to
 *
 * Slices that stay inside a node are kept as they come, with the others of the node, and joined a node at a time: a
 * message is then a cell of a small matrix, by the local indices of its two processes.  The sums of one node are all
 * that its price wants, so a step that has no other messages needs no books.  Between nodes, and where a node has too
 * many processes, messages stand in a hash table with open addressing.
 */
#include "price/joins.h"

#include "core/context.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int32_t from, to;
    int64_t bytes; /* 0: free */
} entry;

/* Messages by their two processes. */
typedef struct ns_joins {
    entry *table; /* [1 << bits] */
    int64_t count;
    int bits; /* 0: no table yet */
} joins;

/* A cell that is not 0. */
typedef struct ns_touched {
    int32_t from, to, cell;
} touched;

enum { WIDE = 128, FIRST_BITS = 8 };

/* ---- the table --------------------------------------------------------------------------------------------------- */

static entry *find_entry(const joins *j, int32_t from, int32_t to)
{
    const uint64_t mask = (UINT64_C(1) << j->bits) - 1;
    uint64_t hash = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    uint64_t at = hash >> (64 - j->bits);
    while (j->table[at].bytes != 0 && (j->table[at].from != from || j->table[at].to != to))
        at = (at + 1) & mask;
    return &j->table[at];
}

static ns_status widen(ns_tally *t, joins *j, ns_error *err)
{
    joins wide = {.bits = j->bits > 0 ? j->bits + 1 : FIRST_BITS};
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, (size_t)1 << wide.bits, sizeof *wide.table, &room, err));
    wide.table = room;
    for (int64_t i = 0; j->bits > 0 && i < INT64_C(1) << j->bits; i++)
        if (j->table[i].bytes != 0)
            *find_entry(&wide, j->table[i].from, j->table[i].to) = j->table[i];
    j->table = wide.table;
    j->bits = wide.bits;
    return NS_OK;
}

static ns_status add_to_table(ns_tally *t, joins *j, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    if (j->bits == 0 || 2 * j->count >= INT64_C(1) << j->bits)
        NS_TRY(widen(t, j, err));
    entry *one = find_entry(j, from, to);
    j->count += one->bytes == 0;
    *one = (entry){from, to, one->bytes + bytes};
    return NS_OK;
}

ns_status ns_joins_between(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    void *room;
    if (t->join[step] == NULL) {
        NS_TRY(ns_arena_zeroed(&t->memory, 1, sizeof **t->join, &room, err));
        t->join[step] = room;
    }
    return add_to_table(t, t->join[step], from, to, bytes, err);
}

/* ---- slices of a node -------------------------------------------------------------------------------------------- */

ns_status ns_joins_open(ns_tally *t, ns_chain **chains, ns_error *err)
{
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, (size_t)t->site->nodes, sizeof **chains, &room, err));
    *chains = room;
    return NS_OK;
}

/* Links are numbered from 1 on: 0 ends a chain. */
static ns_status take_link(ns_tally *t, int64_t *link, ns_error *err)
{
    const ns_exchange *x = t->sink.task->exchange;
    ns_budget budget = {0};
    void *memory = t->loose;
    *link = t->spare;
    if (t->spare != 0) {
        t->spare = t->after[t->spare];
        return NS_OK;
    }
    *link = ++t->links;
    if (t->loose_room == 0) /* for chunks that are runs, and a link half full in two chains of each node */
        NS_TRY(ns_grow(&memory, &t->loose_room, x->runs + x->needers + ((int64_t)x->nodes << t->link_bits),
                       sizeof *t->loose, &budget, err));
    t->loose = memory;
    NS_TRY(ns_grow(&memory, &t->loose_room, (*link + 1) << t->link_bits, sizeof *t->loose, &budget, err));
    t->loose = memory;
    memory = t->after;
    NS_TRY(ns_grow(&memory, &t->after_room, *link + 1, sizeof *t->after, &budget, err));
    t->after = memory;
    return NS_OK;
}

void ns_joins_give_back(ns_tally *t, ns_chain *chain)
{
    if (chain->first == 0)
        return;
    int64_t last = chain->first;
    while (t->after[last] != 0)
        last = t->after[last];
    t->after[last] = t->spare;
    t->spare = chain->first;
    *chain = (ns_chain){0};
}

ns_status ns_joins_more(ns_tally *t, ns_chain *chain, ns_error *err)
{
    const int64_t last = (chain->next >> t->link_bits) - 1;
    int64_t link;
    NS_TRY(take_link(t, &link, err));
    t->after[link] = 0;
    if (chain->first == 0)
        chain->first = link;
    else
        t->after[last] = link;
    chain->next = link << t->link_bits;
    return NS_OK;
}

/* ---- a node's messages ------------------------------------------------------------------------------------------- */

static inline ns_status book_message(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    const ns_locality locality = ns_locality_of(&t->seat[from], &t->seat[to]);
    int64_t *out, *in;
    NS_TRY(ns_tally_rows(t, step, locality, from, to, &out, &in, err));
    ns_tally_add(t, step, locality, from, to, bytes, out, in);
    return NS_OK;
}

static inline void add_to(ns_page_row *row, ns_locality locality, int protocol, int64_t bytes)
{
    if (row->messages++ == 0)
        memset(row->sum, 0, sizeof row->sum);
    row->sum[locality][protocol].messages++;
    row->sum[locality][protocol].bytes += bytes;
}

static inline void page_message(ns_tally *t, int32_t from, int32_t to, int64_t bytes)
{
    const ns_seat *a = &t->seat[from], *b = &t->seat[to];
    const ns_locality locality = ns_locality_of(a, b);
    const int32_t first = t->site->first[a->node];
    const int protocol = t->sizes->protocol[t->page_memory][locality][ns_size_class(t->sizes, locality, bytes)] + 1;
    add_to(&t->page[2 * (int64_t)(a->place - first)], locality, protocol, bytes);
    add_to(&t->page[2 * (int64_t)(b->place - first) + 1], locality, protocol, bytes);
    t->page_bytes[locality][protocol] += bytes;
}

static inline ns_status message(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    if (!ns_joins_has_pages(t, step))
        return book_message(t, step, from, to, bytes, err);
    page_message(t, from, to, bytes);
    return NS_OK;
}

/* Join by cells, which are 0 before and after. */
static ns_status join_in_cells(ns_tally *t, int step, const ns_chain *chain, int32_t node, ns_error *err)
{
    const int32_t first = t->site->first[node], wide = t->site->first[node + 1] - first;
    int32_t count = 0;
    for (int64_t link = chain->first; link != 0; link = t->after[link]) {
        const ns_loose *end = t->loose + ns_link_end(t, chain, link);
        ns_link_expect(t, link);
        for (const ns_loose *one = t->loose + (link << t->link_bits); one < end; one++) {
            const int32_t cell = (t->seat[one->from].place - first) * wide + t->seat[one->to].place - first;
            t->touched[count] = (touched){one->from, one->to, cell};
            count += t->cell[cell] == 0;
            t->cell[cell] += one->bytes;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        const touched *one = &t->touched[i];
        NS_TRY(message(t, step, one->from, one->to, t->cell[one->cell], err));
        t->cell[one->cell] = 0;
    }
    return NS_OK;
}

static ns_status join_in_table(ns_tally *t, int step, const ns_chain *chain, ns_error *err)
{
    const ns_arena_place mark = ns_arena_mark(&t->memory);
    joins j = {NULL, 0, 0};
    for (int64_t link = chain->first; link != 0; link = t->after[link])
        for (int64_t i = link << t->link_bits; i < ns_link_end(t, chain, link); i++)
            NS_TRY(add_to_table(t, &j, t->loose[i].from, t->loose[i].to, t->loose[i].bytes, err));
    for (int64_t i = 0; j.bits > 0 && i < INT64_C(1) << j.bits; i++)
        if (j.table[i].bytes != 0)
            NS_TRY(message(t, step, j.table[i].from, j.table[i].to, j.table[i].bytes, err));
    ns_arena_release(&t->memory, mark);
    return NS_OK;
}

static ns_status join_node(ns_tally *t, int step, int32_t node, ns_error *err)
{
    const ns_chain *chain = &t->chain[step][node];
    ns_chain_expect(t, t->chain[step], node + 2);
    NS_TRY(ns_context_tick(16, err));
    return chain->first == 0          ? NS_OK
           : t->site->per_node > WIDE ? join_in_table(t, step, chain, err)
                                      : join_in_cells(t, step, chain, node, err);
}

/* Room for the page and the cells of any node. */
static ns_status open_page(ns_tally *t, ns_error *err)
{
    const size_t most = (size_t)(t->site->per_node < t->site->parts ? t->site->per_node : t->site->parts);
    void *room;
    if (t->page != NULL)
        return NS_OK;
    NS_TRY(ns_arena_take(&t->memory, 2 * most, sizeof *t->page, &room, err));
    t->page = room;
    if (most > WIDE)
        return NS_OK;
    NS_TRY(ns_arena_zeroed(&t->memory, most * most, sizeof *t->cell, &room, err));
    t->cell = room;
    NS_TRY(ns_arena_take(&t->memory, most * most + 1, sizeof *t->touched, &room, err));
    t->touched = room;
    return NS_OK;
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

bool ns_joins_has_pages(const ns_tally *t, int step)
{
    return t->chain[step] != NULL && t->book[step][NS_OFF_NODE].rows == 0;
}

ns_status ns_joins_turn(ns_tally *t, int step, int32_t node, ns_memory memory, ns_error *err)
{
    const int32_t size = t->site->first[node + 1] - t->site->first[node];
    for (int32_t i = 0; i < 2 * size; i++)
        t->page[i].messages = 0;
    memset(t->page_bytes, 0, sizeof t->page_bytes);
    t->page_memory = memory;
    return join_node(t, step, node, err);
}

ns_status ns_joins_close(ns_tally *t, int step, ns_error *err)
{
    const joins *j = t->join[step];
    if (t->chain[step] != NULL)
        NS_TRY(open_page(t, err));
    for (int32_t node = 0; t->chain[step] != NULL && !ns_joins_has_pages(t, step) && node < t->site->nodes; node++)
        NS_TRY(join_node(t, step, node, err));
    for (int64_t i = 0; j != NULL && j->bits > 0 && i < INT64_C(1) << j->bits; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (j->table[i].bytes != 0)
            NS_TRY(book_message(t, step, j->table[i].from, j->table[i].to, j->table[i].bytes, err));
    }
    return NS_OK;
}
