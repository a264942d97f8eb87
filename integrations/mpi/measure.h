/* measure.h -- the benchmarks of nsmodel-mpi measure, and the log that they write */
#ifndef NS_MPI_MEASURE_H
#define NS_MPI_MEASURE_H

#include <stdio.h>

#include "logs/samples.h"
#include "machine/machine.h"
#include "mpi/job.h"

/* Memory of GPUs, where the MPI takes pointers to it: what both runtimes call cudaMalloc or hipMalloc and so on; 0 is
 * success. */
typedef struct ns_device {
    const char *runtime; /* "CUDA" or "HIP"; NULL: there is none on some process, or the MPI knows nothing of it */
    int devices;         /* of this host */
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*fill)(void *memory, int value, size_t bytes);
} ns_device;

/* Collective.  Ranks of a host take its devices in turn. */
void ns_device_open(const ns_world *world, ns_device *device);

/* On which node and socket every rank of a job runs. */
typedef struct ns_place {
    int ranks, nodes;
    int sockets;        /* of a node; 0: unknown */
    int *node, *socket; /* [ranks]; socket -1: the rank is bound to none */
} ns_place;

/* Collective.  per_node and sockets, where above 0, say it instead of the system: rank r is on node r / per_node, there
 * on socket (r mod per_node) / (per_node / sockets). */
ns_status ns_place_open(const ns_world *world, int per_node, int sockets, ns_place *place, ns_error *err);
void ns_place_close(ns_place *place);

/* Disjoint pairs of ranks of a locality, first[i] and second[i], at most `most`: within node 0 or between nodes 0 and
 * 1.  Returns how many. */
int ns_place_pairs(const ns_place *place, ns_locality locality, int *first, int *second, int most);

/* What a table of the log is of. */
typedef struct ns_table {
    ns_sample_kind kind;
    ns_locality locality;
    int pairs, messages;
    const char *name; /* of a collective or parameter, or "" */
    ns_memory memory; /* of the messages */
} ns_table;

typedef struct ns_survey {
    const ns_world *world;
    ns_place place;
    ns_device device;
    double seconds_most; /* for one number */
    int64_t largest;   /* B, of a message */
    FILE *log;         /* rank 0 */
    const char *stood; /* the log of an earlier start, the same on all processes; its rows are not measured again;
                            NULL: none */
    bool counts_only;  /* take nothing, and count in `lacking` what would be taken */
    double until;      /* s of rank 0's MPI_Wtime, from which on no table begins; 0: no limit */
    bool stopped;      /* it was that late */
    int lacking;
    int points, loose;   /* numbers measured; those whose interval is not tight */
    int *first, *second; /* [ranks] pairs of the benchmark at work */
    ns_table table;      /* at work */
    bool begun;          /* its title is in the log */
} ns_survey;

/* All meet; those who come early sleep. */
void ns_survey_meet(const ns_survey *survey);

/* `pairs` pairs of a locality, n messages of each in flight each way; reversed: received in the worst order. */
ns_status ns_survey_pairs(ns_survey *survey, const ns_table *table, const int64_t *size, int sizes, ns_error *err);
/* One process and all of another node: n messages out to them in turn, and back. */
ns_status ns_survey_fan(ns_survey *survey, int messages, const int64_t *size, int sizes, ns_error *err);

/* ---- all of them, by what they tell ------------------------------------------------------------------------------ */

struct ns_survey_part;
typedef ns_status ns_survey_fn(ns_survey *survey, const struct ns_survey_part *part, const int64_t *size, int sizes,
                               ns_error *err);
typedef struct ns_survey_part {
    const char *what;
    ns_survey_fn *take;
    ns_locality locality;
    int64_t from, factor; /* sizes: from, from x factor, ... */
    const char *tells[4]; /* paths of a machine's file, * for any characters */
    int64_t most;         /* B, of the largest size; 0: the survey's */
    ns_memory memory;
} ns_survey_part;
enum { NS_SURVEY_PARTS = 17, NS_SURVEY_BASIC = 3 /* the first, without which there is no machine */ };
extern const ns_survey_part ns_survey_parts[NS_SURVEY_PARTS];
/* Collective: take one of them. */
ns_status ns_survey_take(ns_survey *survey, const ns_survey_part *part, ns_error *err);

/* The parameters of LogGP, of one pair between nodes. */
ns_survey_fn ns_survey_loggp, ns_survey_allreduce;
/* All processes gather blocks into buffers allocated anew; sizes are multiples of 4 KiB. */
ns_survey_fn ns_survey_packing;

/* Who shares what with whom, and room for pairs; --most, --seconds and --sockets are read.  Collective; per_node 0: as
 * the system says. */
ns_status ns_survey_open(ns_survey *survey, const ns_world *world, const ns_args *args, int per_node, ns_error *err);
void ns_survey_close(ns_survey *survey);
/* The first lines of a log. */
void ns_survey_head(const ns_survey *survey);
/* Collective: a line for each host, "before" or "after". */
void ns_survey_hosts(const ns_survey *survey, const char *when);

#endif
