/* measure.h -- the benchmarks of nsmodel-mpi measure, and the log that they write */
#ifndef NS_MPI_MEASURE_H
#define NS_MPI_MEASURE_H

#include <stdio.h>

#include "logs/samples.h"
#include "mpi/flight.h"
#include "mpi/place.h"
#include "mpi/sampling.h"

typedef struct ns_survey {
    const ns_world *world;
    ns_place place;
    ns_sampling sampling;
    int64_t largest;     /* B, of a message */
    FILE *log;           /* rank 0 */
    int points, loose;   /* numbers taken; those whose interval is not tight */
    int *first, *second; /* [ranks] pairs of the benchmark at work */
} ns_survey;

/* What a table of the log is of. */
typedef struct ns_table {
    ns_sample_kind kind;
    ns_locality locality;
    int pairs, messages;
    const char *name; /* of a collective or parameter, or "" */
} ns_table;

/* Collective, all of them. */
void ns_survey_table(const ns_survey *survey, const ns_table *table);
void ns_survey_row(ns_survey *survey, double bytes, const ns_sampled *sampled);

/* All meet; those who come early sleep. */
void ns_survey_meet(const ns_survey *survey);

/* `pairs` pairs of a locality, n messages of each in flight each way; reversed: received in the worst order. */
ns_status ns_survey_pairs(ns_survey *survey, const ns_table *table, const int64_t *size, int sizes, ns_error *err);
/* One process and all of another node: n messages out to them in turn, and back. */
ns_status ns_survey_fan(ns_survey *survey, int messages, const int64_t *size, int sizes, ns_error *err);
/* The parameters of LogGP, of one pair between nodes. */
ns_status ns_survey_loggp(ns_survey *survey, const int64_t *size, int sizes, ns_error *err);
ns_status ns_survey_allreduce(ns_survey *survey, const int64_t *size, int sizes, ns_error *err);

#endif
