/* view.c -- NetSparse's view of a pattern (design section 3; [NS] Tables 1 and 4) */
#include "pattern/view.h"

#include "core/memory.h"

#include <stdlib.h>

enum { WINDOW = 64, RACK = 16 };

ns_status ns_view_open(ns_view_scan **view, ns_matrix *matrix, const ns_blocks *blocks,
                       const ns_exchange_options *options, ns_budget *budget, ns_error *err)
{
    ns_view_scan *v = calloc(1, sizeof *v);
    if (v == NULL)
        return ns_no_memory(err);
    *v = (ns_view_scan){.blocks = blocks, .view = options->view, .budget = budget};
    v->rack = options->rack > 0 ? options->rack : RACK;
    void *memory = NULL;
    ns_status status = ns_take(&memory, blocks->groups, sizeof *v->entries, budget, err);
    v->entries = memory;
    if (status == NS_OK)
        status = ns_rows_open(&v->rows, matrix, blocks, budget, err);
    if (status == NS_OK)
        *view = v;
    else
        ns_view_free(v);
    return status;
}

void ns_view_free(ns_view_scan *view)
{
    if (view == NULL)
        return;
    ns_rows_free(&view->rows);
    free(view->entries);
    free(view);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* Windows of one part; seen[owner] is the serial number of the window that last saw it. */
static void count_part(const ns_view_scan *v, int32_t p, int64_t *serial, int64_t *seen, double *sum, int64_t *windows)
{
    int64_t first = ns_rows_first(&v->rows, p), full = (ns_rows_first(&v->rows, p + 1) - first) / WINDOW;
    ns_owned owned = {0};
    for (int64_t w = 0; w < full; w++) {
        int64_t distinct = 0;
        ++*serial;
        for (int64_t i = first + w * WINDOW; i < first + (w + 1) * WINDOW; i++) {
            int32_t owner = ns_blocks_owner(v->blocks, 0, ns_rows_col(&v->rows, i), &owned);
            distinct += seen[owner] != *serial;
            seen[owner] = *serial;
        }
        *sum += (double)distinct;
    }
    *windows += full;
}

static ns_status count_windows(const ns_view_scan *v, int32_t parts, ns_netsparse_view *view, ns_error *err)
{
    int64_t serial = 0, windows = 0;
    double sum = 0;
    void *memory = NULL;
    NS_TRY(ns_take(&memory, parts, sizeof(int64_t), v->budget, err));
    for (int32_t p = 0; p < parts; p++)
        count_part(v, p, &serial, memory, &sum, &windows);
    ns_give_back(memory, parts, sizeof(int64_t), v->budget);
    view->destinations_per_window = windows > 0 ? sum / (double)windows : -1;
    return NS_OK;
}

/* ---- racks ------------------------------------------------------------------------------------------------------- */

static ns_status receive_shared(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    (void)who, (void)err;
    if (count > 1)
        *(int64_t *)context += (int64_t)count * need->count;
    return NS_OK;
}

static ns_status count_racks(const ns_view_scan *v, ns_needsource *source, int32_t parts, ns_netsparse_view *view,
                             ns_error *err)
{
    int32_t rack = v->rack < parts ? v->rack : parts;
    int64_t shared = 0;
    ns_needlist *lists = calloc((size_t)rack, sizeof *lists);
    ns_status status = lists != NULL ? NS_OK : ns_no_memory(err);
    for (int64_t first = 0; status == NS_OK && first < parts; first += rack) {
        int32_t count = parts - first < rack ? (int32_t)(parts - first) : rack;
        for (int32_t i = 0; status == NS_OK && i < count; i++)
            status = ns_needlist_collect(source, (int32_t)first + i, &lists[i], err);
        if (status == NS_OK)
            status = ns_needlist_merge(lists, count, receive_shared, &shared, err);
    }
    for (int32_t i = 0; lists != NULL && i < rack; i++)
        ns_needlist_free(&lists[i], v->budget);
    free(lists);
    view->rack_shared_fraction = view->unique > 0 ? (double)shared / (double)view->unique : -1;
    return status;
}

ns_status ns_view_finish(ns_view_scan *view, ns_needsource *source, const ns_exchange *exchange, int64_t nonzeros,
                         ns_error *err)
{
    ns_netsparse_view v = {.nonzeros = nonzeros, .requests = view->rows.requests};
    NS_TRY(ns_rows_file(&view->rows, err));
    NS_TRY(count_windows(view, exchange->parts, &v, err));
    for (int32_t p = 0; p < exchange->parts; p++) {
        v.unique += exchange->need[p];
        v.unique_max = exchange->need[p] > v.unique_max ? exchange->need[p] : v.unique_max;
    }
    /* sum over parts of (columns - owned): every column is owned once */
    v.su_transfers = (double)view->blocks->cols * (exchange->parts - 1);
    v.unique_mean = (double)v.unique / exchange->parts;
    v.su_redundant_per_useful = v.unique > 0 ? (v.su_transfers - (double)v.unique) / (double)v.unique : -1;
    v.sa_redundant_per_useful = v.unique > 0 ? (double)(v.requests - v.unique) / (double)v.unique : -1;
    NS_TRY(count_racks(view, source, exchange->parts, &v, err));
    *view->view = v;
    return NS_OK;
}
