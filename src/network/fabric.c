/* fabric.c -- a network combined with a machine: which numbers are the network's, and which are the machine's
 *
 * Rails carry the machine's messages: a node's rate becomes r B, for r cards with B in each direction, and a byte of
 * any message off node takes 1/B, as messages are zero-copy; start-ups do not change.  Interfaces that gather send at
 * the rate of the machine's own link: what its cost model charges a node for one byte in each direction while both are
 * busy.
 */
#include "core/memory.h"
#include "machine_file/change.h"
#include "netsparse/parameters.h"
#include "network/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the rate of a link ------------------------------------------------------------------------------------------ */

/* The seconds that a cost model charges a node for this many bytes out and as many in. */
static double node_seconds(const ns_form_values *values, double bytes)
{
    ns_load load = {.node_out = bytes, .node_in = bytes, .partners = 1, .first = 1};
    ns_step_price step = {.process = 0};
    load.out[NS_OFF_NODE][NS_RENDEZVOUS] = load.in[NS_OFF_NODE][NS_RENDEZVOUS] = (ns_class_load){1, 1};
    values->form->price(values, &load, false, &step);
    return ns_step_price_seconds(&step);
}

/* Give the hardware the rate of the machine's own link. */
static ns_status take_link(const ns_machine *machine, const ns_form *asked, ns_fabric *fabric, ns_error *err)
{
    char source[400];
    static const char *const paths[] = {"host.exchange.inverse_R", "host.injection.inverse_R_N",
                                        "device.exchange.inverse_R", "device.injection.inverse_R_N"};
    const double MANY = 0x1p33;
    const ns_form *form = ns_form_of(machine, asked);
    const ns_parameter *rate = NULL;
    ns_form_values values;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && rate == NULL; i++) {
        rate = ns_machine_parameter(machine, paths[i]);
        rate = rate != NULL && rate->value > 0 ? rate : NULL;
    }
    if (rate == NULL)
        return ns_fail(err, NS_ERR_DATA,
                       "machine %s has no \"host.injection.inverse_R_N\": the rate of a node's link, at which the "
                       "interfaces of %s would send, has to be the machine's own",
                       machine->name, fabric->kind->name);
    snprintf(source, sizeof source, "each way, both at once, from %s of %s by cost model %s: %.200s", rate->path,
             machine->name, form->name, rate->source);
    /* time per byte in each direction; a cost model without a limit of the node uses the injection rate directly */
    ns_form_take(form, machine, strncmp(rate->path, "host", 4) == 0 ? NS_HOST : NS_DEVICE, 0, &values);
    const double beta = (node_seconds(&values, 2 * MANY) - node_seconds(&values, MANY)) / MANY;
    const ns_change change = {"models.rig-batch.rate", 1 / (beta > 0 ? beta : rate->value), source};
    ns_machine *changed;
    NS_TRY(ns_machine_change(fabric->hardware, &change, 1, "link of the machine", &changed, err));
    ns_machine_free(fabric->hardware);
    fabric->hardware = changed;
    fabric->link = rate;
    return NS_OK;
}

/* ---- rails ------------------------------------------------------------------------------------------------------- */

enum { CHANGES = 32, REST = 64, PATH = REST + 16 };
typedef struct changes {
    ns_change change[CHANGES];
    char path[CHANGES][PATH];
    size_t count;
    const char *source;
} changes;

static void add(changes *c, double value, const char *memory, const char *rest)
{
    snprintf(c->path[c->count], PATH, "%.10s.%.*s", memory, REST, rest);
    c->change[c->count] = (ns_change){c->path[c->count], value, c->source};
    c->count++;
}

static double number_of(const ns_machine *machine, const char *memory, const char *rest)
{
    char path[PATH];
    snprintf(path, sizeof path, "%.10s.%.*s", memory, REST, rest);
    const ns_parameter *p = ns_machine_parameter(machine, path);
    return p != NULL ? p->value : 0;
}

static ns_status card(const ns_machine *hardware, const char *path, double least, double *value, ns_error *err)
{
    if (!ns_machine_number(hardware, path, value, NULL, NULL))
        return ns_fail(err, NS_ERR_DATA, "machine %s has no \"%s\", which the network is made of", hardware->name,
                       path);
    return *value >= least ? NS_OK
                           : ns_fail(err, NS_ERR_RANGE, "%s has to be %s, got %g", path,
                                     least > 0 ? "at least 1" : "more than 0", *value);
}

ns_status ns_fabric_rails(const ns_machine *hardware, double *rails, double *rate, ns_error *err)
{
    NS_TRY(card(hardware, "topology.rails", 1, rails, err));
    NS_TRY(card(hardware, "models.rendezvous.B_w", 0, rate, err));
    if (!(*rate > 0) || *rails > NS_LIST_MAX)
        return ns_fail(err, NS_ERR_RANGE, "cards want a rate of more than 0 and at most %d of them", (int)NS_LIST_MAX);
    return NS_OK;
}

static ns_status carry(const ns_machine *machine, ns_fabric *fabric, ns_error *err)
{
    static const char *const kinds[] = {"", "exchange."};
    double rails, rate;
    char why[120];
    NS_TRY(ns_fabric_rails(fabric->hardware, &rails, &rate, err));
    const ns_parameter *from = ns_machine_parameter(fabric->hardware, "models.rendezvous.B_w");
    const double card = 1 / rate, node = 1 / (rails * rate);
    changes c = {.source = from->source};
    /* bytes of messages, single and in flight; host memory: the card's rate; a GPU's own line may be slower than
     * that */
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            for (int k = 0; k < 2; k++) {
                char rest[REST];
                snprintf(rest, sizeof rest, "%soff-node.%s.beta", kinds[k], ns_protocol_words[p]);
                const double own = number_of(machine, ns_memory_words[m], rest);
                if (own > 0 || (k == 0 && machine->line[m][NS_OFF_NODE][p].given))
                    add(&c, m == NS_HOST ? card : fmax(own, card), ns_memory_words[m], rest);
            }
    /* streams were measured in one direction: out and in together have twice the rate; a GPU keeps its share of the
     * node's */
    const double ways = number_of(machine, "host", "injection.directions");
    const double old = number_of(machine, "host", "injection.inverse_R_N") * (ways > 0 ? ways / 2 : 1);
    const double gpu = number_of(machine, "device", "injection.inverse_R_N");
    add(&c, node, "host", "injection.inverse_R_N");
    add(&c, 1, "host", "injection.directions");
    if (number_of(machine, "host", "exchange.inverse_R") > 0)
        add(&c, node / 2, "host", "exchange.inverse_R");
    if (gpu > 0 && old > 0)
        add(&c, gpu * (node / 2) / old, "device", "injection.inverse_R_N");
    if (number_of(machine, "device", "exchange.inverse_R") > 0)
        add(&c, node / 2, "device", "exchange.inverse_R");
    snprintf(why, sizeof why, "on %s, %g cards a node", fabric->kind->name, rails);
    return ns_machine_change(machine, c.change, c.count, why, &fabric->changed, err);
}

/* ---- open and close ---------------------------------------------------------------------------------------------- */

ns_status ns_fabric_open(const ns_network_kind *kind, const ns_machine *hardware, bool own_link,
                         const ns_machine *machine, const ns_form *form, ns_fabric **fabric, ns_error *err)
{
    ns_fabric *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    made->kind = kind;
    const bool gathers = kind->effect == NS_NETWORK_GATHERS;
    ns_status status = hardware != NULL ? ns_machine_change(hardware, NULL, 0, kind->name, &made->hardware, err)
                                        : ns_machine_load(kind->hardware, &made->hardware, err);
    if (status == NS_OK && !gathers)
        status = carry(machine, made, err);
    if (status == NS_OK && gathers && !own_link)
        status = take_link(machine, form, made, err);
    made->machine = gathers ? machine : made->changed;
    if (status == NS_OK)
        *fabric = made;
    else
        ns_fabric_free(made);
    return status;
}

void ns_fabric_free(ns_fabric *fabric)
{
    if (fabric == NULL)
        return;
    ns_machine_free(fabric->hardware);
    ns_machine_free(fabric->changed);
    ns_free(fabric);
}
