/* netsparse.h -- the answer of `nsmodel netsparse` as a value tree */
#ifndef NS_CLI_NETSPARSE_H
#define NS_CLI_NETSPARSE_H

#include "cli/inputs/inputs.h"
#include "cli/front/progress.h"

typedef struct ns_gather_request {
    const ns_machine *machine;
    ns_topology topology;
    int64_t batch; /* 0: the best */
    bool ablation;
    int sweep; /* index into ns_sweep_words, or -1 */
    ns_progress *progress; /* or NULL */
} ns_gather_request;

extern const char *const ns_sweep_words[]; /* "batch", "units", "delay", "cache", "topology", closed by NULL */

/* Section 3 of [NS]: the counts, for the mean and the busiest node. */
void ns_netsparse_head(const ns_trace *trace, const ns_inputs *inputs, const ns_gather_request *request,
                       ns_value *result);

/* The steps for every K; with one K its keys stand at the top as well. */
ns_status ns_netsparse_answer(ns_trace *trace, const ns_gather_request *request, const int32_t *k, size_t ks,
                              ns_value *result, ns_error *err);

/* The rows of a sweep for one K (netsparse_sweep.c). */
ns_status ns_netsparse_sweep(ns_trace *trace, const ns_gather_request *request, double k, ns_value *rows,
                             ns_error *err);

/* Draw the answer: speedup by step, or along the sweep (netsparse_plot.c). */
ns_status ns_netsparse_plot(const ns_args *args, ns_value *result, const ns_gather_request *request, ns_error *err);

#endif
