/* dense.h -- rows of exchanges in which every process sends to every other */
#ifndef NS_RECORDS_DENSE_H
#define NS_RECORDS_DENSE_H

#include "records/record.h"

/* ns_record_way of a dense row. */
ns_status ns_dense_way(const ns_records *records, size_t row, const ns_strategy **strategy, ns_transport *transport,
                       ns_error *err);

/* Columns whose texts together say which exchange a dense row is of, closed by NULL. */
extern const char *const ns_dense_columns[];

/* The numbers that glibc's rand() gives after srand(seed): x_i = x_(i-3) + x_(i-31) mod 2^32, its lowest bit cut. */
typedef struct ns_glibc_random {
    uint32_t state[31];
    int at;
} ns_glibc_random;
void ns_glibc_seed(ns_glibc_random *random, uint32_t seed);
int32_t ns_glibc_next(ns_glibc_random *random);

#endif
