/* bundled.c -- columns once for each node that needs them: what a node's processes send and receive
 *
 * U(q,N), the bundle of part q for node N, counts the entries of q that any part of N needs.  Paired, it is one
 * message.  Dealt, all bundles of a node for N are one, L(M,N), whose sender gathered them; messages of one step
 * between two processes of a node are one message, a cell.  What a part of N needs of q it is given by the process that
 * took q's bundle: as many entries as the route has.
 */
#include "place/placer.h"

#include <stdlib.h>
#include <string.h>

/* ---- bundles ----------------------------------------------------------------------------------------------------- */

static void bundle_part(ns_placer *p, int32_t q)
{
    ns_bundle *bundle = &p->bundle[p->first_out[q]];
    const int64_t before = p->stamps;
    const int32_t own = p->node_of[q];
    int32_t count = 0;
    for (int64_t i = p->first_lot[q]; i < p->first_lot[q + 1]; i++) {
        const ns_lot *lot = &p->lot[i];
        const int64_t stamp = ++p->stamps;
        for (int32_t k = 0; k < lot->needers; k++) {
            const int32_t node = p->node_of[p->graph->needer[lot->needer + k]];
            if (node == own || p->node_seen[node] == stamp)
                continue;
            if (p->node_seen[node] <= before) {
                p->node_at[node] = count;
                bundle[count++] = (ns_bundle){0, node};
            }
            p->node_seen[node] = stamp;
            bundle[p->node_at[node]].entries += lot->entries;
        }
    }
    p->bundles[q] = count;
}

void ns_bundles_of(ns_placer *p, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++)
        bundle_part(p, p->part[i]);
}

/* How much a part has for a node that needs something of it. */
static int64_t has_for(const ns_placer *p, int32_t q, int32_t node)
{
    const ns_bundle *one = &p->bundle[p->first_out[q]];
    while (one->node != node)
        one++;
    return one->entries;
}

/* Parts of other nodes that send to this one; returns how many. */
static int32_t meet_senders(ns_placer *p, int32_t node)
{
    const int64_t stamp = ++p->stamps;
    int32_t count = 0;
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t to = p->part[i];
        for (int64_t r = p->graph->first_route[to]; r < p->graph->first_route[to + 1]; r++) {
            const int32_t q = p->in[r].other;
            if (p->node_of[q] == node || p->part_seen[q] == stamp)
                continue;
            p->part_seen[q] = stamp;
            p->met[count] = q;
            p->met_has[count++] = has_for(p, q, node);
        }
    }
    return count;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static void clear(ns_placer *p, ns_pass *pass, int32_t node)
{
    for (int s = 0; s < pass->steps; s++) {
        ns_sums *sums = &pass->step[s];
        for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
            for (int side = 0; side < NS_SIDES; side++)
                ns_sums_row(p, sums, p->part[i], side)->messages = 0;
            sums->partners[NS_SIDES * (int64_t)p->part[i] + NS_OUT] = 0;
            sums->partners[NS_SIDES * (int64_t)p->part[i] + NS_IN] = 0;
        }
        sums->node[NS_SIDES * (int64_t)node + NS_OUT] = sums->node[NS_SIDES * (int64_t)node + NS_IN] = 0;
        if (sums->far != NULL)
            sums->far[node] = (ns_far){0, 0, 0};
    }
    for (int d = 0; d < NS_DIRECTIONS; d++)
        pass->copies[d][node] = pass->copied[d][node] = 0;
}

/* A message between a process of the node and another node; it counts as a partner where it is the first of its two
 * nodes and process. */
static void add_off_node(ns_placer *p, ns_sums *sums, int32_t process, int side, int64_t entries, int32_t other,
                         bool partner)
{
    const int64_t bytes = entries * p->graph->width;
    const int32_t node = p->node_of[process];
    const int class = p->rows.base[NS_OFF_NODE] + ns_size_class(&p->sizes, NS_OFF_NODE, bytes);
    ns_row_add(ns_sums_row(p, sums, process, side), class, bytes);
    sums->node[NS_SIDES * (int64_t)node + side] += bytes;
    sums->partners[NS_SIDES * (int64_t)process + side] += partner;
    if (sums->far != NULL && side == NS_OUT)
        ns_far_add(&sums->far[node], p->side, node, other, bytes);
}

static void add_inside(ns_placer *p, ns_sums *sums, int32_t from, int32_t to, int class, ns_locality locality,
                       int64_t bytes)
{
    ns_row_add(ns_sums_row(p, sums, from, NS_OUT), p->rows.base[locality] + class, bytes);
    ns_row_add(ns_sums_row(p, sums, to, NS_IN), p->rows.base[locality] + class, bytes);
}

/* A cell of the node's matrix of messages that are joined. */
static inline int64_t *cell_of(const ns_placer *p, int32_t size, int32_t from, int32_t to)
{
    return &p->cell[(int64_t)p->local_of[from] * size + p->local_of[to]];
}

static void add_cells(ns_placer *p, ns_sums *sums, int32_t node)
{
    const int32_t size = ns_seats_size(p, node), *part = &p->part[p->first[node]];
    int64_t *cell = p->cell;
    for (int32_t a = 0; a < size; a++)
        for (int32_t b = 0; b < size; b++, cell++) {
            if (*cell == 0)
                continue;
            const int64_t bytes = *cell * p->graph->width;
            const ns_locality locality = ns_placer_locality(p, part[a], part[b]);
            add_inside(p, sums, part[a], part[b], ns_size_class(&p->sizes, locality, bytes), locality, bytes);
            *cell = 0;
        }
}

ns_status ns_cells_room(ns_placer *p, ns_error *err)
{
    const int64_t cells = ns_count_mul(p->per_node, p->per_node);
    void *memory;
    if (cells <= p->cells)
        return NS_OK;
    NS_TRY(ns_take(&memory, cells, sizeof *p->cell, &p->budget, err));
    if (p->cell != NULL)
        ns_give_back(p->cell, p->cells, sizeof *p->cell, &p->budget);
    p->cell = memory;
    p->cells = cells;
    return NS_OK;
}

/* A part copies out what it sends inside the node, and its bundles; in, what it needs. */
static void add_copies(ns_placer *p, ns_pass *pass, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t q = p->part[i];
        int64_t entries = 0;
        for (int64_t r = p->first_out[q]; r < p->first_out[q + 1]; r++)
            entries += p->node_of[p->out[r].other] == node ? p->out[r].entries : 0;
        for (int32_t b = 0; b < p->bundles[q]; b++)
            entries += p->bundle[p->first_out[q] + b].entries;
        ns_pass_copy(pass, NS_D2H, node, entries * p->graph->width);
        ns_pass_copy(pass, NS_H2D, node, p->graph->need[q] * p->graph->width);
    }
}

/* What the processes that took the senders' bundles hand on. */
static void scatter(ns_placer *p, ns_sums *sums, int32_t node)
{
    const int32_t size = ns_seats_size(p, node);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t to = p->part[i];
        for (int64_t r = p->graph->first_route[to]; r < p->graph->first_route[to + 1]; r++) {
            const ns_edge *e = &p->in[r];
            if (p->node_of[e->other] == node || p->taker[e->other] == to)
                continue;
            *cell_of(p, size, p->taker[e->other], to) += e->entries;
        }
    }
    add_cells(p, sums, node);
}

/* ---- paired ------------------------------------------------------------------------------------------------------ */

static void paired_out(ns_placer *p, ns_sums *sums, int32_t q)
{
    const int32_t node = p->node_of[q];
    for (int32_t b = 0; b < p->bundles[q]; b++) {
        const ns_bundle *bundle = &p->bundle[p->first_out[q] + b];
        add_off_node(p, sums, q, NS_OUT, bundle->entries, bundle->node, true);
    }
    for (int64_t r = p->first_out[q]; r < p->first_out[q + 1]; r++) {
        const ns_edge *e = &p->out[r];
        if (p->node_of[e->other] != node)
            continue;
        const ns_locality locality = ns_placer_locality(p, q, e->other);
        add_inside(p, sums, q, e->other, e->class[locality], locality, e -> bytes);
    }
}

/* Has the process taken something of that node before?  Few senders of a node share a process. */
static bool is_first_from(const ns_placer *p, int32_t i)
{
    for (int32_t k = 0; k < i; k++)
        if (p->taker[p->met[k]] == p->taker[p->met[i]] && p->node_of[p->met[k]] == p->node_of[p->met[i]])
            return false;
    return true;
}

static void paired_in(ns_placer *p, ns_sums *sums, int32_t node)
{
    const int32_t count = meet_senders(p, node), size = ns_seats_size(p, node);
    for (int32_t i = 0; i < count; i++) {
        const int32_t q = p->met[i];
        p->taker[q] = p->part[p->first[node] + p->local_of[q] % size];
        /* Of one node two share a process only where they have the same index modulo the size. */
        const bool alone = ns_seats_size(p, p->node_of[q]) <= size;
        add_off_node(p, sums, p->taker[q], NS_IN, p->met_has[i], p->node_of[q], alone || is_first_from(p, i));
    }
}

void ns_paired_node(ns_placer *p, ns_pass *pass, int32_t node)
{
    clear(p, pass, node);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++)
        paired_out(p, &pass->step[0], p->part[i]);
    paired_in(p, &pass->step[0], node);
    scatter(p, &pass->step[1], node);
    add_copies(p, pass, node);
}

/* ---- dealt ------------------------------------------------------------------------------------------------------- */

/* Largest first; ties: lowest node. */
static int by_size(const void *a, const void *b)
{
    const ns_bundle *x = a, *y = b;
    if (x->entries != y->entries)
        return x->entries > y->entries ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void sort_by_size(ns_bundle *list, int32_t count)
{
    enum { FEW = 40 };
    if (count > FEW)
        qsort(list, (size_t)count, sizeof *list, by_size);
    for (int32_t i = 1; i < count && count <= FEW; i++) {
        const ns_bundle one = list[i];
        int32_t at = i;
        for (; at > 0 && by_size(&one, &list[at - 1]) < 0; at--)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

/* Add what is for, or from, a node to the list of those. */
static int32_t collect(ns_placer *p, int32_t count, int64_t stamp, int32_t node, int64_t entries)
{
    if (p->node_seen[node] != stamp) {
        p->node_seen[node] = stamp;
        p->node_at[node] = count;
        p->bundled[count++] = (ns_bundle){0, node};
    }
    p->bundled[p->node_at[node]].entries += entries;
    return count;
}

/* Each to a process of the node; node_at then says where a node stands. */
static void deal(ns_placer *p, int32_t node, int32_t count)
{
    const int32_t size = ns_seats_size(p, node);
    sort_by_size(p->bundled, count);
    ns_deal_open(p->hand, size);
    for (int32_t i = 0; i < count; i++) {
        p->node_at[p->bundled[i].node] = i;
        p->dealt[i] = p->part[p->first[node] + ns_deal_next(p->hand, size, p->bundled[i].entries)];
    }
}

static void dealt_out(ns_placer *p, ns_pass *pass, int32_t node)
{
    const int32_t size = ns_seats_size(p, node), *part = &p->part[p->first[node]];
    const int64_t stamp = ++p->stamps;
    int32_t count = 0;
    for (int32_t i = 0; i < size; i++)
        for (int32_t b = 0; b < p->bundles[part[i]]; b++) {
            const ns_bundle *one = &p->bundle[p->first_out[part[i]] + b];
            count = collect(p, count, stamp, one->node, one->entries);
        }
    deal(p, node, count);
    for (int32_t i = 0; i < count; i++)
        add_off_node(p, &pass->step[1], p->dealt[i], NS_OUT, p->bundled[i].entries, p->bundled[i].node, true);
    for (int32_t i = 0; i < size; i++) {
        for (int32_t b = 0; b < p->bundles[part[i]]; b++) {
            const ns_bundle *one = &p->bundle[p->first_out[part[i]] + b];
            const int32_t sender = p->dealt[p->node_at[one->node]];
            if (sender != part[i])
                *cell_of(p, size, part[i], sender) += one->entries;
        }
        for (int64_t r = p->first_out[part[i]]; r < p->first_out[part[i] + 1]; r++)
            if (p->node_of[p->out[r].other] == node)
                *cell_of(p, size, part[i], p->out[r].other) += p->out[r].entries;
    }
    add_cells(p, &pass->step[0], node);
}

static void dealt_in(ns_placer *p, ns_pass *pass, int32_t node)
{
    const int32_t senders = meet_senders(p, node);
    const int64_t stamp = ++p->stamps;
    int32_t count = 0;
    for (int32_t i = 0; i < senders; i++)
        count = collect(p, count, stamp, p->node_of[p->met[i]], p->met_has[i]);
    deal(p, node, count);
    for (int32_t i = 0; i < count; i++)
        add_off_node(p, &pass->step[1], p->dealt[i], NS_IN, p->bundled[i].entries, p->bundled[i].node, true);
    for (int32_t i = 0; i < senders; i++)
        p->taker[p->met[i]] = p->dealt[p->node_at[p->node_of[p->met[i]]]];
    scatter(p, &pass->step[2], node);
}

void ns_dealt_node(ns_placer *p, ns_pass *pass, int32_t node)
{
    clear(p, pass, node);
    dealt_out(p, pass, node);
    dealt_in(p, pass, node);
    add_copies(p, pass, node);
}
