/* netsparse.h of the first 1.0: its declarations */
#ifndef NSMODEL_NETSPARSE_H
#define NSMODEL_NETSPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_trace ns_trace;

typedef struct ns_trace_options {
    size_t size;
    const int32_t *part;
    int32_t rack;
    int32_t ranks;
    int64_t max_memory;
    int32_t threads;
} ns_trace_options;

NS_API ns_status ns_trace_open(ns_matrix *matrix, int32_t nodes, const ns_trace_options *options, ns_trace **trace,
                               ns_error *err);
NS_API void ns_trace_free(ns_trace *trace);

NS_API ns_status ns_trace_view(const ns_trace *trace, ns_netsparse_view *view, ns_error *err);

typedef enum ns_topology { NS_LEAF_SPINE, NS_HYPERX, NS_DRAGONFLY, NS_TOPOLOGIES } ns_topology;

typedef enum ns_mechanism { NS_RIG, NS_FILTER, NS_COALESCE, NS_CONCAT, NS_SWITCH, NS_MECHANISMS } ns_mechanism;

typedef enum ns_limit {
    NS_LIMIT_LINE,
    NS_LIMIT_UNITS,
    NS_LIMIT_PENDING,
    NS_LIMIT_SERVING,
    NS_LIMIT_NETWORK,
    NS_LIMIT_NOTHING,
    NS_LIMITS
} ns_limit;

typedef struct ns_netsparse_options {
    size_t size;
    const ns_machine *machine;
    double k;
    int64_t batch;
    ns_topology topology;
    bool last_only;
    void (*watch)(void *watcher, double counted, double nodes);
    void *watcher;
} ns_netsparse_options;

typedef struct ns_netsparse_result ns_netsparse_result;

NS_API ns_status ns_netsparse_run(ns_trace *trace, const ns_netsparse_options *options, ns_netsparse_result **result,
                                  ns_error *err);
NS_API void ns_netsparse_free(ns_netsparse_result *result);

typedef struct ns_netsparse_info {
    size_t size;
    int32_t nodes;
    int64_t batch;
    double su_time, su_traffic;
    double sa_time, sa_traffic;
    double computation;
    double ideal;
} ns_netsparse_info;
NS_API ns_status ns_netsparse_describe(const ns_netsparse_result *result, ns_netsparse_info *info, ns_error *err);

typedef struct ns_mechanism_info {
    size_t size;
    double time, best;
    double mean;
    ns_limit limit;
    double issued, traffic;
    double speedup, speedup_best;
} ns_mechanism_info;
NS_API ns_status ns_netsparse_step(const ns_netsparse_result *result, ns_mechanism mechanism, ns_mechanism_info *info,
                                   ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
