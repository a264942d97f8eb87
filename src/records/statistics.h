/* statistics.h -- the checked statistics of a row's exchange */
#ifndef NS_EXCHANGE_STATISTICS_H
#define NS_EXCHANGE_STATISTICS_H

#include "records/record.h"

/* Steps of the node-aware exchange, in the order of max_num_L, _S, _G, _R; standard has one. */
enum { NS_STEP_LOCAL, NS_STEP_GATHER, NS_STEP_BETWEEN, NS_STEP_SCATTER, NS_RECORD_STEPS };

typedef struct ns_statistics {
    const ns_strategy *strategy;
    ns_transport transport;
    double processes, nodes, ppn;
    ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS]; /* maxima over processes, by class */
    int steps;
    double most[NS_RECORD_STEPS]; /* maximum number of messages of a process, by step */
    bool total_given, hops_given, most_given;
    double total_bytes, byte_hops; /* off node */
    bool node_bytes_given;
    double node_bytes; /* off-node bytes of a node, one way, if the row's shape has it */
} ns_statistics;

/* Read and check.  In the spmv shape a message's protocol needs the machine's tables. */
ns_status ns_statistics_read(const ns_records *records, size_t row, const ns_machine *machine,
                             ns_statistics *statistics, ns_error *err);

/* Set an error that gives the row's line. */
ns_status ns_record_fail(const ns_records *records, size_t row, ns_status code, ns_error *err, const char *format, ...)
    NS_PRINTF(5, 6);

/* Read a number of the row: it must be finite, not negative and, for counts, whole; else an error.  *given is false if
 * the cell is empty or the column is missing. */
ns_status ns_record_amount(const ns_records *records, size_t row, const char *name, bool whole, bool *given,
                           double *value, ns_error *err);

/* ---- dense rows -------------------------------------------------------------------------------------------------- */

/* ns_record_way for a dense row. */
ns_status ns_dense_way(const ns_records *records, size_t row, const ns_strategy **strategy, ns_transport *transport,
                       ns_error *err);

/* Columns whose texts together identify the exchange of a dense row, closed by NULL. */
extern const char *const ns_dense_columns[];

/* The output of glibc's rand() after srand(seed): x_i = x_(i-3) + x_(i-31) mod 2^32, without its lowest bit. */
typedef struct ns_glibc_random {
    uint32_t state[31];
    int at;
} ns_glibc_random;
void ns_glibc_seed(ns_glibc_random *random, uint32_t seed);
int32_t ns_glibc_next(ns_glibc_random *random);

#endif
