/* layer.h -- programs of MPI with libnsmodel-mpi preloaded, and what its log says */
#ifndef TESTS_SUPPORT_LAYER_H
#define TESTS_SUPPORT_LAYER_H

#include "job.h"

/* Is there a layer for this MPI, and what starts its jobs?  If not, a line says what is left out. */
bool layer_ready(const char *test, job_mpi mpi);

/* So many ranks of a program of the scratch folder, so many a node as the layer sees it.  strategy: NSMODEL_STRATEGY;
 * "" for the advice, NULL: nothing is preloaded.  settings: more of the environment, "A=1 B=2", or ""; they count. */
job_result layer_try(job_mpi mpi, int ranks, int per_node, const char *strategy, const char *settings,
                     const char *program);
/* The same; the job has to succeed. */
job_result layer_job(job_mpi mpi, int ranks, int per_node, const char *strategy, const char *settings,
                     const char *program);

/* What the log of the last job has behind a word, or NULL. */
const char *layer_log_after(const char *word);
/* A number there; -1 without one. */
double layer_log_number(const char *word);

#endif
