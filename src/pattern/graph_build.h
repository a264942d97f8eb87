/* graph_build.h -- putting an ns_graph together */
#ifndef NS_PATTERN_GRAPH_BUILD_H
#define NS_PATTERN_GRAPH_BUILD_H

#include "core/work.h"
#include "pattern/graph.h"
#include "pattern/needlist.h"

/* Out of the set of needs of the source's only layout. */
ns_status ns_graph_build(ns_needsource *source, int64_t width, ns_graph **graph, ns_error *err);

#endif
