/* topology.c -- contents of a node: as given, or the minimum that the logs imply
 *
 * n pairs between two nodes are n processes on each; inside one node they are 2 n.  Few logs print sockets and GPUs.
 * Otherwise two on-node localities imply two sockets, and processes that use device memory at once have a GPU each,
 * unless there are more of them than any node has GPUs.  A printed number is accepted up to NS_FIT_NODE_MOST.
 */
#include "fit/fit.h"
#include "fit/machine_file.h"

void ns_fit_count_processes(ns_fit *fit, const ns_log *log)
{
    const ns_log_node *n = &log->node;
    fit->printed =
        (ns_log_node){n->processes <= NS_FIT_NODE_MOST ? n->processes : 0,
                      n->sockets <= NS_FIT_NODE_MOST ? n->sockets : 0, n->gpus <= NS_FIT_NODE_MOST ? n->gpus : 0};
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        const int ends = s->locality != NS_OFF_NODE && s->locality_stated ? 2 : 1;
        const bool counts = s->kind < NS_CONTENTION || s->kind == NS_STAGED || s->kind == NS_ONE_SIDED;
        if (!counts || s->pairs > NS_FIT_NODE_MOST)
            continue;
        const int here = ends * (s->pairs > 1 ? s->pairs : 1);
        if (here > fit->most_processes)
            fit->most_processes = here;
        if (s->memory == NS_DEVICE && here > fit->most_gpus && here <= NS_FIT_GPUS_MOST)
            fit->most_gpus = here;
    }
}

int ns_fit_gpus(const ns_fit *fit)
{
    const ns_fit_options *o = &fit->options;
    return o->gpus >= 0                       ? o->gpus
           : !fit->device && fit->copies == 0 ? 0
           : fit->printed.gpus > 0            ? fit->printed.gpus
           : o->per_node > 0                  ? o->per_node
           : fit->most_gpus > 1               ? fit->most_gpus
                                              : 1;
}

/* Is the printed number of processes at least the number that the log shows? */
static bool prints_processes(const ns_fit *fit)
{
    return fit->printed.processes >= fit->most_processes && fit->printed.processes > 0;
}

int ns_fit_processes(const ns_fit *fit)
{
    const ns_fit_options *o = &fit->options;
    const int shown = prints_processes(fit) ? fit->printed.processes : fit->most_processes;
    const int most = o->per_node > shown ? o->per_node : shown;
    return o->processes > 0 ? o->processes : most > 1 ? most : 1;
}

/* ---- writing the machine file ------------------------------------------------------------------------------------ */

static const char by_log[] = "printed by the benchmark", ranks[] = "assumed: the benchmark's ranks per node",
                  shown_at_once[] = "assumed: the most that were active at once in the logs";

static void put(ns_value *topology, const char *name, int count, const char *source)
{
    if (source == NULL) {
        ns_value_count(topology, name, count);
        return;
    }
    ns_value *number = ns_value_object(topology, name);
    ns_value_count(number, "value", count);
    ns_value_text(number, "source", source);
}

void ns_fit_topology(const ns_fit *fit, ns_value *root)
{
    const ns_fit_options *o = &fit->options;
    const bool layout = o->per_node > 0, none = !fit->device && fit->copies == 0;
    ns_value *t = ns_value_object(root, "topology");
    const bool both = (ns_fit_group_at(fit, NS_HOST, NS_ON_SOCKET) || ns_fit_group_at(fit, NS_DEVICE, NS_ON_SOCKET)) &&
                      (ns_fit_group_at(fit, NS_HOST, NS_ON_NODE) || ns_fit_group_at(fit, NS_DEVICE, NS_ON_NODE));
    const int said = fit->printed.sockets;
    if (o->sockets > 0 || said > 0)
        put(t, "sockets", o->sockets > 0 ? o->sockets : said, o->sockets > 0 ? NULL : by_log);
    else if (both)
        put(t, "sockets", 2, "assumed: messages were measured on a socket and between sockets");
    else
        put(t, "sockets", 1, "assumed: no log measured messages on a socket and between sockets");
    put(t, "gpus", ns_fit_gpus(fit),
        o->gpus >= 0            ? NULL
        : none                  ? "assumed: no log has data of GPUs"
        : fit->printed.gpus > 0 ? by_log
        : layout                ? ranks
                                : shown_at_once);
    put(t, "host_processes", ns_fit_processes(fit),
        o->processes > 0        ? NULL
        : layout                ? ranks
        : prints_processes(fit) ? by_log
                                : shown_at_once);
    if (o->interfaces > 0)
        put(t, "nics", o->interfaces, NULL);
    if (o->sockets > 0 || o->gpus >= 0 || o->processes > 0 || o->interfaces > 0)
        ns_value_text(t, "source", "given to nsmodel fit");
}
