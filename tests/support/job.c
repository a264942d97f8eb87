/* job.c -- jobs of several processes */
#include "job.h"

#include "core/memory.h"

#include <check.h>
#include <nsmodel/json.h>
#include <nsmodel/status.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "needs.h"
#include "shell.h"

static const struct {
    const char *program, *launcher;
} mpis[] = {{"nsmodel-mpi", "mpirun.openmpi"}, {"nsmodel-mpi.mpich", "mpirun.mpich"}, {"nsmodel-smpi", "smpirun"}};

/* Four hosts of two processes each, 10 GB/s and 1 us apart. */
static const char platform[] = "<?xml version=\"1.0\"?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\">\n"
                               "  <cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" "
                               "bw=\"10GBps\" lat=\"1us\"/>\n"
                               "</platform>\n";

const char *job_programs(void)
{
    return getenv("NSMODEL_MPI_BIN");
}

/* Is there such a command on the PATH?  Asked while no test runs, so nothing may be asserted. */
static bool is_command(const char *name)
{
    char path[1200];
    for (const char *at = getenv("PATH"); at != NULL && *at != '\0'; at += *at == ':') {
        const size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0)
            return true;
        at += length;
    }
    return false;
}

bool job_ready(const char *test, job_mpi mpi)
{
    char path[1200];
    if (job_programs() == NULL) {
        skipped(test, "run by make check-mpi");
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", job_programs(), mpis[mpi].program);
    if (access(path, X_OK) != 0 || !has_part("mpi") || !is_command(mpis[mpi].launcher)) {
        skipped(test, "needs %s and %s; ./setup.sh mpi", mpis[mpi].program, mpis[mpi].launcher);
        return false;
    }
    return true;
}

const char *job_launch(int ranks)
{
    static char text[300];
    snprintf(text, sizeof text,
             "timeout 100 env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.openmpi --oversubscribe "
             "-n %d",
             ranks);
    return text;
}

job_result job_shell(const char *format, ...)
{
    char command[3000];
    job_result result;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    ck_assert(length >= 0 && (size_t)length < sizeof command);
    char out[1200], err[1200];
    snprintf(out, sizeof out, "%s/out", scratch_folder());
    snprintf(err, sizeof err, "%s/err", scratch_folder());
    result.code = shell(NULL, 0, "cd %s && { %s; } > out 2> err", scratch_folder(), command);
    result.out = read_whole(out);
    result.err = read_whole(err);
    return result;
}

static void put(const char *name, const char *text)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static job_result simulated(int ranks, const char *line)
{
    char hosts[400] = "";
    for (int r = 0; r < ranks; r++)
        snprintf(hosts + strlen(hosts), sizeof hosts - strlen(hosts), "node-%d\n", r / 2);
    put("hosts", hosts);
    put("platform.xml", platform);
    return job_shell("timeout 100 smpirun -np %d -hostfile hosts -platform platform.xml --log=root.thres:critical "
                     "%s/%s %s",
                     ranks, job_programs(), mpis[JOB_SIMULATED].program, line);
}

job_result job(job_mpi mpi, int ranks, const char *line)
{
    if (mpi == JOB_SIMULATED)
        return simulated(ranks, line);
    if (mpi == JOB_MPICH)
        return job_shell("timeout 100 mpirun.mpich -n %d %s/%s %s", ranks, job_programs(), mpis[mpi].program, line);
    return job_shell("%s %s/%s %s", job_launch(ranks), job_programs(), mpis[mpi].program, line);
}

bool job_cluster(int nodes, int per_node, const char *line, job_result *result)
{
    enum { NO_CLUSTER = 77 };
    char folder[1200];
    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    *result = job_shell("timeout 200 %s/tests/mpi/cluster.sh %d %d 1gbit %s/nsmodel-mpi %s", folder, nodes, per_node,
                        job_programs(), line);
    if (result->code != NO_CLUSTER)
        return true;
    skipped(line, "%.*s", (int)strcspn(result->err, "\n"), result->err);
    job_free(result);
    return false;
}

void job_free(job_result *result)
{
    ns_free(result->out);
    ns_free(result->err);
}

/* The launcher's own words around the message are its own matter. */
void job_refused(job_result *result, const char *words)
{
    enum { TIMED_OUT = 124 /* of timeout(1) */ };
    ck_assert_msg(result->code != 0 && result->code != TIMED_OUT, "exit code %d\n%.1500s", result->code, result->err);
    ck_assert_msg(strstr(result->err, words) != NULL, "wanted \"%s\", got\n%.1500s", words, result->err);
    ck_assert_msg(times_in(result->err, "nsmodel-mpi: ") == 1, "more than one message:\n%.1500s", result->err);
    ck_assert_str_eq(result->out, "");
    job_free(result);
}

ns_value *job_json(job_mpi mpi, int ranks, const char *line)
{
    char with_format[1500];
    ns_value *root = NULL;
    ns_error err = {0};
    snprintf(with_format, sizeof with_format, "%s --json", line);
    job_result r = job(mpi, ranks, with_format);
    ck_assert_msg(r.code == 0, "%d ranks of `nsmodel-mpi %s`: exit code %d\n%.1500s", ranks, line, r.code, r.err);
    ck_assert_msg(ns_json_parse(r.out, "output", &root, &err) == NS_OK, "%s", err.text);
    job_free(&r);
    return test_keep(root);
}
