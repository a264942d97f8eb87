/* graph.h -- who needs which columns of whom, whatever the mapping of parts to nodes
 *
 * An exchange belongs to one site.  A graph is what all exchanges of one pattern share: it is made once, and the
 * exchange of any site follows from it without another scan of the matrix.  A fragment is a run of consecutive columns
 * of a part that the same parts need.
 */
#ifndef NSMODEL_GRAPH_H
#define NSMODEL_GRAPH_H

#include <nsmodel/exchange.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_graph ns_graph;

/* The graph of y = A x on so many parts; of the options (or NULL) width, part and max_memory count.  Free with
 * ns_graph_free.  *nonzeros (may be NULL): entries after expansion. */
NS_API ns_status ns_graph_from_matrix(ns_matrix *matrix, int32_t parts, const ns_exchange_options *options,
                                      ns_graph **graph, int64_t *nonzeros, ns_error *err);

/* The same from CSR arrays, as ns_exchange_from_csr takes them. */
NS_API ns_status ns_graph_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col,
                                   int32_t parts, const ns_exchange_options *options, ns_graph **graph, ns_error *err);

/* The graph of planned messages, as ns_exchange_from_messages takes them; limits may be NULL. */
NS_API ns_status ns_graph_from_messages(const ns_planned *message, size_t messages, int32_t parts,
                                        const ns_limits *limits, ns_graph **graph, ns_error *err);

/* The exchange of a graph on a site of its parts: what ns_exchange_from_matrix makes of matrix and site. */
NS_API ns_status ns_graph_exchange(const ns_graph *graph, const ns_site *site, ns_exchange **exchange, ns_error *err);

NS_API void ns_graph_free(ns_graph *graph);

NS_API int32_t ns_graph_parts(const ns_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
