/* exchange.h -- who needs what from whom: the pattern of one irregular exchange, exact
 *
 * Parts own rows and columns; need(p) is the set of columns that part p uses and does not own.  A site maps parts to
 * nodes: in blocks of per_node, or in any other way.  For parts q -> p on different nodes, columns are also counted
 * once per receiving node: U(q, N) = own(q) & union of need(p) over p on N.
 */
#ifndef NSMODEL_EXCHANGE_H
#define NSMODEL_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/matrix.h>
#include <nsmodel/site.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_exchange ns_exchange;

/* Message q -> p of the standard strategy: `entries` = |need(p) & own(q)| > 0. */
typedef struct ns_route {
    int32_t from, to;
    int64_t entries;
} ns_route;

/* Counts of design section 3; bytes = width x entries. */
typedef struct ns_pattern {
    size_t size; /* of this struct, set by the caller */
    int64_t messages_total, messages_off_node, bytes_total, bytes_off_node;
    int64_t s_proc, s_node, s_node_node;     /* most off-node bytes sent by a part, by a node, between two nodes */
    int64_t s_recv;                          /* most bytes that one part receives, on-node ones included */
    /* most off-node messages of a part; most nodes a part sends to; most messages of a pair of nodes */
    int64_t m_proc, m_proc_node, m_node_node;
    int64_t recv_nodes;                      /* most nodes that one node receives from */
    int64_t send_nodes;                      /* most nodes that one node sends to */
    int64_t unique_bytes_off_node, unique_s_proc, unique_s_node, unique_s_node_node;
    double duplicate_fraction;
} ns_pattern;

/* NetSparse's view: each part is a node of the network; design section 3.  A negative fraction means that its
 * denominator is 0. */
typedef struct ns_netsparse_view {
    size_t size; /* of this struct, set by the caller */
    int64_t nonzeros, requests, unique, unique_max;
    double su_transfers;                     /* may pass 2^63 on huge P x m */
    double su_redundant_per_useful, sa_redundant_per_useful;
    double destinations_per_window, rack_shared_fraction, unique_mean;
} ns_netsparse_view;

typedef struct ns_exchange_options {
    size_t size;              /* of this struct; 0 means the fields of version 1.0 */
    int64_t width;            /* bytes per entry; 8 when 0 */
    const int32_t *part;      /* one part per row (then the matrix is square), or NULL for equal contiguous blocks */
    int64_t max_memory;       /* bytes the scan and its results may take; 0 for no limit */
    ns_netsparse_view *view;  /* filled when not NULL; then exactly one layout is allowed */
    int32_t rack;             /* parts per rack for the view; 16 when 0 */
    const ns_site *site;      /* mapping of the parts, instead of blocks; then exactly one layout, of its parts */
    bool groups;              /* keep what parts of a node need in common: ways by groups of ranks use it */
} ns_exchange_options;

/* Blocks: node = part / per_node, nodes = ceil(parts / per_node); the last may be short. */
typedef struct ns_layout {
    int32_t parts, per_node;
} ns_layout;

/* The exchanges of y = A x for several layouts in ONE pass over the entries (a second one only for the windows of
 * view, with a partition or where rows ask many owners).  exchange[i] is allocated for layout[i]; none is on failure.
 * *nonzeros (may be NULL): entries after expansion.
 * Memory O(sum |need| + m) or P m bits, whichever is less, P the number of distinct row blocks of all layouts.
 * The entries of a stencil are not scanned: the columns of a block of rows follow from its shape, in O(parts) time. */
NS_API ns_status ns_exchange_from_matrix(ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                                         const ns_exchange_options *options, ns_exchange **exchange, int64_t *nonzeros,
                                         ns_error *err);

/* The same from CSR arrays in memory: row_start[rows + 1], col[row_start[rows]], zero-based. */
NS_API ns_status ns_exchange_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col,
                                      ns_layout layout, const ns_exchange_options *options, ns_exchange **exchange,
                                      ns_error *err);

/* A planned message, bytes > 0, from != to.  No two messages are known to carry the same data. */
typedef struct ns_planned {
    int32_t from, to;
    int64_t bytes;
} ns_planned;

/* The exchange of a list of messages; repeats of a pair add up.  width is 1.  place (or NULL) renumbers: part p takes
 * position place[p], a permutation of 0..parts-1, so that two placements of one exchange can be compared. */
NS_API ns_status ns_exchange_from_messages(const ns_planned *message, size_t messages, ns_layout layout,
                                           const int32_t *place, ns_exchange **exchange, ns_error *err);

/* The same on any site. */
NS_API ns_status ns_exchange_from_messages_on(const ns_planned *message, size_t messages, const ns_site *site,
                                              ns_exchange **exchange, ns_error *err);

/* Read src,dst,bytes rows (with or without that header; bytes may have units); *parts = largest number + 1. */
NS_API ns_status ns_messages_read(const char *path, ns_planned **message, size_t *messages, int32_t *parts,
                                  ns_error *err);

/* Limits of reading and building; a field of 0, or NULL for the struct: no limit. */
typedef struct ns_limits {
    size_t size;        /* of this struct; 0 means the fields of version 1.0 */
    int64_t max_memory; /* bytes, of the results too */
    int64_t max_work;   /* messages read, or routes made */
} ns_limits;

/* The two above within limits: NS_ERR_LIMIT beyond them. */
NS_API ns_status ns_messages_read_within(const char *path, const ns_limits *limits, ns_planned **message,
                                         size_t *messages, int32_t *parts, ns_error *err);
NS_API ns_status ns_exchange_from_messages_within(const ns_planned *message, size_t messages, ns_layout layout,
                                                  const int32_t *place, const ns_limits *limits,
                                                  ns_exchange **exchange, ns_error *err);

/* Every part sends that many bytes, at least 1, to every other: O(parts^2) time and memory. */
NS_API ns_status ns_exchange_alltoall(ns_layout layout, int64_t bytes, const ns_limits *limits, ns_exchange **exchange,
                                      ns_error *err);

NS_API void ns_exchange_free(ns_exchange *exchange);

/* How many parts and nodes, and bytes per entry. */
NS_API int32_t ns_exchange_parts(const ns_exchange *exchange);
NS_API int32_t ns_exchange_nodes(const ns_exchange *exchange);
NS_API int64_t ns_exchange_width(const ns_exchange *exchange);
/* The mapping of its parts to nodes; valid until the exchange is freed. */
NS_API const ns_site *ns_exchange_site(const ns_exchange *exchange);
/* How many routes it has, those inside a node included; *route is the first of them, by receiver, then sender. */
NS_API int64_t ns_exchange_routes(const ns_exchange *exchange, const ns_route **route);
NS_API ns_status ns_exchange_counts(const ns_exchange *exchange, ns_pattern *counts, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
