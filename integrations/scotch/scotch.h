/* scotch.h -- parts mapped to nodes by libscotch, which is loaded at run time if present: none of its headers is
 * needed */
#ifndef NS_SCOTCH_SCOTCH_H
#define NS_SCOTCH_SCOTCH_H

#include <nsmodel/graph.h>

/* Map the parts so that few bytes go between nodes, with the parts spread as evenly as possible.  The same seed gives
 * the same result.  NS_ERR_FILE where there is no libscotch, or one that cannot be used. */
ns_status ns_scotch_map(const ns_graph *graph, int32_t nodes, uint64_t seed, int32_t *node_of, ns_error *err);

/* Its integer type: libscotch is built for one width, and a library with 32 bits is required. */
typedef int32_t ns_scotch_num;

/* Its functions under libscotch's names.  Graphs, architectures and strategies are its own memory. */
typedef struct ns_scotch_library {
    int (*numSizeof)(void);
    void (*memFree)(void *memory);
    void *(*graphAlloc)(void);
    int (*graphInit)(void *graph);
    void (*graphExit)(void *graph);
    int (*graphBuild)(void *graph, ns_scotch_num base, ns_scotch_num vertices, const ns_scotch_num *first,
                      const ns_scotch_num *end, const ns_scotch_num *weight, const ns_scotch_num *label,
                      ns_scotch_num edges, const ns_scotch_num *edge, const ns_scotch_num *edge_weight);
    int (*graphMap)(void *graph, const void *arch, void *strategy, ns_scotch_num *part);
    void *(*archAlloc)(void);
    int (*archInit)(void *arch);
    void (*archExit)(void *arch);
    int (*archCmplt)(void *arch, ns_scotch_num size);
    void *(*stratAlloc)(void);
    int (*stratInit)(void *strategy);
    void (*stratExit)(void *strategy);
    int (*stratGraphMapBuild)(void *strategy, ns_scotch_num flags, ns_scotch_num parts, double imbalance);
    void (*randomSeed)(ns_scotch_num seed);
    void (*randomReset)(void);
    /* Since 7.0, whose mappings are computed by all processors and differ from run to run; NULL in older versions. */
    void *(*contextAlloc)(void);
    int (*contextInit)(void *context);
    void (*contextExit)(void *context);
    int (*contextThreadSpawn)(void *context, int threads, const int *cores);
    int (*contextBindGraph)(void *context, const void *graph, void *bound);
} ns_scotch_library;

/* Once loaded it remains loaded until the process ends. */
ns_status ns_scotch_load(ns_scotch_library *library, ns_error *err);

#endif
