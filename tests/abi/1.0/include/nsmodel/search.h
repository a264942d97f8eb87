/* search.h of the first 1.0: its declarations */
#ifndef NSMODEL_SEARCH_H
#define NSMODEL_SEARCH_H

#include <nsmodel/placer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_search_options {
    size_t size;
    uint64_t seed;
    int64_t tries;
    int32_t per_node;
    void (*watch)(void *context, int64_t done, int64_t all);
    void *context;
    const int32_t *room;
} ns_search_options;

NS_API ns_status ns_place_search(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                                 const ns_selection *selection, const ns_limits *limits,
                                 const ns_search_options *options, int32_t *node_of, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
