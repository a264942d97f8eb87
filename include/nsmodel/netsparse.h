/* netsparse.h -- what in-network gather, filtering, concatenation and caching would do for one matrix
 *
 * A trace holds what every node would ask for, in order: the remote entries of its rows, row by row, columns ascending.
 * On it, the schedule of RIG units, the delay queues and the switches' caches are counted entry by entry; times come
 * from the closed forms of the models rig-batch, concat, netsparse-hops, su-opt and sa-opt.  Each part of the matrix is
 * a node.
 */
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
    size_t size;         /* of this struct; 0 means the fields of version 1.0 */
    const int32_t *part; /* part of each row, or NULL for equal blocks */
    int32_t rack;        /* nodes per rack, the last may be partial; 16 when 0 */
    int32_t ranks;       /* software ranks per node, equal shares of its rows; 64 when 0 */
    int64_t max_memory;  /* bytes, 0 for no limit */
    int32_t threads;     /* of the trace and all that runs on it; 0: as many as there are processors, at most 8.  They
                            change no result */
} ns_trace_options;

/* Scan the matrix (twice).  4 bytes a remote entry (8 past 2^32 columns) and what design section 3 allows.  *trace is
 * allocated; the matrix is not needed afterwards, options->part is. */
NS_API ns_status ns_trace_open(ns_matrix *matrix, int32_t nodes, const ns_trace_options *options, ns_trace **trace,
                               ns_error *err);
NS_API void ns_trace_free(ns_trace *trace);

/* The counts of design section 3, every part being a node of the network. */
NS_API ns_status ns_trace_view(const ns_trace *trace, ns_netsparse_view *view, ns_error *err);

typedef enum ns_topology { NS_LEAF_SPINE, NS_HYPERX, NS_DRAGONFLY, NS_TOPOLOGIES } ns_topology;

typedef enum ns_mechanism { NS_RIG, NS_FILTER, NS_COALESCE, NS_CONCAT, NS_SWITCH, NS_MECHANISMS } ns_mechanism;

/* What limits a node. */
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
    size_t size;               /* of this struct; 0 means the fields of version 1.0 */
    const ns_machine *machine; /* section "models" as in the machine netsparse */
    double k;                  /* values per property */
    int64_t batch;             /* indices of a RIG command; 0 for the best of the busiest node */
    ns_topology topology;
    bool last_only; /* the last step alone */
    void (*watch)(void *watcher, double counted, double nodes); /* called after each node of each round; NULL: not */
    void *watcher;
} ns_netsparse_options;

typedef struct ns_netsparse_result ns_netsparse_result;

NS_API ns_status ns_netsparse_run(ns_trace *trace, const ns_netsparse_options *options, ns_netsparse_result **result,
                                  ns_error *err);
NS_API void ns_netsparse_free(ns_netsparse_result *result);

/* The whole exchange in software, and what it could come to. */
typedef struct ns_netsparse_info {
    size_t size; /* of this struct, set by the caller */
    int32_t nodes;
    int64_t batch;              /* indices of a RIG command */
    double su_time, su_traffic; /* SUOpt: s of the slowest node; B over all nodes */
    double sa_time, sa_traffic; /* SAOpt: s of the slowest node; SA: B over all nodes */
    double computation;         /* s of the slowest node: entries and properties once from memory */
    double ideal;               /* speedup over one node without communication */
} ns_netsparse_info;
NS_API ns_status ns_netsparse_describe(const ns_netsparse_result *result, ns_netsparse_info *info, ns_error *err);

/* The exchange after one more mechanism. */
typedef struct ns_mechanism_info {
    size_t size;                  /* of this struct, set by the caller */
    double time, best;            /* s: commands exposed, commands hidden */
    double mean;                  /* s, mean over nodes, commands exposed */
    ns_limit limit;               /* what limits it */
    double issued, traffic;       /* requests, and bytes that nodes receive, over all nodes */
    double speedup, speedup_best; /* tail node, over SUOpt; -1 where nothing is sent */
} ns_mechanism_info;
NS_API ns_status ns_netsparse_step(const ns_netsparse_result *result, ns_mechanism mechanism, ns_mechanism_info *info,
                                   ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
