/* osu_job.c -- what launchers and scripts print around OSU tables: nodes, processes, buffers */
#include "osu.h"

#include <string.h>

/* The number after a flag: "-n2", "-n 2", "--ntasks=2"; else 0. */
static int flag_number(const char *text, const char *flag)
{
    int value;
    for (const char *found = text; (found = strstr(found, flag)) != NULL; found++) {
        const char *at = found + strlen(flag);
        at += *at == '=' || *at == ' ';
        if (found != text && found[-1] == ' ' && ns_scan_integer(&at, &value))
            return value;
    }
    return 0;
}

static int either(int first, int second)
{
    return first > 0 ? first : second;
}

/* What a command line says; 0 where it says nothing. */
typedef struct launch {
    int nodes, tasks, each; /* each: tasks of a node */
} launch;

static launch launched(const char *text)
{
    launch l = {.tasks =
                    either(flag_number(text, "-n"), either(flag_number(text, "-np"), flag_number(text, "--ntasks")))};
    if (strstr(text, "srun") != NULL || strstr(text, "flux run") != NULL) {
        l.nodes = either(flag_number(text, "-N"), flag_number(text, "--nodes"));
        l.each = flag_number(text, "--ntasks-per-node");
        if (l.each > 0 && l.each <= 1024 && l.nodes > 0 && l.nodes <= 1 << 20)
            l.tasks = l.nodes * l.each;
    } else { /* -N of mpirun is tasks a node */
        l.each = either(flag_number(text, "-N"), either(flag_number(text, "-npernode"), flag_number(text, "-ppn")));
        l.each = either(l.each, flag_number(text, "ppr:"));
    }
    return l;
}

/* Of the two tasks of a pair, or -1. */
static int pair_locality(launch l)
{
    if (l.nodes == 1 || (l.nodes == 0 && l.each > 1 && l.tasks > 0 && l.tasks <= l.each))
        return NS_ON_NODE;
    if ((l.nodes > 1 && l.tasks <= l.nodes) || (l.nodes == 0 && l.each == 1))
        return NS_OFF_NODE;
    return -1;
}

/* "srun -N1 -n2 ... osu_bw", "mpirun -np 2 -N 1 ... osu_bw" */
static void command_places(osu_job *job, const char *text)
{
    const launch l = launched(text);
    job->locality = strstr(text, "/collective/") != NULL ? -1 : pair_locality(l);
    job->processes = either(l.tasks, l.nodes);
    job->nodes = l.nodes > 0 ? l.nodes : l.each > 0 && l.tasks > l.each ? (l.tasks + l.each - 1) / l.each : 0;
}

/* "... osu_bw D D", "-d cuda": which buffers. */
static void command_line(osu_job *job, const char *text)
{
    job->memory = strstr(text, " D D") || strstr(text, "-d cuda") || strstr(text, "-d rocm") ? 1
                  : strstr(text, " H H")                                                     ? 0
                  : strstr(text, " D H") || strstr(text, " H D")                             ? 2
                                                                                             : -1;
    command_places(job, text);
}

/* "... experiments for nodes a b": two names. */
static void nodes_line(osu_job *job, const char *at)
{
    size_t first = strcspn(at, " "), second;
    if (at[first] == '\0')
        return;
    second = strcspn(at + first + 1, " ");
    job->locality = first == second && memcmp(at, at + first + 1, first) == 0 ? NS_ON_NODE : NS_OFF_NODE;
}

void ns_osu_text_line(osu_job *job, const char *text)
{
    static const char *const counts[] = {"number of process: %", "number of processes: %", "nprocs: %",
                                         "This is a test with % processes"};
    static const char *const node_counts[] = {"Number of nodes: %", "#SBATCH --nodes=%", "#SBATCH -N %"};
    const char *nodes = strstr(text, " for nodes ");
    int number[2], locality = ns_words_locality(text);
    if (strstr(text, "osu_") != NULL && (strstr(text, "srun") != NULL || strstr(text, "mpirun") != NULL ||
                                         strstr(text, "mpiexec") != NULL || strstr(text, "flux run") != NULL))
        command_line(job, text);
    if (locality >= 0)
        job->locality = locality;
    if (nodes != NULL && strncmp(text, "Point-to-point", 14) == 0)
        nodes_line(job, nodes + strlen(" for nodes "));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (ns_scan_match(text, counts[i], number) != NULL)
            job->processes = number[0];
    for (size_t i = 0; i < sizeof node_counts / sizeof *node_counts; i++)
        if (ns_scan_match(text, node_counts[i], number) != NULL)
            job->nodes = number[0];
}

/* One half of the ranks sends to the other, so that with more than two nodes several send. */
int ns_osu_node_pairs(const ns_log_parser *p, const osu_job *job, int pairs)
{
    const int said = p->options->processes > 0 ? p->options->processes : p->options->per_node;
    const int senders = job->nodes / 2;
    if (senders > 1 && pairs >= senders)
        return (pairs + senders - 1) / senders;
    return said > 0 && pairs > said && pairs % said == 0 ? said : pairs;
}

/* Flux writes, after the tables, on which nodes its tasks ran: "map":[[first, nodes, tasks a node, repeats]].  Two
 * tasks on two nodes, or on one, tell the locality of a pair. */
void ns_osu_task_map(ns_log_parser *p, const char *text)
{
    int number[4];
    const char *at = strstr(text, "\"taskmap\":{"), *map = at == NULL ? NULL : strstr(at, "\"map\":");
    if (map == NULL || ns_scan_match(map, "\"map\":[[%,%,%,%]]", number) == NULL)
        return;
    int locality = number[1] == 2 && number[2] == 1 ? NS_OFF_NODE : number[1] == 1 && number[2] == 2 ? NS_ON_NODE : -1;
    for (size_t i = p->unplaced; locality >= 0 && i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (sample->locality_stated)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
    }
    p->unplaced = p->log->samples; /* no ranks are named in OSU tables */
}
