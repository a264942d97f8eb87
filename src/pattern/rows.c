/* rows.c -- the remote entries of every part in its processing order: row by row, columns ascending */
#include "pattern/rows.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Parts' rows are contiguous in blocks; with a partition vector each part processes its rows by rising number. */
static ns_status place_rows(ns_rows *r, int32_t parts, ns_error *err)
{
    const ns_blocks *b = r->blocks;
    NS_TRY(ns_take(&r->part_place, ns_count_add(parts, 1), sizeof *r->part_place, r->budget, err));
    if (b->part == NULL) {
        for (int32_t p = 0; p <= parts; p++)
            r->part_place[p] = ns_block_first(p, b->rows, parts);
        return NS_OK;
    }
    NS_TRY(ns_take(&r->place, b->rows, sizeof *r->place, r->budget, err));
    for (int64_t i = 0; i < b->rows; i++)
        r->part_place[b->part[i] + 1]++;
    for (int32_t p = 0; p < parts; p++)
        r->part_place[p + 1] += r->part_place[p];
    for (int64_t i = 0; i < b->rows; i++)
        r->place[i] = r->part_place[b->part[i]]++;
    for (int32_t p = parts; p > 0; p--)
        r->part_place[p] = r->part_place[p - 1];
    r->part_place[0] = 0;
    return NS_OK;
}

static bool fits_narrow(const ns_rows *r)
{
    return r->blocks->cols <= INT64_C(1) << 32;
}

ns_status ns_rows_open(ns_rows *rows, ns_matrix *matrix, const ns_blocks *blocks, ns_budget *budget, ns_error *err)
{
    ns_rows made = {.matrix = matrix, .blocks = blocks, .budget = budget};
    /* for start and, later, fill: refuse too many rows before any memory is touched */
    NS_TRY(ns_budget_check(budget, 2.0 * (double)blocks->rows * sizeof *rows->start, err));
    ns_status status = place_rows(&made, blocks->layout[0].parts, err);
    if (status == NS_OK)
        status = ns_take(&made.start, ns_count_add(blocks->rows, 1), sizeof *made.start, budget, err);
    made.in_order = made.ascending = fits_narrow(&made);
    if (status == NS_OK)
        *rows = made;
    else
        ns_rows_free(&made);
    return status;
}

void ns_rows_free(ns_rows *rows)
{
    ns_free(rows->place); /* the scan is finished: nothing uses the budget after this */
    ns_free(rows->part_place);
    ns_free(rows->start);
    ns_free(rows->fill);
    ns_free(rows->narrow);
    ns_free(rows->wide);
    *rows = (ns_rows){0};
}

void ns_rows_stop_keeping(ns_rows *rows)
{
    ns_give_back(rows->narrow, rows->room, sizeof *rows->narrow, rows->budget);
    rows->narrow = NULL;
    rows->in_order = false;
}

/* A second pass takes no more memory than necessary: under a limit, columns are kept only while they are a small part
 * of it. */
void ns_rows_make_room(ns_rows *rows, int64_t more)
{
    enum { OF_LIMIT = 8 };
    ns_error ignored = {0};
    const double bytes = 2.0 * (double)rows->room * sizeof *rows->narrow;
    if ((rows->budget->limit > 0 && OF_LIMIT * bytes > (double)rows->budget->limit) ||
        ns_grow(&rows->narrow, &rows->room, ns_count_add(rows->requests, more), sizeof *rows->narrow, rows->budget,
                &ignored) != NS_OK)
        ns_rows_stop_keeping(rows);
}

int64_t ns_rows_append(ns_rows *rows, int64_t row, const ns_entry *entries, size_t count, uint64_t own_first,
                       uint64_t own_count)
{
    uint32_t *const first = rows->narrow + rows->requests, *next = first;
    uint32_t last = rows->requests > 0 && row == rows->last ? next[-1] : 0;
    bool ascending = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t col = (uint64_t)entries[i].col;
        const bool remote = col - own_first >= own_count;
        *next = (uint32_t)col;
        ascending &= !remote || last <= (uint32_t)col;
        last = remote ? (uint32_t)col : last;
        next += remote;
    }
    rows->ascending &= ascending;
    if (next > first)
        rows->last = row;
    rows->start[row + 1] += next - first;
    rows->requests += next - first;
    return next - first;
}

static ns_status receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_rows *r = context;
    ns_row_group of = {0};
    for (size_t i = 0; i < count; i++) {
        int64_t row = entries[i].row, col = entries[i].col;
        ns_row_group_turn(&of, r->blocks, row);
        if (ns_row_group_owns(&of, r->blocks, col))
            continue;
        int64_t place = r->place != NULL ? r->place[row] : row;
        if (r->fill[place] >= r->start[place + 1])
            return ns_fail(err, NS_ERR_DATA, "the matrix changed between two reads");
        if (r->narrow != NULL)
            r->narrow[r->fill[place]++] = (uint32_t)col;
        else
            r->wide[r->fill[place]++] = (uint64_t)col;
    }
    return NS_OK;
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

ns_status ns_rows_file(ns_rows *rows, ns_error *err)
{
    const int64_t count = rows->blocks->rows;
    for (int64_t i = 0; i < count; i++)
        rows->start[i + 1] += rows->start[i];
    if (rows->in_order && rows->narrow == NULL) { /* no remote entries: allocate an empty list anyway */
        NS_TRY(ns_take(&rows->narrow, 0, sizeof *rows->narrow, rows->budget, err));
        rows->room = 1;
    } else if (rows->in_order) { /* shrink it to the size in use */
        const int64_t used = rows->requests > 0 ? rows->requests : 1;
        void *memory = rows->room > used ? ns_realloc(rows->narrow, (size_t)used * sizeof *rows->narrow) : NULL;
        if (memory != NULL) {
            rows->budget->used -= (rows->room - used) * (int64_t)sizeof *rows->narrow;
            rows->narrow = memory;
            rows->room = used;
        }
    } else { /* use a second pass */
        NS_TRY(ns_take(&rows->fill, count, sizeof *rows->fill, rows->budget, err));
        memcpy(rows->fill, rows->start, (size_t)count * sizeof *rows->fill);
        if (fits_narrow(rows))
            NS_TRY(ns_take(&rows->narrow, rows->requests, sizeof *rows->narrow, rows->budget, err));
        else
            NS_TRY(ns_take(&rows->wide, rows->requests, sizeof *rows->wide, rows->budget, err));
        NS_TRY(ns_matrix_scan(rows->matrix, receive, rows, err));
        ns_give_back(rows->fill, count, sizeof *rows->fill, rows->budget);
        rows->fill = NULL;
    }
    for (int64_t i = 0; i < count && !(rows->in_order && rows->ascending); i++) {
        const int64_t from = rows->start[i], to = rows->start[i + 1];
        bool sorted = true;
        for (int64_t k = from + 1; k < to && sorted; k++)
            sorted = ns_rows_col(rows, k - 1) <= ns_rows_col(rows, k);
        if (!sorted && rows->narrow != NULL)
            qsort(rows->narrow + from, (size_t)(to - from), sizeof *rows->narrow, ascending_narrow);
        else if (!sorted)
            qsort(rows->wide + from, (size_t)(to - from), sizeof *rows->wide, ascending_wide);
    }
    return NS_OK;
}
