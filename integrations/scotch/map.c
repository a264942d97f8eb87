/* map.c -- libscotch, loaded when parts are mapped, and a graph of parts given to it */
#include "core/memory.h"
#include "core/without.h"
#include "pattern/graph.h"
#include "scotch/scotch.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The names that distributions give it. */
static const char *const file_names[] = {"libscotch-7.0.so", "libscotch.so.7.0", "libscotch-6.1.so", "libscotch.so"};
enum { FILE_NAMES = sizeof file_names / sizeof *file_names };

#define ROW(function)                                                                                                  \
    {                                                                                                                  \
        "SCOTCH_" #function, offsetof(ns_scotch_library, function)                                                     \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    ROW(numSizeof), ROW(memFree),   ROW(graphAlloc),         ROW(graphInit),  ROW(graphExit),   ROW(graphBuild),
    ROW(graphMap),  ROW(archAlloc), ROW(archInit),           ROW(archExit),   ROW(archCmplt),   ROW(stratAlloc),
    ROW(stratInit), ROW(stratExit), ROW(stratGraphMapBuild), ROW(randomSeed), ROW(randomReset),
    ROW(contextAlloc), ROW(contextInit), ROW(contextExit), ROW(contextThreadSpawn), ROW(contextBindGraph),
};
enum { CONTEXT = 5 }; /* the last, which may lack */
#undef ROW

_Static_assert(sizeof(ns_scotch_library) == sizeof functions / sizeof *functions * sizeof(void *),
               "every function has its row, and a pointer to one is as large as one to data, as POSIX has it");

ns_status ns_scotch_load(ns_scotch_library *library, ns_error *err)
{
    ns_scotch_library loaded;
    void *handle = NULL;
    for (int i = 0; i < FILE_NAMES && handle == NULL && !ns_without(getenv(NS_WITHOUT), "scotch"); i++) {
        handle = dlopen(file_names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL && ns_lacked_memory(dlerror()))
            return ns_no_memory(err);
    }
    if (handle == NULL)
        return ns_fail(err, NS_ERR_FILE, "libscotch (Debian's libscotch-7.0) is not installed");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const void *found = dlsym(handle, functions[i].name);
        if (found == NULL && i < sizeof functions / sizeof *functions - CONTEXT)
            return ns_fail(err, NS_ERR_FILE, "the libscotch that is installed has no %s", functions[i].name);
        memcpy((char *)&loaded + functions[i].offset, &found, sizeof found);
    }
    if (loaded.numSizeof() != (int)sizeof(ns_scotch_num))
        return ns_fail(err, NS_ERR_FILE, "the libscotch that is installed has numbers of %d B, wanted %d B",
                       loaded.numSizeof(), (int)sizeof(ns_scotch_num));
    *library = loaded;
    return NS_OK;
}

/* ---- a graph of parts -------------------------------------------------------------------------------------------- */

enum { QUALITY = 0x1, BALANCE = 0x4, WEIGHT_MOST = 1 << 30 };

/* Edges of a part in both directions, one for each other part that it sends to or receives from. */
typedef struct adjacency {
    ns_scotch_num *first;  /* [parts + 1] */
    ns_scotch_num *other;  /* [2 routes] */
    ns_scotch_num *weight; /* [2 routes] */
    int64_t *out_first;    /* [parts + 2] */
    int64_t *out;          /* [routes] routes by sender, then receiver */
} adjacency;

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

/* Begin an object of libscotch's own; NULL: there is no memory. */
static void *started(void *object, int (*start)(void *), const ns_scotch_library *of)
{
    if (object == NULL || start(object) == 0)
        return object;
    of->memFree(object);
    return NULL;
}

ns_status ns_scotch_map(const ns_graph *graph, int32_t nodes, uint64_t seed, int32_t *node_of, ns_error *err)
{
    ns_scotch_library library;
    adjacency a = {NULL, NULL, NULL, NULL, NULL};
    NS_TRY(ns_scotch_load(&library, err));
    ns_status status = open_adjacency(&a, graph, err);
    if (status == NS_OK) {
        double sum = 0;
        for (int64_t i = 0; i < graph->routes; i++)
            sum += 2 * (double)graph->route[i].entries;
        const double most = WEIGHT_MOST, scale = sum > most ? most / sum : 1;
        for (int64_t i = 0; i < graph->routes; i++)
            a.out_first[graph->route[i].from + 2]++;
        for (int32_t p = 0; p < graph->parts; p++)
            a.out_first[p + 2] += a.out_first[p + 1];
        for (int64_t i = 0; i < graph->routes; i++)
            a.out[a.out_first[graph->route[i].from + 1]++] = i;
        for (int32_t p = 0; p < graph->parts; p++) {
            /* What a part receives comes by rising sender, what it sends by rising receiver; entries as weights whose
             * sum libscotch's numbers can hold. */
            int32_t at = a.first[p];
            int64_t in = graph->first_route[p], out = a.out_first[p];
            while (in < graph->first_route[p + 1] || out < a.out_first[p + 1]) {
                const int32_t from = in < graph->first_route[p + 1] ? graph->route[in].from : INT32_MAX,
                              to = out < a.out_first[p + 1] ? graph->route[a.out[out]].to : INT32_MAX,
                              other = from < to ? from : to;
                double entries = 0;
                if (from == other)
                    entries += (double)graph->route[in++].entries;
                if (to == other)
                    entries += (double)graph->route[a.out[out++]].entries;
                a.other[at] = other;
                a.weight[at++] = entries * scale < 1 ? 1 : (ns_scotch_num)(entries * scale);
            }
            a.first[p + 1] = at;
        }
        void *own_graph = started(library.graphAlloc(), library.graphInit, &library);
        void *arch = started(library.archAlloc(), library.archInit, &library);
        void *strategy = started(library.stratAlloc(), library.stratInit, &library);
        /* One thread maps the graph, through a context, so that two runs give the same. */
        const bool threads = library.contextAlloc != NULL && library.contextInit != NULL &&
                             library.contextExit != NULL && library.contextThreadSpawn != NULL &&
                             library.contextBindGraph != NULL;
        void *bound = threads ? started(library.graphAlloc(), library.graphInit, &library) : NULL;
        void *context = threads ? started(library.contextAlloc(), library.contextInit, &library) : NULL;
        const bool begun = own_graph != NULL && arch != NULL && strategy != NULL;
        status = begun && (!threads || (bound != NULL && context != NULL)) ? NS_OK : ns_no_memory(err);
        if (status == NS_OK) {
            library.randomSeed((ns_scotch_num)(seed & INT32_MAX));
            library.randomReset();
            if (library.archCmplt(arch, nodes) != 0 ||
                library.stratGraphMapBuild(strategy, QUALITY | BALANCE, nodes, 0) != 0 ||
                library.graphBuild(own_graph, 0, graph->parts, a.first, a.first + 1, NULL, NULL, a.first[graph->parts],
                                   a.other, a.weight) != 0 ||
                (threads && (library.contextThreadSpawn(context, 1, NULL) != 0 ||
                             library.contextBindGraph(context, own_graph, bound) != 0)) ||
                library.graphMap(threads ? bound : own_graph, arch, strategy, node_of) != 0)
                status = ns_fail(err, NS_ERR_FILE, "libscotch did not map %d parts to %d nodes", (int)graph->parts,
                                 (int)nodes);
        }
        if (bound != NULL)
            library.graphExit(bound);
        if (context != NULL)
            library.contextExit(context);
        if (strategy != NULL)
            library.stratExit(strategy);
        if (arch != NULL)
            library.archExit(arch);
        if (own_graph != NULL)
            library.graphExit(own_graph);
        library.memFree(bound);
        library.memFree(context);
        library.memFree(strategy);
        library.memFree(arch);
        library.memFree(own_graph);
    }
    ns_free(a.first);
    ns_free(a.other);
    ns_free(a.weight);
    ns_free(a.out_first);
    ns_free(a.out);
    return status;
}
