/* test_forms_rules.c -- what the full form makes of constants that a machine lacks, by hand; and a schedule's price as
 * the form of loads that were counted apart */

#include "core/memory.h"
#include "oracle/oracle.h"
#include "price/choice.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

/* ---- rules for missing constants -----------------------------------------------------------------------------------
 *
 * us and ns/B; 4 host processes a node:
 *              on-socket         on-node           off-node
 *   host       short  1, 0.5     2, 1              5, 2
 *              eager  1.5, 0.4   3, 0.8            6, 1.5
 *              rend.  2, 0.2     4, 0.6            8, 0.25
 *   device     eager  10, 0.9    12, 0.7           14, 0.5
 *              rend.  11, 0.8    13, 0.6           16, 0.125 */
static const double line_us[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS] = {{{1, 1.5, 2}, {2, 3, 4}, {5, 6, 8}},
                                                                         {{0, 10, 11}, {0, 12, 13}, {0, 14, 16}}};
static const double line_ns[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS] = {
    {{0.5, 0.4, 0.2}, {1, 0.8, 0.6}, {2, 1.5, 0.25}}, {{0, 0.9, 0.8}, {0, 0.7, 0.6}, {0, 0.5, 0.125}}};

#define LINE       "host.exchange.off-node.eager=1us+1.5ns/B"
#define SHORT_LINE "host.exchange.off-node.short=1us+1.5ns/B"

static ns_machine *bare_machine(int gpus, const char *with)
{
    machine_text *text = machine_start(2, gpus, 4);
    for (int m = 0; m < (gpus > 0 ? NS_MEMORIES : 1); m++)
        for (int p = m == NS_HOST ? NS_SHORT : NS_EAGER; p < NS_PROTOCOLS; p++) {
            const double from = p == NS_RENDEZVOUS ? 8000 : p == NS_EAGER && m == NS_HOST ? 500 : 0;
            machine_put(text, from, "B", "%s.protocols.%s", ns_memory_words[m], ns_protocol_words[p]);
            for (int l = 0; l < NS_LOCALITIES; l++) {
                machine_put(text, line_us[m][l][p] * 1e-6, "s", "%s.%s.%s.alpha", ns_memory_words[m],
                            ns_locality_words[l], ns_protocol_words[p]);
                machine_put(text, line_ns[m][l][p] * 1e-9, "s/B", "%s.%s.%s.beta", ns_memory_words[m],
                            ns_locality_words[l], ns_protocol_words[p]);
            }
        }
    const bool eager = strcmp(with, LINE) == 0;
    if (eager || strcmp(with, SHORT_LINE) == 0) { /* a line wants alpha and beta at once */
        machine_put(text, 1e-6, "s", "host.exchange.off-node.%s.alpha", eager ? "eager" : "short");
        machine_put(text, 1.5e-9, "s/B", "host.exchange.off-node.%s.beta", eager ? "eager" : "short");
        with += strlen(with);
    }
    ns_machine *machine = machine_made(text);
    char one[200];
    for (; *with != '\0'; with += strcspn(with, " "), with += *with == ' ') {
        snprintf(one, sizeof one, "%.*s", (int)strcspn(with, " "), with);
        machine = machine_with(machine, one);
    }
    return machine;
}

#define ALPHA     "<memory>.<locality>.<protocol>.alpha"
#define LIMIT     "<memory>.exchange.<locality>.<protocol>.inverse_R"
#define R_N       "<memory>.injection.inverse_R_N"
#define GAMMA     "<memory>.exchange.gamma"
#define HANDSHAKE "<memory>.exchange.handshake"
#define PACK      "<memory>.exchange.packing.beta"
#define NODE_PACK "<memory>.exchange.packing.inverse_R"
#define FLOOR     "<memory>.exchange.floor"
#define CROWDING  "<memory>.exchange.crowding"

static const struct {
    int gpus;
    const char *with, *without;
    ns_memory memory;
    const char *path;
    int locality, protocol;
    double value;     /* us, ns/B, ns, 1 */
    const char *from; /* NULL: the form's own */
} rule[] = {
    /* the start-up of the smallest messages off node stands for all in flight, in eager ones with the bytes of the last
     * short one, up to their own; with GPUs each its own */
    {0, "", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_SHORT, 5, "host.off-node.short.alpha"},
    {0, "", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 6, "host.off-node.short.alpha"},
    {0, "host.off-node.short.beta=0.6ns/B", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 5.3,
     "host.off-node.short.alpha"},
    {0, "host.off-node.eager.alpha=5.7us", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 5.7, "host.off-node.short.alpha"},
    {0, "host.off-node.eager.alpha=4us", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 5, "host.off-node.short.alpha"},
    {0, "", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_RENDEZVOUS, 5, "host.off-node.short.alpha"},
    {4, "", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_RENDEZVOUS, 8, "host.off-node.rendezvous.alpha"},
    {0, "host.exchange.off-node.alpha=3us", "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 3,
     "host.exchange.off-node.alpha"},
    {0, "host.exchange.off-node.alpha=3us", "start-up", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 6,
     "host.off-node.short.alpha"},
    {0, SHORT_LINE, "", NS_HOST, ALPHA, NS_OFF_NODE, NS_RENDEZVOUS, 1, "host.exchange.off-node.short.alpha"},
    {4, LINE, "", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 1, "host.exchange.off-node.eager.alpha"},
    {4, LINE, "start-up", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 6, "host.off-node.eager.alpha"},
    {0, LINE, "start-up", NS_HOST, ALPHA, NS_OFF_NODE, NS_EAGER, 6, "host.off-node.short.alpha"},
    /* inside a node half of it at either end, unless in flight it was measured so */
    {0, "", "", NS_HOST, ALPHA, NS_ON_NODE, NS_EAGER, 1.5, "host.on-node.eager.alpha"},
    {4, "", "", NS_HOST, ALPHA, NS_ON_NODE, NS_EAGER, 1.5, "host.on-node.eager.alpha"},
    {4, "", "", NS_DEVICE, ALPHA, NS_ON_SOCKET, NS_RENDEZVOUS, 5.5, "device.on-socket.rendezvous.alpha"},
    {4, "host.exchange.on-node.alpha=1us", "", NS_HOST, ALPHA, NS_ON_NODE, NS_EAGER, 1, "host.exchange.on-node.alpha"},
    /* no R_N: the line of two processes, or of as many as there are interfaces; of the device the host's */
    {0, "", "", NS_HOST, R_N, 0, 0, 0.125, "host.off-node.rendezvous.beta"},
    {0, "topology.nics=1", "", NS_HOST, R_N, 0, 0, 0.125, "host.off-node.rendezvous.beta"},
    {0, "topology.nics=5", "", NS_HOST, R_N, 0, 0, 0.05, "host.off-node.rendezvous.beta"},
    {4, "", "", NS_DEVICE, R_N, 0, 0, 0.0625, "device.off-node.rendezvous.beta"},
    {4, "host.injection.inverse_R_N=0.04ns/B", "", NS_DEVICE, R_N, 0, 0, 0.04, "host.injection.inverse_R_N"},
    {4, "host.injection.inverse_R_N=0.04ns/B device.injection.inverse_R_N=0.03ns/B", "", NS_DEVICE, R_N, 0, 0, 0.03,
     "device.injection.inverse_R_N"},
    {0, "host.injection.unlimited_pairs=8", "", NS_HOST, R_N, 0, 0, 0.03125, "host.off-node.rendezvous.beta"},
    {0, "host.injection.unlimited_pairs=8 topology.nics=10", "", NS_HOST, R_N, 0, 0, 0.025,
     "host.off-node.rendezvous.beta"},
    /* of ping-pongs, half of whose bytes go each way; streams go one way */
    {0, "host.injection.inverse_R_N=0.04ns/B", "", NS_HOST, R_N, 0, 0, 0.04, "host.injection.inverse_R_N"},
    {0, "host.injection.inverse_R_N=0.04ns/B host.injection.directions=1", "", NS_HOST, R_N, 0, 0, 0.02,
     "host.injection.inverse_R_N"},
    {4, "host.injection.inverse_R_N=0.04ns/B host.injection.directions=1", "", NS_DEVICE, R_N, 0, 0, 0.02,
     "host.injection.inverse_R_N"},
    /* the node's memory: 4 processes send at once, 2 do in a ping-pong; only rendezvous of the host is derived */
    {0, "", "", NS_HOST, LIMIT, NS_ON_NODE, NS_RENDEZVOUS, 0.3, "host.on-node.rendezvous.beta"},
    {4, "", "", NS_HOST, LIMIT, NS_ON_SOCKET, NS_RENDEZVOUS, 0.1, "host.on-socket.rendezvous.beta"},
    {0, "", "memory", NS_HOST, LIMIT, NS_ON_NODE, NS_RENDEZVOUS, 0, NULL},
    {0, "", "", NS_HOST, LIMIT, NS_ON_NODE, NS_EAGER, 0, NULL},
    {0, "", "", NS_HOST, LIMIT, NS_OFF_NODE, NS_RENDEZVOUS, 0, NULL},
    {4, "", "", NS_DEVICE, LIMIT, NS_ON_NODE, NS_RENDEZVOUS, 0, NULL},
    {0, "host.exchange.on-node.rendezvous.inverse_R=0.05ns/B", "", NS_HOST, LIMIT, NS_ON_NODE, NS_RENDEZVOUS, 0.05,
     "host.exchange.on-node.rendezvous.inverse_R"},
    /* gamma: 7 ns of busy nodes or what its benchmark says if that is more; none beside GPUs, nor in device memory */
    {0, "", "", NS_HOST, GAMMA, 0, 0, 7, NULL},
    {0, "host.queue.gamma=8ns", "", NS_HOST, GAMMA, 0, 0, 8, "host.queue.gamma"},
    {0, "host.queue.gamma=6ns", "", NS_HOST, GAMMA, 0, 0, 7, NULL},
    {0, "host.queue.gamma=8ns host.exchange.gamma=1ns", "", NS_HOST, GAMMA, 0, 0, 1, "host.exchange.gamma"},
    {0, "host.queue.gamma=8ns host.exchange.gamma=1ns", "queue", NS_HOST, GAMMA, 0, 0, 0, NULL},
    {4, "", "", NS_HOST, GAMMA, 0, 0, 0, NULL},
    {4, "host.queue.gamma=6ns", "", NS_HOST, GAMMA, 0, 0, 6, "host.queue.gamma"},
    {4, "host.queue.gamma=6ns", "", NS_DEVICE, GAMMA, 0, 0, 0, NULL},
    /* a handshake is a rendezvous start-up; beside GPUs the floor has it */
    {0, "", "", NS_HOST, HANDSHAKE, 0, 0, 8, "host.off-node.rendezvous.alpha"},
    {0, "host.exchange.handshake=2us", "", NS_HOST, HANDSHAKE, 0, 0, 2, "host.exchange.handshake"},
    {0, "", "handshakes", NS_HOST, HANDSHAKE, 0, 0, 0, NULL},
    {4, "", "", NS_HOST, HANDSHAKE, 0, 0, 0, NULL},
    {4, "host.exchange.handshake=2us", "", NS_HOST, HANDSHAKE, 0, 0, 2, "host.exchange.handshake"},
    /* packing: half of two copies, of the process and of the node */
    {0, "", "", NS_HOST, PACK, 0, 0, 0.2, "host.on-socket.eager.beta"},
    {0, "host.on-socket.eager.beta=1.3ns/B", "", NS_HOST, PACK, 0, 0, 0.65, "host.on-socket.eager.beta"},
    {0, "", "", NS_HOST, NODE_PACK, 0, 0, 0, NULL},
    {0, "host.exchange.on-node.eager.inverse_R=0.06ns/B", "", NS_HOST, NODE_PACK, 0, 0, 0.03,
     "host.exchange.on-node.eager.inverse_R"},
    {0, "host.exchange.packing.beta=0.7ns/B", "", NS_HOST, PACK, 0, 0, 0.7, "host.exchange.packing.beta"},
    {4, "", "", NS_DEVICE, PACK, 0, 0, 0, NULL},
    /* a floor beside GPUs: the largest start-ups off node and on it */
    {0, "", "", NS_HOST, FLOOR, 0, 0, 0, NULL},
    {4, "", "", NS_HOST, FLOOR, 0, 0, 8 + 4, NULL},
    {4, "", "", NS_DEVICE, FLOOR, 0, 0, 16 + 13, NULL},
    /* ... not the intercept of a line through long messages */
    {4, "device.off-node.rendezvous.beta=10ns/B", "", NS_DEVICE, FLOOR, 0, 0, 16 + 13, NULL},
    {4, "device.protocols.rendezvous=511999B", "", NS_DEVICE, FLOOR, 0, 0, 16 + 13, NULL},
    {4, "device.protocols.rendezvous=512000B", "", NS_DEVICE, FLOOR, 0, 0, 14 + 12, NULL},
    {4, "device.exchange.floor=50us", "", NS_DEVICE, FLOOR, 0, 0, 50, "device.exchange.floor"},
    {4, "", "floor", NS_DEVICE, FLOOR, 0, 0, 0, NULL},
    /* crowding: of hosts */
    {0, "", "", NS_HOST, CROWDING, 0, 0, 0.05, NULL},
    {4, "", "", NS_DEVICE, CROWDING, 0, 0, 0, NULL},
    {0, "host.exchange.crowding=0", "", NS_HOST, CROWDING, 0, 0, 0, "host.exchange.crowding"},
};

TEST_EACH(missing_constants, sizeof rule / sizeof *rule)
{
    ns_machine *machine = bare_machine(rule[_i].gpus, rule[_i].with);
    ns_form_values v;
    ns_form_take(&ns_form_full, machine, rule[_i].memory, form_part(&ns_form_full, rule[_i].without), &v);
    const int slot = form_slot(&v, rule[_i].path, rule[_i].locality, rule[_i].protocol);
    const char *from = v.from[slot] != NULL ? v.from[slot]->path : "the form";
    const bool start_up = strstr(rule[_i].path, "alpha") != NULL || strstr(rule[_i].path, "floor") != NULL ||
                          strstr(rule[_i].path, "handshake") != NULL;
    const double unit = start_up ? 1e-6 : strcmp(rule[_i].path, CROWDING) == 0 ? 1 : 1e-9;
    ck_assert_msg(fabs(v.value[slot] - rule[_i].value * unit) <= 1e-12 * rule[_i].value * unit,
                  "%s of \"%s\": %g, not %g", rule[_i].path, rule[_i].with, v.value[slot] / unit, rule[_i].value);
    ck_assert_str_eq(from, rule[_i].from != NULL ? rule[_i].from : "the form");
    ns_machine_free(machine);
}

/* A process of device memory sends 1 MB and receives 0.5 MB off node, its node no more: both ways over its own line,
 * 1.5 MB x 0.125 = 187.5 us, where no rate of the node was measured for the device; else 125 us, against the node's
 * 1.5 MB at its rate.  The floor is 29 us, each later step's 20, and hides behind the bytes. */
static const struct {
    const char *with;
    double scale, later, off_us, fixed_us;
} device[] = {
    {"", 1, 0, 16 + 187.5, 0},
    {"host.injection.inverse_R_N=0.13ns/B", 1, 0, 16 + 195, 0},
    {"device.injection.inverse_R_N=0.03ns/B", 1, 0, 16 + 125, 0},
    {"device.exchange.inverse_R=0.1ns/B", 1, 0, 16 + 150, 0},
    {"", 0.1, 0, 16 + 18.75, 29 - 18.75},
    {"device.exchange.floor_step=20us", 0.1, 2, 16 + 18.75, 69 - 18.75},
    {"device.exchange.floor_step=20us", 1, 8, 16 + 187.5, 189 - 187.5},
};

TEST_EACH(device_bytes, sizeof device / sizeof *device)
{
    ns_machine *machine = bare_machine(4, device[_i].with);
    ns_form_values v;
    ns_load load;
    memset(&load, 0, sizeof load);
    load.out[NS_OFF_NODE][NS_RENDEZVOUS] = (ns_class_load){1, 1e6 * device[_i].scale};
    load.in[NS_OFF_NODE][NS_RENDEZVOUS] = (ns_class_load){1, 5e5 * device[_i].scale};
    load.node_out = 1e6 * device[_i].scale;
    load.node_in = 5e5 * device[_i].scale;
    load.partners = load.first = load.handshakes = 1;
    load.later = device[_i].later;
    ns_form_take(&ns_form_full, machine, NS_DEVICE, 0, &v);
    const ns_step_price step = form_price(&v, &load);
    ck_assert_double_eq_tol(step.term[ns_form_term(&ns_form_full, "off_node")] * 1e6, device[_i].off_us, 1e-9);
    ck_assert_double_eq_tol(step.term[ns_form_term(&ns_form_full, "fixed")] * 1e6, device[_i].fixed_us, 1e-9);
    ck_assert_double_eq_tol(ns_step_price_seconds(&step) * 1e6, device[_i].off_us + device[_i].fixed_us, 1e-9);
    ns_machine_free(machine);
}

/* One process of a CPU node, 3 out and 2 in off node of 400 B each, all short; at most 3 messages one way, to 2
 * nodes.  Start-ups 3 x 5, or 5 of a processor's overhead if that is more; the node's 6000 B both ways at 0.125 ns/B,
 * slowed by 1 + 0.05 log2(3/2), against own lines of 1200 B x 2; gamma 7 ns x 9.  Packed 2000 B at 0.2 ns/B, by the
 * node 60000 B at 0.03 where that is known. */
static const struct {
    const char *with;
    double off_us, packing_us;
} host[] = {
    {"", 15 + 2.4, 0.4},
    {"host.exchange.off-node.overhead=2us", 15 + 2.4, 0.4},
    {"host.exchange.off-node.overhead=4us", 20 + 2.4, 0.4},
    {"host.injection.inverse_R_N=1ns/B", 15 + 6 * (1 + 0.05 * 0.58496250072115618), 0.4},
    {"host.exchange.inverse_R=1ns/B", 15 + 6, 0.4},
    {"host.exchange.on-node.eager.inverse_R=0.06ns/B", 15 + 2.4, 1.8},
};

TEST_EACH(host_process, sizeof host / sizeof *host)
{
    ns_machine *machine = bare_machine(0, host[_i].with);
    ns_form_values v;
    ns_load load;
    memset(&load, 0, sizeof load);
    load.out[NS_OFF_NODE][NS_SHORT] = (ns_class_load){3, 1200};
    load.in[NS_OFF_NODE][NS_SHORT] = (ns_class_load){2, 800};
    load.node_out = load.node_in = 3000;
    load.partners = 2;
    load.bundled = 2000;
    load.node_bundled = 60000;
    load.first = 1;
    ns_form_take(&ns_form_full, machine, NS_HOST, 0, &v);
    const ns_step_price step = form_price(&v, &load);
    ck_assert_double_eq_tol(step.term[ns_form_term(&ns_form_full, "off_node")] * 1e6, host[_i].off_us, 1e-9);
    ck_assert_double_eq_tol(step.term[ns_form_term(&ns_form_full, "packing")] * 1e6, host[_i].packing_us, 1e-9);
    ck_assert_double_eq_tol(ns_step_price_seconds(&step) * 1e6, host[_i].off_us + host[_i].packing_us + 0.063, 1e-9);
    ns_machine_free(machine);
}

/* ---- a schedule is the maximum over processes, step by step ------------------------------------------------------ */

enum { PARTS = 23, MESSAGES = 260 };

static ns_exchange *any_exchange(uint64_t seed)
{
    static const int64_t most[] = {100, 3000, 300000};
    oracle_random random = {seed};
    ns_planned message[MESSAGES];
    int32_t node_of[PARTS];
    ns_site *site = NULL;
    ns_exchange *exchange = NULL;
    for (int i = 0; i < MESSAGES; i++) {
        const int32_t from = (int32_t)oracle_below(&random, PARTS);
        message[i] = (ns_planned){from, (from + 1 + (int32_t)oracle_below(&random, PARTS - 1)) % PARTS,
                                  1 + oracle_below(&random, most[oracle_below(&random, 3)])};
    }
    for (int32_t p = 0; p < PARTS; p++)
        node_of[p] = (int32_t)oracle_below(&random, 6);
    if (seed % 2 == 0)
        ck_assert(ns_site_from_map(PARTS, 6, node_of, 0, NULL, &site, NULL) == NS_OK);
    else
        ck_assert(ns_site_blocks(PARTS, 4, 0, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, MESSAGES, site, &exchange, NULL) == NS_OK);
    ns_site_free(site);
    return exchange;
}

static double without_floor(const ns_form *form, const ns_step_price *step)
{
    const int fixed = ns_form_term(form, "fixed");
    double sum = 0;
    for (int t = 0; form->terms[t] != NULL; t++)
        sum += t != fixed ? step->term[t] : 0;
    return sum;
}

static void check_schedule(const ns_schedule *s, const ns_machine *m, const ns_form *form)
{
    const ns_memory memory = s->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    ns_form_values values;
    ns_price price;
    ns_error err = {0};
    ck_assert_msg(ns_schedule_price_as(s, m, &(ns_price_options){.form = form}, &price, &err) == NS_OK, "%s", err.text);
    ns_form_take(form, m, memory, 0, &values);
    for (int i = 0; i < s->steps; i++) {
        ns_load *list = oracle_loads(s, i, m, form->one_table);
        double most = 0;
        for (int32_t q = 0; q < s->processes; q++) {
            ns_step_price one;
            memset(&one, 0, sizeof one);
            form->price(&values, &list[q], false, &one);
            most = fmax(most, without_floor(form, &one));
        }
        const double priced = without_floor(form, &price.step[i]);
        ck_assert_msg(oracle_equal(most, priced), "%s of %s on %s, step %d: %.17g s, the slowest takes %.17g",
                      form->name, s->strategy->name, m->name, i, priced, most);
        ns_free(list);
    }
}

TEST_EACH(slowest_process, 8)
{
    const ns_form *form[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(form, NS_FORMS_MAX);
    ns_machine *machine[] = {form_machine(0, true, false), form_machine(4, true, false), form_machine(4, false, false),
                             form_machine(4, true, true)};
    ns_exchange *exchange = any_exchange((uint64_t)_i);
    for (size_t m = 0; m < sizeof machine / sizeof *machine; m++) {
        for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
            for (int t = 0; t < NS_TRANSPORTS; t++) {
                ns_schedule *schedule = NULL;
                if (!ns_strategy_runs(*strategy, (ns_transport)t, machine[m]))
                    continue;
                ck_assert(ns_schedule_build(*strategy, (ns_transport)t, exchange, machine[m], &schedule, NULL) ==
                          NS_OK);
                for (size_t f = 0; f < forms; f++)
                    check_schedule(schedule, machine[m], form[f]);
                ns_schedule_free(schedule);
            }
        ns_machine_free(machine[m]);
    }
    ns_exchange_free(exchange);
}

TEST_TIMEOUT(120)
