/* map.c -- libscotch, loaded when parts are mapped, and a graph of parts passed to it */
#include "core/memory.h"
#include "core/without.h"
#include "pattern/graph.h"
#include "scotch/scotch.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* File names of the library in various distributions. */
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
enum { CONTEXT = 5 }; /* the last ones, which may be missing */
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

ns_status ns_scotch_map(const ns_graph *graph, int32_t nodes, uint64_t seed, int32_t *node_of, ns_error *err)
{
    ns_scotch_library library;
    NS_TRY(ns_scotch_load(&library, err));
    const size_t parts = (size_t)graph->parts, routes = (size_t)graph->routes + 1;
    if (graph->routes > INT32_MAX / 2)
        return ns_fail(err, NS_ERR_LIMIT, "%lld routes are more than libscotch's numbers count",
                       (long long)graph->routes);
    /* Edges of a part in both directions, one for each other part that it sends to or receives from: [parts + 1],
     * [2 routes], [2 routes].  Routes by sender, then receiver: [parts + 2], [routes]. */
    ns_scotch_num *first = ns_calloc(parts + 1 + 4 * routes, sizeof *first);
    int64_t *out_first = ns_calloc(parts + 2 + routes, sizeof *out_first);
    ns_status status = first != NULL && out_first != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        ns_scotch_num *other = first + parts + 1, *weight = other + 2 * routes;
        int64_t *out_of = out_first + parts + 2;
        double sum = 0;
        for (int64_t i = 0; i < graph->routes; i++)
            sum += 2 * (double)graph->route[i].entries;
        const double most = WEIGHT_MOST, scale = sum > most ? most / sum : 1;
        for (int64_t i = 0; i < graph->routes; i++)
            out_first[graph->route[i].from + 2]++;
        for (int32_t p = 0; p < graph->parts; p++)
            out_first[p + 2] += out_first[p + 1];
        for (int64_t i = 0; i < graph->routes; i++)
            out_of[out_first[graph->route[i].from + 1]++] = i;
        for (int32_t p = 0; p < graph->parts; p++) {
            /* What a part receives is sorted by sender, what it sends by receiver; entries are scaled to weights whose
             * sum fits into libscotch's numbers. */
            int32_t at = first[p];
            int64_t in = graph->first_route[p], out = out_first[p];
            while (in < graph->first_route[p + 1] || out < out_first[p + 1]) {
                const int32_t from = in < graph->first_route[p + 1] ? graph->route[in].from : INT32_MAX,
                              to = out < out_first[p + 1] ? graph->route[out_of[out]].to : INT32_MAX,
                              peer = from < to ? from : to;
                double entries = 0;
                if (from == peer)
                    entries += (double)graph->route[in++].entries;
                if (to == peer)
                    entries += (double)graph->route[out_of[out++]].entries;
                other[at] = peer;
                weight[at++] = entries * scale < 1 ? 1 : (ns_scotch_num)(entries * scale);
            }
            first[p + 1] = at;
        }
        /* One thread maps the graph, through a context, so that two runs give the same result. */
        const bool threads = library.contextAlloc != NULL && library.contextInit != NULL &&
                             library.contextExit != NULL && library.contextThreadSpawn != NULL &&
                             library.contextBindGraph != NULL;
        enum { GRAPH, ARCH, STRATEGY, IN_CONTEXT, BOUND, OBJECTS };
        const struct {
            void *(*alloc)(void);
            int (*init)(void *);
            void (*exit)(void *);
        } kind[OBJECTS] = {{library.graphAlloc, library.graphInit, library.graphExit},
                           {library.archAlloc, library.archInit, library.archExit},
                           {library.stratAlloc, library.stratInit, library.stratExit},
                           {library.contextAlloc, library.contextInit, library.contextExit},
                           {library.graphAlloc, library.graphInit, library.graphExit}};
        void *own[OBJECTS] = {NULL}; /* libscotch's memory */
        for (int k = 0; k < (threads ? OBJECTS : IN_CONTEXT) && status == NS_OK; k++) {
            own[k] = kind[k].alloc();
            if (own[k] == NULL || kind[k].init(own[k]) != 0) {
                library.memFree(own[k]);
                own[k] = NULL;
                status = ns_no_memory(err);
            }
        }
        if (status == NS_OK) {
            library.randomSeed((ns_scotch_num)(seed & INT32_MAX));
            library.randomReset();
            if (library.archCmplt(own[ARCH], nodes) != 0 ||
                library.stratGraphMapBuild(own[STRATEGY], QUALITY | BALANCE, nodes, 0) != 0 ||
                library.graphBuild(own[GRAPH], 0, graph->parts, first, first + 1, NULL, NULL, first[graph->parts],
                                   other, weight) != 0 ||
                (threads && (library.contextThreadSpawn(own[IN_CONTEXT], 1, NULL) != 0 ||
                             library.contextBindGraph(own[IN_CONTEXT], own[GRAPH], own[BOUND]) != 0)) ||
                library.graphMap(own[threads ? BOUND : GRAPH], own[ARCH], own[STRATEGY], node_of) != 0)
                status = ns_fail(err, NS_ERR_FILE, "libscotch did not map %d parts to %d nodes", (int)graph->parts,
                                 (int)nodes);
        }
        for (int k = OBJECTS - 1; k >= 0; k--)
            if (own[k] != NULL) {
                kind[k].exit(own[k]);
                library.memFree(own[k]);
            }
    }
    ns_free(first);
    ns_free(out_first);
    return status;
}
