/* streams.c -- the requests of every node, by serial numbers of columns */
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "netsparse/trace.h"

#include <string.h>

/* ---- build ------------------------------------------------------------------------------------------------------- */

typedef struct builder {
    ns_trace *trace;
    int32_t first;            /* node of the rack */
    const ns_needlist *lists; /* [nodes of the rack] */
    uint32_t **number;        /* [threads][cols] serial number of a column */
    int64_t *met;             /* [nodes of the rack] columns of the merge seen by each node so far */
} builder;

static ns_budget *budget_of(const ns_trace *t)
{
    return &t->store->scan.budget;
}

static ns_status take_stream(ns_trace *t, int32_t node, int64_t unique, ns_error *err)
{
    ns_stream *s = &t->store->stream[node];
    const ns_rows *rows = &t->store->scan.view->rows;
    const int64_t begin = ns_rows_first(rows, node);
    if (unique > INT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "node %d needs too many columns for one schedule", (int)node);
    *s = (ns_stream){
        .requests = ns_rows_first(rows, node + 1) - begin, .base = -1, .clients = 1, .batch = 1, .unique = unique};
    for (s->number_bits = 1; unique >> s->number_bits > 0; s->number_bits++)
        ;
    s->id = rows->narrow != NULL ? rows->narrow + begin : (uint32_t *)(void *)(rows->wide + begin);
    NS_TRY(ns_take(&s->route, unique, sizeof *s->route, budget_of(t), err));
    NS_TRY(ns_take(&s->run_route, unique / NS_ROUTE_RUN + 1, sizeof *s->run_route, budget_of(t), err));
    NS_TRY(ns_take(&s->rack_col, unique, sizeof *s->rack_col, budget_of(t), err));
    NS_TRY(ns_take(&s->kept, s->requests / 64 + 2, sizeof *s->kept, budget_of(t), err));
    NS_TRY(ns_take(&s->issued, s->requests / 64 + 2, sizeof *s->issued, budget_of(t), err));
    return NS_OK;
}

/* Columns of the rack, and the nodes that need them. */
static ns_status receive(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err)
{
    builder *b = context;
    ns_trace *t = b->trace;
    const int32_t rack = b->first / t->rack;
    ns_rack_columns *r = &t->store->rack[rack];
    NS_TRY(ns_grow(&r->col, &r->capacity, r->count + need->count, sizeof *r->col, budget_of(t), err));
    if (r->count + need->count > UINT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "rack %d needs too many columns for one cache", (int)rack);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < need->count; k++)
            t->store->stream[b->first + who[i]].rack_col[b->met[who[i]]++] = (uint32_t)(r->count + k);
    for (int32_t k = 0; k < need->count; k++)
        r->col[r->count++] = need->col + k;
    if (need->owner / t->rack != rack) {
        t->rack_counts[rack].columns += need->count;
        t->rack_counts[rack].pairs += (int64_t)count * need->count;
    }
    return NS_OK;
}

/* Distinct columns of each software rank, which has a share of the rows, summed over the ranks, and the largest number
 * times the ranks; `first` holds the number, from 1, of the last rank that saw a column. */
static void count_ranks(const ns_trace *t, int32_t node, uint32_t *first)
{
    const ns_rows *rows = &t->store->scan.view->rows;
    const ns_stream *s = &t->store->stream[node];
    const int64_t from = rows->part_place[node], count = rows->part_place[node + 1] - from;
    const int64_t ranks = t->ranks < count ? t->ranks : count; /* more ranks than rows: each row has its own rank */
    int64_t distinct = 0, most = 0;
    memset(first, 0, (size_t)s->unique * sizeof *first);
    for (int64_t r = 0; r < ranks; r++) {
        const int64_t begin = rows->start[from + ns_block_first(r, count, ranks)] - rows->start[from],
                      end = rows->start[from + ns_block_first(r + 1, count, ranks)] - rows->start[from];
        const int64_t before = distinct;
        for (int64_t e = begin; e < end; e++) {
            distinct += first[s->id[e]] != (uint32_t)r + 1;
            first[s->id[e]] = (uint32_t)r + 1;
        }
        most = distinct - before > most ? distinct - before : most;
    }
    t->node[node].rank_unique = distinct;
    t->node[node].rank_most = most * ranks;
}

static ns_status translate(void *context, int64_t item, int worker, ns_error *err)
{
    const builder *b = context;
    ns_trace *t = b->trace;
    const int32_t node = b->first + (int32_t)item;
    const ns_needlist *list = &b->lists[item];
    ns_stream *s = &t->store->stream[node];
    const ns_rows *rows = &t->store->scan.view->rows;
    const int64_t begin = ns_rows_first(rows, node);
    uint32_t *number = b->number[worker];
    int64_t route = t->store->route_first[node];
    (void)err;
    uint32_t next = 0;
    for (int64_t i = 0; i < list->count; i++) {
        while (t->store->exchange->route[route].from != list->need[i].owner)
            route++;
        for (int32_t k = 0; k < list->need[i].count; k++, next++) {
            s->route[next] = (uint32_t)(route - t->store->route_first[node]);
            number[list->need[i].col + k] = next;
        }
    }
    /* Columns are numbered by owner, so that most runs of them have a single owner. */
    for (int64_t first = 0; first < s->unique; first += NS_ROUTE_RUN) {
        const int64_t last = first + NS_ROUTE_RUN < s->unique ? first + NS_ROUTE_RUN - 1 : s->unique - 1;
        s->run_route[first / NS_ROUTE_RUN] = s->route[first] == s->route[last] ? s->route[first] : NS_NO_ROUTE;
    }
    for (int64_t e = 0; e < s->requests; e++) /* in place: a number is no wider than the column that it replaces */
        s->id[e] = number[ns_rows_col(rows, begin + e)];
    count_ranks(t, node, t->store->scratch[worker].first);
    return NS_OK;
}

/* Build the lists of a rack's nodes, then their streams. */
static ns_status build_rack(builder *b, ns_needsource *source, ns_needlist *lists, int32_t rack, ns_error *err)
{
    ns_trace *t = b->trace;
    const int32_t count = ns_trace_nodes_of_rack(t, rack);
    b->first = ns_trace_first_of_rack(t, rack);
    memset(b->met, 0, (size_t)count * sizeof *b->met);
    for (int32_t i = 0; i < count; i++) {
        int64_t columns = 0;
        NS_TRY(ns_needlist_collect(source, b->first + i, &lists[i], err));
        for (int64_t k = 0; k < lists[i].count; k++)
            columns += lists[i].need[k].count;
        NS_TRY(take_stream(t, b->first + i, columns, err));
    }
    NS_TRY(ns_needlist_merge(lists, count, receive, b, err));
    return ns_parallel(count, t->store->threads, translate, b, err);
}

/* ---- scratch ----------------------------------------------------------------------------------------------------- */

typedef struct needs {
    int64_t requests, unique, routes;    /* largest number of a node */
    int64_t rack_requests, rack_columns; /* largest number of a rack, columns counted once for each node */
} needs;

static needs find_needs(const ns_trace *t)
{
    needs n = {0};
    int64_t rack_requests = 0, rack_columns = 0;
    const ns_rows *rows = &t->store->scan.view->rows;
    for (int32_t p = 0; p < t->nodes; p++) {
        const int64_t requests = ns_rows_first(rows, p + 1) - ns_rows_first(rows, p),
                      unique = t->store->exchange->need[p],
                      routes = t->store->route_first[p + 1] - t->store->route_first[p];
        n.requests = requests > n.requests ? requests : n.requests;
        n.unique = unique > n.unique ? unique : n.unique;
        n.routes = routes > n.routes ? routes : n.routes;
        rack_requests = p % t->rack == 0 ? requests : rack_requests + requests;
        rack_columns = p % t->rack == 0 ? unique : rack_columns + unique;
        n.rack_requests = rack_requests > n.rack_requests ? rack_requests : n.rack_requests;
        n.rack_columns = rack_columns > n.rack_columns ? rack_columns : n.rack_columns;
    }
    return n;
}

/* The number of threads that are wanted, or fewer where their scratch, including that of caches, might not fit; this
 * does not change any result. */
static int count_threads(const ns_trace *t, const needs *n, int wanted)
{
    const double each = (double)t->cols * sizeof(uint32_t) + (double)n->unique * (sizeof(uint64_t) + sizeof(uint32_t)) +
                        (double)n->requests * sizeof(uint32_t) + (double)n->routes * sizeof(ns_gather_queue) +
                        (double)n->rack_requests * (sizeof(ns_cache_request) + 1) +
                        (double)n->rack_columns * (sizeof(ns_cache_column) + sizeof(double));
    int threads = ns_threads(wanted);
    if (threads > t->nodes)
        threads = (int)t->nodes;
    while (threads > 1 && ns_budget_check(budget_of(t), threads * each, NULL) != NS_OK)
        threads--;
    if (wanted > threads && threads < t->nodes)
        ns_tell_host(NS_LOG_NOTE, "%d threads count in place of %d: memory for more is beyond the limit", threads,
                     wanted);
    return threads;
}

static ns_status build_with(builder *b, int32_t size, ns_error *err)
{
    ns_trace *t = b->trace;
    ns_needsource source = {.blocks = &t->store->scan.blocks, .set = &t->store->scan.set, .budget = budget_of(t)};
    ns_needlist *lists = ns_calloc((size_t)size, sizeof *lists);
    b->lists = lists;
    b->met = ns_calloc((size_t)size, sizeof *b->met);
    ns_status status = lists != NULL && b->met != NULL ? NS_OK : ns_no_memory(err);
    for (int i = 0; i < t->store->threads && status == NS_OK; i++)
        status = ns_take(&b->number[i], t->cols, sizeof **b->number, budget_of(t), err);
    for (int32_t rack = 0; rack < t->racks && status == NS_OK; rack++)
        status = build_rack(b, &source, lists, rack, err);
    for (int32_t i = 0; lists != NULL && i < size; i++)
        ns_needlist_free(&lists[i], budget_of(t));
    ns_needset_scratch_free(&source.words, budget_of(t));
    for (int i = 0; i < t->store->threads; i++)
        ns_give_back(b->number[i], t->cols, sizeof **b->number, budget_of(t));
    ns_free(lists);
    ns_free(b->met);
    return status;
}

ns_status ns_streams_build(ns_trace *trace, int threads, ns_error *err)
{
    ns_trace_store *s = trace->store;
    const needs n = find_needs(trace);
    s->threads = count_threads(trace, &n, threads);
    uint32_t *number[NS_THREADS_MOST] = {NULL};
    builder b = {.trace = trace, .number = number};
    s->stream = ns_calloc((size_t)trace->nodes, sizeof *s->stream);
    s->rack = ns_calloc((size_t)trace->racks, sizeof *s->rack);
    s->scratch = ns_calloc((size_t)s->threads, sizeof *s->scratch);
    s->sent = ns_calloc(ns_size_add((size_t)s->exchange->routes, 1), sizeof *s->sent);
    s->hits = ns_calloc(ns_size_add((size_t)s->exchange->routes, 1), sizeof *s->hits);
    if (s->stream == NULL || s->rack == NULL || s->scratch == NULL || s->sent == NULL || s->hits == NULL)
        return ns_no_memory(err);
    for (ns_trace_scratch *x = s->scratch; x < s->scratch + s->threads; x++) {
        NS_TRY(ns_take(&x->units, n.unique, sizeof *x->units, budget_of(trace), err));
        NS_TRY(ns_take(&x->first, n.unique, sizeof *x->first, budget_of(trace), err));
        NS_TRY(ns_take(&x->order, n.requests, sizeof *x->order, budget_of(trace), err));
        NS_TRY(ns_take(&x->queue, n.routes, sizeof *x->queue, budget_of(trace), err));
    }
    return build_with(&b, trace->rack < trace->nodes ? trace->rack : trace->nodes, err);
}

void ns_streams_free(ns_trace *trace)
{
    ns_trace_store *s = trace->store;
    for (int32_t p = 0; s->stream != NULL && p < trace->nodes; p++) {
        ns_free(s->stream[p].route);
        ns_free(s->stream[p].run_route);
        ns_free(s->stream[p].rack_col);
        ns_free(s->stream[p].kept);
        ns_free(s->stream[p].issued);
    }
    for (int32_t k = 0; s->rack != NULL && k < trace->racks; k++)
        ns_free(s->rack[k].col);
    for (int i = 0; s->scratch != NULL && i < s->threads; i++) {
        ns_trace_scratch *x = &s->scratch[i];
        void *const all[] = {x->order,  x->units, x->first, x->queue, x->request,
                             x->column, x->marks, x->tree,  x->chance};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            ns_free(all[k]);
    }
    ns_free(s->stream);
    ns_free(s->rack);
    ns_free(s->scratch);
    ns_free(s->sent);
    ns_free(s->hits);
}
