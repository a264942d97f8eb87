/* graph.h -- contents of a graph: fragments of columns and their needers */
#ifndef NS_PATTERN_GRAPH_H
#define NS_PATTERN_GRAPH_H

#include "pattern/needlist.h"

#include <nsmodel/graph.h>

typedef struct ns_fragment {
    int64_t entries; /* > 0 */
    int64_t needer;  /* index into ns_graph.needer of the first, ascending part numbers */
    int32_t origin;  /* part that owns them */
    int32_t needers; /* > 0 */
} ns_fragment;

/* Created by the functions below and only read elsewhere; fields may be added at the end. */
struct ns_graph {
    size_t size; /* of this struct, B */
    int32_t parts;
    int64_t width; /* bytes per entry */
    int64_t fragments, needers, routes;
    ns_fragment *fragment;   /* by origin, then column */
    int64_t *first_fragment; /* [parts + 1]: of part q first_fragment[q] to first_fragment[q + 1] - 1 */
    int32_t *needer;
    ns_route *route;      /* by receiver, then sender */
    int64_t *first_route; /* [parts + 1]: routes to part p */
    int64_t *need;        /* [parts] entries that a part receives */
};

/* Build it from the set of needs of the source's only layout. */
ns_status ns_graph_build(ns_needsource *source, int64_t width, ns_graph **graph, ns_error *err);

#endif
