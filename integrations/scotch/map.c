/* map.c -- a graph of parts, given to libscotch */
#include "core/memory.h"
#include "pattern/graph.h"
#include "scotch/library.h"
#include "scotch/scotch.h"

#include <stdlib.h>

enum { QUALITY = 0x1, BALANCE = 0x4, WEIGHT_MOST = 1 << 30 };

/* Edges of a part in both directions, one for each other part that it sends to or receives from. */
typedef struct adjacency {
    ns_scotch_num *first;  /* [parts + 1] */
    ns_scotch_num *other;  /* [2 routes] */
    ns_scotch_num *weight; /* [2 routes] */
    int64_t *out_first;    /* [parts + 2] */
    int64_t *out;          /* [routes] routes by sender, then receiver */
} adjacency;

static void close_adjacency(adjacency *a)
{
    ns_free(a->first);
    ns_free(a->other);
    ns_free(a->weight);
    ns_free(a->out_first);
    ns_free(a->out);
}

static ns_status open_adjacency(adjacency *a, const ns_graph *graph, ns_error *err)
{
    const size_t parts = (size_t)graph->parts, routes = (size_t)graph->routes + 1;
    if (graph->routes > INT32_MAX / 2)
        return ns_fail(err, NS_ERR_LIMIT, "%lld routes are more than libscotch's numbers count",
                       (long long)graph->routes);
    *a = (adjacency){.first = ns_calloc(parts + 1, sizeof *a->first),
                     .other = ns_calloc(2 * routes, sizeof *a->other),
                     .weight = ns_calloc(2 * routes, sizeof *a->weight),
                     .out_first = ns_calloc(parts + 2, sizeof *a->out_first),
                     .out = ns_calloc(routes, sizeof *a->out)};
    return a->first != NULL && a->other != NULL && a->weight != NULL && a->out_first != NULL && a->out != NULL
               ? NS_OK
               : ns_no_memory(err);
}

static void sort_by_sender(adjacency *a, const ns_graph *graph)
{
    for (int64_t i = 0; i < graph->routes; i++)
        a->out_first[graph->route[i].from + 2]++;
    for (int32_t p = 0; p < graph->parts; p++)
        a->out_first[p + 2] += a->out_first[p + 1];
    for (int64_t i = 0; i < graph->routes; i++)
        a->out[a->out_first[graph->route[i].from + 1]++] = i;
}

/* What a part receives comes by rising sender, what it sends by rising receiver; entries as weights whose sum
 * libscotch's numbers can hold. */
static int32_t merge_part(adjacency *a, const ns_graph *graph, int32_t p, double scale, int32_t at)
{
    int64_t in = graph->first_route[p], out = a->out_first[p];
    while (in < graph->first_route[p + 1] || out < a->out_first[p + 1]) {
        const int32_t from = in < graph->first_route[p + 1] ? graph->route[in].from : INT32_MAX,
                      to = out < a->out_first[p + 1] ? graph->route[a->out[out]].to : INT32_MAX,
                      other = from < to ? from : to;
        double entries = 0;
        if (from == other)
            entries += (double)graph->route[in++].entries;
        if (to == other)
            entries += (double)graph->route[a->out[out++]].entries;
        a->other[at] = other;
        a->weight[at++] = entries * scale < 1 ? 1 : (ns_scotch_num)(entries * scale);
    }
    return at;
}

static void make_adjacency(adjacency *a, const ns_graph *graph)
{
    double entries = 0;
    for (int64_t i = 0; i < graph->routes; i++)
        entries += 2 * (double)graph->route[i].entries;
    const double most = WEIGHT_MOST, scale = entries > most ? most / entries : 1;
    sort_by_sender(a, graph);
    for (int32_t p = 0; p < graph->parts; p++)
        a->first[p + 1] = merge_part(a, graph, p, scale, a->first[p]);
}

/* libscotch's own objects. */
typedef struct objects {
    const ns_scotch_library *of;
    void *graph, *arch, *strategy;
} objects;

static void close_objects(objects *o)
{
    if (o->strategy != NULL)
        o->of->stratExit(o->strategy);
    if (o->arch != NULL)
        o->of->archExit(o->arch);
    if (o->graph != NULL)
        o->of->graphExit(o->graph);
    o->of->memFree(o->strategy);
    o->of->memFree(o->arch);
    o->of->memFree(o->graph);
}

static void *started(void *object, int (*start)(void *), const ns_scotch_library *of)
{
    if (object == NULL || start(object) == 0)
        return object;
    of->memFree(object);
    return NULL;
}

static ns_status open_objects(objects *o, const ns_scotch_library *of, ns_error *err)
{
    *o = (objects){.of = of,
                   .graph = started(of->graphAlloc(), of->graphInit, of),
                   .arch = started(of->archAlloc(), of->archInit, of),
                   .strategy = started(of->stratAlloc(), of->stratInit, of)};
    return o->graph != NULL && o->arch != NULL && o->strategy != NULL ? NS_OK : ns_no_memory(err);
}

static ns_status map(const objects *o, const adjacency *a, int32_t parts, int32_t nodes, uint64_t seed,
                     int32_t *node_of, ns_error *err)
{
    const ns_scotch_library *of = o->of;
    of->randomSeed((ns_scotch_num)(seed & INT32_MAX));
    of->randomReset();
    if (of->archCmplt(o->arch, nodes) != 0 || of->stratGraphMapBuild(o->strategy, QUALITY | BALANCE, nodes, 0) != 0 ||
        of->graphBuild(o->graph, 0, parts, a->first, a->first + 1, NULL, NULL, a->first[parts], a->other, a->weight) !=
            0 ||
        of->graphMap(o->graph, o->arch, o->strategy, node_of) != 0)
        return ns_fail(err, NS_ERR_FILE, "libscotch did not map %d parts to %d nodes", (int)parts, (int)nodes);
    return NS_OK;
}

ns_status ns_scotch_map(const ns_graph *graph, int32_t nodes, uint64_t seed, int32_t *node_of, ns_error *err)
{
    ns_scotch_library library;
    adjacency a = {NULL, NULL, NULL, NULL, NULL};
    objects o;
    NS_TRY(ns_scotch_load(&library, err));
    ns_status status = open_adjacency(&a, graph, err);
    if (status == NS_OK) {
        make_adjacency(&a, graph);
        status = open_objects(&o, &library, err);
        if (status == NS_OK)
            status = map(&o, &a, graph->parts, nodes, seed, node_of, err);
        close_objects(&o);
    }
    close_adjacency(&a);
    return status;
}
