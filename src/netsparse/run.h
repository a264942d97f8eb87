/* run.h -- the state of one ablation: a step's rounds over all nodes */
#ifndef NS_NETSPARSE_RUN_H
#define NS_NETSPARSE_RUN_H

#include "netsparse/parameters.h"
#include "netsparse/trace.h"

#include <stdatomic.h>

/* What a node sends in a round. */
typedef struct ns_node_traffic {
    double Q, S;                     /* requests sent; requests that reach it */
    double request_n, response_n;    /* per packet */
    double outside;                  /* of Q, to other racks */
    double rtt_sum, outside_rtt_sum; /* zero-load round trips of Q, of `outside`, summed */
    double hits;
    double class_hops[NS_LINK_CLASSES]; /* links that its requests cross, summed */
} ns_node_traffic;

typedef struct ns_ablation {
    ns_trace *trace;
    ns_netsparse_parameters parameters;
    ns_network network;
    int64_t batch;
    ns_mechanism step;
    ns_node_time *time;         /* [nodes] from the previous round: sets the pace of the schedule */
    ns_node_traffic *traffic;   /* [nodes] */
    ns_gather_rule *rule;       /* [nodes] */
    double *by_owner, *by_node; /* [nodes] hits */
    ns_cache_counts *cached;    /* [racks] */
    ns_step_result *result;
    const ns_netsparse_options *options;
    atomic_int_fast64_t counted; /* nodes, over all rounds */
    int64_t told;                /* number of these that was reported to options->watch */
    double to_count;
} ns_ablation;

/* The share of its line that a node can use where a response has this many bytes. */
ns_status ns_run_share(const ns_ablation *run, double bytes, double *share, ns_error *err);

/* Count one round (count.c), then time it (time.c). */
ns_status ns_run_count(ns_ablation *run, ns_error *err);
ns_status ns_run_time(ns_ablation *run, ns_error *err);
/* The step's answer from its last round. */
void ns_run_summary(ns_ablation *run, double su_time, double su_traffic);

#endif
