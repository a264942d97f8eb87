/* spmv.c -- a row that knows one GPU's process only: n messages and s entries, its neighbours the nearest blocks
 *
 * With contiguous blocks the neighbours of GPU g are g - 1, g + 1, g - 2, ...: the first share its socket, the next its
 * node, the rest are off node.  All messages are of the mean length.  Node-aware ways: the h processes of a GPU share
 * its n messages, max_tap_n each, ceil(n / h) or so; three-step hands each of the h - 1 others its part on the socket
 * first and last, a split copies the parts from the GPU itself.  Where h max_tap_n is less than n, messages to one node
 * are merged into one.
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

/* The n messages of a GPU, nearest first; the process sends a share of them. */
static ns_status put_nearest(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                             double gpus, double messages, double share, double mean, ns_error *err)
{
    const double socket = fmin(messages, fmax(0, ceil(gpus / machine->sockets) - 1));
    const double node = fmin(messages - socket, gpus - 1 - socket), off = messages - socket - node;
    NS_TRY(put(records, row, machine, s, NS_ON_SOCKET, share * socket, mean, err));
    NS_TRY(put(records, row, machine, s, NS_ON_NODE, share * node, mean, err));
    s->node_bytes = gpus * off * mean;
    return put(records, row, machine, s, NS_OFF_NODE, share * off, mean, err);
}

/* Its processes copy their parts from the GPU themselves: nothing is handed on. */
static bool is_shared(const ns_statistics *s)
{
    return s->strategy->all_processes;
}

/* Fewer messages than the GPU has neighbours: those to a node are merged, gathered before and scattered after. */
static ns_status put_merged(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                            double gpus, double bytes, double between, double helpers, ns_error *err)
{
    const double mean = between > 0 ? bytes / (between * helpers) : 0;
    s->node_bytes = gpus * bytes;
    s->most[0] = between;
    if (!is_shared(s))
        NS_TRY(put(records, row, machine, s, NS_ON_NODE, 2 * between, mean, err));
    return put(records, row, machine, s, NS_OFF_NODE, between, mean, err);
}

/* Three-step inside a GPU's group: its first process hands each helper a part, and they hand on what came. */
static ns_status put_group(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                           double bytes, double helpers, ns_error *err)
{
    const double parts = helpers - 1;
    s->steps = 3;
    s->most[1] = s->most[0];
    s->most[0] = s->most[2] = parts;
    return put(records, row, machine, s, NS_ON_SOCKET, 2 * parts, bytes / helpers, err);
}

static ns_status put_node_aware(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                                double gpus, double messages, double bytes, ns_error *err)
{
    bool given;
    double between;
    NS_TRY(ns_record_amount(records, row, "max_tap_n", true, &given, &between, err));
    if (!given)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks max_tap_n");
    const double helpers = fmax(1, floor(s->ppn / gpus));
    if (between > messages)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "max_tap_n is %.0f, but there are %.0f messages", between,
                              messages);
    if (between * helpers < messages || messages == 0)
        return put_merged(records, row, machine, s, gpus, bytes, between, helpers, err);
    s->most[0] = between;
    NS_TRY(put_nearest(records, row, machine, s, gpus, messages, between / messages, bytes / messages, err));
    return helpers > 1 && !is_shared(s) ? put_group(records, row, machine, s, bytes, helpers, err) : NS_OK;
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
        return put_node_aware(records, row, machine, s, per_node, n, ENTRY * entries, err);
    return n > 0 ? put_nearest(records, row, machine, s, per_node, n, 1, ENTRY * entries / n, err) : NS_OK;
}
