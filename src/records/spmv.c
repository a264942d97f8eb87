/* spmv.c -- a row that knows one GPU's process only: n messages and s entries, its neighbours the nearest blocks
 *
 * With contiguous blocks the neighbours of GPU g are g - 1, g + 1, g - 2, ...: the first share its socket, the next its
 * node, the rest are off node.  All messages are of the mean length.  Node-aware ways: three-step gathers and scatters
 * the messages between nodes on the node; a split keeps the step between nodes, shared by the helpers of a GPU.
 */
#include "records/statistics.h"

#include <math.h>
#include <string.h>

enum { ENTRY = 8 }; /* B */


/* Put messages of the mean length into their class. */
static ns_status put(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                     ns_locality locality, double messages, double mean, ns_error *err)
{
    const ns_memory memory = s->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    ns_protocol protocol = NS_SHORT;
    if (messages <= 0)
        return NS_OK;
    if (ns_machine_line(machine, memory, locality, mean, &protocol) == NULL)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "machine %s has no %s table for %s memory", machine->name,
                              ns_locality_words[locality], ns_memory_words[memory]);
    s->load[locality][protocol].messages += messages;
    s->load[locality][protocol].bytes += messages * mean;
    return NS_OK;
}

/* Direct messages, nearest first. */
static ns_status put_nearest(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                             double gpus, double messages, double mean, ns_error *err)
{
    const double socket = fmin(messages, fmax(0, ceil(gpus / machine->sockets) - 1));
    const double node = fmin(messages - socket, gpus - 1 - socket), off = messages - socket - node;
    NS_TRY(put(records, row, machine, s, NS_ON_SOCKET, socket, mean, err));
    NS_TRY(put(records, row, machine, s, NS_ON_NODE, node, mean, err));
    s->node_bytes = gpus * off * mean;
    return put(records, row, machine, s, NS_OFF_NODE, off, mean, err);
}

static ns_status put_node_aware(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                                double gpus, double bytes, ns_error *err)
{
    bool given;
    double between;
    const bool split = s->strategy->all_processes;
    NS_TRY(ns_record_amount(records, row, "max_tap_n", true, &given, &between, err));
    if (!given)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks max_tap_n");
    const double helpers = split ? fmax(1, floor(s->ppn / gpus)) : 1,
                 mean = between > 0 ? bytes / (between * helpers) : 0;
    s->node_bytes = gpus * bytes;
    if (!split) /* gathered before, scattered after */
        NS_TRY(put(records, row, machine, s, NS_ON_NODE, 2 * between, mean, err));
    return put(records, row, machine, s, NS_OFF_NODE, between, mean, err);
}

ns_status ns_spmv_read(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                       ns_error *err)
{
    bool counted, sized, given;
    double n, entries, gpus;
    NS_TRY(ns_record_amount(records, row, "max_n", true, &counted, &n, err));
    NS_TRY(ns_record_amount(records, row, "max_s", true, &sized, &entries, err));
    NS_TRY(ns_record_amount(records, row, "gpus", true, &given, &gpus, err));
    if (!sized)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks max_s");
    if (n == 0 && entries > 0)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "max_s of %.0f entries in no message", entries);
    if (n > entries)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f messages carry %.0f entries", n, entries);
    if (given && (gpus < 1 || gpus > s->processes || n > gpus - 1))
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f GPUs with %.0f processes and %.0f messages each",
                              gpus, s->processes, n);
    const double per_node = given ? ceil(gpus / s->nodes) : s->ppn;
    s->node_bytes_given = s->most_given = true;
    s->most[0] = n;
    if (s->strategy->node_aware)
        return put_node_aware(records, row, machine, s, per_node, ENTRY * entries, err);
    return n > 0 ? put_nearest(records, row, machine, s, per_node, n, ENTRY * entries / n, err) : NS_OK;
}
