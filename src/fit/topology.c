/* topology.c -- what a node has: as it was said, or the least that the logs show
 *
 * n pairs between two nodes are n processes of each, inside one node 2 n.  Logs print neither sockets nor GPUs: two
 * localities inside the node want two sockets, and processes that use device memory at once have a GPU each, unless
 * they are more than any node has.
 */
#include "fit/fit.h"
#include "fit/machine_file.h"

static bool counts(const ns_sample *s)
{
    return s->kind < NS_CONTENTION || s->kind == NS_STAGED || s->kind == NS_ONE_SIDED;
}

void ns_fit_count_processes(ns_fit *fit, const ns_log *log)
{
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        const int ends = s->locality != NS_OFF_NODE && s->locality_stated ? 2 : 1;
        if (!counts(s) || s->pairs > NS_FIT_NODE_MOST)
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
           : o->per_node > 0                  ? o->per_node
           : fit->most_gpus > 1               ? fit->most_gpus
                                              : 1;
}

int ns_fit_processes(const ns_fit *fit)
{
    const ns_fit_options *o = &fit->options;
    const int most = o->per_node > fit->most_processes ? o->per_node : fit->most_processes;
    return o->processes > 0 ? o->processes : most > 1 ? most : 1;
}

static bool is_measured(const ns_fit *fit, ns_locality locality)
{
    for (size_t g = 0; g < fit->groups; g++)
        if (fit->group[g].in_machine && fit->group[g].locality == locality)
            return true;
    return false;
}

/* ---- into the machine's file ------------------------------------------------------------------------------------- */

static void put(ns_value *topology, const char *name, int count, const char *assumed)
{
    if (assumed == NULL) {
        ns_value_count(topology, name, count);
        return;
    }
    ns_value *number = ns_value_object(topology, name);
    ns_value_count(number, "value", count);
    ns_value_textf(number, "source", "assumed: %s", assumed);
}

static void put_sockets(const ns_fit *fit, ns_value *topology)
{
    const int given = fit->options.sockets;
    const bool both = is_measured(fit, NS_ON_SOCKET) && is_measured(fit, NS_ON_NODE);
    put(topology, "sockets",
        given > 0 ? given
        : both    ? 2
                  : 1,
        given > 0 ? NULL
        : both    ? "messages were measured on a socket and between sockets"
                  : "no log measured messages on a socket and between sockets");
}

void ns_fit_topology(const ns_fit *fit, ns_value *root)
{
    const ns_fit_options *o = &fit->options;
    const bool layout = o->per_node > 0, none = !fit->device && fit->copies == 0;
    ns_value *t = ns_value_object(root, "topology");
    put_sockets(fit, t);
    put(t, "gpus", ns_fit_gpus(fit),
        o->gpus >= 0 ? NULL
        : none       ? "no log has data of GPUs"
        : layout     ? "the benchmark's ranks per node"
                     : "the most that were active at once in the logs");
    put(t, "host_processes", ns_fit_processes(fit),
        o->processes > 0 ? NULL
        : layout         ? "the benchmark's ranks per node"
                         : "the most that were active at once in the logs");
    if (o->sockets > 0 || o->gpus >= 0 || o->processes > 0)
        ns_value_text(t, "source", "given to nsmodel fit");
}
