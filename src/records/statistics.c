/* statistics.c -- read a row of counts by class: maximum messages and bytes over processes, totals, maxima of the
 * steps; or a row of the spmv shape */
#include "records/statistics.h"

#include "core/refuse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ns_status ns_record_fail(const ns_records *records, size_t row, ns_status code, ns_error *err, const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return ns_fail_at(err, code, records->file, records->row[row].line, 0, "%s", text);
}

ns_status ns_record_amount(const ns_records *records, size_t row, const char *name, bool whole, bool *given,
                           double *value, ns_error *err)
{
    const char *text = ns_record_text(records, row, name);
    *given = *text != '\0';
    *value = 0;
    if (!*given)
        return NS_OK;
    if (!ns_record_number(records, row, name, value))
        return ns_record_fail(records, row, NS_ERR_SYNTAX, err, "%s wants a number, got \"%.40s\"", name, text);
    if (*value < 0 || *value > 9007199254740992.0 || (whole && *value != floor(*value)))
        return ns_record_fail(records, row, NS_ERR_RANGE, err, "%s wants %s from 0 to 2^53, got %.40s", name,
                              whole ? "a whole number" : "a number", text);
    return NS_OK;
}

static ns_status wanted(const ns_records *records, size_t row, const char *name, double *value, ns_error *err)
{
    bool given;
    NS_TRY(ns_record_amount(records, row, name, true, &given, value, err));
    return given ? NS_OK : ns_record_fail(records, row, NS_ERR_DATA, err, "lacks %s", name);
}

/* ---- strategy and transport -------------------------------------------------------------------------------------- */

ns_status ns_record_way(const ns_records *records, size_t row, const ns_strategy **strategy, ns_transport *transport,
                        ns_error *err)
{
    ns_error inner = {0};
    const ns_strategy *found;
    ns_transport way = NS_VIA_HOST;
    const char *name = ns_record_text(records, row, "strategy"), *by = ns_record_text(records, row, "transport");
    if (*name == '\0')
        return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks strategy");
    if (ns_records_are_dense(records))
        return ns_dense_way(records, row, strategy, transport, err);
    if (ns_strategy_get(name, &found, &inner) != NS_OK || (*by != '\0' && ns_transport_get(by, &way, &inner) != NS_OK))
        return ns_record_fail(records, row, NS_ERR_NAME, err, "%s", inner.text);
    *strategy = found;
    *transport = way;
    return NS_OK;
}

/* ---- the spmv shape ------------------------------------------------------------------------------------------------
 *
 * A row that knows one GPU's process only: n messages and s entries, its neighbours the nearest blocks.
 *
 * With contiguous blocks the neighbours of GPU g are g - 1, g + 1, g - 2, ...: the first share its socket, the next its
 * node, the rest are off node.  All messages are of the mean length.  Node-aware ways: the h processes of a GPU share
 * its n messages, max_tap_n each, ceil(n / h) or so; three-step hands each of the h - 1 others its part on the socket
 * first and last, a split copies the parts from the GPU itself.  Where h max_tap_n is less than n, messages to one node
 * are merged into one.
 */

enum { ENTRY = 8 }; /* B */

/* Add messages of the mean length to their class. */
static ns_status put(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                     ns_locality locality, double messages, double mean, ns_error *err)
{
    const ns_memory memory = ns_transport_memory(s->transport);
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

/* Add the n messages of a GPU, nearest first; the process sends a share of them. */
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

static ns_status read_spmv(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
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
    if (s->strategy->node_aware) {
        const double bytes = ENTRY * entries;
        bool known;
        double between;
        NS_TRY(ns_record_amount(records, row, "max_tap_n", true, &known, &between, err));
        if (!known)
            return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks max_tap_n");
        const double helpers = fmax(1, floor(s->ppn / per_node));
        const bool shared = s->strategy->all_processes; /* they copy their parts from the GPU directly */
        if (between > n)
            return ns_record_fail(records, row, NS_ERR_DATA, err, "max_tap_n is %.0f, but there are %.0f messages",
                                  between, n);
        if (between * helpers < n || n == 0) {
            /* Fewer messages than the GPU has neighbours: those to one node are merged, gathered before and scattered
             * after. */
            const double mean = between > 0 ? bytes / (between * helpers) : 0;
            s->node_bytes = per_node * bytes;
            s->most[0] = between;
            if (!shared)
                NS_TRY(put(records, row, machine, s, NS_ON_NODE, 2 * between, mean, err));
            return put(records, row, machine, s, NS_OFF_NODE, between, mean, err);
        }
        s->most[0] = between;
        NS_TRY(put_nearest(records, row, machine, s, per_node, n, between / n, bytes / n, err));
        if (helpers == 1 || shared)
            return NS_OK;
        /* Three-step inside a GPU's group: its first process sends each helper a part, and the helpers forward received
         * data. */
        s->steps = 3;
        s->most[1] = s->most[0];
        s->most[0] = s->most[2] = helpers - 1;
        return put(records, row, machine, s, NS_ON_SOCKET, 2 * (helpers - 1), bytes / helpers, err);
    }
    return n > 0 ? put_nearest(records, row, machine, s, per_node, n, 1, ENTRY * entries / n, err) : NS_OK;
}

/* ---- counts by class --------------------------------------------------------------------------------------------- */

static const char *const of_locality[NS_LOCALITIES] = {"_socket", "_node", ""};
static const char *const of_protocol[NS_PROTOCOLS] = {"short", "eager", "rend"};

static void class_column(char *name, size_t size, const char *what, int locality, int protocol)
{
    snprintf(name, size, "%s_%s%s", what, of_protocol[protocol], of_locality[locality]);
}

/* Can a process send several messages to another one in a step? */
static bool sends_apart(const ns_strategy *strategy)
{
    bool apart = false;
    for (const ns_step_rule *step = strategy->steps; step->name != NULL; step++)
        apart = apart || step->joining == NS_APART;
    return apart;
}

/* Maximum number of messages of a process in a locality: one per step and other process there, or the row's number. */
static double most_of(const ns_statistics *s, int l)
{
    if (l == NS_OFF_NODE && s->nodes < 2)
        return 0;
    const double others = (l == NS_OFF_NODE ? s->processes : s->ppn) - 1;
    double sum = 0;
    for (int i = 0; i < s->steps; i++)
        sum += s->most_given ? fmin(s->most[i], others) : others;
    return sum;
}

static double sum_of(const ns_statistics *s, bool off_node, bool messages)
{
    double sum = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS && (l == NS_OFF_NODE) == off_node; p++)
            sum += messages ? s->load[l][p].messages : s->load[l][p].bytes;
    return sum;
}

ns_status ns_statistics_read(const ns_records *records, size_t row, const ns_machine *machine, ns_statistics *s,
                             ns_error *err)
{
    *s = (ns_statistics){.steps = 1};
    if (records->row[row].problem != NULL)
        return ns_record_fail(records, row, NS_ERR_SYNTAX, err, "%s", records->row[row].problem);
    NS_TRY(ns_record_way(records, row, &s->strategy, &s->transport, err));
    bool given;
    double active;
    NS_TRY(wanted(records, row, "processes", &s->processes, err));
    NS_TRY(wanted(records, row, "nodes", &s->nodes, err));
    NS_TRY(ns_record_amount(records, row, "ppn", true, &given, &s->ppn, err));
    if (s->processes < 1 || s->nodes < 1 || (given && s->ppn < 1))
        return ns_record_fail(records, row, NS_ERR_RANGE, err,
                              "processes, nodes and ppn have to be at least 1, got %.0f, %.0f%s", s->processes,
                              s->nodes, given && s->ppn < 1 ? ", 0" : "");
    if (!given)
        s->ppn = ceil(s->processes / s->nodes);
    if (s->processes > s->nodes * s->ppn || s->nodes > s->processes)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f processes do not stand on %.0f nodes of %.0f",
                              s->processes, s->nodes, s->ppn);
    NS_TRY(ns_record_amount(records, row, "active", true, &given, &active, err));
    if (given && active > s->processes)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f of %.0f processes are active", active,
                              s->processes);
    if (*ns_record_text(records, row, "max_n") != '\0' && *ns_record_text(records, row, "num_short") == '\0')
        return read_spmv(records, row, machine, s, err);
    bool any = false;
    double messages = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            /* A class: an empty cell of an existing column is an error; a missing column means 0. */
            char number[40], size[40];
            bool counted, sized;
            double of_class, bytes;
            class_column(number, sizeof number, "num", l, p);
            class_column(size, sizeof size, "size", l, p);
            NS_TRY(ns_record_amount(records, row, number, true, &counted, &of_class, err));
            NS_TRY(ns_record_amount(records, row, size, false, &sized, &bytes, err));
            if (!counted && ns_records_column(records, number) >= 0)
                return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks %s", number);
            if (!sized && (counted || ns_records_column(records, size) >= 0))
                return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks %s", size);
            s->load[l][p] = (ns_class_load){of_class, bytes};
            any = any || counted;
            messages += s->load[l][p].messages;
        }
    if (!any)
        return ns_record_fail(records, row, NS_ERR_DATA, err,
                              "holds no statistics: neither num_short and its like nor max_n and max_s");
    if (messages > 0 && s->processes < 2)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f messages of a single process", messages);
    const char *const *most = s->strategy->record_most;
    if (most == NULL) {
        const ns_strategy *list[NS_CHOICES];
        const char *names[NS_CHOICES];
        char text[200];
        const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
        size_t known = 0;
        for (size_t i = 0; i < count; i++)
            if (list[i]->record_most != NULL)
                names[known++] = list[i]->name;
        return ns_record_fail(records, row, NS_ERR_DATA, err, "counts by class are known of %s exchanges, not of %s",
                              ns_name_list(text, sizeof text, names, known), s->strategy->name);
    }
    s->most_given = true;
    for (s->steps = 0; s->steps < NS_RECORD_STEPS && most[s->steps] != NULL; s->steps++) {
        bool known = false;
        const int i = s->steps;
        const char *name = most[i];
        NS_TRY(ns_record_amount(records, row, name, true, &known, &s->most[i], err));
        s->most_given = s->most_given && known;
        if (s->most[i] > s->processes - 1 && !sends_apart(s->strategy))
            return ns_record_fail(records, row, NS_ERR_DATA, err, "%s is %.0f, but there are %.0f other processes",
                                  name, s->most[i], s->processes - 1);
    }
    NS_TRY(ns_record_amount(records, row, "total_bytes", true, &s->total_given, &s->total_bytes, err));
    NS_TRY(ns_record_amount(records, row, "byte_hops", true, &s->hops_given, &s->byte_hops, err));
    const double off = sum_of(s, true, false);
    if (s->total_given && off > s->total_bytes)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "one process sends %.0f B off node, all together %.0f",
                              off, s->total_bytes);
    if (s->total_given && s->total_bytes > 0 && s->nodes < 2)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.0f B leave the only node", s->total_bytes);
    if (s->hops_given && s->total_given && s->total_bytes == 0 && s->byte_hops > 0)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "byte_hops without bytes");
    double of_steps = 0;
    for (int i = 0; i < s->steps; i++)
        of_steps += s->most[i];
    if (s->most_given && of_steps == 0 && sum_of(s, true, true) + sum_of(s, false, true) > 0)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "messages by class, but none at most");
    /* A class never has more messages than one process can have. */
    char name[40];
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            if (s->load[l][p].messages <= most_of(s, l) || sends_apart(s->strategy))
                continue;
            class_column(name, sizeof name, "num", l, p);
            return ns_record_fail(records, row, NS_ERR_DATA, err,
                                  "%s is %.0f, but a process has at most %.0f %s messages here", name,
                                  s->load[l][p].messages, most_of(s, l), ns_locality_words[l]);
        }
    return NS_OK;
}
