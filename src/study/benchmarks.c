/* benchmarks.c -- which benchmark measures which parameter, as a command line whose log `nsmodel fit` reads
 *
 * In a path * matches any characters (fnmatch).  The first row that matches applies.  In commands {ppn} is the host
 * processes of a node, {gpus} its GPUs, {2ppn} and {2gpus} those of two nodes; {ranks} and {2ranks} the same, or 2
 * where the number is unknown; {log} the file that receives the output: a locality or memory without a file name would
 * apply to the first logs, too; {by} what times exchanges, where a program of this package does.  Other programs appear
 * only where nsmodel-mpi measures nothing; its log, mine.log, precedes theirs.
 */
#include "study/study.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

typedef struct benchmark {
    const char *path[9]; /* of the parameters that it measures */
    const char *tool;    /* its name in `fit --tool`; NULL: whole exchanges */
    const char *run, *fit;
} benchmark;

#define PAIR(map, where) "mpirun -np 2 --map-by " map " " where
#define EXCHANGES        "time whole exchanges of every strategy into mine.csv{by}"
#define RECORDS          EXCHANGES ", then nsmodel fit mine.log --records mine.csv -o mine.json"

const char ns_benchmark_elsewhere[] =
    "run this exchange on the network's hardware, or in a simulator of its packets, as the paper did";

static const benchmark rows[] = {
    {{"host.off-node.*", "host.on-node.*", "host.on-socket.*", "host.injection.*", "host.exchange.off-node.*",
      "host.exchange.on-*.inverse_R", "host.exchange.gamma", "host.queue.gamma", "models.loggp.*"},
     "nsmodel",
     "mpirun -n {2ranks} nsmodel-mpi measure -o {log} --per-node {ranks}",
     ""},
    {{"device.off-node.*"},
     "osu",
     PAIR("ppr:1:node", "osu_latency D D"),
     "--locality {log}=off-node --memory {log}=device"},
    {{"device.on-node.*"},
     "osu",
     PAIR("ppr:1:socket", "osu_latency D D"),
     "--locality {log}=on-node --memory {log}=device"},
    {{"device.on-socket.*"},
     "osu",
     PAIR("ppr:2:socket", "osu_latency D D"),
     "--locality {log}=on-socket --memory {log}=device"},
    {{"device.injection.*"},
     "osu",
     "mpirun -np {2gpus} --map-by ppr:{gpus}:node osu_mbw_mr D D",
     "--locality {log}=off-node --memory {log}=device"},
    {{"copy.1.*"}, "benchpress", "mpirun -np {ppn} time_memcpy", ""},
    {{"copy.*"}, "benchpress", "mpirun -np {ppn} time_memcpy_mult", ""},
    {{"host.exchange.on-*.alpha", "host.exchange.on-*.beta", "host.exchange.*.overhead"},
     "benchpress",
     "mpirun -np {2ppn} --map-by ppr:{ppn}:node time_mult_pong",
     "--per-node {ppn}"},
    {{"device.exchange.off-node.*"}, /* which fit reads where the exchanges give the floor named beside it */
     "benchpress",
     EXCHANGES "; mpirun -np {2gpus} --map-by ppr:{gpus}:node time_mult_pong",
     "--per-node {gpus} --records mine.csv"},
    {{"device.exchange.on-*.alpha", "device.exchange.on-*.beta"},
     "benchpress",
     "mpirun -np {2gpus} --map-by ppr:{gpus}:node time_mult_pong",
     "--per-node {gpus}"},
    {{"*.exchange.on-*.inverse_R"},
     "advance",
     "mpirun -np {2ppn} --map-by ppr:{ppn}:node microbench",
     "--per-node {ppn}"},
    {{"*.exchange.gamma", "*.queue.gamma"},
     "advance",
     "mpirun -np {2ppn} --map-by ppr:{ppn}:node microbench",
     "--per-node {ppn}"},
    {{"*.exchange.inverse_R"},
     "nodecomm",
     "aprun -n {2ppn} -N {ppn} nodecomm",
     "--kind {log}=contention --per-node {ppn}"},
    {{"network.contention.*"},
     "nodecomm",
     "aprun -n {2ppn} -N {ppn} nodecomm",
     "--kind {log}=contention --per-node {ppn}"},
    {{"*.overhead"}, "netgauge", PAIR("ppr:1:node", "netgauge -s 1-131072 -x loggp"), ""},
    {{"network.*.time"},
     NULL,
     ns_benchmark_elsewhere,
     NULL}, /* exists on no cluster; ns_benchmark_tool stops here */
    {{"*"}, NULL, RECORDS, NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What no benchmark measures: found by inspecting the node, and the option that passes it to fit. */
static const benchmark facts[] = {
    {{"topology.sockets"}, NULL, "lscpu | grep Socket", "--sockets S"},
    {{"topology.gpus"}, NULL, "nvidia-smi -L, or rocm-smi", "--gpus G"},
    {{"topology.host_processes"}, NULL, "lscpu | grep Core", "--processes N"},
};

int ns_benchmark_of(const char *parameter)
{
    int row = 0;
    for (bool found = false; row < ROWS - 1; row++) { /* the last row matches everything */
        for (size_t k = 0; k < sizeof rows->path / sizeof *rows->path && rows[row].path[k] != NULL && !found; k++)
            found = fnmatch(rows[row].path[k], parameter, 0) == 0;
        if (found)
            break;
    }
    /* Rows with the same command are one benchmark. */
    for (int i = 0; i < row; i++)
        if (rows[i].tool != NULL && rows[row].tool != NULL && strcmp(rows[i].run, rows[row].run) == 0 &&
            strcmp(rows[i].fit, rows[row].fit) == 0)
            return i;
    return row;
}

bool ns_benchmark_is_elsewhere(int row)
{
    return rows[row].run == ns_benchmark_elsewhere;
}

/* ---- words in braces --------------------------------------------------------------------------------------------- */

/* Text with the words in braces replaced; returns the bytes used. */
static size_t fill_in(const char *text, const ns_machine *machine, const char *log, char *to, size_t size, size_t used)
{
    while (*text != '\0' && used + 40 < size) {
        if (*text != '{') {
            to[used++] = *text++;
            continue;
        }
        char word[12], number[16];
        const char *said = number;
        const size_t length = strcspn(text, "}");
        snprintf(word, sizeof word, "%.*s", (int)length - 1, text + 1);
        if (strcmp(word, "log") == 0)
            said = log;
        else if (strcmp(word, "by") == 0)
            /* It does not perform copies between host and GPU, so it times no exchanges on a machine with GPUs. */
            said = machine->gpus == 0 ? " by nsmodel-mpi run --records" : "";
        else {
            /* "40"; "N" or "2N" where the number of ranks, 2 or 4, is not known. */
            const bool gpus = strstr(word, "gpus") != NULL;
            const int one = gpus ? machine->gpus : machine->host_processes, factor = *word == '2' ? 2 : 1;
            /* Logs of a single pair of processes do not show how many of them a node has. */
            const ns_parameter *p = ns_machine_parameter(machine, gpus ? "topology.gpus" : "topology.host_processes");
            if (one > 2 || (one == 2 && (p == NULL || !ns_parameter_assumed(p))))
                snprintf(number, sizeof number, "%d", factor * one);
            else if (strstr(word, "ranks") != NULL)
                snprintf(number, sizeof number, "%d", 2 * factor);
            else
                said = factor == 2 ? "2N" : "N";
        }
        used += (size_t)snprintf(to + used, size - used, "%s", said);
        text += length + 1;
    }
    to[used] = '\0';
    return used;
}

const char *ns_benchmark_write(int row, const ns_machine *machine, char *text, size_t size)
{
    char log[20], fit[200];
    const bool own = rows[row].tool != NULL && strcmp(rows[row].tool, "nsmodel") == 0; /* it writes its log itself */
    snprintf(log, sizeof log, "%s.log", rows[row].tool == NULL ? "" : own ? "mine" : rows[row].tool);
    const size_t used = fill_in(rows[row].run, machine, log, text, size, 0);
    if (rows[row].tool == NULL)
        return NULL;
    snprintf(fit, sizeof fit, "%s && nsmodel fit %s{log}%s%s -o mine.json", own ? "" : " > {log}",
             own ? "" : "mine.log ", *rows[row].fit != '\0' ? " " : "", rows[row].fit);
    (void)fill_in(fit, machine, log, text, size, used);
    return rows[row].tool;
}

const char *ns_benchmark_parts(const char *parameter, const ns_machine *machine, char *run, size_t run_size, char *fit,
                               size_t fit_size)
{
    const benchmark *row = &rows[ns_benchmark_of(parameter)];
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].path[0], parameter) == 0)
            row = &facts[i];
    (void)fill_in(row->run, machine, "FILE", run, run_size, 0);
    (void)fill_in(row->fit != NULL ? row->fit : "", machine, "FILE", fit, fit_size, 0);
    return row->tool;
}

const char *ns_benchmark_tool(size_t index)
{
    return index < ROWS ? rows[index].tool : NULL;
}
