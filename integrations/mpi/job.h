/* job.h -- a command that all processes of a job run together; one file each, as for the commands of nsmodel */
#ifndef NS_MPI_JOB_H
#define NS_MPI_JOB_H

#include "cli/front/command.h"
#include "mpi/world.h"

typedef struct ns_job_command {
    ns_command line; /* its name, options and help; line.run is not set */
    /* Collective: the same status on all processes.  result is filled on rank 0; words: the stream for notes, on rank 0
     * only.  err is never NULL. */
    ns_status (*run)(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err);
} ns_job_command;

extern const ns_job_command ns_job_run, ns_job_measure, ns_job_tune, ns_job_pattern, ns_job_predict;

#define NS_OPTION_TIMEOUT {"timeout", 0, "S", "60", "seconds without an answer after which a job is given up"}

/* The value of --timeout or --repetitions: a number that is at least `least`. */
ns_status ns_job_number(const ns_args *args, const char *option, double least, double *number, ns_error *err);

/* The value of --per-node, else the number of ranks that the launcher put on a node, at most all ranks. */
ns_status ns_job_per_node(const ns_world *world, const ns_args *args, int *per_node, ns_error *err);

#endif
