/* entries.c -- the lists D: from another pass over the matrix, or, of planned messages, one after another */
#include "core/memory.h"
#include "mpi/plan.h"
#include "pattern/blocks.h"

#include <stdlib.h>
#include <string.h>

/* A part needs this column of its owner. */
typedef struct need {
    int32_t part, owner;
    int64_t col;
} need;

typedef struct collector {
    const ns_entries *entries;
    int64_t rows;
    need *need;
    int64_t count, capacity;
    int64_t tidy; /* this many are sorted and distinct; with more than twice as many the list is sorted again */
} collector;

static int by_part(const void *x, const void *y)
{
    const need *a = x, *b = y;
    const int64_t order = a->part != b->part     ? a->part - b->part
                          : a->owner != b->owner ? a->owner - b->owner
                                                 : a->col - b->col;
    return (order > 0) - (order < 0);
}

static void tidy(collector *c)
{
    if (c->count > 0)
        qsort(c->need, (size_t)c->count, sizeof *c->need, by_part);
    int64_t kept = 0;
    for (int64_t i = 0; i < c->count; i++)
        if (i == 0 || by_part(&c->need[i], &c->need[kept - 1]) != 0)
            c->need[kept++] = c->need[i];
    c->count = c->tidy = kept;
}

static ns_status take(void *context, const ns_entry *entry, size_t count, ns_error *err)
{
    enum { LEAST = 1 << 16 };
    collector *c = context;
    for (size_t i = 0; i < count; i++) {
        const ns_entries *e = c->entries;
        const int32_t owner = e->part != NULL ? e->part[entry[i].col]
                                              : ns_block_owner(entry[i].col, e->cols, e->exchange->parts),
                      part = e->part != NULL ? e->part[entry[i].row]
                                             : ns_block_owner(entry[i].row, c->rows, e->exchange->parts);
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

ns_status ns_entries_make(const ns_inputs *inputs, const ns_exchange *exchange, ns_entries *entries, ns_error *err)
{
    ns_entries e = {.exchange = exchange, .part = inputs->part};
    ns_status status = NS_OK;
    e.direct_first = ns_calloc((size_t)exchange->routes + 1, sizeof *e.direct_first);
    for (int64_t r = 0; e.direct_first != NULL && r < exchange->routes; r++)
        e.direct_first[r + 1] = e.direct_first[r] + exchange->route[r].entries;
    if (e.direct_first != NULL)
        e.direct = ns_malloc(ns_size_mul((size_t)e.direct_first[exchange->routes] + 1, sizeof *e.direct));
    if (e.direct == NULL)
        status = ns_no_memory(err);
    if (status == NS_OK && inputs->matrix != NULL) {
        e.cols = ns_matrix_describe(inputs->matrix)->cols;
        collector c = {.entries = &e, .rows = ns_matrix_describe(inputs->matrix)->rows};
        status = ns_matrix_scan(inputs->matrix, take, &c, err);
        /* need(p), by owner and column, for one part after another, is D by receiver and sender. */
        tidy(&c);
        bool same = c.count == e.direct_first[exchange->routes];
        for (int64_t r = 0, i = 0; status == NS_OK && same && r < exchange->routes; r++)
            for (; i < e.direct_first[r + 1]; i++) {
                same = same && c.need[i].part == exchange->route[r].to && c.need[i].owner == exchange->route[r].from;
                e.direct[i] = c.need[i].col;
            }
        if (status == NS_OK && !same)
            status = ns_fail(err, NS_ERR_DATA, "the matrix has changed since it was counted");
        ns_free(c.need);
    } else if (status == NS_OK) {
        for (int64_t i = 0; i < e.direct_first[exchange->routes]; i++)
            e.direct[i] = i;
    }
    if (status == NS_OK)
        *entries = e;
    else
        ns_entries_free(&e);
    return status;
}

void ns_entries_free(ns_entries *e)
{
    ns_free(e->direct);
    ns_free(e->direct_first);
    *e = (ns_entries){0};
}
