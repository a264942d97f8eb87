/* search.h -- a placement of parts on nodes that makes their exchange fast */
#ifndef NSMODEL_SEARCH_H
#define NSMODEL_SEARCH_H

#include <nsmodel/placer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_search_options {
    size_t size; /* of this struct; 0 means the fields of version 1.0 */
    uint64_t seed;
    int64_t tries;    /* swaps and moves to price; 0: a default by the size of the graph */
    int32_t per_node; /* most parts of a node; 0: as many as the fullest node has, in blocks or at first */
    void (*watch)(void *context, int64_t done, int64_t all); /* called now and then; or NULL */
    void *context;
    const int32_t *room; /* [nodes] most parts of each node, where nodes differ; NULL: per_node of all */
} ns_search_options;

/* Search for the placement on which the fastest selected choice takes the least time: recursive bisection of the graph,
 * then swaps and moves.  node_of[parts] holds a first placement, and then the best that was found, which is never
 * slower.  selection and limits are those of ns_placer_open.  The same seed gives the same answer. */
NS_API ns_status ns_place_search(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                                 const ns_selection *selection, const ns_limits *limits,
                                 const ns_search_options *options, int32_t *node_of, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
