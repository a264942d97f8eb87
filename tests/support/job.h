/* job.h -- nsmodel-mpi on several processes, started by its launcher as a person would start it
 *
 * `make check-mpi` says where the programs are (NSMODEL_MPI_BIN); without it, and where an MPI is not installed, tests
 * of it are left out and say so.
 */
#ifndef TESTS_SUPPORT_JOB_H
#define TESTS_SUPPORT_JOB_H

#include "core/value.h"

typedef enum job_mpi { JOB_OPEN_MPI, JOB_MPICH, JOB_SIMULATED } job_mpi;

/* Can jobs be run?  If not, a line says why. */
bool job_ready(const char *test, job_mpi mpi);

/* Where the programs are, an absolute path. */
const char *job_programs(void);
/* What starts so many ranks of an Open MPI job on this machine, at most a minute. */
const char *job_launch(int ranks);

typedef struct job_result {
    int code;
    char *out, *err; /* freed by job_free */
} job_result;

/* A command line for sh in the scratch folder; out and err apart. */
job_result job_shell(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
/* So many ranks of `nsmodel-mpi LINE`. */
job_result job(job_mpi mpi, int ranks, const char *line);
/* So many nodes of PER_NODE ranks of `nsmodel-mpi LINE`, on cables of 1 Gbit/s (tests/mpi/cluster.sh); false, after a
 * line, where there can be none. */
bool job_cluster(int nodes, int per_node, const char *line, job_result *result);
void job_free(job_result *result);

/* It failed, by itself, with one message that has these words, and answered nothing; freed. */
void job_refused(job_result *result, const char *words);

/* The same with --json, which has to succeed; free with ns_value_free. */
ns_value *job_json(job_mpi mpi, int ranks, const char *line);

#endif
