/* exchange.h of the first 1.0: its declarations */
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

typedef struct ns_route {
    int32_t from, to;
    int64_t entries;
} ns_route;

typedef struct ns_pattern {
    size_t size;
    int64_t messages_total, messages_off_node, bytes_total, bytes_off_node;
    int64_t s_proc, s_node, s_node_node;
    int64_t s_recv;

    int64_t m_proc, m_proc_node, m_node_node;
    int64_t recv_nodes;
    int64_t send_nodes;
    int64_t unique_bytes_off_node, unique_s_proc, unique_s_node, unique_s_node_node;
    double duplicate_fraction;
} ns_pattern;

typedef struct ns_netsparse_view {
    size_t size;
    int64_t nonzeros, requests, unique, unique_max;
    double su_transfers;
    double su_redundant_per_useful, sa_redundant_per_useful;
    double destinations_per_window, rack_shared_fraction, unique_mean;
} ns_netsparse_view;

typedef struct ns_exchange_options {
    size_t size;
    int64_t width;
    const int32_t *part;
    int64_t max_memory;
    ns_netsparse_view *view;
    int32_t rack;
    const ns_site *site;
} ns_exchange_options;

typedef struct ns_layout {
    int32_t parts, per_node;
} ns_layout;

NS_API ns_status ns_exchange_from_matrix(ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                                         const ns_exchange_options *options, ns_exchange **exchange, int64_t *nonzeros,
                                         ns_error *err);

NS_API ns_status ns_exchange_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col,
                                      ns_layout layout, const ns_exchange_options *options, ns_exchange **exchange,
                                      ns_error *err);

typedef struct ns_planned {
    int32_t from, to;
    int64_t bytes;
} ns_planned;

NS_API ns_status ns_exchange_from_messages(const ns_planned *message, size_t messages, ns_layout layout,
                                           const int32_t *place, ns_exchange **exchange, ns_error *err);

NS_API ns_status ns_exchange_from_messages_on(const ns_planned *message, size_t messages, const ns_site *site,
                                              ns_exchange **exchange, ns_error *err);

NS_API ns_status ns_messages_read(const char *path, ns_planned **message, size_t *messages, int32_t *parts,
                                  ns_error *err);

typedef struct ns_limits {
    size_t size;
    int64_t max_memory;
    int64_t max_work;
} ns_limits;

NS_API ns_status ns_messages_read_within(const char *path, const ns_limits *limits, ns_planned **message,
                                         size_t *messages, int32_t *parts, ns_error *err);
NS_API ns_status ns_exchange_from_messages_within(const ns_planned *message, size_t messages, ns_layout layout,
                                                  const int32_t *place, const ns_limits *limits,
                                                  ns_exchange **exchange, ns_error *err);

NS_API ns_status ns_exchange_alltoall(ns_layout layout, int64_t bytes, const ns_limits *limits, ns_exchange **exchange,
                                      ns_error *err);

NS_API void ns_exchange_free(ns_exchange *exchange);

NS_API int32_t ns_exchange_parts(const ns_exchange *exchange);
NS_API int32_t ns_exchange_nodes(const ns_exchange *exchange);
NS_API int64_t ns_exchange_width(const ns_exchange *exchange);

NS_API const ns_site *ns_exchange_site(const ns_exchange *exchange);

NS_API int64_t ns_exchange_routes(const ns_exchange *exchange, const ns_route **route);
NS_API ns_status ns_exchange_counts(const ns_exchange *exchange, ns_pattern *counts, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
