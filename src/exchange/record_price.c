/* record_price.c -- from a row's statistics to what the cost function sees of one process
 *
 * Published forms take the maxima by class as they stand; bytes by rendezvous off node are limited by the node, all of
 * whose processes send as much as the largest.  The full form knows more: bytes of a node from the exchange's total, a
 * mean over nodes, and never more messages than the most of any process.  The maxima by class belong to different
 * processes, so that their sum may count messages twice: standard fills max_num_msgs from off node inwards; three-step
 * knows the most of each step exactly and spreads it over the classes as they stand.
 */
#include "exchange/statistics.h"
#include "price/cost.h"

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

/* Off node first, then node, then socket: no more than `most` in all; but something leaves the node when bytes do. */
static void cap(load_table load, double most, bool leaves)
{
    if (leaves && count_of(load, NS_OFF_NODE, NS_OFF_NODE) == 0)
        load[NS_OFF_NODE][NS_SHORT].messages = 1;
    for (int l = NS_OFF_NODE; l >= 0; l--)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            load[l][p].messages = fmin(load[l][p].messages, most);
            most -= load[l][p].messages;
        }
}

/* Messages of the localities from .. to become `count` in all, in the proportions of their classes. */
static void spread(load_table load, int from, int to, double count)
{
    const double had = count_of(load, from, to);
    for (int l = from; l <= to; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load[l][p].messages = had > 0 ? load[l][p].messages * count / had : l == from && p == NS_SHORT ? count : 0;
}

/* What the full form takes for one process: start-ups inside the node at both ends, as it receives what it sends. */
static void fill_full(const ns_statistics *s, const ns_cost *cost, ns_step_price *step)
{
    if (cost->steps && !s->node_bytes_given && s->steps == 1)
        cap(step->load, s->most[0], s->total_bytes > 0);
    if (cost->steps && !s->node_bytes_given && s->steps > 1) {
        spread(step->load, NS_OFF_NODE, NS_OFF_NODE, s->most[NS_STEP_BETWEEN]);
        spread(step->load, NS_ON_SOCKET, NS_ON_NODE,
               s->most[NS_STEP_LOCAL] + s->most[NS_STEP_GATHER] + s->most[NS_STEP_SCATTER]);
    }
    for (int l = 0; l < NS_OFF_NODE && cost->both_ends; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            step->load[l][p].messages *= 2;
    const double one_way = s->node_bytes_given ? s->node_bytes : s->total_bytes / s->nodes;
    step->node_bytes = cost->both_ways && cost->rate_replaces ? 2 * one_way : one_way;
}

/* What the published forms take: of a node, every process as the largest. */
static void fill_published(const ns_statistics *s, ns_step_price *step)
{
    step->node_bytes = s->ppn * step->load[NS_OFF_NODE][NS_RENDEZVOUS].bytes;
    if (s->node_bytes_given && s->transport == NS_VIA_HOST)
        step->node_bytes = s->node_bytes;
}

static ns_status check_needs(const ns_records *records, size_t row, const ns_statistics *s, const ns_cost *cost,
                             ns_error *err)
{
    const char *lacks = NULL;
    const ns_form form = cost->form;
    if (form >= NS_FORM_QUEUE && !s->most_given)
        lacks = s->steps == 1 ? "max_num_msgs" : "max_num_L, _S, _G or _R";
    else if (form >= NS_FORM_CONTENTION && !s->total_given && !s->node_bytes_given)
        lacks = "total_bytes";
    else if (cost->delta.value > 0 && !s->hops_given)
        lacks = "byte_hops";
    return lacks == NULL ? NS_OK
                         : ns_record_fail(records, row, NS_ERR_DATA, err, "lacks %s, which the %s model needs", lacks,
                                          ns_price_form_words[form]);
}

/* Every class in use has a line on the machine. */
static ns_status check_lines(const ns_records *records, size_t row, const ns_machine *machine, ns_memory memory,
                             const ns_statistics *s, ns_error *err)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if ((s->load[l][p].messages > 0 || s->load[l][p].bytes > 0) && !machine->line[memory][l][p].given)
                return ns_record_fail(records, row, NS_ERR_DATA, err, "machine %s has no %s %s line for %s memory",
                                      machine->name, ns_locality_words[l], ns_protocol_words[p],
                                      ns_memory_words[memory]);
    return NS_OK;
}

static double links(const ns_statistics *s)
{
    return s->total_bytes > 0 ? pow(s->byte_hops / s->total_bytes, 3) * s->total_bytes / (s->nodes / 2) : 0;
}

ns_status ns_record_price(const ns_records *records, size_t row, const ns_machine *machine,
                          const ns_price_options *options, ns_price *price, ns_error *err)
{
    static const bool rendezvous_only[NS_PROTOCOLS] = {false, false, true};
    ns_statistics s;
    ns_cost cost;
    NS_TRY(ns_price_options_check(options, err));
    NS_TRY(ns_statistics_read(records, row, machine, &s, err));
    const ns_memory memory = s.transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    ns_cost_make(machine, memory, options, &cost);
    NS_TRY(check_needs(records, row, &s, &cost, err));
    NS_TRY(check_lines(records, row, machine, memory, &s, err));
    ns_price sum = {.steps = 1};
    ns_step_price *step = &sum.step[0];
    memcpy(step->load, s.load, sizeof s.load);
    for (int i = 0; i < s.steps; i++) {
        step->queue += s.most[i];
        step->queue_squares += s.most[i] * s.most[i];
    }
    step->link_bytes = cost.form == NS_FORM_CONTENTION ? links(&s) : 0;
    if (cost.form == NS_FORM_FULL)
        fill_full(&s, &cost, step);
    else
        fill_published(&s, step);
    ns_cost_side(&cost, cost.form == NS_FORM_FULL || s.node_bytes_given ? NULL : rendezvous_only, step);
    ns_price_close(&cost, options->confidence, 0, &sum);
    if (!isfinite(sum.hi_s))
        return ns_record_fail(records, row, NS_ERR_RANGE, err, "its price is not finite");
    *price = sum;
    return NS_OK;
}
