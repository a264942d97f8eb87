/* scotch.h -- parts mapped to nodes by libscotch, which is loaded where it is found */
#ifndef NS_SCOTCH_SCOTCH_H
#define NS_SCOTCH_SCOTCH_H

#include <nsmodel/graph.h>

/* Place the parts so that few bytes go between nodes, as many parts on each as can be.  The same seed gives the same
 * answer.  NS_ERR_FILE where there is no libscotch, or one that cannot be used. */
ns_status ns_scotch_map(const ns_graph *graph, int32_t nodes, uint64_t seed, int32_t *node_of, ns_error *err);

#endif
