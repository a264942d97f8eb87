/* price.c -- what a schedule costs on a machine: the cost function applied to every process of every step
 *
 * A step costs what its slowest process costs; steps add up.  Published forms look at the sending and the receiving
 * side of a process by themselves, full at both together (strategy.h has the forms).  S, the off-node bytes of a
 * process' node, counts for processes that take part off node.  Copies: the slowest D2H before, the slowest H2D after.
 */
#include "price/cost.h"

#include <math.h>
#include <string.h>

typedef struct pricer {
    const ns_schedule *schedule;
    const ns_machine *machine;
    ns_memory memory;
    ns_cost cost;
} pricer;

/* Messages and bytes by class that one side (sending or receiving) of a process has in a step. */
static ns_status load_side(const pricer *w, const ns_step *step, int32_t process, bool receiving,
                           ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], ns_error *err)
{
    const int64_t *range = receiving ? step->received : step->sent;
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const ns_message *m = &step->message[receiving ? step->by_receiver[i] : i];
        const ns_locality locality = ns_schedule_locality(w->schedule, m->from, m->to);
        const ns_locality line = w->cost.form == NS_FORM_POSTAL ? NS_OFF_NODE : locality;
        ns_protocol protocol = NS_SHORT;
        if (ns_machine_line(w->machine, w->memory, line, (double)m->bytes, &protocol) == NULL)
            return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", w->machine->name,
                           ns_locality_words[line], ns_memory_words[w->memory]);
        load[locality][protocol].messages++;
        load[locality][protocol].bytes += (double)m->bytes;
    }
    return NS_OK;
}

/* Start-ups inside the node are paid at both ends, all else by the larger side. */
static void add_receiving(const ns_cost *cost, ns_step_price *side, ns_class_load in[NS_LOCALITIES][NS_PROTOCOLS])
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            ns_class_load *load = &side->load[l][p];
            const bool sum = l != NS_OFF_NODE && cost->both_ends;
            load->messages = sum ? load->messages + in[l][p].messages : fmax(load->messages, in[l][p].messages);
            load->bytes = fmax(load->bytes, in[l][p].bytes);
        }
}

static void worst_of(const ns_step_price *side, ns_step_price *worst)
{
    if (worst->process < 0 || ns_step_seconds(side) > ns_step_seconds(worst))
        *worst = *side;
}

static ns_status price_side(const pricer *w, const ns_step *step, int32_t process, bool receiving, double link_bytes,
                            ns_step_price *worst, ns_error *err)
{
    const int64_t *range = receiving ? step->received : step->sent;
    if (range[process] == range[process + 1])
        return NS_OK;
    ns_step_price side = {.process = process, .receiving = receiving, .link_bytes = link_bytes};
    side.queue = (double)(range[process + 1] - range[process]);
    side.queue_squares = side.queue * side.queue;
    side.node_bytes = (double)(receiving ? step->node_received : step->node_sent)[w->schedule->site->node_of[process]];
    NS_TRY(load_side(w, step, process, receiving, side.load, err));
    ns_cost_side(&w->cost, NULL, &side);
    worst_of(&side, worst);
    return NS_OK;
}

static ns_status price_both(const pricer *w, const ns_step *step, int32_t process, ns_step_price *worst, ns_error *err)
{
    if (step->received[process] == step->received[process + 1] && step->sent[process] == step->sent[process + 1])
        return NS_OK;
    const int32_t node = w->schedule->site->node_of[process];
    const double sent = (double)step->node_sent[node], received = (double)step->node_received[node];
    ns_step_price side = {.process = process};
    ns_class_load in[NS_LOCALITIES][NS_PROTOCOLS] = {{{0, 0}}};
    side.queue = (double)(step->received[process + 1] - step->received[process]);
    side.queue_squares = side.queue * side.queue;
    side.node_bytes = w->cost.both_ways && w->cost.rate_replaces ? sent + received : fmax(sent, received);
    NS_TRY(load_side(w, step, process, false, side.load, err));
    NS_TRY(load_side(w, step, process, true, in, err));
    add_receiving(&w->cost, &side, in);
    ns_cost_side(&w->cost, NULL, &side);
    worst_of(&side, worst);
    return NS_OK;
}

/* Distance of two nodes that are numbered along the cube of side ceil(cbrt(nodes)), without wrapping: what the
 * statistics of measured exchanges assume. */
static double hops(int32_t side, int32_t a, int32_t b)
{
    double sum = 0;
    for (int d = 0; d < 3; d++, a /= side, b /= side)
        sum += fabs((double)(a % side - b % side));
    return sum;
}

/* l = hops^3 S / (nodes / 2) over the bytes S of all messages of the step that leave their node. */
static double link_bytes(const ns_schedule *s, const ns_step *step)
{
    double bytes = 0, far = 0;
    int32_t side = 1;
    while ((int64_t)side * side * side < s->nodes)
        side++;
    for (int64_t i = 0; i < step->messages; i++) {
        const int32_t from = s->site->node_of[step->message[i].from], to = s->site->node_of[step->message[i].to];
        if (from == to)
            continue;
        bytes += (double)step->message[i].bytes;
        far += (double)step->message[i].bytes * hops(side, from, to);
    }
    return bytes > 0 ? pow(far / bytes, 3) * bytes / (s->nodes / 2.0) : 0;
}

static ns_status price_step(const pricer *w, const ns_step *step, ns_step_price *worst, ns_error *err)
{
    const double linked = w->cost.form == NS_FORM_CONTENTION ? link_bytes(w->schedule, step) : 0;
    *worst = (ns_step_price){.process = -1};
    for (int32_t process = 0; process < w->schedule->processes; process++) {
        if (w->cost.both_sides) {
            NS_TRY(price_both(w, step, process, worst, err));
            continue;
        }
        NS_TRY(price_side(w, step, process, false, linked, worst, err));
        NS_TRY(price_side(w, step, process, true, linked, worst, err));
    }
    return NS_OK;
}

static ns_status price_copies(const ns_schedule *s, const ns_machine *machine, ns_price *price, ns_error *err)
{
    if (!s->staged || s->copies[NS_D2H] + s->copies[NS_H2D] == 0)
        return NS_OK;
    const ns_copy_line *line = ns_machine_copy(machine, s->holders);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has GPUs but no copy parameters, which the host transport needs",
                       machine->name);
    price->copy_processes = s->holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        for (int64_t i = 0; i < s->copies[d]; i++)
            price->copy_bytes[d] = fmax(price->copy_bytes[d], (double)s->copy[d][i].bytes);
        if (s->copies[d] > 0)
            price->copy_s += line->alpha[d] + line->beta[d] * price->copy_bytes[d];
    }
    return NS_OK;
}

static double copy_variance(const ns_schedule *s, const ns_machine *machine, const ns_price *price)
{
    const ns_copy_line *copy = price->copy_processes > 0 ? ns_machine_copy(machine, price->copy_processes) : NULL;
    double sum = 0;
    for (int d = 0; copy != NULL && d < NS_DIRECTIONS; d++)
        if (s->copies[d] > 0)
            sum += ns_line_variance(1, copy->alpha_se[d], price->copy_bytes[d], copy->beta_se[d], copy->correlation[d]);
    return sum;
}

ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err)
{
    pricer w = {schedule, machine, schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, {0}};
    ns_cost_make(machine, w.memory, options, &w.cost);
    ns_price sum = {.steps = schedule->steps};
    for (int i = 0; i < schedule->steps; i++)
        NS_TRY(price_step(&w, &schedule->step[i], &sum.step[i], err));
    NS_TRY(price_copies(schedule, machine, &sum, err));
    ns_price_close(&w.cost, options->confidence, copy_variance(schedule, machine, &sum), &sum);
    if (!isfinite(sum.hi_s))
        return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", schedule->strategy->name,
                       machine->name);
    *price = sum;
    return NS_OK;
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    return ns_schedule_price_as(schedule, machine, &(ns_price_options){NS_FORM_AUTO, NS_CONFIDENCE, 0}, price, err);
}
