/* layer.c -- programs of MPI with libnsmodel-mpi preloaded */
#include "layer.h"

#include "core/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "host.h"
#include "shell.h"

static char *said;

static const char *library(job_mpi mpi)
{
    static char path[1200];
    const char *build = getenv("NSMODEL_BUILD");
    snprintf(path, sizeof path, "%s/libnsmodel-mpi%s.so", build != NULL ? build : "build",
             mpi == JOB_MPICH ? ".mpich" : "");
    return path;
}

bool layer_ready(const char *test, job_mpi mpi)
{
    return host_command(test, mpi == JOB_MPICH ? "mpirun.mpich" : "mpirun.openmpi") && host_file(test, library(mpi));
}

/* "A=1 B=2" for this launcher. */
static void pass(job_mpi mpi, const char *settings, char *words, size_t size)
{
    char copy[4600], *state = NULL;
    snprintf(copy, sizeof copy, "%s", settings);
    words[0] = '\0';
    for (char *one = strtok_r(copy, " ", &state); one != NULL; one = strtok_r(NULL, " ", &state)) {
        char *value = strchr(one, '=');
        const size_t used = strlen(words);
        ck_assert_ptr_nonnull(value);
        *value++ = '\0';
        if (mpi == JOB_MPICH)
            snprintf(words + used, size - used, "-genv %s \"%s\" ", one, value);
        else
            snprintf(words + used, size - used, "-x %s=\"%s\" ", one, value);
    }
}

job_result layer_try(job_mpi mpi, int ranks, int per_node, const char *strategy, const char *settings,
                     const char *program)
{
    char wanted[4600], words[5200], log[1200], mpich[100];
    snprintf(log, sizeof log, "%s/layer.log", scratch_folder());
    (void)unlink(log);
    if (strategy != NULL)
        snprintf(wanted, sizeof wanted, "LD_PRELOAD=%s NSMODEL_STRATEGY=%s NSMODEL_EMULATE_PPN=%d NSMODEL_LOG=%s %s",
                 library(mpi), strategy, per_node, log, settings);
    else
        snprintf(wanted, sizeof wanted, "%s", settings);
    pass(mpi, wanted, words, sizeof words);
    snprintf(mpich, sizeof mpich, "timeout 200 mpirun.mpich -n %d", ranks);
    job_result r = job_shell("%s %s %s", mpi == JOB_MPICH ? mpich : job_launch(ranks), words, program);
    ns_free(said);
    said = access(log, R_OK) == 0 ? read_whole(log) : NULL;
    return r;
}

job_result layer_job(job_mpi mpi, int ranks, int per_node, const char *strategy, const char *settings,
                     const char *program)
{
    job_result r = layer_try(mpi, ranks, per_node, strategy, settings, program);
    ck_assert_msg(r.code == 0, "%d ranks, %d a node, strategy \"%s\", of %s: exit code %d\n%.1000s", ranks, per_node,
                  strategy != NULL ? strategy : "none", program, r.code, r.err);
    return r;
}

const char *layer_log_after(const char *word)
{
    const char *at = said != NULL ? strstr(said, word) : NULL;
    return at != NULL ? at + strlen(word) : NULL;
}

double layer_log_number(const char *word)
{
    const char *at = layer_log_after(word);
    double number;
    return at != NULL && sscanf(at, "%lf", &number) == 1 ? number : -1;
}
