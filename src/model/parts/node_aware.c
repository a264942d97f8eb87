/* node_aware.c -- the sub-models (4.1) to (4.5) of [NA] on a machine's tables
 *
 * [NA] = Lockhart, Bienz, Gropp, Olson: Characterizing the Performance of Node-Aware Strategies for Irregular
 * Point-to-Point Communication on Heterogeneous Architectures.  Worst cases, one message after the other.
 */
#include "model/parts/node_aware.h"

#include <math.h>

const char *const ns_form_words[] = {"corrected", "printed", NULL};

/* count (alpha + beta s) */
static ns_status messages(const ns_tables *tables, ns_locality locality, double count, double s, double *time,
                          ns_error *err)
{
    const ns_line *line;
    *time = 0;
    if (!(count > 0))
        return NS_OK;
    NS_TRY(ns_model_line(tables->machine, tables->memory, (int)locality, tables->protocol, s, &line, err));
    *time = count * (line->alpha + line->beta * s);
    return NS_OK;
}

ns_status ns_node_aware_on(const ns_tables *tables, double parts, double sockets, double s, ns_on_time *time,
                           ns_error *err)
{
    const double gps = ceil(parts / sockets); /* then parts - gps = (S - 1) gps where the sockets are equal */
    ns_on_time on;
    NS_TRY(messages(tables, NS_ON_SOCKET, gps - 1, s, &on.on_socket, err));
    NS_TRY(messages(tables, NS_ON_NODE, parts - gps, s, &on.on_node, err));
    *time = on;
    return NS_OK;
}

ns_status ns_node_aware_spread(const ns_tables *tables, const ns_spread *spread, double s, ns_on_time *time,
                               ns_error *err)
{
    double near, far = 0;
    ns_on_time on;
    if (spread->even) {
        if (!(spread->parts > 0))
            return ns_fail(err, NS_ERR_RANGE, "even data lie on the GPUs of a node: per_node is 0, give it");
        near = ceil(spread->used / (spread->parts * spread->ppg)) - 1;
    } else {
        const double pps = spread->processes / spread->sockets;
        const double all = fmax(spread->used / spread->ppg - 1, 0);
        near = fmin(all, fmax(pps / spread->ppg - 1, 0));
        far = all - near;
    }
    NS_TRY(messages(tables, NS_ON_SOCKET, near, s, &on.on_socket, err));
    NS_TRY(messages(tables, NS_ON_NODE, far, s, &on.on_node, err));
    *time = on;
    return NS_OK;
}

ns_status ns_node_aware_off(const ns_tables *tables, double m, double s, double s_node, ns_off_time *time,
                            ns_error *err)
{
    const ns_line *line;
    if (m <= 0 && s <= 0) {
        *time = (ns_off_time){0};
        return NS_OK;
    }
    const double mean = m > 0 ? s / m : s;
    NS_TRY(ns_model_line(tables->machine, tables->memory, NS_OFF_NODE, tables->protocol, mean, &line, err));
    time->startup = line->alpha * m;
    time->transfer = fmax(s_node * tables->machine->inverse_R_N[tables->memory], s * line->beta);
    return NS_OK;
}

ns_status ns_node_aware_copy(const ns_machine *machine, double processes, double s_send, double s_recv,
                             ns_copy_time *time, ns_error *err)
{
    const ns_copy_line *line = ns_machine_copy(machine, (int)processes);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no copy parameters", machine->name);
    time->d2h = line->alpha[NS_D2H] + line->beta[NS_D2H] * s_send;
    time->h2d = line->alpha[NS_H2D] + line->beta[NS_H2D] * s_recv;
    return NS_OK;
}

ns_status ns_node_aware_staging(const ns_machine *machine, double processes, double s_send, double s_recv, bool printed,
                                double *time, ns_error *err)
{
    ns_copy_time copy = {0};
    if (machine->gpus > 0)
        NS_TRY(printed ? ns_node_aware_copy(machine, processes, s_recv, s_send, &copy, err)
                       : ns_node_aware_copy(machine, processes, s_send, s_recv, &copy, err));
    *time = copy.d2h + copy.h2d;
    return NS_OK;
}
