/* record_price.c -- from a row's statistics to the load of one process
 *
 * Published forms use the maxima by class directly; bytes by rendezvous off node are limited by the node, assuming that
 * all of its processes send as much as the largest.  The full form uses more: a node's bytes from the exchange's total
 * (a mean over nodes), and never more messages than the maximum over processes.  The maxima by class belong to
 * different processes, so their sum may count messages twice: standard fills max_num_msgs from off node inwards;
 * three-step has the exact maximum of each step and spreads it over the classes in proportion.
 */
#include "price/choice.h"
#include "records/statistics.h"

#include <math.h>
#include <string.h>

typedef ns_class_load load_table[NS_LOCALITIES][NS_PROTOCOLS];

static double count_of(load_table load, int from, int to)
{
    double count = 0;
    for (int l = from; l <= to; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            count += load[l][p].messages;
    return count;
}

/* Scale the messages of the localities from .. to a total of `count`, in the proportions of their classes. */
static void spread(load_table load, int from, int to, double count)
{
    const double had = count_of(load, from, to);
    for (int l = from; l <= to; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load[l][p].messages = had > 0 ? load[l][p].messages * count / had : l == from && p == NS_SHORT ? count : 0;
}

ns_status ns_record_price(const ns_records *records, size_t row, const ns_machine *machine,
                          const ns_price_options *options, ns_price *price, ns_error *err)
{
    ns_statistics s;
    ns_form_values values;
    ns_load load = {.first = 1};
    ns_price_options given;
    NS_TRY(ns_price_options_take(options, &given, err));
    NS_TRY(ns_statistics_read(records, row, machine, &s, err));
    const ns_memory memory = ns_transport_memory(s.transport);
    ns_form_take(ns_form_of(machine, given.form), machine, memory, given.without, &values);
    const char *lacks = NULL;
    if (values.form->needs_queue && !s.most_given)
        lacks = s.steps == 1 ? "max_num_msgs" : "max_num_L, _S, _G or _R";
    else if (values.form->needs_total && !s.total_given && !s.node_bytes_given)
        lacks = "total_bytes";
    else if (values.form->needs_hops && machine->contention_delta > 0 && !s.hops_given)
        lacks = "byte_hops";
    if (lacks != NULL)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "lacks %s, which the %s model needs", lacks,
                              values.form->name);
    /* Every class in use must have a line on the machine. */
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if ((s.load[l][p].messages > 0 || s.load[l][p].bytes > 0) && !machine->line[memory][l][p].given)
                return ns_record_fail(records, row, NS_ERR_DATA, err, "machine %s has no %s %s line for %s memory",
                                      machine->name, ns_locality_words[l], ns_protocol_words[p],
                                      ns_memory_words[memory]);
    /* Assume that a process receives as much as it sends, and that all processes of its node do the same. */
    if (values.form->whole) {
        /* The load for a form that uses the whole exchange. */
        bool steps = !s.node_bytes_given;
        for (int i = 0; values.form->parts != NULL && values.form->parts[i].name != NULL; i++)
            if (strcmp(values.form->parts[i].name, "steps") == 0 && (values.without >> i & 1) != 0)
                steps = false;
        if (steps && s.steps == 1) {
            /* Off node first, then node, then socket: no more than `most` in total; but if bytes leave the node, a
             * message does. */
            double most = s.most[0];
            if (s.total_bytes > 0 && count_of(s.load, NS_OFF_NODE, NS_OFF_NODE) == 0)
                s.load[NS_OFF_NODE][NS_SHORT].messages = 1;
            for (int l = NS_OFF_NODE; l >= 0; l--)
                for (int p = 0; p < NS_PROTOCOLS; p++) {
                    s.load[l][p].messages = fmin(s.load[l][p].messages, most);
                    most -= s.load[l][p].messages;
                }
        }
        if (steps && s.steps > 1) {
            spread(s.load, NS_OFF_NODE, NS_OFF_NODE, s.most[NS_STEP_BETWEEN]);
            spread(s.load, NS_ON_SOCKET, NS_ON_NODE,
                   s.most[NS_STEP_LOCAL] + s.most[NS_STEP_GATHER] + s.most[NS_STEP_SCATTER]);
        }
        load.node_out = s.node_bytes_given ? s.node_bytes : s.total_bytes / s.nodes;
    } else {
        /* The load for published forms: every process of a node is like the largest. */
        load.node_out = s.ppn * s.load[NS_OFF_NODE][NS_RENDEZVOUS].bytes;
        if (s.node_bytes_given && s.transport == NS_VIA_HOST)
            load.node_out = s.node_bytes;
        for (int p = 0; p < NS_RENDEZVOUS; p++)
            load.unlimited[p] = !s.node_bytes_given;
    }
    memcpy(load.out, s.load, sizeof s.load);
    memcpy(load.in, s.load, sizeof s.load);
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load.node_on[l][p] = s.ppn * s.load[l][p].bytes;
    load.node_in = load.node_out;
    load.partners = s.nodes - 1;
    load.first = 1;
    load.later = s.steps - 1;
    /* Rows of one GPU's process cover messages only; a process alone on its node has nothing to gather. */
    const bool bundles = s.strategy->node_aware && !s.node_bytes_given && s.ppn > 1;
    for (int p = 0; p < NS_PROTOCOLS && bundles; p++)
        load.bundled += 2 * s.load[NS_OFF_NODE][p].bytes;
    load.node_bundled = bundles ? load.node_out + load.node_in : 0;
    /* Steps with a rendezvous message: no more than such messages, and no more than steps. */
    double rendezvous = 0, steps = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        rendezvous += s.load[l][NS_RENDEZVOUS].messages;
    for (int i = 0; i < s.steps; i++) {
        steps += !s.most_given || s.most[i] > 0;
        load.out_squares += s.most[i] * s.most[i];
    }
    load.handshakes = fmin(rendezvous, steps);
    load.in_squares = load.out_squares;
    if (values.form->needs_hops && s.total_bytes > 0)
        load.link_bytes = pow(s.byte_hops / s.total_bytes, 3) * s.total_bytes / (s.nodes / 2);
    ns_price sum = {.steps = 1};
    values.form->price(&values, &load, true, &sum.step[0]);
    sum.step[0].leaves = s.nodes > 1; /* whatever the row's single process does */
    ns_note_sizes(&load, &sum.step[0]);
    const ns_copying none = {.strategy = s.strategy, .machine = machine, .later = load.later};
    if (ns_price_close(&values, &none, ns_price_width(given.confidence), NULL, &sum, NULL) != NS_OK)
        return ns_record_fail(records, row, NS_ERR_RANGE, err, "its price is not finite");
    *price = sum;
    return NS_OK;
}
