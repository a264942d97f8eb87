/* trace.c -- the exact counts of [NS] Section 3 and the streams on which the mechanisms operate */
#include "netsparse/trace.h"

#include "core/memory.h"
#include "core/sized.h"

#include <string.h>

enum { RACK = 16, RANKS = 64 };

static ns_status fill(ns_trace *t, ns_matrix *matrix, const ns_trace_options *options, ns_error *err)
{
    ns_trace_store *s = t->store;
    ns_exchange_options wanted = {
        .width = 1, .part = options->part, .max_memory = options->max_memory, .view = &t->view, .rack = t->rack};
    t->view.size = sizeof t->view;
    NS_TRY(ns_scan_run(&s->scan, matrix, &s->layout, 1, &wanted, options->threads, &s->exchange, err));
    t->node = ns_calloc((size_t)t->nodes, sizeof *t->node);
    t->rack_counts = ns_calloc((size_t)t->racks, sizeof *t->rack_counts);
    s->route_first = ns_calloc(ns_size_add((size_t)t->nodes, 1), sizeof *s->route_first);
    if (t->node == NULL || t->rack_counts == NULL || s->route_first == NULL)
        return ns_no_memory(err);
    const ns_scan *scan = &s->scan;
    const ns_exchange *x = s->exchange;
    for (int32_t p = 0; p < t->nodes; p++) {
        int64_t first, count;
        ns_blocks_groups_of(&scan->blocks, 0, p, &first, &count);
        for (int64_t g = first; g < first + count; g++)
            t->node[p].nonzeros += scan->view->entries[g];
        t->node[p].requests = ns_rows_first(&scan->view->rows, p + 1) - ns_rows_first(&scan->view->rows, p);
        t->node[p].unique = x->need[p];
    }
    if (scan->blocks.part == NULL)
        for (int32_t p = 0; p < t->nodes; p++)
            t->node[p].owned = ns_block_first(p + 1, t->cols, t->nodes) - ns_block_first(p, t->cols, t->nodes);
    else
        for (int64_t c = 0; c < t->cols; c++)
            t->node[scan->blocks.part[c]].owned++;
    for (int64_t i = 0; i < x->routes; i++) {
        t->node[x->route[i].from].served += x->route[i].entries;
        s->route_first[x->route[i].to + 1]++;
    }
    for (int32_t p = 0; p < t->nodes; p++)
        s->route_first[p + 1] += s->route_first[p];
    NS_TRY(ns_streams_build(t, options->threads, err));
    ns_needset_free(&s->scan.set);
    return NS_OK;
}

ns_status ns_trace_open(ns_matrix *matrix, int32_t nodes, const ns_trace_options *wanted, ns_trace **trace,
                        ns_error *err)
{
    ns_error_clear(err);
    ns_trace_options given;
    const ns_trace_options *const options = &given;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    NS_TRY(NS_TAKE_OPTIONS(wanted, ns_trace_options, threads, &given, err));
    if (nodes < 1 || options->rack < 0 || options->ranks < 0 || options->threads < 0)
        return ns_fail(err, NS_ERR_RANGE, "nodes, nodes per rack, ranks per node and threads have to be at least 1");
    ns_trace *t = ns_calloc(1, sizeof *t);
    ns_trace_store *store = ns_calloc(1, sizeof *store);
    if (t == NULL || store == NULL) {
        ns_free(t);
        ns_free(store);
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
    ns_streams_free(trace);
    ns_exchange_free(s->exchange);
    ns_scan_free(&s->scan);
    ns_free(s->route_first);
    ns_free(s);
    ns_free(trace->node);
    ns_free(trace->rack_counts);
    ns_free(trace);
}

/* ---- Tables 1 and 4 of [NS]: five matrices on 128 nodes in racks of 16 ------------------------------------------- */

static const ns_published_view published[] = {
    {"arabic-2005", 1947, 27, 2.51}, {"europe_osm", 582, 0.02, 7.43}, {"Queen_4147", 74, 25, 1.00},
    {"stokes", 32, 3.6, 1.85},       {"uk-2002", 966, 4.5, 5.61},
};

const ns_published_view *ns_trace_published(const ns_trace *trace, const char *name)
{
    const char *slash = strrchr(name, '/'), *stem = slash != NULL ? slash + 1 : name;
    if (trace->nodes != 128 || trace->rack != 16)
        return NULL;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (strcmp(published[i].name, stem) == 0)
            return &published[i];
    return NULL;
}

double ns_relative_deviation(double computed, double published_value)
{
    return computed < 0 || published_value == 0 ? 0 : computed / published_value - 1;
}
