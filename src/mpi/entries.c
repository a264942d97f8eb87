/* entries.c -- the lists D and L: from another pass over the matrix, or from the runs of planned messages */
#include "mpi/entries.h"
#include "core/memory.h"
#include "pattern/blocks.h"

#include <stdlib.h>
#include <string.h>

/* An entry that a part needs. */
typedef struct need {
    int32_t part, owner;
    int64_t col;
} need;

typedef struct collector {
    const ns_entries *entries;
    const ns_exchange *exchange;
    const int32_t *row_part;
    int64_t rows;
    need *need;
    int64_t count, capacity;
    int64_t tidy; /* so many are sorted and single; more than twice as many are tidied again */
} collector;

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_part(const void *x, const void *y)
{
    const need *a = x, *b = y;
    if (a->part != b->part)
        return compare(a->part, b->part);
    return a->owner != b->owner ? compare(a->owner, b->owner) : compare(a->col, b->col);
}

static int64_t make_single(need *list, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || by_part(&list[i], &list[kept - 1]) != 0)
            list[kept++] = list[i];
    return kept;
}

static void tidy(collector *c)
{
    if (c->count > 0)
        qsort(c->need, (size_t)c->count, sizeof *c->need, by_part);
    c->count = make_single(c->need, c->count);
    c->tidy = c->count;
}

static int32_t column_owner(const ns_entries *entries, int64_t col)
{
    return entries->part != NULL ? entries->part[col] : ns_block_owner(col, entries->cols, entries->exchange->parts);
}

static ns_status take(void *context, const ns_entry *entry, size_t count, ns_error *err)
{
    enum { LEAST = 1 << 16 };
    collector *c = context;
    for (size_t i = 0; i < count; i++) {
        const int32_t owner = column_owner(c->entries, entry[i].col),
                      part = c->row_part != NULL ? c->row_part[entry[i].row]
                                                 : ns_block_owner(entry[i].row, c->rows, c->exchange->parts);
        if (owner == part)
            continue;
        if (c->count >= 2 * c->tidy + LEAST)
            tidy(c);
        ns_budget budget = {0};
        void *memory = c->need;
        NS_TRY(ns_grow(&memory, &c->capacity, c->count + 1, sizeof *c->need, &budget, err));
        c->need = memory;
        c->need[c->count++] = (need){part, owner, entry[i].col};
    }
    return NS_OK;
}

/* ---- of a matrix ------------------------------------------------------------------------------------------------- */

static ns_status differs(ns_error *err)
{
    return ns_fail(err, NS_ERR_DATA, "the matrix has changed since it was counted");
}

/* need(p), by owner and column, one part after another, is D by receiver and sender. */
static ns_status fill_direct(ns_entries *e, const collector *c, ns_error *err)
{
    if (c->count != e->direct_first[e->exchange->routes])
        return differs(err);
    for (int64_t i = 0; i < c->count; i++)
        e->direct[i] = c->need[i].col;
    for (int64_t r = 0, i = 0; r < e->exchange->routes; r++)
        for (; i < e->direct_first[r + 1]; i++)
            if (c->need[i].part != e->exchange->route[r].to || c->need[i].owner != e->exchange->route[r].from)
                return differs(err);
    return NS_OK;
}

/* From here on "part" is the receiving node, "owner" stays. */
static ns_status fill_paired(ns_entries *e, collector *c, ns_error *err)
{
    const int32_t *node_of = e->exchange->site->node_of;
    int64_t kept = 0, at = 0;
    for (int64_t i = 0; i < c->count; i++)
        if (node_of[c->need[i].part] != node_of[c->need[i].owner])
            c->need[kept++] = (need){node_of[c->need[i].part], c->need[i].owner, c->need[i].col};
    c->count = kept;
    tidy(c);
    if (c->count != e->paired_first[e->exchange->pairs])
        return differs(err);
    /* Blocks number parts node by node, so that owners ascend with their nodes. */
    for (int64_t p = 0; p < e->exchange->pairs; p++)
        for (; at < e->paired_first[p + 1]; at++) {
            const need *n = &c->need[at];
            if (n->part != e->exchange->pair[p].to || node_of[n->owner] != e->exchange->pair[p].from)
                return differs(err);
            e->paired[at] = n->col;
        }
    return NS_OK;
}

static ns_status fill_from_matrix(ns_entries *e, ns_matrix *matrix, ns_error *err)
{
    collector c = {
        .entries = e, .exchange = e->exchange, .row_part = e->part, .rows = ns_matrix_describe(matrix)->rows};
    ns_status status = ns_matrix_scan(matrix, take, &c, err);
    if (status == NS_OK) {
        tidy(&c);
        status = fill_direct(e, &c, err);
    }
    if (status == NS_OK)
        status = fill_paired(e, &c, err);
    free(c.need);
    return status;
}

/* ---- of planned messages ----------------------------------------------------------------------------------------- */

static int64_t find_route(const ns_exchange *x, int32_t from, int32_t to)
{
    int64_t low = 0, high = x->routes;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const ns_route *r = &x->route[middle];
        if (r->to < to || (r->to == to && r->from < from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A run of L is of one sender and, as nothing is shared, one receiver: it goes on where their last run ended. */
static ns_status fill_from_messages(ns_entries *e, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    int64_t *next = calloc((size_t)x->routes + 1, sizeof *next);
    if (next == NULL)
        return ns_no_memory(err);
    for (int64_t i = 0; i < e->direct_first[x->routes]; i++)
        e->direct[i] = i;
    for (int64_t p = 0; p < x->pairs; p++)
        for (int64_t i = x->pair[p].run; i < x->pair[p].run + x->pair[p].runs; i++) {
            const ns_run *run = &x->run[i];
            const int64_t r = find_route(x, run->origin, x->needer[run->needer]);
            for (int64_t k = 0; k < run->entries; k++)
                e->paired[e->paired_first[p] + run->first + k] = e->direct_first[r] + next[r]++;
        }
    free(next);
    return NS_OK;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static ns_status allocate(ns_entries *e, ns_error *err)
{
    const ns_exchange *x = e->exchange;
    e->direct_first = calloc((size_t)x->routes + 1, sizeof *e->direct_first);
    e->paired_first = calloc((size_t)x->pairs + 1, sizeof *e->paired_first);
    e->need_first = calloc((size_t)x->parts + 1, sizeof *e->need_first);
    if (e->direct_first == NULL || e->paired_first == NULL || e->need_first == NULL)
        return ns_no_memory(err);
    for (int64_t r = 0; r < x->routes; r++) {
        e->direct_first[r + 1] = e->direct_first[r] + x->route[r].entries;
        e->need_first[x->route[r].to + 1] += x->route[r].entries;
    }
    for (int32_t p = 0; p < x->parts; p++)
        e->need_first[p + 1] += e->need_first[p];
    for (int64_t p = 0; p < x->pairs; p++)
        e->paired_first[p + 1] = e->paired_first[p] + x->pair[p].entries;
    e->direct = malloc(ns_size_mul((size_t)e->direct_first[x->routes] + 1, sizeof *e->direct));
    e->paired = malloc(ns_size_mul((size_t)e->paired_first[x->pairs] + 1, sizeof *e->paired));
    return e->direct != NULL && e->paired != NULL ? NS_OK : ns_no_memory(err);
}

ns_status ns_entries_make(const ns_inputs *inputs, const ns_exchange *exchange, ns_entries *entries, ns_error *err)
{
    ns_entries e = {.exchange = exchange, .part = inputs->part};
    ns_status status = allocate(&e, err);
    if (status == NS_OK && inputs->matrix != NULL) {
        e.cols = ns_matrix_describe(inputs->matrix)->cols;
        status = fill_from_matrix(&e, inputs->matrix, err);
    } else if (status == NS_OK) {
        status = fill_from_messages(&e, err);
    }
    if (status == NS_OK)
        *entries = e;
    else
        ns_entries_free(&e);
    return status;
}

void ns_entries_free(ns_entries *e)
{
    free(e->direct);
    free(e->direct_first);
    free(e->paired);
    free(e->paired_first);
    free(e->need_first);
    *e = (ns_entries){0};
}

/* The last i with first[i] <= at. */
static int64_t find_at(const int64_t *first, int64_t count, int64_t at)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (first[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int32_t ns_entries_owner(const ns_entries *e, int64_t index)
{
    if (e->cols > 0)
        return column_owner(e, index);
    return e->exchange->route[find_at(e->direct_first, e->exchange->routes, index)].from;
}

/* need(p) of a matrix is by owner, then column: look in the owner's route. */
bool ns_entries_needed(const ns_entries *e, int32_t part, int64_t index)
{
    const ns_exchange *x = e->exchange;
    const int32_t owner = ns_entries_owner(e, index);
    const int64_t r = find_route(x, owner, part);
    if (r == x->routes || x->route[r].from != owner || x->route[r].to != part)
        return false;
    const int64_t *list = &e->direct[e->direct_first[r]];
    const int64_t count = x->route[r].entries;
    return list[find_at(list, count, index)] == index;
}

int64_t ns_entries_of(const ns_entries *e, const ns_slice *slice, int64_t *list)
{
    const ns_exchange *x = e->exchange;
    const bool direct = slice->pair < 0;
    const int64_t of = direct ? find_route(x, slice->from, slice->to) : slice->pair;
    if (of >= (direct ? x->routes : x->pairs))
        return -1;
    const int64_t *first = direct ? &e->direct_first[of] : &e->paired_first[of];
    int64_t count = 0;
    if (slice->first < 0 || slice->entries < 0 || slice->entries > first[1] - first[0] - slice->first)
        return -1;
    for (int64_t i = 0; i < slice->entries; i++) {
        const int64_t index = (direct ? e->direct : e->paired)[first[0] + slice->first + i];
        if (direct || slice->only < 0 || ns_entries_needed(e, slice->only, index))
            list[count++] = index;
    }
    return count;
}
