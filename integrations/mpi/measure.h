/* measure.h -- the benchmarks of nsmodel-mpi measure, and the log that they write */
#ifndef NS_MPI_MEASURE_H
#define NS_MPI_MEASURE_H

#include <stdio.h>

#include "logs/samples.h"
#include "machine/machine.h"
#include "mpi/job.h"

/* Memory of GPUs, where the MPI accepts pointers to it: the functions that both runtimes call cudaMalloc or hipMalloc
 * and so on; 0 is success. */
typedef struct ns_device {
    const char *runtime; /* "CUDA" or "HIP"; NULL: some process has none, or the MPI does not support it */
    int devices;         /* on this host */
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*fill)(void *memory, int value, size_t bytes);
} ns_device;

/* Collective.  The ranks of a host are assigned its devices round-robin. */
void ns_device_open(const ns_world *world, ns_device *device);

/* The node and socket on which every rank of a job runs. */
typedef struct ns_place {
    int ranks, nodes;
    int sockets;        /* per node; 0: unknown */
    int *node, *socket; /* [ranks]; socket -1: the rank is not bound to one */
} ns_place;

/* Collective.  per_node and sockets, where above 0, override the system's information: rank r is on node r / per_node,
 * and there on socket (r mod per_node) / (per_node / sockets). */
ns_status ns_place_open(const ns_world *world, int per_node, int sockets, ns_place *place, ns_error *err);
void ns_place_close(ns_place *place);

/* Disjoint pairs of ranks of a locality, first[i] and second[i], at most `most`: within node 0 or between nodes 0 and
 * 1.  Returns their number. */
int ns_place_pairs(const ns_place *place, ns_locality locality, int *first, int *second, int most);

/* What a table of the log contains. */
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
    double seconds_most; /* limit for one number */
    int64_t largest;   /* B, of a message */
    FILE *log;         /* rank 0 */
    const char *stood; /* the log of an earlier run, the same on all processes, whose rows are not measured again; NULL:
                        * none */
    bool counts_only;  /* measure nothing, and count in `lacking` what would be measured */
    double until;      /* s of rank 0's MPI_Wtime, after which no table begins; 0: no limit */
    bool stopped;      /* that limit was reached */
    int lacking;
    int points, loose;   /* numbers measured; those whose interval is not tight */
    int *first, *second; /* [ranks] pairs of the current benchmark */
    ns_table table;      /* the current table */
    bool begun;          /* its title is in the log */
} ns_survey;

/* Synchronize all processes; those that arrive early sleep. */
void ns_survey_meet(const ns_survey *survey);

/* `pairs` pairs of a locality, with n messages of each in flight in each direction; reversed: received in the worst
 * order. */
ns_status ns_survey_pairs(ns_survey *survey, const ns_table *table, const int64_t *size, int sizes, ns_error *err);
/* One process and all processes of another node: n messages are sent to them round-robin, and back. */
ns_status ns_survey_fan(ns_survey *survey, int messages, const int64_t *size, int sizes, ns_error *err);

/* ---- all of them, by the parameters that they determine ---------------------------------------------------------- */

struct ns_survey_part;
typedef ns_status ns_survey_fn(ns_survey *survey, const struct ns_survey_part *part, const int64_t *size, int sizes,
                               ns_error *err);
typedef struct ns_survey_part {
    const char *what;
    ns_survey_fn *take;
    ns_locality locality;
    int64_t from, factor; /* sizes: from, from x factor, ... */
    const char *tells[4]; /* the parameters of a machine's file that it determines; * matches any characters */
    int64_t most;         /* B, the largest size; 0: that of the survey */
    ns_memory memory;
} ns_survey_part;
enum { NS_SURVEY_PARTS = 17, NS_SURVEY_BASIC = 3 /* the first ones, without which there is no machine */ };
extern const ns_survey_part ns_survey_parts[NS_SURVEY_PARTS];
/* Collective: measure one of them. */
ns_status ns_survey_take(ns_survey *survey, const ns_survey_part *part, ns_error *err);

/* The parameters of LogGP, for one pair between nodes. */
ns_survey_fn ns_survey_loggp, ns_survey_allreduce;
/* All processes gather blocks into newly allocated buffers; sizes are multiples of 4 KiB. */
ns_survey_fn ns_survey_packing;

/* Determine which ranks share a socket or node, and allocate the pairs; --most, --seconds and --sockets are read.
 * Collective; per_node 0: as given by the system. */
ns_status ns_survey_open(ns_survey *survey, const ns_world *world, const ns_args *args, int per_node, ns_error *err);
void ns_survey_close(ns_survey *survey);
/* Write the first lines of a log. */
void ns_survey_head(const ns_survey *survey);
/* Collective: write a line for each host, "before" or "after". */
void ns_survey_hosts(const ns_survey *survey, const char *when);

#endif
