/* graph.h -- who needs which columns of whom, wherever the parts stand
 *
 * An exchange is of one site.  A graph is what all exchanges of one pattern share: it is made once, and any site then
 * has its exchange without another look at the matrix.  Columns of a part that are needed by the same parts, one after
 * the other, are a fragment.
 */
#ifndef NSMODEL_GRAPH_H
#define NSMODEL_GRAPH_H

#include <nsmodel/exchange.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_fragment {
    int64_t entries; /* > 0 */
    int64_t needer;  /* index into ns_graph.needer of the first, ascending part numbers */
    int32_t origin;  /* part that owns them */
    int32_t needers; /* > 0 */
} ns_fragment;

/* Made by the functions below and only read by others; more may be added at its end. */
typedef struct ns_graph {
    size_t size; /* of this struct, B */
    int32_t parts;
    int64_t width; /* bytes per entry */
    int64_t fragments, needers, routes;
    ns_fragment *fragment;   /* by origin, then column */
    int64_t *first_fragment; /* [parts + 1]: of part q first_fragment[q] to first_fragment[q + 1] - 1 */
    int32_t *needer;
    ns_route *route;      /* by receiver, then sender */
    int64_t *first_route; /* [parts + 1]: what part p receives */
    int64_t *need;        /* [parts] entries that a part receives */
} ns_graph;

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

#ifdef __cplusplus
}
#endif
#endif
