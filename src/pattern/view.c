/* view.c -- NetSparse's view of a pattern (design section 3; [NS] Tables 1 and 4)
 *
 * Windows want the remote entries of a part row by row with ascending columns.  Files come in any order, so a second pass
 * files the columns by row: 4 bytes an entry (8 past 2^32 columns) and 16 a row.
 */
#include "pattern/view.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, RACK = 16 };

ns_status ns_view_open(ns_view_scan **view, ns_matrix *matrix, const ns_blocks *blocks, const ns_exchange_options *options,
                       ns_budget *budget, ns_error *err)
{
    void *memory;
    ns_view_scan *v = calloc(1, sizeof *v);
    if (v == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    *v = (ns_view_scan){.matrix = matrix, .blocks = blocks, .view = options->view, .budget = budget};
    v->rack = options->rack > 0 ? options->rack : RACK;
    *view = v;
    NS_TRY(ns_take(&memory, blocks->rows + 1, sizeof *v->start, budget, err));
    v->start = memory;
    return NS_OK;
}

void ns_view_free(ns_view_scan *view)
{
    if (view == NULL)
        return;
    free(view->start);
    free(view->fill);
    free(view->narrow);
    free(view->wide);
    free(view);
}

/* ---- second pass --------------------------------------------------------------------------------------------------- */

static ns_status receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_view_scan *v = context;
    for (size_t i = 0; i < count; i++) {
        int64_t row = entries[i].row, col = entries[i].col;
        if (ns_blocks_is_local(v->blocks, ns_blocks_group(v->blocks, row), col))
            continue;
        if (v->fill[row] >= v->start[row + 1])
            return ns_fail(err, NS_ERR_DATA, "the matrix changed between two reads");
        if (v->narrow != NULL)
            v->narrow[v->fill[row]++] = (uint32_t)col;
        else
            v->wide[v->fill[row]++] = (uint64_t)col;
    }
    return NS_OK;
}

static ns_status file_by_row(ns_view_scan *v, ns_error *err)
{
    void *memory;
    int64_t rows = v->blocks->rows;
    for (int64_t i = 0; i < rows; i++)
        v->start[i + 1] += v->start[i];
    NS_TRY(ns_take(&memory, rows, sizeof *v->fill, v->budget, err));
    v->fill = memory;
    memcpy(v->fill, v->start, (size_t)rows * sizeof *v->fill);
    if (v->blocks->cols <= INT64_C(1) << 32) {
        NS_TRY(ns_take(&memory, v->requests, sizeof *v->narrow, v->budget, err));
        v->narrow = memory;
    } else {
        NS_TRY(ns_take(&memory, v->requests, sizeof *v->wide, v->budget, err));
        v->wide = memory;
    }
    return ns_matrix_scan(v->matrix, receive, v, err);
}

static int ascending_narrow(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int ascending_wide(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_row(ns_view_scan *v, int64_t from, int64_t to)
{
    bool sorted = true;
    for (int64_t i = from + 1; i < to && sorted; i++)
        sorted = v->narrow != NULL ? v->narrow[i - 1] <= v->narrow[i] : v->wide[i - 1] <= v->wide[i];
    if (sorted)
        return;
    if (v->narrow != NULL)
        qsort(v->narrow + from, (size_t)(to - from), sizeof *v->narrow, ascending_narrow);
    else
        qsort(v->wide + from, (size_t)(to - from), sizeof *v->wide, ascending_wide);
}

/* ---- windows --------------------------------------------------------------------------------------------------------- */

/* Windows of one part: how far the open one is, and which window last saw an owner. */
typedef struct window {
    int32_t filled;
    int64_t distinct;
} window;

static void count_row(ns_view_scan *v, int64_t row, window *open, int64_t *serial, int64_t *seen, double *sum, int64_t *windows)
{
    for (int64_t i = v->start[row]; i < v->start[row + 1]; i++) {
        int64_t col = v->narrow != NULL ? v->narrow[i] : (int64_t)v->wide[i];
        int32_t owner = ns_blocks_owner(v->blocks, 0, col);
        if (open->filled == 0)
            ++*serial;
        if (seen[owner] != *serial) {
            seen[owner] = *serial;
            open->distinct++;
        }
        if (++open->filled == WINDOW) {
            *sum += (double)open->distinct;
            ++*windows;
            *open = (window){0};
        }
    }
}

/* Parts' rows are contiguous in blocks; with a partition vector each part has its rows by rising number. */
static ns_status rows_by_part(const ns_blocks *b, int32_t parts, int64_t **row, int64_t **first, ns_budget *budget, ns_error *err)
{
    void *memory;
    NS_TRY(ns_take(&memory, parts + 1, sizeof **first, budget, err));
    *first = memory;
    NS_TRY(ns_take(&memory, b->rows, sizeof **row, budget, err));
    *row = memory;
    for (int64_t i = 0; i < b->rows; i++)
        (*first)[b->part[i] + 1]++;
    for (int32_t p = 0; p < parts; p++)
        (*first)[p + 1] += (*first)[p];
    for (int64_t i = 0; i < b->rows; i++)
        (*row)[(*first)[b->part[i]]++] = i;
    for (int32_t p = parts; p > 0; p--)
        (*first)[p] = (*first)[p - 1];
    (*first)[0] = 0;
    return NS_OK;
}

static ns_status count_windows(ns_view_scan *v, int32_t parts, ns_error *err)
{
    const ns_blocks *b = v->blocks;
    int64_t *row = NULL, *first = NULL, serial = 0, windows = 0;
    double sum = 0;
    void *memory = NULL;
    NS_TRY(ns_take(&memory, parts, sizeof(int64_t), v->budget, err));
    int64_t *seen = memory;
    ns_status status = b->part != NULL ? rows_by_part(b, parts, &row, &first, v->budget, err) : NS_OK;
    for (int32_t p = 0; status == NS_OK && p < parts; p++) {
        window open = {0};
        int64_t from = row != NULL ? first[p] : ns_block_first(p, b->rows, parts);
        int64_t to = row != NULL ? first[p + 1] : ns_block_first(p + 1, b->rows, parts);
        for (int64_t i = from; i < to; i++) {
            int64_t r = row != NULL ? row[i] : i;
            sort_row(v, v->start[r], v->start[r + 1]);
            count_row(v, r, &open, &serial, seen, &sum, &windows);
        }
    }
    free(seen);
    free(row);
    free(first);
    v->view->destinations_per_window = windows > 0 ? sum / (double)windows : -1;
    return status;
}

/* ---- racks ----------------------------------------------------------------------------------------------------------- */

static ns_status receive_shared(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    (void)need, (void)who, (void)err;
    if (count > 1)
        *(int64_t *)context += count;
    return NS_OK;
}

static ns_status count_racks(ns_view_scan *v, ns_needsource *source, int32_t parts, int64_t unique, ns_error *err)
{
    int32_t rack = v->rack < parts ? v->rack : parts;
    int64_t shared = 0;
    ns_needlist *lists = calloc((size_t)rack, sizeof *lists);
    ns_status status = lists != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
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
    v->view->rack_shared_fraction = unique > 0 ? (double)shared / (double)unique : -1;
    return status;
}

ns_status ns_view_finish(ns_view_scan *view, ns_needsource *source, const ns_exchange *exchange, int64_t nonzeros,
                         ns_error *err)
{
    ns_netsparse_view *v = view->view;
    *v = (ns_netsparse_view){.nonzeros = nonzeros, .requests = view->requests};
    NS_TRY(file_by_row(view, err));
    NS_TRY(count_windows(view, exchange->parts, err));
    for (int32_t p = 0; p < exchange->parts; p++) {
        v->unique += exchange->need[p];
        v->unique_max = exchange->need[p] > v->unique_max ? exchange->need[p] : v->unique_max;
    }
    /* sum over parts of (columns - owned): every column is owned once */
    v->su_transfers = (double)view->blocks->cols * (exchange->parts - 1);
    v->unique_mean = (double)v->unique / exchange->parts;
    v->su_redundant_per_useful = v->unique > 0 ? (v->su_transfers - (double)v->unique) / (double)v->unique : -1;
    v->sa_redundant_per_useful = v->unique > 0 ? (double)(v->requests - v->unique) / (double)v->unique : -1;
    return count_racks(view, source, exchange->parts, v->unique, err);
}
