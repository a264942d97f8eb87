/* graph.h of the first 1.0: its declarations */
#ifndef NSMODEL_GRAPH_H
#define NSMODEL_GRAPH_H

#include <nsmodel/exchange.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_graph ns_graph;

NS_API ns_status ns_graph_from_matrix(ns_matrix *matrix, int32_t parts, const ns_exchange_options *options,
                                      ns_graph **graph, int64_t *nonzeros, ns_error *err);

NS_API ns_status ns_graph_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col,
                                   int32_t parts, const ns_exchange_options *options, ns_graph **graph, ns_error *err);

NS_API ns_status ns_graph_from_messages(const ns_planned *message, size_t messages, int32_t parts,
                                        const ns_limits *limits, ns_graph **graph, ns_error *err);

NS_API ns_status ns_graph_exchange(const ns_graph *graph, const ns_site *site, ns_exchange **exchange, ns_error *err);

NS_API void ns_graph_free(ns_graph *graph);

NS_API int32_t ns_graph_parts(const ns_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
