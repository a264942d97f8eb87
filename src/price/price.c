/* price.c -- what a schedule costs on a machine: the loads of its processes, message by message */
#include "core/context.h"
#include "price/cost.h"
#include "price/source.h"
#include "schedule/schedule.h"

#include <string.h>

typedef struct of_schedule {
    ns_load_source source; /* first: the functions below are given it */
    const ns_schedule *schedule;
} of_schedule;

/* A message's locality and the protocol of its size. */
static ns_status class_of(const of_schedule *w, const ns_message *m, ns_locality *locality, ns_protocol *protocol,
                          ns_error *err)
{
    *locality = ns_schedule_locality(w->schedule, m->from, m->to);
    const ns_locality line = w->source.form->one_table ? NS_OFF_NODE : *locality;
    return ns_machine_line(w->source.machine, w->source.memory, line, (double)m->bytes, protocol) != NULL
               ? NS_OK
               : ns_refuse_no_table(w->source.machine, w->source.memory, line, err);
}

/* Messages and bytes by class that one side (sending or receiving) of a process has in a step. */
static ns_status load_side(const of_schedule *w, const ns_step *step, int32_t process, bool receiving,
                           ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], ns_error *err)
{
    const int64_t *range = receiving ? step->received : step->sent;
    ns_class_sum sum[NS_LOCALITIES][NS_PROTOCOLS] = {{{0, 0}}};
    NS_TRY(ns_context_tick(range[process + 1] - range[process], err));
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const ns_message *m = &step->message[receiving ? step->by_receiver[i] : i];
        ns_locality locality;
        ns_protocol protocol = NS_SHORT;
        NS_TRY(class_of(w, m, &locality, &protocol, err));
        sum[locality][protocol].messages++;
        sum[locality][protocol].bytes += m->bytes;
    }
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load[l][p] = (ns_class_load){(double)sum[l][p].messages, (double)sum[l][p].bytes};
    return NS_OK;
}

static double square(double x)
{
    return x * x;
}

static ns_status load_process(const ns_load_source *source, int index, int32_t process, ns_load *load, bool *idle,
                              ns_error *err)
{
    const of_schedule *w = (const of_schedule *)source;
    const ns_step *step = &w->schedule->step[index];
    const int64_t out = step->sent[process + 1] - step->sent[process],
                  in = step->received[process + 1] - step->received[process];
    *idle = out + in == 0;
    if (*idle)
        return NS_OK;
    NS_TRY(load_side(w, step, process, false, load->out, err));
    NS_TRY(load_side(w, step, process, true, load->in, err));
    load->out_squares = square((double)out);
    load->in_squares = square((double)in);
    load->partners = step->partners[process];
    ns_load_complete(source->strategy, load);
    return NS_OK;
}

/* Bytes that move inside a node, by all of its processes; what leaves it is passed over without a look at its size. */
static ns_status load_inside(const of_schedule *w, const ns_step *step, int32_t node, ns_load *load, ns_error *err)
{
    const ns_site *site = w->schedule->site;
    int64_t sum[NS_LOCALITIES][NS_PROTOCOLS] = {{0}};
    for (int32_t i = site->first[node]; i < site->first[node + 1]; i++) {
        const int32_t process = site->part[i];
        NS_TRY(ns_context_tick(step->sent[process + 1] - step->sent[process], err));
        for (int64_t k = step->sent[process]; k < step->sent[process + 1]; k++) {
            const ns_message *m = &step->message[k];
            ns_locality locality;
            ns_protocol protocol = NS_SHORT;
            if (site->node_of[m->to] != node)
                continue;
            NS_TRY(class_of(w, m, &locality, &protocol, err));
            sum[locality][protocol] += m->bytes;
        }
    }
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load->node_on[l][p] = (double)sum[l][p];
    return NS_OK;
}

static ns_status load_node(const ns_load_source *source, int index, int32_t node, ns_load *load, ns_error *err)
{
    const of_schedule *w = (const of_schedule *)source;
    const ns_step *step = &w->schedule->step[index];
    load->node_out = (double)step->node_sent[node];
    load->node_in = (double)step->node_received[node];
    load->alone = ns_site_node_size(w->schedule->site, node) == 1;
    return source->form->whole ? load_inside(w, step, node, load, err) : NS_OK;
}

static double link_bytes(const ns_load_source *source, int index)
{
    const ns_schedule *s = ((const of_schedule *)source)->schedule;
    const ns_step *step = &s->step[index];
    const int32_t side = ns_cube_side(s->nodes);
    ns_far far = {0, 0, 0};
    for (int64_t i = 0; i < step->messages; i++) {
        const int32_t from = s->site->node_of[step->message[i].from], to = s->site->node_of[step->message[i].to];
        if (from != to)
            ns_far_add(&far, side, from, to, step->message[i].bytes);
    }
    return ns_far_link_bytes(&far, s->nodes);
}

static void note_copies(const ns_schedule *s, ns_load_source *source)
{
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        source->copies[d] = s->copies[d];
        for (int64_t i = 0; i < s->copies[d]; i++)
            if (s->copy[d][i].bytes > source->copy_bytes[d])
                source->copy_bytes[d] = s->copy[d][i].bytes;
    }
}

ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err)
{
    ns_price_options given;
    ns_form_values values;
    NS_TRY(ns_price_options_take(options, &given, err));
    of_schedule w = {.schedule = schedule,
                     .source = {.strategy = schedule->strategy,
                                .machine = machine,
                                .form = ns_form_of(machine, given.form),
                                .memory = schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST,
                                .site = schedule->site,
                                .steps = schedule->steps,
                                .holders = schedule->holders,
                                .staged = schedule->staged,
                                .node = load_node,
                                .process = load_process,
                                .link_bytes = link_bytes}};
    note_copies(schedule, &w.source);
    ns_form_take(w.source.form, machine, w.source.memory, given.without, &values);
    return ns_price_source(&w.source, &values, given.confidence, price, err);
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    return ns_schedule_price_as(schedule, machine, &(ns_price_options){.confidence = NS_CONFIDENCE}, price, err);
}
