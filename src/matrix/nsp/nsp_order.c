/* nsp_order.c -- the rows of a matrix one after the other, in whatever order its entries come
 *
 * Rows that ascend go through.  Others are kept as they come, as runs down a column: three numbers a run, each as the
 * difference to the run before, so that a file written column by column takes a few bytes a run.  The runs are then
 * gone over for one panel of rows after the other, each of 1/8 of the entries or 1 Mi.
 */
#include "matrix/nsp/nsp_order.h"

#include "matrix/nsp/nsp.h"

#include <stdlib.h>

enum { PANEL = 1 << 20, PANELS = 8, SPARSE = 16, RUN_MOST = 3 * NS_VARINT_MOST };

typedef struct run {
    int64_t row, col, count; /* rows [row, row + count) of one column */
} run;

typedef struct ordering {
    ns_matrix *matrix;
    bool triangle, half; /* half: of two mirrored entries one comes, either of them */
    bool descends;       /* a row came after a later one */
    int64_t row, kept;   /* rows that ascend: the one coming in */
    int64_t *col, room;  /* its columns, or those of a panel */
    unsigned char *runs; /* packed */
    int64_t used, runs_room;
    run open, before; /* the run that grows, and the one packed last */
    ns_budget *budget;
    ns_row_fn *receive;
    void *context;
} ordering;

/* Does the entry belong to what is wanted?  Then its place there. */
static inline bool wanted(const ordering *o, ns_entry *entry)
{
    if (!o->triangle || entry->col <= entry->row)
        return true;
    if (o->half)
        *entry = (ns_entry){entry->col, entry->row};
    return o->half;
}

static ns_status scan(ordering *o, ns_entry_fn *receive, ns_error *err)
{
    return o->half ? ns_matrix_scan_half(o->matrix, receive, o, err) : ns_matrix_scan(o->matrix, receive, o, err);
}

/* ---- rows that ascend -------------------------------------------------------------------------------------------- */

static ns_status end_row(ordering *o, ns_error *err)
{
    const int64_t count = o->kept;
    o->kept = 0;
    return count > 0 ? o->receive(o->context, o->row, o->col, count, err) : NS_OK;
}

static ns_status stream(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ordering *o = context;
    for (size_t i = 0; i < count; i++) {
        ns_entry e = entries[i];
        if (!wanted(o, &e))
            continue;
        if (e.row != o->row) {
            NS_TRY(end_row(o, err));
            o->descends = e.row < o->row;
            if (o->descends)
                return NS_ERR_DATA; /* ends the scan, and nobody is told */
            o->row = e.row;
        }
        void *memory = o->col;
        NS_TRY(ns_grow(&memory, &o->room, o->kept + 1, sizeof *o->col, o->budget, err));
        o->col = memory;
        o->col[o->kept++] = e.col;
    }
    return NS_OK;
}

/* ---- runs in the order of the file ------------------------------------------------------------------------------- */

static ns_status pack_run(ordering *o, ns_error *err)
{
    void *memory = o->runs;
    if (o->open.count == 0)
        return NS_OK;
    NS_TRY(ns_grow(&memory, &o->runs_room, o->used + RUN_MOST, 1, o->budget, err));
    o->runs = memory;
    unsigned char *at = o->runs + o->used;
    at = ns_put_varint(at, ns_zigzag(o->open.row - o->before.row));
    at = ns_put_varint(at, ns_zigzag(o->open.col - o->before.col));
    at = ns_put_varint(at, (uint64_t)o->open.count);
    o->used = at - o->runs;
    o->before = o->open;
    return NS_OK;
}

static ns_status keep(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ordering *o = context;
    for (size_t i = 0; i < count; i++) {
        ns_entry e = entries[i];
        if (!wanted(o, &e))
            continue;
        o->kept++;
        if (e.col == o->open.col && e.row == o->open.row + o->open.count) {
            o->open.count++;
            continue;
        }
        NS_TRY(pack_run(o, err));
        o->open = (run){e.row, e.col, 1};
    }
    return NS_OK;
}

/* The next of the packed runs; false behind the last. */
static inline bool next_run(const ordering *o, const unsigned char **at, run *r)
{
    const unsigned char *end = o->runs + o->used;
    uint64_t row, col, count;
    if (*at == end || !ns_get_varint(at, end, &row) || !ns_get_varint(at, end, &col) || !ns_get_varint(at, end, &count))
        return false;
    *r = (run){r->row + ns_unzigzag(row), r->col + ns_unzigzag(col), (int64_t)count};
    return true;
}

/* ---- panels of rows ---------------------------------------------------------------------------------------------- */

/* end[row] is where the next column of the row belongs. */
static void fill_panel(const ordering *o, int64_t first, int64_t last, int64_t *end)
{
    const unsigned char *at = o->runs;
    for (run r = {0, 0, 0}; next_run(o, &at, &r);) {
        const int64_t from = r.row > first ? r.row : first, to = r.row + r.count < last ? r.row + r.count : last;
        for (int64_t row = from; row < to; row++)
            o->col[end[row]++] = r.col;
    }
}

/* count[row] on entry; used up. */
static ns_status send_panels(ordering *o, int64_t *count, int64_t room, ns_error *err)
{
    const int64_t rows = o->matrix->info.rows;
    for (int64_t first = 0, last = 0; first < rows; first = last) {
        int64_t filled = 0, at = 0;
        for (; last < rows && filled + count[last] <= room; last++) {
            const int64_t entries = count[last];
            count[last] = filled;
            filled += entries;
        }
        if (filled > 0)
            fill_panel(o, first, last, count);
        for (int64_t row = first; row < last; at = count[row++])
            if (count[row] > at)
                NS_TRY(o->receive(o->context, row, o->col + at, count[row] - at, err));
    }
    return NS_OK;
}

static ns_status by_panels(ordering *o, ns_error *err)
{
    const int64_t rows = o->matrix->info.rows;
    int64_t room = o->kept / PANELS > PANEL ? o->kept / PANELS : PANEL;
    const unsigned char *at = o->runs;
    void *memory;
    room = room < o->kept ? room : o->kept;
    NS_TRY(ns_take(&memory, rows, sizeof(int64_t), o->budget, err));
    int64_t *count = memory;
    for (run r = {0, 0, 0}; next_run(o, &at, &r);)
        for (int64_t row = r.row; row < r.row + r.count; row++)
            room = ++count[row] > room ? count[row] : room;
    memory = o->col;
    ns_status status = ns_grow(&memory, &o->room, room, sizeof *o->col, o->budget, err);
    o->col = memory;
    if (status == NS_OK)
        status = send_panels(o, count, room, err);
    ns_give_back(count, rows, sizeof *count, o->budget);
    return status;
}

/* ---- far more rows than entries ---------------------------------------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
    const ns_entry *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static ns_status send_sorted(ordering *o, ns_entry *entry, ns_error *err)
{
    const unsigned char *at = o->runs;
    int64_t filled = 0;
    for (run r = {0, 0, 0}; next_run(o, &at, &r);)
        for (int64_t row = r.row; row < r.row + r.count; row++)
            entry[filled++] = (ns_entry){row, r.col};
    qsort(entry, (size_t)filled, sizeof *entry, by_row);
    o->row = -1;
    o->kept = 0;
    NS_TRY(stream(o, entry, (size_t)filled, err));
    return end_row(o, err);
}

static ns_status by_sorting(ordering *o, ns_error *err)
{
    const int64_t entries = o->kept;
    void *memory;
    NS_TRY(ns_take(&memory, entries, sizeof(ns_entry), o->budget, err));
    const ns_status status = send_sorted(o, memory, err);
    ns_give_back(memory, entries, sizeof(ns_entry), o->budget);
    return status;
}

static ns_status in_order(ordering *o, ns_again_fn *again, ns_error *err)
{
    const ns_status status = scan(o, stream, err);
    if (status == NS_OK)
        return end_row(o, err);
    if (!o->descends)
        return status;
    NS_TRY(again(o->context, err));
    o->kept = 0;
    NS_TRY(scan(o, keep, err));
    NS_TRY(pack_run(o, err));
    return o->matrix->info.rows / SPARSE > o->kept ? by_sorting(o, err) : by_panels(o, err);
}

ns_status ns_rows_in_order(ns_matrix *matrix, bool triangle, ns_budget *budget, ns_row_fn *receive, ns_again_fn *again,
                           void *context, ns_error *err)
{
    ordering o = {.matrix = matrix,
                  .triangle = triangle,
                  .half = triangle && matrix->scan_half != NULL,
                  .row = -1,
                  .budget = budget,
                  .receive = receive,
                  .context = context};
    const ns_status status = in_order(&o, again, err);
    ns_give_back(o.col, o.room, sizeof *o.col, budget);
    ns_give_back(o.runs, o.runs_room, 1, budget);
    return status;
}
