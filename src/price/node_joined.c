/* node_joined.c -- what the processes of one node send to each other: slices, joined to messages
 *
 * A slice goes from a holder of a part's data to a process, or the other way.  Those between the same two are entries
 * of one cell.
 */
#include "price/nodes.h"

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* What their sums are added to, at hand. */
typedef struct sums {
    ns_class_sum *row, *most[NS_SIDES];
    int64_t stride, *inside;
    const ns_sizes *sizes;
    const int *base;
    const int32_t *socket;
} sums;

static inline sums sums_of(ns_visit *v)
{
    return (sums){v->row,   {v->most[NS_OUT], v->most[NS_IN]}, 1 + v->rows.classes, v->inside, &v->sizes, v->rows.base,
                  v->socket};
}

static inline void add_raised(const sums *s, int32_t local, int side, int class, int64_t bytes)
{
    ns_class_sum *row = s->row + (NS_SIDES * (int64_t)local + side) * s->stride;
    ns_row_add(row, class, bytes);
    ns_row_raise_class(s->most[side], row, class);
}

NS_COMPILED void add_inside(const sums *s, int32_t from, int32_t to, int64_t bytes)
{
    const ns_locality locality = s->socket[from] == s->socket[to] ? NS_ON_SOCKET : NS_ON_NODE;
    const int class = ns_size_class(s->sizes, locality, bytes), at = s->base[locality] + class;
    add_raised(s, from, NS_OUT, at, bytes);
    add_raised(s, to, NS_IN, at, bytes);
    s->inside[(int)locality * NS_SIZES + class] += bytes;
}

void ns_node_add_stay(ns_visit *v)
{
    const ns_ends *e = v->ends;
    const ns_task *task = &v->variant[0].task;
    const sums of = sums_of(v);
    for (int64_t i = e->first_stay[v->node]; i < e->first_stay[v->node + 1]; i++)
        add_inside(&of, task->processes->local_of[task->home[e->stay[i].from]],
                   task->processes->local_of[task->home[e->stay[i].to]], e->stay[i].entries * e->exchange->width);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Cells at hand. */
typedef struct cells {
    int64_t *cell, spots, slots;
    uint64_t *spot;
} cells;

static inline cells cells_of(const ns_visit *v)
{
    return (cells){v->cell, 0, v->slots, v->spot};
}

NS_COMPILED void add_cell(cells *c, int32_t slot, int32_t process, int64_t entries)
{
    int64_t *cell = &c->cell[process * c->slots + slot];
    const int64_t before = *cell;
    c->spot[c->spots] = (uint64_t)(uint32_t)slot << 32 | (uint32_t)process;
    c->spots += before == 0;
    *cell = before + entries;
}

/* Cells become messages; from a process to itself nothing goes. */
NS_COMPILED void join(ns_visit *v, const cells *c, bool from_holder)
{
    const sums of = sums_of(v);
    const int64_t width = v->ends->exchange->width;
    for (const uint64_t *spot = c->spot; spot < c->spot + c->spots; spot++) {
        const int32_t slot = (int32_t)(*spot >> 32), holder = v->slot[slot], other = (int32_t)*spot;
        int64_t *cell = &c->cell[other * c->slots + slot];
        const int64_t bytes = *cell * width;
        *cell = 0;
        if (holder != other)
            add_inside(&of, from_holder ? holder : other, from_holder ? other : holder, bytes);
    }
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

static ns_share_left first_share(int64_t total, int32_t holders, int32_t slot)
{
    return (ns_share_left){.total = total, .left = ns_share(total, holders, 0), .first = slot, .slot = slot};
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
        v->sent[i] = first_share(v->ends->sent[part[i]], task->holders, i * task->holders);
        v->received[i] = first_share(v->ends->exchange->need[part[i]], task->holders, i * task->holders);
    }
}

/* The share that the next entry falls to. */
NS_COMPILED void open_share(ns_share_left *s, int32_t holders)
{
    while (s->left == 0) {
        s->slot++;
        s->left = ns_share(s->total, holders, s->slot - s->first);
    }
}

/* Entries of a part, which go by shares of its stream, from or to a process. */
NS_COMPILED void add_shares(cells *c, int32_t holders, ns_share_left *streams, int32_t local, int32_t process,
                            int64_t entries)
{
    if (holders == 1) {
        add_cell(c, local, process, entries);
        return;
    }
    ns_share_left *s = &streams[local];
    for (int64_t part; entries > 0; entries -= part) {
        open_share(s, holders);
        part = entries < s->left ? entries : s->left;
        s->left -= part;
        add_cell(c, s->slot, process, part);
    }
}

NS_COMPILED void gather_stay(ns_visit *v, cells *c, int32_t holders, const ns_route *route)
{
    const int32_t *local_of = v->ends->exchange->site->local_of;
    const int32_t a = local_of[route->from], b = local_of[route->to];
    if (holders == 1) {
        add_cell(c, a, v->slot[b], route->entries);
        return;
    }
    ns_share_left *from = &v->sent[a], *to = &v->received[b];
    for (int64_t rest = route->entries, part; rest > 0; rest -= part) {
        open_share(from, holders);
        open_share(to, holders);
        part = from->left < to->left ? from->left : to->left;
        part = rest < part ? rest : part;
        from->left -= part;
        to->left -= part;
        add_cell(c, from->slot, v->slot[to->slot], part);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

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
    const ns_strand *strand = e->runs.strand + e->runs.first[v->node],
                    *last = e->runs.strand + e->runs.first[v->node + 1];
    ns_share_left *sent = v->sent;
    cells c = cells_of(v);
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
    ns_share_left *received = v->received;
    cells c = cells_of(v);
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
