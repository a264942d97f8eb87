/* joins.c -- messages that slices are joined to, while a strategy names these
 *
 * Inside a node a message is a cell in its sender's row, by the receiver's local index.  Where the sink was told that a
 * step goes node by node, a node's rows are added up as soon as the next begins, so that one node's are all there is.
 * Between nodes, and where a node has too many processes, messages stand in a hash table with open addressing.
 */
#include "price/joins.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int32_t from, to;
    int64_t bytes; /* 0: free */
} entry;

typedef struct ns_joins {
    int32_t *row;    /* [processes] its row of cells, from 1 on; 0: none yet */
    int32_t *sender; /* [room] whose row it is */
    int64_t *cell;   /* [room * per_node] bytes so far; the tally's memory */
    int32_t rows, room, node;
    entry *table; /* [1 << bits] */
    int64_t count;
    int bits; /* 0: no table yet */
} joins;

enum { WIDE = 128, FIRST_ROWS = 64, FIRST_BITS = 8 };

static ns_status open_joins(ns_tally *t, int step, ns_error *err)
{
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, 1, sizeof **t->join, &room, err));
    t->join[step] = room;
    t->join[step]->node = -1;
    NS_TRY(ns_arena_zeroed(&t->memory, (size_t)t->site->parts, sizeof(int32_t), &room, err));
    t->join[step]->row = room;
    return NS_OK;
}

/* ---- inside a node ----------------------------------------------------------------------------------------------- */

static ns_status more_rows(ns_tally *t, int step, ns_error *err)
{
    joins *j = t->join[step];
    const int32_t wanted = j->room > 0 ? 2 * j->room : FIRST_ROWS;
    const int64_t each = t->site->per_node, cells = wanted * each, old = j->room * each;
    void *sender;
    NS_TRY(ns_arena_take(&t->memory, (size_t)wanted, sizeof *j->sender, &sender, err));
    if (j->room > 0)
        memcpy(sender, j->sender, (size_t)j->room * sizeof *j->sender);
    if (cells > t->cell_room[step]) {
        int64_t *grown = realloc(t->cell[step], ns_size_mul((size_t)cells, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        t->cell[step] = grown;
        t->cell_room[step] = cells;
    }
    memset(t->cell[step] + old, 0, (size_t)(cells - old) * sizeof *t->cell[step]);
    j->cell = t->cell[step];
    j->sender = sender;
    j->room = wanted;
    return NS_OK;
}

static ns_status add_up_rows(ns_tally *t, int step, ns_error *err)
{
    joins *j = t->join[step];
    const ns_site *site = t->site;
    for (int32_t row = 0; row < j->rows; row++) {
        const int32_t from = j->sender[row], first = site->first[t->seat[from].node],
                      size = site->first[t->seat[from].node + 1] - first;
        int64_t *cell = j->cell + (int64_t)row * site->per_node;
        for (int32_t i = 0; i < size; i++)
            if (cell[i] != 0) {
                NS_TRY(ns_tally_message(t, step, from, site->part[first + i], cell[i], err));
                cell[i] = 0;
            }
        j->row[from] = 0;
    }
    j->rows = 0;
    return NS_OK;
}

static ns_status begin_node(ns_tally *t, int step, int32_t node, ns_error *err)
{
    joins *j = t->join[step];
    if (node < j->node)
        t->astray |= 1u << step;
    j->node = node;
    return add_up_rows(t, step, err);
}

static inline int64_t *cell_of(const ns_tally *t, const joins *j, int32_t from, int32_t to)
{
    const int32_t local = t->seat[to].place - t->site->first[t->seat[to].node];
    return j->cell + (int64_t)(j->row[from] - 1) * t->site->per_node + local;
}

static inline ns_status add_to_row(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    joins *j = t->join[step];
    if ((t->sink.node_by_node >> step & 1) != 0 && t->seat[from].node != j->node)
        NS_TRY(begin_node(t, step, t->seat[from].node, err));
    if (j->row[from] == 0) {
        if (j->rows == j->room)
            NS_TRY(more_rows(t, step, err));
        j->sender[j->rows++] = from;
        j->row[from] = j->rows;
    }
    *cell_of(t, j, from, to) += bytes;
    return NS_OK;
}

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

/* ------------------------------------------------------------------------------------------------------------------ */

ns_status ns_joins_add(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    if (t->join[step] == NULL)
        NS_TRY(open_joins(t, step, err));
    return t->site->per_node <= WIDE && t->seat[from].node == t->seat[to].node
               ? add_to_row(t, step, from, to, bytes, err)
               : add_to_table(t, t->join[step], from, to, bytes, err);
}

void ns_joins_expect(const ns_tally *t, int step, int32_t from, int32_t to)
{
    const joins *j = t->join[step];
    if (j != NULL && t->site->per_node <= WIDE && j->row[from] != 0)
        __builtin_prefetch(cell_of(t, j, from, to), 1);
}

ns_status ns_joins_close(ns_tally *t, int step, ns_error *err)
{
    const joins *j = t->join[step];
    if (j == NULL)
        return NS_OK;
    NS_TRY(add_up_rows(t, step, err));
    for (int64_t i = 0; j->bits > 0 && i < INT64_C(1) << j->bits; i++)
        if (j->table[i].bytes != 0)
            NS_TRY(ns_tally_message(t, step, j->table[i].from, j->table[i].to, j->table[i].bytes, err));
    return NS_OK;
}
