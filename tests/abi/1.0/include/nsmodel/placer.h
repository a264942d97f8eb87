/* placer.h of the first 1.0: its declarations */
#ifndef NSMODEL_PLACER_H
#define NSMODEL_PLACER_H

#include <nsmodel/choice.h>
#include <nsmodel/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_placer ns_placer;

NS_API ns_status ns_placer_open(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                                const ns_selection *selection, const ns_limits *limits, ns_placer **placer,
                                ns_error *err);
NS_API void ns_placer_free(ns_placer *placer);

typedef struct ns_placed {
    size_t size;
    const ns_strategy *strategy;
    ns_transport transport;
    bool by_difference;
} ns_placed;
NS_API int ns_placer_choices(const ns_placer *placer);

NS_API const ns_placed *ns_placer_choice(const ns_placer *placer, int i);

NS_API ns_status ns_placer_batch(ns_placer *placer, const int32_t *node_of, size_t placements, double *seconds,
                                 ns_error *err);

NS_API ns_status ns_placer_put(ns_placer *placer, const int32_t *node_of, ns_error *err);

NS_API ns_status ns_placer_move(ns_placer *placer, int32_t part, int32_t node, ns_error *err);
NS_API ns_status ns_placer_swap(ns_placer *placer, int32_t a, int32_t b, ns_error *err);

NS_API const int32_t *ns_placer_node_of(const ns_placer *placer);

NS_API int32_t ns_placer_size(const ns_placer *placer, int32_t node);

NS_API ns_status ns_placer_price(ns_placer *placer, double *seconds, ns_error *err);

NS_API void ns_place_blocks(int32_t parts, int32_t nodes, int32_t *node_of);
NS_API void ns_place_cyclic(int32_t parts, int32_t nodes, int32_t *node_of);

#ifdef __cplusplus
}
#endif
#endif
