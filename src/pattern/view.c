/* view.c -- NetSparse's view of a pattern (design section 3; [NS] Tables 1 and 4) */
#include "pattern/view.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/sized.h"

enum { WINDOW = 64, RACK = 16 };

static ns_status open_rows(ns_view_scan *v, ns_error *err)
{
    NS_TRY(ns_take(&v->entries, v->blocks->groups, sizeof *v->entries, v->budget, err));
    return ns_rows_open(&v->rows, v->matrix, v->blocks, v->budget, err);
}

ns_status ns_view_open(ns_view_scan **view, ns_matrix *matrix, const ns_blocks *blocks,
                       const ns_exchange_options *options, bool with_rows, int threads, ns_budget *budget,
                       ns_error *err)
{
    ns_view_scan *v = ns_calloc(1, sizeof *v);
    if (v == NULL)
        return ns_no_memory(err);
    *v =
        (ns_view_scan){.matrix = matrix, .blocks = blocks, .view = options->view, .budget = budget, .threads = threads};
    v->rack = options->rack > 0 ? options->rack : RACK;
    v->by_owners = blocks->part == NULL && !with_rows; /* a partition's owners do not ascend with the columns */
    const ns_status status = v->by_owners ? ns_owners_open(&v->owners, blocks, budget, err) : open_rows(v, err);
    if (status == NS_OK)
        *view = v;
    else
        ns_view_free(v);
    return status;
}

ns_status ns_view_change_over(ns_view_scan *view, ns_error *err)
{
    NS_TRY(open_rows(view, err));
    view->rows.in_order = false; /* the columns of the previous rows were not kept */
    view->rows.requests = view->owners.requests;
    for (int64_t row = 0; row < view->blocks->rows; row++)
        view->rows.start[row + 1] = ns_owners_requests_of(&view->owners, row);
    ns_owners_free(&view->owners);
    view->by_owners = false;
    return NS_OK;
}

void ns_view_free(ns_view_scan *view)
{
    ns_owners_free(&view->owners);
    ns_rows_free(&view->rows);
    ns_free(view->entries);
    ns_free(view);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* Windows of WINDOW requests, filled one after the other.  seen[owner] is the serial number of the last window with a
 * request to it. */
typedef struct windows {
    int64_t *seen, serial, filled, distinct, full;
    double sum; /* sum of the distinct owners of full windows */
} windows;

static inline void ask(windows *w, int32_t owner, int64_t requests)
{
    while (requests > 0) {
        const int64_t room = WINDOW - w->filled, taken = requests < room ? requests : room;
        w->distinct += w->seen[owner] != w->serial;
        w->seen[owner] = w->serial;
        w->filled += taken;
        requests -= taken;
        if (w->filled == WINDOW) {
            w->sum += (double)w->distinct;
            w->full++;
            w->serial++;
            w->filled = w->distinct = 0;
        }
    }
}

typedef struct counting {
    ns_view_scan *view;
    int32_t parts;
    windows w[NS_THREADS_MOST]; /* one per worker: sums of whole numbers, independent of the order */
} counting;

static ns_status count_part(void *context, int64_t part, int worker, ns_error *err)
{
    counting *c = context;
    ns_view_scan *v = c->view;
    windows w = c->w[worker]; /* a local copy: stores next to another worker's data would cause false sharing */
    if (v->by_owners) {
        const int64_t end = ns_block_first(part + 1, v->blocks->rows, c->parts);
        for (int64_t row = ns_block_first(part, v->blocks->rows, c->parts); row < end; row++) {
            int64_t shares = 0;
            if (v->owners.head[row] != 0)
                NS_TRY(ns_owners_sort_row(&v->owners, row, &shares, err));
            for (int64_t i = 0; i < shares; i++)
                ask(&w, v->owners.sorted[i].owner, v->owners.sorted[i].entries);
        }
    } else { /* consecutive columns often have the same owner */
        const int64_t end = ns_rows_first(&v->rows, (int32_t)part + 1);
        ns_owned last = {0};
        for (int64_t i = ns_rows_first(&v->rows, (int32_t)part); i < end;) {
            const int64_t first = i++;
            const int32_t owner = ns_blocks_owner(v->blocks, 0, ns_rows_col(&v->rows, first), &last);
            while (i < end && (uint64_t)(ns_rows_col(&v->rows, i) - last.first) < (uint64_t)(last.end - last.first))
                i++;
            ask(&w, owner, i - first);
        }
    }
    w.serial++; /* the incomplete window of a part is not counted */
    w.filled = w.distinct = 0;
    c->w[worker] = w;
    return NS_OK;
}

/* Owners are sorted in shared scratch memory, so a single thread counts them. */
static ns_status count_windows(ns_view_scan *v, int32_t parts, ns_netsparse_view *view, ns_error *err)
{
    const int threads = v->by_owners ? 1 : ns_threads(v->threads);
    counting c = {.view = v, .parts = parts};
    int64_t *seen = NULL;
    NS_TRY(ns_take(&seen, ns_count_mul(threads, parts), sizeof *seen, v->budget, err));
    for (int i = 0; i < threads; i++)
        c.w[i] = (windows){.seen = seen + (int64_t)i * parts, .serial = 1};
    const ns_status status = ns_parallel(parts, threads, count_part, &c, err);
    ns_give_back(seen, ns_count_mul(threads, parts), sizeof *seen, v->budget);
    double sum = 0;
    int64_t full = 0;
    for (int i = 0; i < threads; i++) {
        sum += c.w[i].sum;
        full += c.w[i].full;
    }
    view->destinations_per_window = full > 0 ? sum / (double)full : -1;
    return status;
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
    ns_needlist *lists = ns_calloc((size_t)rack, sizeof *lists);
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
    ns_free(lists);
    view->rack_shared_fraction = view->unique > 0 ? (double)shared / (double)view->unique : -1;
    return status;
}

ns_status ns_view_finish(ns_view_scan *view, ns_needsource *source, const ns_exchange *exchange, int64_t nonzeros,
                         ns_error *err)
{
    ns_netsparse_view v = {.nonzeros = nonzeros,
                           .requests = view->by_owners ? view->owners.requests : view->rows.requests};
    if (!view->by_owners)
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
    return ns_sized_give(view->view, &v, sizeof v, err);
}
