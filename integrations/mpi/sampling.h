/* sampling.h -- one number of a benchmark: repeated until its interval is tight */
#ifndef NS_MPI_SAMPLING_H
#define NS_MPI_SAMPLING_H

#include <mpi.h>
#include <stdbool.h>

/* Run so many rounds; what one process does between two looks at the clock. */
typedef void ns_rounds_fn(void *context, int rounds);

typedef struct ns_sampling {
    double seconds_most; /* of one number */
} ns_sampling;

/* s of one round, of the slowest process that `counts`: median, its 95 % interval, and of how many batches.  tight: the
 * interval is at most 5 % of the median. */
typedef struct ns_sampled {
    double seconds, low, high;
    int batches;
    bool tight;
} ns_sampled;
/* Of a round there and back, one way. */
void ns_sample_halve(ns_sampled *sampled);

/* Collective over comm; every process has the same answer. */
void ns_sample_take(const ns_sampling *sampling, MPI_Comm comm, bool counts, ns_rounds_fn *rounds, void *context,
                    ns_sampled *sampled);

/* Median and interval of what was measured otherwise; sorts. */
void ns_sample_settle(double *of, int count, ns_sampled *sampled);

#endif
