/* needs.c -- an exchange from own ranges and lists of needed columns, process by process
 *
 * A process' list is kept as ranges.  Their owners are known once all own ranges are known: then every list is split
 * where the owner changes, and the rest works as for the needs of a matrix.
 */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/sort.h"
#include "core/work.h"
#include "pattern/build.h"

#include <nsmodel/needs.h>

#include <stdlib.h>

/* The columns that a process owns. */
typedef struct owned {
    int64_t first, last;
    int32_t process;
} owned;

struct ns_needs {
    ns_site *site;
    int64_t width;
    ns_budget budget;
    int64_t max_work;
    bool *added;       /* [processes] */
    owned *own;        /* [processes] */
    ns_needlist *list; /* [processes] by column, owners unknown */
};

ns_status ns_needs_begin(const ns_site *site, int64_t width, const ns_limits *limits, ns_needs **needs, ns_error *err)
{
    ns_error_clear(err);
    if (width < 0 || width > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "the width of an entry has to be 1 B to 2 GB, got %lld", (long long)width);
    ns_limits given;
    NS_TRY(ns_limits_take(limits, &given, err));
    ns_needs *n = ns_calloc(1, sizeof *n);
    if (n == NULL)
        return ns_no_memory(err);
    n->width = width > 0 ? width : 8;
    n->budget.limit = given.max_memory;
    n->max_work = given.max_work;
    ns_status status = ns_site_with_sockets(site, site->sockets, &n->site, err);
    if (status == NS_OK)
        status = ns_take(&n->added, site->parts, sizeof *n->added, &n->budget, err);
    if (status == NS_OK)
        status = ns_take(&n->own, site->parts, sizeof *n->own, &n->budget, err);
    if (status == NS_OK)
        status = ns_take(&n->list, site->parts, sizeof *n->list, &n->budget, err);
    if (status == NS_OK)
        *needs = n;
    else
        ns_needs_free(n);
    return status;
}

void ns_needs_free(ns_needs *needs)
{
    if (needs == NULL)
        return;
    for (int32_t p = 0; needs->list != NULL && p < needs->site->parts; p++)
        ns_needlist_free(&needs->list[p], &needs->budget);
    ns_free(needs->list);
    ns_free(needs->own);
    ns_free(needs->added);
    ns_site_free(needs->site);
    ns_free(needs);
}

/* ---- a process' list as ranges ----------------------------------------------------------------------------------- */

/* A list as given by the caller, in one of three forms. */
typedef struct given {
    const int32_t *narrow;
    const int64_t *wide;
    const ns_column_range *range;
    int64_t count;
} given;

static ns_column_range columns_at(const given *g, int64_t i)
{
    if (g->range != NULL)
        return g->range[i];
    return (ns_column_range){g->narrow != NULL ? g->narrow[i] : g->wide[i], 1};
}

/* Ranges must be ordered by their first column; columns that are already in the list are skipped. */
static ns_status append(ns_needlist *list, ns_column_range c, ns_budget *budget, ns_error *err)
{
    NS_TRY(ns_context_tick(1, err));
    const ns_need *last = list->count > 0 ? &list->need[list->count - 1] : NULL;
    const int64_t end = c.first + c.count, known = last != NULL ? last->col + last->count : 0;
    for (int64_t col = c.first > known ? c.first : known; col < end;) {
        const int64_t part = end - col < INT32_MAX ? end - col : INT32_MAX;
        NS_TRY(ns_needlist_append(list, (ns_need){.col = col, .count = (int32_t)part}, budget, err));
        col += part;
    }
    return NS_OK;
}

static int by_first(const void *a, const void *b)
{
    const ns_column_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static ns_status append_sorted(const given *g, ns_needlist *list, ns_budget *budget, ns_error *err)
{
    ns_column_range *sorted;
    NS_TRY(ns_take(&sorted, g->count, sizeof *sorted, budget, err));
    for (int64_t i = 0; i < g->count; i++)
        sorted[i] = columns_at(g, i);
    ns_status status = ns_sort_items(sorted, g->count, sizeof *sorted, by_first, err);
    for (int64_t i = 0; status == NS_OK && i < g->count; i++)
        status = append(list, sorted[i], budget, err);
    ns_give_back(sorted, g->count, sizeof *sorted, budget);
    return status;
}

static ns_status add(ns_needs *n, int32_t process, int64_t first, int64_t last, const given *g, ns_error *err)
{
    bool ascending = true;
    if (process < 0 || process >= n->site->parts)
        return ns_fail(err, NS_ERR_RANGE, "process %d: the site has processes 0 to %d", (int)process,
                       (int)n->site->parts - 1);
    if (n->added[process])
        return ns_fail(err, NS_ERR_DATA, "process %d is added a second time", (int)process);
    if (first < 0 || last < first)
        return ns_fail(err, NS_ERR_RANGE, "process %d owns columns %lld to before %lld, which is no range",
                       (int)process, (long long)first, (long long)last);
    if (g->count < 0 || (g->count > 0 && g->narrow == NULL && g->wide == NULL && g->range == NULL))
        return ns_fail(err, NS_ERR_RANGE, "process %d needs %lld columns of no list", (int)process,
                       (long long)g->count);
    for (int64_t i = 0; i < g->count; i++) {
        const ns_column_range c = columns_at(g, i);
        NS_TRY(ns_context_turn(i, err));
        if (c.first < 0 || c.count < 0 || c.count > INT64_MAX - c.first)
            return ns_fail(err, NS_ERR_RANGE, "item %lld of what process %d needs is column %lld%s: columns go from 0",
                           (long long)i, (int)process, (long long)c.first, g->range != NULL ? " on" : "");
        ascending = ascending && (i == 0 || columns_at(g, i - 1).first <= c.first);
    }
    ns_needlist list = {0};
    ns_status status = NS_OK;
    if (!ascending)
        status = append_sorted(g, &list, &n->budget, err);
    for (int64_t i = 0; ascending && status == NS_OK && i < g->count; i++)
        status = append(&list, columns_at(g, i), &n->budget, err);
    if (status != NS_OK) {
        ns_needlist_free(&list, &n->budget);
        return status;
    }
    n->list[process] = list;
    n->own[process] = (owned){first, last, process};
    n->added[process] = true;
    return NS_OK;
}

ns_status ns_needs_add_32(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int32_t *column,
                          int64_t count, ns_error *err)
{
    ns_error_clear(err);
    return add(needs, process, first, last, &(given){.narrow = column, .count = count}, err);
}

ns_status ns_needs_add_64(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int64_t *column,
                          int64_t count, ns_error *err)
{
    ns_error_clear(err);
    return add(needs, process, first, last, &(given){.wide = column, .count = count}, err);
}

ns_status ns_needs_add_ranges(ns_needs *needs, int32_t process, int64_t first, int64_t last,
                              const ns_column_range *columns, int64_t count, ns_error *err)
{
    ns_error_clear(err);
    return add(needs, process, first, last, &(given){.range = columns, .count = count}, err);
}

/* ---- owners ------------------------------------------------------------------------------------------------------ */

static int by_range(const void *a, const void *b)
{
    const owned *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Write the non-empty own ranges, by column, to by_column; returns their number. */
static ns_status sort_owners(const ns_needs *n, owned *by_column, int32_t *owners, ns_error *err)
{
    int32_t count = 0;
    for (int32_t p = 0; p < n->site->parts; p++) {
        if (!n->added[p])
            return ns_fail(err, NS_ERR_DATA, "process %d of %d was not added", (int)p, (int)n->site->parts);
        if (n->own[p].first < n->own[p].last)
            by_column[count++] = n->own[p];
    }
    qsort(by_column, (size_t)count, sizeof *by_column, by_range);
    for (int32_t i = 1; i < count; i++)
        if (by_column[i].first < by_column[i - 1].last)
            return ns_fail(err, NS_ERR_DATA, "processes %d and %d both own column %lld", (int)by_column[i - 1].process,
                           (int)by_column[i].process, (long long)by_column[i].first);
    *owners = count;
    return NS_OK;
}

/* Split the columns that a process needs from others by their owners. */
static ns_status cut(const ns_needs *n, int32_t process, const owned *by_column, int32_t owners, ns_needlist *to,
                     ns_budget *budget, ns_error *err)
{
    const ns_needlist *from = &n->list[process];
    int32_t at = 0;
    for (int64_t i = 0; i < from->count; i++)
        for (int64_t col = from->need[i].col, end = col + from->need[i].count; col < end;) {
            while (at < owners && by_column[at].last <= col) /* columns rise */
                at++;
            const owned *o = &by_column[at];
            if (at == owners || o->first > col)
                return ns_fail(err, NS_ERR_DATA, "process %d needs column %lld, which no process owns", (int)process,
                               (long long)col);
            const int64_t until = o->last < end ? o->last : end;
            NS_TRY(ns_context_tick(1, err));
            if (o->process != process)
                NS_TRY(ns_needlist_append(to, (ns_need){col, (int32_t)(until - col), o->process}, budget, err));
            col = until;
        }
    return ns_needlist_sort(to, err);
}

ns_status ns_needs_finish(const ns_needs *needs, ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    const int32_t processes = needs->site->parts;
    ns_budget budget = needs->budget;
    owned *own;
    ns_needlist *lists = NULL;
    int32_t owners = 0;
    NS_TRY(ns_take(&own, processes, sizeof *own, &budget, err));
    ns_status status = ns_take(&lists, processes, sizeof *lists, &budget, err);
    if (status == NS_OK)
        status = sort_owners(needs, own, &owners, err);
    for (int32_t p = 0; status == NS_OK && p < processes; p++)
        status = cut(needs, p, own, owners, &lists[p], &budget, err);
    const ns_layout layout = {processes, needs->site->per_node};
    const ns_blocks blocks = {.layouts = 1, .layout = &layout};
    ns_work work = {.limit = needs->max_work};
    ns_needsource source = {.blocks = &blocks, .lists = lists, .budget = &budget, .work = &work};
    if (status == NS_OK)
        status = ns_exchange_build(&source, needs->site, needs->width, false, exchange, err);
    for (int32_t p = 0; lists != NULL && p < processes; p++)
        ns_needlist_free(&lists[p], &budget);
    ns_free(lists);
    ns_free(own);
    return status;
}

ns_status ns_exchange_from_needs(const ns_process_needs *process, const ns_site *site, int64_t width,
                                 const ns_limits *limits, ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    ns_needs *needs;
    NS_TRY(ns_needs_begin(site, width, limits, &needs, err));
    ns_status status = NS_OK;
    for (int32_t p = 0; status == NS_OK && p < site->parts; p++) {
        const ns_process_needs *of = &process[p];
        status = of->column_32 != NULL ? ns_needs_add_32(needs, p, of->first, of->last, of->column_32, of->count, err)
                                       : ns_needs_add_64(needs, p, of->first, of->last, of->column_64, of->count, err);
    }
    if (status == NS_OK)
        status = ns_needs_finish(needs, exchange, err);
    ns_needs_free(needs);
    return status;
}
