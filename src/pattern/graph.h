/* graph.h -- putting an ns_graph together */
#ifndef NS_PATTERN_GRAPH_H
#define NS_PATTERN_GRAPH_H

#include "core/work.h"
#include "pattern/needlist.h"

#include <nsmodel/graph.h>

/* Out of the set of needs of the source's only layout. */
ns_status ns_graph_build(ns_needsource *source, int64_t width, ns_graph **graph, ns_error *err);

#endif
