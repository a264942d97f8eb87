/* price.c -- what a schedule costs on a machine
 *
 * A step costs what its slowest process costs; steps add up.  What a process costs is the cost model's (form.h).
 * Copies: the slowest D2H before, the slowest H2D after.
 */
#include "core/context.h"
#include "core/refuse.h"
#include "price/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err)
{
    return ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(machine),
                       "machine %s has no %s table for %s memory%s", machine->name, ns_locality_words[line],
                       ns_memory_words[memory], line == NS_OFF_NODE ? ": it predicts within one node" : "");
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

int32_t ns_cube_side(int32_t nodes)
{
    int32_t side = 1;
    while ((int64_t)side * side * side < nodes)
        side++;
    return side;
}

/* Distance of two nodes that are numbered along the cube of side ceil(cbrt(nodes)), without wrapping: what the
 * statistics of measured exchanges assume. */
static int64_t hops(int32_t side, int32_t a, int32_t b)
{
    int64_t sum = 0;
    for (int d = 0; d < 3; d++, a /= side, b /= side)
        sum += labs((long)(a % side) - b % side);
    return sum;
}

void ns_hop_bytes_add(ns_hop_bytes *sum, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes)
{
    const int64_t low = INT64_C(0xffffffff), away = hops(side, from_node, to_node);
    sum->bytes += bytes;
    sum->low += (bytes & low) * away;
    sum->high += (bytes >> 32) * away + (sum->low >> 32);
    sum->low &= low;
}

/* l = hops^3 S / (nodes / 2) over the bytes S of all messages of the step that leave their node. */
double ns_link_bytes(const ns_hop_bytes *sum, int32_t nodes)
{
    const double bytes = (double)sum->bytes, away = (double)sum->high * 0x1p32 + (double)sum->low;
    return bytes > 0 ? pow(away / bytes, 3) * bytes / (nodes / 2.0) : 0;
}

/* ---- loads of a schedule's processes ----------------------------------------------------------------------------- */

typedef struct pricing {
    const ns_schedule *schedule;
    const ns_machine *machine;
    ns_memory memory;
    const ns_form *form;
    const ns_form_values *values;
    int terms;
} pricing;

/* A message's locality and the protocol of its size, as the slot of a load. */
static ns_status slot_of(const pricing *w, const ns_message *m, int *slot, ns_error *err)
{
    const ns_locality locality = ns_schedule_locality(w->schedule, m->from, m->to),
                      line = w->form->one_table ? NS_OFF_NODE : locality;
    ns_protocol protocol = NS_SHORT;
    if (ns_machine_line(w->machine, w->memory, line, (double)m->bytes, &protocol) == NULL)
        return ns_refuse_no_table(w->machine, w->memory, line, err);
    *slot = NS_PROTOCOLS * (int)locality + (int)protocol;
    return NS_OK;
}

/* Messages and bytes by class that one side of a process has in a step. */
static ns_status load_side(const pricing *w, const ns_step *step, int32_t process, int side,
                           ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], double *squares, ns_error *err)
{
    const int64_t *range = side == NS_IN ? step->received : step->sent, count = range[process + 1] - range[process];
    ns_class_sum sum[NS_LOCALITIES * NS_PROTOCOLS] = {{0, 0}};
    NS_TRY(ns_context_tick(count, err));
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const ns_message *m = &step->message[side == NS_IN ? step->by_receiver[i] : i];
        int slot = 0;
        NS_TRY(slot_of(w, m, &slot, err));
        sum[slot].messages++;
        sum[slot].bytes += m->bytes;
    }
    ns_class_load *by_slot = load[0];
    for (int i = 0; i < NS_LOCALITIES * NS_PROTOCOLS; i++)
        by_slot[i] = (ns_class_load){(double)sum[i].messages, (double)sum[i].bytes};
    *squares = (double)count * (double)count;
    return NS_OK;
}

static ns_status load_process(const pricing *w, const ns_step *step, int32_t process, ns_load *load, ns_error *err)
{
    NS_TRY(load_side(w, step, process, NS_OUT, load->out, &load->out_squares, err));
    NS_TRY(load_side(w, step, process, NS_IN, load->in, &load->in_squares, err));
    load->partners = step->partners[process];
    ns_load_complete(ns_strategy_packs(w->schedule->strategy), load);
    return NS_OK;
}

/* What its node has; the bytes that move inside it, by all of its processes, only where the cost model asks. */
static ns_status load_node(const pricing *w, const ns_step *step, int32_t node, ns_load *load, ns_error *err)
{
    const ns_site *site = w->schedule->site;
    double *by_slot = load->node_on[0];
    load->node_out = (double)step->node_sent[node];
    load->node_in = (double)step->node_received[node];
    load->alone = ns_site_node_size(site, node) == 1;
    memset(load->node_on, 0, sizeof load->node_on);
    for (int32_t i = site->first[node]; i < site->first[node + 1] && w->form->whole; i++) {
        const int32_t process = site->part[i];
        NS_TRY(ns_context_tick(step->sent[process + 1] - step->sent[process], err));
        for (int64_t k = step->sent[process]; k < step->sent[process + 1]; k++) {
            const ns_message *m = &step->message[k];
            int slot = 0;
            if (site->node_of[m->to] != node)
                continue; /* whether a table has its size is found out elsewhere */
            NS_TRY(slot_of(w, m, &slot, err));
            by_slot[slot] += (double)m->bytes;
        }
    }
    return NS_OK;
}

static double link_bytes(const ns_schedule *s, const ns_step *step)
{
    const int32_t side = ns_cube_side(s->nodes);
    ns_hop_bytes sum = {0, 0, 0};
    for (int64_t i = 0; i < step->messages; i++) {
        const int32_t from = s->site->node_of[step->message[i].from], to = s->site->node_of[step->message[i].to];
        if (from != to)
            ns_hop_bytes_add(&sum, side, from, to, step->message[i].bytes);
    }
    return ns_link_bytes(&sum, s->nodes);
}

/* The slowest process by each maximum; its amounts are told once it is known. */
static ns_status price_step(const pricing *w, int index, ns_step_price *worst[NS_MAXIMA], ns_error *err)
{
    const ns_step *step = &w->schedule->step[index];
    const ns_site *site = w->schedule->site;
    const int maxima = ns_maxima_of(w->values);
    ns_load load = {.first = index == 0, .later = index > 0}, slowest[NS_MAXIMA] = {load, load};
    ns_step_price one = {.process = -1};
    double most[NS_MAXIMA] = {-1, -1};
    load.link_bytes = w->form->needs_hops ? link_bytes(w->schedule, step) : 0;
    for (int m = 0; m < maxima; m++)
        *worst[m] = one;
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t process = site->part[i], node = site->node_of[process];
        double all = 0;
        NS_TRY(ns_context_tick(4, err));
        if (site->first[node] == i)
            NS_TRY(load_node(w, step, node, &load, err));
        if (step->sent[process + 1] == step->sent[process] && step->received[process + 1] == step->received[process])
            continue;
        NS_TRY(load_process(w, step, process, &load, err));
        memset(one.term, 0, (size_t)w->terms * sizeof *one.term);
        one.bytes_s = one.waits_s = 0;
        w->form->price(w->values, &load, false, &one);
        for (int t = 0; t < w->terms; t++)
            all += one.term[t];
        for (int m = 0; m < maxima; m++) {
            const double seconds = ns_compared_seconds(m, all, &one);
            if (seconds > most[m]) {
                most[m] = seconds;
                slowest[m] = load;
                worst[m]->process = process;
            }
        }
    }
    for (int m = 0; m < maxima && worst[m]->process >= 0; m++) {
        w->form->price(w->values, &slowest[m], true, worst[m]);
        worst[m]->leaves = one.leaves;
        ns_note_sizes(&slowest[m], worst[m]);
    }
    return NS_OK;
}

int ns_form_terms(const ns_form *form)
{
    int terms = 0;
    while (form->terms[terms] != NULL)
        terms++;
    return terms;
}

/* ---- steps and copies -------------------------------------------------------------------------------------------- */

static ns_status price_copies(const ns_copying *of, double *variance, ns_price *price, ns_error *err)
{
    if (!of->staged || of->copies[NS_D2H] + of->copies[NS_H2D] == 0)
        return NS_OK;
    const ns_copy_line *line = ns_machine_copy(of->machine, of->holders);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has GPUs but no copy parameters, which the host transport needs",
                       of->machine->name);
    const double parts = of->machine->copy_total ? of->holders : 1; /* the line's bytes are of the GPU, or of each */
    price->copy_processes = of->holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        price->copy_bytes[d] = parts * (double)of->copy_bytes[d];
        if (of->copies[d] == 0)
            continue;
        const double largest = line->alpha[d] + line->beta[d] * price->copy_bytes[d];
        price->copy_waits[d] = parts * (double)of->copy_least[d] < line->wait_below[d] && line->wait[d] > largest;
        price->copy_s += price->copy_waits[d] ? line->wait[d] : largest;
        if (price->copy_waits[d])
            continue;
        *variance +=
            ns_line_variance(1, line->alpha_se[d], price->copy_bytes[d], line->beta_se[d], line->correlation[d]);
    }
    return NS_OK;
}

static ns_status refuse_infinite(const ns_copying *of, ns_error *err)
{
    return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", of->strategy->name,
                   of->machine->name);
}

/* Steps after the first that move anything. */
static double later_steps(const ns_price *price)
{
    double count = 0;
    for (int i = 0; i < price->steps; i++)
        count += price->step[i].process >= 0;
    return fmax(0, count - 1);
}

ns_status ns_price_add_up(const ns_copying *copying, const ns_form_values *values, ns_step_price *waiting,
                          ns_price *price, ns_error *err)
{
    double variance = 0;
    NS_TRY(price_copies(copying, &variance, price, err));
    ns_price_sum(values, copying->strategy, later_steps(price), waiting, price);
    return isfinite(price->estimate_s) ? NS_OK : refuse_infinite(copying, err);
}

ns_status ns_price_finish(const ns_copying *copying, const ns_form_values *values, double confidence,
                          ns_step_price *waiting, ns_price *price, ns_error *err)
{
    double variance = 0;
    NS_TRY(price_copies(copying, &variance, price, err));
    ns_price_close(values, copying->strategy, later_steps(price), confidence, variance, waiting, price);
    return isfinite(price->hi_s) ? NS_OK : refuse_infinite(copying, err);
}

static ns_copying copying_of(const ns_schedule *s, const ns_machine *machine)
{
    ns_copying of = {.strategy = s->strategy, .machine = machine, .holders = s->holders, .staged = s->staged};
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        of.copies[d] = s->copies[d];
        for (int64_t i = 0; i < s->copies[d]; i++) {
            const int64_t bytes = s->copy[d][i].bytes;
            of.copy_bytes[d] = bytes > of.copy_bytes[d] ? bytes : of.copy_bytes[d];
            of.copy_least[d] = i == 0 || bytes < of.copy_least[d] ? bytes : of.copy_least[d];
        }
    }
    return of;
}

ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err)
{
    ns_price_options given;
    ns_form_values values;
    NS_TRY(ns_price_options_take(options, &given, err));
    const ns_memory memory = schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    const ns_form *form = ns_form_of(machine, given.form);
    const pricing w = {schedule, machine, memory, form, &values, ns_form_terms(form)};
    const ns_copying copying = copying_of(schedule, machine);
    ns_price sum = {.steps = schedule->steps};
    ns_step_price waiting[NS_STEPS];
    ns_form_take(form, machine, memory, given.without, &values);
    for (int i = 0; i < sum.steps; i++)
        NS_TRY(price_step(&w, i, (ns_step_price *[NS_MAXIMA]){&sum.step[i], &waiting[i]}, err));
    NS_TRY(ns_price_finish(&copying, &values, given.confidence, values.hides ? waiting : NULL, &sum, err));
    *price = sum;
    return NS_OK;
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    return ns_schedule_price_as(schedule, machine, &(ns_price_options){.confidence = NS_CONFIDENCE}, price, err);
}
