/* trace.c -- the exact counts of [NS] Section 3 and the streams that the mechanisms work on */
#include "netsparse/trace.h"

#include "core/memory.h"

#include <stdlib.h>

enum { RACK = 16, RANKS = 64 };

static ns_status take_columns(ns_trace *t, ns_error *err)
{
    ns_trace_store *s = t->store;
    void *memory;
    NS_TRY(ns_take(&memory, t->cols, sizeof *s->first, &s->scan.budget, err));
    s->first = memory;
    NS_TRY(ns_take(&memory, t->cols, sizeof *s->units, &s->scan.budget, err));
    s->units = memory;
    return NS_OK;
}

static void count_entries(ns_trace *t)
{
    const ns_scan *scan = &t->store->scan;
    for (int32_t p = 0; p < t->nodes; p++) {
        int64_t first, count;
        ns_blocks_groups_of(&scan->blocks, 0, p, &first, &count);
        for (int64_t g = first; g < first + count; g++)
            t->node[p].nonzeros += scan->view->entries[g];
        t->node[p].requests = ns_rows_first(ns_trace_rows(t), p + 1) - ns_rows_first(ns_trace_rows(t), p);
        t->node[p].unique = t->store->exchange->need[p];
    }
    if (scan->blocks.part == NULL)
        for (int32_t p = 0; p < t->nodes; p++)
            t->node[p].owned = ns_block_first(p + 1, t->cols, t->nodes) - ns_block_first(p, t->cols, t->nodes);
    else
        for (int64_t c = 0; c < t->cols; c++)
            t->node[scan->blocks.part[c]].owned++;
}

static void count_routes(ns_trace *t)
{
    const ns_exchange *x = t->store->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        t->node[x->route[i].from].served += x->route[i].entries;
        t->store->route_first[x->route[i].to + 1]++;
    }
    for (int32_t p = 0; p < t->nodes; p++)
        t->store->route_first[p + 1] += t->store->route_first[p];
}

/* Distinct columns of each rank: `first` holds the serial number of the rank that last saw a column, and is then
 * cleared. */
static ns_status count_ranks(ns_trace *t, ns_error *err)
{
    const ns_rows *rows = ns_trace_rows(t);
    uint32_t *seen = t->store->first, serial = 0;
    if ((double)t->nodes * t->ranks >= 4294967295.0)
        return ns_fail(err, NS_ERR_LIMIT, "%d nodes of %d ranks are too many", (int)t->nodes, (int)t->ranks);
    for (int32_t p = 0; p < t->nodes; p++) {
        const int64_t from = rows->part_place[p], count = rows->part_place[p + 1] - from;
        const int64_t ranks = t->ranks < count ? t->ranks : count; /* more than rows: those with a row have one each */
        for (int64_t r = 0; r < ranks; r++) {
            int64_t first = rows->start[from + ns_block_first(r, count, ranks)],
                    end = rows->start[from + ns_block_first(r + 1, count, ranks)];
            serial++;
            for (int64_t e = first; e < end; e++) {
                int64_t col = ns_rows_col(rows, e);
                t->node[p].rank_unique += seen[col] != serial;
                seen[col] = serial;
            }
        }
    }
    for (int64_t c = 0; c < t->cols; c++)
        seen[c] = 0;
    return NS_OK;
}

/* ---- racks ------------------------------------------------------------------------------------------------------- */

typedef struct rack_scan {
    ns_rack_counts *counts;
    int32_t rack, size;
} rack_scan;

static ns_status receive(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    rack_scan *r = context;
    (void)who, (void)err;
    if (need->owner / r->size != r->rack) {
        r->counts->columns += need->count;
        r->counts->pairs += (int64_t)count * need->count;
    }
    return NS_OK;
}

static ns_status count_racks(ns_trace *t, ns_error *err)
{
    ns_scan *scan = &t->store->scan;
    ns_needsource source = {.blocks = &scan->blocks, .set = &scan->set, .budget = &scan->budget};
    const int32_t size = t->rack < t->nodes ? t->rack : t->nodes;
    ns_needlist *lists = calloc((size_t)size, sizeof *lists);
    ns_status status = lists != NULL ? NS_OK : ns_no_memory(err);
    for (int32_t k = 0; status == NS_OK && k < t->racks; k++) {
        const int32_t first = k * size, count = t->nodes - first < size ? t->nodes - first : size;
        rack_scan r = {&t->rack_counts[k], k, size};
        for (int32_t i = 0; status == NS_OK && i < count; i++)
            status = ns_needlist_collect(&source, first + i, &lists[i], err);
        if (status == NS_OK)
            status = ns_needlist_merge(lists, count, receive, &r, err);
    }
    for (int32_t i = 0; lists != NULL && i < size; i++)
        ns_needlist_free(&lists[i], &scan->budget);
    free(lists);
    ns_needset_scratch_free(&source.words, &scan->budget);
    return status;
}

/* ---- open and close ---------------------------------------------------------------------------------------------- */

static ns_status fill(ns_trace *t, ns_matrix *matrix, const ns_trace_options *options, ns_error *err)
{
    ns_trace_store *s = t->store;
    ns_exchange_options wanted = {
        .width = 1, .part = options->part, .max_memory = options->max_memory, .view = &t->view, .rack = t->rack};
    NS_TRY(ns_scan_run(&s->scan, matrix, &s->layout, 1, &wanted, &s->exchange, err));
    t->node = calloc((size_t)t->nodes, sizeof *t->node);
    t->rack_counts = calloc((size_t)t->racks, sizeof *t->rack_counts);
    s->route_first = calloc(ns_size_add((size_t)t->nodes, 1), sizeof *s->route_first);
    if (t->node == NULL || t->rack_counts == NULL || s->route_first == NULL)
        return ns_no_memory(err);
    NS_TRY(count_racks(t, err));
    ns_needset_free(&s->scan.set);
    NS_TRY(take_columns(t, err));
    count_entries(t);
    count_routes(t);
    return count_ranks(t, err);
}

ns_status ns_trace_open(ns_matrix *matrix, int32_t nodes, const ns_trace_options *options, ns_trace **trace,
                        ns_error *err)
{
    const ns_trace_options defaults = {0};
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    if (options == NULL)
        options = &defaults;
    if (nodes < 1 || options->rack < 0 || options->ranks < 0)
        return ns_fail(err, NS_ERR_RANGE, "nodes, nodes per rack and ranks per node have to be at least 1");
    ns_trace *t = calloc(1, sizeof *t);
    ns_trace_store *store = calloc(1, sizeof *store);
    if (t == NULL || store == NULL) {
        free(t);
        free(store);
        return ns_no_memory(err);
    }
    *t = (ns_trace){.nodes = nodes, .rows = info->rows, .cols = info->cols, .store = store};
    t->rack = options->rack > 0 ? options->rack : RACK;
    t->ranks = options->ranks > 0 ? options->ranks : RANKS;
    t->racks = (int32_t)(((int64_t)nodes + t->rack - 1) / t->rack);
    store->layout = (ns_layout){nodes, 1};
    ns_status status = fill(t, matrix, options, err);
    if (status == NS_OK)
        *trace = t;
    else
        ns_trace_free(t);
    return status;
}

void ns_trace_free(ns_trace *trace)
{
    if (trace == NULL)
        return;
    ns_trace_store *s = trace->store;
    ns_exchange_free(s->exchange);
    ns_scan_free(&s->scan);
    free(s->route_first);
    free(s->first);
    free(s->units);
    free(s->last);
    free(s->fetch);
    free(s);
    free(trace->node);
    free(trace->rack_counts);
    free(trace);
}
