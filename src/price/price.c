/* price.c -- what a schedule costs on a machine: the cost function applied to every process of every step
 *
 * A step costs what its slowest process costs; steps add up.  What a process costs is the form's (form.h).  Copies: the
 * slowest D2H before, the slowest H2D after.
 */
#include "core/refuse.h"
#include "price/cost.h"

#include <math.h>
#include <string.h>

typedef struct pricer {
    const ns_schedule *schedule;
    const ns_machine *machine;
    const ns_form *form;
    ns_memory memory;
} pricer;

/* A message's locality and the protocol of its size. */
static ns_status class_of(const pricer *w, const ns_message *m, ns_locality *locality, ns_protocol *protocol,
                          ns_error *err)
{
    *locality = ns_schedule_locality(w->schedule, m->from, m->to);
    const ns_locality line = w->form->one_table ? NS_OFF_NODE : *locality;
    if (ns_machine_line(w->machine, w->memory, line, (double)m->bytes, protocol) == NULL)
        return ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(w->machine),
                           "machine %s has no %s table for %s memory%s", w->machine->name, ns_locality_words[line],
                           ns_memory_words[w->memory], line == NS_OFF_NODE ? ": it predicts within one node" : "");
    return NS_OK;
}

/* Messages and bytes by class that one side (sending or receiving) of a process has in a step. */
static ns_status load_side(const pricer *w, const ns_step *step, int32_t process, bool receiving,
                           ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], ns_error *err)
{
    const int64_t *range = receiving ? step->received : step->sent;
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const ns_message *m = &step->message[receiving ? step->by_receiver[i] : i];
        ns_locality locality;
        ns_protocol protocol = NS_SHORT;
        NS_TRY(class_of(w, m, &locality, &protocol, err));
        load[locality][protocol].messages++;
        load[locality][protocol].bytes += (double)m->bytes;
    }
    return NS_OK;
}

static double square(double x)
{
    return x * x;
}

static bool any_rendezvous(ns_class_load side[NS_LOCALITIES][NS_PROTOCOLS])
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        if (side[l][NS_RENDEZVOUS].messages > 0)
            return true;
    return false;
}

static double off_node_bytes(ns_class_load side[NS_LOCALITIES][NS_PROTOCOLS])
{
    double sum = 0;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        sum += side[NS_OFF_NODE][p].bytes;
    return sum;
}

/* All that a process has to do in a step, but for what its node and the links have. */
static ns_status load_process(const pricer *w, const ns_step *step, int32_t process, ns_load *load, ns_error *err)
{
    const int32_t node = w->schedule->site->node_of[process];
    memset(load->out, 0, sizeof load->out);
    memset(load->in, 0, sizeof load->in);
    NS_TRY(load_side(w, step, process, false, load->out, err));
    NS_TRY(load_side(w, step, process, true, load->in, err));
    load->node_out = (double)step->node_sent[node];
    load->node_in = (double)step->node_received[node];
    load->out_squares = square((double)(step->sent[process + 1] - step->sent[process]));
    load->in_squares = square((double)(step->received[process + 1] - step->received[process]));
    load->partners = step->partners[process];
    load->handshakes = any_rendezvous(load->out) || any_rendezvous(load->in);
    if (w->schedule->strategy->node_aware) {
        load->bundled = off_node_bytes(load->out) + off_node_bytes(load->in);
        load->node_bundled = load->node_out + load->node_in;
    }
    return NS_OK;
}

/* Bytes that move inside a node, by all of its processes; what leaves it is passed over without a look at its size. */
static ns_status load_node(const pricer *w, const ns_step *step, int32_t node, ns_load *load, ns_error *err)
{
    const ns_site *site = w->schedule->site;
    memset(load->node_on, 0, sizeof load->node_on);
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++) {
        const int32_t process = site->part[i];
        for (int64_t k = step->sent[process]; k < step->sent[process + 1]; k++) {
            const ns_message *m = &step->message[k];
            ns_locality locality;
            ns_protocol protocol = NS_SHORT;
            if (site->node_of[m->to] != node)
                continue;
            NS_TRY(class_of(w, m, &locality, &protocol, err));
            load->node_on[locality][protocol] += (double)m->bytes;
        }
    }
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

static bool is_idle(const ns_step *step, int32_t process)
{
    return step->received[process] == step->received[process + 1] && step->sent[process] == step->sent[process + 1];
}

/* The slowest process; its amounts are told once it is known. */
static ns_status price_step(const pricer *w, const ns_form_values *values, int index, ns_step_price *worst,
                            ns_error *err)
{
    const ns_step *step = &w->schedule->step[index];
    ns_load load = {.first = index == 0, .later = index > 0}, slowest = load;
    ns_step_price one = {.process = -1};
    double most = -1;
    load.link_bytes = w->form->needs_hops ? link_bytes(w->schedule, step) : 0;
    *worst = one;
    const ns_site *site = w->schedule->site;
    for (int32_t i = 0; i < w->schedule->processes; i++) {
        const int32_t process = site->part[i], node = site->node_of[process];
        if (w->form->whole && site->first[node] == i)
            NS_TRY(load_node(w, step, node, &load, err));
        if (is_idle(step, process))
            continue;
        NS_TRY(load_process(w, step, process, &load, err));
        memset(one.term, 0, sizeof one.term);
        one.bytes_s = 0;
        w->form->price(values, &load, false, &one);
        const double seconds = ns_step_price_seconds(&one);
        if (seconds > most) {
            most = seconds;
            slowest = load;
            worst->process = process;
        }
    }
    if (worst->process < 0)
        return NS_OK;
    w->form->price(values, &slowest, true, worst);
    ns_note_sizes(&slowest, worst);
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
    const double parts = machine->copy_total ? s->holders : 1; /* what the line's bytes are: of the GPU, or of each */
    price->copy_processes = s->holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        for (int64_t i = 0; i < s->copies[d]; i++)
            price->copy_bytes[d] = fmax(price->copy_bytes[d], parts * (double)s->copy[d][i].bytes);
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

/* Steps after the first that move anything. */
static double later_steps(const ns_price *price)
{
    double count = 0;
    for (int i = 0; i < price->steps; i++)
        count += price->step[i].process >= 0;
    return fmax(0, count - 1);
}

ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err)
{
    NS_TRY(ns_price_options_check(options, err));
    const pricer w = {schedule, machine, ns_form_of(machine, options->form),
                      schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST};
    ns_form_values values;
    ns_form_take(w.form, machine, w.memory, options->without, &values);
    ns_price sum = {.steps = schedule->steps};
    for (int i = 0; i < schedule->steps; i++)
        NS_TRY(price_step(&w, &values, i, &sum.step[i], err));
    NS_TRY(price_copies(schedule, machine, &sum, err));
    ns_price_close(&values, later_steps(&sum), options->confidence, copy_variance(schedule, machine, &sum), &sum);
    if (!isfinite(sum.hi_s))
        return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", schedule->strategy->name,
                       machine->name);
    *price = sum;
    return NS_OK;
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    return ns_schedule_price_as(schedule, machine, &(ns_price_options){NULL, NS_CONFIDENCE, 0}, price, err);
}
